"""Simulations in memory, and whole runs with their files."""
import ctypes as c
import os
from dataclasses import dataclass, field

import numpy as np

from . import _library as lib

_DISTANCE, _VELOCITY, _PRESSURE = 0, (1, 2, 3), 4
_PROBE_PRESSURE, _PROBE_VELOCITY, _PROBE_HEIGHT = range(3)


@dataclass
class Field:
    """Numbers of a liquid on the grid. values[i, j] (3D: [i, j, k]) belongs to the place origin + spacing*(i, j, k), in metres.
    `values` is the memory the simulation computes with, read only; it stays as it is when the simulation goes on."""
    values: np.ndarray
    origin: np.ndarray
    spacing: float

    def places(self):
        """Coordinates along x, y (and z) as lists of numbers, m."""
        return tuple(self.origin[d] + self.spacing*np.arange(n) for d, n in enumerate(self.values.shape))


@dataclass
class Liquid:
    """One connected liquid at one moment: integrals in SI units, and its fields when they are asked for."""
    id: int
    name: str
    volume: float
    target_volume: float
    center: np.ndarray
    velocity: np.ndarray
    surface_area: float
    kinetic_energy: float
    _simulation: object = field(repr=False, default=None)

    def _field(self, what):
        return self._simulation._field(self.id, what)

    @property
    def distance(self):
        """Signed distance to its surface, m, < 0 inside, on corners of cells; known in a band about the surface."""
        return self._field(_DISTANCE)

    @property
    def pressure(self):
        """Pa above the air, at centres of cells."""
        return self._field(_PRESSURE)

    @property
    def velocity_fields(self):
        """m/s, one field per direction, each on the faces of cells across it."""
        return tuple(self._field(_VELOCITY[d]) for d in range(self._simulation.dimensions))


@dataclass
class Layer:
    """Points (m, n x 3), elements (edges or triangles: rows of point numbers; none for points), and named numbers on either."""
    name: str
    points: np.ndarray
    elements: np.ndarray
    attributes: dict

    def __getattr__(self, name):
        try:
            return self.__dict__["attributes"][name]
        except KeyError:
            raise AttributeError(f"{name}; there are {', '.join(self.__dict__.get('attributes', {})) or 'none'}") from None


class Body:
    """A body of a simulation. Numbers are those of the moment it was asked for; put, force and push act on the simulation."""

    def __init__(self, simulation, number):
        self._simulation, self._number = simulation, number
        b = lib.BodyNumbers()
        lib.call("mn_sim_body", simulation._open(), number, c.byref(b))
        self.name, self.mass, self.contacts = b.name.decode(), b.mass, b.contacts
        for name in ("center", "rotation", "velocity", "spin", "pressure", "tension", "friction"):
            setattr(self, name, np.array(getattr(b, name)))

    def __repr__(self):
        return f"<Body {self.name!r} at {self.center}>"

    def put(self, center=None, rotation=None, velocity=None, spin=None):
        """Somewhere else: m, quaternion w x y z, m/s, rad/s; what is not given stays."""
        lib.call("mn_sim_set_body", self._simulation._open(), self._number, lib.numbers(center, 3), lib.numbers(rotation, 4),
                 lib.numbers(velocity, 3), lib.numbers(spin, 3))

    def force(self, force=None, torque=None):
        """N and N m about the centre of mass (2D: per metre), in every step from now on; without arguments none."""
        lib.call("mn_sim_force_body", self._simulation._open(), self._number, lib.numbers(force, 3), lib.numbers(torque, 3))

    def push(self, impulse, point=None):
        """An impulse (N s) at a point of space (m; the centre of mass unless told), given over the next step."""
        lib.call("mn_sim_push_body", self._simulation._open(), self._number, lib.numbers(impulse, 3), lib.numbers(point, 3))


class _Callback:
    """A Python function that is called after every step. What it raises, Ctrl-C included, stops the step and goes on from there."""

    def __init__(self, function):
        self.function, self.raised = function, None
        self.pointer = lib.progress_function(self._answer)

    def _answer(self, _user, progress):
        try:
            return self.function is None or self.function(progress.contents) is not False
        except BaseException as error:  # ctypes would swallow it
            self.raised = error
            return False

    def call(self, *arguments):
        try:
            lib.call(*arguments)
        finally:
            raised, self.raised = self.raised, None
            if raised is not None:
                raise raised


def _path(path):
    return None if path is None else os.fsencode(path)


class Simulation:
    """A scene that is stepped in memory.

    Simulation("drop.lua", {"cells": 64}) opens a file with options of the scene set; Simulation(text="return scene { ... }") a text.
    progress: called with a Progress after every step; returning False stops (Stopped). threads: 0 takes all.
    Steps let other threads of Python run. A simulation is for one thread at a time, cancel() apart.
    """

    def __init__(self, scene=None, settings=None, *, text=None, threads=0, allow_outside=False, progress=None):
        self._sim = c.c_void_p()
        self._callback = _Callback(progress)
        options = lib.SimOptions(scene=_path(scene), settings=lib.settings_list(settings), allow_outside=allow_outside,
                                 text=None if text is None else text.encode(), threads=threads, progress=self._callback.pointer)
        lib.call("mn_sim_open_with", c.byref(self._sim), c.byref(options))
        self.dimensions = lib.ask("mn_sim_dimensions", self._sim)
        size, cells, spacing = (c.c_double*3)(), (c.c_int*3)(), c.c_double()
        lib.call("mn_sim_tank", self._sim, size, cells, c.byref(spacing))
        self.size, self.cells, self.spacing = np.array(size), tuple(cells), spacing.value  # m, cells, m

    def _open(self):
        if not self._sim:
            raise ValueError("the simulation is closed")
        return self._sim

    def close(self):
        """Gives its memory back; arrays that were taken from it stay."""
        if self._sim:
            lib.ask("mn_sim_close", self._sim)
            self._sim = c.c_void_p()

    def __del__(self):
        if getattr(self, "_sim", None):
            self.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- going on

    def step(self, limit):
        """One step of at most `limit` seconds."""
        self._callback.call("mn_sim_step", self._open(), limit)

    def advance(self, time):
        """Steps until the clock shows exactly `time` (s)."""
        self._callback.call("mn_sim_advance", self._open(), time)

    def cancel(self):
        """From any thread: the step under way, or the next one, ends with Stopped."""
        lib.ask("mn_sim_cancel", self._open())

    # ---- what it is

    @property
    def time(self):
        """s"""
        return lib.ask("mn_sim_time", self._open())

    @property
    def steps(self):
        return lib.ask("mn_sim_steps", self._open())

    @property
    def ledger_error(self):
        """What liquid was lost, relative."""
        return lib.ask("mn_sim_ledger_error", self._open())

    @property
    def hash(self):
        """Equal for equal states."""
        return lib.ask("mn_sim_hash", self._open())

    @property
    def liquids(self):
        """All liquids as they are now."""
        sim, q, found = self._open(), lib.LiquidNumbers(), []
        for m in range(lib.ask("mn_sim_liquids", sim)):
            lib.call("mn_sim_liquid", sim, m, c.byref(q))
            name = lib.ask("mn_sim_liquid_name", sim, m).decode()
            found.append(Liquid(q.id, name, q.volume, q.target_volume, np.array(q.center), np.array(q.velocity), q.surface_area,
                                q.kinetic_energy, self))
        return found

    def _field(self, liquid_id, what):
        sim, q, view = self._open(), lib.LiquidNumbers(), lib.FieldView()
        for m in range(lib.ask("mn_sim_liquids", sim)):
            lib.call("mn_sim_liquid", sim, m, c.byref(q))
            if q.id == liquid_id:
                break
        else:
            raise ValueError(f"liquid {liquid_id} is no more")
        lib.call("mn_sim_field", sim, m, what, c.byref(view))
        shape = tuple(view.size)[:self.dimensions]
        strides = tuple(8*s for s in view.stride)[:self.dimensions]
        values = lib.lent(lib.Hold(sim), view.data, np.float64, shape, strides)
        return Field(values, np.array(view.origin)[:self.dimensions], view.spacing)

    @property
    def layers(self):
        """What a frame of a run holds, by name: "surface", "spray", "solid_NAME", ...; without copies."""
        sim, count, view = self._open(), c.c_int(), lib.LayerView()
        lib.call("mn_sim_layers", sim, c.byref(count))
        hold, found = lib.Hold(sim), {}
        for n in range(count.value):
            lib.call("mn_sim_layer", sim, n, c.byref(view))
            name = view.name.decode()
            points = lib.lent(hold, view.position, np.float32, (view.points, 3))
            elements = lib.lent(hold, view.element, np.int32, (view.elements, view.corners))
            found[name] = Layer(name, points, elements, self._attributes(hold, n, view))
        return found

    def _attributes(self, hold, n, layer):
        found, view = {}, lib.AttributeView()
        for a in range(layer.attributes):
            lib.call("mn_sim_attribute", self._open(), n, a, c.byref(view))
            count = layer.elements if view.on_elements else layer.points
            shape = (count,) if view.lanes == 1 else (count, view.lanes)
            kind = np.float32 if view.real else np.int32
            found[view.name.decode()] = lib.lent(hold, view.real or view.whole, kind, shape)
        return found

    @property
    def surface(self):
        """The surface of all liquids: points, elements, normal, velocity, liquid (ids), kind (0: free, 1: on a wall)."""
        return self.layers["surface"]

    @property
    def spray(self):
        """Droplets too small for the grid: points, velocity, radius; None if there are none."""
        return self.layers.get("spray")

    @property
    def numbers(self):
        """The row that table.csv would get now, by name."""
        count, names, values = c.c_int(), c.POINTER(c.c_char_p)(), c.POINTER(c.c_double)()
        lib.call("mn_sim_numbers", self._open(), c.byref(count), c.byref(names), c.byref(values))
        return {names[n].decode(): values[n] for n in range(count.value)}

    def _measure(self, kind, points, each):
        points = np.atleast_2d(np.asarray(points, dtype=float))
        if points.ndim != 2 or points.shape[1] not in (2, 3):
            raise ValueError("expected points as rows of 2 or 3 numbers")
        full = np.zeros((len(points), 3))
        full[:, :points.shape[1]] = points
        values = np.empty((len(points), each))
        lib.call("mn_sim_measure", self._open(), kind, len(points), full.ctypes.data, values.ctypes.data)
        return values

    def pressure(self, points):
        """Pa above the air at points (rows of x, y (, z) in m); 0 outside the liquids."""
        return self._measure(_PROBE_PRESSURE, points, 1)[:, 0]

    def velocity(self, points):
        """m/s at points, a row each; NaN outside the liquids."""
        return self._measure(_PROBE_VELOCITY, points, 3)

    def height(self, points):
        """y of the topmost surface on the upright line through each point, m; NaN: there is none."""
        return self._measure(_PROBE_HEIGHT, points, 1)[:, 0]

    @property
    def probes(self):
        """What the probes of the scene measure now, by name: a number, or three for velocity."""
        sim, p, found = self._open(), lib.ProbeValue(), {}
        for n in range(lib.ask("mn_sim_probes", sim)):
            lib.call("mn_sim_probe", sim, n, c.byref(p))
            found[p.name.decode()] = np.array(p.value) if p.kind == _PROBE_VELOCITY else p.value[0]
        return found

    @property
    def bodies(self):
        """Bodies that the liquid moves, by name."""
        count = lib.ask("mn_sim_bodies", self._open())
        return {b.name: b for b in (Body(self, n) for n in range(count))}

    # ---- steering

    @property
    def gravity(self):
        """m/s^2; may be set."""
        g = (c.c_double*3)()
        lib.call("mn_sim_gravity", self._open(), g)
        return np.array(g)

    @gravity.setter
    def gravity(self, value):
        lib.call("mn_sim_set_gravity", self._open(), lib.numbers(value, 3))

    def set(self, **numerics):
        """Numerics of the scene from the next step on: cfl, tolerance, max_dt, slip, unilateral."""
        for text in lib.settings_list(numerics) or ():
            if text is not None:
                lib.call("mn_sim_set", self._open(), text)

    def save(self):
        """The state as bytes; gravity, numerics and forces that were set are not in it."""
        data, size = c.c_void_p(), c.c_size_t()
        lib.call("mn_sim_save", self._open(), c.byref(data), c.byref(size))
        try:
            return c.string_at(data, size.value)
        finally:
            lib.ask("mn_free", data)

    def load(self, state):
        """Back to a saved state of the same scene with the same settings."""
        lib.call("mn_sim_load", self._open(), state, len(state))


def run(scene, directory, settings=None, *, frames=0, threads=0, resume=False, allow_outside=False, progress=None, tell=None):
    """A whole run with its files, as `meniscus run` makes it; returns the run to read. progress and tell: see mn_run_options."""
    from ._runs import Run
    callback = _Callback(progress)
    teller = lib.tell_function((lambda _user, line: tell(line.decode())) if tell else 0)
    options = lib.RunOptions(scene=_path(scene), directory=_path(directory), frames=frames, threads=threads,
                             settings=lib.settings_list(settings), resume=resume, allow_outside=allow_outside,
                             progress=callback.pointer, tell=teller)
    callback.call("mn_run", c.byref(options))
    return Run(directory)

"""The shared library as ctypes sees it: where it lies, its structures and calls, and how its errors become exceptions.

ctypes and not a module of compiled code: what crosses the border are pointers, a handful per step, so nothing is to be won by
compiled glue; and without it one file serves every version of Python, and nothing but the library is to be built. numpy reads the
library's own memory (see `lent`).
"""
import ctypes as c
import os
import pathlib

import numpy as np


class Error(RuntimeError):
    """What the library says went wrong; `status` is its mn_status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Stopped(Error):
    """A step was stopped by a callback or by cancel()."""


class SceneError(Error):
    """A scene or a mesh it names is wrong: file, line and key are in the message."""


OK, NO_MEMORY, BAD_SCENE, BAD_MESH, BAD_ARGUMENT, BAD_CHECKPOINT, IO, NO_CONVERGENCE, STEP_FAILED, STOPPED, UNSUPPORTED = range(11)
_exceptions = {STOPPED: Stopped, BAD_SCENE: SceneError, BAD_MESH: SceneError}

_vector = c.c_double*3
_double_p = c.POINTER(c.c_double)


class Progress(c.Structure):
    """Where a run is, after each step; see mn_progress in meniscus.h."""
    _fields_ = [("frame", c.c_int), ("frames", c.c_int), ("frame_done", c.c_bool), ("step", c.c_long), ("time", c.c_double),
                ("dt", c.c_double), ("iterations", c.c_int), ("volume_correction", c.c_double), ("ledger_error", c.c_double),
                ("liquids", c.c_int), ("droplets", c.c_int), ("wall_seconds", c.c_double), ("seconds_left", c.c_double),
                ("hash", c.c_ulonglong)]


progress_function = c.CFUNCTYPE(c.c_bool, c.c_void_p, c.POINTER(Progress))
tell_function = c.CFUNCTYPE(None, c.c_void_p, c.c_char_p)


class RunOptions(c.Structure):
    _fields_ = [("scene", c.c_char_p), ("directory", c.c_char_p), ("frames", c.c_int), ("threads", c.c_int),
                ("settings", c.POINTER(c.c_char_p)), ("resume", c.c_bool), ("hash", c.c_bool), ("allow_outside", c.c_bool),
                ("progress", progress_function), ("user", c.c_void_p), ("tell", tell_function)]


class SimOptions(c.Structure):
    _fields_ = [("scene", c.c_char_p), ("settings", c.POINTER(c.c_char_p)), ("allow_outside", c.c_bool), ("text", c.c_char_p),
                ("threads", c.c_int), ("progress", progress_function), ("user", c.c_void_p)]


class LiquidNumbers(c.Structure):
    _fields_ = [("id", c.c_int), ("volume", c.c_double), ("target_volume", c.c_double), ("center", _vector), ("velocity", _vector),
                ("surface_area", c.c_double), ("kinetic_energy", c.c_double)]


class FieldView(c.Structure):
    _fields_ = [("data", c.c_void_p), ("size", c.c_int*3), ("stride", c.c_ssize_t*3), ("origin", _vector), ("spacing", c.c_double)]


class LayerView(c.Structure):
    _fields_ = [("name", c.c_char_p), ("corners", c.c_int), ("points", c.c_int), ("elements", c.c_int), ("position", c.c_void_p),
                ("element", c.c_void_p), ("attributes", c.c_int)]


class AttributeView(c.Structure):
    _fields_ = [("name", c.c_char_p), ("lanes", c.c_int), ("on_elements", c.c_bool), ("real", c.c_void_p), ("whole", c.c_void_p)]


class ProbeValue(c.Structure):
    _fields_ = [("name", c.c_char_p), ("kind", c.c_int), ("place", _vector), ("value", _vector)]


class BodyNumbers(c.Structure):
    _fields_ = [("name", c.c_char_p), ("mass", c.c_double), ("center", _vector), ("rotation", c.c_double*4), ("velocity", _vector),
                ("spin", _vector), ("pressure", c.c_double*6), ("tension", c.c_double*6), ("friction", c.c_double*6),
                ("contacts", c.c_int)]


def _processor_is_v3():
    """Does it have what x86-64-v3 asks for? The dynamic linker picks by itself only among the folders it knows."""
    try:
        flags = next(line for line in open("/proc/cpuinfo") if line.startswith("flags")).split()
    except (OSError, StopIteration):
        return False
    return {"avx2", "fma", "bmi1", "bmi2", "f16c", "movbe"} <= set(flags)


def _places():
    """Where the library may lie: as MENISCUS_LIBRARY says, with this module under one prefix, where the linker looks."""
    if "MENISCUS_LIBRARY" in os.environ:
        yield os.environ["MENISCUS_LIBRARY"]
        return
    here = pathlib.Path(__file__).resolve()
    for prefix in here.parents[3:5]:
        for folder in sorted(prefix.glob("lib/*-linux-gnu")) + [prefix/"lib"]:
            if _processor_is_v3():
                yield str(folder/"glibc-hwcaps"/"x86-64-v3"/"libmeniscus.so.0")
            yield str(folder/"libmeniscus.so.0")
    yield "libmeniscus.so.0"


def _load():
    for place in _places():
        if "/" not in place or os.path.exists(place):
            return c.CDLL(place)
    raise ImportError("libmeniscus.so.0 was not found; MENISCUS_LIBRARY may name it")


_lib = _load()
_sim, _int_p = c.c_void_p, c.POINTER(c.c_int)


def _declare(result, name, *arguments):
    function = getattr(_lib, name)
    function.restype, function.argtypes = result, arguments


# calls that return mn_status; the others after them
for _name, *_arguments in (
        ("mn_run", c.POINTER(RunOptions)), ("mn_sim_open_with", c.POINTER(_sim), c.POINTER(SimOptions)),
        ("mn_sim_step", _sim, c.c_double), ("mn_sim_advance", _sim, c.c_double),
        ("mn_sim_tank", _sim, _double_p, _int_p, _double_p), ("mn_sim_liquid", _sim, c.c_int, c.POINTER(LiquidNumbers)),
        ("mn_sim_hold", _sim, c.POINTER(c.c_void_p)), ("mn_sim_field", _sim, c.c_int, c.c_int, c.POINTER(FieldView)),
        ("mn_sim_layers", _sim, _int_p), ("mn_sim_layer", _sim, c.c_int, c.POINTER(LayerView)),
        ("mn_sim_attribute", _sim, c.c_int, c.c_int, c.POINTER(AttributeView)),
        ("mn_sim_numbers", _sim, _int_p, c.POINTER(c.POINTER(c.c_char_p)), c.POINTER(_double_p)),
        ("mn_sim_measure", _sim, c.c_int, c.c_size_t, c.c_void_p, c.c_void_p),
        ("mn_sim_probe", _sim, c.c_int, c.POINTER(ProbeValue)), ("mn_sim_body", _sim, c.c_int, c.POINTER(BodyNumbers)),
        ("mn_sim_set_body", _sim, c.c_int, _double_p, _double_p, _double_p, _double_p),
        ("mn_sim_force_body", _sim, c.c_int, _double_p, _double_p), ("mn_sim_push_body", _sim, c.c_int, _double_p, _double_p),
        ("mn_sim_gravity", _sim, _double_p), ("mn_sim_set_gravity", _sim, _double_p), ("mn_sim_set", _sim, c.c_char_p),
        ("mn_sim_save", _sim, c.POINTER(c.c_void_p), c.POINTER(c.c_size_t)), ("mn_sim_load", _sim, c.c_char_p, c.c_size_t)):
    _declare(c.c_int, _name, *_arguments)
_declare(c.c_char_p, "mn_last_error")
_declare(c.c_char_p, "mn_version")
_declare(c.c_double, "mn_sim_time", _sim)
_declare(c.c_double, "mn_sim_ledger_error", _sim)
_declare(c.c_long, "mn_sim_steps", _sim)
_declare(c.c_ulonglong, "mn_sim_hash", _sim)
_declare(c.c_char_p, "mn_sim_liquid_name", _sim, c.c_int)
for _name in ("mn_sim_dimensions", "mn_sim_liquids", "mn_sim_probes", "mn_sim_bodies"):
    _declare(c.c_int, _name, _sim)
for _name in ("mn_sim_close", "mn_sim_cancel", "mn_release", "mn_free"):
    _declare(None, _name, c.c_void_p)


def ask(name, *arguments):
    """A call that cannot fail."""
    return getattr(_lib, name)(*arguments)


def call(name, *arguments):
    """A call that returns mn_status; anything but MN_OK becomes an exception."""
    status = getattr(_lib, name)(*arguments)
    if status != OK:
        raise _exceptions.get(status, Error)(status, _lib.mn_last_error().decode(errors="replace"))


class Hold:
    """All that is borrowed of one moment of a simulation stays as it is while this lives."""

    def __init__(self, sim):
        self._hold = c.c_void_p()
        call("mn_sim_hold", sim, c.byref(self._hold))

    def __del__(self, release=_lib.mn_release):
        release(self._hold)


class _Lent:
    def __init__(self, hold, interface):
        self.hold, self.__array_interface__ = hold, interface


def lent(hold, address, kind, shape, strides=None):
    """The library's own memory as an array: read only, no copy. The array keeps the hold, and the hold the memory."""
    if not address or 0 in shape:
        return np.zeros(shape, dtype=kind)
    interface = {"data": (address, True), "typestr": np.dtype(kind).str, "shape": tuple(shape), "strides": strides, "version": 3}
    return np.asarray(_Lent(hold, interface))


def numbers(values, count):
    """`count` numbers as C takes them; None stays None."""
    if values is None:
        return None
    array = np.asarray(values, dtype=float).ravel()
    if array.size > count or (array.size < count and not (count == 3 and array.size == 2)):
        raise ValueError(f"expected {count} numbers, got {array.size}")
    return (c.c_double*count)(*array)


def settings_list(settings):
    """{"cells": 64, "tension": False} as "name=value" texts, NULL-ended."""
    if not settings:
        return None
    texts = [f"{name}={str(value).lower() if isinstance(value, bool) else value}".encode() for name, value in settings.items()]
    return (c.c_char_p*(len(texts) + 1))(*texts, None)


def version():
    """Of the library, as text."""
    return _lib.mn_version().decode()

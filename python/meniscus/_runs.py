"""What a run leaves on disk (docs/output.md), as numpy arrays."""
import csv
import json
import pathlib
import re

import numpy as np

from ._simulation import Layer


class Table(dict):
    """Columns of a CSV file by name, in its order: arrays of int, float or text. table["t"] and table.t are the same."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no column {name}; there are {', '.join(self)}") from None

    def __len__(self):
        """Rows."""
        return len(next(iter(self.values()))) if self.keys() else 0

    def where(self, **equal):
        """The rows in which columns have these values: table.where(name="boat")."""
        keep = np.ones(len(self), dtype=bool)
        for name, value in equal.items():
            keep &= self[name] == value
        return Table((name, column[keep]) for name, column in self.items())

    def to_pandas(self):
        """A pandas.DataFrame (Debian: python3-pandas)."""
        import pandas
        return pandas.DataFrame(dict(self))


def _column(texts):
    for kind in (int, float):
        try:
            return np.array([kind(text) for text in texts])
        except ValueError:
            pass
    return np.array(texts)


def read_table(path):
    """A CSV file with names in its first line."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    names, rows = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]  # a run that goes on may be writing its last row
    return Table((name, _column([row[n] for row in rows])) for n, name in enumerate(names))


_ply_types = {"float": "<f4", "double": "<f8", "int": "<i4", "uint": "<u4", "short": "<i2", "ushort": "<u2", "char": "i1",
              "uchar": "u1"}


def _ply_header(file, path):
    """Elements in order: (name, count, [(property, type)]), where a list of n corners is ("corners", n's type, type)."""
    if file.readline().strip() != b"ply" or file.readline().split()[1:2] != [b"binary_little_endian"]:
        raise ValueError(f"{path}: is no binary PLY file of a run")
    elements = []
    for line in iter(file.readline, b""):
        words = line.decode("ascii", "replace").split()
        if words[:1] == ["end_header"]:
            return elements
        if words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:2] == ["property", "list"]:
            elements[-1][2].append(("corners", _ply_types[words[2]], _ply_types[words[3]]))
        elif words[:1] == ["property"]:
            elements[-1][2].append((words[2], _ply_types[words[1]]))
    raise ValueError(f"{path}: its header has no end")


def _ply_rows(file, path, count, properties):
    kinds = []
    for p in properties:  # all faces of a run are triangles
        kinds += [("n", p[1]), ("corners", p[2], (3,))] if len(p) == 3 else [p]
    kind = np.dtype(kinds)
    data = file.read(count*kind.itemsize)
    if len(data) < count*kind.itemsize:
        raise ValueError(f"{path}: is cut short")
    rows = np.frombuffer(data, dtype=kind)
    if "n" in kind.names and not (rows["n"] == 3).all():
        raise ValueError(f"{path}: has faces that are no triangles")
    return rows


_vectors = {"normal": ("nx", "ny", "nz"), "velocity": ("vx", "vy", "vz")}


def _attributes(rows, without):
    names = [name for name in rows.dtype.names if name not in without]
    found = {}
    for name, parts in _vectors.items():
        if set(parts) <= set(names):
            found[name] = np.stack([rows[p] for p in parts], axis=1)
            names = [n for n in names if n not in parts]
    found.update((name, rows[name]) for name in names)
    return found


def read_layer(path, name=None):
    """A PLY file of a frame."""
    path = pathlib.Path(path)
    points, elements, attributes = np.zeros((0, 3), np.float32), np.zeros((0, 1), np.int32), {}
    with open(path, "rb") as file:
        for element, count, properties in _ply_header(file, path):
            rows = _ply_rows(file, path, count, properties)
            if element == "vertex":
                points = np.stack([rows[d] for d in "xyz"], axis=1)
                attributes.update(_attributes(rows, "xyz"))
            elif element == "face":
                elements = rows["corners"]
                attributes.update(_attributes(rows, ("n", "corners")))
            elif element == "edge":
                elements = np.stack([rows["vertex1"], rows["vertex2"]], axis=1)
                attributes.update(_attributes(rows, ("vertex1", "vertex2")))
    return Layer(name or re.sub(r"_\d{4,}$", "", path.stem), points, elements, attributes)


class Run:
    """The directory of a run, finished or still going on. Tables are read when they are asked for, and again each time."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        with open(self.directory/"run.json") as file:
            self.info = json.load(file)

    def __repr__(self):
        return f"<Run {self.info.get('title')!r} in {self.directory}>"

    def _table(self, name):
        return read_table(self.directory/name)

    table = property(lambda self: self._table("table.csv"), doc="A row per step.")
    liquids = property(lambda self: self._table("liquids.csv"), doc="A row per frame and liquid.")
    probes = property(lambda self: self._table("probes.csv"), doc="A row per step.")
    bodies = property(lambda self: self._table("bodies.csv"), doc="A row per frame and body.")

    @property
    def frames(self):
        """Numbers of the frames that are there."""
        found = (re.fullmatch(r"surface_(\d{4,})\.ply", p.name) for p in self.directory.glob("surface_*.ply"))
        return sorted(int(m[1]) for m in found if m)

    def time(self, frame):
        """s"""
        return frame/self.info["frame_rate"]

    def layer(self, name, frame):
        """A mesh of a frame, or the one file of what stands still: run.layer("surface", 3)."""
        still, own = self.directory/f"{name}.ply", self.directory/f"{name}_{frame:04d}.ply"
        return read_layer(still if still.exists() and not own.exists() else own, name)

    def surface(self, frame):
        return self.layer("surface", frame)

"""What the tables and PLY headers of a run say, for the scripts that ask other programs the same."""
import csv
import json
import os


class Run:
    def __init__(self, directory):
        self.directory = directory
        with open(os.path.join(directory, "run.json"), encoding="utf-8") as file:
            facts = json.load(file)
        self.dx, self.rate, self.frames = facts["dx"], facts["frame_rate"], facts["frames"]
        with open(os.path.join(directory, "liquids.csv"), encoding="ascii") as file:
            self.liquids = list(csv.DictReader(file))

    def count(self, name, element):
        """How many of an element a PLY file has."""
        with open(os.path.join(self.directory, name), "rb") as file:
            header = file.read(1000).decode("latin-1")
        return int(header.split(f"element {element} ")[1].split()[0])

    def vertex_count(self, name):
        return self.count(name, "vertex")

    def bounds(self, frame):
        """Low and high corner of all liquids, m, from liquids.csv."""
        rows = [row for row in self.liquids if int(row["frame"]) == frame]
        low = [min(float(row[axis + "min"]) for row in rows) for axis in "xyz"]
        high = [max(float(row[axis + "max"]) for row in rows) for axis in "xyz"]
        return low, high


def check(condition, message):
    if not condition:
        raise SystemExit("FAILED: " + message)


def check_bounds(what, low, high, expected_low, expected_high, tolerance):
    for axis in range(3):
        check(abs(low[axis] - expected_low[axis]) <= tolerance and abs(high[axis] - expected_high[axis]) <= tolerance,
              f"{what}: {'xyz'[axis]} from {low[axis]:.6g} to {high[axis]:.6g}, "
              f"expected {expected_low[axis]:.6g} to {expected_high[axis]:.6g}")

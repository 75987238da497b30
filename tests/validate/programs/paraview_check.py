"""pvbatch paraview_check.py DIR: ParaView opens the .hdf.series of a run, with the right times, sizes and places."""
import os
import sys

from paraview.simple import Contour, OpenDataFile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from run_facts import Run, check, check_bounds

run = Run(os.path.abspath(sys.argv[1]))
expected_times = [frame / run.rate for frame in range(run.frames)]


def open_series(name):
    reader = OpenDataFile(os.path.join(run.directory, name + ".hdf.series"))
    check(reader is not None, f"{name}.hdf.series: no reader")
    times = list(reader.TimestepValues)
    check(times == expected_times, f"{name}: times {times}, expected {expected_times}")
    return reader


def bounds(proxy):
    box = proxy.GetDataInformation().GetBounds()
    return box[0::2], box[1::2]


surface, volume, mover = open_series("surface"), open_series("volume"), open_series("solid_mover")
contour = Contour(Input=volume, ContourBy=["POINTS", "phi"], Isosurfaces=[0.0])
for frame, time in enumerate(expected_times):
    low, high = run.bounds(frame)
    for name, reader in (("surface", surface), ("solid_mover", mover)):
        reader.UpdatePipeline(time)
        points = reader.GetDataInformation().GetNumberOfPoints()
        check(points == run.vertex_count(f"{name}_{frame:04d}.ply"), f"{name}, frame {frame}: {points} points")
    check_bounds(f"surface, frame {frame}", *bounds(surface), low, high, 1e-3 * run.dx)
    contour.UpdatePipeline(time)
    count = contour.GetDataInformation().GetNumberOfPoints()
    check(count > 100, f"contour, frame {frame}: {count} points")
    # the contour has no walls, so only the top of it is the liquid's
    top = bounds(contour)[1][1]
    check(abs(top - high[1]) < 0.25 * run.dx, f"contour, frame {frame}: top at {top}, expected {high[1]}")
    points = surface.GetDataInformation().GetNumberOfPoints()
    print(f"frame {frame}, t = {time} s: {points} points of surface, {count} of the contour")
names = sorted(volume.PointData.GetArray(m).Name for m in range(volume.PointData.NumberOfArrays))
check(names == ["p", "phi", "u"], f"volume: arrays {names}")
check(volume.PointData["u"].GetNumberOfComponents() == 3, "u is no vector")
check(surface.PointData["velocity"].GetNumberOfComponents() == 3, "velocity is no vector")
print("ParaView: times, sizes and places are right")

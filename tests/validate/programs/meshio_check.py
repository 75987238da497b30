"""meshio_check.py DIR FILM PLAIN PLAIN_FILM: meshio reads the meshes of the run in DIR as OBJ and, exported to PLAIN, as PLY; and
points, the films of the 2D run FILM, as PLY, and its lines, exported to PLAIN_FILM."""
import os
import sys

import meshio
from run_facts import Run, check, check_bounds

run = Run(sys.argv[1])
for frame in range(run.frames):
    name = f"surface_{frame:04d}"
    mesh = meshio.read(os.path.join(run.directory, name + ".obj"))
    check(len(mesh.points) == run.vertex_count(name + ".ply"),
          f"{name}.obj: {len(mesh.points)} points, the PLY file has {run.vertex_count(name + '.ply')}")
    check(all(block.type == "triangle" for block in mesh.cells), f"{name}.obj: not all cells are triangles")
    triangles = sum(len(block.data) for block in mesh.cells)
    check(triangles == run.count(name + ".ply", "face"), f"{name}.obj: {triangles} triangles")
    low, high = run.bounds(frame)
    check_bounds(name + ".obj", mesh.points.min(axis=0), mesh.points.max(axis=0), low, high, 0.01*run.dx)
    plain = meshio.read(os.path.join(sys.argv[3], name + ".ply"))
    check((plain.points == mesh.points.astype(plain.points.dtype)).all(), f"{name}.ply: other places than in the OBJ file")
    check(sum(len(block.data) for block in plain.cells if block.type == "triangle") == triangles, f"{name}.ply: triangles")
    check({"nx", "vx", "liquid"} <= set(plain.point_data), f"{name}.ply: {sorted(plain.point_data)}")

film = Run(sys.argv[2])
lines = meshio.read(os.path.join(sys.argv[4], "surface_0001.ply"))
check(sum(len(block.data) for block in lines.cells if block.type == "line") == film.count("surface_0001.ply", "edge"),
      f"surface_0001.ply: {lines}")
names = [name for name in sorted(os.listdir(film.directory)) if name.startswith("film_") and name.endswith(".ply")]
check(len(names) > 0, "the run has no films")
for name in names:
    points = meshio.read(os.path.join(film.directory, name))
    check(len(points.points) == film.vertex_count(name), f"{name}: {len(points.points)} points")
    check({"nx", "area", "thickness", "pressure", "liquid_a"} <= set(points.point_data), f"{name}: {sorted(points.point_data)}")
print("meshio: counts and places are right")

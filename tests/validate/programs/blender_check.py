"""blender -b --factory-startup --python-exit-code 1 --python blender_check.py -- DIR ADDON OUT BODIES

Blender loads a run with the add-on: vertex counts and bounds match the tables at every frame, frames are clamped, the volume
is the same surface, a picture shows something. Then exports an animated solid to OUT, and loads a run with bodies."""
import importlib.util
import os
import sys

import bpy
import numpy
from mathutils import Matrix, Vector

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from run_facts import Run, check, check_bounds

directory, addon_path, out, bodies = sys.argv[sys.argv.index("--") + 1:]
run = Run(os.path.abspath(directory))
spec = importlib.util.spec_from_file_location("meniscus_import", addon_path)
addon = importlib.util.module_from_spec(spec)
spec.loader.exec_module(addon)
addon.register()

scene = bpy.context.scene
for item in list(bpy.data.objects):
    bpy.data.objects.remove(item)
scene.render.fps = 25
SCALE = 100.0
result = bpy.ops.import_scene.meniscus(filepath=os.path.join(run.directory, "run.json"), scale=SCALE)
check(result == {"FINISHED"}, "import failed")
check((scene.frame_start, scene.frame_end) == (1, run.frames), f"frames {scene.frame_start} to {scene.frame_end}")
surface, mover, ball = bpy.data.objects["surface"], bpy.data.objects["solid_mover"], bpy.data.objects["solid_ball"]
volume = bpy.data.objects["volume"]


def world_bounds(item):
    """In the run's own metres and axes, by way of Blender's world: (x, y, z) of the run is (x, -z, y) there."""
    places = numpy.array([item.matrix_world @ vertex.co for vertex in item.data.vertices]) / SCALE
    places = numpy.stack([places[:, 0], places[:, 2], -places[:, 1]], 1)
    return places.min(0), places.max(0)


for frame in range(run.frames):
    scene.frame_set(frame + 1)
    for name, item in (("surface", surface), ("solid_mover", mover)):
        count = len(item.data.vertices)
        check(count == run.vertex_count(f"{name}_{frame:04d}.ply"), f"{name}, frame {frame}: {count} vertices")
    check_bounds(f"surface, frame {frame}", *world_bounds(surface), *run.bounds(frame), 1e-3 * run.dx)
    check(not surface.data.validate(), f"surface, frame {frame}: Blender had to repair the mesh")
    print(f"frame {frame}: {len(surface.data.vertices)} vertices, {len(surface.data.polygons)} faces")
check(len(ball.data.vertices) == run.vertex_count("solid_ball.ply"), "solid_ball")
low, high = world_bounds(mover)
check(abs(low[0] - (2.5e-3 + 0.3 * (run.frames - 1) / run.rate)) < 0.3 * run.dx, f"solid_mover ends at {low[0]}")

for item, expected in ((surface, "meniscus water"), (mover, "meniscus brown"), (ball, "meniscus orange")):
    check(item.active_material.name == expected, f"{item.name} is {item.active_material.name}, not {expected}")
glass = surface.active_material.node_tree.nodes["Glass BSDF"]
check(abs(glass.inputs["IOR"].default_value - 1.333) < 1e-6, "water has another index of refraction")

for scene_frame, frame in ((-7, 0), (0, 0), (1000, run.frames - 1)):
    scene.frame_set(scene_frame)
    expected = run.vertex_count(f"surface_{frame:04d}.ply")
    check(len(surface.data.vertices) == expected, f"frame {scene_frame} is not clamped to {frame}")

# Velocities: at 25 frames per second of Blender and 500 of the run, v shows as v/20.
scene.frame_set(1)
velocities = numpy.empty(3 * len(surface.data.vertices), dtype=numpy.float32)
surface.data.attributes["velocity"].data.foreach_get("vector", velocities)
fastest = numpy.linalg.norm(velocities.reshape(-1, 3), axis=1).max()
check(0.9 * 25 / 500 < fastest < 1.2 * 25 / 500, f"largest velocity {fastest}, expected that of the drop, 1 m/s times 25/500")

# The volume, frame by frame, as a mesh.
check(volume.data.is_sequence, "the volume is no sequence")
follower = bpy.data.objects.new("follower", bpy.data.meshes.new("follower"))
scene.collection.objects.link(follower)
follower.parent = volume.parent
modifier = follower.modifiers.new("mesh", "VOLUME_TO_MESH")
modifier.object, modifier.grid_name, modifier.threshold = volume, "surface", 0.0
for frame in range(run.frames):
    scene.frame_set(frame + 1)
    check(volume.data.grids.load(), f"volume, frame {frame}: {volume.data.grids.error_message}")
    shown = os.path.basename(volume.data.grids.frame_filepath)
    check(shown == f"volume_{frame:04d}.vdb", f"volume, frame {frame}: shows {shown}")
    names = sorted(grid.name for grid in volume.data.grids)
    check(names == ["surface", "velocity"], f"volume: grids {names}")
    mesh = follower.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    places = numpy.array([vertex.co for vertex in mesh.vertices])
    check(len(places) > 100, f"volume, frame {frame}: a mesh of {len(places)} vertices")
    check_bounds(f"volume, frame {frame}", places.min(0), places.max(0), *run.bounds(frame), run.dx)
    print(f"frame {frame}: {shown}, {len(places)} vertices")
bpy.data.objects.remove(follower)

# One small picture, with motion blur.
scene.frame_set(run.frames - 1)
middle = Vector((0.01, -0.008, 0.004)) * SCALE
camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
camera.location = middle + Vector((1.5, -3.5, 2.0))
camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
scene.collection.objects.link(camera)
sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
sun.rotation_euler = (0.6, 0.3, 0)
scene.collection.objects.link(sun)
scene.camera = camera
scene.world = scene.world or bpy.data.worlds.new("world")
scene.render.engine = "CYCLES"
scene.cycles.samples, scene.cycles.use_denoising = 4, False  # Debian's Blender has no denoiser
scene.render.use_motion_blur = True
scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 80, 60, 100


def render(name):
    scene.render.filepath = os.path.join(out, name)
    bpy.ops.render.render(write_still=True)
    picture = bpy.data.images.load(scene.render.filepath)
    return picture, numpy.array(picture.pixels[:]).reshape(-1, 4)[:, :3]


picture, pixels = render("blender.png")
check(pixels.std() > 0.01 and pixels.max() > 0.05, f"the picture is flat: mean {pixels.mean()}, spread {pixels.std()}")
print(f"picture: {picture.size[0]} x {picture.size[1]}, mean {pixels.mean():.3f}, spread {pixels.std():.3f}")

# The blur comes from the velocities: without them the same rays give another picture.
check(surface["meniscus_shown"] == run.frames - 2, "motion blur has loaded another frame")
check(abs(render("again.png")[1] - pixels).max() == 0, "the same picture twice differs")
velocity = surface.data.attributes["velocity"].data
velocity.foreach_set("vector", numpy.zeros(3 * len(velocity), dtype=numpy.float32))
surface.data.update()
difference = abs(render("still.png")[1] - pixels).mean()
check(difference > 1e-4, f"velocities do not blur: pictures differ by {difference}")
print(f"blur: pictures with and without velocities differ by {difference:.4f} on average")

# A box that slides 0.1 mm per frame to the right and swells by a shape key, in metres times SCALE.
scene.frame_start, scene.frame_end = 1, 11
bpy.ops.mesh.primitive_cube_add(size=0.003 * SCALE, location=tuple(c * SCALE for c in (0.006, -0.008, 0.004)))
box = bpy.context.active_object
box.name = "box"
bpy.ops.object.mode_set(mode="EDIT")
bpy.ops.mesh.subdivide(number_cuts=3)
bpy.ops.object.mode_set(mode="OBJECT")
box.shape_key_add(name="rest")
key = box.shape_key_add(name="wide")
for vertex in key.data:
    vertex.co.z *= 1.5
for frame, shift, value in ((1, 0, 0), (11, 0.001, 1)):
    box.location.x = (0.006 + shift) * SCALE
    box.keyframe_insert("location", frame=frame)
    key.value = value
    key.keyframe_insert("value", frame=frame)
for action in (box.animation_data.action, box.data.shape_keys.animation_data.action):
    for curve in action.fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
result = bpy.ops.export_scene.meniscus_solid(filepath=os.path.join(out, "box.obj"))
check(result == {"FINISHED"}, "export failed")
with open(os.path.join(out, "box.pc2"), "rb") as file:
    data = file.read()
points, samples = numpy.frombuffer(data, "<i4", 1, 16)[0], numpy.frombuffer(data, "<i4", 1, 28)[0]
check(points == len(box.data.vertices) and samples == 11, f"box.pc2: {points} points, {samples} samples")
places = numpy.frombuffer(data, "<f4", 3 * points * samples, 32).reshape(samples, points, 3)
for sample in (0, 5, 10):
    tall, x = 0.0015 * (1 + 0.05 * sample), 0.006 + 0.0001 * sample
    check_bounds(f"box.pc2, sample {sample}", places[sample].min(0), places[sample].max(0),
                 (x - 0.0015, 0.004 - tall, 0.008 - 0.0015), (x + 0.0015, 0.004 + tall, 0.008 + 0.0015), 1e-7)

# Bodies are one mesh each with keys: at every frame it lies where the mesh of that frame does.
floating = Run(os.path.abspath(bodies))
check(bpy.ops.import_scene.meniscus(filepath=os.path.join(floating.directory, "run.json"), scale=SCALE) == {"FINISHED"}, "bodies")
raft = bpy.data.objects["solid_raft"]
check("meniscus_pattern" not in raft, "a body is a mesh per frame")
for frame in range(floating.frames):
    scene.frame_set(frame + 1)
    vertices = addon.read_ply(os.path.join(floating.directory, f"solid_raft_{frame:04d}.ply"))[0]
    places = addon.columns(vertices, "xyz")
    check_bounds(f"raft, frame {frame}", *world_bounds(raft), places.min(0), places.max(0), 0.1 * floating.dx)

# A saved file goes on following the run.
bpy.ops.wm.save_as_mainfile(filepath=os.path.join(out, "saved.blend"))
bpy.ops.wm.open_mainfile(filepath=os.path.join(out, "saved.blend"))
bpy.context.scene.frame_set(3)
count = len(bpy.data.objects["surface"].data.vertices)
check(count == run.vertex_count("surface_0002.ply"), f"after reopening: {count} vertices at frame 2")
print("Blender: counts, places, volume, picture and export are right")

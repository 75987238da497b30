"""Blender add-on: loads a run of meniscus, and exports animated meshes as solids for its scenes.

Install with Edit > Preferences > Add-ons > Install, or run `blender --python meniscus_import.py`.
File > Import > Meniscus run, File > Export > Meniscus solid. docs/blender.md tells more.
"""

bl_info = {
    "name": "Meniscus",
    "author": "the meniscus project",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export",
    "description": "Load a run of meniscus (liquid, solids, bodies, spray, volumes); export animated solids for its scenes",
    "category": "Import-Export",
}

import csv
import glob
import json
import math
import os
import struct

import bpy
import numpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, FloatProperty, IntProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper
from mathutils import Matrix, Quaternion

# ---- the PLY files of a run ------------------------------------------------------------------------------------------

TYPES = {"float": "<f4", "double": "<f8", "int": "<i4", "uchar": "u1"}


class RunError(Exception):
    """Something about a run that a person can put right."""


def read_ply(path):
    """Vertices as a structured array, and faces (n x 3), edges (n x 2) or None, and the kinds of those."""
    with open(path, "rb") as file:
        data = file.read()
    end = data.find(b"end_header\n")
    if not data.startswith(b"ply\n") or end < 0 or b"format binary_little_endian 1.0" not in data[:end]:
        raise RunError(f"{path}: is not a binary PLY file of meniscus")
    elements = []
    for line in data[:end].decode("ascii", "replace").splitlines():
        words = line.split()
        if words[:1] == ["element"]:
            elements.append((words[1], int(words[2]), []))
        elif words[:2] == ["property", "list"]:
            elements[-1][2].extend([("corners", "u1"), ("vertex", "<i4", 3)])  # all faces of a run are triangles
        elif words[:1] == ["property"]:
            elements[-1][2].append((words[2], TYPES[words[1]]))
    at, tables = end + len(b"end_header\n"), {}
    for name, count, fields in elements:
        kind = numpy.dtype(fields)
        if at + count * kind.itemsize > len(data):
            raise RunError(f"{path}: is cut short")
        tables[name] = numpy.frombuffer(data, kind, count, at)
        at += count * kind.itemsize
    vertices = tables["vertex"]
    if "face" in tables:
        return vertices, tables["face"]["vertex"], tables["face"]["kind"]
    if "edge" in tables:
        edges = tables["edge"]
        return vertices, numpy.stack([edges["vertex1"], edges["vertex2"]], 1), edges["kind"]
    return vertices, None, None


def columns(vertices, names):
    return numpy.stack([vertices[name] for name in names], 1).astype(numpy.float32)


def fill_mesh(mesh, path, velocity_scale):
    """Replaces the contents of a mesh by those of a PLY file. Velocities become metres per second of Blender's time."""
    vertices, faces, kinds = read_ply(path)
    mesh.clear_geometry()
    mesh.vertices.add(len(vertices))
    mesh.vertices.foreach_set("co", columns(vertices, "xyz").ravel())
    if faces is not None and faces.shape[1] == 3 and len(faces):
        mesh.loops.add(faces.size)
        mesh.loops.foreach_set("vertex_index", faces.ravel())
        mesh.polygons.add(len(faces))
        mesh.polygons.foreach_set("loop_start", numpy.arange(0, faces.size, 3, dtype=numpy.int32))
        if bpy.app.version < (3, 6, 0):  # later ones know it from the starts
            mesh.polygons.foreach_set("loop_total", numpy.full(len(faces), 3, dtype=numpy.int32))
        mesh.polygons.foreach_set("use_smooth", numpy.ones(len(faces), dtype=bool))
    elif faces is not None and len(faces):
        mesh.edges.add(len(faces))
        mesh.edges.foreach_set("vertices", faces.ravel())
    mesh.update(calc_edges=faces is not None and faces.shape[1] == 3)
    if not len(vertices):
        return
    attribute = mesh.attributes.new("velocity", "FLOAT_VECTOR", "POINT")
    attribute.data.foreach_set("vector", (velocity_scale * columns(vertices, ("vx", "vy", "vz"))).ravel())
    if "radius" in vertices.dtype.names:
        attribute = mesh.attributes.new("radius", "FLOAT", "POINT")
        attribute.data.foreach_set("value", vertices["radius"].astype(numpy.float32))
    if "liquid" in vertices.dtype.names:
        attribute = mesh.attributes.new("liquid", "INT", "POINT")
        attribute.data.foreach_set("value", vertices["liquid"].astype(numpy.int32))
    if kinds is not None and faces.shape[1] == 3:
        attribute = mesh.attributes.new("kind", "INT", "FACE")  # 0: free surface, 1: against a wall or a solid
        attribute.data.foreach_set("value", kinds.astype(numpy.int32))


# ---- sequences -------------------------------------------------------------------------------------------------------

# Objects that follow a run have these properties of their own, so that a saved .blend goes on working.
PATTERN, FIRST, COUNT, RATE = "meniscus_pattern", "meniscus_first", "meniscus_count", "meniscus_rate"
SHOWN = "meniscus_shown"


def show_frame(item, scene):
    """Loads the frame that belongs to the scene's time; before the first and after the last frame it is that one."""
    # the nearest frame: motion blur also asks for times between frames, and gets the blur from the velocities instead
    frame = math.floor(scene.frame_current_final - item[FIRST] + 0.4999)
    frame = min(max(frame, 0), item[COUNT] - 1)
    if item.get(SHOWN) == frame:
        return
    path = bpy.path.abspath(item[PATTERN]) % frame
    fps = scene.render.fps / scene.render.fps_base
    if os.path.exists(path):
        fill_mesh(item.data, path, fps / item[RATE])
    else:
        item.data.clear_geometry()  # a frame without spray has no file
    item[SHOWN] = frame


@persistent
def on_frame_change(scene, depsgraph=None):
    for item in scene.objects:
        if item.type == "MESH" and PATTERN in item:
            try:
                show_frame(item, scene)
            except (RunError, OSError) as error:
                print(f"meniscus: {error}")


# ---- loading a run ---------------------------------------------------------------------------------------------------


def read_run(path):
    directory = path if os.path.isdir(path) else os.path.dirname(path)
    try:
        with open(os.path.join(directory, "run.json"), encoding="utf-8") as file:
            run = json.load(file)
    except OSError as error:
        raise RunError(f"{directory}: is not the directory of a run: {error.strerror}: run.json") from None
    except ValueError as error:
        raise RunError(f"{directory}/run.json: {error}") from None
    count = 0
    while os.path.exists(os.path.join(directory, f"surface_{count:04d}.ply")):
        count += 1
    if count == 0:
        raise RunError(f"{directory}: there is no surface_0000.ply")
    return directory, run, count


# As in the pictures of meniscus (src/render/looks.c). Liquids: shader, index of refraction, colour; clear ones tint what is seen
# through them by their colour once per crossing, whatever the way.
LIQUIDS = {
    "water": ("Glass", 1.333, (1, 1, 1)),
    "milk": ("Principled", 1.35, (0.88, 0.87, 0.82)),
    "ethanol": ("Glass", 1.361, (1, 1, 1)),
    "silicone_oil_20cSt": ("Glass", 1.40, (1, 1, 1)),
    "tetradecane": ("Glass", 1.429, (1, 1, 0.97)),
    "mercury": ("Glossy", 0, (0.74, 0.74, 0.73)),
    "honey": ("Glass", 1.49, (0.90, 0.55, 0.12)),
    "oil": ("Glass", 1.47, (0.97, 0.92, 0.62)),
}
SOLIDS = {
    "brown": ("Diffuse", 0, (0.62, 0.36, 0.20)),
    "glass": ("Glass", 1.5, (1, 1, 1)),
    "steel": ("Glossy", 0, (0.56, 0.57, 0.58)),
    "white": ("Diffuse", 0, (0.80, 0.80, 0.78)),
    "grey": ("Diffuse", 0, (0.32, 0.33, 0.34)),
    "black": ("Diffuse", 0, (0.03, 0.03, 0.035)),
    "red": ("Diffuse", 0, (0.62, 0.07, 0.06)),
    "orange": ("Diffuse", 0, (0.85, 0.28, 0.04)),
    "yellow": ("Diffuse", 0, (0.80, 0.58, 0.08)),
    "green": ("Diffuse", 0, (0.12, 0.38, 0.14)),
    "blue": ("Diffuse", 0, (0.07, 0.18, 0.52)),
    "wood": ("Diffuse", 0, (0.60, 0.42, 0.24)),
    "ice": ("Diffuse", 0, (0.72, 0.82, 0.88)),
}


def material_named(name, look):
    """The material of that name; a person who has changed it keeps it so."""
    material = bpy.data.materials.get("meniscus " + name)
    if material:
        return material
    kind, index, colour = look
    material = bpy.data.materials.new("meniscus " + name)
    material.use_nodes = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    shader, output = nodes.new("ShaderNodeBsdf" + kind), nodes.new("ShaderNodeOutputMaterial")
    shader.inputs["Base Color" if kind == "Principled" else "Color"].default_value = (*colour, 1)
    if index:
        shader.inputs["IOR"].default_value = index
    if kind != "Diffuse":
        shader.inputs["Roughness"].default_value = 0.1 if kind == "Principled" else 0
    links.new(shader.outputs[0], output.inputs["Surface"])
    return material


def liquid_material(run):
    name = (run.get("materials") or ["water"])[0]
    if name not in LIQUIDS:
        name = "oil" if "oil" in name else "water"
    return material_named(name, LIQUIDS[name])


def solid_material(solid):
    word = solid.get("look") or ("glass" if solid["name"].startswith("glass") else "brown")
    return material_named(word, SOLIDS.get(word, SOLIDS["brown"]))


def new_object(context, root, name, data):
    item = bpy.data.objects.new(name, data)
    context.scene.collection.objects.link(item)
    item.parent = root
    return item


def add_sequence(context, root, name, pattern, first, count, rate):
    item = new_object(context, root, name, bpy.data.meshes.new(name))
    item[PATTERN], item[FIRST], item[COUNT], item[RATE] = pattern, first, count, rate
    show_frame(item, context.scene)
    return item


def add_volume(context, root, directory, first):
    """The level set and velocity of `volume_0000.vdb` ..., if the scene has asked for them."""
    files = sorted(glob.glob(os.path.join(glob.escape(directory), "volume_[0-9]*.vdb")))
    if not files:
        return None
    volume = bpy.data.volumes.new("volume")
    volume.filepath = files[0]
    volume.is_sequence = len(files) > 1
    volume.frame_start = first
    volume.frame_duration = len(files)
    volume.frame_offset = -1  # our files count from 0, Blender from 1
    volume.sequence_mode = "EXTEND"
    item = new_object(context, root, "volume", volume)
    item.hide_render = True  # the surface is there already
    return item


def read_bodies(directory, count):
    """From bodies.csv, by name: frames below `count`, places of the centre (n x 3), turns as quaternions (n x 4)."""
    path = os.path.join(directory, "bodies.csv")
    if not os.path.exists(path):
        return {}
    rows = {}
    try:
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                values = [float(row[name]) for name in ("cx", "cy", "cz", "qw", "qx", "qy", "qz")]
                if int(row["frame"]) < count:
                    rows.setdefault(row["name"], []).append([int(row["frame"]), *values])
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{path}: is not a table of bodies: {error}") from None
    bodies = {}
    for name, values in rows.items():
        table = numpy.array(values)
        turns = table[:, 4:]
        for frame in range(1, len(turns)):  # q and -q are the same turn; between two keys the shorter way is meant
            if turns[frame] @ turns[frame - 1] < 0:
                turns[frame] *= -1
        bodies[name] = table[:, 0].astype(int), table[:, 1:4], turns
    return bodies


def add_body(context, root, name, path, motion, first):
    """A body is one mesh, that of its first frame, with keys for where it is: about its centre of mass."""
    item = new_object(context, root, name, bpy.data.meshes.new(name))
    fill_mesh(item.data, path, 1)
    velocity = item.data.attributes.get("velocity")
    if velocity:
        item.data.attributes.remove(velocity)  # the blur of an object that moves comes from its keys
    frames, places, turns = motion
    start = Matrix.Translation(places[0]) @ Quaternion(turns[0]).to_matrix().to_4x4()
    item.data.transform(start.inverted())
    item.rotation_mode = "QUATERNION"
    for frame, place, turn in zip(frames, places, turns):
        item.location, item.rotation_quaternion = place, turn
        item.keyframe_insert("location", frame=first + int(frame))
        item.keyframe_insert("rotation_quaternion", frame=first + int(frame))
    for curve in item.animation_data.action.fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"
    return item


def import_run(context, path, scale=1.0, first=1, volumes=True, set_range=True):
    """Returns the empty that holds everything: y up becomes z up, metres become `scale` units."""
    directory, run, count = read_run(path)
    rate = float(run["frame_rate"])
    root = bpy.data.objects.new(run.get("title") or "meniscus", None)
    context.scene.collection.objects.link(root)
    root.rotation_euler = (math.pi / 2, 0, 0)
    root.scale = (scale, scale, scale)
    root["meniscus_run"] = directory
    if set_range:
        context.scene.frame_start, context.scene.frame_end = first, first + count - 1

    def pattern(name):
        return os.path.join(directory.replace("%", "%%"), name.replace("%", "%%") + "_%04d.ply")

    surface = add_sequence(context, root, "surface", pattern("surface"), first, count, rate)
    surface.data.materials.append(liquid_material(run))
    if glob.glob(os.path.join(glob.escape(directory), "spray_[0-9]*.ply")):
        spray = add_sequence(context, root, "spray", pattern("spray"), first, count, rate)
        spray.data.materials.append(liquid_material(run))
    bodies = read_bodies(directory, count)
    for solid in run.get("solids", []):
        name = "solid_" + solid["name"]
        if solid["name"] in bodies:
            item = add_body(context, root, name, pattern(name) % 0, bodies[solid["name"]], first)
        elif solid["moving"]:
            item = add_sequence(context, root, name, pattern(name), first, count, rate)
        else:
            item = new_object(context, root, name, bpy.data.meshes.new(name))
            fill_mesh(item.data, os.path.join(directory, name + ".ply"), 1)
        item.data.materials.append(solid_material(solid))
    if volumes:
        add_volume(context, root, directory, first)
    return root


# ---- exporting a solid -----------------------------------------------------------------------------------------------


def evaluated(context, item, to_run):
    """Places of the vertices with all modifiers and bones applied, and the polygons, in the coordinates of a run."""
    instance = item.evaluated_get(context.evaluated_depsgraph_get())
    mesh = instance.to_mesh()
    places = numpy.empty(3 * len(mesh.vertices), dtype=numpy.float32)
    mesh.vertices.foreach_get("co", places)
    polygons = [tuple(polygon.vertices) for polygon in mesh.polygons]
    matrix = numpy.array(to_run @ instance.matrix_world, dtype=numpy.float64)
    instance.to_mesh_clear()
    places = places.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    return places.astype("<f4"), polygons


def replace_file(path, data):
    """Whole or not at all."""
    with open(path + ".tmp", "wb") as file:
        file.write(data)
    os.replace(path + ".tmp", path)


def run_coordinates(context):
    """From Blender's space to that of the run that was loaded; without one, z up becomes y up."""
    for item in context.scene.objects:
        if "meniscus_run" in item:
            return item.matrix_world.inverted()
    return Matrix.Rotation(-math.pi / 2, 4, "X")


def export_solid(context, item, path, first, last):
    """Writes NAME.obj (the mesh at the first frame) and NAME.pc2 (its vertices at every frame). Returns the scene's line."""
    base, scene = os.path.splitext(path)[0], context.scene
    to_run, before = run_coordinates(context), scene.frame_current
    samples, polygons = [], None
    try:
        for frame in range(first, last + 1):
            scene.frame_set(frame)
            places, faces = evaluated(context, item, to_run)
            if polygons is None:
                polygons = faces
            if faces != polygons or len(places) != len(samples[0] if samples else places):
                raise RunError(f"{item.name}: has other faces at frame {frame} than at frame {first}; "
                               "a cache needs the same vertices and faces at all frames")
            samples.append(places)
    finally:
        scene.frame_set(before)
    if not polygons:
        raise RunError(f"{item.name}: has no faces")
    text = ["# meniscus solid, metres, y up\n"]
    text += ["v %.9g %.9g %.9g\n" % tuple(place) for place in samples[0]]
    text += ["f " + " ".join(str(corner + 1) for corner in face) + "\n" for face in polygons]
    replace_file(base + ".obj", "".join(text).encode("ascii"))
    header = struct.pack("<12siiffi", b"POINTCACHE2\0", 1, len(samples[0]), float(first), 1.0, len(samples))
    replace_file(base + ".pc2", header + b"".join(places.tobytes() for places in samples))
    name, fps = os.path.basename(base), scene.render.fps / scene.render.fps_base
    return f'mesh {{ file = "{name}.obj", cache = "{name}.pc2", cache_rate = {fps:g} }}'


# ---- menus -----------------------------------------------------------------------------------------------------------


class ImportMeniscusRun(bpy.types.Operator, ImportHelper):
    """Load the surface, solids, bodies, spray and volumes of a run of meniscus"""

    bl_idname = "import_scene.meniscus"
    bl_label = "Import Meniscus run"
    bl_options = {"REGISTER", "UNDO"}
    filename_ext = ".json"
    filter_glob: StringProperty(default="run.json", options={"HIDDEN"})
    scale: FloatProperty(name="Scale", default=1.0, min=1e-6, description="Blender units per metre")
    first: IntProperty(name="First frame", default=1, description="Frame of the scene that shows frame 0 of the run")
    volumes: BoolProperty(name="Volumes", default=True, description="Load volume_0000.vdb ... if they are there")
    set_range: BoolProperty(name="Set frame range", default=True, description="The scene gets as many frames as the run")

    def execute(self, context):
        try:
            import_run(context, self.filepath, self.scale, self.first, self.volumes, self.set_range)
        except (RunError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class ExportMeniscusSolid(bpy.types.Operator, ExportHelper):
    """Write the active mesh, with its animation, as OBJ and PC2 for the solids of a meniscus scene"""

    bl_idname = "export_scene.meniscus_solid"
    bl_label = "Export Meniscus solid"
    filename_ext = ".obj"
    filter_glob: StringProperty(default="*.obj", options={"HIDDEN"})

    @classmethod
    def poll(cls, context):
        return context.active_object is not None and context.active_object.type == "MESH"

    def execute(self, context):
        scene = context.scene
        try:
            line = export_solid(context, context.active_object, self.filepath, scene.frame_start, scene.frame_end)
        except (RunError, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, "in the scene: " + line)
        return {"FINISHED"}


def import_menu(self, context):
    self.layout.operator(ImportMeniscusRun.bl_idname, text="Meniscus run (run.json)")


def export_menu(self, context):
    self.layout.operator(ExportMeniscusSolid.bl_idname, text="Meniscus solid (.obj + .pc2)")


def register():
    bpy.utils.register_class(ImportMeniscusRun)
    bpy.utils.register_class(ExportMeniscusSolid)
    bpy.types.TOPBAR_MT_file_import.append(import_menu)
    bpy.types.TOPBAR_MT_file_export.append(export_menu)
    bpy.app.handlers.frame_change_pre.append(on_frame_change)


def unregister():
    bpy.app.handlers.frame_change_pre.remove(on_frame_change)
    bpy.types.TOPBAR_MT_file_export.remove(export_menu)
    bpy.types.TOPBAR_MT_file_import.remove(import_menu)
    bpy.utils.unregister_class(ExportMeniscusSolid)
    bpy.utils.unregister_class(ImportMeniscusRun)


if __name__ == "__main__":
    register()

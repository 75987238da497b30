// A tank with two liquids and two solids, and a flat one, whose files are read back.
#pragma once
#include "folder.h"
#include "grid/marching.h"
#include "output/frame.h"
#include "scene/scene_sim.h"

static const char scene_3d[] =
    "return scene { title = 'Files', domain = { size = { mm(12), mm(10), mm(8) }, cells = 24 }, frames = { rate = 400, count = 2 "
    "},"
    "  liquids = { pool { depth = mm(3) }, sphere { center = { mm(6, 7, 4) }, radius = mm(1.5), velocity = { 0, -0.5, 0 } } },"
    "  solids = { sphere { name = 'still one', center = { mm(2, 3, 4) }, radius = mm(1.2) },"
    "             box { name = 'mover', center = { mm(9, 3, 4) }, size = { mm(2, 2, 2) }, position = function(t) return -t, 0, 0 "
    "end } },"
    "  output = { formats = { 'obj', 'usda', 'vtkhdf', 'vdb' } } }";
// 1 mm higher in the laboratory after a frame
static const char scene_shaken[] =
    "return scene { domain = { size = { mm(12), mm(10), mm(8) }, cells = 24 }, frames = { rate = 400, count = 2 },"
    "  frame_position = function(t) return 0, 0.4*t, 0 end, liquids = { pool { depth = mm(3) } },"
    "  solids = { sphere { name = 'still one', center = { mm(2, 3, 4) }, radius = mm(1.2) } }, output = { formats = { 'obj' } } "
    "}";
static const char scene_2d[] =
    "return scene { domain = { size = { mm(12), mm(10) }, cells = 24 }, frames = { rate = 400, count = 2 },"
    "  liquids = { pool { depth = mm(3) } }, output = { formats = { 'ply', 'obj', 'vtkhdf' } } }";

typedef struct TankRun {
    Scene scene;
    Sim sim;
} TankRun;

// The simulation keeps the address of the scene.
static inline void tank_run_make(TankRun* w, const char* text)
{
    CHECK_OK(scene_load_text(&w->scene, "test.lua", text));
    CHECK_OK(scene_build(&w->sim, &w->scene));
    CHECK_OK(sim_start(&w->sim));
}

static inline void tank_run_free(TankRun* w)
{
    sim_free(&w->sim);
    scene_free(&w->scene);
}

static inline SurfaceMesh surface_of(const Sim* sim)
{
    SurfaceMesh mesh = {.corners = sim->model.tank.dim};
    for (int m = 0; m < sim->world.liquid_count; m++) {
        const Liquid* q = &sim->world.liquid[m];
        double* const u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
        CHECK_OK(
            marching_add(&mesh, &(MarchingInput){.w = &q->w, .phi = q->phi.v, .solid = liquid_solid(q), .u = u, .owner = q->id}));
    }
    assert_true(mesh.vertex_count > 100 || mesh.corners == 2);
    return mesh;
}

// The same as a layer of a frame.
static inline Layer* surface_layer(Layers* layers, const Sim* sim)
{
    SurfaceMesh mesh = surface_of(sim);
    Layer* layer = frame_add_mesh(layers, "surface", &mesh);
    assert_non_null(layer);
    surfacemesh_free(&mesh);
    return layer;
}

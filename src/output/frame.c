#include "output/frame.h"

#include <assert.h>
#include <stdio.h>
#include "grid/marching.h"
#include "membrane/membrane_outline.h"
#include "membrane/membrane_partner.h"
#include "output/liquidlooks.h"
#include "output/sheetmesh.h"
#include "output/solidmesh.h"

static void set_vectors(float* to, double (*from)[3], int count)
{
    for (int i = 0; i < count; i++)
        for (int d = 0; d < 3; d++) to[3*(ptrdiff_t)i + d] = (float)from[i][d];
}

Layer* frame_add_mesh(Layers* layers, const char* name, const SurfaceMesh* mesh)
{
    Layer* layer = layers_add(layers, name, (LayerKind)mesh->corners, mesh->vertex_count, mesh->face_count);
    if (!layer) return NULL;
    Attribute* normal = layer_attribute(layer, "normal", ATTRIBUTE_VECTOR, ON_POINTS);
    Attribute* velocity = layer_attribute(layer, "velocity", ATTRIBUTE_VECTOR, ON_POINTS);
    Attribute* liquid = layer_attribute(layer, "liquid", ATTRIBUTE_WHOLE, ON_POINTS);
    Attribute* kind = layer_attribute(layer, "kind", ATTRIBUTE_WHOLE, ON_ELEMENTS);
    if (!normal || !velocity || !liquid || !kind) return NULL;
    set_vectors(layer->position, mesh->position, mesh->vertex_count);
    set_vectors(normal->real, mesh->normal, mesh->vertex_count);
    set_vectors(velocity->real, mesh->velocity, mesh->vertex_count);
    for (int i = 0; i < mesh->vertex_count; i++) liquid->whole[i] = mesh->owner[i];
    for (int c = 0; c < mesh->corners*mesh->face_count; c++) layer->element[c] = mesh->face[c];
    for (int f = 0; f < mesh->face_count; f++) kind->whole[f] = mesh->kind[f];
    return layer;
}

// Room for the numbers of looks, where liquids look different; *look is NULL where all are the same.
static mn_status add_looks(int** look, Layer* layer, const Scene* scene)
{
    *look = NULL;
    if (liquidlooks_count(scene) < 2) return MN_OK;
    Attribute* a = layer_attribute(layer, "look", ATTRIBUTE_WHOLE, ON_POINTS);
    TRY_MEMORY(a);
    *look = a->whole;
    return MN_OK;
}

static int kind_of(const Sim* sim, int id)
{
    for (int m = 0; m < sim->world.liquid_count; m++)
        if (sim->world.liquid[m].id == id) return sim->world.liquid[m].kind;
    return 0;
}

static mn_status surface_add(Layers* layers, const SurfaceMesh* mesh, const Scene* scene, const Sim* sim)
{
    int *look, number = 0;
    Layer* layer = frame_add_mesh(layers, "surface", mesh);
    TRY_MEMORY(layer);
    TRY(add_looks(&look, layer, scene));
    for (int i = 0; i < mesh->vertex_count && look; i++) {
        bool next = i == 0 || mesh->owner[i] != mesh->owner[i - 1];
        if (next) number = liquidlooks_number(scene, kind_of(sim, mesh->owner[i]));
        look[i] = number;
    }
    return MN_OK;
}

static mn_status membrane_show(SurfaceMesh* mesh, const Liquid* q, const Sim* sim)
{
    Arena scratch = {0};
    mn_status status = membrane_add_outline(mesh, membrane_mesh_of(&sim->world, q), q, &scratch);
    arena_free(&scratch);
    return status;
}

static mn_status liquid_show(SurfaceMesh* mesh, const Liquid* q, const Sim* sim)
{
    if (q->meshed) return membrane_show(mesh, q, sim);
    if (q->sheet) return sidemesh_add(mesh, q);
    double* const u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    return marching_add(mesh, &(MarchingInput){.w = &q->w, .phi = q->phi.v, .solid = liquid_solid(q), .u = u, .owner = q->id});
}

static mn_status surface_show(Layers* layers, const Scene* scene, const Sim* sim)
{
    SurfaceMesh mesh = {.corners = sim->model.tank.dim};
    mn_status status = MN_OK;
    for (int m = 0; m < sim->world.liquid_count && status == MN_OK; m++) status = liquid_show(&mesh, &sim->world.liquid[m], sim);
    if (status == MN_OK) status = surface_add(layers, &mesh, scene, sim);
    surfacemesh_free(&mesh);
    return status;
}

// Droplets do not know what they came off: they look like the first liquid or source of their material.
static int droplet_look(const Droplet* p, const Scene* scene)
{
    for (int k = 0; k < scene->liquid_count + scene->source_count; k++) {
        bool source = k >= scene->liquid_count;
        const Material* m = source ? &scene->sources[k - scene->liquid_count].material : &scene->liquids[k].material;
        if (m->rho == p->material.rho && m->sigma == p->material.sigma && m->mu == p->material.mu)
            return liquidlooks_number(scene, k);
    }
    return 0;
}

static mn_status spray_show(Layers* layers, const Scene* scene, const Spray* spray, int dim)
{
    if (spray->count == 0) return MN_OK;
    Layer* layer = layers_add(layers, "spray", LAYER_POINTS, spray->count, 0);
    TRY_MEMORY(layer);
    Attribute* velocity = layer_attribute(layer, "velocity", ATTRIBUTE_VECTOR, ON_POINTS);  // m/s
    Attribute* radius = layer_attribute(layer, "radius", ATTRIBUTE_REAL, ON_POINTS);        // m
    int* look;
    if (!velocity || !radius) return MN_NO_MEMORY;
    TRY(add_looks(&look, layer, scene));
    for (int i = 0; i < spray->count; i++) {
        const Droplet* p = &spray->drop[i];
        for (int d = 0; d < 3; d++) layer->position[3*i + d] = (float)p->x[d], velocity->real[3*i + d] = (float)p->v[d];
        radius->real[i] = (float)droplet_radius(p, dim);
        if (look) look[i] = droplet_look(p, scene);
    }
    return MN_OK;
}

static mn_status solid_show(Layers* layers, const SceneSolid* from, const Solid* solid, const Tank* tank)
{
    char name[LAYER_NAME];
    SurfaceMesh mesh;
    snprintf(name, sizeof name, "solid_%s", from->name);
    TRY(solidmesh_make(&mesh, solid, solid->form ? solid->pose.shape : from->shape, tank));
    Layer* layer = frame_add_mesh(layers, name, &mesh);
    surfacemesh_free(&mesh);
    TRY_MEMORY(layer);
    layer->still = !from->moving;
    return MN_OK;
}

static mn_status sheet_show(Layers* layers, const Scene* scene, const Sim* sim, int m)
{
    const SceneSheet* sheet = &scene->sheets.sheet[m];
    char name[LAYER_NAME];
    SurfaceMesh mesh = {0};
    snprintf(name, sizeof name, "sheet_%s", sheet->name);
    mn_status status = sheetmesh_make(&mesh, sheet, sim->world.solids.sheets);
    Layer* layer = status == MN_OK ? frame_add_mesh(layers, name, &mesh) : NULL;
    surfacemesh_free(&mesh);
    TRY(status);
    TRY_MEMORY(layer);
    layer->still = !sheet_changes(sheet);
    if (scene->dim == 3) return MN_OK;
    // in 2D a curve that encloses nothing: a radius says so, and lets it be seen
    static const double SHOWN = 0.1;                                                  // cells
    Attribute* radius = layer_attribute(layer, "radius", ATTRIBUTE_REAL, ON_POINTS);  // m
    TRY_MEMORY(radius);
    for (int i = 0; i < layer->points; i++) radius->real[i] = (float)(SHOWN*scene->dx);
    return MN_OK;
}

mn_status frame_show(Layers* layers, const Scene* scene, const Sim* sim, bool still)
{
    for (int m = 0; m < scene->solid_count && m < sim->world.solids.count; m++)
        if (scene->solids[m].moving || still)
            TRY(solid_show(layers, &scene->solids[m], &sim->world.solids.solid[m], &sim->model.tank));
    for (int m = 0; m < scene->sheets.count; m++)
        if (sheet_changes(&scene->sheets.sheet[m]) || still) TRY(sheet_show(layers, scene, sim, m));
    TRY(spray_show(layers, scene, &sim->world.spray, sim->model.tank.dim));
    TRY(partners_show(&sim->world, layers));
    TRY(surface_show(layers, scene, sim));
    assert(layers_is_valid(layers));
    return MN_OK;
}

#include "render/drawmesh.h"

#include <assert.h>
#include <stdlib.h>

static void* values(const Layer* layer, const char* name)
{
    const Attribute* a = layer_find(layer, name);
    assert(a);
    return a->whole ? (void*)a->whole : (void*)a->real;
}

DrawMesh drawmesh_of(const Layer* layer)
{
    return (DrawMesh){.corners = (int)layer->kind,
                      .vertex_count = layer->points,
                      .face_count = layer->elements,
                      .position = layer->position,
                      .normal = values(layer, "normal"),
                      .velocity = values(layer, "velocity"),
                      .face = layer->element,
                      .kind = values(layer, "kind"),
                      .look = (int*)layer_wholes(layer, "look", ON_POINTS)};
}

mn_status drawmesh_init(DrawMesh* mesh, int corners, int vertices, int faces)
{
    size_t v = 3*(size_t)vertices + 1, f = (size_t)corners*(size_t)faces + 1;
    *mesh = (DrawMesh){.corners = corners,
                       .vertex_count = vertices,
                       .face_count = faces,
                       .position = malloc(v*sizeof(float)),
                       .normal = malloc(v*sizeof(float)),
                       .velocity = malloc(v*sizeof(float)),
                       .face = malloc(f*sizeof(int)),
                       .kind = malloc(f*sizeof(int)),
                       .look = calloc(v, sizeof(int))};
    if (mesh->position && mesh->normal && mesh->velocity && mesh->face && mesh->kind && mesh->look) return MN_OK;
    drawmesh_free(mesh);
    return mn_fail(MN_NO_MEMORY, "no memory for a mesh of %d vertices", vertices);
}

void drawmesh_free(DrawMesh* mesh)
{
    free(mesh->position);
    free(mesh->normal);
    free(mesh->velocity);
    free(mesh->face);
    free(mesh->kind);
    free(mesh->look);
    *mesh = (DrawMesh){.corners = mesh->corners};
}

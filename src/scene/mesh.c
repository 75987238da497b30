#include "scene/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/budget.h"
#include "base/readfile.h"
#include "base/vec.h"
#include "scene/mesh_build.h"

#define MAX_BYTES ((size_t)4 << 30)

void mesh_free(TriMesh* mesh)
{
    free(mesh->vertices);
    free(mesh->triangles);
    memset(mesh, 0, sizeof *mesh);
}

// ---------------------------------------------------------------- building

// Doubles the room when it is full. Room follows what was read, never what a header claims.
static mn_status make_room(void** array, int* room, int count, size_t size)
{
    if (count < *room) return MN_OK;
    if (count >= MESH_MAX_COUNT) return mn_fail(MN_BAD_MESH, "more than %d vertices or triangles", MESH_MAX_COUNT);
    int larger = mini(maxi(1024, 2*count), MESH_MAX_COUNT);
    void* grown = realloc(*array, (size_t)larger*size);
    if (!grown) return mn_fail(MN_NO_MEMORY, "no memory for a mesh of %d vertices or triangles", larger);
    *array = grown, *room = larger;
    return MN_OK;
}

mn_status builder_vertex(MeshBuilder* b, const double x[3])
{
    TriMesh* m = &b->mesh;
    TRY(make_room((void**)&m->vertices, &b->vertex_room, m->vertex_count, sizeof *m->vertices));
    memcpy(m->vertices[m->vertex_count++], x, sizeof *m->vertices);
    return MN_OK;
}

mn_status builder_triangle(MeshBuilder* b, int i, int j, int k)
{
    TriMesh* m = &b->mesh;
    TRY(make_room((void**)&m->triangles, &b->triangle_room, m->triangle_count, sizeof *m->triangles));
    int* t = m->triangles[m->triangle_count++];
    t[0] = i, t[1] = j, t[2] = k;
    return MN_OK;
}

mn_status builder_finish(TriMesh* out, MeshBuilder* b, const char* name)
{
    TriMesh* m = &b->mesh;
    for (int t = 0; t < m->triangle_count; t++) {
        for (int c = 0; c < 3; c++) {
            int index = m->triangles[t][c], count = m->vertex_count;
            if (index >= 0 && index < count) continue;
            mesh_free(m);
            return mn_fail(MN_BAD_MESH, "%s: a face names vertex %d, but the file has %d (counted from 0)", name, index, count);
        }
    }
    *out = *m;
    memset(b, 0, sizeof *b);
    return MN_OK;
}

// ---------------------------------------------------------------- files

mn_status mesh_read_bytes(char** bytes, size_t* size, const char* path, const char* expected)
{
    TRY(file_read_all(bytes, size, path, MAX_BYTES, expected));
    budget_extend(1e-6*MESH_SECONDS_PER_MB*(double)*size);
    return MN_OK;
}

mn_status mesh_read(TriMesh* mesh, const char* path)
{
    memset(mesh, 0, sizeof *mesh);
    const char* dot = strrchr(path, '.');
    bool obj = dot && strcasecmp(dot, ".obj") == 0, ply = dot && strcasecmp(dot, ".ply") == 0;
    if (!obj && !ply) return mn_fail(MN_BAD_MESH, "%s: expected a file that ends in .obj or .ply", path);
    char* bytes;
    size_t size = 0;
    TRY(mesh_read_bytes(&bytes, &size, path, "an OBJ or PLY file"));
    mn_status status = (obj ? mesh_read_obj : mesh_read_ply)(mesh, path, bytes, size);
    free(bytes);
    if (status != MN_OK) mesh_free(mesh);
    return status;
}

mn_status mesh_load(TriMesh* mesh, const char* path)
{
    TRY(mesh_read(mesh, path));
    mn_status status = mesh_check(mesh, path);
    if (status != MN_OK) mesh_free(mesh);
    return status;
}

void mesh_describe(char* text, size_t size, const TriMesh* m)
{
    char holes[80] = ", closed", flipped[40] = "", dropped[40] = "", crowded[60] = "";
    if (m->holes)
        snprintf(holes, sizeof holes, ", %d hole%s (%d open edges)", m->holes, m->holes > 1 ? "s" : "", m->boundary_edges);
    if (m->flipped) snprintf(flipped, sizeof flipped, ", %d flipped", m->flipped);
    if (m->dropped) snprintf(dropped, sizeof dropped, ", %d without area", m->dropped);
    if (m->crowded_edges) snprintf(crowded, sizeof crowded, ", %d edges of more than two triangles", m->crowded_edges);
    snprintf(text, size, "%d triangles%s%s%s%s", m->triangle_count, holes, flipped, dropped, crowded);
}

// Growing a mesh while a file is read.
#pragma once
#include <math.h>
#include "scene/mesh.h"

#define MESH_MAX_COUNT 100000000  // vertices or triangles: indices stay far from the end of int

typedef struct MeshBuilder {
    TriMesh mesh;
    int vertex_room, triangle_room;
} MeshBuilder;

// A whole file and a 0 after it; caller frees. MN_IO or MN_NO_MEMORY leave *bytes NULL. The budget of whoever reads it grows by
// MESH_SECONDS_PER_MB.
mn_status mesh_read_bytes(char** bytes, size_t* size, const char* path, const char* expected);
#define MESH_SECONDS_PER_MB 1.0

// Far beyond any unit of length, and far from where sums and squares of such numbers end.
#define MESH_FARTHEST 1e15
static inline bool mesh_place_is_good(double x, double y, double z)
{
    return fabs(x) <= MESH_FARTHEST && fabs(y) <= MESH_FARTHEST && fabs(z) <= MESH_FARTHEST;
}

mn_status builder_vertex(MeshBuilder* b, const double x[3]);
mn_status builder_triangle(MeshBuilder* b, int i, int j, int k);  // indices are checked by builder_finish
// Moves the mesh to *out, or fails and frees it when an index has no vertex.
mn_status builder_finish(TriMesh* out, MeshBuilder* b, const char* name);

// Growing a mesh while a file is read.
#pragma once
#include "scene/mesh.h"

#define MESH_MAX_COUNT 100000000  // vertices or triangles: indices stay far from the end of int

typedef struct MeshBuilder {
    TriMesh mesh;
    int vertex_room, triangle_room;
} MeshBuilder;

// A whole file and a 0 after it; caller frees. MN_IO, MN_BAD_MESH (far too large) or MN_NO_MEMORY leave *bytes NULL.
mn_status mesh_read_bytes(char** bytes, size_t* size, const char* path);

mn_status builder_vertex(MeshBuilder* b, const double x[3]);
mn_status builder_triangle(MeshBuilder* b, int i, int j, int k);  // indices are checked by builder_finish
// Moves the mesh to *out, or fails and frees it when an index has no vertex.
mn_status builder_finish(TriMesh* out, MeshBuilder* b, const char* name);

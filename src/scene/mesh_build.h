// Growing a mesh while a file is read.
#pragma once
#include "scene/mesh.h"

#define MESH_MAX_COUNT 100000000  // vertices or triangles: indices stay far from the end of int

typedef struct MeshBuilder {
    TriMesh mesh;
    int vertex_room, triangle_room;
} MeshBuilder;

mn_status builder_vertex(MeshBuilder* b, const double x[3]);
mn_status builder_triangle(MeshBuilder* b, int i, int j, int k);  // indices are checked by builder_finish
// Moves the mesh to *out, or fails and frees it when an index has no vertex.
mn_status builder_finish(TriMesh* out, MeshBuilder* b, const char* name);

// What a frame's files hold, as plain arrays: surfaces (triangles in 3D, edges in 2D) and spray drops. Metres.
#pragma once
#include "base/status.h"

// corners is 3 (triangles, outside on the side they turn counterclockwise) or 2 (edges, liquid on the left).
typedef struct DrawMesh {
    int corners;
    int vertex_count, face_count;
    float* position;      // m, 3 per vertex
    float* normal;        // unit, 3 per vertex, out of the body; all zero if the file has none
    float* velocity;      // m/s, 3 per vertex; zero if the file has none
    int* face;            // corners per face
    unsigned char* kind;  // per face: 0 free surface, 1 against a wall or solid
} DrawMesh;

mn_status drawmesh_read(DrawMesh* mesh, const char* path, int corners);  // MN_IO leaves mesh empty
void drawmesh_free(DrawMesh* mesh);

typedef struct DrawSpray {
    int count;
    float* drop;      // m, x y z radius per drop
    float* velocity;  // m/s, 3 per drop
} DrawSpray;

mn_status drawspray_read(DrawSpray* spray, const char* path);
void drawspray_free(DrawSpray* spray);

// Makes the smooth normals of a triangle mesh agree with its faces: the faces turn outwards (positive volume) and vertices
// without a normal get the area-weighted mean of their free faces.
mn_status drawmesh_orient(DrawMesh* mesh);

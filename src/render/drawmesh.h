// Meshes as rays and figures read them: a layer with its attributes at hand. Metres, or units of the stage.
#pragma once
#include "base/layers.h"

// corners is 3 (triangles, outside on the side they turn counterclockwise) or 2 (edges, liquid on the left).
typedef struct DrawMesh {
    int corners;
    int vertex_count, face_count;
    float* position;  // m, 3 per vertex
    float* normal;    // unit, 3 per vertex, out of the body
    float* velocity;  // m/s, 3 per vertex
    int* face;        // corners per face
    int* kind;        // per face: 0 free surface, 1 against a wall or solid
    int* look;        // per vertex: number of its look; NULL: all 0
} DrawMesh;

// Looks at a mesh of a frame (framefiles_load), which has all of these; borrowed, for as long as the frame. Not to be written
// or freed.
DrawMesh drawmesh_of(const Layer* layer);
// Its own arrays, not filled. MN_NO_MEMORY leaves it empty.
mn_status drawmesh_init(DrawMesh* mesh, int corners, int vertices, int faces);
void drawmesh_free(DrawMesh* mesh);

static inline int drawmesh_look(const DrawMesh* m, int face) { return m->look ? m->look[m->face[m->corners*face]] : 0; }

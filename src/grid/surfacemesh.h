// A surface as a mesh for files and pictures: triangles in 3D, edges in 2D.
#pragma once
#include <stdbool.h>

enum { FACE_IS_FREE = 0, FACE_IS_WET = 1 };  // against air; against a side of the tank or a solid

// All zeros with `corners` set is a valid empty mesh. Owns its arrays.
typedef struct SurfaceMesh {
    int corners;  // per face: 3, or 2 in 2D
    int vertex_count, face_count;
    double (*position)[3];  // m
    double (*normal)[3];    // unit, out of the liquid
    double (*velocity)[3];  // m/s
    int* owner;             // per vertex: id of its liquid
    int* face;              // corners per face; counter-clockwise seen from outside, 2D: liquid to the left
    unsigned char* kind;    // per face: FACE_IS_...
    int vertex_room, face_room;
} SurfaceMesh;

void surfacemesh_free(SurfaceMesh* mesh);  // fine on an empty mesh; leaves it empty

// For meshes made elsewhere. The vertex has zero normal and velocity. -1 when memory is out.
int surfacemesh_add_vertex(SurfaceMesh* mesh, const double position[3], int owner);
bool surfacemesh_add_face(SurfaceMesh* mesh, const int* corner, int kind);

double surfacemesh_volume(const SurfaceMesh* mesh);          // m^3 (2D: m^2) inside, by the divergence theorem
double surfacemesh_area(const SurfaceMesh* mesh, int kind);  // m^2 (2D: m) of the faces of one kind

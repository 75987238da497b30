// What the parts of marching share.
#pragma once
#include <stddef.h>
#include "grid/marching.h"

// A triangle (corner, a, b) whose corner lies on a sharp line of the surface and whose side a to b, on a face of its cell,
// reaches over it.
typedef struct Crossing {
    int corner, a, b;
} Crossing;

// Tables of the vertices made so far, by the grid edge or node they lie on: 0 is none, else index + 1. From calloc, so that
// pages far from the surface are never touched.
typedef struct March {
    SurfaceMesh* mesh;
    const MarchingInput* in;
    const Window* w;
    double scale;  // 1/dx
    int* edge[3];  // by the edge's low node
    int* node;
    Crossing* crossing;  // faces that reach over a sharp line, kept until all cells are done
    int crossings, crossing_room;
    bool failed;  // memory is out; the mesh is put back at the end
} March;

// ---- marching_vertices.c
double march_level(const March* m, ptrdiff_t at);
bool march_at_solid(const March* m, const double x[3]);
int march_add_vertex(March* m, const double x[3], const double n[3]);
int march_edge_vertex(March* m, const int cell[3], int edge);
int march_node_vertex(March* m, const int cell[3], int corner);
void march_place_in_cells(double x[3], const March* m, int vertex);

// ---- marching_corners.c
// Does a loop of vertices reach over a sharp line: from air to solid, or over an edge of an exact shape?
bool march_loop_is_mixed(const March* m, const int* loop, int n);
bool march_vertices_differ(const March* m, int a, int b);
// Moves x (cells), which is the middle of the loop, onto that line, and gives the normal for a vertex there. False if there is
// none near.
bool march_find_corner(double x[3], double normal[3], const March* m, const int cell[3], const int* loop, int n);
void march_keep_crossing(March* m, int corner, int a, int b);
// Adds the faces that were kept, flipped so that they have their edges along the sharp lines.
void march_join_corners(March* m);

// ---- marching.c
void march_add_surface_face(March* m, const int* corner);  // free or wet by the place of its middle

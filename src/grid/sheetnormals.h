// Normals of a sheet where it has none by itself, on edges and at vertices, and the point of an element nearest to another point.
#pragma once
#include "grid/sheetcut.h"

// Unit normals of elements; sums of those that meet at an edge and, by their angles, at a vertex: with these the sign of the
// distance is right wherever the nearest point lies [baerentzen2005].
typedef struct SheetNormals {
    double* face;         // 3 per element
    double* edge;         // 3D: 3 per edge of an element, from corner c to the next
    double* vertex;       // 3 per vertex
    bool* rim_edge;       // 3D: per edge of an element: it belongs to no other
    bool* rim;            // per vertex: a rim edge ends there; 2D: it belongs to one segment
    int *first, *around;  // elements at vertex v are around[first[v] .. first[v + 1] - 1]
} SheetNormals;

// Arena memory.
mn_status sheet_normals(SheetNormals* n, Arena* arena, const SheetSurface* s);

// The surface with its rims continued past walls and mirrors that they end at, further than ghost layers go. Arena memory, or
// that of `s` where there are none.
mn_status sheet_past_walls(SheetSurface* out, Arena* arena, const SheetSurface* s, const Window* w);

typedef struct SheetFoot {
    double distance;   // m
    double x[3];       // nearest point
    double n[3];       // normal there, not of length 1
    double weight[3];  // of the element's corners
    bool on_rim;
} SheetFoot;
// Weights of the element's corners at its point nearest to x; the distance to that, m.
double sheet_nearest(double weight[3], const SheetSurface* s, int element, const double x[3]);
void sheet_foot(SheetFoot* f, const SheetSurface* s, const SheetNormals* n, int element, const double x[3]);

// Sheets of no thickness in the grid: on which side of them a node lies, and which edges of the grid they cross.
//
// Liquid on one side of a sheet knows nothing of what is on the other. So nothing may read or flow along an edge of the grid that
// a sheet crosses. A sheet has a normal side, psi > 0, and may end anywhere (its rim): nodes whose nearest point is on the rim
// are not in its shadow, and have no side, but where an edge between them and the other side is crossed.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "base/arena.h"
#include "grid/window.h"

// Segments (2D) or triangles (3D). The normal of a segment is to the left of its way from the first vertex to the second, that of
// a triangle by the right hand. Borrowed.
typedef struct SheetSurface {
    int dim;
    const double* x;  // m, 3 per vertex
    int vertices;
    const int* element;  // dim vertices each
    int elements;
    const double* v;  // m/s, 3 per vertex; NULL: it stands still
    const int* of;    // what was continued past walls: per vertex the one that it is, or is the image of; NULL: nothing was
} SheetSurface;

enum {
    SHEET_NEAR = 1,    // psi and nearest are known
    SHEET_SHADOW = 2,  // the nearest point is close, and not on the rim; or an edge from here to the other side is crossed
    SHEET_CROSSES = 4  // << d: the edge from this node one step along d is crossed
};

// Arena memory; arrays are shifted like a Field's v, and hold values where `node` says so.
typedef struct SheetCut {
    unsigned char* node;   // SHEET_... bits; 0: far from all sheets
    double* psi;           // m, distance to the nearest sheet, > 0 on the side of its normal
    int32_t* nearest;      // the element it is the distance to; past the last one: what was continued past a wall
    SheetSurface surface;  // the sheets, with what was continued past walls
} SheetCut;

// A rim within half a cell of a wall or mirror of the tank counts as continued past it. psi within `reach` (m) of the sheets,
// their shadow within `shade` (m) at most; edges crossed anywhere in the window, ghost layers included. Where nodes of an edge
// lie in the shadow on different sides it is crossed, whatever rounding made of the intersection: closed wins.
mn_status sheetcut_build(SheetCut* c, Arena* arena, const SheetSurface* s, const Window* w, double reach, double shade);

// The point of a sheet nearest to x (m); the distance to it, m. INFINITY: none is near.
double sheetcut_nearest(double foot[3], const SheetCut* c, const Window* w, const double x[3]);
// How fast that point moves, m/s; the distance to it. INFINITY: none is near, or all stand still.
double sheetcut_velocity(double v[3], const SheetCut* c, const Window* w, const double x[3]);
// The vertices of the sheets that this point is the mean of, with their weights, `dim` of each; the distance to it. Images past
// walls are the vertices that they belong to.
double sheetcut_shares(int vertex[3], double weight[3], const SheetCut* c, const Window* w, const double x[3]);
// The sheets that it was built for have got other velocities, and no other places.
void sheetcut_take_velocities(SheetCut* c, const SheetSurface* sheets);

static inline bool sheetcut_crosses(const SheetCut* c, ptrdiff_t node, int axis) { return c->node[node] >> (2 + axis) & 1; }

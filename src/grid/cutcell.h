// The liquid part of one cell: how much of its volume and of each face is wet, and the surface patch inside it.
// Lengths in cells (the cell is the unit cube or square), phi < 0 in liquid, solid < 0 inside a solid. The wet part is
// {phi < 0} without {solid < 0}. Method: docs/cutcells.md.
#pragma once
#include <stdbool.h>

// Values closer to zero than this (in cells) are moved off it, on a copy, so that no cut point falls on a node. A flat surface
// on a grid plane snaps as a whole: this is then the smallest volume per area it can show, so it must stay far below the
// volume tolerance (1e-10 of a liquid some cells deep).
#define CUT_SNAP 1e-10

typedef struct CellCut {
    double volume;      // wet fraction
    double patch[3];    // area vector of the free surface, out of the liquid
    double center[3];   // centroid of the free surface, cell-local 0..1
    double patch_area;  // sum of triangle areas, >= |patch|
} CellCut;

// Moves a value (in units of dx) off zero; zero itself counts as outside.
static inline double cut_snap(double phi)
{
    if (phi >= CUT_SNAP || phi <= -CUT_SNAP) return phi;
    return phi < 0 ? -CUT_SNAP : CUT_SNAP;
}

// Wet fraction of an edge from a to b (a 2D face). `solid` may be NULL.
double cut_edge(const double phi[2], const double* solid);
// Wet fraction of a square with corner values in cyclic order (a 3D face). `solid` may be NULL.
double cut_square(const double phi[4], const double* solid);
// Where the middle of that part is, 0..1 along the edge, or along the square's two axes; 0.5 where there is none.
double cut_edge_middle(const double phi[2], const double* solid);
void cut_square_middle(double middle[2], const double phi[4], const double* solid);

// Volume and patch of a cell; corner c lies at (c & 1, c >> 1 & 1, c >> 2). Fractions of the low and high faces per axis come
// from cut_edge / cut_square, so that both neighbours of a face use the same number. `solid` may be NULL.
void cut_cell_2d(CellCut* out, const double phi[4], const double* solid);
void cut_cell_3d(CellCut* out, const double phi[8], const double* solid, const double face[6]);

enum { CUT_LOOP_MAX = 12 };
// The surface of one cell as loops of cell edges, directed so that the liquid lies behind them (outward normal by the right
// hand). next[e] is the edge after e, or -1. Edges: 4*axis + position of the edge among the four along that axis.
// 2D: edges 0, 1 along x (low y, high y), 4, 5 along y (low x, high x); each chain has two edges, next of the last is -1.
void cut_loops_3d(signed char next[12], const double phi[8]);
int cut_segments_2d(signed char segment[2][2], const double phi[4]);
// Cell-local position of the cut point on an edge of a 3D (corner[8]) or 2D (corner[4]) cell.
void cut_point(double out[3], int edge, const double* phi);

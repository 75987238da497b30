// How much liquid the cells hold and how far their faces are open, from the pieces of the surface alone: along every row of cells
// the open part of a face is that of the last one less the area vectors of the pieces between them. No inside test is asked for
// anywhere, and every cell is closed to rounding:
//
//     sum over faces of (open area, outwards) + sum of area vectors of its pieces = 0.
//
// So a uniform velocity is free of divergence, and a constant pressure pushes every vertex with exactly p dV/dx_i.
#pragma once
#include "membrane/clip.h"

// Arena memory; fields have the layout of the window.
typedef struct MembraneCells {
    const Window* w;
    Pieces pieces;
    int* cut;         // per cell: its place among the cells with pieces; -1: none
    ptrdiff_t* cell;  // the cells with pieces, sorted
    int cells;
    double* open[3];  // per face: its wet part, 0 to 1; also on walls, which let nothing through
    double* dual[3];  // per face: liquid between the centres of its two cells, in cells
    double* volume;   // per cell, 0 to 1
    double total;     // m^3 (2D: m^2)
    // checks
    double leak;         // largest difference of a cell's volume told by different axes, and of what is left at the end of rows
    double least, most;  // of `open`: outside 0 to 1 where the surface crosses itself
} MembraneCells;

// The window is the whole tank, or the mesh stays away from sides of it that are none of the tank's.
mn_status lanes_build(MembraneCells* c, const MembraneMesh* m, const Window* w, Arena* arena);

// Is a face of this axis one of a wall of the tank? face: its index along the axis.
static inline bool lanes_is_wall(const Window* w, int axis, int face) { return face <= 0 || face >= w->n[axis]; }

// Wet fractions of half cells, the bricks of which every control volume of a viscous problem is made.
#pragma once
#include "solve/viscosity.h"

// Wet fractions of half cells, 2^dim per cell. All control volumes of faces, cells and edges are made of these, so the masses
// of each component and the stiffnesses of each strain add up to the same volume.
typedef struct HalfCells {
    int dim, n[3];     // half cells per axis
    ptrdiff_t sy, sz;  // strides
    size_t count;
    float* v;  // of half cell (0,0,0); two zero layers around
} HalfCells;

static inline ptrdiff_t half_at(const HalfCells* h, int i, int j, int k) { return i + j*h->sy + k*h->sz; }

mn_status half_cells_init(HalfCells* h, Arena* arena, int dim, const int cells[3]);  // zeros
// Cells of the finer level are the half cells of the coarser one.
mn_status half_cells_coarsen(HalfCells* coarse, Arena* arena, const HalfCells* fine);
// From the level sets; the half cells belong to the window's cells from lo on.
void half_cells_fill(HalfCells* h, const ViscosityInput* in, const int lo[3]);
// Mean wet fraction of the control volume whose half cells are centred at node (i,j,k) along the axes with centred[d], and lie
// in cell (i,j,k) along the others.
double control_volume(const HalfCells* h, const int at[3], const bool centred[3]);
// Wet fraction of a box with the value phi at its centre, changing by slope[d] across the box along axis d: the part of the
// unit cube below a plane. Exact for a linear phi.
double plane_fraction(double phi, const double slope[3], int dim);

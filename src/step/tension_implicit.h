// Implicit tension inside the pressure solve; the method is told in tension_implicit.c.
#pragma once
#include "solve/factor.h"
#include "solve/pressure.h"

typedef struct TensionImplicit {
    Pressure* p;
    double tau, factor;  // dt/(rho dx); tau theta sigma dt/dx^2
    SurfaceLink* link;
    int links;
    // per cut cell
    double* stiffness;
    int* number;  // of its piece of surface; -1: it has none
    // per piece of surface
    int count;
    double *area, *sum, *start, *value, *work;  // area and sum of the weights of its links; the others: scratch
    double *turning, *known;                    // sum of l/d (1 - n.n') over its neighbours; Pa, explicit part of its pressure
    Factor* matrix;                             // owned until tension_implicit_end
    Triplet* entry;
    int entries, pairs;
    // per cell with links
    ptrdiff_t* cell;
    int cells;
    int* link_cell;    // index into `cell` of each link
    double* restored;  // what weakening took off the cell's excess
} TensionImplicit;

// Changes the problem p, built with velocity u. acceleration (m/s^2): what has acted on u since the last projection, times dt. free: nothing
// touches the liquid.
mn_status tension_implicit_begin(TensionImplicit* t, Pressure* p, double* const u[3], double theta_sigma,
                                 const double acceleration[3], bool free, Arena* arena);
// After the solve: p->change for pressure_update. Frees the factor; call it also when the solve failed (pressure NULL).
mn_status tension_implicit_end(TensionImplicit* t, const double* pressure, Arena* arena);

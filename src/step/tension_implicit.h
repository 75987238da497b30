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

// What an implicit step is made of.
typedef struct ImplicitInput {
    double theta, sigma;      // sigma: N/m
    double acceleration[3];   // m/s^2: what has acted on u since the last projection, over dt
    bool free;                // nothing touches the liquid
    unsigned char* left_out;  // per cut cell: its piece of surface has the explicit pressure alone
} ImplicitInput;

// Changes the problem p, built with velocity u.
mn_status tension_implicit_begin(TensionImplicit* t, Pressure* p, double* const u[3], const ImplicitInput* in, Arena* arena);
// After the solve: p->change for pressure_update. Frees the factor; call it also when the solve failed (pressure NULL).
mn_status tension_implicit_end(TensionImplicit* t, const double* pressure, Arena* arena);
// Marks in left_out the pieces whose pressure has come to more than surfaces of radius dx have, and says if there are any. Such
// a change of curvature is beyond what a linear step can know: the step has to be made again without them.
bool tension_implicit_overshoots(const TensionImplicit* t, const ImplicitInput* in);

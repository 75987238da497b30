// Bodies beside the pressure: their velocities v (any number of degrees of freedom) are unknowns of the same solve. With W the
// wrenches of the cells (pressure_wrench.h), J the Jacobians of the bodies (twist = J v) and C = W J,
//
//     row of cell l:   (A p)_l + (rho dx/dt) (C v)_l = b_l
//     bodies:          M v = r + dt dx^(dim-1) C^T p
//
// Eliminated, what is left on the cells is symmetric and positive, whatever the bodies weigh:
//
//     (A + rho dx^dim C M^-1 C^T) p = b - (rho dx/dt) C M^-1 r
//
// Parts of a group have the rows of their own density times their weight: then rho is that of the first part in all of them.
#pragma once
#include "solve/poisson.h"
#include "solve/pressure_wrench.h"

// How a body's twist follows from its part v[first] .. v[first + count - 1] of the velocities.
typedef struct Follower {
    int first, count;
    const double* jacobian;  // TWIST x count, row by row; borrowed
} Follower;

typedef struct WrenchCell {
    ptrdiff_t cell;
    int part;  // of the group
    int body;
    double wrench[TWIST];
} WrenchCell;

// Arena memory.
typedef struct Wrenches {
    WrenchCell* cell;  // several bodies may press on one; sorted by wrenches_init
    int cells;
    const Follower* body;
    int bodies;
    int nv;
    const double* factor;  // nv x nv: Cholesky factor of M (base/dense.h)
    double dt, dx;
    int dim;
    double rho;  // of the group's first part
    // scratch of the operator
    double *twist, *v;  // bodies x TWIST; nv
    int* place;         // per listed cell: its place among the different ones, whose problems and numbers these are
    int* part;
    ptrdiff_t* at;
    int places;
} Wrenches;

// After cell, body, nv, dt, dx, dim and rho are filled in: room to work in.
mn_status wrenches_init(Wrenches* w, Arena* arena);
// dt dx^(dim-1) C^T p, an impulse on the velocities (nv numbers); p: per part.
void wrenches_impulse(double* out, const Wrenches* w, double* const* p);
// The flux that velocities v send out of each listed cell, C v: face areas times m/s.
void wrenches_flux(double* out, const Wrenches* w, const double* v);
// The operator on the group's matrix; w must stay.
void wrenches_operator(PoissonOperator* op, Wrenches* w);
// Twists of all bodies, bodies x TWIST, for velocities v; and forces on the velocities, added to out, for wrenches on the bodies.
void wrenches_twists(double* twist, const Follower* body, int bodies, const double* v);
void wrenches_forces(double* out, const Follower* body, int bodies, const double* wrench);

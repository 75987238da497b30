// Liquid viscosity, implicit in time: the velocity u that minimises
//
//     1/2 int rho |u - u*|^2  +  dt int mu D(u):D(u)     over the liquid,   D = (grad u + grad u^T)/2
//
// less dt int t.u over the free surface, where a traction t (N/m^2) pulls along it [batty2008]. Where u is free the minimum
// satisfies rho (u - u*) = dt div(2 mu D), and the free surface feels no other traction without anything being done about it. On
// walls and solids u is theirs (liquid sticks), or they leave it alone along them (liquid slips). Full stress: the components are
// coupled, so turning as a whole costs nothing. Method: docs/viscosity.md.
#pragma once
#include "base/arena.h"
#include "grid/cutcells.h"
#include "solve/pressure.h"
#include "solve/wrenches.h"

// Bodies that the liquid sticks to. Their velocities v are unknowns beside u: the functional gets + 1/2 (v - v*)^T M (v - v*), so
// what the liquid loses on a body is what the body gets, whatever it weighs (docs/body_friction.md).
typedef struct StickingBodies {
    int (*at)(const void* user, const double x[3]);  // the body whose skin is nearest to x; -1: a solid that does not give way
    const void* user;
    const Follower* body;       // how twists follow from v
    const double (*center)[3];  // m: the points that twists are about
    int bodies, nv;
    const double* inertia;  // nv x nv: M
    double* v;              // nv: v*; a solve leaves its minimum
    double* impulse;        // bodies x TWIST, N s and N m s: a solve adds what the liquid's friction gives
} StickingBodies;

typedef struct ViscosityInput {
    const Window* w;
    const Spans* spans;
    const CutCells* cells;
    const double* phi;             // m, nodes
    const double* phi_solid;       // m, nodes, on the spans; NULL without solids
    SolidMotion solid;             // of what does not give way; no velocity function: it stands still
    const StickingBodies* bodies;  // NULL: none
    bool slip_walls;               // the tank's walls hold the liquid across them only; false: it sticks
    bool slip_solids;              // the same for solids
    const double (*traction)[3];   // N (2D: N/m), per cut cell: force along its piece of free surface; NULL: none
    double rho, mu, dt;
} ViscosityInput;

typedef struct ViscosityReport {
    long unknowns;
    int iterations;
    double residual;  // reached, of |u* rho V/dt + wall forces| or of the viscous forces of u*, whichever is less
    bool converged;
} ViscosityReport;

// Solves for u in place: u* on entry, valid on every wet face and one past the surface. Faces inside walls and solids that the
// liquid sticks to take their velocity. mass (may be NULL; zeros on entry): that of each face solved for, of a full one's. A
// stall is not an error here: converged = false, and u holds the last iterate.
mn_status viscosity_solve(double* const u[3], double* const mass[3], ViscosityReport* report, const ViscosityInput* in,
                          const SolveOptions* options, Arena* arena);

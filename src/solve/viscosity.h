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

typedef struct ViscosityInput {
    const Window* w;
    const Spans* spans;
    const CutCells* cells;
    const double* phi;            // m, nodes
    const double* phi_solid;      // m, nodes, on the spans; NULL without solids
    SolidMotion solid;            // no velocity function: solids stand still
    bool slip_walls;              // the tank's walls hold the liquid across them only; false: it sticks
    bool slip_solids;             // the same for solids
    const double (*traction)[3];  // N (2D: N/m), per cut cell: force along its piece of free surface; NULL: none
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

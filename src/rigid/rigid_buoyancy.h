// What the pressures of the cells miss of the force on a body at rest.
//
// The pressure of a cell acts on all of the skin in it as if it were that of the cell's middle: at rest a body is carried by the
// volume of its slices at the faces, off by some per cent at 8 cells in radius, by more or by less as it moves across the grid. A
// flat bottom that tilts within one row of cells feels no change at all, and a log that should turn over stays upright. Below the
// surface what is missing is known: grad p = rho a, but for the flow, gives
//     F_e += rho sum over cells of a_d Q_de,
// Q the moments of the skin in a cell (solve/pressure_wrench.h). Cells at the surface have no clear wetted part: there it fades
// out. So does what lies between the flat pieces of skin on the grid and the skin itself, which the liquid presses on too:
// without it a disc of 8 cells in radius, half under water, missed 0.34 dx^2 and lay 0.02 cells too deep. For a body that is
// covered, the volume V_grid that is then left becomes the body's own, F += rho a (V_grid - V).
#pragma once
#include "liquid/solid.h"
#include "rigid/rigid.h"

// Sums over the cells of one body.
typedef struct Buoyancy {
    double wrench[TWIST];
    double volume;   // m^3 inside the skin, as the grid has it
    double density;  // kg/m^3 of the liquid, times `cells`
    int cells;
} Buoyancy;

// One of its cells; area, Q: its wrench about the centre and moments (pressure_skin_moments); solid: that of the body.
void buoyancy_add(Buoyancy* sum, const Pressure* p, const CutCell* cut, const double area[TWIST], const double Q[3][3],
                  const double center[3], const Solid* solid, const double a[3]);
// Adds to the wrench on the body (N, N m).
void buoyancy_end(double wrench[TWIST], const Buoyancy* sum, const RigidBody* body, bool covered, const double a[3]);

// Builds the levels of a viscous problem: wet fractions, which faces are free, stiffness of every strain.
#pragma once
#include "solve/viscosity.h"
#include "solve/viscous_grid.h"

// What walls and solids add to the strains of the finest level while the free faces next to them are at rest.
typedef struct WallStrains {
    double* normal[3];    // sqrt(2 k) e, in a cell
    double* shear[3][3];  // [d][o], d < o: sqrt(k) e, on an edge
} WallStrains;

typedef struct ViscousProblem {
    ViscosityInput in;
    int lo[3];       // the grid's cell (0,0,0) in the window
    int wall_hi[3];  // cells from there to the tank's high side; INT_MAX if it is out of reach
    ViscousGrid grid;
    HalfCells half;
    double stiffness;   // nu dt/dx^2
    WallStrains walls;  // pointers are NULL unless a solid may move
    double* force[3];   // dt/(rho dx^dim) times the force on each face, m/s; NULL without traction and bodies
    bool empty;         // nothing is wet
} ViscousProblem;

static inline double viscous_stiffness(const ViscosityInput* in) { return in->mu*in->dt/(in->rho*in->w->dx*in->w->dx); }
// `levels`: the grid's size is made a multiple of 2^(levels - 1).
mn_status viscous_build(ViscousProblem* p, Arena* arena, const ViscosityInput* in, int levels);
// Room for p->force, zero, if it has none.
mn_status viscous_take_forces(ViscousProblem* p, Arena* arena);
// The next coarser level, and the stiffness factor it needs from the finer one: nu dt/dx^2 is a quarter.
mn_status viscous_coarsen(ViscousGrid* coarse, HalfCells* half, Arena* arena, const ViscousGrid* fine, const HalfCells* fine_half,
                          double stiffness);
// What the tank's sides make of a face: FACE_IS_DRY means nothing.
int viscous_state_by_tank(const ViscousProblem* p, int d, const int face[3]);
// Distance to the solid at the middle of a face, m.
double viscous_solid_distance(const ViscousProblem* p, int d, const int face[3]);

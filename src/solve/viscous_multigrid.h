// A symmetric multigrid cycle for viscous problems, as preconditioner of conjugate gradients.
//
// Smoothing is Gauss-Seidel, component by component and in two colours, forwards on the way down and backwards on the way up,
// so that the cycle is symmetric. Faces of one component and colour do not see each other: threads do not change the result.
// Coarse levels are the same discretisation with the wet fractions of cells taken as those of half cells. Corrections come back
// by linear interpolation among the coarse faces that exist; residuals go down by its transpose.
#pragma once
#include "solve/viscous_grid.h"

enum { VISCOUS_LEVELS_MOST = 8 };

typedef struct ViscousMultigrid {
    int levels;
    ViscousGrid level[VISCOUS_LEVELS_MOST];  // the finest is a copy of the problem's grid
    double* share[VISCOUS_LEVELS_MOST][3];   // per free face: 1/(sum of interpolation weights of coarse faces that exist)
} ViscousMultigrid;

// Takes over the finest grid; `levels` of them, each half as fine. stiffness = nu dt/dx^2 of the finest.
mn_status viscous_multigrid_init(ViscousMultigrid* m, Arena* arena, const ViscousGrid* finest, const HalfCells* half,
                                 double stiffness, int levels);
// x = M b on the finest level.
void viscous_multigrid_cycle(ViscousMultigrid* m);

// Which part of the liquid beside the surface moves with the membrane and which with the faces of the grid.
//
// Between the centres of the two cells of a face lies the liquid of its dual cell, V_f. Where the surface caps that (its normal
// along the
// face's), the liquid hangs on the membrane; where it runs along the axis, the liquid moves with the face:
//
//     P_f = sum over pieces in the dual cell of |A_d|,   beta_f = P_f/(P_f + alpha_f),   M_W = beta rho V_f,   M_f = (1 - beta)
//     rho V_f.
//
// The membrane's velocity on the face is W v, the mean of v over these pieces by |A_d|.
#pragma once
#include "membrane/lanes.h"

// All masses are in full cells, rho dx^dim. Arena memory.
typedef struct MembraneMasses {
    double* projected[3];  // P_f, per face; 0 on walls
    double* beta[3];
    double* face[3];      // M_f; never less than LEAST_MASS alpha_f
    double* carried[3];   // M_W
    double (*vertex)[3];  // L_i,d = sum over faces of W_fi M_W,f: what hangs on a vertex
} MembraneMasses;

// Thinner faces move as if they had this much liquid.
static const double LEAST_MASS = 1e-3;

mn_status masses_build(MembraneMasses* mass, const MembraneCells* c, const MembraneMesh* m, Arena* arena);
// out_f = (W v)_f on the faces with P_f > 0, 0 on others. v: 3 per vertex.
void masses_spread(double* const out[3], const MembraneMasses* mass, const MembraneCells* c, const MembraneMesh* m,
                   const double* v);
// out_i,d += sum over faces of W_fi M_W,f u_f
void masses_gather(double (*out)[3], const MembraneMasses* mass, const MembraneCells* c, const MembraneMesh* m,
                   double* const u[3]);

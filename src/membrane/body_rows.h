// The rows of free bodies in the membrane's equations: vertices in contact are carried, v_j = J_j v_r, so that with the unknowns
// y = (w, v_r)
//
//     N = [ M  E ]     E_ir = dt^2 sum_j K_ij n_i^T J_j
//         [ E' R ]     R = M_bodies + sum_j J_j^T (m_j + L_j) J_j + dt^2 sum_jk K_jk J_j^T J_k
//     F_rc = sum_j J_j^T B_jc
//
// M, of the free vertices, is factored as without bodies; Z = M^-1 E and R - E'Z, a small dense matrix, do the rest:
//     t = M^-1 b_F,   v_r = (R - E'Z)^-1 (b_r - E't),   w = t - Z v_r.
//
// Elements that lie on one body with all corners are left out of K: they have no force on it, but K, which knows no turning,
// would brake its spin.
#pragma once
#include "membrane/membrane_solve.h"
#include "membrane/push.h"
#include "solve/factor.h"

// Arena memory. Masses in full cells. nv 0: no bodies, and all of this does nothing.
typedef struct BodyRows {
    int nv, vertices, cells;
    const MembraneBodies* bodies;
    double unit;       // kg: a full cell
    int* at;           // per vertex: where its J begins in `jacobian`; -1: not carried by a free body
    double* jacobian;  // 3 x count of its body, row by row
    double *E, *Z;     // nv columns, one number per vertex
    double* flow;      // nv columns, one number per cell with pieces: F_rc
    double* plain;     // nv x nv: R - E'Z without the bodies' own inertia
    double* factor;    // nv x nv
    double* v;         // nv: of the last solve
} BodyRows;

typedef struct RowsInput {
    const MembraneMesh* m;
    const MembraneBodies* bodies;  // NULL: none
    const Pushes* push;
    double (*normal)[3];   // zero on contacts
    const double* own;     // m_j
    double (*hangs)[3];    // L_j
    const Factor* factor;  // of M
    double sigma, dt, unit;
    int cells;
} RowsInput;

mn_status rows_build(BodyRows* r, const RowsInput* in, Arena* arena);
// With the bodies' inertia as it is now; again after it changes.
mn_status rows_factor(BodyRows* r);
// out += J^T q + the bodies' impulses; q: per vertex.
void rows_right_side(double* out, const BodyRows* r, const MembraneMesh* m, double (*q)[3]);
// w: in M^-1 b_F, out w; body: in b_r, kept; the bodies' velocities are r->v.
void rows_solve(double* w, BodyRows* r, const double* body);
// out_r += F_rc p_c; out_c += F_rc v_r
void rows_push(double* out, const BodyRows* r, const double* pressure);
void rows_flow(double* out, const BodyRows* r, const double* v);
// out += J v_r on the vertices that bodies carry.
void rows_carry(double (*out)[3], const BodyRows* r, const MembraneMesh* m);

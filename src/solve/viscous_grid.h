// One level of the viscous problem: faces with mass, strains with stiffness, and the product with the matrix.
//
//     (A u)_f = V_f u_f + sum over strain samples s of  (d e_s/d u_f) k_s e_s,      k_s = nu dt/dx^2 times wet fraction (and 2)
//
// Samples: e_dd = c (u_d[next] - u_d) in cells, e_do = c du_d/dx_o + c' du_o/dx_d on the edges between axes d and o. The factor
// c is 1, or 1/distance where one of the two faces is inside a wall or solid, whose place is nearer than the face. A is
// symmetric by construction, and positive definite because V_f > 0. Everything is divided by rho dx^dim, so that V is a
// fraction.
#pragma once
#include "base/arena.h"
#include "grid/spans.h"
#include "solve/half_cells.h"

enum {
    FACE_IS_DRY,
    FACE_IS_FREE,   // an unknown
    FACE_IS_FIXED,  // in a wall or solid that the liquid sticks to, or across a wall
    FACE_IS_PAST,   // past an open side, or along a wall that the liquid slips on: no strain reads it
};

// Index (0,0,0) is the low corner; cells 0..n-1, faces and edges also at n; one layer of ghosts below, two above.
typedef struct ViscousGrid {
    int dim, n[3];
    ptrdiff_t sy, sz, origin;
    size_t count;
    Spans look;   // where liquid may be: rows of nodes
    Spans spans;  // where free faces are
    bool parallel;
    long unknowns;
    unsigned char* state[3];     // FACE_IS_...
    double* mass[3];             // V_f; at least a little for every free face
    double* normal[3];           // k c^2 of e_dd, per cell
    double* shear[3][3];         // [d][o]: sqrt(k) c of the part du_d/dx_o of the strain e_do, per edge
    double* inverse[3];          // 1/diagonal; 0 unless free
    double *x[3], *b[3], *t[3];  // x: see viscous_grid_take_x
    double* row;                 // per row of spans: partial sums
} ViscousGrid;

static inline ptrdiff_t viscous_at(const ViscousGrid* g, int i, int j, int k) { return i + j*g->sy + k*g->sz; }
static inline ptrdiff_t viscous_stride(const ViscousGrid* g, int axis) { return axis == 0 ? 1 : axis == 1 ? g->sy : g->sz; }
static inline ptrdiff_t viscous_row_at(const ViscousGrid* g, int r)
{
    return viscous_at(g, 0, r%g->spans.rows_y, r/g->spans.rows_y);
}

// Layout and zeroed arrays for n cells; `look` and all values are still to be filled.
mn_status viscous_grid_init(ViscousGrid* g, Arena* arena, int dim, const int n[3]);
// Room for x, which only sweeps and cycles need.
mn_status viscous_grid_take_x(ViscousGrid* g, Arena* arena);
mn_status viscous_grid_look_everywhere(ViscousGrid* g, Arena* arena);
// From masses and stiffnesses to everything else: which dry faces are free after all, least masses, diagonal, spans.
mn_status viscous_grid_finish(ViscousGrid* g, Arena* arena);

// (A v) at face `at` of component d; v is zero on faces that are not free.
static inline double viscous_product(const ViscousGrid* g, double* const v[3], const int dim, const int d, ptrdiff_t at)
{
    ptrdiff_t s = viscous_stride(g, d);
    const double* restrict own = v[d] + at;
    const double* restrict k = g->normal[d] + at;
    double sum = g->mass[d][at]*own[0] + k[-s]*(own[0] - own[-s]) - k[0]*(own[s] - own[0]);
    for (int o = 0; o < dim; o++) {
        if (o == d) continue;
        ptrdiff_t t = viscous_stride(g, o);
        const double* restrict other = v[o] + at;
        const double* restrict a = g->shear[d][o] + at;
        const double* restrict c = g->shear[o][d] + at;
        sum += a[0]*(a[0]*(own[0] - own[-t]) + c[0]*(other[0] - other[-s]));
        sum -= a[t]*(a[t]*(own[t] - own[0]) + c[t]*(other[t] - other[t - s]));
    }
    return sum;
}

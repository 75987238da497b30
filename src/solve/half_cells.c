#include "solve/half_cells.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"

mn_status half_cells_init(HalfCells* h, Arena* arena, int dim, const int cells[3])
{
    assert((dim == 2 || dim == 3) && cells[0] > 0 && cells[1] > 0);
    enum { AROUND = 2 };
    *h = (HalfCells){.dim = dim};
    for (int d = 0; d < 3; d++) h->n[d] = d < dim ? 2*cells[d] : 1;
    h->sy = h->n[0] + 2*AROUND;
    h->sz = h->sy*(h->n[1] + 2*AROUND);
    h->count = (size_t)h->sz*(size_t)(dim == 3 ? h->n[2] + 2*AROUND : 1);
    TRY_MEMORY(h->v = ARENA_ZERO(arena, float, h->count));
    h->v += half_at(h, AROUND, AROUND, dim == 3 ? AROUND : 0);
    return MN_OK;
}

mn_status half_cells_coarsen(HalfCells* coarse, Arena* arena, const HalfCells* fine)
{
    assert(fine->v && fine->n[0]%4 == 0 && fine->n[1]%4 == 0);
    int cells[3] = {1, 1, 1};
    for (int d = 0; d < fine->dim; d++) cells[d] = fine->n[d]/4;
    TRY(half_cells_init(coarse, arena, fine->dim, cells));
    int deep = fine->dim == 3;
    float part = deep ? 0.125f : 0.25f;
#pragma omp parallel for schedule(static) collapse(2) if (coarse->count > 20000)
    for (int k = 0; k < coarse->n[2]; k++)
        for (int j = 0; j < coarse->n[1]; j++)
            for (int i = 0; i < coarse->n[0]; i++) {
                const float* q = fine->v + half_at(fine, 2*i, 2*j, deep ? 2*k : 0);
                float sum = q[0] + q[1] + q[fine->sy] + q[fine->sy + 1];
                if (deep) q += fine->sz, sum += q[0] + q[1] + q[fine->sy] + q[fine->sy + 1];
                coarse->v[half_at(coarse, i, j, k)] = part*sum;
            }
    return MN_OK;
}

double control_volume(const HalfCells* h, const int at[3], const bool centred[3])
{
    assert(at[0] >= 0 && at[1] >= 0 && 2*at[0] <= h->n[0] + 1 && 2*at[1] <= h->n[1] + 1);
    int low[3];
    for (int d = 0; d < 3; d++) low[d] = d < h->dim ? 2*at[d] - centred[d] : 0;
    const float* q = h->v + half_at(h, low[0], low[1], low[2]);
    double sum = (double)q[0] + q[1] + q[h->sy] + q[h->sy + 1];
    if (h->dim == 2) return 0.25*sum;
    q += h->sz;
    return 0.125*(sum + q[0] + q[1] + q[h->sy] + q[h->sy + 1]);
}

// ---- from level sets -----------------------------------------------------------------------------------------------------

// With m_d = |slope_d|/sum and a the depth of the plane along the diagonal, both so that the cube spans 0..1,
//     V = (a^dim - sum (a - m_d)+^dim + sum (a - m_d - m_e)+^dim)/(dim! prod m_d)     [scardovelli2000].
// Slopes below 1e-4 of the sum are raised to it: the formula divides by them, and the error is of that size.
double plane_fraction(double phi, const double slope[3], int dim)
{
    assert((dim == 2 || dim == 3) && isfinite(phi));
    double m[3] = {0, 0, 0}, sum = 0;
    for (int d = 0; d < dim; d++) sum += fabs(slope[d]);
    if (!(fabs(phi) < 0.5*sum)) return phi < 0 ? 1 : 0;
    double raised = 0;
    for (int d = 0; d < dim; d++) raised += m[d] = max2(fabs(slope[d])/sum, 1e-4);
    for (int d = 0; d < dim; d++) m[d] /= raised;
    double a = 0.5 - phi/sum, v = dim == 3 ? a*a*a : a*a;
    for (int d = 0; d < dim; d++) {
        double q = max2(a - m[d], 0);
        v -= dim == 3 ? q*q*q : q*q;
        for (int e = d + 1; e < dim && dim == 3; e++) {
            q = max2(a - m[d] - m[e], 0);
            v += q*q*q;
        }
    }
    v /= dim == 3 ? 6*m[0]*m[1]*m[2] : 2*m[0]*m[1];
    return clamp(v, 0, 1);
}

// Wet fractions of the half cells of one cell, from node values interpolated to their centres.
static void half_fractions(double out[8], const double* node, const Window* w, ptrdiff_t at)
{
    int parts = w->dim == 3 ? 8 : 4;
    double center[8];
    for (int c = 0; c < parts; c++) {
        center[c] = 0;
        for (int m = 0; m < parts; m++) {
            double weight = 1;
            for (int d = 0; d < w->dim; d++) weight *= (m >> d & 1) == (c >> d & 1) ? 0.75 : 0.25;
            center[c] += weight*node[at + window_corner(w, m)];
        }
    }
    for (int c = 0; c < parts; c++) {
        double slope[3] = {0, 0, 0};
        for (int d = 0; d < w->dim; d++) slope[d] = center[c | 1 << d] - center[c & ~(1 << d)];
        out[c] = plane_fraction(center[c], slope, w->dim);
    }
}

// Wet part of a cut cell. Where surface and solid share a half cell the fractions are multiplied, which is right when they meet
// at right angles.
static void cut_cell_halves(double out[8], const ViscosityInput* in, ptrdiff_t at)
{
    half_fractions(out, in->phi, in->w, at);
    if (!in->phi_solid) return;
    double solid[8];
    half_fractions(solid, in->phi_solid, in->w, at);
    for (int c = 0; c < (in->w->dim == 3 ? 8 : 4); c++) out[c] *= 1 - solid[c];
}

static void fill_row(HalfCells* h, const ViscosityInput* in, const int lo[3], int r)
{
    const Window* w = in->w;
    const Spans* s = in->spans;
    int j = r%s->rows_y, k = r/s->rows_y, parts = w->dim == 3 ? 8 : 4;
    if (j >= w->n[1] || k >= w->n[2]) return;
    SPAN_LOOP(s, r, q)
        for (int i = s->span[q].i0, last = mini(s->span[q].i1, w->n[0]); i < last; i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            if (in->cells->index[at] == CELL_EMPTY) continue;
            double wet[8] = {1, 1, 1, 1, 1, 1, 1, 1};
            if (in->cells->index[at] != CELL_FULL) cut_cell_halves(wet, in, at);
            int first[3] = {2*(i - lo[0]), 2*(j - lo[1]), w->dim == 3 ? 2*(k - lo[2]) : 0};
            for (int c = 0; c < parts; c++)
                h->v[half_at(h, first[0] + (c & 1), first[1] + (c >> 1 & 1), first[2] + (c >> 2))] = (float)wet[c];
        }
}

void half_cells_fill(HalfCells* h, const ViscosityInput* in, const int lo[3])
{
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(in->spans))
    for (int r = 0; r < in->spans->rows; r++) fill_row(h, in, lo, r);
}

#include "solve/viscous_multigrid.h"

#include <string.h>
#include "base/vec.h"
#include "solve/viscous_build.h"

// Sweeps forwards and backwards on the coarsest level.
enum { COARSEST_SWEEPS = 12 };

// ---- smoothing -----------------------------------------------------------------------------------------------------------

static inline void smooth_row(ViscousGrid* g, const int dim, const int d, int colour, int r)
{
    ptrdiff_t row = viscous_row_at(g, r);
    int parity = (r%g->spans.rows_y + r/g->spans.rows_y + colour) & 1;
    double* x = g->x[d];
    SPAN_LOOP(&g->spans, r, q) {
        int i0 = g->spans.span[q].i0;
        for (int i = i0 + ((i0 ^ parity) & 1); i < g->spans.span[q].i1; i += 2) {
            ptrdiff_t at = row + i;
            x[at] += g->inverse[d][at]*(g->b[d][at] - viscous_product(g, g->x, dim, d, at));
        }
    }
}

static void smooth_component(ViscousGrid* g, int d, int colour)
{
#pragma omp parallel for schedule(static) if (g->parallel)
    for (int r = 0; r < g->spans.rows; r++) {
        if (g->dim == 2) {
            if (d == 0) smooth_row(g, 2, 0, colour, r);
            else smooth_row(g, 2, 1, colour, r);
        } else {
            if (d == 0) smooth_row(g, 3, 0, colour, r);
            else if (d == 1) smooth_row(g, 3, 1, colour, r);
            else smooth_row(g, 3, 2, colour, r);
        }
    }
}

static void smooth_forwards(ViscousGrid* g)
{
    for (int d = 0; d < g->dim; d++)
        for (int colour = 0; colour < 2; colour++) smooth_component(g, d, colour);
}

static void smooth_backwards(ViscousGrid* g)
{
    for (int d = g->dim - 1; d >= 0; d--)
        for (int colour = 1; colour >= 0; colour--) smooth_component(g, d, colour);
}

// ---- between levels ------------------------------------------------------------------------------------------------------

// Along its own axis a fine face lies on a coarse one or between two; along the others a quarter of a coarse cell off.
typedef struct Stencil {
    int from[3];          // coarse index of the first of two
    double weight[3][2];  // of the two
} Stencil;

static Stencil stencil_of(int dim, int d, const int fine[3])
{
    Stencil s = {{0, 0, 0}, {{1, 0}, {1, 0}, {1, 0}}};
    for (int o = 0; o < dim; o++) {
        bool odd = fine[o] & 1;
        if (o == d) {
            s.from[o] = fine[o] >> 1;
            s.weight[o][0] = odd ? 0.5 : 1, s.weight[o][1] = odd ? 0.5 : 0;
        } else {
            s.from[o] = (fine[o] >> 1) - !odd;
            s.weight[o][0] = odd ? 0.75 : 0.25, s.weight[o][1] = odd ? 0.25 : 0.75;
        }
    }
    return s;
}

// How much a coarse face is listened to. Without the mass a sliver of a coarse face, light and loosely held, is asked to move
// the full faces beside it and moves them far too much: a free ball of 24 cells then took 218 iterations instead of NN.
static double coarse_weight(const ViscousGrid* coarse, int d, ptrdiff_t at)
{
    int state = coarse->state[d][at];
    return state == FACE_IS_FREE ? coarse->mass[d][at] : state == FACE_IS_FIXED ? 1 : 0;
}

static double weight_sum(const ViscousGrid* coarse, const Stencil* s, int d)
{
    double sum = 0;
    for (int c = 0; c < 1 << coarse->dim; c++) {
        double weight = s->weight[0][c & 1]*s->weight[1][c >> 1 & 1]*s->weight[2][c >> 2];
        if (weight == 0) continue;
        ptrdiff_t at = viscous_at(coarse, s->from[0] + (c & 1), s->from[1] + (c >> 1 & 1), s->from[2] + (c >> 2));
        sum += weight*coarse_weight(coarse, d, at);
    }
    return sum;
}

static void find_shares(double* share, const ViscousGrid* fine, const ViscousGrid* coarse, int d)
{
#pragma omp parallel for schedule(static) if (fine->parallel)
    for (int r = 0; r < fine->spans.rows; r++) {
        ptrdiff_t row = viscous_row_at(fine, r);
        SPAN_LOOP(&fine->spans, r, q)
            for (int i = fine->spans.span[q].i0; i < fine->spans.span[q].i1; i++) {
                if (fine->state[d][row + i] != FACE_IS_FREE) continue;
                Stencil s = stencil_of(fine->dim, d, (int[3]){i, r%fine->spans.rows_y, r/fine->spans.rows_y});
                double sum = weight_sum(coarse, &s, d);
                share[row + i] = sum > 0 ? 1/sum : 0;
            }
    }
}

// fine x += P coarse x
static void prolong(ViscousGrid* fine, const ViscousGrid* coarse, double* const share[3])
{
#pragma omp parallel for schedule(static) if (fine->parallel)
    for (int r = 0; r < fine->spans.rows; r++) {
        ptrdiff_t row = viscous_row_at(fine, r);
        for (int d = 0; d < fine->dim; d++)
            SPAN_LOOP(&fine->spans, r, q)
                for (int i = fine->spans.span[q].i0; i < fine->spans.span[q].i1; i++) {
                    if (share[d][row + i] == 0) continue;
                    Stencil s = stencil_of(fine->dim, d, (int[3]){i, r%fine->spans.rows_y, r/fine->spans.rows_y});
                    ptrdiff_t from = viscous_at(coarse, s.from[0], s.from[1], s.from[2]);
                    const double *x = coarse->x[d] + from, *mass = coarse->mass[d] + from;
                    double sum = 0;
                    for (int c = 0; c < 1 << fine->dim; c++) {
                        ptrdiff_t at = viscous_at(coarse, c & 1, c >> 1 & 1, c >> 2);
                        sum += s.weight[0][c & 1]*s.weight[1][c >> 1 & 1]*s.weight[2][c >> 2]*mass[at]*x[at];
                    }
                    fine->x[d][row + i] += share[d][row + i]*sum;
                }
    }
}

// fine t = share (b - A x)
static inline void shared_residual_row(ViscousGrid* g, double* const share[3], const int dim, int r)
{
    ptrdiff_t row = viscous_row_at(g, r);
    for (int d = 0; d < dim; d++)
        SPAN_LOOP(&g->spans, r, q)
            for (ptrdiff_t at = row + g->spans.span[q].i0; at < row + g->spans.span[q].i1; at++)
                g->t[d][at] = share[d][at]*(g->b[d][at] - viscous_product(g, g->x, dim, d, at));
}

// Fine faces that a coarse one is interpolated to, with the weights of stencil_of.
static int parents(int out[4], double weight[4], bool own_axis, int coarse, int last)
{
    static const double on[3] = {0.5, 1, 0.5}, off[4] = {0.25, 0.75, 0.75, 0.25};
    int count = 0, total = own_axis ? 3 : 4;
    for (int m = 0; m < total; m++) {
        int i = 2*coarse - 1 + m;
        if (i < 0 || i > last) continue;
        out[count] = i;
        weight[count++] = own_axis ? on[m] : off[m];
    }
    return count;
}

static double gather(const ViscousGrid* fine, int d, const int coarse[3])
{
    int index[3][4] = {{0}, {0}, {0}}, count[3] = {1, 1, 1};
    double weight[3][4] = {{1}, {1}, {1}}, sum = 0;
    for (int o = 0; o < fine->dim; o++) count[o] = parents(index[o], weight[o], o == d, coarse[o], fine->n[o]);
    for (int c = 0; c < count[2]; c++)
        for (int b = 0; b < count[1]; b++) {
            const double* t = fine->t[d] + viscous_at(fine, 0, index[1][b], index[2][c]);
            double line = 0;
            for (int a = 0; a < count[0]; a++) line += weight[0][a]*t[index[0][a]];
            sum += weight[1][b]*weight[2][c]*line;
        }
    return sum;
}

// coarse b = P^T (b - A x)/2^dim: the coarse problem is written per coarse cell.
static void restrict_residual(ViscousGrid* coarse, ViscousGrid* fine, double* const share[3])
{
#pragma omp parallel for schedule(static) if (fine->parallel)
    for (int r = 0; r < fine->spans.rows; r++) {
        if (fine->dim == 2) shared_residual_row(fine, share, 2, r);
        else shared_residual_row(fine, share, 3, r);
    }
    double part = fine->dim == 3 ? 0.125 : 0.25;
#pragma omp parallel for schedule(static) if (coarse->parallel)
    for (int r = 0; r < coarse->spans.rows; r++) {
        ptrdiff_t row = viscous_row_at(coarse, r);
        for (int d = 0; d < coarse->dim; d++)
            SPAN_LOOP(&coarse->spans, r, q)
                for (int i = coarse->spans.span[q].i0; i < coarse->spans.span[q].i1; i++) {
                    if (coarse->state[d][row + i] != FACE_IS_FREE) continue;
                    int at[3] = {i, r%coarse->spans.rows_y, r/coarse->spans.rows_y};
                    coarse->b[d][row + i] = part*coarse->mass[d][row + i]*gather(fine, d, at);
                }
    }
}

// ---- the cycle -----------------------------------------------------------------------------------------------------------

mn_status viscous_multigrid_init(ViscousMultigrid* m, Arena* arena, const ViscousGrid* finest, const HalfCells* half,
                                 double stiffness, int levels)
{
    *m = (ViscousMultigrid){.levels = levels};
    m->level[0] = *finest;
    HalfCells fine = *half, coarse;
    for (int l = 1; l < levels; l++) {
        stiffness *= 0.25;
        TRY(viscous_coarsen(&m->level[l], &coarse, arena, &m->level[l - 1], &fine, stiffness));
        fine = coarse;
        for (int d = 0; d < finest->dim; d++) {
            ViscousGrid* g = &m->level[l - 1];
            TRY_MEMORY(m->share[l - 1][d] = ARENA_ZERO(arena, double, g->count));
            m->share[l - 1][d] += g->origin;
            find_shares(m->share[l - 1][d], g, &m->level[l], d);
        }
    }
    return MN_OK;
}

static void set_zero(ViscousGrid* g)
{
#pragma omp parallel for schedule(static) if (g->parallel)
    for (int r = 0; r < g->spans.rows; r++)
        for (int d = 0; d < g->dim; d++)
            SPAN_LOOP(&g->spans, r, q)
                memset(g->x[d] + viscous_row_at(g, r) + g->spans.span[q].i0, 0,
                       sizeof(double)*(size_t)(g->spans.span[q].i1 - g->spans.span[q].i0));
}

static void cycle(ViscousMultigrid* m, int l)
{
    ViscousGrid* g = &m->level[l];
    set_zero(g);
    if (l == m->levels - 1) {
        int sweeps = l == 0 ? 1 : COARSEST_SWEEPS;
        for (int s = 0; s < sweeps; s++) smooth_forwards(g);
        for (int s = 0; s < sweeps; s++) smooth_backwards(g);
        return;
    }
    smooth_forwards(g);
    restrict_residual(&m->level[l + 1], g, m->share[l]);
    cycle(m, l + 1);
    prolong(g, &m->level[l + 1], m->share[l]);
    smooth_backwards(g);
}

void viscous_multigrid_cycle(ViscousMultigrid* m) { cycle(m, 0); }

#include "solve/viscous_multigrid.h"

#include <assert.h>
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
typedef struct Between {
    int from;          // coarse index of the first of two
    double weight[2];  // of the two
} Between;

static inline Between between(bool own_axis, int fine)
{
    bool odd = fine & 1;
    if (own_axis) return (Between){fine >> 1, {odd ? 0.5 : 1, odd ? 0.5 : 0}};
    return (Between){(fine >> 1) - !odd, {odd ? 0.75 : 0.25, odd ? 0.25 : 0.75}};
}

static inline Between between_flat(const ViscousGrid* g, int d, int k)
{
    return g->dim == 3 ? between(d == 2, k) : (Between){0, {1, 0}};
}

// How much a coarse face is listened to. Without the mass a sliver of a coarse face, light and loosely held, is asked to move
// the full faces beside it and moves them far too much: a free ball of 24 cells then took 218 iterations instead of 27.
static double coarse_weight(const ViscousGrid* coarse, int d, ptrdiff_t at)
{
    int state = coarse->state[d][at];
    return state == FACE_IS_FREE ? coarse->mass[d][at] : state == FACE_IS_FIXED ? 1 : 0;
}

// Sum of the weights of the coarse faces around a fine one.
static double weight_sum(const ViscousGrid* coarse, int d, const int fine[3])
{
    Between x = between(d == 0, fine[0]), y = between(d == 1, fine[1]), z = between_flat(coarse, d, fine[2]);
    double sum = 0;
    for (int c = 0; c < 1 << coarse->dim; c++) {
        ptrdiff_t at = viscous_at(coarse, x.from + (c & 1), y.from + (c >> 1 & 1), z.from + (c >> 2));
        sum += x.weight[c & 1]*y.weight[c >> 1 & 1]*z.weight[c >> 2]*coarse_weight(coarse, d, at);
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
                double sum = weight_sum(coarse, d, (int[3]){i, r%fine->spans.rows_y, r/fine->spans.rows_y});
                share[row + i] = sum > 0 ? 1/sum : 0;
            }
    }
}

// mass times x of the two or four coarse faces above and below in y and z, at one coarse i
static inline double column(const double* x, const double* mass, const double weight[4], const ptrdiff_t offset[4], int rows)
{
    double sum = 0;
    for (int c = 0; c < rows; c++) sum += weight[c]*mass[offset[c]]*x[offset[c]];
    return sum;
}

static void prolong_row(ViscousGrid* fine, const ViscousGrid* coarse, const double* share, int d, int r)
{
    Between y = between(d == 1, r%fine->spans.rows_y), z = between_flat(fine, d, r/fine->spans.rows_y);
    int rows = fine->dim == 3 ? 4 : 2;
    double weight[4];
    ptrdiff_t offset[4], row = viscous_row_at(fine, r), from = viscous_at(coarse, 0, y.from, z.from);
    for (int c = 0; c < rows; c++) {
        weight[c] = y.weight[c & 1]*z.weight[c >> 1];
        offset[c] = viscous_at(coarse, 0, c & 1, c >> 1);
    }
    const double *x = coarse->x[d] + from, *mass = coarse->mass[d] + from;
    SPAN_LOOP(&fine->spans, r, q)
        for (int i = fine->spans.span[q].i0; i < fine->spans.span[q].i1; i++) {
            if (share[row + i] == 0) continue;
            Between b = between(d == 0, i);
            double sum = b.weight[0]*column(x + b.from, mass + b.from, weight, offset, rows);
            if (b.weight[1] > 0) sum += b.weight[1]*column(x + b.from + 1, mass + b.from + 1, weight, offset, rows);
            fine->x[d][row + i] += share[row + i]*sum;
        }
}

// fine x += P coarse x
static void prolong(ViscousGrid* fine, const ViscousGrid* coarse, double* const share[3])
{
#pragma omp parallel for schedule(static) if (fine->parallel)
    for (int r = 0; r < fine->spans.rows; r++)
        for (int d = 0; d < fine->dim; d++) prolong_row(fine, coarse, share[d], d, r);
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

// Fine faces that a coarse one is interpolated to, with the weights of between().
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
    assert(levels >= 1 && levels <= VISCOUS_LEVELS_MOST && stiffness > 0);
    *m = (ViscousMultigrid){.levels = levels};
    m->level[0] = *finest;
    TRY(viscous_grid_take_x(&m->level[0], arena));
    HalfCells fine = *half, coarse;
    for (int l = 1; l < levels; l++) {
        stiffness *= 0.25;
        TRY(viscous_coarsen(&m->level[l], &coarse, arena, &m->level[l - 1], &fine, stiffness));
        TRY(viscous_grid_take_x(&m->level[l], arena));
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
    assert(l >= 0 && l < m->levels && m->level[l].x[0]);
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

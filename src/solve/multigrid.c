#include "solve/multigrid.h"

#include <string.h>
#include "base/vec.h"

// ---- building the coarse levels ------------------------------------------------------------------------------------------

// A coarse face gathers the fine faces on it: areas add and the distance doubles, hence half their sum (rediscretisation;
// the Galerkin sum without the half costs 30 to 100 % more iterations). Links to known values add up without the half: thick
// bodies do not mind, and thin sheets, where a halved sum over-corrects, need up to a fifth fewer iterations.
static const float COARSE_WEIGHT = 0.5f;

// Coarse cell (I,J,K) covers fine cells 2I, 2I+1 and so on (2D: K = k = 0).
static void gather_cell(Level* c, float* coarse_excess, const Level* f, const float* fine_excess, int I, int J, int K)
{
    float excess = 0, link[3] = {0, 0, 0};
    bool any = false;
    int last = f->dim == 3 ? 2 : 1;
    for (int dk = 0; dk < last; dk++)
        for (int dj = 0; dj < 2; dj++)
            for (int di = 0; di < 2; di++) {
                int i = 2*I + di, j = 2*J + dj, k = f->dim == 3 ? 2*K + dk : 0;
                if (i >= f->n[0] || j >= f->n[1] || k >= f->n[2]) continue;
                ptrdiff_t at = level_at(f, i, j, k);
                if (!(f->inverse[at] > 0)) continue;
                any = true;
                excess += fine_excess[at];
                int step[3] = {di, dj, dk};
                for (int d = 0; d < f->dim; d++)
                    if (step[d] == 0) link[d] += f->link[d][at];
            }
    if (!any) return;
    ptrdiff_t at = level_at(c, I, J, K);
    for (int d = 0; d < f->dim; d++) c->link[d][at] = COARSE_WEIGHT*link[d];
    coarse_excess[at] = excess;
    c->inverse[at] = 1;  // marks it as unknown; the diagonal follows when all links are there
}

static void set_diagonals(Level* c, const float* excess)
{
    for (int r = 0; r < c->rows; r++) {
        ptrdiff_t row = level_row(c, r);
        for (int i = 0; i < c->n[0]; i++) {
            ptrdiff_t at = row + i;
            if (!(c->inverse[at] > 0)) continue;
            float diagonal = excess[at];
            for (int d = 0; d < c->dim; d++) diagonal += c->link[d][at] + c->link[d][at + level_stride(c, d)];
            // an unknown without any link (an isolated sealed cell): keep it out of the correction
            c->inverse[at] = diagonal > 0 ? 1/diagonal : 0;
        }
    }
}

mn_status multigrid_coarsen(Multigrid* m, Arena* arena, const float* excess)
{
    m->count = 1;
    while (m->count < MULTIGRID_LEVELS) {
        const Level* f = &m->level[m->count - 1];
        int n[3] = {(f->n[0] + 1)/2, (f->n[1] + 1)/2, f->dim == 3 ? (f->n[2] + 1)/2 : 1};
        if (f->unknowns <= 32 || (n[0] == f->n[0] && n[1] == f->n[1] && n[2] == f->n[2])) break;
        Level* c = &m->level[m->count];
        TRY(level_init(c, arena, f->dim, n, f->wall));
        float* coarse_excess = ARENA_ZERO(arena, float, c->count);
        TRY_MEMORY(coarse_excess);
        coarse_excess += c->origin;
#pragma omp parallel for schedule(static) if (f->parallel)
        for (int r = 0; r < c->rows; r++)
            for (int I = 0; I < c->n[0]; I++) gather_cell(c, coarse_excess, f, excess, I, r%c->n[1], r/c->n[1]);
        set_diagonals(c, coarse_excess);
        TRY(level_find_spans(c, arena));
        if (c->unknowns == 0) break;
        excess = coarse_excess;
        m->count++;
    }
    return MN_OK;
}

// ---- transfers -----------------------------------------------------------------------------------------------------------

// Fills (or clears) the ghost layer at walls of the tank with the value next to it, so that the linear transfers see a zero
// normal derivative there. A fine box with an odd number of cells has no coarse partner past its high side.
static void mirror_walls(const Level* l, float* v, bool is_fine, bool clear)
{
    for (int axis = 0; axis < l->dim; axis++) {
        ptrdiff_t s = level_stride(l, axis);
        int n = l->n[axis], a[3] = {-1, -1, l->dim == 3 ? -1 : 0},
            b[3] = {l->n[0] + 1, l->n[1] + 1, l->dim == 3 ? l->n[2] + 1 : 1};
        a[axis] = 0, b[axis] = 1;
        bool low = l->wall[2*axis], high = l->wall[2*axis + 1] && !(is_fine && (n & 1));
        if (!low && !high) continue;
#pragma omp parallel for schedule(static) if (l->parallel)
        for (int k = a[2]; k < b[2]; k++)
            for (int j = a[1]; j < b[1]; j++) {
                float* q = v + level_at(l, 0, j, k);
                for (int i = a[0]; i < b[0]; i++) {
                    if (low) q[i - s] = clear ? 0 : q[i];
                    if (high) q[i + n*s] = clear ? 0 : q[i + (n - 1)*s];
                }
            }
    }
}

// Fine rows that feed a coarse row, with their weights: 1/4 3/4 3/4 1/4 along y and z (2D: one layer).
static int feeding_rows(ptrdiff_t row[16], float weight[16], const Level* f, int J, int K)
{
    static const float w[4] = {0.25f, 0.75f, 0.75f, 0.25f};
    int count = 0;
    for (int dk = f->dim == 3 ? -1 : 0; dk < (f->dim == 3 ? 3 : 1); dk++)
        for (int dj = -1; dj < 3; dj++) {
            int j = 2*J + dj, k = f->dim == 3 ? 2*K + dk : 0;
            if (j > f->n[1] || k > f->n[2] || (f->dim == 2 && k > 0)) continue;
            row[count] = level_at(f, 0, j, k);
            weight[count++] = w[dj + 1]*(f->dim == 3 ? w[dk + 1] : 1);
        }
    return count;
}

// coarse.b = P^T fine.t, with P linear interpolation. `line` holds at least 2*n + 4 floats.
static void restrict_row(Level* c, const Level* f, int r, float* line)
{
    ptrdiff_t fine[16], row = level_row(c, r);
    float weight[16];
    int rows = feeding_rows(fine, weight, f, r%c->n[1], r/c->n[1]);
    SPAN_LOOP(c, r, q) {
        int I0 = c->span[q].i0, I1 = c->span[q].i1, i0 = 2*I0 - 1, length = mini(2*I1 + 1, f->n[0] + 1) - i0;
        memset(line, 0, sizeof *line*(size_t)(2*(I1 - I0) + 2));
        for (int m = 0; m < rows; m++) {
            const float* restrict t = f->t + fine[m] + i0;
            for (int i = 0; i < length; i++) line[i] += weight[m]*t[i];
        }
        for (int I = I0; I < I1; I++) {
            const float* s = line + 2*(I - I0);
            c->b[row + I] = 0.25f*(s[0] + s[3]) + 0.75f*(s[1] + s[2]);
        }
    }
}

// fine.x += P coarse.x. A fine cell takes 3/4 of the coarse cell it lies in and 1/4 of the one next to it, per axis.
static void prolong_row(Level* f, const Level* c, int r, float* line)
{
    int j = r%f->n[1], k = r/f->n[1];
    ptrdiff_t row = level_row(f, r), mid = level_at(c, 0, j/2, f->dim == 3 ? k/2 : 0);
    ptrdiff_t beside = (j & 1) ? c->sy : -c->sy, above = (k & 1) ? c->sz : -c->sz;
    SPAN_LOOP(f, r, q) {
        int i0 = f->span[q].i0, i1 = f->span[q].i1, A = i0/2 - 1, E = (i1 - 1)/2 + 2;
        const float* restrict x = c->x + mid;
        if (f->dim == 3)
            for (int I = A; I < E; I++)
                line[I - A] = 0.5625f*x[I] + 0.1875f*(x[I + beside] + x[I + above]) + 0.0625f*x[I + beside + above];
        else
            for (int I = A; I < E; I++) line[I - A] = 0.75f*x[I] + 0.25f*x[I + beside];
        float* restrict out = f->x + row;
        for (int i = i0; i < i1; i++) {
            int I = i/2 - A;
            out[i] += 0.75f*line[I] + 0.25f*line[(i & 1) ? I + 1 : I - 1];
        }
    }
}

static void restrict_residual(Level* c, Level* f)
{
    mirror_walls(f, f->t, true, false);
#pragma omp parallel if (f->parallel)
    {
        float line[2*c->n[0] + 8];
#pragma omp for schedule(static)
        for (int r = 0; r < c->rows; r++) restrict_row(c, f, r, line);
    }
    mirror_walls(f, f->t, true, true);
}

static void add_correction(Level* f, Level* c)
{
    mirror_walls(c, c->x, false, false);
#pragma omp parallel if (f->parallel)
    {
        float line[c->n[0] + 8];
#pragma omp for schedule(static)
        for (int r = 0; r < f->rows; r++) prolong_row(f, c, r, line);
    }
    mirror_walls(c, c->x, false, true);
}

static void cycle(Multigrid* m, int depth)
{
    Level* l = &m->level[depth];
    level_smooth_from_zero(l);
    if (depth == m->count - 1) {
        for (int s = 0; s < 12; s++) level_smooth(l);
        return;
    }
    level_residual(l);
    restrict_residual(&m->level[depth + 1], l);
    cycle(m, depth + 1);
    add_correction(l, &m->level[depth + 1]);
    level_smooth(l);
}

void multigrid_cycle(Multigrid* m) { cycle(m, 0); }

#include "solve/viscous_grid.h"

#include <assert.h>
#include "base/vec.h"

// A face that a strain reads, or that is wet by its area, has at least this part of a full mass. It keeps A positive definite
// and is far below what momentum is measured to.
static const double LEAST_MASS = 1e-4;

// ---- memory --------------------------------------------------------------------------------------------------------------

static double* take_doubles(Arena* arena, const ViscousGrid* g)
{
    double* block = ARENA_ZERO(arena, double, g->count);
    return block ? block + g->origin : NULL;
}

mn_status viscous_grid_init(ViscousGrid* g, Arena* arena, int dim, const int n[3])
{
    assert((dim == 2 || dim == 3) && n[0] > 0 && n[1] > 0);
    *g = (ViscousGrid){.dim = dim};
    for (int d = 0; d < 3; d++) g->n[d] = d < dim ? n[d] : 1;
    g->sy = g->n[0] + 3;
    g->sz = g->sy*(g->n[1] + 3);
    g->origin = 1 + g->sy + (dim == 3 ? g->sz : 0);
    g->count = (size_t)g->sz*(size_t)(dim == 3 ? g->n[2] + 3 : 1);
    for (int d = 0; d < dim; d++) {
        TRY_MEMORY(g->state[d] = ARENA_ZERO(arena, unsigned char, g->count));
        g->state[d] += g->origin;
        TRY_MEMORY(g->mass[d] = take_doubles(arena, g));
        TRY_MEMORY(g->normal[d] = take_doubles(arena, g));
        for (int o = 0; o < dim; o++)
            if (o != d) TRY_MEMORY(g->shear[d][o] = take_doubles(arena, g));
        TRY_MEMORY(g->inverse[d] = take_doubles(arena, g));
        TRY_MEMORY(g->b[d] = take_doubles(arena, g));
        TRY_MEMORY(g->t[d] = take_doubles(arena, g));
    }
    return MN_OK;
}

mn_status viscous_grid_take_x(ViscousGrid* g, Arena* arena)
{
    for (int d = 0; d < g->dim; d++) TRY_MEMORY(g->x[d] = take_doubles(arena, g));
    return MN_OK;
}

static mn_status take_spans(Spans* s, Arena* arena, const ViscousGrid* g, long room)
{
    *s = (Spans){.rows_y = g->n[1] + 1, .rows = (g->n[1] + 1)*(g->dim == 3 ? g->n[2] + 1 : 1)};
    TRY_MEMORY(s->first = ARENA_ZERO(arena, int, s->rows + 1));
    TRY_MEMORY(s->span = ARENA_NEW(arena, Span, room));
    return MN_OK;
}

mn_status viscous_grid_look_everywhere(ViscousGrid* g, Arena* arena)
{
    TRY(take_spans(&g->look, arena, g, (long)(g->n[1] + 1)*(g->n[2] + 1)));
    for (int r = 0; r < g->look.rows; r++) {
        g->look.first[r + 1] = r + 1;
        g->look.span[r] = (Span){0, g->n[0] + 1};
    }
    g->look.covered = (long)g->look.rows*(g->n[0] + 1);
    return MN_OK;
}

// ---- finishing -----------------------------------------------------------------------------------------------------------

// Is the face read by any strain that has a stiffness? Returns what these add to the diagonal.
static double strain_diagonal(const ViscousGrid* g, int d, ptrdiff_t at)
{
    double sum = g->normal[d][at] + g->normal[d][at - viscous_stride(g, d)];
    for (int o = 0; o < g->dim; o++) {
        if (o == d) continue;
        const double* a = g->shear[d][o] + at;
        ptrdiff_t t = viscous_stride(g, o);
        sum += a[0]*a[0] + a[t]*a[t];
    }
    return sum;
}

static void finish_row(ViscousGrid* g, long* unknowns, int r)
{
    ptrdiff_t row = viscous_at(g, 0, r%g->look.rows_y, r/g->look.rows_y);
    *unknowns = 0;
    for (int d = 0; d < g->dim; d++)
        SPAN_LOOP(&g->look, r, q)
            for (ptrdiff_t at = row + g->look.span[q].i0; at < row + g->look.span[q].i1; at++) {
                double strains = strain_diagonal(g, d, at);
                if (g->state[d][at] == FACE_IS_DRY && (g->mass[d][at] > 0 || strains > 0)) g->state[d][at] = FACE_IS_FREE;
                if (g->state[d][at] != FACE_IS_FREE) continue;
                g->mass[d][at] = max2(g->mass[d][at], LEAST_MASS);
                assert(strains >= 0);
                g->inverse[d][at] = 1/(g->mass[d][at] + strains);
                ++*unknowns;
            }
}

static bool any_free(const ViscousGrid* g, ptrdiff_t at)
{
    bool any = false;
    for (int d = 0; d < g->dim; d++) any = any || g->state[d][at] == FACE_IS_FREE;
    return any;
}

// Runs of indices with a free face of any component. Counts them (out NULL) or writes them.
static int free_runs(Span* out, long* covered, const ViscousGrid* g, int r)
{
    ptrdiff_t row = viscous_at(g, 0, r%g->look.rows_y, r/g->look.rows_y);
    int count = 0;
    SPAN_LOOP(&g->look, r, q)
        for (int i = g->look.span[q].i0, last = g->look.span[q].i1; i < last;) {
            while (i < last && !any_free(g, row + i)) i++;
            if (i == last) break;
            int i0 = i;
            while (i < last && any_free(g, row + i)) i++;
            if (out) out[count] = (Span){i0, i}, *covered += i - i0;
            count++;
        }
    return count;
}

mn_status viscous_grid_finish(ViscousGrid* g, Arena* arena)
{
    assert(g->look.first && g->unknowns == 0);
    int rows = g->look.rows;
    long* unknowns = ARENA_NEW(arena, long, rows);
    TRY_MEMORY(unknowns);
#pragma omp parallel for schedule(static) if (spans_parallel(&g->look))
    for (int r = 0; r < rows; r++) finish_row(g, &unknowns[r], r);
    for (int r = 0; r < rows; r++) g->unknowns += unknowns[r];
    long runs = 0;
    for (int r = 0; r < rows; r++) runs += free_runs(NULL, NULL, g, r);
    TRY(take_spans(&g->spans, arena, g, runs));
    for (int r = 0; r < rows; r++)
        g->spans.first[r + 1] = g->spans.first[r] + free_runs(g->spans.span + g->spans.first[r], &g->spans.covered, g, r);
    g->parallel = spans_parallel(&g->spans);
    TRY_MEMORY(g->row = ARENA_NEW(arena, double, 2*rows));
    return MN_OK;
}

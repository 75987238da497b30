// The columns of operators beside the grid in the preconditioner, by Woodbury's formula.
#include <assert.h>
#include <string.h>
#include "base/dense.h"
#include "solve/poisson_private.h"

#define FOR_COLUMNS(g, b, r, column)                                                                                             \
    for (Beside* b = (g)->beside; b < (g)->beside + (g)->besides; b++)                                                           \
        for (int r = 0; r < b->op->rank; r++, column++)

// U^T z with z in the finest levels' x (float), or in one column of W.
static double along_column(const PoissonSolver* g, const PoissonOperator* op, int r, float* const* z)
{
    double sum = 0;
    for (int m = 0; m < op->count; m++) {
        const float* part = z ? z[op->part[m]] : g->part[op->part[m]].mg.level[0].x;
        sum += op->column[(size_t)r*(size_t)op->count + (size_t)m]*(double)part[op->cell[m]];
    }
    return sum;
}

// W = Z u of one column u. A part's rows are those of the whole matrix over its weight.
static mn_status cycle_column(PoissonSolver* g, float** w, const PoissonOperator* op, int r, Arena* arena)
{
    assert(op->column && r >= 0 && r < op->rank);
    for (int q = 0; q < g->count; q++) {
        Part* s = &g->part[q];
        Level* l = &s->mg.level[0];
        if (s->empty) continue;
        level_clear(l, s->p);
        for (int m = 0; m < op->count; m++)
            if (op->part[m] == q) s->p[op->cell[m]] = op->column[(size_t)r*(size_t)op->count + (size_t)m]/s->weight;
        part_scale_right_side(s, s->p);
        multigrid_cycle(&s->mg, &s->sums);
        components_project_float(&s->sealed, l->x);
        float* out = ARENA_NEW(arena, float, l->count);
        TRY_MEMORY(out);
        memcpy(out, l->x - l->origin, sizeof *out*l->count);
        w[q] = out + l->origin;
        level_clear(l, s->p);
    }
    return MN_OK;
}

mn_status dense_build(PoissonSolver* g, const PoissonGroup* group, Arena* arena)
{
    DenseBorder* d = &g->dense;
    for (int o = 0; o < group->ops; o++) d->rank += group->op[o].count > 0 ? group->op[o].rank : 0;
    if (d->rank == 0) return MN_OK;
    TRY_MEMORY(d->matrix = ARENA_ZERO(arena, double, d->rank*d->rank));
    TRY_MEMORY(d->c = ARENA_NEW(arena, double, d->rank));
    TRY_MEMORY(d->w = ARENA_ZERO(arena, float*, d->rank*g->count));
    int i = 0;
    FOR_COLUMNS(g, b, r, i) TRY(cycle_column(g, d->w + i*g->count, b->op, r, arena));
    i = 0;
    FOR_COLUMNS(g, b, r, i)
    for (int j = 0; j <= i; j++) d->matrix[i*d->rank + j] = (i == j) + along_column(g, b->op, r, d->w + j*g->count);
    bool positive = dense_cholesky(d->matrix, d->rank);
    assert(positive);  // the cycles are positive definite, and so is 1 + U^T W
    (void)positive;
    return MN_OK;
}

// z -= W (1 + U^T W)^-1 U^T z; returns what that takes off z.r, which is c.(U^T z) since Z is symmetric.
double dense_correct(PoissonSolver* g)
{
    DenseBorder* d = &g->dense;
    double off = 0;
    int i = 0;
    FOR_COLUMNS(g, b, r, i) d->c[i] = along_column(g, b->op, r, NULL);
    dense_solve(d->c, d->matrix, d->rank);
    i = 0;
    FOR_COLUMNS(g, b, r, i) off += d->c[i]*along_column(g, b->op, r, NULL);
    for (int column = 0; column < d->rank; column++)
        for (int q = 0; q < g->count; q++) {
            const float* w = d->w[column*g->count + q];
            const float c = (float)d->c[column];
            const Level* l = &g->part[q].mg.level[0];
            for (int row = 0; w && row < l->rows; row++)
                SPAN_LOOP(l, row, m)
                    for (int x = l->span[m].i0; x < l->span[m].i1; x++)
                        l->x[level_row(l, row) + x] -= c*w[level_row(l, row) + x];
        }
    return off;
}

#include "liquid/momentum.h"

#include <assert.h>
#include "base/vec.h"
#include "liquid/rowsums.h"

unsigned momentum_free_axes(const Liquid* q)
{
    int lo[3], hi[3];
    if (!liquid_bounds(lo, hi, q)) return 0;
    unsigned axes = all_axes(q->w.dim);
    for (int d = 0; d < q->w.dim; d++)
        for (int high = 0; high < 2; high++) {
            Side side = q->w.side[2*d + high];
            if (side == SIDE_INSIDE || (high ? hi[d] < q->w.n[d] - 1 : lo[d] > 0)) continue;
            if (side != SIDE_IS_MIRROR) return 0;
            axes &= ~(1u << d);
        }
    if (!liquid_solid(q)) return axes;
    for (int m = 0; m < q->cells.count; m++)
        if (vec_norm(q->cells.cut[m].solid) > 0) return 0;
    return axes;
}

// Volume-weighted sums over one row of cells: the velocity of a cell is the mean of its faces'.
static void velocity_row(double sum[ROW_SUMS], const Liquid* q, int r)
{
    const Window* w = &q->w;
    const Spans* s = &q->spans;
    int j = r%s->rows_y, k = r/s->rows_y;
    for (int d = 0; d < 4; d++) sum[d] = 0;
    if (j >= w->n[1] || k >= w->n[2]) return;
    ptrdiff_t row = window_at(w, 0, j, k);
    SPAN_LOOP(s, r, m)
        for (int i = s->span[m].i0; i < mini(s->span[m].i1, w->n[0]); i++) {
            double volume = cutcells_fraction(&q->cells, row + i);
            if (!(volume > 0)) continue;
            sum[3] += volume;
            for (int d = 0; d < w->dim; d++)
                sum[d] += 0.5*volume*(q->u[d].v[row + i] + q->u[d].v[row + i + window_stride(w, d)]);
        }
}

mn_status momentum_mean_velocity(double mean[3], const Liquid* q, Arena* arena)
{
    double sum[ROW_SUMS];
    TRY(rowsums(sum, q, velocity_row, arena));
    for (int d = 0; d < 3; d++) mean[d] = sum[3] > 0 ? sum[d]/sum[3] : 0;
    return MN_OK;
}

// u += change all over the spans (m/s), and the ghosts after it: spans end on the ghosts of the high sides, but begin past those
// of the low ones.
static void shift_velocity(Liquid* q, const double change[3])
{
    const Spans* s = &q->spans;
#pragma omp parallel for schedule(static) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        for (int d = 0; d < q->w.dim; d++)
            SPAN_LOOP(s, r, m)
                for (int i = s->span[m].i0; i < s->span[m].i1; i++) q->u[d].v[row + i] += change[d];
    }
    double* u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    faces_exchange(u, &q->w, EVERY_LAYER);
}

mn_status momentum_note(Motion* motion, const Liquid* q, Arena* arena)
{
    *motion = (Motion){.axes = momentum_free_axes(q)};
    return motion->axes ? momentum_mean_velocity(motion->v, q, arena) : MN_OK;
}

mn_status momentum_settle(Liquid* q, Motion* motion, Arena* arena)
{
    assert((motion->axes & ~all_axes(q->w.dim)) == 0);
    double now[3];
    if (!motion->axes) return MN_OK;
    TRY(momentum_mean_velocity(now, q, arena));
    for (int d = 0; d < 3; d++) motion->change[d] = motion->axes >> d & 1 ? motion->v[d] - now[d] : 0;
    shift_velocity(q, motion->change);
    return MN_OK;
}

mn_status momentum_note_free(FreeMotion** list, const Liquid* liquid, int count, Arena* kept, Arena* scratch)
{
    assert(kept != scratch);
    FreeMotion* out = ARENA_ZERO(kept, FreeMotion, count + 1);
    TRY_MEMORY(out);
    *list = out;
    for (int m = 0; m < count; m++) {
        Motion motion;
        TRY(momentum_note(&motion, &liquid[m], scratch));
        arena_reset(scratch);
        if (motion.axes) *out++ = (FreeMotion){liquid[m].id, liquid[m].target_volume, motion};
    }
    return MN_OK;
}

mn_status momentum_settle_free(const FreeMotion* list, Liquid* liquid, int count, const double acceleration[3], double dt,
                               Arena* scratch)
{
    assert(dt > 0);
    for (const FreeMotion* f = list; f && f->id != 0; f++)
        for (int m = 0; m < count; m++) {
            Liquid* q = &liquid[m];
            if (q->id != f->id || q->target_volume != f->target_volume) continue;
            Motion motion = {.axes = f->motion.axes & momentum_free_axes(q)};
            for (int d = 0; d < 3; d++) motion.v[d] = f->motion.v[d] + dt*acceleration[d];
            TRY(momentum_settle(q, &motion, scratch));
            arena_reset(scratch);
        }
    return MN_OK;
}

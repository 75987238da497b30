#include "liquid/held_lines.h"

#include <assert.h>
#include <math.h>
#include "grid/interpolate.h"

// Cells from a skin within which a cubic at a point of it reads: 2 along each axis, sqrt(3)*2 at most, and what the skin goes on.
static const double NEAR_SKIN = 4;

// The solids as they will move in this step: what moves by a script has the velocity that brings it to its next place; bodies go
// with the one they have, and solids that change their form with that of the step before.
static mn_status solids_to_come(Solids* out, Arena* arena, const StepContext* ctx)
{
    const Solids* now = &ctx->world->solids;
    *out = *now;
    TRY_MEMORY(out->solid = ARENA_NEW(arena, Solid, now->count));
    for (int m = 0; m < now->count; m++) {
        Solid* s = &out->solid[m];
        *s = now->solid[m];
        if (!s->moving || s->body > 0 || s->form) continue;
        Pose next, here = s->pose;
        TRY(ctx->model->functions.pose(&next, ctx->model->functions.user, m, ctx->world->time + ctx->dt));
        solid_move(s, &next, ctx->dt);
        s->pose = here;
    }
    return MN_OK;
}

static void carry_row(double* out, const double* before, const Liquid* q, const Solids* solids, double dt, int r)
{
    const Window* w = &q->w;
    int j = r%q->spans.rows_y, k = r/q->spans.rows_y;
    SPAN_LOOP(&q->spans, r, m)
        for (int i = q->spans.span[m].i0; i < q->spans.span[m].i1; i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            double x[3], v[3], from[3] = {i, j, k};
            if (!(fabs(q->phi_solid.v[at]) < NEAR_SKIN*w->dx)) continue;
            window_position(x, w, i, j, k);
            solids_velocity(v, solids, x);
            if (v[0] == 0 && v[1] == 0 && v[2] == 0) continue;
            for (int d = 0; d < w->dim; d++) from[d] -= dt*v[d]/w->dx;
            out[at] = interpolate_cubic(NULL, before, w, w->dim, from);
        }
}

mn_status held_with_skins(double** out, Arena* arena, const double* before, const Liquid* q, const StepContext* ctx)
{
    Solids solids;
    *out = NULL;
    if (!liquid_solid(q) || !ctx->world->solids.any_moving) return MN_OK;
    assert(ctx->dt > 0);
    TRY(solids_to_come(&solids, arena, ctx));
    TRY_MEMORY(*out = window_copy(arena, before, &q->w));
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(&q->spans))
    for (int r = 0; r < q->spans.rows; r++) carry_row(*out, before, q, &solids, ctx->dt, r);
    nodes_exchange(*out, &q->w, EVERY_LAYER);
    return MN_OK;
}

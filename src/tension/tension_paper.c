// The cycles of [cohen2004] as printed, for comparison with ours (tension_split.c):
//     u_0 = u, S_0 = S;   i = 1..n-1:   u_i = u_{i-1} + h F(S_{i-1}),   S_i = advect(S_{i-1}, u_{i-1}, h),   h = dt/n
//     S_new = advect(S_{n-1}, u_{n-1}, h),   u_new = u + dt (F(S_{n-1}) + g - u.grad u - grad p/rho)
// with F the band force of tension_band.c, without its smoothing. Nothing makes the u_i divergence-free, so even a round drop at
// rest shrinks in the cycles, and a long wave is moved by the inertia of the band alone. Three switches:
//     balance      kappa less its mean over the surface, which a uniform pressure would carry anyway
//     provisional  the S_i only serve to find F; the surface that stays is carried once, by u
//     mean         the mean of F(S_0)..F(S_{n-1}) in place of the last
#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "liquid/momentum.h"
#include "grid/advect.h"
#include "grid/curvature.h"
#include "grid/interpolate.h"
#include "liquid/wetting.h"
#include "tension/flow_pressure.h"
#include "tension/marangoni.h"
#include "tension/tension.h"
#include "tension/tension_band.h"
#include "tension/tension_split.h"

static double mean_over_surface(const double* kappa, const Liquid* q)
{
    double sum = 0, area = 0;
    for (int m = 0; m < q->cells.count; m++) {
        const CutCell* c = &q->cells.cut[m];
        double x[3] = {c->i + c->center[0], c->j + c->center[1], c->k + c->center[2]};
        if (c->patch_area > 0) sum += c->patch_area*node_value(kappa, &q->w, x), area += c->patch_area;
    }
    return area > 0 ? sum/area : 0;
}

// to += factor from, on the spans
static void add(double* const to[3], double factor, double* const from[3], const Liquid* q)
{
    const Spans* s = &q->spans;
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        for (int d = 0; d < q->w.dim; d++)
            SPAN_LOOP(s, r, m)
                for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++) to[d][at] += factor*from[d][at];
    }
}

typedef struct Cycle {
    double *phi, *kappa, *u[3], *force[3];  // S_i, sigma times its curvature, u_i, F(S_i)
    double* sigma;                          // N/m, where it depends on the place
    Wetting wet;
    const Contact* contact;
} Cycle;

// All memory from `kept`: there are many cycles, and each leaves its scratch behind.
static mn_status take_arrays(Cycle* c, SplitCycles* out, const Liquid* q, Arena* kept)
{
    const Window* w = &q->w;
    TRY_MEMORY(c->phi = window_copy(kept, q->phi.v, w));
    TRY_MEMORY(c->kappa = ARENA_ZERO(kept, double, w->count));
    c->kappa += w->origin;
    for (int d = 0; d < w->dim; d++) {
        TRY_MEMORY(c->u[d] = window_copy(kept, q->u[d].v, w));
        TRY_MEMORY(c->force[d] = ARENA_NEW(kept, double, w->count));
        TRY_MEMORY(out->push[d] = ARENA_ZERO(kept, double, w->count));
        c->force[d] += w->origin, out->push[d] += w->origin;
    }
    return MN_OK;
}

// F(S), m/s^2
static mn_status find_force(Cycle* c, const Liquid* q, StepContext* ctx)
{
    assert(q->material.sigma > 0);
    const Window* w = &q->w;
    const Spans* s = &q->spans;
    curvature_nodes(c->kappa, c->phi, s, w);
    tension_pull_lines(c->kappa, c->phi, NULL, q, c->contact);
    double mean = ctx->model->settings.tension.balance ? mean_over_surface(c->kappa, q) : 0;
    for (int r = 0; r < s->rows; r++)
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                ptrdiff_t at = window_at(w, i, r%s->rows_y, r/s->rows_y);
                c->kappa[at] = (c->sigma ? c->sigma[at] : q->material.sigma)*(c->kappa[at] - mean);
            }
    nodes_exchange(c->kappa, w, LINEAR_READS);
    for (int d = 0; d < w->dim; d++) memset(c->force[d] - w->origin, 0, sizeof(double)*w->count);
    Band b;
    TRY(band_build(&b, ctx->scratch, c->phi, s, w, ctx->model->settings.tension.band));
    band_push(c->force, &b, c->kappa, 1/q->material.rho, w);
    return MN_OK;
}

mn_status tension_paper_run(SplitCycles* out, Liquid* q, StepContext* ctx)
{
    assert(ctx->dt > 0 && ctx->kept != ctx->scratch);
    const TensionSettings* t = &ctx->model->settings.tension;
    int n = tension_step(q, ctx)->cycles;
    Arena* kept = ctx->kept;
    *out = (SplitCycles){.w = q->w, .count = n};
    if (!(q->material.sigma > 0)) return MN_OK;
    Cycle c;
    double dt = ctx->dt, h = dt/n;
    c.contact = wetting_of(&c.wet, q, &ctx->world->solids, ctx->model->settings.wall_angle);
    levelset_exchange(q->phi.v, &q->w, c.contact, EVERY_LAYER);
    TRY(take_arrays(&c, out, q, kept));
    TRY(marangoni_sigma(&c.sigma, q, ctx));
    if (c.sigma) TRY_MEMORY(c.sigma = window_copy(kept, c.sigma, &q->w));
    for (int i = 0; i < n; i++) {
        arena_reset(ctx->scratch);
        TRY(find_force(&c, q, ctx));
        if (t->mean || i == n - 1) add(out->push, t->mean ? h : dt, c.force, q);
        levelset_exchange(c.phi, &q->w, c.contact, EVERY_LAYER);
        TRY(advect_levelset_contact(c.phi, ctx->scratch, c.u, &q->spans, &q->w, liquid_band(q), h, flow_advection(q, ctx),
                                    c.contact, liquid_solid(q)));
        TRY(flow_wet(c.phi, ctx->scratch, q, ctx, c.contact, q->phi.v, c.contact && c.wet.hysteresis));
        add(c.u, h, c.force, q);
        faces_exchange(c.u, &q->w, EVERY_LAYER);
    }
    if (!t->provisional) TRY_MEMORY(out->phi = window_copy(kept, c.phi, &q->w));
    arena_reset(ctx->scratch);
    return MN_OK;
}

static void push(Liquid* q, const TensionSplit* split)
{
    const Window* w = &q->w;
    const Spans* s = &q->spans;
    for (int l = 0; l < split->count; l++) {
        const SplitCycles* c = &split->liquid[l];
        if (!c->push[0]) continue;
        for (int r = 0; r < s->rows; r++)
            SPAN_LOOP(s, r, m)
                for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                    int j = r%s->rows_y, k = r/s->rows_y, at[3] = {i + w->lo[0] - c->w.lo[0], j + w->lo[1] - c->w.lo[1], 0};
                    if (w->dim == 3) at[2] = k + w->lo[2] - c->w.lo[2];
                    bool inside = true;
                    for (int d = 0; d < w->dim; d++) inside = inside && at[d] >= 0 && at[d] <= c->w.n[d];
                    if (!inside) continue;
                    ptrdiff_t from = window_at(&c->w, at[0], at[1], at[2]);
                    for (int d = 0; d < w->dim; d++) q->u[d].v[window_at(w, i, j, k)] += c->push[d][from];
                }
    }
}

mn_status tension_paper_push(Liquid* q, StepContext* ctx)
{
    if (tension_step(q, ctx)->way != TENSION_AS_PRINTED) return MN_OK;
    Motion motion;
    TRY(momentum_note(&motion, q, ctx->scratch));
    push(q, ctx->tension->split);
    MirrorForce force = momentum_mirror_force(q, q->material.sigma);
    momentum_add_pull(&motion, q, &force, ctx->dt);
    TRY(momentum_settle(q, &motion, ctx->scratch));
    arena_reset(ctx->scratch);
    return MN_OK;
}

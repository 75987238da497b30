// Split time scales [cohen2004]: the flow takes steps of its own, bound by how far it moves; within each, tension cycles n times.
//
// The cycles see the surface, the cut cells and the pressure's matrix of the step's start, frozen. With h = dt/n, i = 1..n:
//     phi_i = phi_{i-1} - h u_{i-1}.grad phi     near the surface, u taken at the surface point next to the node
//     q_i = sigma kappa(phi_i) + G (phi_0 - phi_i)     pressure on the frozen surface, G = -dp/dn (below)
//     u_i = P(u_0 + i h g; mean of q_1..q_i)           projection with the impulse so far; needed up to n - 1
// Then the full step carries surface and velocity with ubar = mean(u_0..u_{n-1}), and projects with the surface pressure
//     qbar = mean(q_1..q_n) - G (phi_0 - phi_n)
// brought to the new surface. For a wave x' = v, v' = -w^2 x this is n steps of the symplectic Euler rule, the same as n explicit
// steps, for each of which the paper's scheme and ours alike pay no advection, no distances, no topology and no volume.
//
// What makes it stable and exact (docs/tension.md derives it from the same oscillator):
// - Velocity on the surface, not at the node. If level sets off the surface lag, kappa answers too weakly by r < 1, and the step
//   grows waves by (1/r - 1)(1 - cos w dt)/2.
// - The same with the velocity past the surface: the cycles continue it with the last slope (extend.h), a bit more than the
//   limited slope of the full step; the full step moves the surface no more than the cycles do.
// - Waves whose period divides dt stand still in a full step and any error feeds them. kappa is taken where the surface will be
//   a little later, as far as short waves go (AHEAD): they lose (k dx/2)^2 (w h)^2 per cycle, waves of 32 cells nothing to speak
//   of. For the same reason the mean curvature loses its shortest waves (smooth_mean).
// - G. The pressure on the frozen surface is not that on the moved one but differs by the slope of p: rho g in a pool. Without it
//   a gravity wave loses w^2 dt/4 of its height per second.
// - qbar belongs to the middle of the step: it is carried half a step with ubar.
// - A liquid that flies freely is followed in its own mean motion v: the cycles move the surface by u - v, so that it stays near
//   the nodes that know its curvature however far the step goes, and qbar is carried by v for the other half of the step too.
#include "tension/tension_split.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/curvature.h"
#include "grid/extrapolate.h"
#include "grid/interpolate.h"
#include "liquid/momentum.h"
#include "tension/flow_pressure.h"
#include "tension/tension.h"
#include "tension/tension_cycles.h"

static double* unknown_field(Arena* arena, const Window* w)
{
    double* v = ARENA_NEW(arena, double, w->count);
    for (size_t m = 0; v && m < w->count; m++) v[m] = NAN;
    return v ? v + w->origin : NULL;
}

// ---- what the full step takes over ---------------------------------------------------------------------------------------

// ubar: the means are of everything that u_i is linear in.
static mn_status mean_velocity(SplitCycles* out, Cycles* c, Arena* kept)
{
    Liquid view = *c->q;
    StepContext* ctx = c->ctx;
    const Window* w = &view.w;
    int n = out->count;
    double share = 0.5*(n - 1)*c->h;  // mean of i h
    for (int d = 0; d < w->dim; d++) TRY_MEMORY(out->u[d] = window_copy(kept, c->q->u[d].v, w));
    for (int d = 0; d < w->dim; d++) view.u[d].v = out->u[d];
    flow_add_acceleration(&view, c->acceleration, share);
    flow_hold_walls(&view, ctx->model->settings.unilateral);
    double scale = 2.0/(n*(n - 1.0));  // sum of i
    for (size_t m = 0; m < w->count; m++) c->sum_p[(ptrdiff_t)m - w->origin] *= scale;
    TRY(cycles_set_surface(c, c->sum_u, scale));
    c->p.in.surface = c->surface, c->p.in.dt = share;
    pressure_update(&c->p, out->u, c->sum_p);
    SurfaceView surface = liquid_surface(&view);
    TRY(past_surface_fill(out->u, ctx->scratch, c->p.kind, &c->p.in.past, NULL, &surface));
    cycles_hold_to_solids(out->u, c);
    return MN_OK;
}

// Takes the fourth power of what waves of a few cells make up of the mean curvature, at most all of it.
static mn_status smooth_mean(double* kappa, Cycles* c)
{
    const Window* w = &c->q->w;
    double *once = new_field(c->ctx->scratch, w), most = 1.0/(w->dim*w->dim);
    TRY_MEMORY(once);
    for (int m = 0; m < c->nodes; m++) {
        ptrdiff_t at = c->node[m].at;
        double value = ripple(kappa + at, w);
        if (isfinite(value)) once[at] = value;
    }
    nodes_exchange(once, w, RIPPLE_READS);
    for (int m = 0; m < c->nodes; m++) {
        ptrdiff_t at = c->node[m].at;
        if (fabs(c->seen[at]) < (FOLLOW - 1.5)*w->dx) kappa[at] -= most*ripple(once + at, w);
    }
    return MN_OK;
}

static mn_status mean_curvature(SplitCycles* out, Cycles* c, Arena* kept)
{
    const Window* w = &c->q->w;
    TRY_MEMORY(out->kappa = unknown_field(kept, w));
    for (int m = 0; m < c->nodes; m++) {
        const FollowNode* f = &c->node[m];
        c->sum[f->at] = c->sum[f->at]/out->count - f->slope*(c->seen[f->at] - c->phi[f->at]);
    }
    nodes_exchange(c->sum, w, LINEAR_READS);
    // constant along the normal past the nodes it was computed for
    for (int m = 0; m < c->nodes; m++) {
        const FollowNode* f = &c->node[m];
        out->kappa[f->at] = f->near ? c->sum[f->at] : node_value(c->sum, w, f->foot);
    }
    nodes_exchange(out->kappa, w, RIPPLE_READS);
    TRY(smooth_mean(out->kappa, c));
    nodes_exchange(out->kappa, w, CUBIC_READS);
    return MN_OK;
}

static mn_status cycle(SplitCycles* out, Cycles* c, Arena* kept)
{
    TRY(cycles_freeze(c));
    for (int i = 1; i <= out->count; i++) {
        TRY(cycles_move_surface(c));
        TRY(cycles_take_curvature(c, i, out->count));
        if (i < out->count) cycles_project(c, i);
    }
    TRY(mean_velocity(out, c, kept));
    return mean_curvature(out, c, kept);
}

mn_status tension_split_run(SplitCycles* out, Liquid* q, StepContext* ctx)
{
    assert(ctx->dt > 0 && ctx->kept != ctx->scratch);
    int n = tension_step(q, ctx)->cycles;
    *out = (SplitCycles){.w = q->w, .count = n};
    if (n == 1) return MN_OK;
    Cycles c = {.q = q, .ctx = ctx, .h = ctx->dt/n};
    for (int d = 0; d < 3; d++) c.acceleration[d] = ctx->acceleration[d];
    Motion motion;
    TRY(momentum_note(&motion, q, ctx->scratch));
    for (int d = 0; d < 3; d++) out->v[d] = c.v[d] = motion.axes >> d & 1 ? motion.v[d] : 0;
    mn_status status = cycle(out, &c, ctx->kept);
    arena_free(&c.walls);
    arena_reset(ctx->scratch);
    return status;
}

// After the surface was carried by ubar: qbar, half-way behind it in the frame of the cycles, comes along.
static mn_status carry_curvature(SplitCycles* out, const Liquid* q, Arena* kept, double dt)
{
    assert(out->count == 1 || window_same(&out->w, &q->w));  // the liquid has moved, its window not yet
    if (out->count == 1) return MN_OK;
    const Spans* s = &q->spans;
    const Window* w = &q->w;
    double* carried = unknown_field(kept, w);
    TRY_MEMORY(carried);
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++)
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                int node[3] = {i, r%s->rows_y, r/s->rows_y};
                ptrdiff_t at = window_at(w, node[0], node[1], node[2]);
                if (!(fabs(q->phi.v[at]) < (FOLLOW - 1)*w->dx)) continue;
                double x[3], n[3], v[3];
                cycles_foot(x, n, q->phi.v, w, node);
                face_velocity(v, out->u, w, x);
                for (int d = 0; d < 3; d++) x[d] -= 0.5*dt/w->dx*(v[d] + out->v[d]);
                double value = interpolate_cubic(NULL, out->kappa, w, w->dim, x);
                carried[at] = isfinite(value) ? value : node_value(out->kappa, w, x);
            }
    out->kappa = carried;
    return MN_OK;
}

static mn_status carry_liquid(SplitCycles* c, Liquid* q, StepContext* ctx)
{
    if (tension_step(q, ctx)->way == TENSION_AS_PRINTED) {
        TRY(tension_paper_run(c, q, ctx));
        TRY(flow_advect(q, ctx, NULL, ctx->dt));
        if (c->phi) {
            window_copy_to(q->phi.v, c->phi, &q->w);
            solid_cut_behind(q->phi.v, &q->phi_backed, q->phi_solid.v, &q->spans, &q->w);  // its cycles saw through thin walls
        }
        return MN_OK;
    }
    TRY(tension_split_run(c, q, ctx));
    TRY(flow_advect(q, ctx, c->count > 1 ? c->u : NULL, ctx->dt));
    return carry_curvature(c, q, ctx->kept, ctx->dt);
}

mn_status tension_split_carry(StepContext* ctx)
{
    TensionSplit* t = ARENA_NEW(ctx->kept, TensionSplit, 1);
    TRY_MEMORY(t);
    *t = (TensionSplit){.count = ctx->world->liquid_count};
    TRY_MEMORY(t->liquid = ARENA_NEW(ctx->kept, SplitCycles, t->count));
    for (int m = 0; m < t->count; m++) TRY(carry_liquid(&t->liquid[m], &ctx->world->liquid[m], ctx));
    ctx->tension->split = t;
    return MN_OK;
}

// Mean curvature at a node of the tank from one liquid's cycles; NAN: not known.
static double known_curvature(const SplitCycles* c, const int node[3])
{
    int at[3] = {0, 0, 0};
    for (int d = 0; d < c->w.dim; d++) {
        at[d] = node[d] - c->w.lo[d];
        if (at[d] < 0 || at[d] > c->w.n[d]) return NAN;
    }
    return c->kappa ? c->kappa[window_at(&c->w, at[0], at[1], at[2])] : NAN;
}

void tension_split_curvature(double* kappa, const Liquid* q, const TensionSplit* split)
{
    assert(kappa != q->phi.v && q->spans.first);
    const Spans* s = &q->spans;
    const Window* w = &q->w;
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++)
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                int j = r%s->rows_y, k = r/s->rows_y;
                ptrdiff_t at = window_at(w, i, j, k);
                if (!(fabs(q->phi.v[at]) < CURVATURE_REACH*w->dx)) continue;
                double value = NAN;
                for (int l = 0; l < split->count && !isfinite(value); l++)
                    value = known_curvature(&split->liquid[l], (int[3]){i + w->lo[0], j + w->lo[1], k + w->lo[2]});
                if (isfinite(value)) kappa[at] = value;
            }
}

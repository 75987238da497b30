// What the cycles of tension see, frozen at the start of the step: the surface with the points that follow it, the cut cells, the
// pressure's matrix and the ways its surface pressures act.
#include <assert.h>
#include "base/vec.h"
#include "grid/extrapolate.h"
#include "grid/interpolate.h"
#include "liquid/letting_go.h"
#include "tension/flow_pressure.h"
#include "tension/marangoni.h"
#include "tension/tension.h"
#include "tension/tension_cycles.h"

static const double NEAR = 1.8;           // nodes this close (cells) get a curvature: all that a surface point reads
static const double DEPTH = 2.5;          // faces down to here get the velocities of the cycles
static const double PROBE[2] = {2, 3.5};  // depths between which the slope of p is taken
enum { LAYERS = 2 };

// (p(deep) - p(less deep))/distance below the foot, from the last projection; 0 where the liquid is too thin for that.
static double pressure_slope(const Liquid* q, const double foot[3], const double n[3])
{
    double value[2];
    for (int m = 0; m < 2; m++) {
        double x[3] = {foot[0] - PROBE[m]*n[0], foot[1] - PROBE[m]*n[1], foot[2] - PROBE[m]*n[2]};
        if (fabs(node_value(q->phi.v, &q->w, x)/q->w.dx + PROBE[m]) > 0.5) return 0;
        value[m] = interpolate_at(q->p.v, &q->w, x[0] - 0.5, x[1] - 0.5, x[2] - 0.5);
    }
    return (value[1] - value[0])/((PROBE[1] - PROBE[0])*q->w.dx);
}

static bool near_side(const Window* w, const int node[3])
{
    for (int d = 0; d < w->dim; d++)
        if ((node[d] <= GHOST && w->side[2*d] != SIDE_INSIDE) ||
            (node[d] >= w->n[d] - GHOST && w->side[2*d + 1] != SIDE_INSIDE))
            return true;
    return false;
}

void cycles_foot(double foot[3], double n[3], const double* phi, const Window* w, const int node[3])
{
    ptrdiff_t at = window_at(w, node[0], node[1], node[2]);
    node_gradient(n, phi, w, at);
    double length = fmax(vec_norm(n), 0.1*w->dx);
    for (int d = 0; d < 3; d++) n[d] /= length, foot[d] = node[d] - phi[at]*n[d]/length;
}

static ptrdiff_t nearest_node(const Window* w, const int from[3], const double x[3])
{
    ptrdiff_t at = 0;
    for (int d = 0; d < w->dim; d++) at += window_stride(w, d)*clampi(nearest_point(from[d], x[d]), 0, w->n[d]);
    return at;
}

static mn_status list_nodes(Cycles* c)
{
    const Liquid* q = c->q;
    const Spans* s = &q->spans;
    int count = 0;
    double* sigma;
    TRY(marangoni_sigma(&sigma, c->q, c->ctx));
    for (int pass = 0; pass < 2; pass++) {
        if (pass) TRY_MEMORY(c->node = ARENA_NEW(c->ctx->scratch, FollowNode, count));
        count = 0;
        for (int r = 0; r < s->rows; r++)
            SPAN_LOOP(s, r, m)
                for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                    int node[3] = {i, r%s->rows_y, r/s->rows_y};
                    ptrdiff_t at = window_at(&q->w, node[0], node[1], node[2]);
                    double away = fabs(c->seen[at])/q->w.dx, n[3];
                    if (!(away < FOLLOW)) continue;
                    if (pass) {
                        FollowNode* f = &c->node[count];
                        *f = (FollowNode){.at = at, .near = away < NEAR, .sigma = sigma ? sigma[at] : q->material.sigma};
                        cycles_foot(f->foot, n, c->seen, &q->w, node);
                        f->beside = nearest_node(&q->w, node, f->foot);
                        if (f->near) f->slope = pressure_slope(q, f->foot, n)/f->sigma;
                        c->at_side = c->at_side || near_side(&q->w, node);
                    }
                    count++;
                }
    }
    c->nodes = count;
    return MN_OK;
}

static mn_status list_faces(Cycles* c)
{
    const Liquid* q = c->q;
    const Spans* s = &q->spans;
    const Window* w = &q->w;
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass) TRY_MEMORY(c->face = ARENA_NEW(c->ctx->scratch, InnerFace, count));
        count = 0;
        for (int r = 0; r < s->rows; r++)
            SPAN_LOOP(s, r, m)
                for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                    int cell[3] = {i, r%s->rows_y, r/s->rows_y};
                    ptrdiff_t at = window_at(w, cell[0], cell[1], cell[2]);
                    for (int d = 0; d < w->dim; d++) {
                        ptrdiff_t low = at - window_stride(w, d);
                        if (!c->p.kind[d][at] || cell[d] == 0 || cell[d] == w->n[d]) continue;
                        if (!(face_mean(q->phi.v, w, d, at) > -DEPTH*w->dx)) continue;
                        bool inner = c->p.cell[at] != CELL_IS_DRY && c->p.cell[at] != CELL_IS_ELIMINATED &&
                                     c->p.cell[low] != CELL_IS_DRY && c->p.cell[low] != CELL_IS_ELIMINATED;
                        if (!inner) continue;
                        if (pass) c->face[count] = (InnerFace){at, d};
                        count++;
                    }
                }
    }
    c->faces = count;
    return MN_OK;
}

// The two parts of the right-hand side that do not change but in proportion: b_i = known + flow/i + pull.
static mn_status split_sources(Cycles* c)
{
    Liquid view = *c->q;
    const Window* w = &view.w;
    const Spans* s = &view.spans;
    c->p.in.surface = NULL;
    for (int d = 0; d < w->dim; d++) view.u[d].v = c->u[d];
    pressure_refresh(&c->p, c->u);
    TRY_MEMORY(c->flow = window_copy(c->ctx->scratch, c->p.system.b, w));
    flow_add_acceleration(&view, c->acceleration, c->h);
    flow_hold_walls(&view, c->ctx->model->settings.unilateral);
    pressure_refresh(&c->p, c->u);
    TRY_MEMORY(c->pull = window_copy(c->ctx->scratch, c->p.system.b, w));
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, m)
            for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++) c->pull[at] -= c->flow[at];
    }
    // what open skin pulls with does not depend on the time either
    for (int m = 0; c->p.in.skins && m < c->p.in.skins->count; m++) {
        const Skin* skin = &c->p.in.skins->skin[m];
        double known = pressure_skin_pull(&c->p, skin);
        if (known != 0) c->flow[skin->at] -= known, c->pull[skin->at] += known;
    }
    for (int d = 0; d < w->dim; d++) window_copy_to(c->u[d], c->q->u[d].v, w);
    return MN_OK;
}

// Skin lets go in the cycles where the pressure of the last step pulls too hard: it stands for them all.
static mn_status let_go(Cycles* c)
{
    int count = 0;
    for (int round = 1, more = 1; more > 0; round++) count += more = letting_go_open(&c->p, c->q, round);
    return count > 0 ? pressure_reopen(&c->p, c->ctx->scratch, c->u) : MN_OK;
}

void cycles_hold_to_solids(double* const u[3], const Cycles* c)
{
    const StepContext* ctx = c->ctx;
    if (ctx->world->solids.count == 0) return;
    const double* phi = ctx->model->settings.unilateral ? c->q->phi.v : NULL;
    held_faces_set(u, &c->held, phi, (SolidMotion){solids_velocity, &ctx->world->solids}, &c->q->w);
}

void cycles_reach_past_surface(Cycles* c)
{
    const Liquid* q = c->q;
    extend_apply(c->u, &c->extend, &q->w);
    if (c->at_side) faces_exchange(c->u, &q->w, VELOCITY_CUBIC_READS);
    cycles_hold_to_solids(c->u, c);
}

static mn_status take_arrays(Cycles* c)
{
    Arena* arena = c->ctx->scratch;
    const Liquid* q = c->q;
    const Window* w = &q->w;
    for (int d = 0; d < w->dim; d++) TRY_MEMORY(c->u[d] = window_copy(arena, q->u[d].v, w));
    TRY(flow_seen(&c->seen, arena, q, c->ctx, c->contact));
    TRY_MEMORY(c->phi = window_copy(arena, c->seen, w));
    TRY_MEMORY(c->ahead = window_copy(arena, c->seen, w));
    TRY_MEMORY(c->pressure = window_copy(arena, q->p.v, w));
    double** zero[] = {&c->rate, &c->kappa, &c->sum, &c->sum_u, &c->sum_p, &c->surface};
    for (size_t m = 0; m < sizeof zero/sizeof *zero; m++) TRY_MEMORY(*zero[m] = new_field(arena, w));
    return MN_OK;
}

mn_status cycles_freeze(Cycles* c)
{
    Liquid* q = c->q;
    StepContext* ctx = c->ctx;
    Arena* arena = ctx->scratch;
    c->contact = wetting_of(&c->wet, q, &ctx->world->solids, ctx->model->settings.wall_angle);
    levelset_exchange(q->phi.v, &q->w, c->contact, EVERY_LAYER);
    if (ctx->world->solids.count > 0) {
        nodes_exchange(q->phi_solid.v, &q->w, HELD_FACES_READ);
        TRY(held_faces_find(&c->held, arena, q->phi_solid.v, &q->spans, &q->w));
    }
    TRY(take_arrays(c));
    TRY(flow_edges(&c->edges, arena, c->seen, q, c->contact));
    PressureInput in;
    TRY(flow_pressure_input(&in, q, ctx, SURFACE_IS_FREE, c->h));
    in.past = past_surface_anew(&in.past);
    TRY(flow_skins(&in, q, ctx));
    TRY(pressure_build(&c->p, arena, &in, c->u));
    TRY(let_go(c));
    TRY(split_sources(c));
    TRY(pressure_surface_links(&c->link, &c->links, arena, &c->p, c->u));
    TRY_MEMORY(c->known = ARENA_NEW(arena, double, c->links));
    TRY(poisson_prepare(&c->solver, &c->p.system, arena));
    pressure_update(&c->p, c->u, c->pressure);  // only to learn which faces it sets
    for (int d = 0; d < q->w.dim; d++) window_copy_to(c->u[d], q->u[d].v, &q->w);
    TRY(extend_build(&c->extend, arena, c->p.kind, q->phi.v, &q->spans, &q->w, LAYERS));
    TRY(list_nodes(c));
    TRY(list_faces(c));
    cycles_reach_past_surface(c);
    return MN_OK;
}

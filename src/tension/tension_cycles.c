// One cycle of tension: the surface moves, its curvature is a pressure, and that makes a velocity. The method is told in
// tension_split.c.
#include "tension/tension_cycles.h"

#include <assert.h>
#include "base/vec.h"
#include "grid/curvature.h"
#include "grid/interpolate.h"
#include "liquid/flow.h"
#include "tension/tension.h"

static const double AHEAD = 1;
// The last pressure is a good start for the solve of a cycle; in the very first step there is none.
enum { ITERATIONS = 2, FIRST_ITERATIONS = 50 };

// Derivative along one axis, per cell, fourth order.
static inline double slope_along(const double* v, ptrdiff_t s) { return (8*(v[s] - v[-s]) - (v[2*s] - v[-2*s]))/12; }

// Ghosts and solids: phi goes on past them at the contact angle. A line that hysteresis holds stays where the step found it.
static mn_status meet_walls(Cycles* c, double* phi)
{
    arena_reset(&c->walls);
    if (c->contact || c->ctx->world->solids.count > 0)
        return flow_wet(phi, &c->walls, c->q, c->ctx, c->contact, c->q->phi.v, c->contact && c->wet.hysteresis);
    if (c->at_side) nodes_exchange(phi, &c->q->w, CURVATURE_READS);
    return MN_OK;
}

// Velocity at the foot of a node, less the frame's, as good as that with which the full step moves the surface (advect_levelset):
// what linear reading takes from a wave is put back. Without it cycles follow late, and waves of 32 cells grow by 1 % per period.
static void surface_velocity(double v[3], const Cycles* c, const FollowNode* f)
{
    const Window* w = &c->q->w;
    double linear[3], cubic[3];
    face_velocity(v, c->u, w, f->foot);
    velocity_on_node(linear, c->u, w, w->dim, f->beside);
    velocity_on_node_cubic(cubic, c->u, w, w->dim, f->beside);
    for (int d = 0; d < w->dim; d++) v[d] += cubic[d] - linear[d] - c->v[d];
}

mn_status cycles_move_surface(Cycles* c)
{
    const Window* w = &c->q->w;
    CYCLE_LOOP(c)
    for (int m = 0; m < c->nodes; m++) {
        const FollowNode* f = &c->node[m];
        double v[3], g[3] = {0, 0, 0};
        surface_velocity(v, c, f);
        if (fabs(c->seen[f->at]) < 3*w->dx)
            for (int d = 0; d < w->dim; d++) g[d] = slope_along(c->phi + f->at, window_stride(w, d));
        else node_gradient(g, c->phi, w, f->at);
        c->rate[f->at] = c->h/w->dx*vec_dot(v, g);
    }
    if (c->at_side) nodes_exchange(c->rate, w, RIPPLE_READS);
    CYCLE_LOOP(c)
    for (int m = 0; m < c->nodes; m++) {
        ptrdiff_t at = c->node[m].at;
        c->phi[at] -= c->rate[at];
        bool inside = fabs(c->seen[at]) < (FOLLOW - 1)*w->dx;  // neighbours have a rate too
        c->ahead[at] = inside ? c->phi[at] - AHEAD*ripple(c->rate + at, w) : c->phi[at];
    }
    TRY(meet_walls(c, c->phi));
    return meet_walls(c, c->ahead);
}

// The pressure of a mean curvature on the frozen surface, sharpened as that of a full step is.
mn_status cycles_set_surface(Cycles* c, const double* sum, double scale)
{
    const Window* w = &c->q->w;
    CYCLE_LOOP(c)
    for (int m = 0; m < c->nodes; m++) c->surface[c->node[m].at] = c->node[m].near ? scale*sum[c->node[m].at] : 0;
    if (c->at_side) nodes_exchange(c->surface, w, SHARPEN_READS);
    arena_reset(&c->walls);
    TRY(tension_sharpen(c->surface, &c->walls, c->seen, c->q, c->contact));
    CYCLE_LOOP(c)
    for (int m = 0; m < c->nodes; m++) c->surface[c->node[m].at] *= c->node[m].sigma;
    if (c->at_side) nodes_exchange(c->surface, w, LINEAR_READS);
    return MN_OK;
}

// kappa on the nodes around the surface, with what pulls at lines
static mn_status find_curvature(Cycles* c)
{
    const Window* w = &c->q->w;
    CYCLE_LOOP(c)
    for (int m = 0; m < c->nodes; m++)
        if (c->node[m].near) c->kappa[c->node[m].at] = curvature_at(NULL, c->ahead, w, c->node[m].at);
    arena_reset(&c->walls);
    TRY(tension_fit_edges(c->kappa, &c->walls, c->ahead, &c->edges, c->q, c->ctx));
    tension_pull_lines(c->kappa, c->ahead, &c->edges, c->q, c->contact);
    return MN_OK;
}

// q_i/sigma there, and its sums
mn_status cycles_take_curvature(Cycles* c, int i, int n)
{
    assert(i >= 1 && i <= n);
    TRY(find_curvature(c));
    CYCLE_LOOP(c)
    for (int m = 0; m < c->nodes; m++) {
        const FollowNode* f = &c->node[m];
        if (!f->near) continue;
        double q = c->kappa[f->at] + f->slope*(c->seen[f->at] - c->phi[f->at]);
        c->sum[f->at] += q;
        if (i < n) c->sum_u[f->at] += c->sum[f->at];  // i times the mean
    }
    return cycles_set_surface(c, c->sum, 1.0/i);
}

// b_i = known + flow/i + pull
static void fill_sources(Cycles* c, int i)
{
    const Window* w = &c->q->w;
    const Spans* s = &c->q->spans;
    CYCLE_LOOP(c)
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, m)
            for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++)
                c->p.system.b[at] = c->flow[at]/i + c->pull[at];
    }
    CYCLE_LOOP(c)
    for (int e = 0; e < c->links; e++) c->known[e] = node_value(c->surface, w, c->link[e].x);
    for (int e = 0; e < c->links; e++) c->p.system.b[c->link[e].cell] += c->link[e].weight*c->known[e];
}

void cycles_project(Cycles* c, int i)
{
    const Liquid* q = c->q;
    const Window* w = &q->w;
    const Spans* s = &q->spans;
    double time = i*c->h, factor = time/(q->material.rho*w->dx);
    fill_sources(c, i);
    SolveReport report;
    poisson_solve_prepared(
        c->pressure, &report, c->solver,
        &(SolveOptions){1e-3*c->ctx->model->settings.tolerance, c->ctx->world->step == 0 ? FIRST_ITERATIONS : ITERATIONS});
    CYCLE_LOOP(c)
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, m)
            for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++) c->sum_p[at] += i*c->pressure[at];
    }
    CYCLE_LOOP(c)
    for (int m = 0; m < c->faces; m++) {
        ptrdiff_t at = c->face[m].at;
        int d = c->face[m].axis;
        double drop = c->pressure[at] - c->pressure[at - window_stride(w, d)];
        c->u[d][at] = q->u[d].v[at] + time*c->acceleration[d] - factor*drop;
    }
    CYCLE_LOOP(c)
    for (int e = 0; e < c->links; e++) {
        const SurfaceLink* l = &c->link[e];
        if (l->axis < 0) continue;
        double drop = (c->known[e] - c->pressure[l->cell])*l->weight/l->area[l->axis];
        c->u[l->axis][l->face] = q->u[l->axis].v[l->face] + time*c->acceleration[l->axis] - factor*drop;
    }
    cycles_reach_past_surface(c);
}

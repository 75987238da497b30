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
#include "liquid/momentum.h"
#include "tension/tension_split.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/curvature.h"
#include "grid/extend.h"
#include "grid/extrapolate.h"
#include "grid/interpolate.h"
#include "liquid/wetting.h"
#include "solve/pressure.h"
#include "liquid/letting_go.h"
#include "tension/flow_pressure.h"
#include "tension/marangoni.h"
#include "tension/tension.h"

static const double AHEAD = 1;
static const double FOLLOW = 4.5;         // nodes this close to the surface (cells) follow it
static const double NEAR = 1.8;           // and these get a curvature: all that a surface point reads
static const double DEPTH = 2.5;          // faces down to here get the velocities of the cycles
static const double PROBE[2] = {2, 3.5};  // depths between which the slope of p is taken
// The last pressure is a good start for the solve of a cycle; in the very first step there is none.
enum { ITERATIONS = 2, FIRST_ITERATIONS = 50, LAYERS = 2 };

typedef struct FollowNode {
    ptrdiff_t at;
    double foot[3];  // the surface point next to it, cells
    double sigma;    // N/m
    double slope;    // G/sigma, 1/m^2; 0 where it is not known
    bool near;
    ptrdiff_t beside;  // the node nearest to the foot
} FollowNode;

typedef struct InnerFace {
    ptrdiff_t at;
    int axis;
} InnerFace;

typedef struct Cycles {
    Liquid* q;
    StepContext* ctx;
    double acceleration[3], h;
    double v[3];  // m/s: of the frame in which the surface is followed
    Pressure p;
    PoissonSolver* solver;
    SurfaceLink* link;
    int links;
    Extend extend;
    FollowNode* node;
    int nodes;
    bool at_side;  // the surface is near a side of the tank: ghosts are read
    Wetting wet;
    const Contact* contact;  // NULL: 90 degrees everywhere
    Arena walls;             // owned: scratch of meet_walls and set_surface
    InnerFace* face;         // near the surface, between two unknown cells
    int faces;
    double* u[3];                            // u_i near the surface, u_0 elsewhere
    Edges edges;                             // that lines rest on: nothing pulls at them
    const double* seen;                      // phi_0 on nodes, as its curvature sees it (flow_seen)
    double *phi, *rate, *ahead;              // nodes: phi_i, what it changes by, and a little later
    double *kappa, *sum, *sum_u;             // nodes: that of phi_i; sums of q_1..q_i and of i times that, over sigma
    double *pressure, *sum_p, *flow, *pull;  // cells: p_i, sum of i p_i, the parts of b from u_0 and from the acceleration
    double *surface, *known;                 // nodes: in Pa; per link
} Cycles;

#define CYCLE_LOOP(c) _Pragma("omp parallel for schedule(static) if (spans_parallel(&(c)->q->spans))")

static double* new_field(Arena* arena, const Window* w)
{
    double* v = ARENA_ZERO(arena, double, w->count);
    return v ? v + w->origin : NULL;
}

static double* unknown_field(Arena* arena, const Window* w)
{
    double* v = ARENA_NEW(arena, double, w->count);
    for (size_t m = 0; v && m < w->count; m++) v[m] = NAN;
    return v ? v + w->origin : NULL;
}

// ---- what is frozen ------------------------------------------------------------------------------------------------------

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

static void find_foot(double foot[3], double n[3], const double* phi, const Window* w, const int node[3])
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
                        find_foot(f->foot, n, c->seen, &q->w, node);
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

static const double* held_by_solids(const Cycles* c) { return c->ctx->model->settings.unilateral ? c->q->phi.v : NULL; }

static void reach_past_surface(Cycles* c)
{
    const Liquid* q = c->q;
    extend_apply(c->u, &c->extend, &q->w);
    if (c->at_side) faces_exchange(c->u, &q->w, VELOCITY_CUBIC_READS);
    if (c->ctx->world->solids.count > 0)
        solids_constrain_velocity(c->u, q->phi_solid.v, held_by_solids(c), &c->ctx->world->solids, &q->spans, &q->w);
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

static mn_status freeze(Cycles* c)
{
    Liquid* q = c->q;
    StepContext* ctx = c->ctx;
    Arena* arena = ctx->scratch;
    c->contact = wetting_of(&c->wet, q, &ctx->world->solids, ctx->model->settings.wall_angle);
    levelset_exchange(q->phi.v, &q->w, c->contact, EVERY_LAYER);
    if (ctx->world->solids.count > 0) nodes_exchange(q->phi_solid.v, &q->w, CONSTRAIN_READS);
    TRY(take_arrays(c));
    TRY(flow_edges(&c->edges, arena, c->seen, q, ctx, c->contact));
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
    reach_past_surface(c);
    return MN_OK;
}

// ---- one cycle -----------------------------------------------------------------------------------------------------------

// Derivative along one axis, per cell, fourth order.
static inline double slope_along(const double* v, ptrdiff_t s) { return (8*(v[s] - v[-s]) - (v[2*s] - v[-2*s]))/12; }

// The part of a node field that waves of a few cells make up: (k dx/2)^2 of it.
enum { RIPPLE_READS = 1 };
static inline double ripple(const double* v, const Window* w)
{
    double sum = 2*w->dim*v[0] - (v[1] + v[-1]) - (v[w->sy] + v[-w->sy]);
    return 0.25*(w->dim == 3 ? sum - (v[w->sz] + v[-w->sz]) : sum);
}

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

static mn_status move_surface(Cycles* c)
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
static mn_status set_surface(Cycles* c, const double* sum, double scale)
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
    tension_pull_lines(c->kappa, c->ahead, &c->edges, c->q, c->ctx, c->contact);
    return MN_OK;
}

// q_i/sigma there, and its sums
static mn_status take_curvature(Cycles* c, int i, int n)
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
    return set_surface(c, c->sum, 1.0/i);
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

static void project(Cycles* c, int i)
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
    reach_past_surface(c);
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
    TRY(set_surface(c, c->sum_u, scale));
    c->p.in.surface = c->surface, c->p.in.dt = share;
    pressure_update(&c->p, out->u, c->sum_p);
    SurfaceView surface = liquid_surface(&view);
    TRY(past_surface_fill(out->u, ctx->scratch, c->p.kind, &c->p.in.past, NULL, &surface));
    if (ctx->world->solids.count > 0)
        solids_constrain_velocity(out->u, view.phi_solid.v, held_by_solids(c), &ctx->world->solids, &view.spans, w);
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
    TRY(freeze(c));
    for (int i = 1; i <= out->count; i++) {
        TRY(move_surface(c));
        TRY(take_curvature(c, i, out->count));
        if (i < out->count) project(c, i);
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
                find_foot(x, n, q->phi.v, w, node);
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

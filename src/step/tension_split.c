#include "step/tension_split.h"

#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/curvature.h"
#include "grid/extrapolate.h"
#include "grid/interpolate.h"
#include "solve/pressure.h"
#include "step/flow.h"
#include "step/sources.h"
#include "step/tension.h"

static const double CYCLE_STEPS = 2;  // capillary times
static const double FOLLOW = 4.5;     // nodes this close to the surface (cells) follow it
enum { CYCLE_ITERATIONS = 2, CYCLE_LAYERS = 2 };

int tension_cycles(const Liquid* q, const Sim* sim, double dt)
{
    if (sim->settings.tension.scheme != TENSION_SPLIT || !(q->material.sigma > 0)) return 1;
    return maxi(1, (int)ceil(dt/(CYCLE_STEPS*tension_time(q)) - 1e-6));
}

typedef struct FollowNode {
    ptrdiff_t at;
    double foot[3];  // cells: the surface point next to it
} FollowNode;

typedef struct Cycle {
    Liquid* q;
    Sim* sim;
    Pressure p;
    PoissonSolver* solver;
    double *u[3], *mean[3];
    double *phi, *next, *kappa, *sum, *surface, *pressure;
    FollowNode* node;
    int nodes;
    double h;
} Cycle;

static double* new_nodes(Arena* a, const Window* w) { double* v = ARENA_ZERO(a, double, w->count); return v ? v + w->origin : NULL; }

static mn_status list_nodes(Cycle* c)
{
    const Liquid* q = c->q;
    const Spans* s = &q->spans;
    const Window* w = &q->w;
    for (int pass = 0; pass < 2; pass++) {
        int count = 0;
        for (int r = 0; r < s->rows; r++)
            SPAN_LOOP(s, r, m)
                for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                    int j = r%s->rows_y, k = r/s->rows_y;
                    ptrdiff_t at = window_at(w, i, j, k);
                    if (!(fabs(q->phi.v[at]) < FOLLOW*w->dx)) continue;
                    if (pass) {
                        FollowNode* n = &c->node[count];
                        double g[3];
                        node_gradient(g, q->phi.v, w, at);
                        double square = fmax(vec_dot(g, g), 0.01*w->dx*w->dx);
                        n->at = at;
                        double x[3] = {i, j, k};
                        for (int d = 0; d < 3; d++) n->foot[d] = x[d] - q->phi.v[at]*g[d]/square;
                    }
                    count++;
                }
        c->nodes = count;
        if (!pass) TRY_MEMORY(c->node = ARENA_NEW(&c->sim->scratch, FollowNode, count));
    }
    return MN_OK;
}

static mn_status begin(Cycle* c, Arena* kept, SplitCycles* out, double h)
{
    Liquid* q = c->q;
    Sim* sim = c->sim;
    const Window* w = &q->w;
    Arena* a = &sim->scratch;
    c->h = h;
    nodes_reflect(q->phi.v, w);
    for (int d = 0; d < w->dim; d++) {
        TRY_MEMORY(c->u[d] = window_copy(a, q->u[d].v, w));
        TRY_MEMORY(out->u[d] = new_nodes(kept, w));
        c->mean[d] = out->u[d];
    }
    TRY_MEMORY(c->phi = window_copy(a, q->phi.v, w));
    TRY_MEMORY(c->next = window_copy(a, q->phi.v, w));
    TRY_MEMORY(c->pressure = window_copy(a, q->p.v, w));
    TRY_MEMORY(c->kappa = new_nodes(a, w));
    TRY_MEMORY(c->sum = new_nodes(a, w));
    TRY_MEMORY(c->surface = new_nodes(a, w));
    TRY(list_nodes(c));
    if (sim->solids.count > 0) nodes_reflect(q->phi_solid.v, w);
    PressureInput in = {.kind = sim->settings.op, .w = w, .spans = &q->spans, .cells = &q->cells, .phi = q->phi.v,
        .phi_solid = q->phi_solid.v, .solid = {solids_velocity, &sim->solids}, .rho = q->material.rho, .dt = h, .surface = c->surface};
    double* divergence = NULL;
    TRY(sources_divergence(&divergence, sim, q, a));
    in.divergence = divergence;
    TRY(pressure_build(&c->p, a, &in, c->u));
    return poisson_prepare(&c->solver, &c->p.system, a);
}

static inline double slope4(const double* v, ptrdiff_t s) { return (8*(v[s] - v[-s]) - (v[2*s] - v[-2*s]))/12; }

static void move_surface(Cycle* c)
{
    const Window* w = &c->q->w;
    for (int m = 0; m < c->nodes; m++) {
        const FollowNode* n = &c->node[m];
        double v[3], g[3] = {0, 0, 0};
        face_velocity(v, c->u, w, n->foot);
        if (fabs(c->q->phi.v[n->at]) < 3*w->dx) for (int d = 0; d < w->dim; d++) g[d] = slope4(c->phi + n->at, window_stride(w, d));
        else node_gradient(g, c->phi, w, n->at);
        c->next[n->at] = c->phi[n->at] - c->h/w->dx*vec_dot(v, g);
    }
    double* t = c->phi; c->phi = c->next; c->next = t;
    nodes_reflect(c->phi, w);
}

static void add_span(double* to, double f, const double* from, const Spans* s, const Window* w)
{
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, m) for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++) to[at] += f*from[at];
    }
}

static mn_status project(Cycle* c, const double acceleration[3])
{
    Liquid* q = c->q;
    const Window* w = &q->w;
    const Spans* s = &q->spans;
    for (int d = 0; d < w->dim; d++)
        if (acceleration[d] != 0)
            for (int r = 0; r < s->rows; r++) {
                ptrdiff_t row = window_at(w, 0, r%s->rows_y, r/s->rows_y);
                SPAN_LOOP(s, r, m) for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++) c->u[d][at] += c->h*acceleration[d];
            }
    Liquid view = *q;
    for (int d = 0; d < w->dim; d++) view.u[d].v = c->u[d];
    flow_hold_walls(&view);
    for (int m = 0; m < c->nodes; m++) { ptrdiff_t at = c->node[m].at; c->surface[at] = q->material.sigma*c->kappa[at]; }
    nodes_reflect(c->surface, w);
    pressure_refresh(&c->p, c->u);
    SolveReport report;
    poisson_solve_prepared(c->pressure, &report, c->solver, &(SolveOptions){1e-8, CYCLE_ITERATIONS});
    pressure_update(&c->p, c->u, c->pressure);
    TRY(extrapolate_velocity(c->u, &c->sim->scratch, c->p.valid, q->phi.v, s, w, CYCLE_LAYERS));
    if (c->sim->solids.count > 0) solids_constrain_velocity(c->u, q->phi_solid.v, &c->sim->solids, s, w);
    return MN_OK;
}

mn_status tension_split_run(SplitCycles* out, Liquid* q, Sim* sim, Arena* kept, const double acceleration[3], double dt)
{
    *out = (SplitCycles){.w = q->w, .count = tension_cycles(q, sim, dt)};
    if (out->count == 1) return MN_OK;
    Cycle c = {.q = q, .sim = sim};
    const Spans* s = &q->spans;
    const Window* w = &q->w;
    int n = out->count;
    TRY(begin(&c, kept, out, dt/n));
    for (int i = 1; i <= n; i++) {
        for (int d = 0; d < w->dim; d++) add_span(c.mean[d], 1.0/n, c.u[d], s, w);
        move_surface(&c);
        curvature_nodes(c.kappa, c.phi, s, w);
        add_span(c.sum, 1.0/n, c.kappa, s, w);
        if (i < n) TRY(project(&c, acceleration));
    }
    // every u_i is known on the same faces; past them the mean is carried as far as a trace may read
    memset(&c.p.valid, 0, 0);
    pressure_update(&c.p, c.u, c.pressure);  // marks valid
    TRY(extrapolate_velocity(c.mean, &sim->scratch, c.p.valid, q->phi.v, s, w, (int)ceil(sim->settings.cfl) + 3));
    if (sim->solids.count > 0) solids_constrain_velocity(c.mean, q->phi_solid.v, &sim->solids, s, w);
    // the mean curvature on every node of the band: constant along the normal past where it was computed
    double* kappa = new_nodes(kept, w);
    TRY_MEMORY(kappa);
    nodes_reflect(c.sum, w);
    for (size_t m = 0; m < w->count; m++) kappa[(ptrdiff_t)m - w->origin] = NAN;
    for (int m = 0; m < c.nodes; m++) {
        ptrdiff_t at = c.node[m].at;
        kappa[at] = fabs(c.phi[at]) < 1.5*w->dx && fabs(q->phi.v[at]) < 1.5*w->dx ? c.sum[at] : node_value(c.sum, w, c.node[m].foot);
    }
    out->kappa = kappa;
    arena_reset(&sim->scratch);
    return MN_OK;
}

mn_status tension_split_carry(SplitCycles* out, const Liquid* q, Sim* sim, Arena* kept, double dt)
{
    (void)sim;
    if (out->count == 1) return MN_OK;
    const Spans* s = &q->spans;
    const Window* w = &q->w;
    double* kappa = new_nodes(kept, w);
    TRY_MEMORY(kappa);
    for (size_t m = 0; m < w->count; m++) kappa[(ptrdiff_t)m - w->origin] = NAN;
    nodes_reflect(out->kappa, w);
    for (int r = 0; r < s->rows; r++)
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                int j = r%s->rows_y, k = r/s->rows_y;
                ptrdiff_t at = window_at(w, i, j, k);
                if (!(fabs(q->phi.v[at]) < 3.5*w->dx)) continue;
                double g[3], x[3] = {i, j, k}, v[3];
                node_gradient(g, q->phi.v, w, at);
                double square = fmax(vec_dot(g, g), 0.01*w->dx*w->dx);
                for (int d = 0; d < 3; d++) x[d] -= q->phi.v[at]*g[d]/square;
                face_velocity(v, out->u, w, x);
                for (int d = 0; d < 3; d++) x[d] -= 0.5*dt/w->dx*v[d];
                double value = interpolate_cubic(NULL, out->kappa, w, w->dim, x);
                kappa[at] = isfinite(value) ? value : node_value(out->kappa, w, x);
            }
    out->kappa = kappa;
    return MN_OK;
}

void tension_split_curvature(double* kappa, const Liquid* q, const TensionSplit* split)
{
    const Spans* s = &q->spans;
    const Window* w = &q->w;
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                if (!(fabs(q->phi.v[at]) < CURVATURE_REACH*w->dx)) continue;
                for (int l = 0; l < split->count; l++) {
                    const SplitCycles* c = &split->liquid[l];
                    if (c->count == 1) continue;
                    int node[3] = {i + w->lo[0] - c->w.lo[0], j + w->lo[1] - c->w.lo[1], w->dim == 3 ? k + w->lo[2] - c->w.lo[2] : 0};
                    bool inside = true;
                    for (int d = 0; d < w->dim; d++) inside = inside && node[d] >= 0 && node[d] <= c->w.n[d];
                    if (!inside) continue;
                    double value = c->kappa[window_at(&c->w, node[0], node[1], node[2])];
                    if (!isfinite(value)) continue;
                    kappa[at] = value;
                    break;
                }
            }
    }
}

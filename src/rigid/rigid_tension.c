#include "rigid/rigid_tension.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/cutcell.h"

// Cells from a body at which chi begins to fall and at which it is 0. The ramp is wide and smooth, so that
// it does not feel the grid: a body a quarter of a cell off it is pushed sideways by 0.002 sigma (validate_bodies).
static const double CHI_INNER = 2, CHI_OUTER = 9;

typedef struct Pull {
    const Rigid* rigid;
    const Solids* solids;
    const Liquid* q;
    const StepContext* ctx;
    double dx;
    double* wrench;
    const int* near;  // bodies that the liquid's surface may end on
    int count;
    // of one piece of surface: which of those it is in reach of, and what their chi changes by over it
    int* in_reach;
    int reached;
    double (*slope)[3];
    double* chi;   // (CUT_LOOP_MAX + 1) x count: on corners and middle of a loop, body by body in the order of in_reach
    double* away;  // per solid, of one point: distance, m
    bool* counts;  // per solid: it does not keep liquids off
} Pull;

static double distance_to_walls(const Tank* tank, const double x[3])
{
    double nearest = INFINITY;
    for (int d = 0; d < tank->dim; d++)
        for (int high = 0; high < 2; high++)
            if (side_is_closed(tank->side[2*d + high])) nearest = fmin(nearest, high ? tank->n[d]*tank->dx - x[d] : x[d]);
    return nearest;
}

static double ramp_of(const Pull* p, double own)
{
    double t = clamp((own/p->dx - CHI_INNER)/(CHI_OUTER - CHI_INNER), 0, 1);
    return 1 - t*t*t*(10 - 15*t + 6*t*t);
}

// chi_b = w(d_b) d_b^-2/sum of d_k^-2 over bodies, scripted solids and walls: one on b, zero on everything else. At x, of all
// bodies in reach: the distances are the same for all of them.
static void find_chi(double* chi, const Pull* p, const double x[3])
{
    const double least = 1e-3*p->dx;
    bool any = false;
    for (int s = 0; s < p->solids->count; s++) p->away[s] = INFINITY;  // not asked yet
    for (int m = 0; m < p->reached; m++) {
        int own = p->rigid->body[p->in_reach[m]].solid;
        p->away[own] = solid_distance_to(&p->solids->solid[own], x);
        chi[m] = fmax(ramp_of(p, p->away[own]), 0);
        any = any || chi[m] > 0;
    }
    if (!any) return;
    double wall = fmax(distance_to_walls(&p->rigid->tank, x), least), sum = 1/(wall*wall);
    for (int s = 0; s < p->solids->count; s++)
        if (p->away[s] == INFINITY && p->counts[s]) p->away[s] = solid_distance_to(&p->solids->solid[s], x);
    for (int s = 0; s < p->solids->count; s++) {
        double d = max2(p->away[s], least);
        p->away[s] = 1/(d*d);
    }
    for (int s = 0; s < p->solids->count; s++)
        if (p->counts[s]) sum += p->away[s];
    for (int m = 0; m < p->reached; m++) {
        int own = p->rigid->body[p->in_reach[m]].solid;
        chi[m] *= p->away[own]/(p->counts[own] ? sum : sum + p->away[own]);
    }
}

// Is the point within reach of a body's chi?
static bool reaches(const Pull* p, int body, const double x[3])
{
    const RigidBody* b = &p->rigid->body[body];
    double from[3];
    vec_sub(from, x, b->center);
    double reach = p->solids->solid[b->solid].reach;
    return !(reach > 0) || vec_norm(from) < reach + CHI_OUTER*p->dx;
}

static bool find_in_reach(Pull* p, const double x[3])
{
    p->reached = 0;
    for (int m = 0; m < p->count; m++)
        if (reaches(p, p->near[m], x)) p->in_reach[p->reached++] = p->near[m];
    return p->reached > 0;
}

static void add_force(const Pull* p, int body, const double force[3], const double x[3])
{
    double arm[3], torque[3], *out = p->wrench + TWIST*body;
    vec_sub(arm, x, p->rigid->body[body].center);
    vec_cross(torque, arm, force);
    for (int d = 0; d < 3; d++) out[d] += force[d], out[3 + d] += torque[d];
}

static void add_link(Pull* p, const SurfaceLink* l)
{
    double x[3], force[3], scale = window_face_area(&p->q->w)*l->known/l->weight;
    window_position(x, &p->q->w, l->x[0], l->x[1], l->x[2]);
    if (!find_in_reach(p, x)) return;
    find_chi(p->chi, p, x);
    for (int m = 0; m < p->reached; m++) {
        for (int d = 0; d < 3; d++) force[d] = p->chi[m]*scale*l->area[d];
        if (p->chi[m] > 0) add_force(p, p->in_reach[m], force, x);
    }
}

// (1 - n n) grad chi over a triangle, for a chi that is linear in it: sum over corners of chi n x (edge opposite)/2. So sums over
// the surface telescope, as the ends of chords do in 2D. (By differences half a cell each way about the middle of each patch two
// balls 2 l apart, R = 6 dx, pulled each other by 0.040 sigma R where the surface between them bears 0.0315.)
static void add_triangle(double sum[3], const double corner[3][3], const double chi[3])
{
    double a[3], b[3], n[3];
    vec_sub(a, corner[1], corner[0]), vec_sub(b, corner[2], corner[0]);
    vec_cross(n, a, b);
    double size = vec_norm(n);
    if (!(size > 0)) return;
    for (int c = 0; c < 3; c++) {
        double edge[3], turned[3];
        vec_sub(edge, corner[(c + 2)%3], corner[(c + 1)%3]);
        vec_cross(turned, n, edge);
        for (int d = 0; d < 3; d++) sum[d] += 0.5*chi[c]*turned[d]/size;
    }
}

// Corners of a loop of the surface in a cell, m; how many.
static int loop_corners(double corner[CUT_LOOP_MAX][3], signed char next[12], int first, const double phi[8], const Window* w,
                        const CutCell* c)
{
    int count = 0;
    for (int e = first; e >= 0 && next[e] >= 0;) {
        double local[3];
        int after = next[e];
        cut_point(local, e, phi);
        window_position(corner[count++], w, c->i + local[0], c->j + local[1], c->k + local[2]);
        next[e] = -1, e = after;
    }
    return count;
}

// int (1 - n n) grad chi dA over the patch of a 3D cell without solid: fans about the middles of its loops.
static void patch_slopes_3d(Pull* p, const CutCell* c)
{
    const Window* w = &p->q->w;
    double phi[8], *in_middle = p->chi + CUT_LOOP_MAX*p->count;
    signed char next[12];
    for (int k = 0; k < 8; k++) phi[k] = cut_snap(p->q->phi.v[c->at + window_corner(w, k)]/w->dx);
    cut_loops_3d(next, phi);
    for (int first = 0; first < 12; first++) {
        double corner[CUT_LOOP_MAX][3], middle[3] = {0, 0, 0};
        int count = loop_corners(corner, next, first, phi, w, c);
        if (count == 0) continue;
        for (int k = 0; k < count; k++) {
            find_chi(p->chi + k*p->count, p, corner[k]);
            for (int d = 0; d < 3; d++) middle[d] += corner[k][d]/count;
        }
        find_chi(in_middle, p, middle);
        for (int m = 0; m < p->reached; m++)
            for (int k = 0; k < count; k++) {
                int after = (k + 1)%count;
                double of[3][3], value[3] = {in_middle[m], p->chi[k*p->count + m], p->chi[after*p->count + m]};
                for (int d = 0; d < 3; d++) of[0][d] = middle[d], of[1][d] = corner[k][d], of[2][d] = corner[after][d];
                add_triangle(p->slope[m], (const double(*)[3])of, value);
            }
    }
}

// Two unit vectors along the patch; in 2D one.
static int tangents(double t[2][3], const double n[3], int dim)
{
    if (dim == 2) {
        t[0][0] = -n[1], t[0][1] = n[0], t[0][2] = 0;
        return 1;
    }
    int least = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    if (fabs(n[2]) < fabs(n[least])) least = 2;
    double axis[3] = {0, 0, 0};
    axis[least] = 1;
    vec_cross(t[0], n, axis);
    double size = vec_norm(t[0]);
    for (int d = 0; d < 3; d++) t[0][d] /= size;
    vec_cross(t[1], n, t[0]);
    return 2;
}

// The same by differences about its middle: in 2D between its ends; in 3D where a solid cuts the cell and chi is nearly flat.
static void patch_slopes(Pull* p, const CutCell* c, const double x[3])
{
    const Window* w = &p->q->w;
    double n[3], t[2][3], size = vec_norm(c->patch), area = c->patch_area*window_face_area(w);
    double *low = p->chi, *high = p->chi + p->count;
    for (int d = 0; d < 3; d++) n[d] = c->patch[d]/size;
    int count = tangents(t, n, w->dim);
    double h = w->dim == 2 ? 0.5*c->patch_area*w->dx : 0.5*w->dx;
    for (int k = 0; k < count; k++) {
        double a[3], b[3];
        for (int d = 0; d < 3; d++) a[d] = x[d] - h*t[k][d], b[d] = x[d] + h*t[k][d];
        find_chi(low, p, a), find_chi(high, p, b);
        for (int m = 0; m < p->reached; m++) {
            double slope = (high[m] - low[m])/(2*h);
            for (int d = 0; d < 3; d++) p->slope[m][d] += area*slope*t[k][d];
        }
    }
}

bool rigid_meets_solid(const Liquid* q, ptrdiff_t at)
{
    for (int c = 0; q->phi_solid.v && c < (q->w.dim == 3 ? 8 : 4); c++)
        if (q->phi_solid.v[at + window_corner(&q->w, c)] < 0) return true;
    return false;
}

static void add_patch(Pull* p, const CutCell* c, double sigma)
{
    const Window* w = &p->q->w;
    double x[3], force[3];
    if (!(vec_norm(c->patch) > 1e-6)) return;
    window_position(x, w, c->i + c->center[0], c->j + c->center[1], c->k + c->center[2]);
    if (!find_in_reach(p, x)) return;
    memset(p->slope, 0, sizeof *p->slope*(size_t)p->reached);
    if (w->dim == 3 && !rigid_meets_solid(p->q, c->at)) patch_slopes_3d(p, c);
    else patch_slopes(p, c, x);
    for (int m = 0; m < p->reached; m++) {
        for (int d = 0; d < 3; d++) force[d] = -sigma*p->slope[m][d];
        add_force(p, p->in_reach[m], force, x);
    }
}

static mn_status sigma_at(double* sigma, const Pull* p, const CutCell* c)
{
    const Model* model = p->ctx->model;
    double x[3];
    *sigma = p->q->material.sigma;
    if (!model->functions.sigma) return MN_OK;
    window_position(x, &p->q->w, c->i + c->center[0], c->j + c->center[1], c->k + c->center[2]);
    return model->functions.sigma(sigma, model->functions.user, x);
}

// Bodies that the liquid touches and that are near enough to it.
static mn_status find_near(Pull* p, Arena* arena)
{
    int *near = ARENA_NEW(arena, int, p->rigid->bodies), lo[3], hi[3];
    TRY_MEMORY(near);
    p->near = near;
    TRY_MEMORY(p->away = ARENA_NEW(arena, double, p->solids->count));
    TRY_MEMORY(p->counts = ARENA_NEW(arena, bool, p->solids->count));
    for (int s = 0; s < p->solids->count; s++) p->counts[s] = !p->solids->solid[s].keeps_off;
    if (!liquid_bounds(lo, hi, p->q)) return MN_OK;
    for (int b = 0; b < p->rigid->bodies; b++) {
        const RigidBody* body = &p->rigid->body[b];
        double away = 0, low[3], high[3];
        if (body->solid < 0 || p->solids->solid[body->solid].keeps_off) continue;
        window_position(low, &p->q->w, lo[0], lo[1], lo[2]), window_position(high, &p->q->w, hi[0], hi[1], hi[2]);
        for (int d = 0; d < p->rigid->tank.dim; d++) away = fmax(away, fmax(low[d] - body->center[d], body->center[d] - high[d]));
        double reach = p->solids->solid[body->solid].reach;
        if (!(reach > 0) || away < reach + CHI_OUTER*p->dx) near[p->count++] = b;
    }
    TRY_MEMORY(p->in_reach = ARENA_NEW(arena, int, p->count));
    TRY_MEMORY(p->slope = arena_take(arena, sizeof *p->slope*(size_t)p->count));
    TRY_MEMORY(p->chi = ARENA_NEW(arena, double, (CUT_LOOP_MAX + 1)*p->count));
    return MN_OK;
}

static mn_status begin(Pull* p, double* wrench, const Rigid* r, const Liquid* q, StepContext* ctx)
{
    *p = (Pull){.rigid = r, .solids = &ctx->world->solids, .q = q, .ctx = ctx, .dx = q->w.dx, .wrench = wrench};
    return find_near(p, ctx->scratch);
}

mn_status rigid_tension_links(double* wrench, const Rigid* r, const Liquid* q, const Pressure* p, StepContext* ctx,
                              double* const u[3])
{
    assert(p->in.w == &q->w && p->in.surface);
    Pull pull;
    SurfaceLink* link;
    int links;
    TRY(begin(&pull, wrench, r, q, ctx));
    if (pull.count == 0) return MN_OK;
    TRY(pressure_surface_links(&link, &links, ctx->scratch, p, u));
    for (int m = 0; m < links; m++) add_link(&pull, &link[m]);
    return MN_OK;
}

mn_status rigid_tension_patches(double* wrench, const Rigid* r, const Liquid* q, StepContext* ctx)
{
    Pull pull;
    TRY(begin(&pull, wrench, r, q, ctx));
    for (int m = 0; m < q->cells.count && pull.count > 0; m++) {
        const CutCell* c = &q->cells.cut[m];
        double sigma;
        if (!(c->patch_area > 0)) continue;
        TRY(sigma_at(&sigma, &pull, c));
        add_patch(&pull, c, sigma);
    }
    return MN_OK;
}

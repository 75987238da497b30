#include "rigid/rigid_tension.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"

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
} Pull;

static double distance_to_walls(const Tank* tank, const double x[3])
{
    double nearest = INFINITY;
    for (int d = 0; d < tank->dim; d++)
        for (int high = 0; high < 2; high++)
            if (side_is_closed(tank->side[2*d + high])) nearest = fmin(nearest, high ? tank->n[d]*tank->dx - x[d] : x[d]);
    return nearest;
}

// chi_b = w(d_b) d_b^-2/sum of d_k^-2 over bodies, scripted solids and walls: one on b, zero on everything else.
static double chi_of(const Pull* p, int body, const double x[3])
{
    const double least = 1e-3*p->dx;
    double own = solid_distance_to(&p->solids->solid[p->rigid->body[body].solid], x);
    double t = clamp((own/p->dx - CHI_INNER)/(CHI_OUTER - CHI_INNER), 0, 1), ramp = 1 - t*t*t*(10 - 15*t + 6*t*t);
    if (ramp <= 0) return 0;
    double mine = 1/pow(fmax(own, least), 2), wall = fmax(distance_to_walls(&p->rigid->tank, x), least);
    double sum = mine + 1/(wall*wall);
    for (int m = 0; m < p->solids->count; m++) {
        const Solid* s = &p->solids->solid[m];
        if (m == p->rigid->body[body].solid || s->keeps_off) continue;
        sum += 1/pow(fmax(solid_distance_to(s, x), least), 2);
    }
    return ramp*mine/sum;
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

static void add_force(const Pull* p, int body, const double force[3], const double x[3])
{
    double arm[3], torque[3], *out = p->wrench + TWIST*body;
    vec_sub(arm, x, p->rigid->body[body].center);
    vec_cross(torque, arm, force);
    for (int d = 0; d < 3; d++) out[d] += force[d], out[3 + d] += torque[d];
}

static void add_link(const Pull* p, const SurfaceLink* l)
{
    double x[3], force[3], scale = window_face_area(&p->q->w)*l->known/l->weight;
    window_position(x, &p->q->w, l->x[0], l->x[1], l->x[2]);
    for (int m = 0; m < p->count; m++) {
        if (!reaches(p, p->near[m], x)) continue;
        double chi = chi_of(p, p->near[m], x);
        for (int d = 0; d < 3; d++) force[d] = chi*scale*l->area[d];
        if (chi > 0) add_force(p, p->near[m], force, x);
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

// (1 - n n) grad chi by differences along the patch: in 2D between its ends, so that the sum over the surface telescopes.
static void add_patch(const Pull* p, const CutCell* c, double sigma)
{
    const Window* w = &p->q->w;
    double x[3], n[3], t[2][3], size = vec_norm(c->patch), area = c->patch_area*window_face_area(w);
    if (!(size > 1e-6)) return;
    for (int d = 0; d < 3; d++) n[d] = c->patch[d]/size;
    int count = tangents(t, n, w->dim);
    double h = w->dim == 2 ? 0.5*c->patch_area*w->dx : 0.5*w->dx;
    window_position(x, w, c->i + c->center[0], c->j + c->center[1], c->k + c->center[2]);
    for (int m = 0; m < p->count; m++) {
        double force[3] = {0, 0, 0};
        if (!reaches(p, p->near[m], x)) continue;
        for (int k = 0; k < count; k++) {
            double a[3], b[3];
            for (int d = 0; d < 3; d++) a[d] = x[d] - h*t[k][d], b[d] = x[d] + h*t[k][d];
            double slope = (chi_of(p, p->near[m], b) - chi_of(p, p->near[m], a))/(2*h);
            for (int d = 0; d < 3; d++) force[d] -= sigma*area*slope*t[k][d];
        }
        add_force(p, p->near[m], force, x);
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

// Bodies that have a shape and are near enough to the liquid.
static mn_status find_near(Pull* p, Arena* arena)
{
    int *near = ARENA_NEW(arena, int, p->rigid->bodies), lo[3], hi[3];
    TRY_MEMORY(near);
    p->near = near;
    if (!liquid_bounds(lo, hi, p->q)) return MN_OK;
    for (int b = 0; b < p->rigid->bodies; b++) {
        const RigidBody* body = &p->rigid->body[b];
        double away = 0, low[3], high[3];
        if (body->solid < 0) continue;
        window_position(low, &p->q->w, lo[0], lo[1], lo[2]), window_position(high, &p->q->w, hi[0], hi[1], hi[2]);
        for (int d = 0; d < p->rigid->tank.dim; d++) away = fmax(away, fmax(low[d] - body->center[d], body->center[d] - high[d]));
        double reach = p->solids->solid[body->solid].reach;
        if (!(reach > 0) || away < reach + CHI_OUTER*p->dx) near[p->count++] = b;
    }
    return MN_OK;
}

mn_status rigid_tension(double* wrench, const Rigid* r, const Liquid* q, const Pressure* p, StepContext* ctx, double* const u[3])
{
    assert(p->in.w == &q->w);
    Pull pull = {.rigid = r, .solids = &ctx->world->solids, .q = q, .ctx = ctx, .dx = q->w.dx, .wrench = wrench};
    SurfaceLink* link;
    int links;
    if (!p->in.surface) return MN_OK;
    TRY(find_near(&pull, ctx->scratch));
    if (pull.count == 0) return MN_OK;
    TRY(pressure_surface_links(&link, &links, ctx->scratch, p, u));
    for (int m = 0; m < links; m++) add_link(&pull, &link[m]);
    for (int m = 0; m < q->cells.count; m++) {
        const CutCell* c = &q->cells.cut[m];
        double sigma;
        if (!(c->patch_area > 0)) continue;
        TRY(sigma_at(&sigma, &pull, c));
        add_patch(&pull, c, sigma);
    }
    return MN_OK;
}

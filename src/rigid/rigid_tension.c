#include "rigid/rigid_tension.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/cutcell.h"
#include "grid/interpolate.h"

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
    // of one piece of surface: the solids beside it, and which of those are bodies whose chi it is in reach of
    int* beside;
    int besides;
    int* in_reach;  // places in `beside`
    int reached;
    double (*slope)[3];    // of those: what their chi changes by over the piece
    double* chi;           // (CUT_LOOP_MAX + 1) x solids: on corners and middle of a loop, in the order of in_reach
    double *ramp, *share;  // per solid of `beside`, at one point: w(d_k) and d_k^-2
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

// chi_b = w(d_b) d_b^-2/(d_b^-2 + sum of w(d_k) d_k^-2 over other bodies and solids + d^-2 of the walls): one on b, zero on
// everything else, and nobody further than the ramp has a say. At x, of all bodies in reach: the distances are the same for all.
static void find_chi(double* chi, const Pull* p, const double x[3])
{
    const double least = 1e-3*p->dx;
    double wall = fmax(distance_to_walls(&p->rigid->tank, x), least), sum = 1/(wall*wall);
    for (int m = 0; m < p->besides; m++) {
        double away = solid_distance_to(&p->solids->solid[p->beside[m]], x), d = max2(away, least);
        p->ramp[m] = max2(ramp_of(p, away), 0), p->share[m] = 1/(d*d);
        sum += p->ramp[m]*p->share[m];
    }
    for (int m = 0; m < p->reached; m++) {
        double ramp = p->ramp[p->in_reach[m]], own = p->share[p->in_reach[m]];
        chi[m] = ramp*own/(sum + (1 - ramp)*own);
    }
}

// Is the point within reach of a body's chi?
static bool reaches(const Pull* p, const Solid* s, const double x[3])
{
    double from[3];
    if (s->body == 0) return false;
    vec_sub(from, x, p->rigid->body[s->body - 1].center);
    return !(s->reach > 0) || vec_norm(from) < s->reach + CHI_OUTER*p->dx;
}

static int body_in_reach(const Pull* p, int m) { return p->solids->solid[p->beside[p->in_reach[m]]].body - 1; }

// Pieces of surface are smaller than this around their middle, cells.
static const double PIECE = 2;

static bool find_in_reach(Pull* p, const double x[3])
{
    p->besides = solids_within(p->beside, p->solids, x, (CHI_OUTER + PIECE)*p->dx), p->reached = 0;
    for (int m = 0; m < p->besides; m++)
        if (reaches(p, &p->solids->solid[p->beside[m]], x)) p->in_reach[p->reached++] = m;
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
        if (p->chi[m] > 0) add_force(p, body_in_reach(p, m), force, x);
    }
}

bool rigid_meets_solid(const Liquid* q, ptrdiff_t at)
{
    for (int c = 0; q->phi_solid.v && c < (q->w.dim == 3 ? 8 : 4); c++)
        if (q->phi_solid.v[at + window_corner(&q->w, c)] < 0) return true;
    return false;
}

// phi at the centre of the cell `step` cells from a cut cell along an axis.
static double center_phi(const Pressure* p, const CutCell* c, int axis, int step)
{
    double x[3] = {c->i + 0.5, c->j + 0.5, p->in.w->dim == 3 ? c->k + 0.5 : 0};
    x[axis] += step;
    return node_value(p->in.phi, p->in.w, x);
}

// Part of a cell that the links along an axis take for liquid: with the ghost-fluid operator the wet part of its middle line,
// between centres as they see it; with cut cells, that of cells with a pressure.
static double linked_part(const Pressure* p, const CutCell* c, int axis)
{
    if (p->in.kind == PRESSURE_CUT) return pressure_is_unknown(p, c->at) ? c->volume : 0;
    double here = center_phi(p, c, axis, 0), sum = 0;
    for (int step = -1; step <= 1; step += 2) {
        double there = center_phi(p, c, axis, step);
        if ((here < 0) == (there < 0)) sum += here < 0 ? 0.5 : 0;
        else sum += here < 0 ? fmin(here/(here - there), 0.5) : fmax(there/(there - here) - 0.5, 0);
    }
    return sum;
}

// At rest the pressures on skin and links along x add up to int p dchi/dx dV over the liquid, by Gauss, with one line of x for
// each row of cells. A surface that rises by a cell or two in all of the ramp is crossed by as many rows: two cylinders of R = 4
// dx 3 l apart pulled each other by 30 % more or less than they should, by the place of the level in its cell. What the lines
// have too much of a cell (< 0: too little) is taken off. It lies beside the surface, over / |patch| thick, and p there is that
// of liquid at rest, rho a.n half as far outside. Over all chi, that of nobody among them, it adds up to nothing: no momentum is
// made. Cells with a solid are left out: near one chi is flat.
static void add_between_lines(Pull* p, const Pressure* pressure, const CutCell* c)
{
    const Window* w = &p->q->w;
    double x[3], middle[3], size = vec_norm(c->patch), *low = p->chi, *high = p->chi + p->solids->count;
    double place[3] = {c->i + c->center[0], c->j + c->center[1], w->dim == 3 ? c->k + c->center[2] : 0};
    window_position(x, w, place[0], place[1], place[2]);
    window_position(middle, w, c->i + 0.5, c->j + 0.5, c->k + 0.5);
    if (!(size > 1e-6) || rigid_meets_solid(p->q, c->at) || !find_in_reach(p, x)) return;
    double at_surface = node_value(pressure->in.surface, w, place);
    double along = p->q->material.rho*vec_dot(p->ctx->acceleration, c->patch)/size*w->dx;  // rho a.n dx
    for (int d = 0; d < w->dim; d++) {
        double a[3], b[3], over = linked_part(pressure, c, d) - c->volume;
        memcpy(a, middle, sizeof a), memcpy(b, middle, sizeof b);
        a[d] -= 0.5*w->dx, b[d] += 0.5*w->dx;
        find_chi(low, p, a), find_chi(high, p, b);
        double scale = window_face_area(w)*over*(at_surface + 0.5*along*clamp(over/size, -1, 1));
        for (int m = 0; m < p->reached; m++) {
            double force[3] = {0, 0, 0};
            force[d] = -scale*(high[m] - low[m]);
            add_force(p, body_in_reach(p, m), force, x);
        }
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
    double phi[8], *in_middle = p->chi + CUT_LOOP_MAX*p->solids->count;
    signed char next[12];
    for (int k = 0; k < 8; k++) phi[k] = cut_snap(p->q->phi.v[c->at + window_corner(w, k)]/w->dx);
    cut_loops_3d(next, phi);
    for (int first = 0; first < 12; first++) {
        double corner[CUT_LOOP_MAX][3], middle[3] = {0, 0, 0};
        int count = loop_corners(corner, next, first, phi, w, c);
        if (count == 0) continue;
        for (int k = 0; k < count; k++) {
            find_chi(p->chi + k*p->solids->count, p, corner[k]);
            for (int d = 0; d < 3; d++) middle[d] += corner[k][d]/count;
        }
        find_chi(in_middle, p, middle);
        for (int m = 0; m < p->reached; m++)
            for (int k = 0; k < count; k++) {
                int after = (k + 1)%count;
                double of[3][3],
                    value[3] = {in_middle[m], p->chi[k*p->solids->count + m], p->chi[after*p->solids->count + m]};
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
    double *low = p->chi, *high = p->chi + p->solids->count;
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
        add_force(p, body_in_reach(p, m), force, x);
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

static mn_status begin(Pull* p, double* wrench, const Rigid* r, const Liquid* q, StepContext* ctx)
{
    int count = ctx->world->solids.count;
    *p = (Pull){.rigid = r, .solids = &ctx->world->solids, .q = q, .ctx = ctx, .dx = q->w.dx, .wrench = wrench};
    TRY_MEMORY(p->beside = ARENA_NEW(ctx->scratch, int, count));
    TRY_MEMORY(p->in_reach = ARENA_NEW(ctx->scratch, int, count));
    TRY_MEMORY(p->slope = arena_take(ctx->scratch, sizeof *p->slope*(size_t)count));
    TRY_MEMORY(p->chi = ARENA_NEW(ctx->scratch, double, (CUT_LOOP_MAX + 1)*count));
    TRY_MEMORY(p->ramp = ARENA_NEW(ctx->scratch, double, 2*count));
    p->share = p->ramp + count;
    return MN_OK;
}

mn_status rigid_tension_links(double* wrench, const Rigid* r, const Liquid* q, const Pressure* p, StepContext* ctx,
                              double* const u[3])
{
    assert(p->in.w == &q->w && p->in.surface);
    Pull pull;
    SurfaceLink* link;
    int links;
    TRY(begin(&pull, wrench, r, q, ctx));
    TRY(pressure_surface_links(&link, &links, ctx->scratch, p, u));
    for (int m = 0; m < links; m++) add_link(&pull, &link[m]);
    for (int m = 0; m < q->cells.count; m++)
        if (q->cells.cut[m].patch_area > 0) add_between_lines(&pull, p, &q->cells.cut[m]);
    return MN_OK;
}

mn_status rigid_tension_patches(double* wrench, const Rigid* r, const Liquid* q, StepContext* ctx)
{
    Pull pull;
    TRY(begin(&pull, wrench, r, q, ctx));
    for (int m = 0; m < q->cells.count; m++) {
        const CutCell* c = &q->cells.cut[m];
        double sigma;
        if (!(c->patch_area > 0)) continue;
        TRY(sigma_at(&sigma, &pull, c));
        add_patch(&pull, c, sigma);
    }
    return MN_OK;
}

// Implicit tension: the surface's pressure also contains the curvature that the flow of this very step makes.
//
// Unknown is the outward flux f_q (m/s times face areas) of every piece of surface q, a cut cell's patch of area a_q (face areas):
//     p_q = sigma kappa_q + s_q,    s = B (f - f_old + g_old),    B = theta sigma dt/dx^2  a^-1 K a^-1,
// K the stiffness of the surface as a graph, K_qr = -l/d over the length l on which neighbours meet, d apart (film.md 3.5, [D]).
// f is summed over the links that end on the piece, and flow along the surface in and out of cells without an unknown is counted
// in it; f - f_old, the change within the step, is free of that. What the surface really did before is g_old = a n.u_old.
// The curvature that a displacement eta makes is -(lap + k1^2 + k2^2) eta on the surface. The second term takes no part in
// stability, but without it a drop that flies as a whole would be braked, at the rate theta sigma dt/(rho R^3): K n is not zero. It
// is taken from the velocity before the solve, with k1^2 + k2^2 = |grad n|^2 on the same graph: c_q = sum_r l/d (1 - n_q.n_r).
// A liquid that touches nothing is looked at in its own frame: there flying makes no g_old at all.
// Of g_old, waves of a few cells count in full and long ones by DAMPING. For one wave, x' = v, v' = -w^2 x, z = (w dt)^2, and g = DAMPING or 1,
//     v_new (1 + theta z) = v (1 + theta (1 - g) z - z) - dt w^2 x,    determinant (1 + theta (1 - g) z)/(1 + theta z),
// stable at any dt for theta (2 - g) >= 1/2, damped at theta g omega^2 dt/2. g = 0 and theta = 1/4 is the implicit midpoint rule, which
// damps nothing; but then the jumps of the graph as the surface crosses the grid feed short waves.
//
// The f are eliminated exactly. With W_q the sum of the link weights w_e of q, C their incidence and tau = dt/(rho dx),
//     f = f* + tau (C^T p - (Wg) - W s)   =>   s = Y (r + tau C^T p),   r = f* - f_old + g_old - tau Wg,
//     Y = (W^-1 - W^-1 a M^-1 a W^-1)/tau,   M = a W^-1 a + tau B' K   (B' = theta sigma dt/dx^2), positive definite and sparse.
// The pressure's matrix becomes A - tau C Y C^T, its right-hand side b + C Y r. Multigrid sees each link weakened to
// w_e/(1 + tau W_q B_qq), which is what a single piece of surface would feel.
#include "step/tension_implicit.h"

#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/curvature.h"
#include "grid/interpolate.h"

// Pieces nearer than this (cells) would be welded together by an arbitrary stiffness.
static const double LEAST_DISTANCE = 0.3;
// Part of g_old that counts for long waves, and how often a piece's speed becomes the mean of itself and its neighbours' before the
// rest counts in full (keep_ripples). With 0.25 for all waves a drop at rest blew up at 10 capillary times; with 4 means it was noisier.
static const double DAMPING = 0.1;
enum { SMOOTHINGS = 8 };
// Links go along the axes, so those of a resolved piece make an angle with its normal whose cosine is mostly above 1/sqrt(3). In threads and
// sheets thinner than two cells, where no cell has an unknown, a piece may hang on links along the thread or from behind: what flows
// there passes by and does not lift the piece, and f/a as its displacement makes pressures of ten times sigma/dx. Such pieces
// (cosine below this) have the explicit pressure alone.
static const double LEAST_FACING = 0.3;
// Largest explicit part, of a patch's own inertia.
static const double MOST_TURNING = 0.25;

// ---- the surface as a graph ----------------------------------------------------------------------------------------------

// Length (cells) of the surface's trace on the low face of a cell across `axis`; in 2D 1 where the surface crosses it.
static double trace_length(const double* phi, const Window* w, ptrdiff_t at, int axis)
{
    ptrdiff_t s = window_stride(w, axis == 0 ? 1 : 0), t = w->dim == 3 ? window_stride(w, axis == 2 ? 1 : 2) : 0;
    if (w->dim == 2) return (phi[at] < 0) != (phi[at + s] < 0);
    const double v[4] = {phi[at], phi[at + s], phi[at + s + t], phi[at + t]};
    static const double corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    double point[4][2];
    int count = 0;
    for (int m = 0; m < 4; m++) {
        int n = (m + 1)%4;
        if ((v[m] < 0) == (v[n] < 0)) continue;
        double x = v[m]/(v[m] - v[n]);
        for (int d = 0; d < 2; d++) point[count][d] = corner[m][d] + x*(corner[n][d] - corner[m][d]);
        count++;
    }
    double length = 0;
    for (int m = 0; m + 1 < count; m += 2) length += hypot(point[m][0] - point[m + 1][0], point[m][1] - point[m + 1][1]);
    return length;
}

static double patch_distance(const CutCell* a, const CutCell* b)
{
    double r[3] = {a->i - b->i + a->center[0] - b->center[0], a->j - b->j + a->center[1] - b->center[1],
                   a->k - b->k + a->center[2] - b->center[2]};
    return fmax(vec_norm(r), LEAST_DISTANCE);
}

// Calls add for every pair of neighbouring pieces.
static void for_pairs(TensionImplicit* t, void (*add)(TensionImplicit* t, int a, int b, double stiffness))
{
    const CutCells* cells = t->p->in.cells;
    const Window* w = t->p->in.w;
    for (int b = 0; b < cells->count; b++) {
        const CutCell* c = &cells->cut[b];
        if (t->number[b] < 0) continue;
        int at[3] = {c->i, c->j, c->k};
        for (int d = 0; d < w->dim; d++) {
            if (at[d] == 0) continue;
            int a = cells->index[c->at - window_stride(w, d)];
            if (a < 0 || t->number[a] < 0) continue;
            double length = trace_length(t->p->in.phi, w, c->at, d);
            if (length > 0) add(t, a, b, length/patch_distance(&cells->cut[a], c));
        }
    }
}

static void add_diagonal(TensionImplicit* t, int a, int b, double stiffness)
{
    t->stiffness[a] += stiffness, t->stiffness[b] += stiffness;
    t->pairs++;
}

// c_q: what the normal's own turning adds to K.
static void add_turning(TensionImplicit* t, int a, int b, double stiffness)
{
    const CutCell *p = &t->p->in.cells->cut[a], *q = &t->p->in.cells->cut[b];
    double norm = vec_norm(p->patch)*vec_norm(q->patch);
    if (!(norm > 0)) return;
    double turn = stiffness*fmax(1 - vec_dot(p->patch, q->patch)/norm, 0);
    t->turning[t->number[a]] += turn, t->turning[t->number[b]] += turn;
}

static void add_entry(TensionImplicit* t, int a, int b, double stiffness)
{
    int qa = t->number[a], qb = t->number[b];
    t->entry[t->entries++] = (Triplet){maxi(qa, qb), mini(qa, qb), -t->factor*stiffness};
}

// ---- elimination ---------------------------------------------------------------------------------------------------------

// v = tau Y v
static void apply_y(TensionImplicit* t, double* v)
{
    for (int q = 0; q < t->count; q++) t->work[q] = t->sum[q] > 0 ? t->area[q]*v[q]/t->sum[q] : 0;
    if (factor_solve(t->matrix, t->work, t->work) != MN_OK) memset(t->work, 0, sizeof *t->work*(size_t)t->count);
    for (int q = 0; q < t->count; q++) v[q] = t->sum[q] > 0 ? (v[q] - t->area[q]*t->work[q])/t->sum[q] : 0;
}

// out = what the matrix has to change by: weakened links made whole again, less tau C Y C^T
static void apply_extra(double* out, const double* in, void* user)
{
    TensionImplicit* t = user;
    memset(t->value, 0, sizeof *t->value*(size_t)t->count);
    for (int m = 0; m < t->cells; m++) out[m] = t->restored[m]*in[m];
    for (int e = 0; e < t->links; e++)
        if (t->link[e].patch >= 0) t->value[t->number[t->link[e].patch]] += t->link[e].weight*in[t->link_cell[e]];
    apply_y(t, t->value);
    for (int e = 0; e < t->links; e++)
        if (t->link[e].patch >= 0) out[t->link_cell[e]] -= t->link[e].weight*t->value[t->number[t->link[e].patch]];
}

// Every patch is a node of the graph. Its area is that of its links, which its flux goes through. A patch without links (a corner
// that pokes into a cell past a diagonal) has no flux of its own and only hands on what its neighbours pull.
static mn_status number_patches(TensionImplicit* t, const unsigned char* left_out, Arena* arena)
{
    const CutCells* cells = t->p->in.cells;
    TRY_MEMORY(t->stiffness = ARENA_ZERO(arena, double, cells->count));
    TRY_MEMORY(t->number = ARENA_NEW(arena, int, cells->count));
    t->count = 0;
    for (int m = 0; m < cells->count; m++) t->number[m] = cells->cut[m].patch_area > 0 ? t->count++ : -1;
    double(*area)[3] = arena_take_zero(arena, sizeof *area*(size_t)t->count);
    TRY_MEMORY(area);
    TRY_MEMORY(t->area = ARENA_NEW(arena, double, t->count));
    TRY_MEMORY(t->sum = ARENA_ZERO(arena, double, t->count));
    TRY_MEMORY(t->value = ARENA_NEW(arena, double, t->count));
    TRY_MEMORY(t->work = ARENA_NEW(arena, double, t->count));
    TRY_MEMORY(t->start = ARENA_ZERO(arena, double, t->count));
    TRY_MEMORY(t->turning = ARENA_ZERO(arena, double, t->count));
    TRY_MEMORY(t->known = ARENA_ZERO(arena, double, t->count));
    for (int e = 0; e < t->links; e++) {
        if (t->link[e].patch < 0) continue;
        int q = t->number[t->link[e].patch];
        t->sum[q] += t->link[e].weight;
        for (int d = 0; d < 3; d++) area[q][d] += t->link[e].area[d];
    }
    for (int m = 0; m < cells->count; m++) {
        int q = t->number[m];
        if (q < 0) continue;
        t->area[q] = vec_norm(area[q]);
        bool facing = vec_dot(area[q], cells->cut[m].patch) >= LEAST_FACING*t->area[q]*vec_norm(cells->cut[m].patch);
        if (left_out[m] || !facing) t->sum[q] = 0;
    }
    return MN_OK;
}

static mn_status factor_matrix(TensionImplicit* t, Arena* arena)
{
    const CutCells* cells = t->p->in.cells;
    for_pairs(t, add_diagonal);
    TRY_MEMORY(t->entry = ARENA_NEW(arena, Triplet, t->count + t->pairs));
    for (int m = 0; m < cells->count; m++) {
        int q = t->number[m];
        if (q < 0) continue;
        double own = t->sum[q] > 0 ? t->area[q]*t->area[q]/t->sum[q] : 0;
        t->entry[t->entries++] = (Triplet){q, q, own + t->factor*t->stiffness[m] + 1e-12};
    }
    for_pairs(t, add_entry);
    return factor_new(&t->matrix, t->count, t->entry, t->entries);
}

// Weakens the links multigrid sees and lists the cells that have any.
static mn_status weaken_links(TensionImplicit* t, Arena* arena)
{
    Poisson* f = &t->p->system;
    const Window* w = t->p->in.w;
    TRY_MEMORY(t->cell = ARENA_NEW(arena, ptrdiff_t, t->links));
    TRY_MEMORY(t->link_cell = ARENA_NEW(arena, int, t->links));
    TRY_MEMORY(t->restored = ARENA_ZERO(arena, double, t->links));
    t->cells = 0;
    for (int e = 0; e < t->links; e++) {
        if (e == 0 || t->link[e].cell != t->link[e - 1].cell) t->cell[t->cells++] = t->link[e].cell;
        t->link_cell[e] = t->cells - 1;
        int patch = t->link[e].patch;
        if (patch < 0) continue;
        int q = t->number[patch];
        double stiff = t->factor*t->stiffness[patch]*t->sum[q]/fmax(t->area[q]*t->area[q], 1e-12);
        t->restored[t->cells - 1] += t->link[e].weight*stiff/(1 + stiff);
    }
    int next = 0;
    for (int r = 0; r < w->n[1]*w->n[2]; r++)
        for (int m = f->first[r]; m < f->first[r + 1] && next < t->cells; m++)
            if (window_at(w, f->special[m].i, r%w->n[1], r/w->n[1]) == t->cell[next])
                f->special[m].excess -= t->restored[next++];
    return MN_OK;
}

// Normal velocity of one piece.
static double normal_velocity(const TensionImplicit* t, double* const u[3], int m)
{
    const CutCell* c = &t->p->in.cells->cut[m];
    double x[3] = {c->i + c->center[0], c->j + c->center[1], c->k + c->center[2]}, v[3], norm = vec_norm(c->patch);
    if (!(norm > 0)) return 0;
    face_velocity(v, u, t->p->in.w, x);
    return vec_dot(c->patch, v)/norm;
}

// The uniform velocity that takes out most of the surface's: sum a (n.(u - velocity))^2 is least.
static mn_status surface_velocity(double velocity[3], const TensionImplicit* t, double* const u[3], Arena* arena)
{
    const CutCells* cells = t->p->in.cells;
    SurfaceEntry* entry = ARENA_NEW(arena, SurfaceEntry, cells->count);
    TRY_MEMORY(entry);
    int count = 0;
    for (int m = 0; m < cells->count; m++) {
        const CutCell* c = &cells->cut[m];
        double norm = vec_norm(c->patch);
        if (t->number[m] < 0 || !(norm > 0)) continue;
        SurfaceEntry* e = &entry[count++];
        *e = (SurfaceEntry){.area = norm, .kappa = normal_velocity(t, u, m)};
        for (int d = 0; d < 3; d++) e->direction[d] = c->patch[d]/norm;
    }
    curvature_neutral(velocity, entry, count, t->p->in.w->dim);
    return MN_OK;
}

// Normal velocity of a piece before the acceleration acted, seen from the frame.
static double speed_before(const TensionImplicit* t, double* const u[3], int m, const double frame[3],
                           const double acceleration[3])
{
    const CutCell* c = &t->p->in.cells->cut[m];
    double norm = vec_norm(c->patch);
    if (!(norm > 0)) return 0;
    return normal_velocity(t, u, m) - (vec_dot(c->patch, frame) + t->p->in.dt*vec_dot(c->patch, acceleration))/norm;
}

// Takes from the speeds of the pieces the part 1 - DAMPING of what is left of them after a few means with their neighbours (weights as in
// K): long waves keep DAMPING of their speed, those of a few cells nearly all. What is taken stands in t->value afterwards.
static void keep_ripples(TensionImplicit* t, double* speed, double* mean, double* weight)
{
    memcpy(t->value, speed, sizeof *speed*(size_t)t->count);
    for (int pass = 0; pass < SMOOTHINGS; pass++) {
        memset(mean, 0, sizeof *mean*(size_t)t->count);
        memset(weight, 0, sizeof *weight*(size_t)t->count);
        for (int e = t->count; e < t->entries; e++) {
            int a = t->entry[e].row, b = t->entry[e].column;
            double pull = -t->entry[e].value;
            mean[a] += pull*t->value[b], weight[a] += pull;
            mean[b] += pull*t->value[a], weight[b] += pull;
        }
        for (int q = 0; q < t->count; q++)
            if (weight[q] > 0) t->value[q] = 0.5*(t->value[q] + mean[q]/weight[q]);
    }
    for (int q = 0; q < t->count; q++) speed[q] -= (1 - DAMPING)*t->value[q];
}

// The part of r that is g_old, the flux before the acceleration acted, and the pressure that the turning of the normal makes.
static void start_patch(TensionImplicit* t, const double* speed, int m)
{
    const CutCell* c = &t->p->in.cells->cut[m];
    double norm = vec_norm(c->patch);
    int q = t->number[m];
    if (!(norm > 0)) return;
    double flux = t->area[q]*speed[q];
    t->start[q] += flux;
    if (!(t->sum[q] > 0) || !(t->area[q] > 0)) return;
    // held where the curvature is not resolved: as explicit as it is, it must stay small beside the liquid's inertia
    double own = t->area[q]*t->area[q]/t->sum[q], turning = fmin(t->factor*t->turning[q], MOST_TURNING*own);
    t->known[q] = -turning/t->tau*flux/(t->area[q]*t->area[q]);
}

mn_status tension_implicit_begin(TensionImplicit* t, Pressure* p, double* const u[3], const ImplicitInput* in, Arena* arena)
{
    const double* acceleration = in->acceleration;
    *t = (TensionImplicit){.p = p};
    const Window* w = p->in.w;
    double dt = p->in.dt, tau = dt/(p->in.rho*w->dx);
    t->tau = tau;
    t->factor = tau*in->theta*in->sigma*dt/(w->dx*w->dx);
    TRY(pressure_surface_links(&t->link, &t->links, arena, p, u));
    TRY(number_patches(t, in->left_out, arena));
    if (t->count == 0) return MN_OK;
    TRY(factor_matrix(t, arena));
    for_pairs(t, add_turning);
    double frame[3] = {0};
    if (in->free) TRY(surface_velocity(frame, t, u, arena));
    double *speed = ARENA_ZERO(arena, double, t->count), *work[2];
    for (int m = 0; m < 2; m++) TRY_MEMORY(work[m] = ARENA_NEW(arena, double, t->count));
    TRY_MEMORY(speed);
    for (int m = 0; m < p->in.cells->count; m++)
        if (t->number[m] >= 0) speed[t->number[m]] = speed_before(t, u, m, frame, acceleration);
    keep_ripples(t, speed, work[0], work[1]);
    for (int m = 0; m < p->in.cells->count; m++)
        if (t->number[m] >= 0) start_patch(t, speed, m);
    // f* - f_old is what the acceleration has just added
    for (int e = 0; e < t->links; e++) {
        const SurfaceLink* l = &t->link[e];
        if (l->patch < 0) continue;
        double known = l->weight*t->known[t->number[l->patch]];
        t->start[t->number[l->patch]] += dt*vec_dot(l->area, acceleration) - tau*(l->known + known);
        p->system.b[l->cell] += known;
    }
    memcpy(t->value, t->start, sizeof *t->value*(size_t)t->count);
    apply_y(t, t->value);
    for (int e = 0; e < t->links; e++)
        if (t->link[e].patch >= 0)
            p->system.b[t->link[e].cell] += t->link[e].weight*t->value[t->number[t->link[e].patch]]/tau;
    mn_status status = weaken_links(t, arena);
    if (status != MN_OK) return tension_implicit_end(t, NULL, arena), status;
    p->system.extra = (PoissonExtra){t->cells, t->cell, apply_extra, t};
    return MN_OK;
}

mn_status tension_implicit_end(TensionImplicit* t, const double* pressure, Arena* arena)
{
    mn_status status = MN_OK;
    if (pressure && t->count > 0) {
        const CutCells* cells = t->p->in.cells;
        double* change = ARENA_ZERO(arena, double, cells->count);
        memcpy(t->value, t->start, sizeof *t->value*(size_t)t->count);
        for (int e = 0; e < t->links; e++)
            if (t->link[e].patch >= 0)
                t->value[t->number[t->link[e].patch]] += t->tau*t->link[e].weight*pressure[t->link[e].cell];
        apply_y(t, t->value);
        status = change ? MN_OK : MN_NO_MEMORY;
        for (int m = 0; m < cells->count && change; m++)
            if (t->number[m] >= 0) change[m] = t->value[t->number[m]]/t->tau + t->known[t->number[m]];
        t->p->change = change;
    }
    factor_free(t->matrix);
    t->matrix = NULL;
    return status;
}

bool tension_implicit_overshoots(const TensionImplicit* t, const ImplicitInput* in)
{
    const Window* w = t->p->in.w;
    double most = (w->dim - 1)*in->sigma/w->dx;
    bool any = false;
    for (int e = 0; e < t->links && t->p->change; e++) {
        const SurfaceLink* l = &t->link[e];
        if (l->patch < 0 || in->left_out[l->patch] || !(l->weight > 0) || !(t->sum[t->number[l->patch]] > 0)) continue;
        if (fabs(l->known/l->weight + t->p->change[l->patch]) <= most) continue;
        in->left_out[l->patch] = 1, any = true;
    }
    return any;
}

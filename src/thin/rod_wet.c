#include "thin/rod_wet.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "thin/rod_drag.h"

// Cells from the surface in which h falls from 1 to 0, on either side. Vertices lie a cell apart at most.
static const double SOFT = 1.5;

// ---- phi at a place -----------------------------------------------------------------------------------------------------------

// Quadratic B-spline of the nodes of a window: exact where phi is linear, with a slope that is continuous, so that Newton's method
// knows where it goes; past the outermost cells but a half it stays as it is there. gradient: per metre. x in m.
static double smooth_phi(double gradient[3], const Liquid* q, const double x[3])
{
    const Window* w = &q->w;
    double weight[3][3], slope[3][3];
    int low[3];
    for (int d = 0; d < 3; d++) {
        double at = x[d]/w->dx - w->lo[d];
        low[d] = clampi((int)floor(clamp(at, 0, w->n[d]) - 0.5), 0, w->n[d] - 2);
        double f = clamp(at - low[d], 0.5, 1.5);
        weight[d][0] = 0.5*(1.5 - f)*(1.5 - f), weight[d][1] = 0.75 - (f - 1)*(f - 1), weight[d][2] = 0.5*(f - 0.5)*(f - 0.5);
        slope[d][0] = (f - 1.5)/w->dx, slope[d][1] = -2*(f - 1)/w->dx, slope[d][2] = (f - 0.5)/w->dx;
    }
    const double* v = q->phi.v + window_at(w, low[0], low[1], low[2]);
    double sum = 0, g[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
                double phi = v[window_at(w, i, j, k)];
                sum += weight[0][i]*weight[1][j]*weight[2][k]*phi;
                g[0] += slope[0][i]*weight[1][j]*weight[2][k]*phi;
                g[1] += weight[0][i]*slope[1][j]*weight[2][k]*phi;
                g[2] += weight[0][i]*weight[1][j]*slope[2][k]*phi;
            }
    memcpy(gradient, g, sizeof g);
    return sum;
}

// Is the place in the window, with a cell to spare for the spline?
static bool is_within(const Liquid* q, const double x[3])
{
    for (int d = 0; d < 3; d++) {
        double at = x[d]/q->w.dx - q->w.lo[d];
        if (!(at >= 0 && at <= q->w.n[d])) return false;
    }
    return true;
}

// h = 1/2 - phi/(2 e) - sin(pi phi/e)/(2 pi) for |phi| < e; minus its slope, and the slope of that.
typedef struct WetPart {
    double h, delta, delta_slope;
} WetPart;

static WetPart wet_part(double phi, double e)
{
    if (phi >= e) return (WetPart){0};
    if (phi <= -e) return (WetPart){.h = 1};
    double turn = PI*phi/e;
    return (WetPart){0.5 - 0.5*phi/e - sin(turn)/(2*PI), (1 + cos(turn))/(2*e), -PI*sin(turn)/(2*e*e)};
}

double rod_wet_part(const Rods* rods, const World* world, int vertex)
{
    double sum = 0, g[3];
    for (int m = 0; m < world->liquid_count; m++) {
        const Liquid* q = &world->liquid[m];
        if (is_within(q, rods->mesh.x + 3*vertex))
            sum += wet_part(smooth_phi(g, q, rods->mesh.x + 3*vertex), SOFT*q->w.dx).h;
    }
    return fmin(sum, 1);
}

static double pull_of(const Rods* rods, int vertex, const Liquid* q)
{
    const RodPart* part = &rods->part[rods->of[vertex]];
    double angle = part->contact_angle >= 0 ? part->contact_angle : q->material.contact_angle;
    return 2*PI*part->radius*q->material.sigma*cos(angle)*rods->length[vertex];
}

double rod_wet_energy(const Rods* rods, const World* world)
{
    double sum = 0, g[3];
    for (int v = 0; v < rods->mesh.vertices; v++)
        for (int m = 0; m < world->liquid_count; m++) {
            const Liquid* q = &world->liquid[m];
            const double* x = rods->mesh.x + 3*v;
            if (is_within(q, x)) sum -= pull_of(rods, v, q)*wet_part(smooth_phi(g, q, x), SOFT*q->w.dx).h;
        }
    return sum;
}

// ---- faces around a place -----------------------------------------------------------------------------------------------------

// The eight faces of an axis around a place, linear weights, and how much of each is liquid: the mean of its two cells.
typedef struct FacesAround {
    ptrdiff_t at[8];
    double weight[8], wet[8];
    double total;  // sum of weight wet: 0 where no liquid is near
} FacesAround;

// Cells, and the faces between them, are 0 .. n - 1; those past a side of the window are dry.
static double fraction_of(const Liquid* q, const int c[3])
{
    for (int d = 0; d < 3; d++)
        if (c[d] < 0 || c[d] >= q->w.n[d]) return 0;
    return cutcells_fraction(&q->cells, window_at(&q->w, c[0], c[1], c[2]));
}

static FacesAround faces_around(const Liquid* q, int axis, const double x[3])
{
    FacesAround f = {.total = 0};
    const Window* w = &q->w;
    int low[3];
    double part[3];
    for (int d = 0; d < 3; d++) {
        double at = clamp(x[d]/w->dx - w->lo[d] - (d != axis)*0.5, 0, w->n[d]);
        low[d] = (int)floor(at), part[d] = at - low[d];
    }
    for (int c = 0; c < 8; c++) {
        int up[3] = {c & 1, c >> 1 & 1, c >> 2}, cell[3], back[3];
        f.weight[c] = 1;
        for (int d = 0; d < 3; d++) {
            cell[d] = back[d] = low[d] + up[d];
            f.weight[c] *= up[d] ? part[d] : 1 - part[d];
        }
        back[axis]--;
        f.at[c] = window_at(w, cell[0], cell[1], cell[2]);
        f.wet[c] = 0.5*(fraction_of(q, cell) + fraction_of(q, back));
        f.total += f.weight[c]*f.wet[c];
    }
    return f;
}

// Less than this of the kernel in liquid is none: a force on a splinter of a cell would throw it.
static const double LEAST_WET = 0.05;

static double mean_velocity(const FacesAround* f, const double* u)
{
    double sum = 0;
    for (int c = 0; c < 8; c++) sum += f->weight[c]*f->wet[c]*u[f->at[c]];
    return f->total > 0 ? sum/f->total : 0;
}

// ---- before anything moves ----------------------------------------------------------------------------------------------------

static mn_status find_touches(RodWet* wet, Arena* arena, const Rods* rods, const World* world)
{
    int n = rods->mesh.vertices, room = 0;
    double g[3];
    TRY_MEMORY(wet->first = ARENA_NEW(arena, int, n + 1));
    for (int pass = 0; pass < 2; pass++) {
        wet->touches = 0;
        for (int v = 0; v < n; v++) {
            wet->first[v] = wet->touches;
            for (int m = 0; m < world->liquid_count; m++) {
                const Liquid* q = &world->liquid[m];
                const double* x = rods->mesh.x + 3*v;
                if (!is_within(q, x) || smooth_phi(g, q, x) >= (SOFT + 2)*q->w.dx) continue;
                if (pass == 1) wet->touch[wet->touches] = (RodTouch){.vertex = v, .liquid = m, .pull = pull_of(rods, v, q)};
                wet->touches++;
            }
        }
        wet->first[n] = wet->touches;
        if (pass == 0) TRY_MEMORY(wet->touch = ARENA_ZERO(arena, RodTouch, (room = wet->touches) + 1));
    }
    assert(wet->touches == room);
    return MN_OK;
}

// Sums, per face of a liquid and axis, of the weights with which vertices act on it.
typedef struct FaceLoads {
    double* sum[3];
} FaceLoads;

static mn_status sum_loads(FaceLoads* loads, Arena* arena, const RodWet* wet, int liquid, const Rods* rods)
{
    const Liquid* q = &wet->liquid[liquid];
    for (int d = 0; d < 3; d++) {
        double* block = ARENA_ZERO(arena, double, q->w.count);
        TRY_MEMORY(block);
        loads->sum[d] = block + q->w.origin;
    }
    for (int m = 0; m < wet->touches; m++) {
        if (wet->touch[m].liquid != liquid) continue;
        for (int d = 0; d < 3; d++) {
            FacesAround f = faces_around(q, d, rods->mesh.x + 3*wet->touch[m].vertex);
            for (int c = 0; c < 8 && f.total >= LEAST_WET; c++) loads->sum[d][f.at[c]] += f.weight[c]*f.wet[c]/f.total;
        }
    }
    return MN_OK;
}

// Impulses J of vertices change the velocity that one of them sees by sum of G_ij J_j, G = W M^-1 W^T with the weights W of
// vertices on faces, of which each vertex's add up to 1, and the liquid's mass M of the faces. No row of it is longer than this,
// 1/kg: drag of less than 1/(dt row) cannot win energy, however many threads lie in a cell.
static double row_of(const FacesAround* f, const double* load, const Liquid* q)
{
    double sum = 0, cell = q->material.rho*window_cell_volume(&q->w);
    for (int c = 0; c < 8; c++) sum += f->weight[c]*load[f->at[c]];
    return f->total > 0 ? sum/(f->total*cell) : 0;
}

// C = l h (across (1 - t t^T) + along t t^T), each no more than the liquid around can take in a step: c/(1 + dt c row).
static void find_drag(RodTouch* t, const RodWet* wet, const Rods* rods, const FaceLoads* loads, const double tangent[3])
{
    const Liquid* q = &wet->liquid[t->liquid];
    const double *x = rods->mesh.x + 3*t->vertex, *v = rods->mesh.v + 3*t->vertex;
    double g[3], row = 0, slip[3], share = rods->length[t->vertex]*wet_part(smooth_phi(g, q, x), SOFT*q->w.dx).h;
    bool wet_there = true;
    for (int d = 0; d < 3; d++) {
        FacesAround f = faces_around(q, d, x);
        double u = mean_velocity(&f, q->u[d].v);
        if (f.total >= LEAST_WET) t->way[d] = wet->dt*u;
        else wet_there = false;
        slip[d] = u - v[d], row = fmax(row, row_of(&f, loads->sum[d], q));
    }
    if (!wet_there) return;
    double along = vec_dot(slip, tangent), speed = sqrt(fmax(vec_dot(slip, slip) - along*along, 0));
    RodDrag drag = rod_drag(rods->part[rods->of[t->vertex]].radius, speed, q->material.rho, q->material.mu, q->w.dx);
    double across = share*drag.across/(1 + wet->dt*share*drag.across*row);
    double lengthwise = share*drag.along/(1 + wet->dt*share*drag.along*row);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t->drag[3*i + j] = across*(i == j) + (lengthwise - across)*tangent[i]*tangent[j];
}

mn_status rod_wet_find(RodWet* wet, Arena* arena, Arena* scratch, const Rods* rods, const World* world, const double* from,
                       double dt)
{
    assert(dt > 0);
    *wet = (RodWet){.liquid = world->liquid, .from = from, .dt = dt};
    TRY(find_touches(wet, arena, rods, world));
    double* tangent = ARENA_NEW(arena, double, 3*rods->mesh.vertices);  // outlives the scratch memory of a liquid
    TRY_MEMORY(tangent);
    rods_tangents(tangent, rods);
    for (int q = 0; q < world->liquid_count; q++) {
        FaceLoads loads = {{NULL}};
        for (int m = 0; m < wet->touches; m++) {
            if (wet->touch[m].liquid != q) continue;
            if (!loads.sum[0]) TRY(sum_loads(&loads, scratch, wet, q, rods));
            find_drag(&wet->touch[m], wet, rods, &loads, tangent + 3*wet->touch[m].vertex);
        }
        arena_reset(scratch);
    }
    return MN_OK;
}

// ---- the rods' step -----------------------------------------------------------------------------------------------------------

// Of one touch: -pull h(phi) + r.C r/(2 dt), r = x - x0 - way. The surface goes along with the liquid, so phi is read where it comes
// from, at x - way.
static double touch_energy(double* gradient, double* stiffness, const RodTouch* t, const RodWet* wet, const double x[3])
{
    const Liquid* q = &wet->liquid[t->liquid];
    double slope[3], at[3], r[3], energy = 0;
    vec_sub(at, x, t->way);
    vec_sub(r, at, wet->from + 3*t->vertex);
    WetPart part = wet_part(smooth_phi(slope, q, at), SOFT*q->w.dx);
    double bend = fmax(t->pull*part.delta_slope, 0);
    energy -= t->pull*part.h;
    for (int i = 0; i < 3; i++) {
        double push = (t->drag[3*i]*r[0] + t->drag[3*i + 1]*r[1] + t->drag[3*i + 2]*r[2])/wet->dt;
        energy += 0.5*push*r[i];
        if (gradient) gradient[i] += t->pull*part.delta*slope[i] + push;
        for (int j = 0; stiffness && j < 3; j++) stiffness[3*i + j] += bend*slope[i]*slope[j] + t->drag[3*i + j]/wet->dt;
    }
    return energy;
}

double rod_wet_field(double* gradient, double* stiffness, const void* user, int vertex, const double x[3])
{
    const RodWet* wet = user;
    double sum = 0;
    for (int m = wet->first[vertex]; m < wet->first[vertex + 1]; m++)
        sum += touch_energy(gradient, stiffness, &wet->touch[m], wet, x);
    return sum;
}

void rod_wet_answer(RodWet* wet, const Rods* rods)
{
    for (int m = 0; m < wet->touches; m++) {
        RodTouch* t = &wet->touch[m];
        double g[3] = {0, 0, 0};
        touch_energy(g, NULL, t, wet, rods->mesh.x + 3*t->vertex);
        for (int d = 0; d < 3; d++) t->impulse[d] = wet->dt*g[d];
    }
    wet->liquid = NULL;  // they move now
}

// ---- on the liquid ------------------------------------------------------------------------------------------------------------

// Liquids may have split and merged since: the one that the place is deepest in, or nearest to.
static Liquid* liquid_at(double* phi, double gradient[3], World* world, const double x[3])
{
    Liquid* best = NULL;
    for (int m = 0; m < world->liquid_count; m++) {
        double g[3], here;
        if (!is_within(&world->liquid[m], x)) continue;
        here = smooth_phi(g, &world->liquid[m], x);
        if (here >= *phi) continue;
        best = &world->liquid[m], *phi = here;
        memcpy(gradient, g, sizeof g);
    }
    return best;
}

// At the surface it acts a cell deep, along the normal, which is the direction in which wetting pulls: so it turns nothing.
static bool push_one(World* world, const double x[3], const double impulse[3])
{
    double phi = INFINITY, n[3], place[3];
    Liquid* q = liquid_at(&phi, n, world, x);
    if (!q) return false;
    double deeper = fmax(phi + q->w.dx, 0), slope = vec_norm(n);
    for (int d = 0; d < 3; d++) place[d] = slope > 0 ? x[d] - deeper*n[d]/slope : x[d];
    FacesAround f[3];
    for (int d = 0; d < 3; d++) {
        f[d] = faces_around(q, d, place);
        if (f[d].total < LEAST_WET) return false;
    }
    double cell = q->material.rho*window_cell_volume(&q->w);
    for (int d = 0; d < 3; d++)
        for (int c = 0; c < 8; c++) q->u[d].v[f[d].at[c]] += impulse[d]*f[d].weight[c]/(cell*f[d].total);
    return true;
}

void rod_wet_push(RodPush* push, const RodWet* wet, const Rods* rods, World* world)
{
    *push = (RodPush){.lost = 0};
    for (int m = 0; m < wet->touches; m++) {
        const RodTouch* t = &wet->touch[m];
        if (vec_dot(t->impulse, t->impulse) == 0) continue;
        if (!push_one(world, rods->mesh.x + 3*t->vertex, t->impulse)) push->lost += vec_norm(t->impulse);
        else
            for (int d = 0; d < 3; d++) push->given[d] += t->impulse[d];
    }
}

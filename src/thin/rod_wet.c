#include "thin/rod_wet.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "thin/rod_drag.h"
#include "thin/rod_sample.h"

// Cells from the surface in which h falls from 1 to 0, on either side. Vertices lie a cell apart at most.
static const double SOFT = 1.5;

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
        if (rod_is_within(q, rods->mesh.x + 3*vertex))
            sum += wet_part(rod_phi(g, q, rods->mesh.x + 3*vertex), SOFT*q->w.dx).h;
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
            if (rod_is_within(q, x)) sum -= pull_of(rods, v, q)*wet_part(rod_phi(g, q, x), SOFT*q->w.dx).h;
        }
    return sum;
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
                if (!rod_is_within(q, x) || rod_phi(g, q, x) >= (SOFT + 2)*q->w.dx) continue;
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
            RodFaces f = rod_faces(q, d, rods->mesh.x + 3*wet->touch[m].vertex);
            for (int c = 0; c < 8 && f.total >= ROD_LEAST_WET; c++) loads->sum[d][f.at[c]] += f.weight[c]*f.wet[c]/f.total;
        }
    }
    return MN_OK;
}

// Impulses J of vertices change the velocity that one of them sees by sum of G_ij J_j, G = W M^-1 W^T with the weights W of
// vertices on faces, of which each vertex's add up to 1, and the liquid's mass M of the faces. No row of it is longer than this,
// 1/kg: drag of less than 1/(dt row) cannot win energy, however many threads lie in a cell.
static double row_of(const RodFaces* f, const double* load, const Liquid* q)
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
    double g[3], row = 0, slip[3], share = rods->length[t->vertex]*wet_part(rod_phi(g, q, x), SOFT*q->w.dx).h;
    bool wet_there = true;
    for (int d = 0; d < 3; d++) {
        RodFaces f = rod_faces(q, d, x);
        double u = rod_velocity(&f, q->u[d].v);
        if (f.total >= ROD_LEAST_WET) t->way[d] = wet->dt*u;
        else wet_there = false;
        slip[d] = u - v[d], row = fmax(row, row_of(&f, loads->sum[d], q));
    }
    if (!wet_there) return;
    double along = vec_dot(slip, tangent), speed = sqrt(fmax(vec_dot(slip, slip) - along*along, 0));
    RodDrag drag = rod_drag(rods->part[rods->of[t->vertex]].radius, speed, q->material.rho, q->material.mu, q->w.dx);
    double across = share*drag.across/(1 + wet->dt*share*drag.across*row);
    double lengthwise = share*drag.along/(1 + wet->dt*share*drag.along*row);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) t->drag[3*i + j] = across*(i == j) + (lengthwise - across)*tangent[i]*tangent[j];
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

// Of one touch: -pull h(phi) + r.C r/(2 dt), r = x - x0 - way. The surface goes along with the liquid, so phi is read where it
// comes from, at x - way.
static double touch_energy(double* gradient, double* stiffness, const RodTouch* t, const RodWet* wet, const double x[3])
{
    const Liquid* q = &wet->liquid[t->liquid];
    double slope[3], at[3], r[3], energy = 0;
    vec_sub(at, x, t->way);
    vec_sub(r, at, wet->from + 3*t->vertex);
    WetPart part = wet_part(rod_phi(slope, q, at), SOFT*q->w.dx);
    double bend = fmax(t->pull*part.delta_slope, 0);
    energy -= t->pull*part.h;
    for (int i = 0; i < 3; i++) {
        double push = (t->drag[3*i]*r[0] + t->drag[3*i + 1]*r[1] + t->drag[3*i + 2]*r[2])/wet->dt;
        energy += 0.5*push*r[i];
        if (gradient) gradient[i] += t->pull*part.delta*slope[i] + push;
        for (int j = 0; stiffness && j < 3; j++)
            stiffness[3*i + j] += bend*slope[i]*slope[j] + t->drag[3*i + j]/wet->dt;
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
        RodTouch wetting = *t;
        double all[3] = {0, 0, 0}, g[3] = {0, 0, 0};
        const double* x = rods->mesh.x + 3*t->vertex;
        memset(wetting.drag, 0, sizeof wetting.drag);
        touch_energy(all, NULL, t, wet, x), touch_energy(g, NULL, &wetting, wet, x);
        for (int d = 0; d < 3; d++) t->pulled[d] = wet->dt*g[d], t->dragged[d] = wet->dt*(all[d] - g[d]);
    }
    wet->liquid = NULL;  // they move now
}

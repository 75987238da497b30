// What rods have done to liquids acts on them.
//
// Drag is a force in the liquid. What wetting pulls with is none: it is the slope of an energy that depends on where the surface
// is, so it is a pressure on the surface, and a surface that stands still gets no work from it, nor does liquid that turns in
// circles under it. (As a force in the liquid a cell deep, it drove rings of vortices at the ends of wet threads: drops of R = 4
// cells won a tenth of their surface's energy in 12 ms.) A pull of s outwards at a place of the surface becomes
//
//     p(x) = - s g(x)/sum of g A n.m over pieces of surface,   g = (1 - r^2/R^2)^2 within R = 2 dx of the place, m its normal,
//
// and comes to the impulse dt s m, and a little across it. What is missing to what the rod has got acts in the liquid.
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "thin/rod_sample.h"
#include "thin/rod_wet.h"

static const double REACH = 2;  // cells

// Liquids may have split and merged since: the one that the place is deepest in, or nearest to; -1: there is none.
static int liquid_at(double* phi, double gradient[3], const World* world, const double x[3])
{
    int best = -1;
    for (int m = 0; m < world->liquid_count; m++) {
        double g[3], here;
        if (!rod_is_within(&world->liquid[m], x)) continue;
        here = rod_phi(g, &world->liquid[m], x);
        if (best >= 0 && here >= *phi) continue;
        best = m, *phi = here;
        memcpy(gradient, g, sizeof g);
    }
    return best;
}

// Into the liquid by `way` along the normal, m.
static void inwards(double place[3], const double x[3], const double n[3], double way)
{
    double slope = vec_norm(n);
    for (int d = 0; d < 3; d++) place[d] = slope > 0 ? x[d] - way*n[d]/slope : x[d];
}

// ---- drag -------------------------------------------------------------------------------------------------------------------

// At the surface it acts a cell deep.
static bool push_inside(World* world, const double x[3], const double impulse[3])
{
    double phi = INFINITY, n[3], place[3];
    int m = liquid_at(&phi, n, world, x);
    if (m < 0) return false;
    Liquid* q = &world->liquid[m];
    inwards(place, x, n, fmax(phi + q->w.dx, 0));
    RodFaces f[3];
    for (int d = 0; d < 3; d++) {
        f[d] = rod_faces(q, d, place);
        if (f[d].total < ROD_LEAST_WET) return false;
    }
    double cell = q->material.rho*window_cell_volume(&q->w);
    for (int d = 0; d < 3; d++)
        for (int c = 0; c < 8; c++) q->u[d].v[f[d].at[c]] += impulse[d]*f[d].weight[c]/(cell*f[d].total);
    return true;
}

// ---- wetting ----------------------------------------------------------------------------------------------------------------

// Around a place of the surface, in cells of the window.
typedef struct Spot {
    double at[3];
    int low[3], high[3];     // nodes within reach
    double area, vector[3];  // sums of g over pieces of surface, in faces of a cell
} Spot;

static double bump(const Spot* s, const double x[3])
{
    double square = 0;
    for (int d = 0; d < 3; d++) square += (x[d] - s->at[d])*(x[d] - s->at[d]);
    double part = 1 - square/(REACH*REACH);
    return part > 0 ? part*part : 0;
}

static void measure_spot(Spot* s, const Liquid* q, const double place[3])
{
    const Window* w = &q->w;
    *s = (Spot){.area = 0};
    for (int d = 0; d < 3; d++) {
        s->at[d] = place[d]/w->dx - w->lo[d];
        s->low[d] = clampi((int)ceil(s->at[d] - REACH), 0, w->n[d]);
        s->high[d] = clampi((int)floor(s->at[d] + REACH), 0, w->n[d]);
    }
    for (int k = maxi(s->low[2] - 1, 0); k <= mini(s->high[2], w->n[2] - 1); k++)
        for (int j = maxi(s->low[1] - 1, 0); j <= mini(s->high[1], w->n[1] - 1); j++)
            for (int i = maxi(s->low[0] - 1, 0); i <= mini(s->high[0], w->n[0] - 1); i++) {
                int32_t number = q->cells.index[window_at(w, i, j, k)];
                if (number < 0) continue;
                const CutCell* cut = &q->cells.cut[number];
                double g = bump(s, (double[3]){i + cut->center[0], j + cut->center[1], k + cut->center[2]});
                s->area += g*cut->patch_area;
                for (int d = 0; d < 3; d++) s->vector[d] += g*cut->patch[d];
            }
}

static void add_pressure(double* pressure, const Spot* s, const Window* w, double most)
{
    for (int k = s->low[2]; k <= s->high[2]; k++)
        for (int j = s->low[1]; j <= s->high[1]; j++)
            for (int i = s->low[0]; i <= s->high[0]; i++) pressure[window_at(w, i, j, k)] += most*bump(s, (double[3]){i, j, k});
}

// Less surface than this within reach (faces of a cell) is none.
static const double LEAST_AREA = 0.1;
// On a tip that is thinner than the reach pieces of surface look all ways: pressure is raised to twice what its area asks for at
// most.
static const double LEAST_ALONG = 0.5;

// *got: what the liquid gets of it.
static mn_status pull_surface(double got[3], RodPull* pulls, Arena* arena, const World* world, const double x[3],
                              const double impulse[3], double dt)
{
    double phi = INFINITY, n[3], place[3];
    int m = liquid_at(&phi, n, world, x);
    got[0] = got[1] = got[2] = 0;
    if (m < 0) return MN_OK;
    const Liquid* q = &world->liquid[m];
    RodPull* pull = &pulls[m];
    Spot spot;
    inwards(place, x, n, phi);
    measure_spot(&spot, q, place);
    double slope = vec_norm(n);
    if (spot.area < LEAST_AREA || !(slope > 0)) return MN_OK;
    if (!pull->pressure) {
        double* block = ARENA_ZERO(arena, double, q->w.count);
        TRY_MEMORY(block);
        pull->pressure = block + q->w.origin;
    }
    double along = vec_dot(spot.vector, n)/slope, part = fmax(along, LEAST_ALONG*spot.area),
           size = vec_dot(impulse, n)/slope;
    add_pressure(pull->pressure, &spot, &q->w, -size/(dt*part*window_face_area(&q->w)));
    for (int d = 0; d < 3; d++) got[d] = size*spot.vector[d]/part, pull->impulse[d] += got[d];
    return MN_OK;
}

mn_status rod_wet_push(RodPush* push, RodPull** pull, Arena* arena, const RodWet* wet, const Rods* rods, World* world)
{
    *push = (RodPush){.lost = 0};
    TRY_MEMORY(*pull = ARENA_ZERO(arena, RodPull, world->liquid_count + 1));
    for (int m = 0; m < wet->touches; m++) {
        const RodTouch* t = &wet->touch[m];
        const double* x = rods->mesh.x + 3*t->vertex;
        double got[3] = {0, 0, 0}, rest[3];
        if (vec_dot(t->pulled, t->pulled) > 0) TRY(pull_surface(got, *pull, arena, world, x, t->pulled, wet->dt));
        for (int d = 0; d < 3; d++) rest[d] = t->dragged[d] + t->pulled[d] - got[d];
        if (vec_dot(rest, rest) == 0) continue;
        bool pushed = push_inside(world, x, rest);
        if (!pushed) push->lost += vec_norm(rest);
        for (int d = 0; d < 3; d++) push->given[d] += got[d] + (pushed ? rest[d] : 0);
    }
    return MN_OK;
}

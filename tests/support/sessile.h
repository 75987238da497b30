// Drops on walls and tilted planes, and how they should lie there. Units: rho = sigma = 1, lengths as given.
#pragma once
#include <stdlib.h>
#include "basin.h"
#include "grid/contact.h"
#include "liquid/wetting.h"

// ---- circles and balls cut by a plane --------------------------------------------------------------------------------------

// Radius of the circle (ball) whose cap at the contact angle theta has this area (volume).
static inline double cap_radius(int dim, double volume, double theta)
{
    double c = cos(theta);
    if (dim == 2) return sqrt(volume/(theta - sin(theta)*c));
    return cbrt(volume/(PI/3*(1 - c)*(1 - c)*(2 + c)));
}

// ---- a drop under gravity: d(angle)/ds = 2/b + y g - (3D: sin(angle)/x), from the apex down [bashforth1883] -------

typedef struct Profile {
    double base, height, widest, volume;
} Profile;

// Points of a profile from the apex (0, 0) down.
enum { PROFILE_POINTS = 4000 };
typedef struct ProfileLine {
    int count;
    double x[PROFILE_POINTS], y[PROFILE_POINTS];
} ProfileLine;

// Follows the profile from an apex of curvature k0 (2D; half of it per direction in 3D) to the angle theta; a = rho g/sigma. line
// (may be NULL) gets its points, as many as fit from every `stride`-th step.
static inline Profile profile_along(ProfileLine* line, int stride, int dim, double k0, double a, double theta)
{
    Profile p = {0};
    if (line) line->count = 0;
    int steps = 0;
    double x = 0, y = 0, angle = 0, volume = 0, ds = 4e-4*fmin(1/k0, 1/sqrt(a));
    while (angle < theta) {
        double k[4][4], state[4] = {x, y, angle, volume};
        for (int m = 0; m < 4; m++) {
            double f = m == 0 ? 0 : m == 3 ? ds : 0.5*ds, s[4];
            for (int c = 0; c < 4; c++) s[c] = state[c] + (m == 0 ? 0 : f*k[m - 1][c]);
            double across = dim == 2 ? 0 : s[0] > 0 ? sin(s[2])/s[0] : 0.5*k0;
            k[m][0] = cos(s[2]), k[m][1] = sin(s[2]);
            k[m][2] = k0 + a*s[1] - across;
            k[m][3] = dim == 2 ? 2*s[0]*k[m][1] : PI*s[0]*s[0]*k[m][1];
        }
        double rate[4];
        for (int c = 0; c < 4; c++) rate[c] = (k[0][c] + 2*k[1][c] + 2*k[2][c] + k[3][c])/6;
        double step = fmin(ds, (theta - angle)/rate[2] + 1e-15);  // the last one ends on theta, to second order in ds
        x += step*rate[0], y += step*rate[1], angle += step*rate[2], volume += step*rate[3];
        p.widest = fmax(p.widest, x);
        bool last = !(angle < theta) || !(rate[2] > 0);
        if (line && line->count < PROFILE_POINTS && (steps++ % stride == 0 || last)) {
            line->x[line->count] = x;
            line->y[line->count++] = y;
        }
        if (!(rate[2] > 0)) break;
    }
    p.base = x, p.height = y, p.volume = volume;
    return p;
}

// The drop of a given area or volume: bisection for the curvature of its apex, less of it for a larger drop.
static inline Profile profile_line_of(ProfileLine* line, int dim, double volume, double a, double theta)
{
    double low = 1e-9/cap_radius(dim, volume, theta), high = 2.5/cap_radius(dim, volume, theta);
    Profile p = {0};
    for (int m = 0; m < 60; m++) {
        double k0 = sqrt(low*high);
        p = profile_along(NULL, 1, dim, k0, a, theta);
        if (p.volume > volume) low = k0;
        else high = k0;
    }
    if (line) profile_along(line, 20, dim, sqrt(low*high), a, theta);
    return p;
}

static inline Profile profile_of(int dim, double volume, double a, double theta)
{
    return profile_line_of(NULL, dim, volume, a, theta);
}

// ---- drops in a tank ---------------------------------------------------------------------------------------------------------

// A disc (ball) on the plane through `foot` with the normal `up`, its centre `above` it.
typedef struct DropShape {
    double foot[3], up[3], radius, above;
    int dim;
} DropShape;

static inline double drop_distance(const void* user, const double x[3])
{
    const DropShape* s = user;
    double r[3] = {0};
    for (int d = 0; d < s->dim; d++) r[d] = x[d] - s->foot[d] - s->above*s->up[d];
    return vec_norm(r) - s->radius;
}

static inline double plane_distance(const void* user, const double x[3])
{
    const DropShape* s = user;
    double r[3] = {x[0] - s->foot[0], x[1] - s->foot[1], s->dim == 3 ? x[2] - s->foot[2] : 0};
    return vec_dot(r, s->up);
}

// A tank of width x height (x width) in cells of dx with the drop on its floor, rho = sigma = 1.
static inline void sessile_init_deep(Sim* sim, const DropShape* s, int nx, int ny, int nz, double dx, double theta, double mu)
{
    basin_init(sim, s->dim, nx, ny, nz, dx);
    sim->model.settings.gravity[1] = 0;
    sim->model.settings.advection = ADVECT_AUTO;
    basin_add(sim, drop_distance, s, (double[3]){0, 0, 0});
    sim->world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .mu = mu, .contact_angle = theta};
}

static inline void sessile_init(Sim* sim, const DropShape* s, int nx, int ny, double dx, double theta, double mu)
{
    sessile_init_deep(sim, s, nx, ny, nx, dx, theta, mu);
}

// Where the surface crosses the floor along x (through the node layer of height j and depth k): left and right end, m.
static inline void line_ends(double* left, double* right, const Liquid* q, int j, int k)
{
    const double* row = q->phi.v + window_at(&q->w, 0, j, k);
    *left = INFINITY, *right = -INFINITY;
    for (int i = 0; i < q->w.n[0]; i++) {
        if ((row[i] < 0) == (row[i + 1] < 0)) continue;
        double x[3];
        window_position(x, &q->w, i + row[i]/(row[i] - row[i + 1]), 0, 0);
        *left = fmin(*left, x[0]), *right = fmax(*right, x[0]);
    }
}

// Topmost surface in the column of nodes nearest to (x, z).
static inline double column_top(const Liquid* q, double x, double z)
{
    const Window* w = &q->w;
    int i = clampi((int)(x/w->dx + 0.5) - w->lo[0], 0, w->n[0]),
        k = w->dim == 3 ? clampi((int)(z/w->dx + 0.5) - w->lo[2], 0, w->n[2]) : 0;
    for (int j = w->n[1] - 1; j >= 0; j--) {
        double a = q->phi.v[window_at(w, i, j, k)], b = q->phi.v[window_at(w, i, j + 1, k)];
        if (a < 0 && b >= 0) return (w->lo[1] + j + a/(a - b))*w->dx;
    }
    return 0;
}

// Ends of the line on the floor, in the row of the drop's centre.
static inline void floor_ends(double* left, double* right, const Sim* sim, const DropShape* s)
{
    const Liquid* q = &sim->world.liquid[0];
    *left = INFINITY, *right = -INFINITY;
    if (q->w.lo[1] > 0) return;  // its window has left the floor with it
    line_ends(left, right, q, -q->w.lo[1], s->dim == 3 ? (int)(s->foot[2]/q->w.dx + 0.5) - q->w.lo[2] : 0);
}

// ---- baths ---------------------------------------------------------------------------------------------------------------

static inline double below(const void* user, const double x[3]) { return x[1] - *(const double*)user; }

// A bath between walls 12 a apart, a = sqrt(sigma/(rho g)) = 1: how far it stands above its middle at the left and the right
// wall. Theory: h^2 = 2 a^2 (1 - sin theta).
static inline void meniscus_heights(double* left, double* right, double theta, double cells, double time)
{
    double dx = 1/cells, level = 1.5, width = 12;
    Sim sim;
    basin_init(&sim, 2, (int)(width*cells), (int)(3*cells), 1, dx);
    sim.model.settings.gravity[1] = -1;
    sim.model.settings.advection = ADVECT_AUTO;
    basin_add(&sim, below, &level, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .mu = 0.3, .contact_angle = theta};
    CHECK_OK(sim_start(&sim));
    CHECK_OK(sim_advance(&sim, time));
    double middle = column_top(&sim.world.liquid[0], 0.5*width, 0);
    *left = column_top(&sim.world.liquid[0], 0, 0) - middle, *right = column_top(&sim.world.liquid[0], width, 0) - middle;
    sim_free(&sim);
}

// Two plates d apart in a bath. Their pull 2 sigma cos(theta) carries the column between them, meniscus included, so its mean
// height over the bath is h = 2 sigma cos(theta)/(rho g d) [jurin1718]. The meniscus is nearly a circle of R = d/(2 cos theta),
// whose mean height over its lowest point is R (1 - sin(theta)/2 - (pi/2 - theta)/(2 cos theta)): the middle stands lower than h
// by that. The bath's level is that of a flat surface: the pressure at the bottom over rho g.
typedef struct Plates {
    double left, right, thickness, low, top;
} Plates;

static inline double plate_distance(const void* user, const double x[3])
{
    const Plates* p = user;
    double nearest = INFINITY;
    for (int m = 0; m < 2; m++) {
        double center = m == 0 ? p->left - 0.5*p->thickness : p->right + 0.5*p->thickness;
        double q[2] = {fabs(x[0] - center) - 0.5*p->thickness, fabs(x[1] - 0.5*(p->low + p->top)) - 0.5*(p->top - p->low)};
        nearest = fmin(nearest, hypot(fmax(q[0], 0), fmax(q[1], 0)) + fmin(fmax(q[0], q[1]), 0));
    }
    return nearest;
}

// Height of the middle of the column over the bath, and by theory.
typedef struct Rise {
    double measured, theory;
} Rise;

static inline Rise jurin_rise(double theta, double gap, double cells, double time)
{
    double dx = 1/cells, g = 1.5, c = cos(theta), radius = gap/(2*c), width = 5;
    double level = theta < 0.5*PI ? 1.2 : 2.2;
    Plates plates = {.left = 2.013, .right = 2.013 + gap, .thickness = 0.4, .low = 0.6, .top = 5};
    Sim sim;
    basin_init(&sim, 2, (int)(width*cells), (int)(3.5*cells), 1, dx);
    sim.model.settings.gravity[1] = -g;
    sim.model.settings.advection = ADVECT_AUTO;
    sim.world.solids.solid = calloc(1, sizeof *sim.world.solids.solid);
    sim.world.solids.count = 1;
    sim.world.solids.solid[0] = (Solid){.distance = plate_distance,
                                        .shape = &plates,
                                        .contact_angle = {theta, theta},
                                        .pose = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    basin_add(&sim, below, &level, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .mu = 0.2, .contact_angle = PI/2};
    CHECK_OK(sim_start(&sim));
    CHECK_OK(sim_advance(&sim, time));
    const Liquid* q = &sim.world.liquid[0];
    double bath = 0.5*dx + q->p.v[window_at(&q->w, 0, 0, 0)]/g;
    Rise out = {.measured = column_top(q, plates.left + 0.5*gap, 0) - bath,
                .theory = 2*c/(g*gap) - radius*(1 - 0.5*sin(theta) - (0.5*PI - theta)/(2*c))};
    sim_free(&sim);
    return out;
}

// ---- planes ---------------------------------------------------------------------------------------------------------------

// A drop on a solid plane through the tank, tilted against the grid. Gravity g pulls along it, towards falling x.
static inline void plane_init(Sim* sim, DropShape* s, double cells, double tilt, ContactAngle angle, double g)
{
    *s = (DropShape){.foot = {2.263, 1.3, 0}, .up = {-sin(tilt), cos(tilt), 0}, .radius = 1, .dim = 2};
    sessile_init(sim, s, (int)(4.5*cells), (int)(3.5*cells), 1/cells, PI/2, 0.3);
    sim->model.settings.gravity[0] = -g*cos(tilt), sim->model.settings.gravity[1] = -g*sin(tilt);
    sim->world.solids.solid = calloc(1, sizeof *sim->world.solids.solid);
    sim->world.solids.count = 1;
    sim->world.solids.solid[0] = (Solid){
        .distance = plane_distance, .shape = s, .contact_angle = angle, .pose = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
}

// Ends of the line along the plane, from the foot of the drop.
static inline void plane_ends(double* left, double* right, Sim* sim, const DropShape* s)
{
    Liquid* q = &sim->world.liquid[0];
    ContactPoint* point;
    int count;
    nodes_exchange(q->phi_solid.v, &q->w, EVERY_LAYER);
    CHECK_OK(contact_points(&point, &count, &sim->scratch, q->phi.v, q->phi_solid.v, &q->spans, &q->w, NULL));
    *left = INFINITY, *right = -INFINITY;
    for (int m = 0; m < count; m++) {
        double along = (point[m].x[0] - s->foot[0])*s->up[1] - (point[m].x[1] - s->foot[1])*s->up[0];
        *left = fmin(*left, along), *right = fmax(*right, along);
    }
    arena_reset(&sim->scratch);
}

// Speeds of the front and the back of a drop, 70 to 110 degrees, pulled along the floor or a tilted solid by `part` of the force
// that it can hold: sigma (cos theta_r - cos theta_a) = 0.68404 for these (2D) [furmidge1962].
typedef struct Creep {
    double front, back;
} Creep;

static inline Creep drop_creep(bool solid, double part, double cells)
{
    const ContactAngle angle = {110*PI/180, 70*PI/180};
    double g = part*0.68404/(0.5*PI), left[2], right[2], time = part < 1 ? 6 : 2;
    DropShape s = {.foot = {2.263, 0, 0}, .up = {0, 1, 0}, .radius = 1, .dim = 2};
    Sim sim;
    if (solid) {
        plane_init(&sim, &s, cells, 0.3, angle, g);
    } else {
        sessile_init(&sim, &s, (int)(4.5*cells), (int)(1.75*cells), 1/cells, PI/2, 0.3);
        sim.model.settings.gravity[0] = -g;
        sim.model.settings.wall_angle = angle;
    }
    CHECK_OK(sim_start(&sim));
    for (int half = 0; half < 2; half++) {
        CHECK_OK(sim_advance(&sim, (1 + half)*time));
        if (solid) plane_ends(&left[half], &right[half], &sim, &s);
        else floor_ends(&left[half], &right[half], &sim, &s);
    }
    sim_free(&sim);
    return (Creep){(left[0] - left[1])/time, (right[0] - right[1])/time};
}

// The same for a half ball of R = `cells` dx on the floor, 3D, with these angles.
static inline Creep drop_creep_3d(double part, ContactAngle angle, double cells, double time)
{
    double g = part*2*0.68404/(2*PI/3), left[2], right[2];
    DropShape s = {.foot = {2.263, 0, 1.513}, .up = {0, 1, 0}, .radius = 1, .dim = 3};
    Sim sim;
    sessile_init_deep(&sim, &s, (int)(4*cells), (int)(1.75*cells), (int)(3*cells), 1/cells, PI/2, 0.3);
    sim.model.settings.gravity[0] = -g;
    sim.model.settings.wall_angle = angle;
    CHECK_OK(sim_start(&sim));
    for (int half = 0; half < 2; half++) {
        CHECK_OK(sim_advance(&sim, (1 + half)*time));
        floor_ends(&left[half], &right[half], &sim, &s);
    }
    sim_free(&sim);
    return (Creep){(left[0] - left[1])/time, (right[0] - right[1])/time};
}

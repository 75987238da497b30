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

// ---- a drop under gravity: d(angle)/ds = 2/b + y g - (3D: sin(angle)/x), from the apex down [Bashforth and Adams 1883] -------

typedef struct Profile {
    double base, height, widest, volume;
} Profile;

// Follows the profile from an apex of curvature k0 (2D; half of it per direction in 3D) to the angle theta; a = rho g/sigma.
static inline Profile profile_from(int dim, double k0, double a, double theta)
{
    Profile p = {0};
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
        if (!(rate[2] > 0)) break;
    }
    p.base = x, p.height = y, p.volume = volume;
    return p;
}

// The drop of a given area or volume: bisection for the curvature of its apex, less of it for a larger drop.
static inline Profile profile_of(int dim, double volume, double a, double theta)
{
    double low = 1e-9/cap_radius(dim, volume, theta), high = 2.5/cap_radius(dim, volume, theta);
    Profile p = {0};
    for (int m = 0; m < 60; m++) {
        double k0 = sqrt(low*high);
        p = profile_from(dim, k0, a, theta);
        if (p.volume > volume) low = k0;
        else high = k0;
    }
    return p;
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
static inline void sessile_init(Sim* sim, const DropShape* s, int nx, int ny, double dx, double theta, double mu)
{
    basin_init(sim, s->dim, nx, ny, nx, dx);
    sim->settings.gravity[1] = 0;
    sim->settings.advection = ADVECT_AUTO;
    basin_add(sim, drop_distance, s, (double[3]){0, 0, 0});
    sim->liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .mu = mu, .contact_angle = theta};
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

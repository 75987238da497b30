// Films at rest that press on liquids (paper: wang2023bouncing, 6.1.1 to 6.1.3): across a box, open at its ends or not, and
// around a drop.
#pragma once
#include "gap.h"
#include "round_drop.h"

typedef struct Plane {
    double y;
    int up;  // 1: liquid below y, -1: above
} Plane;

static inline double plane_distance(const void* user, const double x[3])
{
    const Plane* p = user;
    return p->up*(x[1] - p->y);
}

static const double P_EXT = 1000, LAYER_DT = 5e-4, SIDE = 1e-3, RING_RADIUS = 0.25e-3;

// 1 mm x 1 mm of water with a film across the middle; the air cells are made by hand, one per column, open at both ends or not.
static inline void flat_film(Gap* g, int n, double h, double shift, bool open)
{
    gap_init(g, 2, (int[3]){n, n, 1}, SIDE/n);
    double dx = g->tank.dx, middle = 0.5*SIDE + shift*dx;
    gap_add(g, plane_distance, &(Plane){middle - 0.5*h, 1}, 1000, (double[3]){0, 0, 0});
    gap_add(g, plane_distance, &(Plane){middle + 0.5*h, -1}, 1000, (double[3]){0, 0, 0});
    Film* f = &g->film;
    f->settings.h_max = 10*dx;
    f->cell = ARENA_NEW(&g->arena, AirCell, n), f->edge = ARENA_NEW(&g->arena, AirEdge, n + 1);
    f->cells = n;
    for (int i = 0; i < n; i++) {
        f->cell[i] = (AirCell){.x = {(i + 0.5)*dx, middle, 0}, .h = h, .gap = h, .area = dx, .pair = {0, 1}};
        f->cell[i].grid = film_grid_number(&g->tank, i, (int)(middle/dx), 0);
    }
    for (int i = 0; i <= n; i++) {
        bool rim = i == 0 || i == n;
        if (rim && !open) continue;
        AirEdge e = {.a = i == 0 ? 0 : i - 1, .b = rim ? -1 : i, .length = 1, .distance = rim ? 0.5*dx : dx, .h = h};
        e.x[0] = i*dx, e.x[1] = middle, e.m[0] = i == 0 ? -1 : 1;
        f->edge[f->edges++] = e;
    }
    CHECK_OK(film_bodies_init(&f->bodies, g->liquid, 2, &g->arena));
    CHECK_OK(film_ridge_order(f, &g->arena));
    CHECK_OK(film_link_patches(f, &g->arena));
    assert_int_equal(f->lost, 0);
}

// Pressure P_EXT on the top of the upper layer, half a cell above the uppermost centres.
static inline void flat_press(Gap* g)
{
    Poisson* s = &g->pressure[1].system;
    int top = s->w->n[1] - 1;
    for (int m = s->first[top]; m < s->first[top + 1]; m++) {
        s->special[m].excess += 2;
        s->b[window_at(s->w, s->special[m].i, top, 0)] += 2*P_EXT;
    }
}

static inline void flat_solve(Gap* g)
{
    for (int m = 0; m < g->count; m++) gap_build_pressure(g, m, LAYER_DT);
    flat_press(g);
    gap_solve(g, 1e-13);
}

// Film open at both ends, x = 0 and L. With K = h^3/(12 mu), a = dt/rho, k_n = 2 pi n/L and layers H1 above, H2 below,
//     p(x) = p_ext - s [ 2 H1/(a L) + sum_n 4 cos(k_n x)/(L (K k_n^2 + a k_n (coth k_n H1 + tanh k_n H2))) ],
// s, the flux out of each end, from p(0) = 0. Returns p_ext - p at the middle.
static inline double open_film_series(double h, double above, double below)
{
    double conduct = h*h*h/(12*FILM_MU), a = LAYER_DT/1000, flat = 2*above/(a*SIDE), end = flat, middle = flat;
    for (int n = 1; n <= 4000000; n++) {
        double k = 2*PI*n/SIDE, coth = k*above < 20 ? 1/tanh(k*above) : 1,
               tanh_below = k*below < 20 ? tanh(k*below) : 1;
        double term = 4/(SIDE*(conduct*k*k + a*k*(coth + tanh_below)));
        end += term, middle += n%2 ? -term : term;
    }
    return P_EXT*middle/end;
}

static inline double open_film_loss(int n, double h, double* series, int* iterations)
{
    Gap g;
    const double shift = 0.37;
    flat_film(&g, n, h, shift, true);
    flat_solve(&g);
    CHECK_TRUE(g.report.converged);
    double loss = P_EXT - 0.5*(g.film.p[n/2 - 1] + g.film.p[n/2]), off = shift*g.tank.dx;
    *series = open_film_series(h, 0.5*SIDE - off - 0.5*h, 0.5*SIDE + off - 0.5*h);
    *iterations = g.report.iterations;
    gap_free(&g);
    return loss;
}

// A drop of R = 0.25 mm in a hole of another liquid, h away from it: the film is closed in itself.
static inline double hole_distance(const void* user, const double x[3]) { return -round_drop_distance(user, x); }

static inline void ring_film(Gap* g, int n, double h)
{
    gap_init(g, 2, (int[3]){n, n, 1}, SIDE/n);
    RoundDrop inside = {{0.5*SIDE, 0.5*SIDE, 0}, RING_RADIUS - 0.5*h},
              outside = {{0.5*SIDE, 0.5*SIDE, 0}, RING_RADIUS + 0.5*h};
    gap_add(g, round_drop_distance, &inside, 1000, (double[3]){0, 0, 0});
    gap_add(g, hole_distance, &outside, 1000, (double[3]){0, 0, 0});
    gap_build_film(g);
}

// Largest |p - value| over the film's cells and those of all liquids.
static inline double flat_error(const Gap* g, double value)
{
    double worst = 0;
    for (int m = 0; m < g->count; m++) worst = fmax(worst, gap_pressure_error(g, m, value));
    for (int c = 0; c < g->film.cells; c++) worst = fmax(worst, fabs(g->film.p[c] - value));
    return worst;
}

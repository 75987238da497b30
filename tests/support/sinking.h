// A small, stiff drop that its weight presses onto a bath: the film under it drains by the law of lubrication.
//
// A cylinder of radius R that closes on a plane at speed V, with h = h0 + x^2/(2 R) between them, is held up by
//     F = (3 pi/2) mu V (2 R/h0)^(3/2)                                              (N/m; Reynolds 1886, docs/film.md, T4)
// so that under its weight F = rho pi R^2 g, quasi-static, 1/sqrt(h0) grows linearly:
//     h0(t) = (1/sqrt(h0(0)) + t F/(3 pi mu (2 R)^(3/2)))^(-2).
// Tension is ten times that of water, so that the film's pressure (100 Pa) hardly dents either side (sigma/R = 14 kPa).
#pragma once
#include "bounce.h"

typedef struct Sinking {
    double h, law, cell;  // m: under the drop's lowest point at the end, what the law says, dx
    double removed;       // of the drop's volume, by gap repair
} Sinking;

// Thickness under the lowest point of a drop of this radius above x: that of the nearest air cell, less what the gap's parabola adds on the way to
// its middle (at R = 8 dx up to 0.1 um).
static inline double sinking_thickness(const FilmRecord* film, double x, double radius)
{
    double h = 0, nearest = INFINITY;
    for (int m = 0; m < film->count; m++) {
        double off = fabs(film->piece[m].x[0] - x);
        if (off < nearest) nearest = off, h = film->piece[m].thickness - off*off/(2*radius);
    }
    return h;
}

static inline double sinking_bath(const void* depth, const double x[3]) { return x[1] - *(const double*)depth; }

// n cells per radius, until a time (s).
static inline Sinking sink(int n, double until)
{
    const double radius = 50e-6, rho = 1000, gravity = 98, start = 0.6e-6, mu = 18.6e-6;
    double dx = radius/n, depth = 1.03*radius,
           rate = rho*PI*radius*radius*gravity/(1.5*PI*mu*pow(2*radius, 1.5));
    Sim sim;
    basin_init(&sim, 2, 6*n, 4*n, 1, dx);
    film_hold_all(&sim);
    sim.settings.film.h_min = 1e-8;
    sim.settings.gravity[1] = -gravity;
    sim.settings.cfl = 1, sim.settings.tolerance = 1e-8, sim.settings.advection = ADVECT_CUBIC, sim.settings.slip = true;
    BounceDrop drop = {{3*radius + 0.2*dx, depth + start + radius, 0}, radius};
    basin_add(&sim, sinking_bath, &depth, (double[3]){0, 0, 0});
    basin_add(&sim, bounce_distance, &drop, (double[3]){0, -rate*pow(start, 1.5), 0});
    for (int m = 0; m < 2; m++)
        sim.liquid[m].material = (LiquidMaterial){.rho = rho, .sigma = 0.72, .mu = 5e-3, .contact_angle = PI/2};
    sim.settings.max_dt = sqrt(rho*dx*dx*dx/(4*PI*0.72));
    CHECK_OK(sim_start(&sim));
    Sinking out = {.cell = dx, .law = pow(1/sqrt(start) + 0.5*rate*until, -2)};
    while (sim.time < until) {
        CHECK_OK(sim_step_towards(&sim, until));
        out.removed += sim.report.film.removed/sim.liquid[1].target_volume;
    }
    out.h = sinking_thickness(&sim.film, drop.center[0], radius);
    sim_free(&sim);
    print_message("R = %d dx: film of %.3f um (%.3f dx) after %.3g ms, law %.3f um\n", n, 1e6*out.h, out.h/dx, 1e3*until,
                  1e6*out.law);
    return out;
}

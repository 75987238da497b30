// A small, stiff drop that its weight presses onto a bath: the film under it drains by the law of lubrication.
//
// A cylinder of radius R that closes on a plane at speed V, with h = h0 + x^2/(2 R) between them, is held up by
//     F = (3 pi/2) mu V (2 R/h0)^(3/2)                                              (N/m; [reynolds1886])
// so that under a load F(t) that the film bears
//     h0(t) = (1/sqrt(h0(0)) + (integral F dt)/(3 pi mu (2 R)^(3/2)))^(-2).
// In the mean F is the weight rho pi R^2 g, but not at first: the drop comes at the speed V that its weight would give it, has to
// be slowed down as the film gets thinner (by V(0)/g = 42 us of its weight; h0 is 10 % less for that), and swings on the bath,
// which gives way by 0.1 um. So the load is the film's own, its pressure summed over it. Tension is ten times that of water: the
// film's pressure p = 100 Pa changes the curvature of the gap, 1/R, by 2 p/sigma, 1 to 2 % of it, and the law for rigid bodies
// holds.
#pragma once
#include "film/film_partner.h"
#include "bounce.h"

typedef struct Sinking {
    double time;          // s
    double h, law, cell;  // m: under the drop's lowest point, what the law says, dx
    double load;          // of the weight, in the mean up to now
    double removed;       // of the drop's volume, by gap repair
} Sinking;

// Thickness under the lowest point of a drop of this radius above x: that of the nearest air cell, less what the gap's parabola
// adds on the way to its middle (at R = 8 dx up to 0.1 um).
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

// What the film bears, N/m.
static inline double sinking_force(const FilmRecord* film)
{
    double sum = 0;
    for (int m = 0; m < film->count; m++) sum += film->piece[m].pressure*film->piece[m].area*fabs(film->piece[m].normal[1]);
    return sum;
}

// n cells per radius; the drop's middle lies `offset` cells beside a face of the grid. State at `count` times, `every` seconds
// apart.
static inline void sink(Sinking* out, int count, double every, int n, double offset)
{
    const double radius = 50e-6, rho = 1000, gravity = 98, start = 0.6e-6, mu = 18.6e-6;
    double dx = radius/n, depth = 1.03*radius, weight = rho*PI*radius*radius*gravity, impulse = 0, removed = 0;
    double rate = weight/(1.5*PI*mu*pow(2*radius, 1.5));
    Sim sim;
    basin_init(&sim, 2, 6*n, 4*n, 1, dx);
    film_hold_all(&sim);
    film_of(&sim.world)->settings.h_min = 1e-8;
    sim.model.settings.gravity[1] = -gravity;
    sim.model.settings.cfl = 1, sim.model.settings.tolerance = 1e-8, sim.model.settings.advection = ADVECT_CUBIC,
    sim.model.settings.slip = true;
    RoundDrop drop = {{3*radius + offset*dx, depth + start + radius, 0}, radius};
    basin_add(&sim, sinking_bath, &depth, (double[3]){0, 0, 0});
    basin_add(&sim, round_drop_distance, &drop, (double[3]){0, -rate*pow(start, 1.5), 0});
    for (int m = 0; m < 2; m++)
        sim.world.liquid[m].material = (LiquidMaterial){.rho = rho, .sigma = 0.72, .mu = 5e-3, .contact_angle = PI/2};
    sim.model.settings.max_dt = sqrt(rho*dx*dx*dx/(4*PI*0.72));
    CHECK_OK(sim_start(&sim));
    for (int m = 0; m < count; m++) {
        while (sim.world.time < (m + 1)*every) {
            double before = sim.world.time;
            CHECK_OK(sim_step_towards(&sim, (m + 1)*every));
            impulse += sinking_force(&film_of(&sim.world)->record)*(sim.world.time - before);
            removed += film_of(&sim.world)->report.removed/sim.world.liquid[1].target_volume;
        }
        out[m] = (Sinking){.time = sim.world.time, .cell = dx, .load = impulse/(weight*sim.world.time), .removed = removed};
        out[m].h = sinking_thickness(&film_of(&sim.world)->record, drop.center[0], radius);
        out[m].law = pow(1/sqrt(start) + 0.5*rate*impulse/weight, -2);
        print_message("R = %d dx, %.1f dx beside a face: film of %.3f um (%.3f dx) after %.3g ms, law %.3f um\n", n, offset,
                      1e6*out[m].h, out[m].h/dx, 1e3*sim.world.time, 1e6*out[m].law);
    }
    sim_free(&sim);
}

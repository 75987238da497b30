// Whole steps of a viscous liquid: vortices that slow down, a disc that turns, a drop that swings.
#pragma once
#include "drop.h"

static inline double full(const void* user, const double x[3])
{
    (void)user, (void)x;
    return -1;
}

static inline void set_velocity(Liquid* q, void (*field)(double u[3], const double x[3]))
{
    const Window* w = &q->w;
    for (int d = 0; d < w->dim; d++)
        for (int k = 0; k < w->n[2] + (d == 2); k++)
            for (int j = 0; j < w->n[1] + (d == 1); j++)
                for (int i = 0; i < w->n[0] + (d == 0); i++) {
                    double x[3], u[3];
                    window_position(x, w, i + (d != 0)*0.5, j + (d != 1)*0.5, k + (d != 2)*0.5);
                    field(u, x);
                    q->u[d].v[window_at(w, i, j, k)] = u[d];
                }
}

static inline void vortices(double u[3], const double x[3])
{
    u[0] = sin(2*PI*x[0])*cos(2*PI*x[1]), u[1] = -cos(2*PI*x[0])*sin(2*PI*x[1]), u[2] = 0;
}

// Rate at which four vortices in a full box that they slip along lose energy, 1/s, over 0.2 s.
static inline double vortex_rate(int n, double nu, double steps_per_cell)
{
    Sim sim;
    basin_init(&sim, 2, n, n, 1, 1.0/n);
    sim.model.settings.gravity[1] = 0, sim.model.settings.slip = true;
    basin_add(&sim, full, NULL, (double[3]){0, 0, 0});
    sim.world.liquid[0].material.mu = 1000*nu;
    set_velocity(&sim.world.liquid[0], vortices);
    CHECK_OK(sim_start(&sim));
    double start = liquid_state(&sim.world.liquid[0], &sim.scratch).kinetic_energy, t = 0.2;
    while (sim.world.time < t - 1e-9) CHECK_OK(sim_step(&sim, fmin(1/(steps_per_cell*n), t - sim.world.time)));
    double end = liquid_state(&sim.world.liquid[0], &sim.scratch).kinetic_energy;
    sim_free(&sim);
    return log(start/end)/t;
}

// Taylor-Green vortices [taylorgreen1937]: the flow stays what it is, only slower, its energy falling at
// 4 nu k^2, k = 2 pi. Advection loses some energy by itself; what viscosity adds to that is compared.
static inline double vortex_rate_error(int n)
{
    double nu = 0.02, exact = 4*nu*4*PI*PI, still = vortex_rate(n, 0, 4), rate = vortex_rate(n, nu, 4);
    print_message(
        "Taylor-Green, %d cells: energy rate %.5f 1/s, without viscosity %.5f; difference %.5f, theory %.5f, error %+.2f %%\n", n,
        rate, still, rate - still, exact, 100*((rate - still)/exact - 1));
    return fabs((rate - still)/exact - 1);
}

static inline double disc(const void* user, const double x[3])
{
    (void)user;
    return hypot(x[0] - 0.5, x[1] - 0.5) - 0.25;
}

static inline double spin_of(const Liquid* q)
{
    const Window* w = &q->w;
    double sum = 0, inertia = 0;
    for (int j = 0; j < w->n[1]; j++)
        for (int i = 0; i < w->n[0]; i++) {
            ptrdiff_t at = window_at(w, i, j, 0);
            if (!(q->phi.v[at] < 0)) continue;
            double x[3], f = cutcells_fraction(&q->cells, at);
            window_position(x, w, i + 0.5, j + 0.5, 0);
            double rx = x[0] - 0.5, ry = x[1] - 0.5;
            sum += f*(rx*0.5*(q->u[1].v[at] + q->u[1].v[at + w->sy]) - ry*0.5*(q->u[0].v[at] + q->u[0].v[at + 1]));
            inertia += f*(rx*rx + ry*ry);
        }
    return sum/inertia;
}

static inline void stirred(double u[3], const double x[3])
{
    double rx = x[0] - 0.5, ry = x[1] - 0.5, r2 = rx*rx + ry*ry, turn = 4 - 60*r2;
    u[0] = -turn*ry, u[1] = turn*rx, u[2] = 0;
}

// Rate of decay of mode 2 over nu, less what a drop without viscosity loses, over so many periods.
static inline double swing_decay(int dim, double cells, PressureKind op, double nu, double periods)
{
    double rate[2];
    for (int m = 0; m < 2; m++) {
        Drop d = {.dim = dim, .cells = cells, .mode = 2, .amplitude = 0.05, .mu = m*nu, .box = 2.6};
        Sim sim;
        Signal a = {0};
        drop_start(&sim, &d, &SCHEMES[0], 2);
        sim.model.settings.op = op;
        drop_run(&a, &sim, 2, periods*2*PI/drop_omega(dim, 2));
        rate[m] = signal_decay(&a);
        signal_free(&a);
        sim_free(&sim);
    }
    return (rate[1] - rate[0])/nu;
}

// Small simulations built by hand for tests: a tank with liquids given by signed distances.
#pragma once
#include "check.h"
#include "base/vec.h"
#include "step/sim.h"

typedef double (*BasinShape)(const void* user, const double x[3]);

static inline void basin_init(Sim* sim, int dim, int nx, int ny, int nz, double dx)
{
    *sim = (Sim){.tank = {.dim = dim, .dx = dx, .n = {nx, ny, dim == 3 ? nz : 1}},
                 .settings = {.gravity = {0, -9.81, 0},
                              .cfl = 1.5,
                              .tolerance = 1e-6,
                              .max_dt = INFINITY,
                              .advection = ADVECT_MACCORMACK,
                              .op = PRESSURE_AUTO,
                              .spray_cells = dim == 3 ? 8 : 4}};
    for (int s = 0; s < 6; s++) sim->tank.side[s] = SIDE_IS_WALL;
}

static inline void basin_add(Sim* sim, BasinShape shape, const void* user, const double velocity[3])
{
    Window w = window_whole(&sim->tank);
    Liquid q;
    CHECK_OK(liquid_init(&q, &w));
    q.material = (LiquidMaterial){.rho = 1000, .sigma = 0.0728, .mu = 0.001, .contact_angle = PI/2};
    CHECK_OK(liquid_set_shape(&q, &sim->scratch, shape, user));
    arena_reset(&sim->scratch);
    for (int d = 0; d < sim->tank.dim; d++) field_fill(&q.u[d], &w, velocity[d]);
    CHECK_OK(sim_add_liquid(sim, &q));
}

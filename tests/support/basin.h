// Small simulations built by hand for tests: a tank with liquids given by signed distances.
#pragma once
#include "check.h"
#include "base/vec.h"
#include "film/film_partner.h"
#include "step/sim.h"

typedef double (*BasinShape)(const void* user, const double x[3]);

static inline void basin_init(Sim* sim, int dim, int nx, int ny, int nz, double dx)
{
    *sim = (Sim){.model = model_in_tank(dim, (int[3]){nx, ny, nz}, dx)};
    FilmPartner* film;
    CHECK_OK(film_move_in(&film, &sim->world));
}

static inline void basin_add(Sim* sim, BasinShape shape, const void* user, const double velocity[3])
{
    Window w = window_whole(&sim->model.tank);
    Liquid q;
    CHECK_OK(liquid_init(&q, &w));
    q.material = (LiquidMaterial){.rho = 1000, .sigma = 0.0728, .mu = 0.001, .contact_angle = PI/2};
    CHECK_OK(liquid_set_shape(&q, &sim->scratch, shape, user));
    arena_reset(&sim->scratch);
    for (int d = 0; d < sim->model.tank.dim; d++) field_fill(&q.u[d], &w, velocity[d]);
    CHECK_OK(world_add_liquid(&sim->world, &q));
}

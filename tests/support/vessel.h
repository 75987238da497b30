// A round vessel full of liquid, a body of radius 1 in its middle.
#pragma once
#include "body.h"

static inline double all_wet(const void* user, const double x[3])
{
    (void)user, (void)x;
    return -1;
}

// Outside of a ball (2D: disc): the inside of a body turned out.
static inline double vessel_distance(const void* user, const double x[3]) { return -test_body_distance(user, x); }

// Liquid of density 1 and viscosity mu in a vessel of radius R, off the grid by parts of a cell; no body is in it yet, but it has
// its place. No gravity. vessel and body must outlive the simulation.
static inline void vessel_fill(Sim* sim, TestBody* vessel, TestBody* body, int dim, double R, double cells, double mu)
{
    int n = (int)ceil(2*R*cells) + 4;
    double dx = 1/cells, middle = 0.5*n*dx;
    *vessel =
        (TestBody){.center = {middle + 0.31*dx, middle + 0.17*dx, dim == 3 ? middle - 0.23*dx : 0}, .R = R, .dim = dim};
    memcpy(body->center, vessel->center, sizeof body->center);
    body->R = 1;
    basin_init(sim, dim, n, n, n, dx);
    sim->model.settings.gravity[1] = 0, sim->model.settings.tolerance = 1e-8;
    basin_add(sim, all_wet, NULL, (double[3]){0, 0, 0});
    sim->world.liquid[0].material = (LiquidMaterial){.rho = 1, .mu = mu, .contact_angle = PI/2};
    Solids* s = &sim->world.solids;
    s->solid = calloc(1, sizeof *s->solid), s->count = 1;
    s->solid[0] = (Solid){.distance = vessel_distance, .shape = vessel, .pose = pose_at((double[3]){0}, (double[3]){0})};
}

// With the body; nothing starts yet.
static inline void vessel_init(Sim* sim, TestBody* vessel, TestBody* body, int dim, double R, double cells, double mu)
{
    vessel_fill(sim, vessel, body, dim, R, cells, mu);
    test_bodies_add(sim, body, 1);
}

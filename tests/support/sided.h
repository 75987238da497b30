// Liquids beside sheets for tests: filled node by node, and measured side by side.
#pragma once
#include "basin.h"
#include "liquid/sides.h"

typedef double (*Phi)(const void* user, const double x[3]);

// A liquid without tension whose level set is given node by node: each side its own.
static inline Liquid* fill_nodes(Sim* sim, Phi phi, const void* user, const double velocity[3])
{
    basin_add(sim, phi, user, velocity);
    Liquid* q = &sim->world.liquid[0];
    q->material.sigma = q->material.mu = 0;
    double dx = q->w.dx, band = liquid_band(q);
    for (int k = 0; k < window_node_layers(&q->w); k++)
        for (int j = 0; j <= q->w.n[1]; j++)
            for (int i = 0; i <= q->w.n[0]; i++)
                q->phi.v[window_at(&q->w, i, j, k)] = clamp(phi(user, (double[3]){i*dx, j*dx, k*dx}), -band, band);
    return q;
}

// m^3 (2D: m^2) of all liquids that counts to either side of the sheets; what no sheet hides counts to one of them.
static inline void side_volumes(double volume[2], Sim* sim)
{
    volume[0] = volume[1] = 0;
    for (int q = 0; q < sim->world.liquid_count; q++) {
        Sides s;
        CHECK_OK(sides_cut(&s, &sim->scratch, &sim->world.liquid[q]));
        for (int m = 0; m < 2; m++) volume[m] += s.view[m].cells.volume;
        arena_reset(&sim->scratch);
    }
}

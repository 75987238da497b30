// Memory follows the liquid, not the box: a drop of radius 12 cells falls for a few steps in a box of 512^3 cells, where one
// field over the whole box would take 1 GB. Fails when peak resident memory is above 1 GB.
#include <math.h>
#include <stdio.h>
#include "base/timer.h"
#include "base/vec.h"
#include "memory.h"
#include "step/sim.h"

static double ball(const void* user, const double x[3])
{
    const double* b = user;
    double r[3];
    vec_sub(r, x, b);
    return vec_norm(r) - b[3];
}

static mn_status start(Sim* sim, int n, int radius)
{
    double dx = 0.01/64, c = 0.5*n*dx, b[4] = {c, c, c, radius*dx};
    *sim = (Sim){.model = model_in_tank(3, (int[3]){n, n, n}, dx)};
    sim->model.settings.max_dt = 1e-4;
    int lo[3], m[3];
    for (int d = 0; d < 3; d++) lo[d] = n/2 - radius - MARGIN, m[d] = 2*(radius + MARGIN);
    Window w = window_make(&sim->model.tank, lo, m);
    Liquid q;
    TRY(liquid_init(&q, &w));
    q.material.rho = 1000;
    TRY(liquid_set_shape(&q, &sim->scratch, ball, b));
    TRY(world_add_liquid(&sim->world, &q));
    return sim_start(sim);
}

int main(void)
{
    enum { STEPS = 5, CELLS = 512, RADIUS = 12 };
    const double limit = 1e9;
    Sim sim;
    mn_status status = start(&sim, CELLS, RADIUS);
    double before = timer_now();
    for (int s = 0; status == MN_OK && s < STEPS; s++) status = sim_step(&sim, 1e-4);
    if (status != MN_OK) return fprintf(stderr, "%s\n", mn_last_error()), 1;
    printf("drop of %.0f cells in a %d^3 box: %.4f s per step, peak %.1f MB resident (at most %.0f)\n",
           sim.world.liquid[0].cells.volume/pow(sim.model.tank.dx, 3), CELLS, (timer_now() - before)/STEPS,
           1e-6*memory_peak(), 1e-6*limit);
    sim_free(&sim);
    return !(memory_peak() <= limit);
}

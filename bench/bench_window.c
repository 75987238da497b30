// Cost follows the liquid, not the box: the same falling drop in a box and in one with 8 times the cells, all of them empty.
// Prints seconds per step of both and their ratio (to hold: at most 1.2).
#include <math.h>
#include <stdio.h>
#include "base/timer.h"
#include "base/vec.h"
#include "step/sim.h"

static double ball(const void* user, const double x[3])
{
    const double* b = user;
    double r[3];
    vec_sub(r, x, b);
    return vec_norm(r) - b[3];
}

static int start(Sim* sim, int n)
{
    double dx = 0.01/64;
    *sim = (Sim){.model = model_in_tank(3, (int[3]){n, n, n}, dx)};
    sim->model.settings.max_dt = 1e-4;
    double c = 0.5*n*dx, b[4] = {c, c, c, 20*dx};
    int lo[3], m[3];
    for (int d = 0; d < 3; d++) lo[d] = n/2 - 20 - MARGIN, m[d] = 40 + 2*MARGIN;
    Window w = window_make(&sim->model.tank, lo, m);
    Liquid q;
    if (liquid_init(&q, &w) != MN_OK) return 1;
    q.material.rho = 1000;
    if (liquid_set_shape(&q, &sim->scratch, ball, b) != MN_OK || world_add_liquid(&sim->world, &q) != MN_OK) return 1;
    return sim_start(sim) != MN_OK;
}

int main(void)
{
    enum { STEPS = 10, ROUNDS = 5 };
    Sim sim[2];
    double best[2] = {INFINITY, INFINITY};
    int n[2] = {96, 192};
    for (int m = 0; m < 2; m++)
        if (start(&sim[m], n[m])) return fprintf(stderr, "%s\n", mn_last_error()), 1;
    for (int round = 0; round < ROUNDS; round++)  // alternating, so that both see the same noise
        for (int m = 0; m < 2; m++) {
            double before = timer_now();
            for (int s = 0; s < STEPS; s++)
                if (sim_step(&sim[m], 1e-4) != MN_OK) return fprintf(stderr, "%s\n", mn_last_error()), 1;
            best[m] = fmin(best[m], (timer_now() - before)/STEPS);
        }
    printf("drop of %.0f cells: %d^3 box %.4f s per step, %d^3 box %.4f s per step, ratio %.3f (at most 1.2)\n",
           sim[0].world.liquid[0].cells.volume/pow(sim[0].model.tank.dx, 3), n[0], best[0], n[1], best[1], best[1]/best[0]);
    for (int m = 0; m < 2; m++) sim_free(&sim[m]);
    return best[1]/best[0] > 1.2;
}

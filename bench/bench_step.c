// Seconds per step of the dam break, by stage: how the whole liquid step scales with resolution and threads.
// usage: bench_step [CELLS...]   cells along the floor; default 64 128
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/timer.h"
#include "step/sim.h"

static double column(const void* user, const double x[3])
{
    const double* a = user;
    return fmax(x[0] - a[0], x[1] - a[1]);
}

static int run(int n, int threads)
{
    enum { WARM_UP = 3, STEPS = 10 };
    omp_set_num_threads(threads);
    Sim sim = {.tank = {.dim = 3, .dx = 1.0/n, .n = {n, n, n}},
               .settings = {.gravity = {0, -9.81, 0}, .cfl = 1.5, .tolerance = 1e-6, .max_dt = INFINITY, .spray_cells = 8}};
    for (int s = 0; s < 6; s++) sim.tank.side[s] = SIDE_IS_WALL;
    double a[2] = {0.4, 0.8};
    Window w = window_whole(&sim.tank);
    Liquid q;
    if (liquid_init(&q, &w) != MN_OK) return 1;
    q.material.rho = 1000;
    if (liquid_set_shape(&q, &sim.scratch, column, a) != MN_OK || sim_add_liquid(&sim, &q) != MN_OK) return 1;
    arena_reset(&sim.scratch);
    if (sim_start(&sim) != MN_OK) return 1;
    if (sim_advance(&sim, 0.25) != MN_OK) return 1;  // the front is on its way
    for (int s = 0; s < WARM_UP; s++)
        if (sim_step(&sim, 1) != MN_OK) return 1;
    sim.times = (StageTimes){0};
    double before = timer_now();
    for (int s = 0; s < STEPS; s++)
        if (sim_step(&sim, 1) != MN_OK) return 1;
    double each = (timer_now() - before)/STEPS;
    printf("dam break %d^3, %d threads: %.4f s per step, %ld unknowns, %.2f M unknowns/s, %d iterations\n  ", n, threads, each,
           sim.report.unknowns, 1e-6*(double)sim.report.unknowns/each, sim.report.iterations);
    for (int s = 0; s < STAGE_COUNT; s++) printf("%s %.4f  ", stage_name((Stage)s), sim.times.seconds[s]/STEPS);
    printf("\n");
    sim_free(&sim);
    return 0;
}

int main(int argc, char** argv)
{
    int sizes[8] = {64, 128}, count = 2;
    if (argc > 1)
        for (count = 0; count < argc - 1 && count < 8; count++) sizes[count] = atoi(argv[count + 1]);
    for (int m = 0; m < count; m++)
        for (int threads = 1; threads <= 2; threads++)
            if (run(sizes[m], threads)) return fprintf(stderr, "%s\n", mn_last_error()), 1;
    return 0;
}

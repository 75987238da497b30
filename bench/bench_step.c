// Seconds per step of the dam break and, by stage, per try (a step that is taken back was tried in vain): how the whole liquid
// step scales with resolution and threads. And its memory.
// usage: bench_step [CELLS...]   cells along the floor; default 64 128 256. 256 has 5.4 million liquid cells and runs on 2
// threads only.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/timer.h"
#include "memory.h"
#include "step/sim.h"

static double column(const void* user, const double x[3])
{
    const double* a = user;
    return fmax(x[0] - a[0], x[1] - a[1]);
}

// When the front is on its way, s. Above 128 cells earlier, so that getting there takes about as many steps.
static double start_time(int n) { return 0.25*fmin(1, 128.0/n); }

static int run(int n, int threads)
{
    enum { WARM_UP = 3, STEPS = 10 };
    Sim sim = {.model = model_in_tank(3, (int[3]){n, n, n}, 1.0/n)};
    double a[2] = {0.4, 0.8};
    Window w = window_whole(&sim.model.tank);
    Liquid q;
    if (liquid_init(&q, &w) != MN_OK) return 1;
    q.material.rho = 1000;
    if (liquid_set_shape(&q, &sim.scratch, column, a) != MN_OK || world_add_liquid(&sim.world, &q) != MN_OK) return 1;
    arena_reset(&sim.scratch);
    if (sim_start(&sim) != MN_OK) return 1;
    if (sim_advance(&sim, start_time(n)) != MN_OK) return 1;  // on all threads; the result has the same bits
    omp_set_num_threads(threads);
    for (int s = 0; s < WARM_UP; s++)
        if (sim_step(&sim, 1) != MN_OK) return 1;
    sim.times = (StageTimes){0};
    double before = timer_now();
    int retries = 0;
    for (int s = 0; s < STEPS; s++, retries += sim.report.retries)
        if (sim_step(&sim, 1) != MN_OK) return 1;
    double each = (timer_now() - before)/STEPS;
    printf(
        "dam break %d^3, %d threads: %.4f s per step, %ld unknowns, %.2f M unknowns/s, %d iterations, %d steps tried again\n  ",
        n, threads, each, sim.report.unknowns, 1e-6*(double)sim.report.unknowns/each, sim.report.iterations, retries);
    for (int s = 0; s < STAGE_COUNT; s++) printf("%s %.4f  ", stage_name((Stage)s), sim.times.seconds[s]/(STEPS + retries));
    double cells = sim_volume(&sim)/pow(sim.model.tank.dx, 3);
    printf("\n  peak %.0f MB resident, %.0f bytes per liquid cell\n", 1e-6*memory_peak(), memory_peak()/cells);
    sim_free(&sim);
    return 0;
}

// In a process of its own, whose peak memory is that of this run. The parent must not start threads: they do not survive a fork.
static int run_apart(int n, int threads)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return perror("bench_step"), 1;
    if (child == 0) {
        int failed = run(n, threads);
        if (failed) fprintf(stderr, "%s\n", mn_last_error());
        fflush(stdout);
        _exit(failed);
    }
    int status;
    return waitpid(child, &status, 0) != child || status != 0;
}

int main(int argc, char** argv)
{
    int sizes[8] = {64, 128, 256}, count = 3;
    if (argc > 1)
        for (count = 0; count < argc - 1 && count < 8; count++) sizes[count] = atoi(argv[count + 1]);
    for (int m = 0; m < count; m++)
        for (int threads = sizes[m] < 256 ? 1 : 2; threads <= 2; threads++)
            if (run_apart(sizes[m], threads)) return fprintf(stderr, "bench_step: %d^3 failed\n", sizes[m]), 1;
    return 0;
}

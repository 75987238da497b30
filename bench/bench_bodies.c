// What bodies add to a step: a pool that sways, without bodies, with one ball and with 30 balls afloat in it. The three are
// stepped by turns with steps of one length, so that their ratios bear a busy machine. Processor time; stages on stderr.
// Water, and the same without viscosity: friction on bodies asks for a projection more (docs/body_friction.md).
// usage: bench_bodies [CELLS [STEPS]]   cells along x; default 80 and 20
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "scene/scene_sim.h"

enum { WARM_UP = 3, CASES = 3 };
static const int BODIES[CASES] = {0, 1, 30};
// Asked for: of a step without bodies, and of its iterations.
static const double MOST_TIME[CASES] = {1, 1.15, 1.4}, MOST_ITERATIONS = 1.5;

typedef struct Case {
    Scene scene;
    Sim sim;
    double seconds;
    long iterations;
} Case;

// s of the process, all threads.
static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

// 10 x 4 x 10 cm; 30 balls on a grid of 6 by 5 have room to move.
static mn_status start(Case* c, int cells, int bodies, double mu)
{
    char text[2048];
    snprintf(text, sizeof text,
             "local bodies, n = {}, %d\n"
             "for m = 1, n do local i, k = (m - 1) %% 6, (m - 1)//6\n"
             "  if n == 1 then i, k = 2.5, 2 end\n"
             "  bodies[m] = sphere { center = { mm(12.5 + 15*i), mm(21 + 0.5*(m %% 3)), mm(14 + 18*k) }, radius = mm(5), density "
             "= 300 + 40*(m %% 9),\n"
             "    contact_angle = degrees(70) } end\n"
             "return scene { title = 'bodies', domain = { size = { cm(10), cm(4), cm(10) }, cells = %d },\n"
             "  liquids = { pool { depth = cm(2), material = material { rho = 998, sigma = 0.0728, mu = %.17g }, velocity = { "
             "0.05, 0, 0.03 } } }, bodies = n > 0 and bodies "
             "or nil,\n"
             "  numerics = { max_dt = %.17g }, frames = { rate = 100, count = 1 } }\n",
             bodies, cells, mu, 0.1/cells);
    TRY(scene_load_text(&c->scene, "bench_bodies", text));
    TRY(scene_build(&c->sim, &c->scene));
    return sim_start(&c->sim);
}

static mn_status step(Case* c, bool counts)
{
    double before = processor_time();
    TRY(sim_step(&c->sim, 1));
    if (!counts) return MN_OK;
    c->seconds += processor_time() - before, c->iterations += c->sim.report.iterations;
    return MN_OK;
}

static void print_case(const Case* c, const Case* without, int m, int steps)
{
    double time = c->seconds/without->seconds, iterations = (double)c->iterations/(double)without->iterations;
    printf("| %d | %.4f | %.2f | %.2f | %.1f | %.2f | %.2f |\n", BODIES[m], c->seconds/steps, time, MOST_TIME[m],
           (double)c->iterations/steps, iterations, MOST_ITERATIONS);
    fprintf(stderr, "  %d bodies, s per step:", BODIES[m]);
    for (int s = 0; s < STAGE_COUNT; s++) fprintf(stderr, " %s %.4f", stage_name((Stage)s), c->sim.times.seconds[s]/steps);
    fprintf(stderr, "\n");
}

static mn_status run(Case* c, int cells, int steps, double mu)
{
    for (int m = 0; m < CASES; m++) {
        TRY(start(&c[m], cells, BODIES[m], mu));
        for (int s = 0; s < WARM_UP; s++) TRY(step(&c[m], false));
        c[m].sim.times = (StageTimes){0};
    }
    for (int s = 0; s < steps; s++)
        for (int m = 0; m < CASES; m++) TRY(step(&c[m], true));
    printf("mu = %g Pa s\n\n| bodies | s per step | of a step without | at most | iterations | of those without | at most |\n",
           mu);
    printf("| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int m = 0; m < CASES; m++) print_case(&c[m], &c[0], m, steps);
    return MN_OK;
}

static mn_status run_and_free(int cells, int steps, double mu)
{
    static Case c[CASES];
    mn_status status = run(c, cells, steps, mu);
    for (int m = 0; m < CASES; m++) {
        sim_free(&c[m].sim), scene_free(&c[m].scene);
        c[m] = (Case){0};
    }
    return status;
}

int main(int argc, char** argv)
{
    int cells = argc > 1 ? atoi(argv[1]) : 80, steps = argc > 2 ? atoi(argv[2]) : 20;
    if (cells < 20 || steps < 1) return fprintf(stderr, "usage: bench_bodies [CELLS [STEPS]]\n"), 1;
    mn_status status = run_and_free(cells, steps, 1e-3);
    if (status == MN_OK) status = run_and_free(cells, steps, 0);
    if (status != MN_OK) fprintf(stderr, "bench_bodies: %s\n", mn_last_error());
    return status != MN_OK;
}

// Split against explicit tension to the same end time (issue 4; method: docs/tension.md): wall time, error of the period, and how
// many times faster, for steps of the flow of 1 (explicit), 2 .. 16 explicit steps. Cases: a capillary wave in 2D (64 cells
// long), oscillating drops of 16 and 24 cells radius in boxes of 64^3 and 96^3.
//     bench_split               all cases, 1.3 periods each
//     bench_split wave|64|96    one of them
//     bench_split --plot FILE   all cases, and a plot (.png, .svg)
// To hold: at least 2 times faster at some ratio whose error of the period is no larger than the explicit one's.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/timer.h"
#include "base/vec.h"
#include "plot/plot.h"
#include "step/sim.h"
#include "tension/tension.h"

typedef struct Case {
    const char *name, *label;
    int dim, n[3];
    double size;                                           // cells: wavelength or radius
    double period;                                         // for sigma = rho = 1 and this size being 1
    double (*shape)(const void* user, const double x[3]);  // in sizes
    double (*mode)(const double x[3]);                     // weight whose integral over the liquid swings with the wave
} Case;

static const double AMPLITUDE = 0.02, DEPTH = 1.01, CENTER[3] = {2.02, 2.01, 2.03};

// ---- a wave of length 1 on liquid of depth 1, half of it between walls; [lamb1932] art. 267: w^2 = k^3 tanh(k h) --------------

static double wave(const void* user, const double x[3])
{
    (void)user;
    return x[1] - DEPTH - AMPLITUDE*cos(2*PI*x[0]);
}
static double wave_mode(const double x[3]) { return cos(2*PI*x[0]); }

// ---- a drop of radius 1 in mode 2; [lamb1932] art. 275: w^2 = 8 ---------------------------------------------------------------

static double drop(const void* user, const double x[3])
{
    (void)user;
    double r[3];
    vec_sub(r, x, CENTER);
    double length = fmax(vec_norm(r), 1e-9), c = r[0]/length;
    return length - 1 - AMPLITUDE*0.5*(3*c*c - 1);
}
static double drop_mode(const double x[3])
{
    double r[3];
    vec_sub(r, x, CENTER);
    return 2*r[0]*r[0] - r[1]*r[1] - r[2]*r[2];
}

// ---- one run -------------------------------------------------------------------------------------------------------------

static double mode_now(const Case* c, const Liquid* q)
{
    const Window* w = &q->w;
    double sum = 0;
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                if (!(q->phi.v[at] < liquid_band(q))) continue;
                double x[3];
                window_position(x, w, i + 0.5, j + 0.5, k + 0.5);
                sum += cutcells_fraction(&q->cells, at)*c->mode(x);
            }
    return sum;
}

static int start(Sim* sim, const Case* c, double ratio)
{
    *sim = (Sim){.model = model_in_tank(c->dim, c->n, 1/c->size)};
    sim->model.settings.gravity[1] = 0;
    sim->model.settings.cfl = 1;
    sim->model.settings.advection = ADVECT_CUBIC;
    sim->model.settings.spray_cells = 8;
    sim->model.settings.tension.scheme = ratio > 1 ? TENSION_SPLIT : TENSION_EXPLICIT;
    sim->model.settings.tension.most_steps = EXPLICIT_STEPS*ratio;
    Window w = window_whole(&sim->model.tank);
    Liquid q;
    if (liquid_init(&q, &w) != MN_OK) return 1;
    q.material.rho = 1, q.material.sigma = 1, q.material.contact_angle = PI/2;
    if (liquid_set_shape(&q, &sim->scratch, c->shape, NULL) != MN_OK || world_add_liquid(&sim->world, &q) != MN_OK) return 1;
    arena_reset(&sim->scratch);
    return sim_start(sim) != MN_OK;
}

typedef struct Run {
    double seconds, error, kept;  // error of the period, part of the amplitude kept over it
    long steps;
} Run;

// Zero between samples 1 and 2 of four: that of their cubic, by three steps of the secant rule from that of the straight line. A
// straight line alone would put it wrong by up to 0.01 % of the period at ratio 16, which is what the schemes differ by.
static double crossing(const double t[4], const double a[4])
{
    double slope = (a[2] - a[1])/(t[2] - t[1]), x = t[1] - a[1]/slope;
    for (int sweep = 0; sweep < 3; sweep++) {
        double value = 0;
        for (int i = 0; i < 4; i++) {
            double weight = 1;
            for (int j = 0; j < 4; j++)
                if (j != i) weight *= (x - t[j])/(t[i] - t[j]);
            value += weight*a[i];
        }
        x -= value/slope;
    }
    return x;
}

static int run(Run* out, const Case* c, double ratio)
{
    Sim sim;
    if (start(&sim, c, ratio)) return 1;
    double first = mode_now(c, &sim.world.liquid[0]), cross[8], last = 0, end = 1.3*c->period;
    double t[4] = {0}, a[4] = {first, first, first, first};  // the last four samples
    int crossings = 0;
    *out = (Run){0};
    while (sim.world.time < end) {
        double since = timer_now();
        if (sim_step(&sim, end - sim.world.time) != MN_OK) return 1;
        out->seconds += timer_now() - since;
        for (int m = 0; m < 3; m++) t[m] = t[m + 1], a[m] = a[m + 1];
        t[3] = sim.world.time, a[3] = mode_now(c, &sim.world.liquid[0]);
        if (sim.world.step >= 3 && (a[1] > 0) != (a[2] > 0) && crossings < 8) cross[crossings++] = crossing(t, a);
        if (t[2] > 0.7*c->period) last = fmax(last, a[3]);
    }
    out->steps = sim.world.step;
    out->kept = last/first;
    out->error = crossings >= 3 ? (cross[2] - cross[0])/c->period - 1 : NAN;
    sim_free(&sim);
    return 0;
}

static const double RATIO[] = {1, 2, 3, 4, 6, 8, 12, 16};
enum { RATIOS = sizeof RATIO/sizeof *RATIO };

// What a plot shows of one case, by ratio.
typedef struct Curve {
    double faster[RATIOS], error[RATIOS];  // size of the error in per cent
} Curve;

static int compare(Curve* out, const Case* c)
{
    Run r, explicit_run = {0};
    double best = 0;
    printf("%s\n  ratio  steps  seconds  faster  period error  amplitude kept\n", c->name);
    for (int m = 0; m < RATIOS; m++) {
        if (run(&r, c, RATIO[m])) return fprintf(stderr, "%s\n", mn_last_error()), 1;
        if (m == 0) explicit_run = r;
        double faster = explicit_run.seconds/r.seconds;
        out->faster[m] = faster, out->error[m] = 100*fabs(r.error);
        printf("  %5g  %5ld  %7.2f  %6.2f  %+10.3f %%  %14.3f\n", RATIO[m], r.steps, r.seconds, faster, 100*r.error, r.kept);
        fflush(stdout);
        if (fabs(r.error) <= fabs(explicit_run.error)) best = fmax(best, faster);
    }
    printf("  as good as explicit and faster: %.2f times (at least 2, aim 4)\n", best);
    return best < 2;
}

static int plot(const char* path, const Case* c, const Curve* curve, int cases)
{
    PlotFigure f = {.title = "Tension in cycles of its own against explicit steps, to the same end time"};
    PlotAxis ratio = {.label = "step of the flow / explicit step"};
    PlotPanel* speed = plot_add_panel(&f, &(PlotPanel){.x = ratio, .y = {.label = "times faster"}});
    PlotPanel* error = plot_add_panel(&f, &(PlotPanel){.x = ratio, .y = {.label = "size of the period's error in per cent"}});
    for (int m = 0; m < cases; m++) {
        PlotSeries s = {.style = PLOT_LINE_MARKS, .colour = m, .count = RATIOS, .x = RATIO};
        snprintf(s.label, sizeof s.label, "%s", c[m].label);
        s.y = curve[m].faster;
        plot_add_series(speed, &s);
        s.y = curve[m].error;
        plot_add_series(error, &s);
    }
    mn_status status = plot_write(&f, path);
    plot_free(&f);
    return status == MN_OK ? 0 : (fprintf(stderr, "%s\n", mn_last_error()), 1);
}

int main(int count, char** argument)
{
    double k = 2*PI;
    const Case all[] = {
        {"wave", "wave in 2D, 64 cells", 2, {32, 128, 1}, 64, 2*PI/sqrt(k*k*k*tanh(k*DEPTH)), wave, wave_mode},
        {"64", "drop, R = 16 cells", 3, {64, 64, 64}, 16, 2*PI/sqrt(8), drop, drop_mode},
        {"96", "drop, R = 24 cells", 3, {96, 96, 96}, 24, 2*PI/sqrt(8), drop, drop_mode}};
    enum { CASES = sizeof all/sizeof *all };
    Curve curve[CASES];
    bool draw = count == 3 && !strcmp(argument[1], "--plot");
    int failed = 0;
    for (int m = 0; m < CASES; m++)
        if (count < 2 || draw || !strcmp(argument[1], all[m].name)) failed |= compare(&curve[m], &all[m]);
    if (draw) failed |= plot(argument[2], all, curve, CASES);
    return failed;
}

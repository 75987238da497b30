// A drop at rest: the pressure jump, and the currents that an imperfect curvature drives, against the Laplace number
// [popinet2009]. Writes docs/validation/tension_static.md. An argument adds finer grids.
#include "drop.h"
#include "page.h"
#include "plot/plot.h"

static bool large;

static void test_pressure(void** state)
{
    (void)state;
    SAY("## Pressure\n\nMean pressure more than two cells inside over `(dim - 1) sigma/R`, less 1, after 5 steps.\n\n"
        "| | scheme | R/dx | error | order |\n| --- | --- | --- | --- | --- |\n");
    static const double cells[2][4] = {{8, 16, 32, 64}, {8, 12, 16, 32}};
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < ALL_SCHEMES; m++) {
            double before = NAN;
            for (int n = 0; n < 3 + large; n++) {
                Drop d = {.dim = dim, .cells = cells[dim - 2][n]};
                Sim sim;
                drop_start(&sim, &d, &SCHEMES[m], fmin(SCHEMES[m].longest, 5));
                for (int step = 0; step < 5; step++) CHECK_OK(sim_step(&sim, INFINITY));
                double error = drop_pressure_error(&sim, 2);
                double limit = d.cells < 16 ? INFINITY : dim == 2 ? 0.002 : 0.005;
                SAY("| %dD | %s | %g | %+.4f %%%s |", dim, SCHEMES[m].name, d.cells, 100*error, page_mark(fabs(error), limit));
                if (n > 0) SAY(" %.1f |\n", log(fabs(before/error))/log(d.cells/cells[dim - 2][n - 1]));
                else SAY(" |\n");
                before = error;
                sim_free(&sim);
            }
        }
    SAY("\n");
}

typedef struct Rest {
    double most, last, rms, shape;  // speeds: largest ever, largest in the last tenth, rms at the end; rms of r - mean r
    Signal speed;
} Rest;

static Rest rest(int dim, double cells, double laplace, const Scheme* scheme, double time)
{
    // La = sigma rho D/mu^2, D = 2
    Drop d = {.dim = dim, .cells = cells, .mu = isinf(laplace) ? 0 : sqrt(2/laplace)};
    Sim sim;
    Rest out = {0};
    drop_start(&sim, &d, scheme, fmin(scheme->longest, 5));
    while (sim.world.time < time) {
        CHECK_OK(sim_step(&sim, INFINITY));
        signal_add(&out.speed, sim.world.time, sim.report.max_speed);
        out.most = fmax(out.most, sim.report.max_speed);
        if (sim.world.time > 0.9*time) out.last = fmax(out.last, sim.report.max_speed);
    }
    LiquidState end = drop_state(&sim);
    out.rms = sqrt(2*end.kinetic_energy/end.volume);
    double mean = drop_mode(&sim, 0);
    for (int m = 0; m < DROP_ANGLES; m++) {
        double a = 2*PI*m/DROP_ANGLES, along[3] = {cos(a), sin(a), 0};
        double r = surface_along(&sim.world.liquid[0], end.center, along, 1) - mean;
        out.shape += r*r/DROP_ANGLES;
    }
    out.shape = sqrt(out.shape);
    sim_free(&sim);
    return out;
}

static const double TIME = 5;  // sqrt(rho R^3/sigma): two periods of mode 2

static void test_laplace_number(void** state)
{
    (void)state;
    static const double numbers[4] = {120, 1200, 12000, INFINITY};
    PlotFigure f = {.title = "A drop at rest in 2D, D = 25.6 dx: largest speed", .columns = 2};
    SAY("## Currents against the Laplace number, 2D\n\nFrom rest to t = %g `sqrt(rho R^3/sigma)`. Speeds times `sqrt(rho "
        "D/sigma)`: the "
        "largest ever, the largest in the last tenth of the run, the rms at the end; rms of `r - mean r` over R.\n\n"
        "| scheme | La | D/dx | largest | at the end | rms | shape |\n| --- | --- | --- | --- | --- | --- | --- |\n",
        TIME);
    for (int m = 0; m < ALL_SCHEMES; m++) {
        PlotPanel like = {.x = {.label = "t/sqrt(rho R^{3}/sigma)"},
                          .y = {.label = "largest speed times sqrt(rho D/sigma)", .log = true}};
        snprintf(like.title, sizeof like.title, "%s", SCHEMES[m].name);
        PlotPanel* p = plot_add_panel(&f, &like);
        for (int l = 0; l < 4; l++) {
            for (double cells = 6.4; cells < (large ? 60 : 30); cells *= 2) {
                Rest r = rest(2, cells, numbers[l], &SCHEMES[m], TIME);
                double unit = sqrt(2);
                double limit = cells > 12 ? 1e-2 : INFINITY;  // docs/validation/targets.md, Laplace
                SAY("| %s | %g | %g | %.1e | %.1e%s | %.1e | %.1e |\n", SCHEMES[m].name, numbers[l], 2*cells, unit*r.most,
                    unit*r.last, page_mark(unit*r.last, limit), unit*r.rms, r.shape);
                if (cells == 12.8) {
                    for (int n = 0; n < r.speed.count; n++) r.speed.a[n] *= unit;
                    PlotSeries s = {.style = PLOT_LINE, .colour = l, .count = r.speed.count, .x = r.speed.t, .y = r.speed.a};
                    snprintf(s.label, sizeof s.label, isinf(numbers[l]) ? "no viscosity" : "La = %g", numbers[l]);
                    plot_add_series(p, &s);
                }
                signal_free(&r.speed);
            }
        }
    }
    CHECK_OK(plot_write(&f, page_picture("tension_static.png")));
    plot_free(&f);
    SAY("\n![](tension_static.png)\n\n");
}

static void test_3d(void** state)
{
    (void)state;
    SAY("## Currents in 3D, no viscosity\n\nTo t = 2. Speeds times `sqrt(rho D/sigma)`.\n\n"
        "| scheme | D/dx | largest | at the end | rms |\n| --- | --- | --- | --- | --- |\n");
    for (int m = 0; m < ALL_SCHEMES; m++)
        for (double cells = 8; cells < (large ? 33 : 13); cells += cells < 16 ? 4 : 16) {
            Rest r = rest(3, cells, INFINITY, &SCHEMES[m], 2);
            double last = sqrt(2)*r.last;
            SAY("| %s | %g | %.1e | %.1e%s | %.1e |\n", SCHEMES[m].name, 2*cells, sqrt(2)*r.most, last,
                page_mark(last, cells > 11 ? 1e-2 : INFINITY), sqrt(2)*r.rms);
            signal_free(&r.speed);
        }
    SAY("\n");
}

int main(int count, char** word)
{
    (void)word;
    large = count > 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pressure), cmocka_unit_test(test_laplace_number),
                                       cmocka_unit_test(test_3d)};
    page_open("tension_static.md");
    SAY("# A drop at rest\n\nWritten by `validate_tension_static`. Explicit tension at 2 capillary times `sqrt(rho dx^3/(4 pi "
        "sigma))` per "
        "step, implicit and split at 5.\n\n");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    page_close();
    return failed || page_misses > 0;
}

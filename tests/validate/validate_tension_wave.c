// Standing waves: capillary-gravity dispersion at four wavelengths and finite depth, and the damped capillary wave of
// [prosperetti1981]. Writes docs/validation/tension_wave.md. An argument adds finer grids.
#include "drop.h"
#include "page.h"
#include "prosperetti.h"
#include "plot/plot.h"

static bool large;

// ---- dispersion ----------------------------------------------------------------------------------------------------------

// docs/validation/targets.md, capillary waves: wavelength and depth, mm. Water, g = 9.8 m/s^2.
static const double CASES[4][2] = {{1, 1}, {5, 5}, {10, 2.5}, {20, 10}};

static void test_dispersion(void** state)
{
    (void)state;
    PlotFigure f = {.title = "Capillary-gravity waves on water, amplitude 0.01 wavelengths", .columns = 2};
    SAY("## Dispersion\n\n`omega^2 = (g k + sigma k^3/rho) tanh(k H)`, water, g = 9.8 m/s^2. Error of the frequency; in brackets "
        "what is left of "
        "the amplitude after two periods. dt: explicit 2, implicit and split 5 capillary times, but at most a 40th of a "
        "period.\n\n"
        "| wavelength, depth (mm) | theory (Hz) | scheme | 16 cells per wavelength | 32 | 64 |\n| --- | --- | --- | --- | --- | "
        "--- |\n");
    for (int c = 0; c < 4; c++)
        for (int m = 0; m < ALL_SCHEMES; m++) {
            Wave s = {.width = 0.5e-3*CASES[c][0],
                      .depth = 1e-3*CASES[c][1],
                      .amplitude = 1e-5*CASES[c][0],
                      .gravity = 9.8,
                      .material = {.rho = 1000, .sigma = 0.0728, .contact_angle = PI/2}};
            double period = 2*PI/wave_omega(&s);
            SAY("| %g, %g | %.4f | %s |", CASES[c][0], CASES[c][1], 1/period, SCHEMES[m].name);
            for (s.cells = 16; s.cells < (large ? 200 : 100); s.cells *= 2) {
                Sim sim;
                Signal a = {0};
                wave_start(&sim, &s, &SCHEMES[m], fmin(SCHEMES[m].longest, 5));
                sim.model.settings.max_dt = fmin(sim.model.settings.max_dt, period/40);
                wave_run(&a, &sim, s.width, 3.1*period);
                double error = period/signal_period(&a) - 1;
                double kept = signal_kept(&a, 2), limit = s.cells < 32 ? INFINITY : m == 0 ? 0.02 : 0.05;
                SAY(" %+.2f %%%s (%.3f%s) |", 100*error, page_mark(fabs(error), limit), kept,
                    s.cells < 32 ? "" : page_mark(0.8, kept));
                if (s.cells == 64 && m == 0) {
                    PlotPanel like = {.x = {.label = "time", .unit = "s"}, .y = {.label = "a/a(0)"}};
                    snprintf(like.title, sizeof like.title, "%g mm, %g mm deep, 64 cells, %s", CASES[c][0], CASES[c][1],
                             SCHEMES[m].name);
                    PlotPanel* p = plot_add_panel(&f, &like);
                    double x[300], y[300];
                    for (int n = 0; n < 300; n++) x[n] = 3.1*period*n/299, y[n] = cos(2*PI*x[n]/period);
                    for (int n = 0; n < a.count; n++) a.a[n] /= s.amplitude;
                    plot_add_series(p,
                                    &(PlotSeries){.label = "measured", .style = PLOT_LINE, .count = a.count, .x = a.t, .y = a.a});
                    plot_add_series(
                        p, &(PlotSeries){
                               .label = "linear theory", .colour = PLOT_INK, .style = PLOT_DASHES, .count = 300, .x = x, .y = y});
                }
                signal_free(&a);
                sim_free(&sim);
            }
            SAY("\n");
        }
    CHECK_OK(plot_write(&f, page_picture("tension_wave_dispersion.png")));
    plot_free(&f);
    SAY("\n![](tension_wave_dispersion.png)\n\n");
}

// Where the surface at rest lies between the grid's lines makes a difference that it should not.
static void test_place(void** state)
{
    (void)state;
    SAY("## Where the surface lies in its cell\n\nCapillary wave of 32 cells, amplitude 0.01 wavelengths = 0.32 cells, two "
        "periods: error of the "
        "frequency and what is left of the amplitude, with the surface at rest at the given height above a line of nodes; "
        "cut-cell and "
        "ghost-fluid pressure; explicit tension, dt = 2.\n\n| height (cells) | cut | ghost |\n| --- | --- | --- |\n");
    for (int h = 0; h < 5; h++) {
        SAY("| %.2f |", 0.2*h);
        for (int op = 0; op < 2; op++) {
            Wave s = {.cells = 32,
                      .width = 0.5,
                      .depth = (16 + 0.2*h)/32,
                      .amplitude = 0.01,
                      .material = {.rho = 1, .sigma = 1, .contact_angle = PI/2}};
            double period = 2*PI/wave_omega(&s);
            Sim sim;
            Signal a = {0};
            wave_start(&sim, &s, &SCHEMES[0], 2);
            sim.model.settings.op = op == 0 ? PRESSURE_CUT : PRESSURE_GHOST;
            wave_run(&a, &sim, s.width, 3.1*period);
            SAY(" %+.2f %% (%.3f) |", 100*(period/signal_period(&a) - 1), signal_kept(&a, 2));
            signal_free(&a);
            sim_free(&sim);
        }
        SAY("\n");
    }
    SAY("\n");
}

// ---- viscosity -----------------------------------------------------------------------------------------------------------

// sigma = rho = wavelength = 1, nu = 0.0182571749236 (Popinet and Zaleski's case with air instead of a second liquid), to omega0
// t = 25.
static void test_damped(void** state)
{
    (void)state;
    const double nu = 0.0182571749236, k = 2*PI, omega0 = sqrt(k*k*k);
    // the formula's own check: docs/validation/targets.md, damped wave
    CHECK_WITHIN(prosperetti(omega0, nu*k*k, 5/omega0), 0.099159, 1e-6);
    CHECK_WITHIN(prosperetti(omega0, nu*k*k, 10/omega0), -0.439197, 1e-6);
    CHECK_WITHIN(prosperetti(omega0, nu*k*k, 20/omega0), 0.148907, 1e-6);
    PlotFigure f = {.title = "Damped capillary wave, one liquid", .columns = 2};
    SAY("## Damped capillary wave\n\n[prosperetti1981], one liquid, `sigma = rho = lambda = 1`, nu = %.6g, amplitude 0.01, one "
        "wavelength deep, to "
        "`omega0 t = 25`. Root of the mean square of `(a - theory)/a0`; dt in capillary times.\n\n"
        "| scheme | dt | 8 cells per wavelength | 16 | 32 | 64 |\n| --- | --- | --- | --- | --- | --- |\n",
        nu);
    for (int m = 0; m < ALL_SCHEMES; m++) {
        double steps = fmin(SCHEMES[m].longest, 5);
        PlotPanel like = {.x = {.label = "omega0 t"}, .y = {.label = "a/a(0)"}};
        snprintf(like.title, sizeof like.title, "%s, dt = %g", SCHEMES[m].name, steps);
        PlotPanel* p = plot_add_panel(&f, &like);
        SAY("| %s | %g |", SCHEMES[m].name, steps);
        for (double cells = 8; cells < (large ? 130 : 65); cells *= 2) {
            Wave s = {.cells = cells,
                      .width = 0.5,
                      .depth = 1,
                      .amplitude = 0.01,
                      .material = {.rho = 1, .sigma = 1, .mu = nu, .contact_angle = PI/2}};
            Sim sim;
            Signal a = {0};
            wave_start(&sim, &s, &SCHEMES[m], steps);
            wave_run(&a, &sim, s.width, 25/omega0);
            double sum = 0, whole = 0;
            for (int n = 1; n < a.count; n++) {
                double dt = a.t[n] - a.t[n - 1], e = a.a[n]/s.amplitude - prosperetti(omega0, nu*k*k, a.t[n]);
                sum += dt*e*e, whole += dt;
            }
            SAY(" %.4f%s |", sqrt(sum/whole), page_mark(sqrt(sum/whole), cells == 32 && m == 0 ? 0.05 : INFINITY));
            if (cells > 10 && cells < 100) {
                for (int n = 0; n < a.count; n++) a.a[n] /= s.amplitude, a.t[n] *= omega0;
                PlotSeries series = {
                    .style = PLOT_LINE, .colour = cells > 60 ? 2 : cells > 30, .count = a.count, .x = a.t, .y = a.a};
                snprintf(series.label, sizeof series.label, "%g cells", cells);
                plot_add_series(p, &series);
            }
            signal_free(&a);
            sim_free(&sim);
        }
        SAY("\n");
        double x[300], y[300];
        for (int n = 0; n < 300; n++) x[n] = 25.0*n/299, y[n] = prosperetti(omega0, nu*k*k, x[n]/omega0);
        plot_add_series(
            p, &(PlotSeries){.label = "Prosperetti", .colour = PLOT_INK, .style = PLOT_DASHES, .count = 300, .x = x, .y = y});
    }
    CHECK_OK(plot_write(&f, page_picture("tension_wave_damped.png")));
    plot_free(&f);
    SAY("\n![](tension_wave_damped.png)\n\nOther programs, two liquids of the same nu ([targets.md](targets.md)), 8/16/32/64 "
        "cells: "
        "Gerris 0.159, 0.0316, "
        "0.0077, 0.0022; Basilisk 0.139, 0.0243, 0.0069, 0.0024; level set with volume of fluid (Gerlach) 0.317, 0.099, 0.013, "
        "0.0033.\n\n");
}

int main(int count, char** word)
{
    (void)word;
    large = count > 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dispersion), cmocka_unit_test(test_place),
                                       cmocka_unit_test(test_damped)};
    page_open("tension_wave.md");
    SAY("# Waves\n\nWritten by `validate_tension_wave`. Half a wavelength between two walls along which the liquid slips.\n\n");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    page_close();
    return failed || page_misses > 0;
}

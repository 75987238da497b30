// Oscillating drops: frequency against [rayleigh1879, lamb1932] for modes 2 to 4 in 2D, 2 and 3 in 3D, every scheme, steps of 1 to 20
// capillary times, three grids; and the decay of mode 2 by viscosity. Writes docs/validation/tension_drop.md. An argument adds finer
// grids.
#include <omp.h>
#include "drop.h"
#include "page.h"
#include "plot/plot.h"

static bool large;
static const double STEPS[] = {1, 2, 5, 10, 20};
enum { STEP_COUNT = 5, GRIDS = 3 };

typedef struct Swing {
    double error, kept;  // of the period, relative; of the amplitude per period
    Signal a;
} Swing;

static Swing swing(int dim, double cells, int mode, double mu, const Scheme* scheme, double steps, double periods)
{
    Drop d = {.dim = dim, .cells = cells, .mode = mode, .amplitude = 0.05, .mu = mu};
    Sim sim;
    Swing out = {0};
    double period = 2*PI/drop_omega(dim, mode);
    drop_start(&sim, &d, scheme, steps);
    drop_run(&out.a, &sim, mode, periods*period);
    out.error = signal_period(&out.a)/period - 1;
    out.kept = exp(-signal_decay(&out.a)*period);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
    return out;
}

// ---- frequency -----------------------------------------------------------------------------------------------------------

static void panel_of_errors(PlotFigure* f, int dim, int mode, const Scheme* scheme, const double* cells, int grids,
                            double error[STEP_COUNT][4])
{
    PlotPanel like = {.x = {.label = "R/dx", .log = true}, .y = {.label = "|error of the period| (%)", .log = true}};
    snprintf(like.title, sizeof like.title, "%dD, mode %d, %s", dim, mode, scheme->name);
    PlotPanel* p = plot_add_panel(f, &like);
    for (int s = 0; s < STEP_COUNT && STEPS[s] <= scheme->longest; s++) {
        double y[4];
        for (int g = 0; g < grids; g++) y[g] = 100*fabs(error[s][g]);
        PlotSeries series = {.style = PLOT_LINE_MARKS, .colour = s, .count = grids, .x = cells, .y = y};
        snprintf(series.label, sizeof series.label, "dt = %g", STEPS[s]);
        plot_add_series(p, &series);
    }
    double second[2] = {100*fabs(error[0][0]), 100*fabs(error[0][0])*pow(cells[0]/cells[grids - 1], 2)};
    double ends[2] = {cells[0], cells[grids - 1]};
    plot_add_series(p, &(PlotSeries){.label = "second order", .style = PLOT_DASHES, .colour = PLOT_INK, .count = 2, .x = ends, .y = second});
}

static void frequencies(int dim, int low, int high, const double* cells, double limit, const char* picture)
{
    int grids = GRIDS + large;
    PlotFigure f = {.columns = high - low + 1};
    snprintf(f.title, sizeof f.title, "Period of an oscillating drop in %dD, amplitude 5 %%", dim);
    SAY("## %dD\n\nError of the period; in brackets what is left of the amplitude after one. dt in capillary times.\n\n"
        "| scheme | mode | R/dx |", dim);
    for (int s = 0; s < STEP_COUNT; s++) SAY(" dt = %g |", STEPS[s]);
    SAY("\n| --- | --- | --- |");
    for (int s = 0; s < STEP_COUNT; s++) SAY(" --- |");
    SAY("\n");
    for (int m = 0; m < SCHEME_COUNT; m++)
        for (int mode = low; mode <= high; mode++) {
            double error[STEP_COUNT][4] = {{0}};
            for (int g = 0; g < grids; g++) {
                SAY("| %s | %d | %g |", SCHEMES[m].name, mode, cells[g]);
                for (int s = 0; s < STEP_COUNT; s++) {
                    if (STEPS[s] > SCHEMES[m].longest) {
                        SAY(" |");
                        continue;
                    }
                    Swing r = swing(dim, cells[g], mode, 0, &SCHEMES[m], STEPS[s], 2.3);
                    error[s][g] = r.error;
                    SAY(" %+.2f %% (%.3f) |", 100*r.error, r.kept);
                    if (mode == 2 && cells[g] >= limit) CHECK_LESS(fabs(r.error), STEPS[s] <= 2 ? 0.02 : STEPS[s] <= 5 ? 0.04 : INFINITY);
                    signal_free(&r.a);
                }
                SAY("\n");
            }
            SAY("| | | order |");
            for (int s = 0; s < STEP_COUNT; s++) {
                if (STEPS[s] > SCHEMES[m].longest) SAY(" |");
                else SAY(" %.1f, %.1f |", log(fabs(error[s][0]/error[s][1]))/log(cells[1]/cells[0]),
                         log(fabs(error[s][1]/error[s][2]))/log(cells[2]/cells[1]));
            }
            SAY("\n");
            panel_of_errors(&f, dim, mode, &SCHEMES[m], cells, grids, error);
        }
    CHECK_OK(plot_write(&f, page_picture(picture)));
    plot_free(&f);
    SAY("\n![](%s)\n\n", picture);
}

static void test_2d(void** state)
{
    (void)state;
    frequencies(2, 2, 4, (const double[]){8, 16, 32, 64}, 16, "tension_drop_2d.png");
}

static void test_3d(void** state)
{
    (void)state;
    frequencies(3, 2, 3, (const double[]){8, 11, 16, 24}, 11, "tension_drop_3d.png");
}

// ---- the shape over time, and viscosity ----------------------------------------------------------------------------------

static void test_decay(void** state)
{
    (void)state;
    PlotFigure f = {.title = "Mode 2 of a viscous drop: a/a_{0}", .columns = 2};
    SAY("## Decay by viscosity\n\nRate of decay of mode 2 over `nu/R^2`, less what the same run without viscosity loses: `2 n (n - 1)` = 4 "
        "in 2D, `(n - 1)(2 n + 1)` = 5 in 3D, for small nu (the theory's own error is of the order of sqrt(Oh)). Four periods.\n\n"
        "| | scheme | R/dx | Oh | rate | without viscosity | difference | theory | error |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int dim = 2; dim <= 3; dim++) {
        double theory = drop_damping(dim, 2), omega = drop_omega(dim, 2);
        double cells = dim == 2 ? 20 : large ? 16 : 10;
        for (int m = 0; m < SCHEME_COUNT; m++) {
            double steps = fmin(SCHEMES[m].longest, 5);
            Swing still = swing(dim, cells, 2, 0, &SCHEMES[m], steps, 4);
            PlotPanel like = {.x = {.label = "t/sqrt(rho R^{3}/sigma)"}, .y = {.label = "a/a_{0}"}};
            snprintf(like.title, sizeof like.title, "%dD, R = %g dx, %s, Oh = 0.02", dim, cells, SCHEMES[m].name);
            PlotPanel* p = plot_add_panel(&f, &like);
            static const double viscosity[3] = {0.005, 0.01, 0.02};
            for (int v = 0; v < 3; v++) {
                double mu = viscosity[v];
                Swing r = swing(dim, cells, 2, mu, &SCHEMES[m], steps, 4);
                double rate = signal_decay(&r.a)/mu, own = signal_decay(&still.a)/mu;
                SAY("| %dD | %s | %g | %g | %.3f | %.3f | %.3f | %g | %+.1f %% |\n", dim, SCHEMES[m].name, cells, mu, rate, own,
                    rate - own, theory, 100*((rate - own)/theory - 1));
                if (v == 2) {
                    double x[400], y[400], start = r.a.a[0];
                    for (int n = 0; n < 400; n++) {
                        x[n] = r.a.t[r.a.count - 1]*n/399;
                        y[n] = exp(-theory*mu*x[n])*cos(omega*x[n]);
                    }
                    for (int n = 0; n < r.a.count; n++) r.a.a[n] /= start;
                    for (int n = 0; n < still.a.count; n++) still.a.a[n] /= start;
                    plot_add_series(p, &(PlotSeries){.label = "measured", .style = PLOT_LINE, .count = r.a.count, .x = r.a.t, .y = r.a.a});
                    plot_add_series(p, &(PlotSeries){.label = "without viscosity", .style = PLOT_DASHES, .colour = 1,
                                                     .count = still.a.count, .x = still.a.t, .y = still.a.a});
                    plot_add_series(p, &(PlotSeries){.label = "theory", .colour = PLOT_INK, .style = PLOT_LINE, .count = 400, .x = x, .y = y});
                }
                signal_free(&r.a);
            }
            signal_free(&still.a);
        }
    }
    CHECK_OK(plot_write(&f, page_picture("tension_drop_decay.png")));
    plot_free(&f);
    SAY("\n![](tension_drop_decay.png)\n\n");
}

int main(int count, char** word)
{
    (void)word;
    large = count > 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_2d), cmocka_unit_test(test_3d), cmocka_unit_test(test_decay)};
    page_open("tension_drop.md");
    SAY("# Oscillating drops\n\nWritten by `validate_tension_drop`. Amplitude 5 %%, box 4 R, 2.3 periods; the period from zero crossings of the "
        "projected mode, what is left of the amplitude from its extremes. 2D: `omega^2 = n (n^2 - 1) sigma/(rho R^3)`; 3D: "
        "`n (n - 1)(n + 2)`. A wave of finite amplitude a/R = 0.05 is slower by about 0.1 to 0.3 %%.\n\n");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    page_close();
    return failed;
}

// Oscillating drops in 2D: frequency of modes 2 to 4 [rayleigh1879], and the decay of mode 2 by viscosity in 2D and 3D. Writes
// docs/validation/tension_drop.md. An argument adds finer grids.
#include "swing.h"

static void test_frequency(void** state)
{
    (void)state;
    frequencies(2, 2, 4, (const double[]){8, 12, 18, 32}, 12, 2.3, "tension_drop.png");
}

// ---- the shape over time, and viscosity ----------------------------------------------------------------------------------

static void test_decay(void** state)
{
    (void)state;
    PlotFigure f = {.title = "Mode 2 of a viscous drop: a/a(0)", .columns = 2};
    SAY("## Decay by viscosity\n\nRate of decay of mode 2 over `nu/R^2`, less what the same run without viscosity loses: `2 n (n "
        "- 1)` = 4 "
        "in 2D, `(n - 1)(2 n + 1)` = 5 in 3D, for small nu; theory: the normal mode at this Oh (drop_decay). Three periods. 3D: "
        "with an "
        "argument, and [../viscosity.md](../viscosity.md).\n\n"
        "| | scheme | R/dx | Oh | rate | without viscosity | difference | theory | error |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int dim = 2; dim <= (large ? 3 : 2); dim++) {
        double omega = drop_omega(dim, 2);
        double cells = dim == 2 ? 20 : 10;
        for (int m = 0; m < ALL_SCHEMES; m++) {
            double steps = fmin(SCHEMES[m].longest, 5);
            Swing still = swing(dim, cells, 2, 0, &SCHEMES[m], steps, 3);
            PlotPanel like = {.x = {.label = "t/sqrt(rho R^{3}/sigma)"}, .y = {.label = "a/a(0)"}};
            snprintf(like.title, sizeof like.title, "%dD, R = %g dx, %s, Oh = 0.02", dim, cells, SCHEMES[m].name);
            PlotPanel* p = plot_add_panel(&f, &like);
            static const double viscosity[3] = {0.005, 0.01, 0.02};
            for (int v = dim == 3 ? 1 : 0; v < 3; v++) {
                double mu = viscosity[v], theory = drop_decay(dim, 2, mu);
                Swing r = swing(dim, cells, 2, mu, &SCHEMES[m], steps, 3);
                double rate = signal_decay(&r.a)/mu, own = signal_decay(&still.a)/mu;
                SAY("| %dD | %s | %g | %g | %.3f | %.3f | %.3f | %.3f | %+.1f %% |\n", dim, SCHEMES[m].name, cells, mu, rate, own,
                    rate - own, theory, 100*((rate - own)/theory - 1));
                if (v == 2) {
                    double x[400], y[400], start = r.a.a[0];
                    for (int n = 0; n < 400; n++) {
                        x[n] = r.a.t[r.a.count - 1]*n/399;
                        y[n] = exp(-theory*mu*x[n])*cos(omega*x[n]);
                    }
                    for (int n = 0; n < r.a.count; n++) r.a.a[n] /= start;
                    for (int n = 0; n < still.a.count; n++) still.a.a[n] /= start;
                    plot_add_series(
                        p, &(PlotSeries){.label = "measured", .style = PLOT_LINE, .count = r.a.count, .x = r.a.t, .y = r.a.a});
                    plot_add_series(p, &(PlotSeries){.label = "without viscosity",
                                                     .style = PLOT_DASHES,
                                                     .colour = 1,
                                                     .count = still.a.count,
                                                     .x = still.a.t,
                                                     .y = still.a.a});
                    plot_add_series(
                        p,
                        &(PlotSeries){.label = "theory", .colour = PLOT_INK, .style = PLOT_LINE, .count = 400, .x = x, .y = y});
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frequency), cmocka_unit_test(test_decay)};
    page_open("tension_drop.md");
    SAY("# Oscillating drops in 2D\n\nWritten by `validate_tension_drop`. Amplitude 5 %%, box 4 R, 2.3 periods; the period from "
        "zero crossings of the "
        "projected mode, what is left of the amplitude from its extremes. Theory: `omega^2 = n (n^2 - 1) sigma/(rho R^3)`. A "
        "swing of finite "
        "amplitude a/R = 0.05 is slower than that by about 0.1 to 0.3 %%.\n\n");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    page_close();
    return failed || page_misses > 0;
}

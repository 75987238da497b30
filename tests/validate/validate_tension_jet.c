// A liquid cylinder breaks into drops [rayleigh1879]: growth rate against wavelength, and the breaking itself. Writes
// docs/validation/tension_jet.md. An argument makes the grids finer.
#include "drop.h"
#include "page.h"
#include "plot/plot.h"

static bool large;

static void test_growth(void** state)
{
    (void)state;
    PlotFigure f = {.title = "Rayleigh and Plateau: growth of a wave on a liquid cylinder", .columns = 2};
    PlotPanel* curve = plot_add_panel(
        &f, &(PlotPanel){.title = "k R = 0.7", .x = {.label = "t/sqrt(rho R^{3}/sigma)"}, .y = {.label = "a/R", .log = true}});
    PlotPanel* rates = plot_add_panel(
        &f, &(PlotPanel){.title = "growth rate", .x = {.label = "k R"}, .y = {.label = "s sqrt(rho R^{3}/sigma)"}});
    SAY("## Growth\n\nHalf a wavelength between two walls, amplitude 1 %% at first; the rate from `a = a0 cosh(s t)` between 2 "
        "and 10 %%.\n\n"
        "| scheme | R/dx | k R | rate | theory | error |\n| --- | --- | --- | --- | --- | --- |\n");
    static const double numbers[4] = {0.7, 0.5, 0.9, 0.3};
    for (int m = 0; m < ALL_SCHEMES; m++) {
        double x[4], y[4];
        int count = m == 0 ? 4 : 1;
        for (int l = 0; l < count; l++) {
            Jet s = {.cells = (int)lround((large ? 12 : 8)*PI/numbers[l]), .k = numbers[l], .halves = 1, .amplitude = 0.01};
            double theory = sqrt(jet_growth_squared(s.k));
            Sim sim;
            Signal a = {0};
            jet_start(&sim, &s, &SCHEMES[m], fmin(SCHEMES[m].longest, 5));
            signal_add(&a, 0, jet_mode(&sim, &s));
            while (a.a[a.count - 1] < 0.1 && sim.world.time < 20) {
                CHECK_OK(sim_step(&sim, INFINITY));
                signal_add(&a, sim.world.time, jet_mode(&sim, &s));
            }
            double rate = signal_growth(&a, 2, 10);
            SAY("| %s | %.2f | %g | %.4f | %.4f | %+.1f %%%s |\n", SCHEMES[m].name, 1/sim.model.tank.dx, s.k, rate, theory,
                100*(rate/theory - 1), page_mark(fabs(rate/theory - 1), 0.1));
            CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
            x[l] = s.k, y[l] = rate;
            if (l == 0) {
                PlotSeries series = {.style = PLOT_LINE, .colour = m, .count = a.count, .x = a.t, .y = a.a};
                snprintf(series.label, sizeof series.label, "%s", SCHEMES[m].name);
                plot_add_series(curve, &series);
                if (m == 0) {
                    double t[100], c[100];
                    for (int n = 0; n < 100; n++) t[n] = a.t[a.count - 1]*n/99, c[n] = a.a[0]*cosh(theory*t[n]);
                    plot_add_series(
                        curve,
                        &(PlotSeries){
                            .label = "linear theory", .colour = PLOT_INK, .style = PLOT_DASHES, .count = 100, .x = t, .y = c});
                }
            }
            signal_free(&a);
            sim_free(&sim);
        }
        PlotSeries series = {.style = PLOT_MARKS, .colour = m, .count = count, .x = x, .y = y};
        snprintf(series.label, sizeof series.label, "%s", SCHEMES[m].name);
        plot_add_series(rates, &series);
    }
    double x[100], y[100];
    for (int n = 0; n < 100; n++) x[n] = n/99.0, y[n] = sqrt(fmax(jet_growth_squared(x[n]), 0));
    plot_add_series(rates,
                    &(PlotSeries){.label = "Rayleigh", .colour = PLOT_INK, .style = PLOT_LINE, .count = 100, .x = x, .y = y});
    CHECK_OK(plot_write(&f, page_picture("tension_jet.png")));
    plot_free(&f);
    SAY("\n![](tension_jet.png)\n\n");
}

// Waves shorter than the cylinder's girth swing instead: k R = 1.2.
static void test_short_waves(void** state)
{
    (void)state;
    Jet s = {.cells = large ? 32 : 24, .k = 1.2, .halves = 1, .amplitude = 0.03};
    double omega = sqrt(-jet_growth_squared(s.k));
    Sim sim;
    Signal a = {0};
    jet_start(&sim, &s, &SCHEMES[0], 2);
    signal_add(&a, 0, jet_mode(&sim, &s));
    while (sim.world.time < 1.3*2*PI/omega) {
        CHECK_OK(sim_step(&sim, INFINITY));
        signal_add(&a, sim.world.time, jet_mode(&sim, &s));
    }
    double period = signal_period(&a);
    SAY("A wave with k R = 1.2 swings: period %.3f, theory %.3f (R = %.1f dx).\n\n", period, 2*PI/omega,
        1/sim.model.tank.dx);
    CHECK_CLOSE(period, 2*PI/omega, 0.1);
    signal_free(&a);
    sim_free(&sim);
}

// A whole wavelength with the neck in the middle: the cylinder comes apart and all the liquid is still there.
static void test_breaks(void** state)
{
    (void)state;
    Jet s = {.cells = large ? 108 : 72, .k = 0.7, .halves = 2, .amplitude = 0.1};
    Sim sim;
    Signal neck = {0};
    jet_start(&sim, &s, &SCHEMES[0], 2);
    int most = 1;
    double broke = NAN;
    while (sim.world.time < 14) {
        CHECK_OK(sim_step(&sim, INFINITY));
        double least = INFINITY;
        for (int i = 0; i < s.cells; i++) least = fmin(least, jet_radius(&sim, i));
        signal_add(&neck, sim.world.time, least);
        most = maxi(most, sim.world.liquid_count);
        if (isnan(broke) && sim.world.liquid_count > 1) broke = sim.world.time;
        if (sim.world.time > broke + 1) break;
    }
    SAY("## Breaking\n\nk R = 0.7, one wavelength, amplitude 10 %% at first, R = %.1f dx, explicit: ", 1/sim.model.tank.dx);
    if (isnan(broke))
        SAY("in one piece until t = %.2f, the neck's radius then %.3f R = %.2f dx", sim.world.time, neck.a[neck.count - 1],
            neck.a[neck.count - 1]/sim.model.tank.dx);
    else SAY("it breaks at t = %.3f into %d liquids at most", broke, most);
    SAY("; ledger %.1e.\n\n![](tension_jet_neck.png)\n\n", sim_ledger_error(&sim));
    PlotFigure f = {.title = "Neck of a liquid cylinder, k R = 0.7"};
    PlotPanel* p = plot_add_panel(&f, &(PlotPanel){.x = {.label = "t/sqrt(rho R^{3}/sigma)"}, .y = {.label = "least radius/R"}});
    plot_add_series(p, &(PlotSeries){.label = "measured", .style = PLOT_LINE, .count = neck.count, .x = neck.t, .y = neck.a});
    double ends[2] = {0, neck.t[neck.count - 1]}, cell[2] = {sim.model.tank.dx, sim.model.tank.dx};
    plot_add_series(p, &(PlotSeries){.label = "dx", .colour = PLOT_INK, .style = PLOT_DASHES, .count = 2, .x = ends, .y = cell});
    CHECK_OK(plot_write(&f, page_picture("tension_jet_neck.png")));
    plot_free(&f);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    CHECK_TRUE(most > 1);
    signal_free(&neck);
    sim_free(&sim);
}

int main(int count, char** word)
{
    (void)word;
    large = count > 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_growth), cmocka_unit_test(test_short_waves),
                                       cmocka_unit_test(test_breaks)};
    page_open("tension_jet.md");
    SAY("# A liquid cylinder\n\nWritten by `validate_tension_jet`. 3D, rho = sigma = R = 1; theory: `s^2 = x (1 - x^2) "
        "I1(x)/I0(x)`, x = k R "
        "[rayleigh1879].\n\n");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    page_close();
    return failed || page_misses > 0;
}

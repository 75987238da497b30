// Viscous liquids against formulas: shear and turning flows, Taylor-Green vortices, standing waves, swinging drops, a turning
// drop. Writes docs/validation/viscosity.md. An argument adds finer grids.
#include "page.h"
#include "shear.h"
#include "slosh.h"
#include "viscous_flow.h"
#include "plot/plot.h"

static bool large;

// ---- shear flows: the solve alone ------------------------------------------------------------------------------------------

enum { GRIDS = 3, FLOWS = 5 };

static double couette(int n, int grid) { return startup_error(n, true, 20 << 2*grid); }
static double poiseuille(int n, int grid) { return startup_error(n, false, 20 << 2*grid); }

static double falling_film(int n, int grid)
{
    (void)grid;
    return film_error(n, 0.737);
}

static double cylinders_mean(int n, int grid)
{
    (void)grid;
    double mean;
    ring_error(n, &mean);
    return mean;
}

static double cylinders_largest(int n, int grid)
{
    (void)grid;
    double mean;
    return ring_error(n, &mean);
}

// `most`: the bound on the finest grid, that of the fast tests at their size.
static const struct {
    const char *name, *note, *measure;
    int n;        // cells across the box on the coarsest grid
    double size;  // gap or film over the box
    double most;
    double (*error)(int n, int grid);
} flows[FLOWS] = {{"film falling down a wall", " [batchelor1967]", "of the speed on the surface", 8, 0.737, 0.001, falling_film},
                  {"Couette start-up", ", `nu t/h^2 = 0.08`", "of the plate's speed", 8, 0.6, 0.007, couette},
                  {"Poiseuille start-up", "", "of G h^2/nu", 8, 0.6, 0.0007, poiseuille},
                  {"between cylinders, mean", "", "of the wall's speed", 32, 0.26, 0.005, cylinders_mean},
                  {"between cylinders, largest", "", "of the wall's speed", 32, 0.26, 0.02, cylinders_largest}};

static void test_shear(void** state)
{
    (void)state;
    PlotFigure f = {.title = "Shear and turning flows of a viscous liquid"};
    PlotPanel* p = plot_add_panel(
        &f, &(PlotPanel){.x = {.label = "cells across gap or film", .log = true}, .y = {.label = "error", .log = true}});
    SAY("## Shear and turning flows\n\nThe solve alone, between solids and walls that lie anywhere in their cells, and with a "
        "free surface. Couette and "
        "Poiseuille take four times the steps on twice the cells (20 on the coarsest), as they are first order in time.\n\n"
        "| flow | cells | error | cells | error | cells | error | order |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int m = 0; m < FLOWS; m++) {
        double x[GRIDS], error[GRIDS];
        SAY("| %s%s |", flows[m].name, flows[m].note);
        for (int g = 0; g < GRIDS; g++) {
            int n = flows[m].n << g;
            x[g] = flows[m].size*n, error[g] = flows[m].error(n, g);
            SAY(" %.1f | %.2e%s |", x[g], error[g], g == GRIDS - 1 ? page_mark(error[g], flows[m].most) : "");
        }
        SAY(" %.1f, %.1f %s |\n", log2(error[0]/error[1]), log2(error[1]/error[2]), flows[m].measure);
        PlotSeries series = {.style = PLOT_LINE_MARKS, .colour = m, .count = GRIDS, .x = x, .y = error};
        snprintf(series.label, sizeof series.label, "%s", flows[m].name);
        plot_add_series(p, &series);
    }
    double ends[2] = {5, 35}, second[2] = {1e-2, 1e-2*25/(35*35.0)};
    plot_add_series(
        p, &(PlotSeries){.label = "second order", .style = PLOT_DASHES, .colour = PLOT_INK, .count = 2, .x = ends, .y = second});
    CHECK_OK(plot_write(&f, page_picture("viscosity_shear.png")));
    plot_free(&f);
    SAY("\n![](viscosity_shear.png)\n\n");
}

// ---- whole steps -----------------------------------------------------------------------------------------------------------

static void test_vortices(void** state)
{
    (void)state;
    SAY("## Taylor-Green vortices\n\nRate at which four vortices lose energy, `4 nu k^2` ([targets.md](targets.md)), less what "
        "they lose "
        "without viscosity; nu = "
        "0.02. First order in time, 4 steps per cell and second.\n\n| cells | error |\n| --- | --- |\n");
    for (int n = 16; n < (large ? 129 : 65); n *= 2) {
        double error = vortex_rate_error(n);
        SAY("| %d | %.2f %%%s |\n", n, 100*error, page_mark(error, n < 32 ? INFINITY : n < 64 ? 0.03 : 0.018));
    }
    SAY("\n");
}

static double kept_per_period(int n, double nu, double steps)
{
    Slosh s = {1, 1, 0.01};
    Sim sim;
    basin_init(&sim, 2, n, n + n/4, 1, 1.0/n);
    sim.model.settings.slip = true;
    basin_add(&sim, slosh_shape, &s, (double[3]){0, 0, 0});
    sim.world.liquid[0].material.mu = 1000*nu;
    CHECK_OK(sim_start(&sim));
    SloshResult r = slosh_run(&sim, &s, 2*PI/sqrt(9.81*PI*tanh(PI)), 3, steps);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
    return r.decay;
}

// In a tank as deep as wide whose walls and floor the liquid slips along, so that all loss is inside it: k = pi/W, tanh(k H) =
// 0.996. The exact numbers are those of [prosperetti1976] for a start from rest (its formula with beta = 0): second extreme after
// the first over the first. At nu = 0.005 m^2/s they are 7 % below exp(-2 nu k^2 t) of [lamb1932], art. 348.
static void test_waves(void** state)
{
    (void)state;
    static const struct {
        int n;
        double nu, exact, most;
        bool large;
    } cases[] = {{32, 0.005, 0.90045, INFINITY, false},
                 {64, 0.02, 0.67525, 0.06, false},
                 {64, 0.005, 0.90045, 0.09, false},
                 {64, 0.001, 0.97849, 0.25, false},
                 {128, 0.005, 0.90045, 0.06, true}};
    SAY("## Standing waves under gravity\n\nWhat is left of a wave per period in a square tank of 1 m with slip, over what is "
        "left without viscosity, against "
        "[prosperetti1976].\n\n| cells | nu (m^2/s) | kept per period | without viscosity | exact | error of the rate |\n| --- | "
        "--- | --- | "
        "--- | --- | --- |\n");
    for (size_t m = 0; m < sizeof cases/sizeof cases[0]; m++) {
        if (cases[m].large && !large) continue;
        double steps = cases[m].n > 64 ? 200 : 100;
        double still = kept_per_period(cases[m].n, 0, steps), kept = kept_per_period(cases[m].n, cases[m].nu, steps);
        double error = log(kept/still)/log(cases[m].exact) - 1;
        SAY("| %d | %g | %.4f | %.4f | %.4f | %+.1f %%%s |\n", cases[m].n, cases[m].nu, kept, still, cases[m].exact, 100*error,
            page_mark(fabs(error), cases[m].most));
    }
    SAY("\n");
}

static void test_swinging_drops(void** state)
{
    (void)state;
    static const double nu[3] = {0.01, 0.02, 0.05};
    double curve_x[60], curve_y[60], limit[2] = {drop_damping(2, 2), drop_damping(2, 2)}, ends[2] = {0.005, 0.06};
    for (int m = 0; m < 60; m++) curve_x[m] = 0.005 + 0.055*m/59, curve_y[m] = drop_decay(2, 2, curve_x[m]);
    PlotFigure f = {.title = "Decay of mode 2 of a drop in 2D"};
    PlotPanel* p =
        plot_add_panel(&f, &(PlotPanel){.x = {.label = "Ohnesorge"}, .y = {.label = "rate/(nu/R^{2})", .low = 2.5, .high = 4.5}});
    plot_add_series(
        p, &(PlotSeries){
               .label = "viscous normal mode", .style = PLOT_LINE, .colour = PLOT_INK, .count = 60, .x = curve_x, .y = curve_y});
    plot_add_series(
        p,
        &(PlotSeries){.label = "limit of small nu", .style = PLOT_DASHES, .colour = PLOT_INK, .count = 2, .x = ends, .y = limit});
    SAY("## Swinging drops\n\nDecay of mode 2 in `nu/R^2`, less what the same drop loses without viscosity, amplitude 5 %%, "
        "explicit tension, ghost-fluid "
        "pressure, 1.3 periods. Exact: the normal mode of the viscous drop [lamb1932]; its limit for small nu is `2 n (n - 1)` = "
        "4 (2D), "
        "`(n - 1)(2 n + 1)` = 5 (3D). At most 5 %% off in 2D from R = 12 dx on, 12 %% in 3D on so coarse a grid.\n\n| | R/dx | "
        "Ohnesorge | measured | exact | "
        "error |\n| --- | --- | "
        "--- | --- | --- | --- |\n");
    for (int g = 0; g < 3; g++) {
        double cells = g == 0 ? 8 : g == 1 ? 12 : 16, y[3];
        for (int m = 0; m < 3; m++) {
            double exact = drop_decay(2, 2, nu[m]), error;
            y[m] = swing_decay(2, cells, PRESSURE_AUTO, nu[m], 1.3);
            error = y[m]/exact - 1;
            SAY("| 2D | %g | %g | %.3f | %.3f | %+.1f %%%s |\n", cells, nu[m], y[m], exact, 100*error,
                page_mark(fabs(error), g == 0 ? INFINITY : 0.05));
        }
        PlotSeries series = {.style = PLOT_MARKS, .colour = g, .count = 3, .x = nu, .y = y};
        snprintf(series.label, sizeof series.label, "R = %g dx", cells);
        plot_add_series(p, &series);
    }
    double cells = large ? 10 : 7, exact = drop_decay(3, 2, 0.02), rate = swing_decay(3, cells, PRESSURE_AUTO, 0.02, 1.4);
    SAY("| 3D | %g | 0.02 | %.3f | %.3f | %+.1f %%%s |\n", cells, rate, exact, 100*(rate/exact - 1),
        page_mark(fabs(rate/exact - 1), 0.12));
    CHECK_OK(plot_write(&f, page_picture("viscosity_drop.png")));
    plot_free(&f);
    SAY("\n![](viscosity_drop.png)\n\n");
}

static void turning(double u[3], const double x[3]) { u[0] = -4*(x[1] - 0.5), u[1] = 4*(x[0] - 0.5), u[2] = 0; }

// A disc of radius 1/4 that turns at 4 rad/s, with rho = sigma = 1, for one turn: nothing may rub, however thick the liquid.
static void test_turning_drop(void** state)
{
    (void)state;
    SAY("## A turning drop\n\nA disc of R = 12 dx turns once, `rho omega^2 R^3/sigma = 0.25`. It has no strain, so that no "
        "viscosity may slow it down: at most 1 %% "
        "below the thin one's spin (what that loses is the grid's).\n\n| Ohnesorge | spin left | largest speed off a rigid "
        "motion, of omega R |\n| --- | --- | --- "
        "|\n");
    double spin[3];
    for (int m = 0; m < 3; m++) {
        double mu = m == 0 ? 0 : m == 1 ? 0.01 : 1, worst = 0;
        Sim sim;
        basin_init(&sim, 2, 48, 48, 1, 1.0/48);
        sim.model.settings.gravity[1] = 0, sim.model.settings.advection = ADVECT_AUTO;
        basin_add(&sim, disc, NULL, (double[3]){0, 0, 0});
        sim.world.liquid[0].material =
            (LiquidMaterial){.rho = 1, .sigma = 1, .mu = 0.5*mu, .contact_angle = PI/2};  // sqrt(rho sigma R) = 1/2
        set_velocity(&sim.world.liquid[0], turning);
        CHECK_OK(sim_start(&sim));
        double before = spin_of(&sim.world.liquid[0]);
        CHECK_OK(sim_advance(&sim, 0.5*PI));
        const Liquid* q = &sim.world.liquid[0];
        spin[m] = spin_of(q)/before;
        for (int j = 0; j < q->w.n[1]; j++)
            for (int i = 0; i < q->w.n[0]; i++) {
                double x[3];
                window_position(x, &q->w, i + 0.5, j, 0);
                if (hypot(x[0] - 0.5, x[1] - 0.5) < 0.22)
                    worst = fmax(worst, fabs(q->u[1].v[window_at(&q->w, i, j, 0)] - spin[m]*before*(x[0] - 0.5)));
            }
        SAY("| %g | %.4f%s | %.1e |\n", mu, spin[m], m > 0 ? page_mark(spin[0] - spin[m], 0.01) : "", worst);
        sim_free(&sim);
    }
    SAY("\n");
}

int main(int count, char** word)
{
    (void)word;
    large = count > 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shear), cmocka_unit_test(test_vortices),
                                       cmocka_unit_test(test_waves), cmocka_unit_test(test_turning_drop),
                                       cmocka_unit_test(test_swinging_drops)};
    page_open("viscosity.md");
    SAY("# Viscosity\n\nWritten by `validate_viscosity`. The method: [../viscosity.md](../viscosity.md).\n\n");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    page_close();
    return failed || page_misses > 0;
}

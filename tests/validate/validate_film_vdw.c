// Bounce or merge: head-on collisions of two drops of tetradecane whose film breaks where molecular attraction outdoes tension
// (film/film_vdw.h, rule `van der waals`). Writes docs/validation/film_vdw.md.
#include "bounce.h"
#include "film/film_partner.h"
#include "film/film_vdw.h"
#include "page.h"
#include "plot/plot.h"

static const double RADIUS = 0.1706e-3, MU = 2.1e-3, HAMAKER = 5e-20, SLIP = 68e-9;

typedef struct Outcome {
    bool merged;
    double time;      // s, when it merged, or when film pressure was last above 20 Pa
    double thinnest;  // m
    double speed;     // m/s, away from each other at the end, of the first drop
    double pressure;  // Pa, most
} Outcome;

// We = rho (2 V)^2 (2 R)/sigma, of the relative speed and the diameter [qian1997].
static double weber(double speed) { return TETRADECANE_RHO*4*speed*speed*2*RADIUS/TETRADECANE_SIGMA; }

// steps: longest step, in capillary times. In 3D a quarter is computed, between mirrors.
static Outcome collide_once(int dim, int cells, double steps, double speed, double hamaker)
{
    Bounce b = {.dim = dim, .cells = cells, .radius = RADIUS, .speed = speed, .mu = MU, .steps = steps, .mirrored = dim == 3};
    Sim sim;
    Outcome out = {.thinnest = INFINITY};
    double until = 4.2*bounce_time(&b) + 0.5*RADIUS/speed;
    bounce_start(&sim, &b, 2);
    merge_table_free(&sim.model.merge);
    CHECK_OK(merge_table_init(&sim.model.merge, 1, (MergePolicy){.rule = MERGE_VDW}));
    film_of(&sim.world)->hamaker = hamaker, film_of(&sim.world)->settings.mean_free_path = SLIP,
    film_of(&sim.world)->settings.h_min = 2e-9;
    while (sim.world.time < until && sim.world.liquid_count == 2) {
        CHECK_OK(sim_step_towards(&sim, until));
        if (sim.world.liquid_count == 1) break;
        if (film_of(&sim.world)->report.most_pressure > 20) out.time = sim.world.time;
        if (film_of(&sim.world)->report.cells > 0) out.thinnest = fmin(out.thinnest, film_of(&sim.world)->report.least_thickness);
        out.pressure = fmax(out.pressure, film_of(&sim.world)->report.most_pressure);
    }
    out.merged = sim.world.liquid_count == 1;
    if (out.merged) out.time = sim.world.time;
    else out.speed = bounce_state(&sim, &b).velocity[0][0];
    sim_free(&sim);
    SAY("| %dD | %.1f | %.2f | %.3f | %.2f | %.1g | %s | %.0f | %.2f | %.0f | %.3f |\n", dim, b.radius*1e3*cells, steps,
        speed, weber(speed), hamaker, out.merged ? "merge" : "bounce", 1e9*out.thinnest, out.time/bounce_time(&b),
        out.pressure, out.speed/speed);
    return out;
}

static void head(void)
{
    SAY("| | R/dx | steps (t_s) | V (m/s) | We | A (J) | outcome | thinnest film before (nm) | merged at, or contact until "
        "(t/t_c) | film pressure at "
        "most (Pa) | "
        "restitution |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
}

// Speeds from slow to fast. Bounces and merges both occur, and what breaks a film in a step makes it thinner than
// film_rupture_thickness; the films of drops that bounce stay thicker.
static void test_sweep(void** state)
{
    (void)state;
    static const double speed[] = {0.02, 0.05, 0.1, 0.18, 0.243, 0.35, 0.496, 0.7, 1.0};
    enum { SPEEDS = sizeof speed/sizeof *speed };
    double we[2][SPEEDS], thin[2][SPEEDS], limit = film_rupture_thickness(HAMAKER, TETRADECANE_SIGMA, RADIUS);
    int count[2] = {0, 0};
    SAY("## Speeds\n\nThe film breaks below %.1f nm.\n\n", 1e9*limit);
    head();
    for (int m = 0; m < SPEEDS; m++) {
        Outcome o = collide_once(2, 48, 1, speed[m], HAMAKER);
        if (!o.merged) CHECK_LESS(limit, o.thinnest);
        we[o.merged][count[o.merged]] = weber(speed[m]), thin[o.merged][count[o.merged]++] = o.thinnest;
    }
    PlotFigure f = {.title = "Two drops of tetradecane: bounce or merge (2D)"};
    PlotPanel* p = plot_add_panel(
        &f, &(PlotPanel){.x = {.label = "We", .log = true}, .y = {.label = "thinnest film", .unit = "m", .log = true}});
    plot_add_series(
        p, &(PlotSeries){.label = "bounce", .style = PLOT_MARKS, .colour = 0, .count = count[0], .x = we[0], .y = thin[0]});
    plot_add_series(
        p, &(PlotSeries){.label = "merge", .style = PLOT_MARKS, .colour = 1, .count = count[1], .x = we[1], .y = thin[1]});
    plot_add_series(p, &(PlotSeries){.label = "breaks below",
                                     .style = PLOT_DASHES,
                                     .colour = PLOT_INK,
                                     .count = 2,
                                     .x = (double[]){weber(speed[0]), weber(speed[SPEEDS - 1])},
                                     .y = (double[]){limit, limit}});
    CHECK_OK(plot_write(&f, page_picture("film_vdw.png")));
    plot_free(&f);
    SAY("\n![](film_vdw.png)\n\n");
    CHECK_LESS(0, count[0]);
    CHECK_LESS(0, count[1]);
}

// Shorter steps and a finer grid: does the film of fast drops break because a step was too long for it?
static void test_steps(void** state)
{
    (void)state;
    SAY("## Steps and cells\n\n");
    head();
    static const double speed[] = {0.35, 0.496, 0.7};
    for (int m = 0; m < 3; m++) collide_once(2, 48, 0.25, speed[m], HAMAKER);
    collide_once(2, 96, 1, 0.496, HAMAKER);
    SAY("\n");
}

// The same collision with more and more attraction, and without any.
static void test_attraction(void** state)
{
    (void)state;
    SAY("## Attraction\n\n");
    head();
    Outcome none = collide_once(2, 48, 1, 0.243, 1e-26), usual = collide_once(2, 48, 1, 0.243, HAMAKER);
    collide_once(2, 48, 1, 0.243, 1e-18);
    Outcome much = collide_once(2, 48, 1, 0.243, 1e-16);
    assert_false(none.merged);
    assert_true(much.merged);
    (void)usual;
    SAY("\n");
}

// Speeds in 3D around the limit, and with twice the cells those where 2D bounces or merges by turns.
static void test_solid(void** state)
{
    (void)state;
    static const double speed[] = {0.243, 0.35, 0.496, 0.7};
    SAY("## 3D\n\nA quarter of the box, between mirrors.\n\n");
    head();
    for (int m = 0; m < 4; m++) collide_once(3, 40, 1, speed[m], HAMAKER);
    for (int m = 1; m < 3; m++) collide_once(3, 80, 1, speed[m], HAMAKER);
    SAY("\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sweep), cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_attraction), cmocka_unit_test(test_solid)};
    page_open("film_vdw.md");
    SAY("# Bounce or merge\n\nWritten by `validate_film_vdw`. Two drops of tetradecane, R = 0.1706 mm, mu 2.1 mPa s, fly at each "
        "other at V each; "
        "rule `van der waals`, air of 18.6 uPa s with a mean free path of 68 nm, steps of one capillary time. We = rho (2V)^2 "
        "2R/sigma. t_c = "
        "sqrt(rho R^3/sigma).\n\n");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    page_close();
    return failed || page_misses > 0;
}

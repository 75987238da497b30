// What comes in and goes out is on the books: a tap adds exactly rate*time, an open side takes what flows through it.
#include "basin.h"
#include "liquid/energy.h"
#include "liquid/sources.h"
#include "scene/scene_sim.h"
#include <stdlib.h>
#include <string.h>

static double pool(const void* user, const double x[3]) { return x[1] - *(const double*)user; }
static double nozzle(const void* user, const double x[3])
{
    const double* b = user;  // x low, high, y low, high
    return fmax(fmax(b[0] - x[0], x[0] - b[1]), fmax(b[2] - x[1], x[1] - b[3]));
}

// The only source of a tank, water with the region of `nozzle`. What else it is stands in `tap`.
static void add_tap(Sim* sim, const double region[4], Source tap)
{
    strcpy(tap.name, "tap");
    tap.distance = nozzle, tap.shape = region, tap.material.rho = 1000;
    for (int d = 0; d < 2; d++) tap.low[d] = region[2*d], tap.high[d] = region[2*d + 1];
    sim->model.source = calloc(1, sizeof *sim->model.source);
    assert_non_null(sim->model.source);
    sim->model.source[0] = tap, sim->model.source_count = 1;
}

// A tap with rate = speed times width runs for 0.1 s into an empty tank: the ledger's input is the region it starts with plus
// rate*time (conservation of volume), and the liquids hold it to 1e-10.
static void test_tap_adds_its_rate(void** state)
{
    (void)state;
    Sim sim;
    basin_init(&sim, 2, 64, 64, 1, 1e-3);
    static const double region[4] = {0.028, 0.036, 0.05, 0.064};
    double rate = 0.5*0.008;
    add_tap(&sim, region, (Source){.velocity = {0, -0.5, 0}, .rate = rate, .stop = 0.1});
    CHECK_OK(sim_start(&sim));
    CHECK_OK(sim_step(&sim, 1e-4));
    double first = sim.world.ledger.input - rate*sim.world.time;
    CHECK_CLOSE(first, 0.008*0.014, 0.02);  // the region itself, corners rounded by the grid
    CHECK_OK(sim_advance(&sim, 0.2));
    CHECK_CLOSE(sim.world.ledger.input, first + rate*0.1, 1e-12);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
}

// A tap whose region is smaller than what becomes spray, with rate = speed times width: its input is that of any tap, the region
// it starts with plus rate*time. (Its liquid became spray in every step, and it began anew with a region on top of the rate.)
static void test_small_tap_adds_its_rate(void** state)
{
    (void)state;
    Sim sim;
    basin_init(&sim, 2, 40, 40, 1, 1e-3);
    sim.model.settings.spray_cells = 20;
    static const double region[4] = {0.0189, 0.0211, 0.0249, 0.0271};
    double rate = 0.2*0.0022;
    add_tap(&sim, region, (Source){.velocity = {0, -0.2, 0}, .rate = rate, .stop = 0.1});
    CHECK_OK(sim_start(&sim));
    CHECK_OK(sim_step(&sim, 1e-4));
    double first = sim.world.ledger.input - rate*sim.world.time;
    CHECK_OK(sim_advance(&sim, 0.1));
    print_message("small tap: input %.4g of rate*time after the first step, ledger %.1e\n",
                  (sim.world.ledger.input - first)/(rate*0.1), sim_ledger_error(&sim));
    CHECK_CLOSE(sim.world.ledger.input, first + rate*0.1, 0.1);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
}

// A pool with an open side drains: the ledger's outflow is what the liquid lost, and the front obeys Torricelli's bound
// sqrt(2 g H) on any outflow speed.
static void test_open_side_takes_what_leaves(void** state)
{
    (void)state;
    Sim sim;
    basin_init(&sim, 2, 64, 32, 1, 1e-3);
    sim.model.tank.side[1] = SIDE_IS_OPEN;
    double depth = 0.016;
    basin_add(&sim, pool, &depth, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    double start = sim_volume(&sim);
    CHECK_OK(sim_advance(&sim, 0.05));
    double out = sim.world.ledger.outflow;
    CHECK_LESS(0.02*start, out);
    CHECK_LESS(out, depth*0.05*sqrt(2*9.81*depth));
    CHECK_CLOSE(sim_volume(&sim) + spray_volume(&sim.world.spray), start - out, 1e-10);
    print_message("open side: %.1f %% of the pool left in 0.05 s, ledger %.1e\n", 100*out/start, sim_ledger_error(&sim));
    sim_free(&sim);
}

// A drop that is held apart from a tap's liquid and comes into its region by a cell, as the first in the list: the tap goes on
// feeding the liquid that fills it. (It once took the drop for its own, which doubled in a step.)
static void test_tap_feeds_the_liquid_that_fills_it(void** state)
{
    (void)state;
    Sim sim;
    basin_init(&sim, 2, 64, 64, 1, 1e-3);
    static const double region[4] = {0.028, 0.036, 0.05, 0.064}, drop[4] = {0.012, 0.0295, 0.04, 0.0555};
    double rate = 0.5*0.008, dt = 1e-4;
    add_tap(&sim, region, (Source){.rate = rate, .stop = 1});
    basin_add(&sim, nozzle, drop, (double[3]){0, 0, 0});
    basin_add(&sim, nozzle, region, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    double of_drop = sim.world.liquid[0].cells.volume, of_tap = sim.world.liquid[1].target_volume, *divergence;
    StepContext ctx = sim_context(&sim);
    CHECK_OK(sources_act(&ctx, &sim.kept[1 - sim.kept_now], dt));
    assert_int_equal(sim.world.liquid_count, 2);
    CHECK_CLOSE(sim.world.liquid[0].cells.volume, of_drop, 1e-12);
    CHECK_CLOSE(sim.world.liquid[1].target_volume, of_tap + rate*dt, 1e-12);
    CHECK_OK(sources_divergence(&divergence, &ctx, &sim.world.liquid[0], &sim.scratch));
    assert_null(divergence);
    sim_free(&sim);
}

// A drop lies across a tap's region, held apart from its liquid. The region is filled as far as the drop leaves room: however
// often that is done, and in however short steps, the two do not come to overlap.
static void test_tap_leaves_others_their_room(void** state)
{
    (void)state;
    Sim sim;
    basin_init(&sim, 2, 64, 64, 1, 1e-3);
    static const double region[4] = {0.028, 0.040, 0.050, 0.064}, tap[4] = {0.0335, 0.040, 0.050, 0.064},
                        drop[4] = {0.012, 0.0325, 0.040, 0.062};
    add_tap(&sim, region, (Source){.rate = 1e-6, .stop = 1});
    basin_add(&sim, nozzle, drop, (double[3]){0, 0, 0});
    basin_add(&sim, nozzle, tap, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    StepContext ctx = sim_context(&sim);
    for (int m = 0; m < 5; m++) CHECK_OK(sources_act(&ctx, &sim.kept[1 - sim.kept_now], 1e-6));
    const Liquid *first = &sim.world.liquid[0], *second = &sim.world.liquid[1];
    double deepest = INFINITY;
    for (int j = 0; j <= first->w.n[1]; j++)
        for (int i = 0; i <= first->w.n[0]; i++) {
            int x = i + first->w.lo[0] - second->w.lo[0], y = j + first->w.lo[1] - second->w.lo[1];
            if (x < 0 || y < 0 || x > second->w.n[0] || y > second->w.n[1]) continue;
            deepest = fmin(deepest, first->phi.v[window_at(&first->w, i, j, 0)] + second->phi.v[window_at(&second->w, x, y, 0)]);
        }
    print_message("least gap between a tap's liquid and another: %.3g cells\n", deepest/1e-3);
    CHECK_LESS(-1e-9, deepest);
    sim_free(&sim);
}

// A tap of next to no rate at an open side, through which its liquid leaves: the region stays full, and the books stay right.
static void test_tap_at_an_open_side_stays_full(void** state)
{
    (void)state;
    Sim sim;
    basin_init(&sim, 2, 32, 32, 1, 1e-3);
    sim.model.tank.side[0] = SIDE_IS_OPEN;
    static const double region[4] = {-0.002, 0.010, 0.010, 0.018};
    add_tap(&sim, region, (Source){.velocity = {-0.5, 0, 0}, .rate = 1e-6, .stop = 1});
    CHECK_OK(sim_start(&sim));
    CHECK_OK(sim_advance(&sim, 0.1));
    double full = 0.010*0.008, has = sim_volume(&sim);
    print_message("tap at an open side: %.3g m^2 of liquid, its region has %.3g; ledger %.1e\n", has, full,
                  sim_ledger_error(&sim));
    CHECK_LESS(0.8*full, has);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
}

// A slow source near the top of a pool lifts its level. What it brings comes with its height above the floor, and is pressed into
// what lies around: work of the source, and no energy from nowhere.
static void test_source_works(void** state)
{
    (void)state;
    Sim sim;
    basin_init(&sim, 2, 32, 40, 1, 1e-3);
    static const double region[4] = {0.012, 0.020, 0.012, 0.017};
    double level = 0.020;
    basin_add(&sim, pool, &level, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1000};
    add_tap(&sim, region, (Source){.rate = 1e-4, .stop = 10});
    CHECK_OK(sim_start(&sim));
    Energy start = {0}, end = {0};
    CHECK_OK(world_energy(&start, &sim.model, &sim.world, &sim.scratch));
    double work = 0;
    while (sim.world.time < 0.5) {
        CHECK_OK(sim_step(&sim, 0.005));
        work += sim.report.energy.work;
    }
    CHECK_OK(world_energy(&end, &sim.model, &sim.world, &sim.scratch));
    double more = energy_sum(&end) - energy_sum(&start);
    print_message("a source in a pool: energy grows by %.4g J/m, its work is %.4g\n", more, work);
    CHECK_CLOSE(work, more, 0.05);
    sim_free(&sim);
}

// A solid lies on the region of a tap and leaves at 0.1 m/s: the tap waits until there is room, and then adds its rate. (A body
// that floated there ended the run: the source had "no free room".)
static void test_tap_waits_for_room(void** state)
{
    (void)state;
    Scene scene;
    Sim sim;
    CHECK_OK(scene_load_text(
        &scene, "x.lua",
        "return scene { domain = { size = { mm(40), mm(40) }, cells = 40 }, frames = { rate = 100, count = 1 },\n"
        "liquids = { pool { depth = mm(3) } },\n"
        "sources = { box { center = { mm(20, 20) }, size = { mm(4, 4) }, velocity = { 0, -0.2 }, rate = 8e-4 } },\n"
        "solids = { sphere { center = { mm(20, 20) }, radius = mm(6),\n"
        "                    position = function(t) return { -0.1*math.min(t, 0.12), 0 } end } } }"));
    CHECK_OK(scene_build(&sim, &scene));
    CHECK_OK(sim_start(&sim));
    double before = sim.world.ledger.input;
    CHECK_OK(sim_advance(&sim, 0.02));  // 2 mm of the 4 that leave a corner free
    CHECK_CLOSE(sim.world.ledger.input, before, 1e-15);
    CHECK_OK(sim_advance(&sim, 0.13));
    double then = sim.world.ledger.input;
    assert_true(then > before);
    CHECK_OK(sim_advance(&sim, 0.15));
    CHECK_CLOSE(sim.world.ledger.input - then, 0.02*8e-4, 1e-9);
    sim_free(&sim);
    scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tap_adds_its_rate),
        cmocka_unit_test(test_small_tap_adds_its_rate),
        cmocka_unit_test(test_open_side_takes_what_leaves),
        cmocka_unit_test(test_tap_feeds_the_liquid_that_fills_it),
        cmocka_unit_test(test_tap_leaves_others_their_room),
        cmocka_unit_test(test_tap_at_an_open_side_stays_full),
        cmocka_unit_test(test_source_works),
        cmocka_unit_test(test_tap_waits_for_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

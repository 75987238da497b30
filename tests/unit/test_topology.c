// Parts of a liquid that come apart: who is who does not depend on where the tank begins or how large it is.
#include <stdlib.h>
#include "basin.h"
#include "check.h"
#include "liquid/energy.h"
#include "liquid/liquid_volume.h"
#include "liquid/topology.h"
#include "step/topology_step.h"

enum { DISCS = 4 };
static const double disc[DISCS][3] = {{0.20, 0.80, 0.08}, {0.50, 0.45, 0.2}, {0.80, 0.82, 0.08}, {0.82, 0.20, 0.08}};  // m

// Four discs, three of them equal, moved by an offset (m).
static double discs(const void* user, const double x[3])
{
    const double* offset = user;
    double nearest = INFINITY;
    for (int m = 0; m < DISCS; m++)
        nearest = fmin(nearest, hypot(x[0] - offset[0] - disc[m][0], x[1] - offset[1] - disc[m][1]) - disc[m][2]);
    return nearest;
}

// Centres of the liquids by id after a step, less the offset: the largest keeps the id, the equal ones follow from the lowest up
// and, at the same height, from left to right.
static void test_ids_follow_size_and_place(void** state)
{
    (void)state;
    static const int wanted[DISCS] = {1, 3, 0, 2};
    static const int shift[][2] = {{0, 0}, {3, 5}, {11, 2}, {1, 17}};
    const double dx = 0.01;  // no binary fraction: equal discs differ by rounding
    for (size_t s = 0; s < sizeof shift/sizeof *shift; s++) {
        Sim sim;
        double offset[2] = {shift[s][0]*dx, shift[s][1]*dx};
        basin_init(&sim, 2, 100 + 2*shift[s][0], 100 + shift[s][1], 1, dx);
        sim.model.settings.gravity[1] = 0;
        basin_add(&sim, discs, offset, (double[3]){0, 0, 0});
        CHECK_OK(sim_start(&sim));
        CHECK_OK(sim_step(&sim, 1e-4));
        assert_int_equal(sim.world.liquid_count, DISCS);
        for (int m = 0; m < DISCS; m++) {
            LiquidState is = liquid_state(&sim.world.liquid[m], &sim.scratch);
            assert_int_equal(sim.world.liquid[m].id, m + 1);
            for (int d = 0; d < 2; d++) CHECK_WITHIN(is.center[d] - offset[d], disc[wanted[m]][d], 0.1*dx);
        }
        sim_free(&sim);
    }
}

// Droplets of two kinds that are held apart, a cell or more between them: each becomes a liquid of its own kind. Kinds that merge
// on touch join, where they overlap.
static void test_droplets_keep_their_kind(void** state)
{
    (void)state;
    for (int touch = 0; touch < 2; touch++) {
        Sim sim;
        double dx = 0.01, volume = 12*dx*dx, radius = sqrt(volume/PI);
        basin_init(&sim, 2, 40, 40, 1, dx);
        CHECK_OK(merge_table_init(&sim.model.merge, 3, (MergePolicy){.rule = touch ? MERGE_ON_TOUCH : MERGE_HOLD}));
        for (int m = 0; m < 2; m++) {
            Droplet drop = {.x = {0.2 + (touch ? 1.9 : 3.2)*m*radius, 0.2, 0},
                            .volume = (1 + m)*volume,
                            .material.rho = 1000,
                            .kind = 1 + m};
            CHECK_OK(spray_add(&sim.world.spray, &drop));
            sim.world.ledger.input += drop.volume;
        }
        StepContext ctx = sim_context(&sim);
        CHECK_OK(topology_update(&ctx, &sim.kept[0]));
        print_message("droplets of kinds 1 and 2 that %s: %d liquids, wanted %d\n", touch ? "merge" : "are held apart",
                      sim.world.liquid_count, touch ? 1 : 2);
        assert_int_equal(sim.world.liquid_count, touch ? 1 : 2);
        assert_int_equal(sim.world.liquid[0].kind, touch ? 2 : 1);
        if (!touch) assert_int_equal(sim.world.liquid[1].kind, 2);
        sim_free(&sim);
    }
}

static double small_disc(const void* user, const double x[3])
{
    const double* c = user;  // centre, radius
    return hypot(x[0] - c[0], x[1] - c[1]) - c[2];
}

// 36 discs of 2 cells in radius, held apart but overlapping by a cell, may all merge in one step: the union is short of their
// sum by 18 %, and yet the step goes through and nothing is lost.
static void test_many_merge_at_once(void** state)
{
    (void)state;
    enum { ACROSS = 6 };
    Sim sim;
    double dx = 0.01;
    basin_init(&sim, 2, 40, 40, 1, dx);
    for (int d = 0; d < 3; d++) sim.model.settings.gravity[d] = 0;
    for (int m = 0; m < ACROSS*ACROSS; m++) {
        double c[3] = {(10 + 3*(m%ACROSS))*dx, (10 + 3*(m/ACROSS))*dx, 2*dx};
        basin_add(&sim, small_disc, c, (double[3]){0, 0, 0});
    }
    CHECK_OK(sim_start(&sim));
    double before = sim_volume(&sim);
    CHECK_OK(sim_step(&sim, 1e-3));
    print_message("%d discs become %d; %g of their volume, ledger %.1e\n", ACROSS*ACROSS, sim.world.liquid_count,
                  sim_volume(&sim)/before, sim_ledger_error(&sim));
    assert_int_equal(sim.world.liquid_count, 1);
    CHECK_CLOSE(sim_volume(&sim), before, 1e-10);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
}

static double disc_distance(const void* user, const double x[3])
{
    const double* c = user;  // centre and radius
    return hypot(x[0] - c[0], x[1] - c[1]) - c[2];
}

// A light disc flies into a heavy one: the liquid they become has their momentum, and no more energy than they had.
static void test_densities_mix_without_energy(void** state)
{
    (void)state;
    Sim sim;
    double dx = 0.01, disc_a[3] = {0.25, 0.34, 0.1}, disc_b[3] = {0.425, 0.26, 0.1};
    basin_init(&sim, 2, 70, 60, 1, dx);
    basin_add(&sim, disc_distance, disc_a, (double[3]){2, 0, 0});
    basin_add(&sim, disc_distance, disc_b, (double[3]){0, 0.5, 0});
    sim.world.liquid[0].material.rho = 20, sim.world.liquid[1].material.rho = 1000;
    CHECK_OK(sim_start(&sim));
    double momentum[2] = {0}, energy = 0;
    for (int m = 0; m < 2; m++) {
        LiquidState is = liquid_state(&sim.world.liquid[m], &sim.scratch);
        for (int d = 0; d < 2; d++) momentum[d] += is.momentum[d];
        energy += is.kinetic_energy;
    }
    arena_reset(&sim.scratch);
    StepContext ctx = sim_context(&sim);
    CHECK_OK(topology_update(&ctx, &sim.kept[0]));
    assert_int_equal(sim.world.liquid_count, 1);
    // g sum (rho - rho_m) V y_m with the mean density rho of two discs of one size
    double lifted = 9.81*PI*disc_a[2]*disc_a[2]*490*(disc_a[1] - disc_b[1]);
    print_message("mixing lifts mass by %.4g J, of which the books know %.4g J\n", lifted, sim.report.energy.work);
    CHECK_CLOSE(sim.report.energy.work, lifted, 0.005);
    // by the mass on the books: what the discs overlap by comes back with the restored volume
    LiquidState one = liquid_state(&sim.world.liquid[0], &sim.scratch);
    double mass = sim.world.liquid[0].material.rho*sim.world.liquid[0].target_volume;
    for (int d = 0; d < 2; d++) one.momentum[d] = mass*one.velocity[d];
    print_message("momentum %.4g, %.4g before, %.4g, %.4g after; energy %.4g, %.4g\n", momentum[0], momentum[1], one.momentum[0],
                  one.momentum[1], energy, one.kinetic_energy);
    for (int d = 0; d < 2; d++) CHECK_CLOSE(one.momentum[d], momentum[d], 1e-9);
    CHECK_LESS(one.kinetic_energy, 1.0001*energy);
    sim_free(&sim);
}

// Two discs of one size and two tensions become one with the mean tension. What their surfaces are worth more or less for that,
// 2 pi R ((s - s_a) + (s - s_b)) with s = (s_a V_a + s_b V_b)/(V_a + V_b), is on the books as work of nobody's, and what is left
// for the merger itself is the surface that the two lose.
static void test_tensions_mix_without_energy(void** state)
{
    (void)state;
    Sim sim;
    double dx = 0.01, disc_a[3] = {0.25, 0.30, 0.12}, disc_b[3] = {0.445, 0.30, 0.08}, tension[2] = {0.07, 0.01};
    basin_init(&sim, 2, 70, 60, 1, dx);
    sim.model.settings.gravity[1] = 0;
    basin_add(&sim, disc_distance, disc_a, (double[3]){0, 0, 0});
    basin_add(&sim, disc_distance, disc_b, (double[3]){0, 0, 0});
    for (int m = 0; m < 2; m++) sim.world.liquid[m].material.sigma = tension[m];
    CHECK_OK(sim_start(&sim));
    StepContext ctx = sim_context(&sim);
    Energy before = {0}, after = {0};
    CHECK_OK(world_energy(&before, &sim.model, &sim.world, &sim.scratch));
    CHECK_OK(topology_update(&ctx, &sim.kept[0]));
    CHECK_OK(world_energy(&after, &sim.model, &sim.world, &sim.scratch));
    assert_int_equal(sim.world.liquid_count, 1);
    double va = disc_a[2]*disc_a[2], vb = disc_b[2]*disc_b[2], mean = (va*tension[0] + vb*tension[1])/(va + vb);
    double exact = 2*PI*(disc_a[2]*(mean - tension[0]) + disc_b[2]*(mean - tension[1]));
    print_message("two tensions mix: %.4g J/m on the books, exactly %.4g; the surface changes by %.4g\n", sim.report.energy.work,
                  exact, after.surface - before.surface);
    CHECK_CLOSE(sim.report.energy.work, exact, 0.01);
    CHECK_LESS(after.surface - before.surface, sim.report.energy.work);
    sim_free(&sim);
}

// Droplets that lie on the floor, or in a corner, with their centre on the wall grow into a liquid: a half or a quarter of a disc
// with the droplet's volume, of radius sqrt(2 V/pi) and 2 sqrt(V/pi). (The liquid was the part of a whole disc that is in the
// tank; the rest of its volume was out of reach, and the run ended.)
static void test_droplets_at_walls_become_liquids(void** state)
{
    (void)state;
    for (int corner = 0; corner < 2; corner++) {
        Sim sim;
        double dx = 0.01, volume = 50*dx*dx, radius = sqrt((corner ? 4 : 2)*volume/PI);
        basin_init(&sim, 2, 40, 40, 1, dx);
        sim.model.settings.gravity[1] = 0, sim.model.settings.spray_cells = 20;
        Droplet drop = {.x = {corner ? 0 : 0.2, 0, 0}, .volume = volume, .material.rho = 1000};
        CHECK_OK(spray_add(&sim.world.spray, &drop));
        sim.world.ledger.input += volume;
        StepContext ctx = sim_context(&sim);
        CHECK_OK(topology_update(&ctx, &sim.kept[0]));
        assert_int_equal(sim.world.liquid_count, 1);
        LiquidState is = liquid_state(&sim.world.liquid[0], &sim.scratch);
        print_message("droplet %s: %.4g m high, exact %.4g; volume %.4g of its own\n", corner ? "in a corner" : "on the floor",
                      is.high[1], radius, is.volume/volume);
        CHECK_WITHIN(is.high[1], radius, 0.1*dx);
        CHECK_CLOSE(is.volume, volume, 0.03);
        CHECK_OK(sim_step(&sim, 1e-4));
        CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
        sim_free(&sim);
    }
}

static double slab_up_to(const void* user, const double x[3]) { return x[1] - *(const double*)user; }

// A droplet falls into a layer in a channel of 8 cells, of as much as 3 cells of its depth: the surface rises by 3 cells in the
// step, a little more where it fell. (It may move by one cell at a time, and the run ended.)
static void test_large_droplet_joins_in_a_channel(void** state)
{
    (void)state;
    Sim sim;
    double dx = 0.01, level = 0.06, brought = 3*8*dx*dx;
    basin_init(&sim, 2, 8, 40, 1, dx);
    sim.model.settings.gravity[1] = 0, sim.model.settings.spray_cells = 20;
    basin_add(&sim, slab_up_to, &level, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    Liquid* q = &sim.world.liquid[0];
    Droplet drop = {.x = {0.04, 0.03, 0}, .volume = brought, .material = q->material, .kind = q->kind};
    CHECK_OK(spray_add(&sim.world.spray, &drop));
    sim.world.ledger.input += brought;
    CHECK_OK(sim_step(&sim, 1e-4));
    LiquidState is = liquid_state(&sim.world.liquid[0], &sim.scratch);
    print_message("three cells of liquid join in a channel: %.4g m deep, in the mean 0.09; ledger %.1e\n", is.high[1],
                  sim_ledger_error(&sim));
    CHECK_WITHIN(is.high[1], 0.09, 0.5*dx);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
}

// A fragment of two cells that measures five (a contact line beside it, a solid that passed) is spray from now on, with the
// volume on the books; the step does not fail for it. A disc of many cells with as wrong a volume is no fragment: its step
// fails.
static void test_fragment_out_of_hand_is_spray(void** state)
{
    (void)state;
    for (int large = 0; large < 2; large++) {
        Sim sim;
        double dx = 0.01, middle[3] = {0.2, 0.2, (large ? 10 : 1.3)*dx};
        basin_init(&sim, 2, 40, 40, 1, dx);
        sim.model.settings.gravity[1] = 0, sim.model.settings.spray_cells = 1;
        basin_add(&sim, disc_distance, middle, (double[3]){0, 0, 0});
        CHECK_OK(sim_start(&sim));
        sim.world.liquid[0].target_volume *= 0.4, sim.world.ledger.input *= 0.4;
        if (large) assert_int_equal(sim_step(&sim, 1e-4), MN_STEP_FAILED);
        else {
            CHECK_OK(sim_step(&sim, 1e-4));
            print_message("fragment: %d liquids, %d droplets, ledger %.1e\n", sim.world.liquid_count, sim.world.spray.count,
                          sim_ledger_error(&sim));
            assert_int_equal(sim.world.liquid_count, 0);
            assert_int_equal(sim.world.spray.count, 1);
            CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
        }
        sim_free(&sim);
    }
}

// A droplet with a fifth of a liquid's volume falls into it, or one as large as itself: the step has that much to add, and is not
// refused for it.
static void check_droplet_joins(double part)
{
    Sim sim;
    double dx = 0.01, middle[3] = {0.2, 0.2, 0.06};
    basin_init(&sim, 2, 40, 40, 1, dx);
    sim.model.settings.gravity[1] = 0, sim.model.settings.spray_cells = 40;
    basin_add(&sim, disc_distance, middle, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    Liquid* q = &sim.world.liquid[0];
    Droplet drop = {.x = {0.2, 0.2, 0}, .volume = part*q->target_volume, .material = q->material, .kind = q->kind};
    CHECK_OK(spray_add(&sim.world.spray, &drop));
    sim.world.ledger.input += drop.volume;
    CHECK_OK(sim_step(&sim, 1e-4));
    print_message("a droplet of %g of the liquid: the step puts %.2g of the volume right, ledger %.1e\n", part,
                  sim.report.volume_correction, sim_ledger_error(&sim));
    assert_int_equal(sim.report.rejoined, 1);
    CHECK_LESS(sim.report.volume_correction, 0.01);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
}

static void test_large_droplet_joins_a_small_pool(void** state)
{
    (void)state;
    check_droplet_joins(0.2);
    check_droplet_joins(1);
}

// A plate above y = 0.6 with a slot of this half width (m) around x = 0.5; a column of liquid in it, and a disc that hung from
// it.
static const double SLOT = 0.08;

static double plate_with_slot(const void* user, const double x[3])
{
    (void)user;
    double out[2] = {SLOT - fabs(x[0] - 0.5), 0.6 - x[1]};
    return out[0] > 0 && out[1] > 0 ? fmin(out[0], hypot(out[0], fmax(out[1], 0))) : fmax(out[0], out[1]);
}

static double column_and_disc(const void* user, const double x[3])
{
    double column[2] = {fabs(x[0] - 0.5) - SLOT - 0.06, 0.62 - x[1]};  // goes on inside the plate
    return fmin(fmax(column[0], column[1]), disc_distance(user, x));
}

static int wet_nodes_in_solids(const Liquid* q)
{
    const Window* w = &q->w;
    int count = 0;
    for (int j = 0; j <= w->n[1]; j++)
        for (int i = 0; i <= w->n[0]; i++) {
            double x[3];
            window_position(x, w, i, j, 0);
            count += q->phi.v[window_at(w, i, j, 0)] < 0 && plate_with_slot(NULL, x) < 0;
        }
    return count;
}

// A disc that has come off the liquid in a slot is a liquid in its own bounds: what goes on inside the plate is the column's.
static void test_nothing_is_left_inside_solids(void** state)
{
    (void)state;
    Sim sim;
    double dx = 0.01, low_disc[3] = {0.5, 0.3, 0.25};
    basin_init(&sim, 2, 100, 100, 1, dx);
    sim.world.solids = (Solids){.solid = calloc(1, sizeof(Solid)), .count = 1, .any_moving = false};
    sim.world.solids.solid[0] = (Solid){.distance = plate_with_slot, .pose = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    basin_add(&sim, column_and_disc, low_disc, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    int inside = wet_nodes_in_solids(&sim.world.liquid[0]);
    StepContext ctx = sim_context(&sim);
    CHECK_OK(topology_update(&ctx, &sim.kept[0]));
    assert_int_equal(sim.world.liquid_count, 2);
    int disc_has = wet_nodes_in_solids(&sim.world.liquid[0]), column_has = wet_nodes_in_solids(&sim.world.liquid[1]), lo[3],
        hi[3];
    assert_true(liquid_bounds(lo, hi, &sim.world.liquid[0]));
    double top = (sim.world.liquid[0].w.lo[1] + hi[1] + 1)*dx;
    print_message(
        "wet nodes inside the plate: %d before; of the disc %d (wanted 0), of the column %d; the disc ends at %.3f for %.3f m\n",
        inside, disc_has, column_has, top, low_disc[1] + low_disc[2]);
    assert_true(inside > 100);
    assert_int_equal(disc_has, 0);
    assert_int_equal(column_has, inside);
    CHECK_WITHIN(top, low_disc[1] + low_disc[2], 1.01*dx);
    sim_free(&sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ids_follow_size_and_place),
                                       cmocka_unit_test(test_droplets_keep_their_kind),
                                       cmocka_unit_test(test_many_merge_at_once),
                                       cmocka_unit_test(test_densities_mix_without_energy),
                                       cmocka_unit_test(test_fragment_out_of_hand_is_spray),
                                       cmocka_unit_test(test_large_droplet_joins_in_a_channel),
                                       cmocka_unit_test(test_tensions_mix_without_energy),
                                       cmocka_unit_test(test_droplets_at_walls_become_liquids),
                                       cmocka_unit_test(test_large_droplet_joins_a_small_pool),
                                       cmocka_unit_test(test_nothing_is_left_inside_solids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

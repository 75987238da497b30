// A step that fails is undone and tried with half the time, half of that, a quarter and an eighth of that; then the state before
// it is intact, to the last bit.
#include "basin.h"
#include <stdlib.h>
#include <string.h>

static double ball(const void* user, const double x[3])
{
    const double* b = user;
    double r[3];
    vec_sub(r, x, b);
    return vec_norm(r) - b[3];
}

// A drop half in the corner of its tank, falling: the floor and the wall need pressure.
static void drop_sim(Sim* sim)
{
    basin_init(sim, 2, 32, 32, 1, 1e-3/32);
    double b[4] = {2e-4, 1e-4, 0, 3e-4}, velocity[3] = {0.1, 0, 0};
    basin_add(sim, ball, b, velocity);
    CHECK_OK(sim_start(sim));
    CHECK_OK(sim_step(sim, 1e-4));
}

// A solve that cannot converge (no residual is below a negative tolerance) fails every try.
static void test_state_survives_a_step_that_cannot_be_made(void** state)
{
    (void)state;
    Sim sim;
    drop_sim(&sim);
    uint64_t before = world_hash(&sim.world, &sim.model.tank);
    double volume = sim.world.liquid[0].cells.volume, time = sim.world.time, dt = sim_choose_dt(&sim, 1e-4);
    long step = sim.world.step;
    sim.model.settings.tolerance = -1;
    assert_int_equal(sim_step(&sim, 1e-4), MN_STEP_FAILED);
    assert_int_equal(sim.report.retries, 4);
    const char* last = strstr(mn_last_error(), "failed even with dt = ");
    assert_non_null(last);
    CHECK_CLOSE(strtod(last + strlen("failed even with dt = "), NULL), dt/2/2/4/8, 0.01);
    assert_int_equal(sim.world.step, step);
    assert_true(sim.world.time == time);
    assert_true(world_hash(&sim.world, &sim.model.tank) == before);  // to the last bit
    assert_true(sim.world.liquid[0].cells.volume == volume);         // and what is rebuilt from it
    // and the simulation goes on when the cause is gone
    sim.model.settings.tolerance = 1e-6;
    CHECK_OK(sim_step(&sim, 1e-4));
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
}

// A velocity that is not a number is found at once and does not spread into a finished step.
static void test_nan_does_not_spread(void** state)
{
    (void)state;
    Sim sim;
    drop_sim(&sim);
    const Window* w = &sim.world.liquid[0].w;
    sim.world.liquid[0].u[0].v[window_at(w, 5, 5, 0)] = NAN;
    assert_int_equal(sim_step(&sim, 1e-4), MN_STEP_FAILED);
    sim_free(&sim);
}

// Whichever of a cell's faces it is on, and whatever the others are.
static void test_nan_is_a_speed_without_bound(void** state)
{
    (void)state;
    Sim sim;
    drop_sim(&sim);
    CHECK_OK(sim_step(&sim, 1e-4));
    Liquid* q = &sim.world.liquid[0];
    assert_true(isfinite(liquid_max_speed(q)));
    int deepest[3] = {0};
    for (int j = 0; j < q->w.n[1]; j++)
        for (int i = 0; i < q->w.n[0]; i++)
            if (q->phi.v[window_at(&q->w, i, j, 0)] < q->phi.v[window_at(&q->w, deepest[0], deepest[1], 0)])
                deepest[0] = i, deepest[1] = j;
    for (int d = 0; d < 2; d++) {
        double *u = &q->u[d].v[window_at(&q->w, deepest[0], deepest[1], 0)], kept = *u;
        *u = NAN;
        print_message("a face along axis %d is no number: fastest %g m/s, wanted inf\n", d, liquid_max_speed(q));
        assert_true(isinf(liquid_max_speed(q)));
        *u = kept;
    }
    sim_free(&sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state_survives_a_step_that_cannot_be_made),
        cmocka_unit_test(test_nan_does_not_spread),
        cmocka_unit_test(test_nan_is_a_speed_without_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

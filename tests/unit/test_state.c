// The walk over a world's state: what visitors save, bring back, hash and find is all of it.
#include <stdlib.h>
#include "basin.h"

static double ball(const void* user, const double x[3])
{
    const double* b = user;
    double r[3];
    vec_sub(r, x, b);
    return vec_norm(r) - b[3];
}

// Two drops, a moving solid and a droplet, some steps in.
static double still(const void* shape, const double x[3])
{
    (void)shape;
    return x[0] + 1;
}

static mn_status stand(Pose* pose, void* user, int solid, double t)
{
    (void)user, (void)solid;
    *pose = pose_at((double[3]){0.1*t, 0, 0}, (double[3]){0, 0, t});
    return MN_OK;
}

static void make(Sim* sim)
{
    basin_init(sim, 2, 48, 32, 1, 1.0/32);
    sim->world.solids.solid = calloc(1, sizeof *sim->world.solids.solid);
    sim->world.solids.count = 1, sim->world.solids.any_moving = true;
    sim->world.solids.solid[0] = (Solid){.distance = still, .moving = true, .contact_angle = {-1, -1}};
    CHECK_OK(stand(&sim->world.solids.solid[0].pose, NULL, 0, 0));
    sim->model.functions.pose = stand;
    basin_add(sim, ball, (double[4]){0.4, 0.5, 0, 0.15}, (double[3]){0.3, 0, 0});
    basin_add(sim, ball, (double[4]){1.1, 0.5, 0, 0.2}, (double[3]){0, 0.1, 0});
    CHECK_OK(spray_add(&sim->world.spray, &(Droplet){.x = {0.7, 0.9, 0}, .volume = 1e-4, .material = {.rho = 1000}}));
    CHECK_OK(sim_start(sim));
    for (int m = 0; m < 3; m++) CHECK_OK(sim_step(sim, 0.01));
}

static uint64_t hash_of(Sim* sim) { return world_hash(&sim->world, &sim->model.tank); }

// Going back to a copy gives the same bits whatever happened since: liquids moved, one is gone, spray came.
static void test_copy_brings_all_back(void** state)
{
    (void)state;
    Sim sim;
    make(&sim);
    uint64_t before = hash_of(&sim);
    Arena arena = {0};
    StateCopy* copy = state_copy_begin(&arena);
    CHECK_OK(world_visit(&sim.world, &sim.model.tank, state_copy_saver(copy)));
    for (int again = 0; again < 2; again++) {
        for (int m = 0; m < 4; m++) CHECK_OK(sim_step(&sim, 0.01));
        world_remove_liquid(&sim.world, 0);
        CHECK_OK(spray_add(&sim.world.spray, &(Droplet){.volume = 1, .material.rho = 1000}));
        assert_true(hash_of(&sim) != before);
        CHECK_OK(world_visit(&sim.world, &sim.model.tank, state_copy_restorer(copy)));
        CHECK_OK(sim_rebuild(&sim));
        assert_true(hash_of(&sim) == before);
        assert_int_equal(sim.world.liquid_count, 2);
    }
    arena_free(&arena);
    sim_free(&sim);
}

// Every number of the state counts in the hash, and a NaN in any of them is found.
static void test_every_number_counts(void** state)
{
    (void)state;
    Sim sim;
    make(&sim);
    uint64_t before = hash_of(&sim);
    Liquid* q = &sim.world.liquid[1];
    ptrdiff_t at = window_at(&q->w, 3, 4, 0);
    double* number[] = {&sim.world.time,
                        &sim.world.ledger.input,
                        &sim.world.ledger.outflow,
                        &sim.world.spray.drop[0].x[1],
                        &sim.world.spray.drop[0].material.contact_angle,
                        &sim.world.solids.solid[0].spin[2],
                        &sim.world.solids.solid[0].pose.rotation[2][2],
                        &q->target_volume,
                        &q->material.mu,
                        &q->phi.v[at],
                        &q->u[0].v[at],
                        &q->u[1].v[at],
                        &q->p.v[at]};
    for (size_t m = 0; m < sizeof number/sizeof *number; m++) {
        double kept = *number[m];
        *number[m] = nextafter(kept, INFINITY);
        assert_true(hash_of(&sim) != before);
        *number[m] = NAN;
        StateVisitor finite = state_finite_visitor();
        assert_int_equal(world_visit(&sim.world, &sim.model.tank, &finite), MN_STEP_FAILED);
        *number[m] = kept;
    }
    assert_true(hash_of(&sim) == before);
    sim_free(&sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy_brings_all_back),
        cmocka_unit_test(test_every_number_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

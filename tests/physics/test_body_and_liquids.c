// A body that several liquids touch, and bodies beside liquids that air films keep apart.
#include "bounce.h"
#include "body.h"

// Momentum of all liquids, of spray and of body 0, kg m/s per metre.
static void total_momentum(double P[2], Sim* sim, double body_mass)
{
    double twist[TWIST];
    test_body_twist(twist, sim, 0);
    for (int d = 0; d < 2; d++) P[d] = body_mass*twist[d];
    for (int m = 0; m < sim->world.liquid_count; m++) {
        LiquidState s = liquid_state(&sim->world.liquid[m], &sim->scratch);
        arena_reset(&sim->scratch);
        for (int d = 0; d < 2; d++) P[d] += s.momentum[d];
    }
    for (int m = 0; m < sim->world.spray.count; m++)
        for (int d = 0; d < 2; d++) P[d] += droplet_mass(&sim->world.spray.drop[m])*sim->world.spray.drop[m].v[d];
}

// A disc with a drop on either side, one three times as heavy as the other and at another angle of its own, without weight:
// tension pulls all three about, and their momentum stays what it was. The disc and one drop start with a velocity.
static void test_two_liquids_on_one_body(void** state)
{
    (void)state;
    const double dx = 1.0/12, R = 0.6, density = 2, mass = density*PI*R*R;
    TestBody body = {.center = {3.03, 2.02, 0}, .R = R, .density = density, .velocity = {0.2, 0.1, 0}};
    RoundDrop left = {{3.03 - 1.1, 2.02 + 0.2, 0}, 0.8}, right = {{3.03 + 1.1, 2.02 - 0.1, 0}, 0.8};
    Sim sim;
    basin_init(&sim, 2, 72, 48, 1, dx);
    sim.model.settings.gravity[1] = 0;
    test_bodies_add(&sim, &body, 1);
    basin_add(&sim, round_drop_distance, &left, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .contact_angle = PI/3};
    basin_add(&sim, round_drop_distance, &right, (double[3]){0.2, 0.1, 0});
    sim.world.liquid[1].material = (LiquidMaterial){.rho = 3, .sigma = 0.5, .mu = 0.02, .contact_angle = PI/2};
    CHECK_OK(sim_start(&sim));
    double first[2], last[2];
    total_momentum(first, &sim, mass);
    CHECK_OK(sim_advance(&sim, 2));
    total_momentum(last, &sim, mass);
    double scale = hypot(first[0], first[1]);
    print_message("two liquids on a disc: momentum changed by %.1e %.1e of %.3g in %ld steps, gain %.1e\n", last[0] - first[0],
                  last[1] - first[1], scale, sim.world.step, sim.world.energy.gain);
    assert_int_equal(sim.world.liquid_count, 2);
    for (int d = 0; d < 2; d++) CHECK_WITHIN(last[d], first[d], 1e-9*scale);
    sim_free(&sim);
    test_bodies_free(&body, 1);
}

// Two lobes with a neck of two cells between them, along x.
typedef struct Lobes {
    RoundDrop left, right;
    double neck;  // half its width
} Lobes;

static double lobes_distance(const void* user, const double x[3])
{
    const Lobes* l = user;
    double neck = fmax(fabs(x[1] - l->left.center[1]) - l->neck, fmax(l->left.center[0] - x[0], x[0] - l->right.center[0]));
    return fmin(neck, fmin(round_drop_distance(&l->left, x), round_drop_distance(&l->right, x)));
}

// Liquid on a body comes apart, droplets and all, and another drop falls into it off its centre. Whatever becomes one or more
// within a step, nothing outside pushes it.
static void test_topology_beside_a_body(void** state)
{
    (void)state;
    const double dx = 1.0/12, R = 0.5, density = 2, mass = density*PI*R*R;
    TestBody body = {.center = {2.04, 3.01, 0}, .R = R, .density = density, .velocity = {-0.5, 0.2, 0}};
    Lobes lobes = {{{2.33, 3.02, 0}, 0.8}, {{4.41, 3.02, 0}, 0.6}, dx};
    RoundDrop falls = {{2.7, 4.6, 0}, 0.5};
    Sim sim;
    basin_init(&sim, 2, 84, 72, 1, dx);
    sim.model.settings.gravity[1] = 0;
    test_bodies_add(&sim, &body, 1);
    basin_add(&sim, lobes_distance, &lobes, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .contact_angle = PI/3};
    Liquid* q = &sim.world.liquid[0];
    for (int j = 0; j < q->w.n[1]; j++)  // the lobes part
        for (int i = 0; i <= q->w.n[0]; i++) q->u[0].v[window_at(&q->w, i, j, 0)] = (q->w.lo[0] + i)*dx > 3.5 ? 1.5 : -0.5;
    basin_add(&sim, round_drop_distance, &falls, (double[3]){0.3, -2, 0});
    sim.world.liquid[1].material = sim.world.liquid[0].material;
    CHECK_OK(sim_start(&sim));
    double first[2], last[2], worst = 0;
    int splits = 0, merges = 0, sprayed = 0;
    total_momentum(first, &sim, mass);
    while (sim.world.time < 0.8) {
        CHECK_OK(sim_step_towards(&sim, 0.8));
        total_momentum(last, &sim, mass);
        for (int d = 0; d < 2; d++) worst = fmax(worst, fabs(last[d] - first[d]));
        splits += sim.report.splits, merges += sim.report.merges, sprayed += sim.report.sprayed;
    }
    double scale = hypot(first[0], first[1]);
    print_message("liquid on a disc: %d splits, %d mergers, %d droplets; momentum within %.1e of %.3g\n", splits, merges, sprayed,
                  worst, scale);
    assert_true(splits > 0 && merges > 0);
    CHECK_LESS(worst, 1e-9*scale);
    sim_free(&sim);
    test_bodies_free(&body, 1);
}

// Two drops bounce off the air between them, one with a body in it: they stay two, momentum is kept, and the energy of motion and
// surfaces is never more than it was.
static void test_bounce_with_a_body(void** state)
{
    (void)state;
    const double radius = 0.5e-3, dx = 1e-3/32, speed = 0.2, mass = 2*TETRADECANE_RHO*PI*pow(0.35*radius, 2);
    double middle[2] = {64*dx, 32*dx};
    TestBody body = {.center = {middle[0] - 1.3*radius, middle[1] + 0.2*radius, 0},
                     .R = 0.35*radius,
                     .density = 2*TETRADECANE_RHO,
                     .velocity = {speed, 0, 0}};
    Sim sim;
    basin_init(&sim, 2, 128, 64, 1, dx);
    bounce_settings(&sim);
    test_bodies_add(&sim, &body, 1);
    for (int m = 0; m < 2; m++) {
        RoundDrop d = {{middle[0] + (m == 0 ? -1.25 : 1.25)*radius, middle[1], 0}, radius};
        basin_add(&sim, round_drop_distance, &d, (double[3]){m == 0 ? speed : -speed, 0, 0});
        sim.world.liquid[m].material =
            (LiquidMaterial){.rho = TETRADECANE_RHO, .sigma = TETRADECANE_SIGMA, .mu = 2e-3, .contact_angle = PI/2};
    }
    CHECK_OK(sim_start(&sim));
    double first[2], last[2], least = INFINITY, most = 0;
    total_momentum(first, &sim, mass);
    while (sim.world.time < 6.5e-3) {
        CHECK_OK(sim_step_towards(&sim, 6.5e-3));
        const EnergyBalance* e = &sim.report.energy;
        double energy = e->after.kinetic + e->after.surface + e->after.stored;
        most = fmax(most, energy - least), least = fmin(least, energy);
    }
    total_momentum(last, &sim, mass);
    LiquidState a = liquid_state(&sim.world.liquid[0], &sim.scratch), b = liquid_state(&sim.world.liquid[1], &sim.scratch);
    double kinetic = 0.5*TETRADECANE_RHO*PI*radius*radius*speed*speed,
           scale = TETRADECANE_RHO*PI*radius*radius*speed;
    print_message(
        "bounce with a body: drops at %.3f and %.3f m/s, momentum off by %.1e of a drop's, energy rises by %.1e of its K\n",
        a.velocity[0], b.velocity[0], (last[0] - first[0])/scale, most/kinetic);
    assert_int_equal(sim.world.liquid_count, 2);
    CHECK_LESS(a.velocity[0], b.velocity[0]);
    CHECK_WITHIN(last[0], first[0], 1e-6*scale);
    CHECK_LESS(most, 0.02*kinetic);
    sim_free(&sim);
    test_bodies_free(&body, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_liquids_on_one_body),
                                       cmocka_unit_test(test_topology_beside_a_body), cmocka_unit_test(test_bounce_with_a_body)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

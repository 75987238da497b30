// Surface tension against what is known of drops and waves (docs/validation/targets.md; the long runs:
// docs/validation/tension.md). rho = sigma = R = 1: speeds are in sqrt(sigma/(rho R)), times in sqrt(rho R^3/sigma).
#include <omp.h>
#include <string.h>
#include "drop.h"

static const Scheme* const EXPLICIT = &SCHEMES[0];

// Steps in capillary times that a scheme is meant to be used at.
static double usual_steps(const Scheme* s) { return fmin(s->longest, 5); }

// ---- at rest -------------------------------------------------------------------------------------------------------------

// The pressure in a drop is sigma kappa: sigma/R in 2D, 2 sigma/R in 3D [laplace1806].
static void check_laplace(int dim, double cells, double tolerance)
{
    Drop d = {.dim = dim, .cells = cells};
    for (int m = 0; m < SCHEME_COUNT; m++) {
        Sim sim;
        drop_start(&sim, &d, &SCHEMES[m], usual_steps(&SCHEMES[m]));
        for (int step = 0; step < 5; step++) CHECK_OK(sim_step(&sim, INFINITY));
        double error = drop_pressure_error(&sim, 2);
        print_message("%dD, R = %g dx, %s: pressure %+.3f %%\n", dim, cells, SCHEMES[m].name, 100*error);
        CHECK_LESS(fabs(error), tolerance);
        sim_free(&sim);
    }
}

static void test_laplace(void** state)
{
    (void)state;
    check_laplace(2, 16, 0.002);
    check_laplace(3, 12, 0.005);
}

// Largest speed in the second half of a run of `time` from rest.
static double rest_speed(int dim, double cells, const Scheme* scheme, double time)
{
    Drop d = {.dim = dim, .cells = cells};
    Sim sim;
    drop_start(&sim, &d, scheme, usual_steps(scheme));
    double speed = 0;
    while (sim.world.time < time) {
        CHECK_OK(sim_step(&sim, INFINITY));
        if (sim.world.time > 0.5*time) speed = fmax(speed, sim.report.max_speed);
    }
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
    return speed;
}

// A drop at rest stays at rest, the better the finer the grid.
static void test_rest(void** state)
{
    (void)state;
    for (int m = 0; m < SCHEME_COUNT; m++) {
        double coarse = rest_speed(2, 10, &SCHEMES[m], 6), fine = rest_speed(2, 20, &SCHEMES[m], 6);
        print_message("2D, %s: largest speed %.2e at R = 10 dx, %.2e at 20 dx\n", SCHEMES[m].name, coarse, fine);
        CHECK_LESS(fine, 1e-3);
        CHECK_LESS(fine, 0.7*coarse);
    }
}

// ---- oscillation ---------------------------------------------------------------------------------------------------------

static void check_period(int dim, double cells, const Scheme* scheme, double tolerance)
{
    Drop d = {.dim = dim, .cells = cells, .mode = 2, .amplitude = 0.05};
    Sim sim;
    Signal a = {0};
    double period = 2*PI/drop_omega(dim, 2);
    drop_start(&sim, &d, scheme, usual_steps(scheme));
    drop_run(&a, &sim, 2, 1.4*period);
    double error = signal_period(&a)/period - 1;
    print_message("%dD, R = %g dx, %s, %ld steps: amplitude %.5f at first, period %+.2f %%\n", dim, cells, scheme->name,
                  sim.world.step, a.a[0], 100*error);
    CHECK_CLOSE(a.a[0], 0.05, 0.01);
    CHECK_LESS(fabs(error), tolerance);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    signal_free(&a);
    sim_free(&sim);
}

// Mode 2 swings at omega^2 = 6 sigma/(rho R^3) in 2D [rayleigh1879], 8 in 3D [lamb1932].
static void test_oscillation(void** state)
{
    (void)state;
    for (int m = 0; m < SCHEME_COUNT; m++) {
        check_period(2, 16, &SCHEMES[m], m == 0 ? 0.02 : 0.04);
        check_period(3, 10, &SCHEMES[m], m == 0 ? 0.02 : 0.04);
    }
}

// Implicit steps of half a capillary time to 20 of them, far past what the shortest waves can be followed with: mode 2 of R = 12
// dx gains nothing and keeps 95 % of its amplitude per period; its period is right to 2 %, which is what the scheme's own theory
// leaves of it at 20 (1/(1 + c (k dx)^4) of its omega^2, k^4 = 36/R^4).
static void test_long_steps(void** state)
{
    (void)state;
    const double steps[] = {0.5, 1, 2, 5, 10, 20}, period = 2*PI/drop_omega(2, 2);
    for (size_t m = 0; m < sizeof steps/sizeof *steps; m++) {
        Drop d = {.dim = 2, .cells = 12, .mode = 2, .amplitude = 0.05};
        Sim sim;
        Signal a = {0};
        drop_start(&sim, &d, &SCHEMES[1], steps[m]);
        drop_run(&a, &sim, 2, 2.3*period);
        double error = signal_period(&a)/period - 1, kept = exp(-signal_decay(&a)*period);
        print_message("implicit, %g capillary times: period %+.2f %%, kept %.3f per period\n", steps[m], 100*error, kept);
        CHECK_LESS(fabs(error), 0.02);
        CHECK_WITHIN(kept, 0.98, 0.03);
        signal_free(&a);
        sim_free(&sim);
    }
}

// Waves of length 32 dx: omega^2 = sigma k^3/rho tanh(k H).
static void test_wave(void** state)
{
    (void)state;
    Wave s = {.cells = 32,
              .width = 0.5,
              .depth = 0.5117,
              .amplitude = 0.01,
              .material = {.rho = 1, .sigma = 1, .contact_angle = PI/2}};
    double period = 2*PI/wave_omega(&s);
    for (int m = 0; m < SCHEME_COUNT; m++) {
        Sim sim;
        Signal a = {0};
        wave_start(&sim, &s, &SCHEMES[m], usual_steps(&SCHEMES[m]));
        wave_run(&a, &sim, s.width, 2.9*period);
        double error = period/signal_period(&a) - 1, kept = signal_kept(&a, 2);
        print_message("wave of 32 dx, %s: frequency %+.2f %%, after two periods %.3f\n", SCHEMES[m].name, 100*error, kept);
        CHECK_LESS(fabs(error), m == 0 ? 0.005 : 0.02);
        CHECK_LESS(0.8, kept);
        signal_free(&a);
        sim_free(&sim);
    }
}

// ---- what tension must not do --------------------------------------------------------------------------------------------

// Tension pulls on a free drop as a whole with no force: from rest, one step makes no momentum at all. Later the velocity's
// advection, which does not keep momentum, makes a little.
static void test_momentum(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < SCHEME_COUNT; m++) {
            Drop d = {.dim = dim, .cells = dim == 2 ? 12 : 8, .mode = 3, .amplitude = 0.1};
            Sim sim;
            drop_start(&sim, &d, &SCHEMES[m], usual_steps(&SCHEMES[m]));
            LiquidState before = drop_state(&sim), after = before;
            double most = 0, speed = 0, first = 0;
            for (int step = 0; step < 40; step++) {
                CHECK_OK(sim_step(&sim, INFINITY));
                after = drop_state(&sim);
                if (step == 0) first = vec_norm(after.momentum)/after.volume;
                most = fmax(most, vec_norm(after.momentum)/after.volume);
                speed = fmax(speed, sim.report.max_speed);
            }
            double drift[3];
            vec_sub(drift, after.center, before.center);
            print_message("%dD, %s: mean velocity %.1e after one step, then up to %.1e beside %.2f, centre drifts %.1e\n", dim,
                          SCHEMES[m].name, first, most, speed, vec_norm(drift));
            CHECK_LESS(first, 1e-12);
            CHECK_LESS(most, 1e-3*speed);
            CHECK_LESS(vec_norm(drift), 2e-3);
            sim_free(&sim);
        }
}

// A round drop that flies through the grid is not held back by it and stays round.
static void test_flight(void** state)
{
    (void)state;
    Drop d = {.dim = 2, .cells = 12, .speed = 0.5, .length = 7};
    for (int m = 0; m < SCHEME_COUNT; m++) {
        Sim sim;
        drop_start(&sim, &d, &SCHEMES[m], usual_steps(&SCHEMES[m]));
        double start = drop_state(&sim).center[0], side = drop_state(&sim).center[1];
        while (sim.world.time < 4) CHECK_OK(sim_step(&sim, INFINITY));
        LiquidState now = drop_state(&sim);
        double late = now.center[0] - start - 0.5*sim.world.time, mode2 = drop_mode(&sim, 2), mode4 = drop_mode(&sim, 4);
        print_message("%s, after %.1f radii: velocity %.6f, %.1e across; place %+.1e, %.1e across; modes 2 and 4 %.1e, %.1e\n",
                      SCHEMES[m].name, 0.5*sim.world.time, now.velocity[0], now.velocity[1], late, now.center[1] - side, mode2,
                      mode4);
        CHECK_CLOSE(now.velocity[0], 0.5, 2e-3);
        CHECK_LESS(fabs(now.velocity[1]), 1e-3);
        CHECK_LESS(fabs(late), 2e-3);
        CHECK_LESS(fabs(mode2) + fabs(mode4), 2e-3);
        sim_free(&sim);
    }
}

static double low_half(const void* user, const double x[3])
{
    (void)user;
    return x[1] - 0.5003;
}

static void check_same(const Liquid* p, const Liquid* q)
{
    CHECK_TRUE(window_same(&p->w, &q->w));
    size_t bytes = sizeof(double)*p->w.count;
    assert_memory_equal(p->phi.block, q->phi.block, bytes);
    assert_memory_equal(p->p.block, q->p.block, bytes);
    for (int d = 0; d < p->w.dim; d++) assert_memory_equal(p->u[d].block, q->u[d].block, bytes);
}

// A drop and a bath without tension in one tank: each moves as if it were alone, to the last bit.
static void test_neighbour(void** state)
{
    (void)state;
    Sim sim[3];
    Drop d = {.dim = 2, .cells = 12, .mode = 2, .amplitude = 0.1, .box = 6};
    for (int m = 0; m < 3; m++) {
        drop_start(&sim[m], &d, EXPLICIT, 1);
        if (m == 1) world_remove_liquid(&sim[m].world, 0);
        if (m > 0) {
            basin_add(&sim[m], low_half, NULL, (double[3]){0, 0, 0});
            sim[m].world.liquid[sim[m].world.liquid_count - 1].material.sigma = 0;
            sim[m].world.ledger = (Ledger){0};
            CHECK_OK(sim_start(&sim[m]));
            sim[m].model.settings.gravity[1] = -0.01;
        } else {
            sim[m].world.ledger = (Ledger){0};
            CHECK_OK(sim_start(&sim[m]));  // as often as in the others
            sim[m].model.settings.gravity[1] = -0.01;
        }
        for (int step = 0; step < 10; step++) CHECK_OK(sim_step(&sim[m], INFINITY));
    }
    assert_int_equal(sim[2].world.liquid_count, 2);
    check_same(&sim[2].world.liquid[0], &sim[0].world.liquid[0]);
    check_same(&sim[2].world.liquid[1], &sim[1].world.liquid[0]);
    for (int m = 0; m < 3; m++) sim_free(&sim[m]);
}

static double everywhere(const void* user, const double x[3])
{
    (void)user, (void)x;
    return -1;
}

// A liquid that fills its tank has no surface for tension to act on.
static void test_sealed(void** state)
{
    (void)state;
    for (int m = 0; m < SCHEME_COUNT; m++) {
        Sim sim;
        basin_init(&sim, 2, 16, 16, 1, 1.0/16);
        sim.model.settings.advection = ADVECT_CUBIC;
        basin_add(&sim, everywhere, NULL, (double[3]){0, 0, 0});
        CHECK_OK(sim_start(&sim));
        scheme_use(&sim, &SCHEMES[m], usual_steps(&SCHEMES[m]));
        for (int step = 0; step < 5; step++) CHECK_OK(sim_step(&sim, 1e-3));
        CHECK_LESS(liquid_max_speed(&sim.world.liquid[0]), 1e-9);
        sim_free(&sim);
    }
}

// The same bytes from 1 and 2 threads. 20000 covered cells or more go to several threads (spans_parallel).
static void test_threads(void** state)
{
    (void)state;
    int before = omp_get_max_threads();
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < SCHEME_COUNT; m++) {
            Sim sim[2];
            for (int t = 0; t < 2; t++) {
                omp_set_num_threads(1 + t);
                Drop d = {.dim = dim, .cells = dim == 2 ? 80 : 11, .mode = 2, .amplitude = 0.1, .box = 3};
                drop_start(&sim[t], &d, &SCHEMES[m], usual_steps(&SCHEMES[m]));
                for (int step = 0; step < 3; step++) CHECK_OK(sim_step(&sim[t], INFINITY));
            }
            CHECK_TRUE(spans_parallel(&sim[0].world.liquid[0].spans));
            check_same(&sim[0].world.liquid[0], &sim[1].world.liquid[0]);
            for (int t = 0; t < 2; t++) sim_free(&sim[t]);
        }
    omp_set_num_threads(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_laplace),     cmocka_unit_test(test_rest),
                                       cmocka_unit_test(test_oscillation), cmocka_unit_test(test_long_steps),
                                       cmocka_unit_test(test_wave),        cmocka_unit_test(test_momentum),
                                       cmocka_unit_test(test_flight),      cmocka_unit_test(test_neighbour),
                                       cmocka_unit_test(test_sealed),      cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

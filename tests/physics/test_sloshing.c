// Small waves slosh at omega^2 = g k tanh(k H), k = pi/W ([lamb1932], art. 228): W = 1 m, H = 0.5 m
// gives 1.181816 s with g = 9.81. Amplitude 1 % of W.
#include <stdlib.h>
#include "slosh.h"

static SloshResult slosh(int n, PressureKind op, double per_period)
{
    Slosh s = {1, 0.5, 0.01};
    Sim sim;
    basin_init(&sim, 2, n, n, 1, 1.0/n);
    sim.model.settings.op = op;
    basin_add(&sim, slosh_shape, &s, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    double omega = sqrt(9.81*PI*tanh(PI*0.5));
    SloshResult r = slosh_run(&sim, &s, 2*PI/omega, 3, per_period);
    print_message("n %d, %s, %g steps per period: period %.6f s, theory %.6f, error %+.3f %%, amplitude kept per period %.3f, "
                  "ledger %.1e\n",
                  n, op == PRESSURE_CUT ? "cut" : "ghost", per_period, r.period, 2*PI/omega,
                  100*(r.period*omega/(2*PI) - 1), r.decay, sim_ledger_error(&sim));
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    r.period = r.period*omega/(2*PI) - 1;
    sim_free(&sim);
    return r;
}

// docs/validation/targets.md, sloshing: within 1 % at 64 cells.
static void test_frequency_at_64(void** state)
{
    (void)state;
    CHECK_LESS(fabs(slosh(64, PRESSURE_CUT, 100).period), 0.01);
    CHECK_LESS(fabs(slosh(64, PRESSURE_CUT, 40).period), 0.01);
    CHECK_LESS(fabs(slosh(64, PRESSURE_GHOST, 100).period), 0.01);
}

static void test_frequency_at_32(void** state)
{
    (void)state;
    CHECK_LESS(fabs(slosh(32, PRESSURE_CUT, 100).period), 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frequency_at_64), cmocka_unit_test(test_frequency_at_32)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Standing waves on a viscous liquid, in a tank as deep as wide whose walls and floor it slips along, so that all loss is
// inside it: k = pi/W, tanh(k H) = 0.996. Lamb (Hydrodynamics, art. 348) gives exp(-2 nu k^2 t) for nu k^2 << omega; the
// numbers below are those of Prosperetti (1976) for the same start from rest (formula in the design's validation_targets.py,
// beta = 0), which at nu = 0.005 m^2/s are 7 % below Lamb's rate: second extreme after the first over the first.
#include <stdlib.h>
#include "slosh.h"

static double kept_per_period(int n, double nu, double steps)
{
    Slosh s = {1, 1, 0.01};
    Sim sim;
    basin_init(&sim, 2, n, n + n/4, 1, 1.0/n);
    sim.settings.slip = true;
    basin_add(&sim, slosh_shape, &s, (double[3]){0, 0, 0});
    sim.liquid[0].material.mu = 1000*nu;
    CHECK_OK(sim_start(&sim));
    SloshResult r = slosh_run(&sim, &s, 2*PI/sqrt(9.81*PI*tanh(PI)), 3, steps);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
    return r.decay;
}

// What is kept is divided by what the same run without viscosity keeps: that loss is the grid's.
static double loss_error(int n, double nu, double steps, double exact)
{
    double still = kept_per_period(n, 0, steps), kept = kept_per_period(n, nu, steps);
    double error = log(kept/still)/log(exact) - 1;
    print_message("n %d, nu %g, %g steps per period: kept per period %.4f, without viscosity %.4f; exact %.4f, error of the rate "
                  "%+.1f %%\n",
                  n, nu, steps, kept, still, exact, 100*error);
    return fabs(error);
}

static void test_decay(void** state)
{
    (void)state;
    loss_error(32, 0.005, 100, 0.90045);
    CHECK_LESS(loss_error(64, 0.02, 100, 0.67525), 0.06);
    CHECK_LESS(loss_error(64, 0.005, 100, 0.90045), 0.09);
    CHECK_LESS(loss_error(128, 0.005, 200, 0.90045), 0.06);
    CHECK_LESS(loss_error(64, 0.001, 100, 0.97849), 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_decay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

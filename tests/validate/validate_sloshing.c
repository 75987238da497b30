// Sloshing in 3D: omega^2 = g k tanh(k H) along x in a tank 1 m wide, 0.5 m deep, a quarter as thick ([lamb1932],
// art. 228).
#include <stdlib.h>
#include "slosh.h"

static void test_frequency(void** state)
{
    (void)state;
    Slosh s = {1, 0.5, 0.01};
    Sim sim;
    basin_init(&sim, 3, 64, 48, 16, 1.0/64);
    basin_add(&sim, slosh_shape, &s, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    double period = 2*PI/sqrt(9.81*PI*tanh(PI*0.5));
    SloshResult r = slosh_run(&sim, &s, period, 3, 60);
    print_message("3D, 64 cells: period %.6f s, theory %.6f, error %+.3f %%, amplitude kept per period %.3f, ledger %.1e\n",
                  r.period, period, 100*(r.period/period - 1), r.decay, sim_ledger_error(&sim));
    CHECK_CLOSE(r.period, period, 0.01);
    sim_free(&sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frequency)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Order of the pressure operator on a ball in 3D at finer grids than the fast test: slopes of the mean error of at least 1.9
// (issue 2). Exact solutions: R^2 - r^2 with -lap p = 6, and the harmonic e^3x cos 3y + x z.
#include "order.h"

static void test_ball_fine(void** state)
{
    (void)state;
    check_order(3, 48, PARABOLA, PRESSURE_CUT, 1.9, 1.9, "cut parabola");
    check_order(3, 64, PARABOLA, PRESSURE_CUT, 1.9, 1.9, "cut parabola");
    check_order(3, 48, HARMONIC, PRESSURE_CUT, 1.9, 1.6, "cut harmonic");
    check_order(3, 64, HARMONIC, PRESSURE_CUT, 1.9, 1.9, "cut harmonic");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ball_fine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Oscillating drops in 3D: frequency of modes 2 and 3 [lamb1932]. Writes docs/validation/tension_drop3d.md. An argument adds
// finer grids.
#include "swing.h"

static void test_frequency(void** state)
{
    (void)state;
    frequencies(3, 2, 3, (const double[]){5, 6.5, 8, 16}, 8, 1.85, "tension_drop3d.png");
}

int main(int count, char** word)
{
    (void)word;
    large = count > 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frequency)};
    page_open("tension_drop3d.md");
    SAY("# Oscillating drops in 3D\n\nWritten by `validate_tension_drop3d`. Amplitude 5 %%, box 4 R, 1.85 periods; the period "
        "from zero crossings of the "
        "projected mode, what is left of the amplitude from its extremes. Theory: `omega^2 = n (n - 1)(n + 2) sigma/(rho R^3)`. "
        "A swing of finite "
        "amplitude a/R = 0.05 is slower than that by about 0.1 to 0.3 %%. Coarse drops, for the time they take; an argument adds "
        "R = 16 dx.\n\n");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    page_close();
    return failed || page_misses > 0;
}

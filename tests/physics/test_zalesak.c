// Zalesak's slotted disc [zalesak1979]: rigid rotation must give the disc back after one turn.
#include <stdlib.h>
#include "stir.h"

// Disc of radius 15 at (50,75) in a box of 100, slot 5 wide up to y = 85; one turn takes 628 ([enright2002], section 4.1).
static double slotted_disc(const void* user, const double x[3])
{
    (void)user;
    double disc = hypot(x[0] - 50, x[1] - 75) - 15, side = fabs(x[0] - 50) - 2.5, top = x[1] - 85;
    double slot = side > 0 && top > 0 ? hypot(side, top) : fmax(side, top);
    return fmax(disc, -slot);
}

static double rotation(double x, double y) { return -0.5*PI/314*((x - 50)*(x - 50) + (y - 50)*(y - 50)); }

static void turn_once(Stir* s, int n, bool restore, Advection scheme)
{
    stir_init(s, 2, n, 100.0/n, slotted_disc);
    s->restore = restore, s->scheme = scheme;
    stir_stream(s, rotation, 1);
    int steps = (int)ceil(628*(PI/314*50)/s->tank.dx);  // CFL 1 at the side of the box
    for (int m = 0; m < steps; m++) CHECK_OK(stir_step(s, 628.0/steps));
}

// Exact area 582.207 (docs/validation/targets.md): pi 15^2 minus the slot. The cut cells must find it within the corner cells'
// error.
static void test_start_area(void** state)
{
    (void)state;
    Stir s;
    stir_init(&s, 2, 100, 1, slotted_disc);
    print_message("area at the start %.4f, exact 582.2070\n", s.start_volume);
    CHECK_CLOSE(s.start_volume, 582.207, 2e-3);
    stir_free(&s);
}

// Area lost in one turn at 100^2, published [enright2002]: level set with WENO5 5.3 %, particle
// level set 0.31 %. Required 10 %, aim 1 %.
static void test_area_without_correction(void** state)
{
    (void)state;
    Stir s;
    turn_once(&s, 100, false, ADVECT_MACCORMACK);
    double error = stir_volume_error(&s);
    print_message(
        "100^2, no volume step: area %+.3f %% after one turn (published level set 5.3 %%, particle level set 0.31 %%)\n",
        100*error);
    CHECK_LESS(fabs(error), 0.01);
    stir_free(&s);
}

// With the volume step the area is kept to 1e-10 (docs/validation/targets.md), and the shape converges.
static void test_shape(void** state)
{
    (void)state;
    double shape[2];
    stir_shape_errors(shape, turn_once, 100, ADVECT_MACCORMACK);
    CHECK_LESS(shape[0], 0.1);
    CHECK_LESS(shape[1], 0.6*shape[0]);  // corners: first order, with slack
}

// Cubics and direct distances (ADVECT_CUBIC) do better on the shape, with corners and all. Without the volume step the area is
// off by more than with MacCormack, whose errors at the slot and at the rim happen to cancel: required 10 % here.
static void test_cubic(void** state)
{
    (void)state;
    double shape[2];
    stir_shape_errors(shape, turn_once, 100, ADVECT_CUBIC);
    Stir s;
    turn_once(&s, 100, false, ADVECT_CUBIC);
    double area = stir_volume_error(&s);
    stir_free(&s);
    print_message("100^2, no volume step: area %+.2f %%\n", 100*area);
    CHECK_LESS(shape[0], 0.086);
    CHECK_LESS(shape[1], 0.025);
    CHECK_LESS(fabs(area), 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start_area),
        cmocka_unit_test(test_area_without_correction),
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_cubic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

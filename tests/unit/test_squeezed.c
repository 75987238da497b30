// Liquid that moving solids drive through slits: no pocket gets more than its ways out bear.
#include "check.h"
#include "solve/squeezed.h"

// What leaves a pocket of flux 1 at speed 1 through a slit of width h, as a speed; SQUEEZED_FASTEST at most.
static double speed_out(double h)
{
    Arena arena = {0};
    SqueezedRegion region[2] = {{.way = h, .flux = 1, .fastest = 1}, {.way = h + 10}};
    Slit slit = {{0, 1}, h};
    double keep[2];
    CHECK_OK(squeezed_keep(keep, region, 2, &slit, 1, &arena));
    arena_free(&arena);
    assert_true(keep[1] == 1);
    return keep[0]/h;
}

static void test_pocket_with_a_slit(void** state)
{
    (void)state;
    print_message("pocket through a slit of 0.3, 0.01, 0.0003: %g, %g, %g times the solid's speed\n", speed_out(0.3),
                  speed_out(0.01), speed_out(0.0003));
    CHECK_CLOSE(speed_out(0.3), 1/0.3, 1e-12);
    CHECK_CLOSE(speed_out(0.01), SQUEEZED_FASTEST, 1e-12);
    CHECK_CLOSE(speed_out(0.0003), SQUEEZED_FASTEST, 1e-12);
}

// Pockets in a row, each with room for its own flux, behind one narrow way out: together they get what that one bears, in
// whatever order the slits come.
static void test_row_of_pockets(void** state)
{
    (void)state;
    for (int turned = 0; turned < 2; turned++) {
        Arena arena = {0};
        SqueezedRegion region[4] = {{.way = 0.3, .flux = 1, .fastest = 1},
                                    {.way = 0.3 + 0.2, .flux = 1, .fastest = 1},
                                    {.way = 0.2 + 0.001, .flux = 1, .fastest = 1},
                                    {.way = 0.001 + 10}};
        Slit slit[3] = {{{0, 1}, 0.3}, {{1, 2}, 0.2}, {{2, 3}, 0.001}}, last = slit[2];
        if (turned) slit[2] = slit[0], slit[0] = last;
        double keep[4];
        CHECK_OK(squeezed_keep(keep, region, 4, slit, 3, &arena));
        CHECK_CLOSE(keep[0] + keep[1] + keep[2], SQUEEZED_FASTEST*0.001, 1e-12);
        assert_true(keep[3] == 1);
        arena_free(&arena);
    }
}

// Two halves of a full, closed tank beside a tight piston: what one gives the other takes. Nothing leaves, so the whole is as
// it was.
static void test_sealed_liquid(void** state)
{
    (void)state;
    Arena arena = {0};
    SqueezedRegion region[2] = {{.way = 0.4, .flux = 2, .fastest = 1}, {.way = 0.4, .flux = -2 + 1e-9, .fastest = 1}};
    Slit slit[2] = {{{0, 1}, 0.3}, {{1, 0}, 0.1}};
    double keep[2];
    CHECK_OK(squeezed_keep(keep, region, 2, slit, 2, &arena));
    print_message("halves of a sealed tank keep %g and %g of the piston's flux\n", keep[0], keep[1]);
    assert_true(keep[0] == 1 && keep[1] == 1);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pocket_with_a_slit), cmocka_unit_test(test_row_of_pockets),
                                       cmocka_unit_test(test_sealed_liquid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

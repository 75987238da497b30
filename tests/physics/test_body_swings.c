// Bodies that swing in liquid, against linear theory: a box that heaves and rolls in a tank, a pendulum under water.
#include "swinging.h"

// Box and water swing together: the first and second time it stands still (tank_body.h), at 8 cells per half width.
static void test_box_heaves_and_rolls(void** state)
{
    (void)state;
    static const double tolerance[] = {0.02, 0.08};
    for (int rolls = 0; rolls < 2; rolls++) {
        TankBody t = swinging_box(rolls, 3);
        Turns s = swinging_box_run(&t, 8, 0.05, 2);
        for (int m = 0; m < 2; m++) {
            double exact = tank_body_turn(&t, m + 1);
            print_message("%s, turn %d: %.3f, exact %.3f\n", rolls ? "roll" : "heave", m + 1, s.at[m], exact);
            CHECK_WITHIN(s.at[m], exact, tolerance[rolls]*exact);
        }
    }
}

// The water that goes along makes a pendulum slower.
static void test_pendulum_under_water(void** state)
{
    (void)state;
    if (!rigid_mujoco_is_there()) return;
    for (int dim = 2; dim <= 3; dim++) {
        double exact = pendulum_period(dim, 3, dim == 3 ? 2 : 3);
        Turns t = pendulum_run(dim, 3, dim == 3 ? 2 : 3, dim == 3 ? 5 : 8, 0.1, 2);
        print_message("%dD: period %.4f, exact %.4f\n", dim, t.at[1], exact);
        CHECK_WITHIN(t.at[1], exact, (dim == 3 ? 0.01 : 0.002)*exact);
    }
}

// A half-immersed disc and a square log float where Archimedes has them, to 0.01 and 0.02 cells: what the flat pieces of skin on
// the grid cut off counts (rigid_buoyancy.c; without it 0.02 and 0.03). The first step's acceleration, times M + m over the
// waterplane 2.
static void test_what_chords_cut_off(void** state)
{
    (void)state;
    static const double cells = 8, most[] = {0.008, 0.016};
    for (int log = 0; log < 2; log++) {
        Sim sim;
        double twist[TWIST], inertia = log ? 2 + 0.5*4.754 : PI;
        Afloat f = {.dim = 2, .cells = cells, .width = 16, .depth = 6, .above = 2, .shift = {0.21, 0.137}, .bodies = 1};
        f.body[0] = (TestBody){.R = 1, .density = 0.5, .is_box = log, .h = {1, 1}};
        afloat_start(&sim, &f);
        CHECK_OK(sim_step(&sim, 1e-3));
        test_body_twist(twist, &sim, 0);
        double off = twist[1]/sim.report.dt*inertia/2*cells;
        print_message("%s: off by %.4f cells\n", log ? "log" : "disc", off);
        CHECK_LESS(fabs(off), most[log]);
        afloat_end(&sim, &f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_box_heaves_and_rolls), cmocka_unit_test(test_pendulum_under_water),
                                       cmocka_unit_test(test_what_chords_cut_off)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

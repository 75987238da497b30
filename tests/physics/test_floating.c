// Bodies that surface tension carries: a cylinder lies where theory has it, and sinks where it must (tests/support/floating.h).
// More of it: validate_bodies.
#include "afloat_cylinder.h"

static const double L = 1/0.66;  // capillary length over R

// A cylinder of density 1.5 comes to rest within 0.2 cells of its exact depth, on skin that is not wetted well and on skin
// that hardly is.
static void test_cylinder_lies_at_its_depth(void** state)
{
    (void)state;
    static const double degrees[] = {110, 150};
    for (int m = 0; m < 2; m++) {
        AfloatCylinder c = {.theta = degrees[m]*PI/180, .density = 1.5, .l = L};
        c.start = afloat_exact(&c);
        Afloat f = afloat_cylinder(&c, 6, 6);
        AtRest r = afloat_run(&f, -INFINITY);
        double off = afloat_off(&r, &f);
        print_message("%g degrees: %.3f dx from %.4f; energy climbs by %.1e\n", degrees[m], off, c.start, r.climb);
        assert_true(r.carried);
        CHECK_LESS(fabs(off), 0.2);
        CHECK_LESS(r.climb, 0.02*L*L);
    }
}

// At 110 degrees tension and buoyancy carry up to D_max = 3.041 of the liquid's density: 2.7 floats, 3.3 sinks.
static void test_heaviest_that_floats(void** state)
{
    (void)state;
    double theta = 110*PI/180;
    CHECK_WITHIN(floating_most(theta, 1, L), 3.041, 0.001);
    for (int heavy = 0; heavy < 2; heavy++) {
        AfloatCylinder c = {.theta = theta, .density = heavy ? 3.3 : 2.7, .l = L, .start = -1.8};
        if (!heavy) c.start = afloat_exact(&c);
        Afloat f = afloat_cylinder(&c, 6, heavy ? 24 : 16);
        f.depth += 1;
        AtRest r = afloat_run(&f, -3.5);
        print_message("density %g: lowest %.3f\n", c.density, r.lowest);
        assert_int_equal(r.lowest > -3.5, !heavy);
    }
}

// A steel wire of 1 mm floats on water where it is only 1.3 cells thick, and one of 2.2 mm does not (the limit at 110 degrees is
// 1.8).
static void test_thin_wires(void** state)
{
    (void)state;
    static const double radius[] = {0.5, 1.1};  // mm
    for (int m = 0; m < 2; m++) {
        AfloatCylinder c = {.theta = 110*PI/180, .density = 7.9, .l = 2.728/radius[m], .start = -0.25, .seen = 1.5/0.65};
        Afloat f = afloat_cylinder(&c, 0.65, 30);
        f.depth += 6, f.surface = NULL;
        AtRest r = afloat_run(&f, -7);
        print_message("R = %g mm: lowest %.3f\n", radius[m], r.lowest);
        assert_int_equal(r.lowest > -7, floating_most(c.theta, 1, c.l) > 7.9);
    }
}

// Steel wires of R = 0.5 mm on water, 1.3 cells thick, lie where their lines should. They swing on these by themselves: what
// holds bodies lighter than their lines had them 0.39 to 0.47 dx too deep.
static void test_wires_lie_at_their_depth(void** state)
{
    (void)state;
    static const double degrees[] = {90, 110, 150};
    for (int m = 0; m < 3; m++) {
        AfloatCylinder c = {.theta = degrees[m]*PI/180, .density = 7.9, .l = 2.728/0.5, .seen = 1.5/0.65};
        c.start = afloat_exact(&c);
        Afloat f = afloat_cylinder(&c, 0.65, 20);
        AtRest r = afloat_run(&f, -INFINITY);
        double off = afloat_off(&r, &f);
        print_message("%g degrees: %+.3f dx from %.4f\n", degrees[m], off, c.start);
        CHECK_LESS(fabs(off), 0.3);
    }
}

// Lines of 90 degrees on a body are pulled, not led by what is reflected across it: a wire of 3 cells lies where it should.
static void test_wire_at_right_angles(void** state)
{
    (void)state;
    AfloatCylinder c = {.theta = 0.5*PI, .density = 7.9, .l = 2.728/0.5};
    c.start = afloat_exact(&c);
    Afloat f = afloat_cylinder(&c, 1.5, 12);
    AtRest r = afloat_run(&f, -INFINITY);
    double off = afloat_off(&r, &f);
    print_message("%.3f dx from %.4f; energy climbs by %.1e\n", off, c.start, r.climb);
    CHECK_LESS(fabs(off), 0.3);
    CHECK_LESS(r.climb, 0.1*c.l*c.l);
}

// A light box falls freely until it meets the surface: one that does not end on it does not pull at it. (Where its corner had
// come into cells of the surface, but cut none of it yet, the box was drawn down from 1.2 to 2.6 m/s.)
static void test_box_falls_freely_until_it_meets(void** state)
{
    (void)state;
    Sim sim;
    const double cells = 13.237, fall = 1.2;
    Afloat f = {
        .dim = 2, .cells = cells, .width = 52/cells, .depth = 2.1286, .above = 52/cells - 2.1286, .l = 0.89, .bodies = 1};
    f.body[0] = (TestBody){.is_box = true,
                           .h = {0.2616, 0.2981},
                           .density = 0.00146,
                           .angle = 127*PI/180,
                           .center = {0.187, 0.445},
                           .turned = 0.68,
                           .velocity = {-0.5065, -fall}};
    afloat_start(&sim, &f);
    sim.model.settings.max_dt = 0.004;
    const BodyReport* report = rigid_partner_of(&sim.world)->report;
    for (int m = 0; m < 60 && report[0].lines + report[0].wetted == 0; m++) {
        double twist[TWIST];
        CHECK_OK(sim_step(&sim, 1));
        test_body_twist(twist, &sim, 0);
        if (report[0].lines + report[0].wetted > 0) break;
        CHECK_WITHIN(twist[1], -fall - sim.world.time, 1e-12);
        CHECK_WITHIN(twist[5], 0, 1e-12);
    }
    assert_true(report[0].lines + report[0].wetted > 0);
    afloat_end(&sim, &f);
}

// ---- sideways ---------------------------------------------------------------------------------------------------------------

// Two cylinders 3 l apart pull each other as they should wherever the level lies in its cell. The surface between them rises by
// two cells: by the links alone, without what lies between their lines, the pull was 29 % less to 30 % more.
static void test_pair_pulls_at_every_level(void** state)
{
    (void)state;
    AfloatPair p = afloat_pair_of(110*PI/180, 1.5, 1/0.66, 3/0.66);
    double mean = 0;
    for (int m = 0; m < 5; m++) {
        Afloat f = afloat_pair(&p, 4, 12);
        f.shift[1] = 0.137 + 0.2*m;
        AtRest r = afloat_run(&f, -INFINITY);
        double excess = afloat_pair_excess(&r, &p);
        print_message("level %.3f dx: pull %.4f, %.4f sigma (%+.1f %%)\n", f.shift[1], r.force[0]/(f.l*f.l),
                      -r.force[1]/(f.l*f.l), 100*excess);
        CHECK_LESS(fabs(excess), 0.12);
        mean += excess/5;
    }
    CHECK_LESS(fabs(mean), 0.03);
}

// ---- sideways, 3D ------------------------------------------------------------------------------------------------------------

static double tilted_plane(const void* user, const double x[3])
{
    const Afloat* f = user;
    static const double slope[2] = {0.17, 0.11};
    double height = f->level + slope[0]*(x[0] - f->middle[0]) + slope[1]*(x[2] - f->middle[2]);
    return (x[1] - height)/sqrt(1 + slope[0]*slope[0] + slope[1]*slope[1]);
}

// A plane that meets two balls in their middles at right angles pulls at every line alike all around: the force of tension is
// zero, however near the other ball is. By differences about the middles of patches it was 0.0048 sigma R sideways.
static void test_plane_pulls_no_ball(void** state)
{
    (void)state;
    Sim sim;
    Afloat f = {.dim = 3,
                .cells = 5,
                .width = 10,
                .across = 6,
                .depth = 3,
                .above = 3,
                .l = 1,
                .shift = {0.21, 0.137, -0.16},
                .surface = tilted_plane,
                .bodies = 2};
    for (int b = 0; b < 2; b++)
        f.body[b] =
            (TestBody){.R = 1, .density = 1, .angle = PI/2, .center = {b ? 1.7 : -1.7, b ? 0.17*1.7 : -0.17*1.7, 0}};
    afloat_start(&sim, &f);
    CHECK_OK(sim_step(&sim, 1e-6));
    const BodyReport* report = rigid_partner_of(&sim.world)->report;
    for (int b = 0; b < 2; b++) {
        print_message("ball %d: %.5f %.5f %.5f sigma R\n", b, report[b].tension[0], report[b].tension[1], report[b].tension[2]);
        CHECK_LESS(hypot(report[b].tension[0], report[b].tension[2]), 0.002);
    }
    afloat_end(&sim, &f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cylinder_lies_at_its_depth),
                                       cmocka_unit_test(test_heaviest_that_floats),
                                       cmocka_unit_test(test_thin_wires),
                                       cmocka_unit_test(test_wires_lie_at_their_depth),
                                       cmocka_unit_test(test_wire_at_right_angles),
                                       cmocka_unit_test(test_pair_pulls_at_every_level),
                                       cmocka_unit_test(test_plane_pulls_no_ball),
                                       cmocka_unit_test(test_box_falls_freely_until_it_meets)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

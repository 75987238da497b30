// Bodies in scenes: what is read, what it becomes, and what every wrong one says.
#include "folder.h"
#include "moving_cube.h"
#include "scene_text.h"

#include "base/vec.h"
#include "rigid/body_plan.h"
#include "rigid/rigid_partner.h"
#include "scene/scene_sim.h"
#include "scene/survey.h"

#define POOL "pool { depth = 0.3 }"

static void bad(const char* domain, const char* bodies, mn_status status, const char* part)
{
    bad_list("bodies", domain, bodies, status, part);
}

static void bad_body(const char* body, const char* part) { bad(BOX3, body, MN_BAD_SCENE, part); }
static void bad_flat(const char* body, const char* part) { bad(BOX2, body, MN_BAD_SCENE, part); }

static Scene good(const char* domain, const char* top)
{
    Scene s;
    CHECK_OK(load_parts(&s, domain, POOL, top));
    return s;
}

#define AT "center = { 0.5, 0.5, 0.5 }, radius = 0.2"

static void test_wrong_values(void** state)
{
    (void)state;
    bad_body("sphere { " AT " }", "dir/x.lua:3: bodies[1].density: missing; expected density in kg/m^3, or mass in kg");
    bad_body("sphere { " AT ", density = 500, mass = 1 }", "bodies[1].mass: give density or mass, not both");
    bad_body("sphere { " AT ", density = 0 }", "bodies[1].density: expected a positive density in kg/m^3, got 0");
    bad_body("sphere { " AT ", mass = -2 }", "bodies[1].mass: expected a positive mass in kg, got -2");
    bad_body("sphere { " AT ", mass = \"heavy\" }", "bodies[1].mass: expected a positive mass in kg, got the text \"heavy\"");
    bad_body("sphere { " AT ", mass = 1e-310 }", "expected a mass and a density that numbers can hold");
    bad_body("sphere { " AT ", densty = 1 }", "bodies[1].densty: unknown key; did you mean 'density'?");
    bad_body("sphere { " AT ", density = 1, fixed = \"x\" }", "bodies[1].fixed: expected a list");
    bad_body("sphere { " AT ", density = 1, fixed = { \"w\" } }", "bodies[1].fixed");
    bad_flat("sphere { center = { 0.5, 0.5 }, radius = 0.2, density = 1, fixed = { \"z\" } }", "bodies[1].fixed");
    bad_body("sphere { " AT ", density = 1, fixed = { \"y\" }, velocity = { 0, 1, 0 } }",
             "bodies[1].velocity: expected 0 where `fixed` holds the body, got 1");
    bad_body("sphere { " AT ", density = 1, fixed = { \"turn\" }, spin = { 0, 0, 3 } }",
             "bodies[1].spin: expected 0 where `fixed` holds the body, got 3");
    bad_body("sphere { " AT ", density = 1, spin = 3 }", "bodies[1].spin: expected three numbers");
    bad_body("sphere { " AT ", density = 1, contact_angle = 4 }", "bodies[1].contact_angle");
    bad_body("sphere { " AT ", density = 1, look = \"wool\" }", "bodies[1].look");
    bad_body("sphere { " AT ", density = 1, position = { 0, 0, 0 } }", "bodies[1].position: unknown key");
    bad_body("sphere { " AT ", density = 1, contact_angle = { advancing = degrees(70), receding = degrees(110) } }",
             "bodies[1].contact_angle");
    bad_body("sphere { " AT ", density = 1, film = true, contact_angle = 2 }",
             "bodies[1].contact_angle: no liquid touches a body with film = true");
    bad_body("3", "bodies[1]: expected sphere { ... } or { mjcf = ... }, got 3");
}

static void test_wrong_places(void** state)
{
    (void)state;
    bad_body("halfspace { point = { 0, 0.2, 0 }, normal = { 0, 1, 0 }, density = 1 }",
             "dir/x.lua:3: bodies[1]: expected a shape of finite size, got one without end along x");
    bad_body("pool { depth = 0.2, density = 1 }", "expected a shape of finite size");
    bad_body("sphere { center = { 0.5, 0.5, 2 }, radius = 0.2, density = 1 }",
             "bodies[1]: expected a body wholly in the box, 0 to 1 m along z; it spans 1.8 to 2.2");
    bad_body("sphere { center = { 0.1, 0.5, 0.5 }, radius = 0.2, density = 1 }",
             "bodies[1]: expected a body wholly in the box, 0 to 1 m along x; it spans -0.1 to 0.3");
    bad_flat("difference { sphere { center = { 0.5, 0.5 }, radius = 0.1 }, sphere { center = { 0.5, 0.5 }, radius = 0.2 }, "
             "density = 1 }",
             "bodies[1]: the shape has no volume");
    bad_flat("sphere { center = { 0.5, 0.5 }, radius = 0.001, density = 1 }", "bodies[1]: is too thin to be seen by cells of");
    bad_flat("sphere { center = { 0.5, 0.5 }, radius = 0.2, density = 1, name = \"a\" }, "
             "sphere { center = { 0.8, 0.5 }, radius = 0.2, density = 1 }",
             "bodies[2]: overlaps body \"a\" (line 3); move them apart");
    bad_flat("sphere { center = { 0.5, 0.5 }, radius = 0.2, density = 1, name = \"a\" }, "
             "sphere { center = { 1.5, 0.5 }, radius = 0.2, density = 1, name = \"a\" }",
             "bodies[2].name: a body is called \"a\" already");
}

// As written, and where a function of time puts it.
static void test_overlap_with_solids(void** state)
{
    (void)state;
    static const char* const solids[] = {
        "box { low = { 0, 0 }, high = { 0.4, 1 } }",
        "box { low = { 0, 0 }, high = { 0.1, 1 }, position = function(t) return { 0.3, 0 } end }"};
    for (int m = 0; m < 2; m++) {
        char top[1000];
        Scene s;
        snprintf(top, sizeof top, "solids = { %s }, bodies = { sphere { center = { 0.5, 0.5 }, radius = 0.2, density = 1 } }",
                 solids[m]);
        check_message(load_parts(&s, BOX2, POOL, top), MN_BAD_SCENE, "bodies[1]: overlaps solid \"solid1\"");
    }
}

static void test_what_does_not_go_together(void** state)
{
    (void)state;
    Scene s;
    check_message(load_parts(&s, BOX3, POOL, "numerics = { tension = \"split\" }, bodies = { sphere { " AT ", density = 1 } }"),
                  MN_UNSUPPORTED, "bodies: split tension does not see bodies; use numerics.tension = \"auto\", \"implicit\" or");
}

// Mass from density and the other way round; the solid that shows a body turns about its centre of mass.
static void test_what_is_read(void** state)
{
    (void)state;
    Scene s =
        good(BOX3, "solids = { box { low = { 0, 0, 0 }, high = { 1, 0.1, 1 } } }, bodies = {"
                   "sphere { " AT ", density = 250, velocity = { 1, 2, 3 }, spin = { 4, 5, 6 }, fixed = { \"z\" , \"turn_x\" },"
                   "  velocity = { 1, 2, 0 }, spin = { 0, 5, 6 }, name = \"ball\", look = \"red\", contact_angle = 1 },"
                   "box { low = { 0.8, 0.8, 0.8 }, high = { 1, 1, 1 }, mass = 4 } }");
    double volume = 4*PI*0.008/3;
    assert_int_equal(s.solid_count, 3);
    assert_int_equal(s.body_count, 2);
    const SceneSolid* ball = &s.solids[1];
    assert_string_equal(ball->name, "ball");
    assert_string_equal(s.solids[2].name, "body2");
    assert_true(ball->is_body && ball->moving && !s.solids[0].is_body);
    CHECK_CLOSE(s.bodies[0].mass, 250*volume, 1e-12);
    CHECK_CLOSE(s.bodies[1].density, 500, 1e-12);
    const BodyPlan* plan = s.plans;
    CHECK_CLOSE(plan->mass, 250*volume, 1e-12);
    CHECK_CLOSE(plan->inertia[1][1], 0.4*250*volume*0.04, 1e-12);
    for (int d = 0; d < 3; d++) CHECK_CLOSE(ball->pivot[d], 0.5, 1e-12);
    CHECK_CLOSE(plan->velocity[1], 2, 0);
    CHECK_CLOSE(plan->spin[2], 6, 0);
    assert_int_equal(plan->fixed, FIXED_Z | FIXED_TURN_X);
    assert_int_equal(plan->solid, 1);
    assert_true(plan->is_round && !s.plans[1].is_round);
    scene_free(&s);
}

// Points of the skin lie on it, about a cell apart; boxes have their corners.
static void test_skin(void** state)
{
    (void)state;
    Scene s =
        good(BOX3, "bodies = { sphere { " AT ", density = 1 }, box { low = { 0.8, 0.8, 0.8 }, high = { 1, 1, 1 }, mass = 4 } }");
    const BodyPlan *ball = &s.plans[0], *box = &s.plans[1];
    double area = 4*PI*0.04/(s.dx*s.dx), nearest = INFINITY;
    for (int m = 0; m < ball->skin_points; m++) {
        double from[3];
        vec_sub(from, ball->skin + 3*m, ball->center);
        CHECK_CLOSE(vec_norm(from), 0.2, 1e-6);
    }
    CHECK_LESS(0.5*area, ball->skin_points);
    CHECK_LESS(ball->skin_points, 4*area);
    for (int m = 0; m < box->skin_points; m++) {
        double from[3];
        vec_sub(from, box->skin + 3*m, ((double[3]){1, 1, 1}));
        nearest = fmin(nearest, vec_norm(from));
    }
    CHECK_LESS(nearest, 0.05*s.dx);
    scene_free(&s);
}

// Primitives and what is joined of them are exact; anything else is a hull.
static void test_forms(void** state)
{
    (void)state;
    Scene s =
        good(BOX3,
             "bodies = {"
             "rotate { union { capsule { from = { 0.5, 0.2, 0.5 }, to = { 0.5, 0.4, 0.5 }, radius = 0.05 }, sphere { center = {"
             " 0.5, 0.4, 0.5 }, radius = 0.1 } }, axis = { 0, 0, 1 }, angle = degrees(90), about = { 0.5, 0.3, 0.5 }, mass = 1 },"
             "torus { center = { 0.5, 0.8, 0.5 }, radius = 0.2, tube = 0.1, mass = 1 } }");
    const BodyPlan* p = s.plans;
    assert_int_equal(p[0].forms, 2);
    assert_int_equal(p[0].form[0].kind, FORM_CAPSULE);
    CHECK_CLOSE(p[0].form[0].size[1], 0.1, 1e-12);
    CHECK_CLOSE(fabs(p[0].form[0].rotation[0][2]), 1, 1e-12);  // lies along x now
    assert_int_equal(p[0].form[1].kind, FORM_BALL);
    CHECK_CLOSE(p[0].form[1].center[0], 0.4, 1e-12);
    CHECK_CLOSE(p[0].form[1].center[1], 0.3, 1e-12);
    assert_int_equal(p[1].forms, 1);
    assert_int_equal(p[1].form[0].kind, FORM_HULL);
    assert_int_equal(p[1].form[0].points, p[1].skin_points);
    scene_free(&s);
}

// Solids as contacts know them: what can be cut into boxes is exact, in its pose; a round hole or a motion is not.
static void test_solids_that_stop_bodies(void** state)
{
    (void)state;
    Scene s = good(BOX2, "bodies = { sphere { center = { 1, 0.5 }, radius = 0.1, density = 1 } }, solids = {"
                         "difference { box { low = { 0.6, 0 }, high = { 1.4, 0.9 } },"
                         "box { low = { 0.7, 0.1 }, high = { 1.3, 2 } }, position = { 0.1, 0 } },"
                         "intersection { halfspace { point = { 0.1, 0 }, normal = { 1, 0 } }, pool { depth = 0.5 } },"
                         "halfspace { point = { 1.9, 0 }, normal = { -1, 0.1 } },"
                         "difference { box { low = { 0.2, 0 }, high = { 0.5, 0.3 } },"
                         "sphere { center = { 0.4, 0.3 }, radius = 0.1 } }, box { low = { 1.6, 0.6 }, high = { 1.7, 0.7 }, "
                         "position = function(t) return { 0, t } end } }");
    const BodyForm* f = s.stills;
    assert_int_equal(s.still_count, 5);
    CHECK_CLOSE(f[0].center[0], 0.75, 1e-12);  // the left wall of the glass, all of its height
    CHECK_CLOSE(f[0].size[0], 0.05, 1e-12);
    CHECK_CLOSE(f[0].size[1], 0.45, 1e-12);
    CHECK_CLOSE(f[2].center[1], 0.05, 1e-12);  // its floor
    CHECK_CLOSE(f[2].size[0], 0.3, 1e-12);
    CHECK_CLOSE(f[3].center[0] + f[3].size[0], 0.1, 1e-12);
    CHECK_CLOSE(f[3].center[1] + f[3].size[1], 0.5, 1e-12);
    double normal[2] = {-1/sqrt(1.01), 0.1/sqrt(1.01)};
    double off = (f[4].center[0] - 1.9)*normal[0] + f[4].center[1]*normal[1];
    CHECK_CLOSE(off, -f[4].size[0], 1e-12);
    for (int m = 0; m < 5; m++) assert_int_equal(s.solids[m].meets_skin, m >= 3);
    scene_free(&s);
}

// A cube of 4 units of its file, at 5 cm per unit, as a mesh. One whose vertices move is refused.
static void grow(double out[3], const double x[3], double t)
{
    for (int d = 0; d < 3; d++) out[d] = x[d]*(1 + t);
}

static void test_meshes(void** state)
{
    (void)state;
    static const char text[] =
        "return scene { domain = { " BOX3 " }, liquids = { " POOL " }, frames = { rate = 1, count = 1 }, bodies = {"
        " move { mesh { file = 'cube.obj', scale = 0.05%s }, by = { 0.5, 0.5, 0.5 }, density = 500 } } }";
    char scene[1000];
    Scene s;
    cube_write_obj(in("cube.obj"), NULL, 0);
    cube_write_pc2(in("cube.pc2"), grow, 3, 1);
    snprintf(scene, sizeof scene, text, "");
    CHECK_OK(scene_load_text(&s, in("a.lua"), scene));
    CHECK_CLOSE(s.bodies[0].mass, 500*0.2*0.2*0.2, 1e-9);
    assert_int_equal(s.plans[0].form[0].kind, FORM_HULL);
    scene_free(&s);
    snprintf(scene, sizeof scene, text, ", cache = 'cube.pc2', cache_rate = 1");
    check_message(scene_load_text(&s, in("a.lua"), scene), MN_UNSUPPORTED, "bodies[1]: a mesh that moves");
}

// The simulation has a solid and a rigid body for each.
static void test_simulation(void** state)
{
    (void)state;
    Scene s =
        good(BOX2, "bodies = { sphere { center = { 0.5, 0.5 }, radius = 0.2, density = 500, velocity = { 0.5, 0 }, spin = 2 } }");
    Sim sim;
    CHECK_OK(scene_build(&sim, &s));
    const RigidPartner* p = rigid_partner_of(&sim.world);
    assert_non_null(p);
    assert_int_equal(p->rigid.bodies, 1);
    assert_int_equal(sim.world.solids.count, 1);
    double twist[TWIST];
    rigid_twist(twist, &p->rigid, 0, p->rigid.v);
    CHECK_CLOSE(twist[0], 0.5, 1e-12);
    CHECK_CLOSE(twist[5], 2, 1e-12);
    CHECK_CLOSE(p->rigid.body[0].mass, 500*PI*0.04, 1e-12);
    sim_free(&sim);
    scene_free(&s);
}

// A block of 600 kg/m^3 floats with 600/998.2 of it under water; a wire of 20 x 2 mm weighs V (rho - rho_water) g in water, and
// its longest level edge is 2 (20 + 2) mm.
static void test_floats_or_sinks(void** state)
{
    (void)state;
    Scene s;
    CHECK_OK(load_parts(&s, "size = { 0.08, 0.04, 0.04 }, cells = 32", "pool { depth = 0.01 }",
                        "bodies = { box { low = { 0.01, 0.01, 0.01 }, high = { 0.02, 0.02, 0.02 }, density = 600 }, "
                        "cylinder { from = { 0.03, 0.02, 0.02 }, to = { 0.05, 0.02, 0.02 }, radius = 0.001, density = 2000 } }"));
    BodySurvey block, wire;
    survey_body(&block, &s, &s.bodies[0]);
    survey_body(&wire, &s, &s.bodies[1]);
    const Material* water = &s.liquids[0].material;
    assert_int_equal(block.liquids, 1);
    CHECK_CLOSE(block.in[0].under, 600/water->rho, 1e-12);
    CHECK_LESS(1, wire.in[0].under);
    CHECK_CLOSE(wire.in[0].weight, 9.81*(2000 - water->rho)*PI*1e-6*0.02, 1e-9);
    CHECK_CLOSE(wire.in[0].tension, water->sigma*0.044, 0.01);
    scene_free(&s);
    CHECK_OK(load_parts(&s, "size = { 0.08, 0.04 }, cells = 32", "pool { depth = 0.01 }",
                        "bodies = { sphere { center = { 0.03, 0.02 }, radius = 0.005, density = 2000 } }"));
    survey_body(&wire, &s, &s.bodies[0]);
    CHECK_CLOSE(wire.in[0].tension, 2*s.liquids[0].material.sigma, 1e-12);  // an edge on either side
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_values),
        cmocka_unit_test(test_wrong_places),
        cmocka_unit_test(test_overlap_with_solids),
        cmocka_unit_test(test_what_does_not_go_together),
        cmocka_unit_test(test_what_is_read),
        cmocka_unit_test(test_skin),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_solids_that_stop_bodies),
        IN_FOLDER(test_meshes),
        cmocka_unit_test(test_simulation),
        cmocka_unit_test(test_floats_or_sinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

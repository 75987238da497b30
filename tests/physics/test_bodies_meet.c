// Bodies that meet each other and solids in a liquid, by MuJoCo, as scenes have them.
#include "scene_text.h"

#include "base/vec.h"
#include "rigid/rigid_mujoco.h"
#include "rigid/rigid_partner.h"
#include "scene/scene_sim.h"

#define GLASS "difference { box { low = { 0.1, 0.1 }, high = { 0.9, 0.95 } }, box { low = { 0.2, 0.2 }, high = { 0.8, 1 } } }"
#define IDEAL "material { rho = 1000, sigma = 0, mu = 0 }"

typedef struct Meeting {
    Scene scene;
    Sim sim;
} Meeting;

static void start(Meeting* m, const char* domain, const char* liquid, const char* top)
{
    CHECK_OK(load_parts(&m->scene, domain, liquid, top));
    CHECK_OK(scene_build(&m->sim, &m->scene));
    CHECK_OK(sim_start(&m->sim));
}

static void end(Meeting* m)
{
    sim_free(&m->sim);
    scene_free(&m->scene);
}

static const RigidBody* body(const Meeting* m, int b) { return &rigid_partner_of(&m->sim.world)->rigid.body[b]; }

static void twist_of(double twist[TWIST], const Meeting* m, int b)
{
    const Rigid* r = &rigid_partner_of(&m->sim.world)->rigid;
    rigid_twist(twist, r, b, r->v);
}

static int contacts(const Meeting* m, int b) { return rigid_partner_of(&m->sim.world)->report[b].contacts; }

// Two discs in a full, closed box without gravity run into each other in its middle. All of it is its own mirror image, so walls
// take nothing along x: what one loses the other gains. They keep half a cell apart.
static void test_collide_under_water(void** state)
{
    (void)state;
    Meeting m;
    bool met = false;
    double a[TWIST], b[TWIST];
    if (!rigid_mujoco_is_there()) skip();
    start(&m, "size = { 2, 1 }, cells = 64", "box { low = { 0, 0 }, high = { 2, 1 }, material = " IDEAL " }",
          "gravity = { 0, 0 }, bodies = {"
          "sphere { center = { 0.6, 0.5 }, radius = 0.15, density = 3000, velocity = { 1, 0 } },"
          "sphere { center = { 1.4, 0.5 }, radius = 0.15, density = 3000, velocity = { -1, 0 } } }");
    while (m.sim.world.time < 0.9) {
        CHECK_OK(sim_step(&m.sim, 0.02));
        twist_of(a, &m, 0), twist_of(b, &m, 1);
        CHECK_LESS(fabs(a[0] + b[0]), 1e-4);
        CHECK_LESS(0.3, body(&m, 1)->center[0] - body(&m, 0)->center[0]);
        met = met || contacts(&m, 0) > 0;
    }
    double gap = body(&m, 1)->center[0] - body(&m, 0)->center[0] - 0.3;
    print_message("gap %.3f cells, v %.4f %.4f\n", gap/m.scene.dx, a[0], b[0]);
    assert_true(met);
    CHECK_LESS(0.45*m.scene.dx, gap);
    end(&m);
}

// Two blocks on each other and on the floor under water stay there, upright, at rest: half a cell over the floor, 1.1 between
// them. With half a cell there too the grid saw pockets without a way out between them: forces of ten times their weight, steps
// that failed.
static void test_stack_rests(void** state)
{
    (void)state;
    Meeting m;
    double a[TWIST], b[TWIST];
    if (!rigid_mujoco_is_there()) skip();
    start(&m, "size = { 1, 1 }, cells = 40", "pool { depth = 0.7, material = " IDEAL " }",
          "bodies = { box { low = { 0.3, 0.02 }, high = { 0.7, 0.22 }, density = 2500 },"
          "           box { low = { 0.4, 0.25 }, high = { 0.6, 0.45 }, density = 2000 } }");
    while (m.sim.world.time < 0.6) CHECK_OK(sim_step(&m.sim, 0.01));
    double dx = m.scene.dx;
    twist_of(a, &m, 0), twist_of(b, &m, 1);
    print_message("heights %.4f %.4f, speeds %.1e %.1e\n", body(&m, 0)->center[1], body(&m, 1)->center[1], vec_norm(a),
                  vec_norm(b));
    CHECK_WITHIN(body(&m, 0)->center[1], 0.1 + 0.5*dx, 0.05*dx);
    CHECK_WITHIN(body(&m, 1)->center[1], 0.3 + 1.6*dx, 0.05*dx);
    // buoyancy is all that the liquid does: rho g V
    const BodyReport* report = rigid_partner_of(&m.sim.world)->report;
    CHECK_WITHIN(report[0].pressure[1], 9810*0.08, 9810*0.08*0.02);
    CHECK_WITHIN(report[1].pressure[1], 9810*0.04, 9810*0.04*0.02);
    CHECK_WITHIN(body(&m, 1)->rotation[1][0], 0, 0.01);
    CHECK_LESS(vec_norm(a), 0.01);
    CHECK_LESS(vec_norm(b), 0.02);
    assert_true(contacts(&m, 0) >= 4 && contacts(&m, 1) >= 2);
    end(&m);
}

// Ice in a glass, which is a box without a box, heaves about where 0.917 of it is under water. The level L follows from the
// volume: W L = liquid + what of the cube is under L. At 10 cells across it lies 0.2 cells too deep, at 19 less than 0.1.
static void test_ice_floats_in_a_glass(void** state)
{
    (void)state;
    Meeting m;
    double sum = 0, time = 0;
    if (!rigid_mujoco_is_there()) skip();
    start(&m, "size = { 1, 1 }, cells = 80, sides = { top = \"open\" }",
          "box { low = { 0.2, 0.2 }, high = { 0.8, 0.6 }, material = " IDEAL " }",
          "solids = { " GLASS " }, bodies = { box { low = { 0.38, 0.38 }, high = { 0.62, 0.62 }, density = 917 } }");
    assert_false(m.scene.solids[0].meets_skin);
    double liquid = m.sim.world.liquid[0].cells.volume, W = 0.6, side = 0.24;
    while (m.sim.world.time < 2) {
        CHECK_OK(sim_step(&m.sim, 0.02));
        double bottom = body(&m, 0)->center[1] - 0.5*side - 0.2;
        double under = (liquid/W - bottom)/(1 - side/W)/side;  // (L - bottom)/side
        sum += under*m.sim.report.dt, time += m.sim.report.dt;
    }
    print_message("under water: %.4f\n", sum/time);
    CHECK_WITHIN(sum/time, 0.917, 0.01);
    end(&m);
}

// A heavy disc falls into the glass and stays in it.
static void test_solids_hold_bodies(void** state)
{
    (void)state;
    Meeting m;
    if (!rigid_mujoco_is_there()) skip();
    start(&m, "size = { 1, 1 }, cells = 40, sides = { top = \"open\" }",
          "box { low = { 0.2, 0.2 }, high = { 0.8, 0.5 }, material = " IDEAL " }",
          "solids = { " GLASS
          " }, bodies = { sphere { center = { 0.4, 0.7 }, radius = 0.1, density = 4000, velocity = { -1, 0 } } }");
    double low = 1, left = 1;
    while (m.sim.world.time < 0.8) {
        CHECK_OK(sim_step(&m.sim, 0.02));
        low = fmin(low, body(&m, 0)->center[1]), left = fmin(left, body(&m, 0)->center[0]);
    }
    print_message("lowest %.4f, leftmost %.4f\n", low, left);
    CHECK_LESS(0.3, low);
    CHECK_LESS(0.3, left);
    CHECK_WITHIN(body(&m, 0)->center[1], 0.3 + 0.5*m.scene.dx, 0.1*m.scene.dx);
    end(&m);
}

// A heavy disc slides down a round bowl, which is no form that contacts know, half a cell over it all the way.
static void test_round_bowl(void** state)
{
    (void)state;
    Meeting m;
    if (!rigid_mujoco_is_there()) skip();
    start(&m, "size = { 1, 1 }, cells = 40, sides = { top = \"open\" }",
          "difference { sphere { center = { 0.5, 0.6 }, radius = 0.4 }, box { low = { 0, 0.4 }, high = { 1, 1 } },"
          " material = material { rho = 1000, sigma = 0, mu = 3 } }",
          "solids = { difference { box { low = { 0, 0 }, high = { 1, 0.6 } }, sphere { center = { 0.5, 0.6 }, radius = 0.4 } } },"
          "bodies = { sphere { center = { 0.28, 0.5 }, radius = 0.1, density = 4000, friction = 0 } }");
    assert_true(m.scene.solids[0].meets_skin);
    double least = 1, x[3] = {0, 0, 0};
    while (m.sim.world.time < 1.5) {
        CHECK_OK(sim_step(&m.sim, 0.02));
        vec_sub(x, body(&m, 0)->center, ((double[3]){0.5, 0.6, 0}));
        least = fmin(least, 0.4 - 0.1 - vec_norm(x));
    }
    print_message("nearest to the bowl %.3f cells, at the end (%.4f, %.4f)\n", least/m.scene.dx, x[0], x[1]);
    CHECK_LESS(0.4*m.scene.dx, least);
    CHECK_WITHIN(x[0], 0, 0.1);
    CHECK_WITHIN(vec_norm(x), 0.3 - 0.5*m.scene.dx, 0.1*m.scene.dx);
    end(&m);
}

// A wall that moves at 0.5 m/s pushes a block along in front of it, without gravity, in air: momentum and energy it has then come
// from the wall, and the books say so. The wall stops; the block goes on.
static void test_moving_wall_pushes(void** state)
{
    (void)state;
    Meeting m;
    double twist[TWIST], work = 0;
    if (!rigid_mujoco_is_there()) skip();
    start(&m, "size = { 2, 1 }, cells = 40", "box { low = { 0, 0 }, high = { 2, 0.1 }, material = " IDEAL " }",
          "gravity = { 0, 0 }, solids = { box { low = { 0, 0.3 }, high = { 0.3, 0.8 },"
          " position = function(t) return { 0.5*math.min(t, 0.8), 0 } end } },"
          "bodies = { box { low = { 0.45, 0.4 }, high = { 0.65, 0.7 }, density = 2000 } }");
    double mass = m.scene.bodies[0].mass;
    while (m.sim.world.time < 1.2) {
        CHECK_OK(sim_step(&m.sim, 0.01));
        work += rigid_partner_of(&m.sim.world)->work;
        if (m.sim.world.time < 0.79) CHECK_LESS(0.95*m.scene.dx, body(&m, 0)->center[0] - 0.1 - 0.3 - 0.5*m.sim.world.time);
    }
    twist_of(twist, &m, 0);
    print_message("speed %.5f, turning %.1e, work %.5f of %.5f J\n", twist[0], twist[5], work, mass*0.25);
    CHECK_WITHIN(twist[0], 0.5, 1e-3);
    CHECK_WITHIN(twist[5], 0, 1e-3);
    CHECK_WITHIN(work, mass*0.5*0.5, 0.05*mass*0.25);  // F.V of the wall: half of it is lost where nothing bounces
    end(&m);
}

// A liquid that fills a hollow in a solid, beside a pool of its kind, and is said to be 2 % more than there is room for (as where
// bodies that roll on each other leave it less): the pool gets what does not fit, and the ledger stays as it is.
static void test_what_does_not_fit_is_handed_on(void** state)
{
    (void)state;
    Meeting m;
    start(&m, "size = { 1, 1 }, cells = 40",
          "pool { depth = 0.2, material = " IDEAL " }, box { low = { 0.3, 0.5 }, high = { 0.7, 0.8 }, material = " IDEAL " }",
          "solids = { difference { box { low = { 0.1, 0.4 }, high = { 0.9, 0.9 } }, box { low = { 0.32, 0.53 }, high = { 0.67, "
          "0.77 } } } }");
    assert_int_equal(m.sim.world.liquid_count, 2);
    Liquid *pool = &m.sim.world.liquid[0], *pocket = &m.sim.world.liquid[1];
    double more = 0.02*pocket->target_volume, had = pool->target_volume, room = pocket->cells.volume;
    pocket->kind = pool->kind, pocket->target_volume += more, m.sim.world.ledger.input += more;
    CHECK_OK(sim_step(&m.sim, 0.001));
    CHECK_WITHIN(m.sim.world.liquid[1].target_volume, room, 1e-12);
    CHECK_WITHIN(m.sim.world.liquid[0].target_volume, had + more, 1e-12);
    CHECK_LESS(fabs(sim_ledger_error(&m.sim)), 1e-12);
    end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collide_under_water),
        cmocka_unit_test(test_stack_rests),
        cmocka_unit_test(test_ice_floats_in_a_glass),
        cmocka_unit_test(test_solids_hold_bodies),
        cmocka_unit_test(test_round_bowl),
        cmocka_unit_test(test_moving_wall_pushes),
        cmocka_unit_test(test_what_does_not_fit_is_handed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

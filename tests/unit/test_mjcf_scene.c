// MJCF files in scenes: what becomes of them, and what every wrong one says.
#include "folder.h"
#include "scene_text.h"

#include "base/vec.h"
#include "rigid/rigid_mujoco.h"
#include "rigid/rigid_partner.h"
#include "scene/scene_sim.h"

// A pair of links in the plane, the second with a motor, and a post that stands.
static const char PAIR[] =
    "<mujoco><worldbody><geom name='post' type='box' pos='0.6 -0.3 0' size='0.05 0.1 0.1'/>"
    "<body name='arm'><joint name='x' type='slide' axis='1 0 0'/><joint name='y' type='slide' axis='0 1 0'/>"
    "<joint name='turn' axis='0 0 1'/><geom type='capsule' size='0.05' fromto='0 0 0 0.2 0 0' mass='7'/>"
    "<body name='hand/1' pos='0.2 0 0'><joint name='elbow' axis='0 0 1'/>"
    "<geom type='capsule' size='0.05' fromto='0 0 0 0.2 0 0' mass='3'/></body></body></worldbody>"
    "<actuator><motor name='pull' joint='elbow'/></actuator></mujoco>";

static mn_status load(Scene* s, const char* domain, const char* bodies)
{
    char text[4000];
    snprintf(text, sizeof text,
             "return scene { domain = { %s }, liquids = { pool { depth = 0.3 } }, frames = { rate = 10, count = 1 },\n"
             "bodies = { %s } }",
             domain, bodies);
    return scene_load_text(s, in("a.lua"), text);
}

static void bad(const char* bodies, mn_status status, const char* part)
{
    Scene s;
    check_message(load(&s, BOX2, bodies), status, part);
    assert_null(s.text);
}

static void bad_file(const char* xml, mn_status status, const char* part)
{
    write_text("bad.xml", xml);
    bad("mjcf = 'bad.xml', at = { 1, 0.5 }", status, part);
}

static bool missing(void)
{
    if (rigid_mujoco_is_there()) return false;
    write_text("pair.xml", PAIR);
    bad("mjcf = 'pair.xml', at = { 1, 0.5 }", MN_UNSUPPORTED, "libmujoco-dev");
    return true;
}

// Bodies in the order scene, file; the file's parts have its masses and centres, and may share room at joints.
static void test_what_is_read(void** state)
{
    (void)state;
    Scene s;
    Sim sim;
    if (missing()) return;
    write_text("pair.xml", PAIR);
    CHECK_OK(load(&s, BOX2,
                  "{ mjcf = 'pair.xml', at = { 1, 0.5 }, look = 'red', contact_angle = 1, speeds = { turn = 0.5 },"
                  " drives = { elbow = function(t) return t end }, controls = { pull = function(t) return 2 end } },"
                  "sphere { center = { 0.3, 0.5 }, radius = 0.1, density = 500 }"));
    assert_int_equal(s.body_count, 3);
    assert_int_equal(s.plan_count, 1);
    assert_int_equal(s.solid_count, 4);
    assert_string_equal(s.solids[s.bodies[1].solid].name, "arm");
    assert_string_equal(s.solids[s.bodies[2].solid].name, "hand_1");
    const SceneSolid* arm = &s.solids[s.bodies[1].solid];
    CHECK_CLOSE(s.bodies[1].mass, 7, 1e-12);
    CHECK_CLOSE(arm->pivot[0], 1.1, 1e-12);
    CHECK_CLOSE(s.bodies[1].volume, 0.2*0.1 + PI*0.0025, 1e-3);
    CHECK_CLOSE(shape_distance(arm->shape, (double[3]){1.1, 0.6, 0}), 0.05, 1e-12);
    assert_true(!s.solids[1].is_body && s.solids[1].of_file);
    CHECK_CLOSE(shape_distance(s.solids[1].shape, (double[3]){1.6, 0.4, 0}), 0.1, 1e-12);
    CHECK_OK(scene_build(&sim, &s));
    const Rigid* r = &rigid_partner_of(&sim.world)->rigid;
    assert_int_equal(r->bodies, 3);
    assert_string_equal(r->body[2].name, "hand_1");
    assert_int_equal(r->body[2].solid, s.bodies[2].solid);
    CHECK_OK(sim_start(&sim));
    for (int step = 0; step < 3; step++) CHECK_OK(sim_step(&sim, 1e-3));  // the first catches up
    double arm_twist[TWIST], hand[TWIST];
    rigid_twist(arm_twist, r, 1, r->v), rigid_twist(hand, r, 2, r->v);
    CHECK_CLOSE(arm_twist[5], 0.5, 1e-4);
    CHECK_CLOSE(hand[5] - arm_twist[5], 1, 1e-4);
    sim_free(&sim);
    scene_free(&s);
}

// A wire of 1 cell in a file is seen 3 cells thick, as one of the scene is; what is 4 cells thick is seen as it is.
static void test_thin_parts(void** state)
{
    (void)state;
    Scene s;
    Sim sim;
    if (missing()) return;
    write_text("legs.xml",
               "<mujoco><worldbody><body name='leg'><joint type='slide' axis='0 1 0'/>"
               "<geom type='capsule' size='0.03125' fromto='0 0 0 0.3 0 0' mass='1'/>"
               "<body name='foot'><joint axis='0 0 1'/><geom size='0.125' mass='1'/></body></body></worldbody></mujoco>");
    CHECK_OK(load(&s, BOX2, "mjcf = 'legs.xml', at = { 1, 0.5 }"));
    CHECK_OK(scene_build(&sim, &s));
    const Rigid* r = &rigid_partner_of(&sim.world)->rigid;
    CHECK_CLOSE(s.dx, 0.0625, 1e-12);
    CHECK_CLOSE(r->body[0].thicker, s.dx, 1e-9);
    CHECK_CLOSE(r->body[1].thicker, 0, 0);
    sim_free(&sim);
    scene_free(&s);
}

// In 3D z of the file is up.
static void test_up(void** state)
{
    (void)state;
    Scene s;
    if (missing()) return;
    write_text("pole.xml", "<mujoco><worldbody><body name='pole'><freejoint/><geom type='cylinder' size='0.05 0.2' mass='1'/>"
                           "<geom type='ellipsoid' pos='0 0 0.2' size='0.1 0.06 0.04' mass='1'/></body></worldbody></mujoco>");
    CHECK_OK(load(&s, BOX3, "mjcf = 'pole.xml', at = { 0.5, 0.5, 0.5 }"));
    const Shape* pole = s.solids[0].shape;
    CHECK_CLOSE(s.solids[0].pivot[1], 0.6, 1e-12);
    CHECK_CLOSE(shape_distance(pole, (double[3]){0.5, 0.2, 0.5}), 0.1, 1e-9);
    CHECK_CLOSE(shape_distance(pole, (double[3]){0.7, 0.7, 0.5}), 0.1, 1e-9);
    CHECK_CLOSE(shape_distance(pole, (double[3]){0.5, 0.7, 0.66}), 0.1, 1e-9);
    scene_free(&s);
    CHECK_OK(load(&s, BOX3, "mjcf = 'pole.xml', at = { 0.5, 0.5, 0.5 }, up = 'y'"));
    CHECK_CLOSE(s.solids[0].pivot[2], 0.6, 1e-12);
    scene_free(&s);
}

static void test_wrong_values(void** state)
{
    (void)state;
    if (missing()) return;
    write_text("pair.xml", PAIR);
#define PAIR_AT "mjcf = 'pair.xml', at = { 1, 0.5 }"
    bad("mjcf = 3", MN_BAD_SCENE, "bodies.mjcf: expected the path of an MJCF file");
    bad("mjcf = 'none.xml'", MN_IO, "none.xml");
    bad("mjcf = '/etc/passwd'", MN_BAD_SCENE, "bodies.mjcf: /etc/passwd");
    bad(PAIR_AT ", drive = {}", MN_BAD_SCENE, "bodies.drive: unknown key; did you mean 'drives'?");
    bad(PAIR_AT ", drives = { elbow = 'x' }", MN_BAD_SCENE, "bodies.drives.elbow: expected a number or a function of time");
    bad(PAIR_AT ", drives = { elbow = function(t) return 'x' end }", MN_BAD_SCENE, "must return one finite number");
    bad(PAIR_AT ", drives = { elbow = function(t) return 1 + t end }", MN_BAD_SCENE,
        "bodies.drives.elbow: expected 0 at t = 0, where the file has the joint (let it grow from there), got 1");
    bad(PAIR_AT ", controls = { push = 1 }", MN_BAD_SCENE, "bodies.controls: pair.xml has no actuator \"push\"");
    bad(PAIR_AT ", unit_length = 0", MN_BAD_SCENE, "bodies.unit_length: expected a positive length");
    bad(PAIR_AT ", { " PAIR_AT " }", MN_UNSUPPORTED, "bodies[1].mjcf: a scene has one MJCF file");
    bad("mjcf = 'pair.xml', at = { 1.9, 0.5 }", MN_BAD_SCENE,
        "bodies.mjcf: body \"arm\": expected a body wholly in the box, 0 to 2 m along x; it spans 1.85 to 2.15");
    bad(PAIR_AT ", sphere { center = { 1, 0.5 }, radius = 0.2, density = 1 }", MN_BAD_SCENE,
        "body \"arm\": overlaps body \"body1\"");
    bad(PAIR_AT ", sphere { center = { 0.3, 0.5 }, radius = 0.1, density = 1, name = 'arm' }", MN_BAD_SCENE,
        "a body is called \"arm\" already");
}

static void test_no_such_joint(void** state)
{
    (void)state;
    Scene s;
    Sim sim;
    if (missing()) return;
    write_text("pair.xml", PAIR);
    CHECK_OK(load(&s, BOX2, PAIR_AT ", drives = { knee = 0 }"));
    check_message(scene_build(&sim, &s), MN_BAD_SCENE, "there is no joint 'knee' to drive");
    scene_free(&s);
}

// A joint without limits that is driven past a wall: one message, not a body outside the box.
static void test_driven_into_a_wall(void** state)
{
    (void)state;
    Scene s;
    Sim sim;
    if (missing()) return;
    write_text("ram.xml", "<mujoco><worldbody><body name='ram'><joint name='push' type='slide' axis='1 0 0'/>"
                          "<geom size='0.2' mass='100'/></body></worldbody></mujoco>");
    CHECK_OK(load(&s, BOX2, "mjcf = 'ram.xml', at = { 1.5, 0.5 }, drives = { push = function(t) return 3*t end }"));
    CHECK_OK(scene_build(&sim, &s));
    CHECK_OK(sim_start(&sim));
    mn_status status = MN_OK;
    while (status == MN_OK && sim.world.time < 1) status = sim_step(&sim, 0.01);
    check_message(status, MN_BAD_SCENE, "bodies: joint 'push' is driven into a wall, a solid or another body, by ");
    CHECK_LESS(rigid_partner_of(&sim.world)->rigid.body[0].center[0], 1.8 + 3*s.dx);
    sim_free(&sim);
    scene_free(&s);
}

// A liquid that lies wholly in a body has no volume.
static void test_nothing_left_of_a_liquid(void** state)
{
    (void)state;
    Scene s;
    Sim sim;
    CHECK_OK(load_parts(&s, BOX2, "sphere { center = { 1, 0.5 }, radius = 0.1 }",
                        "bodies = { sphere { center = { 1, 0.5 }, radius = 0.3, density = 500 } }"));
    check_message(scene_build(&sim, &s), MN_BAD_SCENE,
                  "the liquid has no volume on the grid: it lies outside the domain, inside a");
    scene_free(&s);
}

static void test_wrong_files(void** state)
{
    (void)state;
    if (missing()) return;
#define BODY "<body><joint type='slide' axis='1 0 0'/>"
    bad_file("<mujoco><worldbody>", MN_BAD_SCENE, "a.lua:2: bodies.mjcf: ");
    bad_file("<mujoco><worldbody><ball/></worldbody></mujoco>", MN_BAD_SCENE, "MuJoCo: XML Error: Schema violation");
    bad_file("<mujoco><worldbody>" BODY "<geom type='sphere' size='0.1' mass='0'/></body></worldbody></mujoco>", MN_BAD_SCENE,
             "mass");
    bad_file("<mujoco><worldbody><body><freejoint/><geom size='0.1'/></body></worldbody></mujoco>", MN_BAD_SCENE,
             "leaves the plane");
    bad_file("<mujoco><worldbody>" BODY "<geom type='capsule' size='0.05' fromto='0 0 0 0.1 0 0.1'/></body></worldbody></mujoco>",
             MN_UNSUPPORTED, "in 2D a form is a ball, or lies along the plane or across it");
    bad_file("<mujoco><include file='/etc/passwd'/></mujoco>", MN_BAD_SCENE,
             "bad.xml names a file outside its folder, \"/etc/passwd\"");
    bad_file("<mujoco><compiler meshdir = '../..'/></mujoco>", MN_BAD_SCENE, "names a file outside its folder, \"../..\"");
    write_text("part.xml", "<mujoco><asset><mesh file='&#47;etc/x.stl'/></asset></mujoco>");
    bad_file("<mujoco><include file='part.xml'/></mujoco>", MN_BAD_SCENE, "names a file outside its folder");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_what_is_read),
        IN_FOLDER(test_thin_parts),
        IN_FOLDER(test_up),
        IN_FOLDER(test_wrong_values),
        IN_FOLDER(test_no_such_joint),
        IN_FOLDER(test_wrong_files),
        IN_FOLDER(test_driven_into_a_wall),
        IN_FOLDER(test_nothing_left_of_a_liquid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// MJCF files: what is told of them, where they stand, in which units, and what is said of bad ones.
#include "bodies.h"
#include "folder.h"
#include "rigid/rigid_mujoco_private.h"

static const double DOWN[3] = {0, -9.81, 0};

static const char ROBOT[] =
    "<mujoco><asset><mesh name='wedge' vertex='0 0 0  0.1 0 0  0 0.1 0  0 0 0.1'/></asset><worldbody>"
    "<geom type='plane' size='1 1 1'/><geom name='post' type='box' pos='0.4 0 0.1' size='0.02 0.02 0.1'/>"
    "<body name='trunk' pos='0 0 0.3'><freejoint/><geom type='ellipsoid' size='0.1 0.05 0.04' density='500'/>"
    "<geom type='sphere' size='0.2' contype='0' conaffinity='0' mass='0'/>"
    "<body name='head' pos='0.1 0 0'><geom type='sphere' size='0.03' pos='0.02 0 0' density='500'/></body>"
    "<body name='fin' pos='-0.1 0 0'><joint name='flap' type='hinge' axis='0 0 1'/>"
    "<geom type='mesh' mesh='wedge' density='1000' contype='0' conaffinity='0'/></body></body>"
    "<body name='pole' pos='0.5 0 0.2'><joint name='slip' type='slide' axis='0 0 1'/>"
    "<geom type='capsule' fromto='0 0 0 0 0.1 0' size='0.01'/><geom type='cylinder' size='0.02 0.05' pos='0 0 0.1'/></body>"
    "</worldbody><actuator><motor name='muscle' joint='flap'/></actuator></mujoco>";

// What is welded is one body; forms stand where the file's pose has them, turned and moved as it is put: here z up becomes y up.
static void test_file_is_told(void** state)
{
    (void)state;
    write_text("robot.xml", ROBOT);
    MjcfOptions o = {.file = in("robot.xml"), .origin = {1, 2, 3}, .rotation = {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};
    MjcfBodies f;
    CHECK_OK(mjcf_read(&f, 3, &o));
    assert_int_equal(f.bodies, 4);
    assert_int_equal(f.actuators, 1);
    assert_string_equal(f.actuator[0], "muscle");
    const MjcfBody *world = &f.body[0], *trunk = &f.body[1], *fin = &f.body[2], *pole = &f.body[3];
    assert_string_equal(trunk->name, "trunk");
    assert_string_equal(fin->name, "fin");
    assert_true(!world->moves && trunk->moves && fin->moves && pole->moves);
    assert_int_equal(world->forms, 1);  // the plane is no form
    assert_int_equal(trunk->forms, 2);  // the big sphere neither collides nor weighs; the head is welded on
    assert_int_equal(pole->forms, 2);
    assert_int_equal(fin->forms, 1);
    CHECK_WITHIN(world->form[0].center[1], 2.1, 1e-12);
    double egg = 4*PI/3*0.1*0.05*0.04*500, ball = 4*PI/3*2.7e-5*500;
    CHECK_CLOSE(trunk->mass, egg + ball, 1e-9);
    CHECK_WITHIN(trunk->center[0], 1 + 0.12*ball/(egg + ball), 1e-9);
    CHECK_WITHIN(trunk->center[1], 2.3, 1e-12);
    CHECK_WITHIN(trunk->center[2], 3, 1e-12);
    assert_int_equal(trunk->form[0].kind, FORM_ELLIPSOID);
    CHECK_WITHIN(trunk->form[0].rotation[2][1], -1, 1e-12);
    CHECK_WITHIN(trunk->form[1].center[0], 1.12, 1e-12);
    CHECK_WITHIN(pole->form[0].size[1], 0.05, 1e-12);
    // the exact mass of a corner of a cube, not that of a heap of its faces
    const BodyForm* wedge = &fin->form[0];
    CHECK_CLOSE(fin->mass, 1000*1e-3/6, 1e-6);
    assert_int_equal(wedge->points, 4);
    assert_int_equal(wedge->triangles, 4);
    double volume = 0, tip[3] = {0.9, 2.3, 3}, corner = INFINITY, x[4][3];
    for (int m = 0; m < 4; m++) {
        for (int d = 0; d < 3; d++) x[m][d] = wedge->center[d] + vec_dot(wedge->rotation[d], wedge->point + 3*m);
        corner = fmin(corner, hypot(hypot(x[m][0] - tip[0], x[m][1] - tip[1]), x[m][2] - tip[2]));
    }
    for (int t = 0; t < 4; t++) {
        double a[3], b[3], n[3];
        const int* at = wedge->triangle + 3*t;
        vec_sub(a, x[at[1]], x[at[0]]), vec_sub(b, x[at[2]], x[at[0]]), vec_cross(n, a, b);
        volume += vec_dot(x[at[0]], n)/6;
    }
    CHECK_WITHIN(corner, 0, 1e-7);  // MuJoCo keeps meshes as floats
    CHECK_CLOSE(volume, 1e-3/6, 1e-5);
    mjcf_free(&f);
}

// The same file as bodies: as many as move, solids as told, at rest where they are told; falling, they meet floor and post of the
// file and a ball of the scene.
static void test_file_moves(void** state)
{
    (void)state;
    write_text("robot.xml", ROBOT);
    int solid[] = {7, 8, 9, 10};
    MjcfOptions o = {
        .file = in("robot.xml"), .origin = {1, 0.1, 1}, .rotation = {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, .solid = solid};
    Tank tank = bodies_tank(3, 0.05, 40, false);
    BoxBody ball;
    bodies_ball(&ball, 3, (double[3]){1.05, 0.8, 1}, 0.1, 2000);
    Rigid r;
    CHECK_OK(rigid_mujoco_start(&r, &tank, &ball.plan, 1, &o));
    MjcfBodies f;
    CHECK_OK(mjcf_read(&f, 3, &o));
    assert_int_equal(r.bodies, 4);
    assert_int_equal(r.body[1].solid, 8);
    assert_int_equal(r.body[3].solid, 10);
    assert_string_equal(r.body[2].name, "fin");
    for (int b = 1; b < 4; b++)
        for (int d = 0; d < 3; d++) {
            CHECK_WITHIN(r.body[b].center[d], f.body[b].center[d], 1e-12);
            CHECK_WITHIN(r.body[b].rest[d], f.body[b].center[d], 1e-12);
            for (int k = 0; k < 3; k++) CHECK_WITHIN(r.body[b].rotation[d][k], d == k, 1e-12);
        }
    bool met = false;
    for (int n = 0; n < 400; n++) {
        bodies_step(&r, DOWN, n*0.002, 0.002);
        met = met || r.engine->touching(&r, 0) > 0;
    }
    assert_true(met);
    for (int b = 0; b < 3; b++) CHECK_LESS(0.1, r.body[b].center[1]);  // the file's floor
    mjcf_free(&f);
    rigid_free_all(&r);
}

// A file in cm and g is the same robot as one in m and kg: pendulum, spring, damper, motor and all.
static void test_units_of_a_file(void** state)
{
    (void)state;
    static const char text[] = "<mujoco><worldbody><body name='rod' pos='%g %g 0'><joint name='a' type='hinge' axis='0 0 1' "
                               "stiffness='%g' damping='%g'/>"
                               "<geom type='capsule' fromto='0 0 0 %g 0 0' size='%g' density='%g'/>"
                               "<body pos='%g 0 0'><joint name='b' type='slide' axis='1 0 0' damping='%g'/><geom type='sphere' "
                               "size='%g' density='%g'/></body>"
                               "</body></worldbody></mujoco>";
    double place[2][2];
    for (int k = 0; k < 2; k++) {
        double cm = k ? 100 : 1, g = k ? 1000 : 1, moment = cm*cm*g, density = g/(cm*cm*cm);
        char all[1000];
        snprintf(all, sizeof all, text, 0.05*cm, 0.05*cm, 1e-4*moment, 1e-6*moment, 0.02*cm, 0.003*cm, 900*density,
                 0.02*cm, 1e-3*g, 0.004*cm, 2000*density);
        write_text("rod.xml", all);
        MjcfOptions o = {.file = in("rod.xml"), .unit_length = k ? 0.01 : 0, .unit_mass = k ? 0.001 : 0};
        Tank tank = bodies_tank(3, 0.01, 10, true);
        Rigid r;
        CHECK_OK(rigid_mujoco_start(&r, &tank, NULL, 0, &o));
        for (int n = 0; n < 200; n++) bodies_step(&r, DOWN, n*1e-3, 1e-3);
        for (int d = 0; d < 2; d++) place[k][d] = r.body[1].center[d];
        CHECK_CLOSE(r.body[1].mass, 4*PI/3*6.4e-8*2000, 1e-9);
        rigid_free_all(&r);
    }
    for (int d = 0; d < 2; d++) CHECK_WITHIN(place[0][d], place[1][d], 1e-9);
}

// ---- what is wrong ---------------------------------------------------------------------------------------------------------

static void refuse(const char* mjcf, int dim, MjcfOptions o, const char* words)
{
    Rigid r;
    Tank tank = bodies_tank(dim, 0.1, 10, false);
    write_text("bad.xml", mjcf);
    if (!o.file) o.file = in("bad.xml");
    mn_status status = rigid_mujoco_start(&r, &tank, NULL, 0, &o);
    assert_true(status == MN_BAD_SCENE || status == MN_IO);
    assert_true(!r.body && !r.engine && !r.self);
    if (!strstr(mn_last_error(), words) || !strstr(mn_last_error(), ".xml")) {
        print_error("'%s' is not in: %s\n", words, mn_last_error());
        fail();
    }
    assert_null(strchr(mn_last_error(), '\n'));
}

#define BALL "<geom type='sphere' size='0.1'/>"

static mn_status nothing(double* value, void* user, int which, double t)
{
    (void)user, (void)which, (void)t;
    *value = NAN;
    return MN_OK;
}

// One line each, with the file and MuJoCo's own words.
static void test_bad_files_are_refused(void** state)
{
    (void)state;
    MjcfOptions none = {0};
    refuse("<mujoco><worldbody><body></worldbody></mujoco>", 3, none, "XML");
    refuse("<mujoco><worldbody><lump/></worldbody></mujoco>", 3, none, "unrecognized element");
    refuse("not xml", 3, none, "MuJoCo");
    refuse("", 3, none, "MuJoCo");
    refuse("<mujoco/>", 3, none, "MuJoCo");
    refuse("<mujoco><worldbody><geom type='box' size='1 1 1'/></worldbody></mujoco>", 3, none, "no body can move");
    refuse("<mujoco><worldbody><body><freejoint/><geom type='sphere' size='0.1' mass='0'/></body></worldbody></mujoco>", 3, none,
           "mass and inertia of moving bodies");
    refuse("<mujoco><worldbody><body><freejoint/><geom type='sphere' size='1e-4'/></body></worldbody></mujoco>", 3, none,
           "in mm and mg");
    refuse("<mujoco><worldbody><body><joint name='a'/>" BALL "</body></worldbody>"
           "<actuator><motor joint='b'/></actuator></mujoco>",
           3, none, "'b'");
    refuse("<mujoco><asset><mesh file='none.stl'/></asset><worldbody><body><freejoint/>" BALL "</body></worldbody></mujoco>", 3,
           none, "none.stl");
    refuse("<mujoco><worldbody><body><joint name='tilt' axis='1 0 0'/>" BALL "</body></worldbody></mujoco>", 2, none,
           "joint 'tilt' leaves the plane");
    refuse("<mujoco><worldbody><body><freejoint/>" BALL "</body></worldbody></mujoco>", 2, none, "leaves the plane");
    MjcfDrive drive = {.joint = "arm"};
    MjcfOptions driven = {.drive = &drive, .drives = 1, .driven = nothing};
    refuse("<mujoco><worldbody><body><joint name='leg'/>" BALL "</body></worldbody></mujoco>", 3, driven, "no joint 'arm'");
    refuse("<mujoco><worldbody><body><joint name='arm' type='ball'/>" BALL "</body></worldbody></mujoco>", 3, driven,
           "only hinges and slides");
    none.file = "/nowhere/robot.xml";
    refuse("", 3, none, "/nowhere/robot.xml");
    assert_false(access("MUJOCO_LOG.TXT", F_OK) == 0);
}

// Numbers of a drive are looked at before they are used.
static void test_drive_that_is_no_number(void** state)
{
    (void)state;
    write_text("arm.xml", "<mujoco><worldbody><body><joint name='arm'/>" BALL "</body></worldbody></mujoco>");
    MjcfDrive drive = {.joint = "arm"};
    Tank tank = bodies_tank(3, 0.1, 10, true);
    Rigid r;
    MjcfOptions o = {.file = in("arm.xml"), .drive = &drive, .drives = 1, .driven = nothing};
    CHECK_OK(rigid_mujoco_start(&r, &tank, NULL, 0, &o));
    assert_int_equal(r.engine->begin(&r, &(RigidStep){.dt = 0.01}), MN_BAD_SCENE);
    assert_non_null(strstr(mn_last_error(), "not a number"));
    rigid_free_all(&r);
}

// Bodies of the scene without mass, and with a file whose settings would give them another.
static void test_bad_plans_are_refused(void** state)
{
    (void)state;
    Tank tank = bodies_tank(3, 0.1, 10, false);
    BoxBody box;
    Rigid r;
    bodies_box(&box, 3, (double[3]){0.5, 0.5, 0.5}, (double[3]){0.1, 0.1, 0.1}, 0);
    assert_int_equal(rigid_mujoco_start(&r, &tank, &box.plan, 1, &(MjcfOptions){0}), MN_BAD_SCENE);
    assert_non_null(strstr(mn_last_error(), "body 'box' has a mass of 0"));
    bodies_box(&box, 3, (double[3]){0.5, 0.5, 0.5}, (double[3]){0.1, 0.1, 0.1}, 500);
    box.plan.inertia[1][1] = 0;
    assert_int_equal(rigid_mujoco_start(&r, &tank, &box.plan, 1, &(MjcfOptions){0}), MN_BAD_SCENE);
    assert_non_null(strstr(mn_last_error(), "no inertia about y"));
    bodies_box(&box, 3, (double[3]){0.5, 0.5, 0.5}, (double[3]){0.1, 0.1, 0.1}, 500);
    box.plan.fixed = 63;
    assert_int_equal(rigid_mujoco_start(&r, &tank, &box.plan, 1, &(MjcfOptions){0}), MN_BAD_SCENE);
    assert_non_null(strstr(mn_last_error(), "no body can move"));
    box.plan.fixed = 0;
    write_text("heavy.xml",
               "<mujoco><compiler settotalmass='1'/><worldbody><body><freejoint/>" BALL "</body></worldbody></mujoco>");
    assert_int_equal(rigid_mujoco_start(&r, &tank, &box.plan, 1, &(MjcfOptions){.file = in("heavy.xml")}), MN_BAD_SCENE);
    assert_non_null(strstr(mn_last_error(), "settotalmass"));
}

// An error inside MuJoCo ends the step, not the process.
static void test_errors_of_mujoco_come_back(void** state)
{
    (void)state;
    Tank tank = bodies_tank(3, 0.1, 10, false);
    BoxBody box;
    Rigid r;
    bodies_box(&box, 3, (double[3]){0.5, 0.14, 0.5}, (double[3]){0.1, 0.1, 0.1}, 500);
    CHECK_OK(rigid_mujoco_start(&r, &tank, &box.plan, 1, &(MjcfOptions){0}));
    MujocoEngine* e = r.self;
    int room = e->d->nstack;
    e->d->nstack = 1;
    assert_int_equal(r.engine->begin(&r, &(RigidStep){.dt = 0.01, .acceleration = {0, -9.81, 0}}), MN_STEP_FAILED);
    assert_non_null(strstr(mn_last_error(), "MuJoCo: Stack overflow"));
    e->d->nstack = room;
    bodies_step(&r, DOWN, 0, 0.01);
    rigid_free_all(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file_is_told),
        cmocka_unit_test(test_file_moves),
        cmocka_unit_test(test_units_of_a_file),
        cmocka_unit_test(test_bad_files_are_refused),
        cmocka_unit_test(test_drive_that_is_no_number),
        cmocka_unit_test(test_bad_plans_are_refused),
        cmocka_unit_test(test_errors_of_mujoco_come_back),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

// Meshes whose vertices move: caches and sequences as scenes name them, and the motion of their surface.
#include "moving_cube.h"
#include "folder.h"
#include "base/vec.h"
#include "scene/scene_sim.h"

static mn_status load(Scene* scene, const char* solid)
{
    char text[1024];
    snprintf(text, sizeof text,
             "return scene { domain = { size = { mm(24), mm(16), mm(16) }, cells = 48 }, liquids = { pool { depth = mm(2) } },"
             " frames = { rate = 500, count = 3 },\n solids = {\n  %s } }",
             solid);
    return scene_load_text(scene, in("scene.lua"), text);
}

static void turn_about_y(double out[3], const double x[3], double t)
{
    double c = cos(20*t), s = sin(20*t);
    out[0] = c*x[0] + s*x[2], out[1] = x[1], out[2] = -s*x[0] + c*x[2];
}

static void drift(double out[3], const double x[3], double t) { out[0] = x[0] + 100*t, out[1] = x[1] - 50*t, out[2] = x[2]; }

static void move_to(Sim* sim, double t, double dt)
{
    for (double at = t - dt; at <= t + dt/2; at += dt) {
        Pose pose;
        CHECK_OK(sim->model.functions.pose(&pose, sim->model.functions.user, 0, at));
        solid_move(sim->world.solids.solid, &pose, dt);
    }
    solids_moved(&sim->world.solids);
}

// The same motion as a rigid solid and as a cache, rotated, scaled and moved on top: distances and velocities agree at points
// on both sides of the surface.
static void check_same_motion(const char* rigid, const char* cache, double t, double dt, double far, double slow)
{
    Scene scene[2];
    Sim sim[2];
    const char* solid[2] = {rigid, cache};
    for (int m = 0; m < 2; m++) {
        CHECK_OK(load(&scene[m], solid[m]));
        CHECK_OK(scene_build(&sim[m], &scene[m]));
        move_to(&sim[m], t, dt);
    }
    unsigned seed = 7;
    int near = 0;
    for (int i = 0; i < 3000; i++) {
        double x[3], u[2][3];
        for (int d = 0; d < 3; d++) x[d] = 16e-3*rand_r(&seed)/RAND_MAX;
        double a = solids_distance(&sim[0].world.solids, x, NULL), b = solids_distance(&sim[1].world.solids, x, NULL);
        if (fabs(a) > 1e-3) continue;
        near++;
        CHECK_WITHIN(b, a, far);
        for (int m = 0; m < 2; m++) solids_velocity(u[m], &sim[m].world.solids, x);
        // a deforming solid has the velocity of its surface; a rigid one goes on with its own off the surface
        if (fabs(a) < 1e-4)
            for (int d = 0; d < 3; d++) CHECK_WITHIN(u[1][d], u[0][d], slow);
    }
    assert_true(near > 100);
    CHECK_WITHIN(solids_max_speed(&sim[1].world.solids, 0), 0, 1);
    for (int m = 0; m < 2; m++) sim_free(&sim[m]), scene_free(&scene[m]);
}

static void test_translation(void** state)
{
    (void)state;
    cube_write_obj(in("cube.obj"), NULL, 0);
    cube_write_pc2(in("cube.pc2"), drift, 41, 1000);
    check_same_motion(
        "mesh { file = 'cube.obj', scale = 1e-3, position = function(t) return mm(8) + 0.1*t, mm(8) - 0.05*t, mm(8) end }",
        "mesh { file = 'cube.obj', scale = 1e-3, cache = 'cube.pc2', cache_rate = 1000, position = { mm(8, 8, 8) } }", 0.0123,
        1e-3, 1e-8, 1e-5);
}

// 0.5 mm cells: the tables round sharp edges by a tenth of that. Points within 0.1 mm of the surface differ by 20 rad/s 0.1 mm.
static void test_rotation(void** state)
{
    (void)state;
    cube_write_obj(in("cube.obj"), NULL, 0);
    cube_write_pc2(in("cube.pc2"), turn_about_y, 401, 4000);
    check_same_motion(
        "mesh { file = 'cube.obj', scale = 1e-3, position = { mm(8, 8, 8) }, rotation = function(t) return 0, 20*t, 0 end }",
        "move { rotate { mesh { file = 'cube.obj', scale = 1e-3, cache = 'cube.pc2', cache_rate = 4000 }, angle = 0.7, "
        "axis = { 0, 1, 0 } }, by = { mm(8, 8, 8) }, rotation = { 0, -0.7, 0 }, pivot = { mm(8, 8, 8) } }",
        0.02, 1e-4, 1e-4, 3e-3);
}

// Before its first and after its last sample a mesh rests; a cache may start late.
static void test_rests_outside_its_samples(void** state)
{
    (void)state;
    Scene scene;
    Sim sim;
    cube_write_obj(in("cube.obj"), NULL, 0);
    cube_write_pc2(in("cube.pc2"), drift, 11, 1000);  // 10 ms, 1 mm to the right
    CHECK_OK(load(&scene, "mesh { file = 'cube.obj', scale = 1e-3, cache = 'cube.pc2', cache_rate = 1000, cache_start = 0.1, "
                          "position = { mm(8, 8, 8) } }"));
    assert_true(scene.solids[0].moving && scene.solids[0].changing);
    CHECK_OK(scene_build(&sim, &scene));
    static const struct {
        double t, x, speed;
    } at[] = {{0.05, 0, 0}, {0.105, 0.5e-3, 0.1}, {0.2, 1e-3, 0}};
    for (int m = 0; m < 3; m++) {
        move_to(&sim, at[m].t, 1e-4);
        double right[3] = {10e-3 + at[m].x, 7.5e-3, 8e-3}, u[3];
        CHECK_WITHIN(solids_distance(&sim.world.solids, right, NULL), 0, 1e-8);
        solids_velocity(u, &sim.world.solids, right);
        CHECK_WITHIN(u[0], at[m].speed, 1e-5);
    }
    sim_free(&sim);
    scene_free(&scene);
}

// A step that fails is tried four times more from the shapes before it: they must still be there, with the same velocity.
static void test_undone_steps(void** state)
{
    (void)state;
    Scene scene;
    Sim sim;
    cube_write_obj(in("cube.obj"), NULL, 0);
    cube_write_pc2(in("cube.pc2"), drift, 41, 1000);
    CHECK_OK(load(&scene,
                  "mesh { file = 'cube.obj', scale = 1e-3, cache = 'cube.pc2', cache_rate = 1000, position = { mm(8, 8, 8) } }"));
    CHECK_OK(scene_build(&sim, &scene));
    move_to(&sim, 0.01, 1e-3);
    const Solid before = sim.world.solids.solid[0];
    double x[3] = {10.5e-3, 7e-3, 8.3e-3}, u[3], distance = solids_distance(&sim.world.solids, x, NULL);
    solids_velocity(u, &sim.world.solids, x);
    for (int attempt = 0; attempt < 5; attempt++) {
        Pose pose;
        double dt = 1e-3/(1 << attempt), v[3];
        CHECK_OK(sim.model.functions.pose(&pose, sim.model.functions.user, 0, 0.01 + dt));
        solid_move(sim.world.solids.solid, &pose, dt);
        sim.world.solids.solid[0] = before;
        assert_true(solids_distance(&sim.world.solids, x, NULL) == distance);
        solids_velocity(v, &sim.world.solids, x);
        assert_memory_equal(u, v, sizeof u);
    }
    sim_free(&sim);
    scene_free(&scene);
}

// ---- what can be wrong -----------------------------------------------------------------------------------------------------

static void check_refused(const char* solid, mn_status status, const char* says)
{
    Scene scene;
    mn_status got = load(&scene, solid);
    if (got == MN_OK) scene_free(&scene);
    if (got != status || !strstr(mn_last_error(), says) || !strstr(mn_last_error(), "scene.lua:"))
        fail_msg("%s: status %d, expected %d; said \"%s\", expected \"%s\"", solid, got, status, mn_last_error(), says);
}

static void change_file(const char* name, long at, const void* bytes, size_t size)
{
    FILE* f = fopen(in(name), "r+b");
    assert_non_null(f);
    fseek(f, at, SEEK_SET);
    fwrite(bytes, 1, size, f);
    fclose(f);
}

static void test_bad_caches(void** state)
{
    (void)state;
    static const char with[] =
        "mesh { file = 'cube.obj', scale = 1e-3, cache = 'c.pc2', cache_rate = 100, position = { mm(8, 8, 8) } }";
    cube_write_obj(in("cube.obj"), NULL, 0);
    check_refused(with, MN_IO, "c.pc2: No such file");
    cube_write_pc2(in("c.pc2"), drift, 3, 100);
    assert_int_equal(truncate(in("c.pc2"), 1000), 0);
    check_refused(with, MN_BAD_MESH, "c.pc2: is cut short: 1000 of ");
    assert_int_equal(truncate(in("c.pc2"), 20), 0);
    check_refused(with, MN_BAD_MESH, "c.pc2: is not a PC2 vertex cache");
    assert_int_equal(truncate(in("c.pc2"), 0), 0);
    check_refused(with, MN_BAD_MESH, "c.pc2: is not a PC2 vertex cache");
    cube_write_pc2(in("c.pc2"), drift, 3, 100);
    change_file("c.pc2", 16, &(int32_t){97}, 4);
    check_refused(with, MN_BAD_MESH, "c.pc2: has 97 points, but its mesh has 98 vertices");
    cube_write_pc2(in("c.pc2"), drift, 3, 100);
    change_file("c.pc2", 28, &(int32_t){-1}, 4);
    check_refused(with, MN_BAD_MESH, "c.pc2: has -1 samples");
    cube_write_pc2(in("c.pc2"), drift, 3, 100);
    change_file("c.pc2", 24, &(float){0}, 4);
    check_refused(with, MN_BAD_MESH, "c.pc2: 0 frames between samples");
    cube_write_pc2(in("c.pc2"), drift, 3, 100);
    change_file("c.pc2", 32 + 12*(98 + 5), &(float){NAN}, 4);
    check_refused(with, MN_BAD_MESH, "c.pc2: point 5 of sample 1 is not a number");
}

static void test_bad_keys(void** state)
{
    (void)state;
    cube_write_obj(in("cube.obj"), NULL, 0);
    cube_write_pc2(in("c.pc2"), drift, 3, 100);
    check_refused("mesh { file = 'cube.obj', cache = 'c.pc2' }", MN_BAD_SCENE, "solids[1].cache_rate: missing");
    check_refused("mesh { file = 'cube.obj', cache_rate = 5 }", MN_BAD_SCENE, "cache_rate: only with a cache");
    check_refused("mesh { file = 'cube.obj', cache = 5, cache_rate = 5 }", MN_BAD_SCENE, "cache: expected the path of a PC2");
    check_refused(
        "union { mesh { file = 'cube.obj', cache = 'c.pc2', cache_rate = 5 }, sphere { center = { 0, 0, 0 }, radius = 1 } }",
        MN_UNSUPPORTED, "not joined with others");
    Scene scene;
    char text[512];
    snprintf(text, sizeof text,
             "return scene { domain = { size = { mm(24), mm(16), mm(16) }, cells = 24 }, frames = { rate = 500, count = 3 },"
             " liquids = { mesh { file = 'cube.obj', cache = 'c.pc2', cache_rate = 5 } } }");
    assert_int_equal(scene_load_text(&scene, in("scene.lua"), text), MN_UNSUPPORTED);
    assert_non_null(strstr(mn_last_error(), "liquids[1]: a mesh that moves"));
}

static void test_sequences(void** state)
{
    (void)state;
    static const char with[] = "mesh { file = 's_####.obj', scale = 1e-3, cache_rate = 100, position = { mm(8, 8, 8) } }";
    Scene scene;
    check_refused(with, MN_IO, "s_####.obj: there is no such file");
    cube_write_obj(in("s_0009.obj"), drift, 0);
    cube_write_obj(in("s_0010.obj"), drift, 0.01);
    cube_write_obj(in("s_0011.obj"), drift, 0.02);
    CHECK_OK(load(&scene, with));
    unsigned long long fingerprint = scene.fingerprint;
    const Shape* form;
    CHECK_OK(shape_at(&form, scene.solids[0].shape, 0.015));
    CHECK_WITHIN(shape_distance(form, (double[3]){3.5e-3, 0, 0}), 0, 1e-8);
    scene_free(&scene);
    cube_write_obj(in("s_0011.obj"), drift, 0.03);
    CHECK_OK(load(&scene, with));
    assert_true(scene.fingerprint != fingerprint);  // the files are part of the scene
    scene_free(&scene);
    unlink(in("s_0010.obj"));
    check_refused(with, MN_BAD_MESH, "number 10 is missing, between s_0009.obj and s_0011.obj");
    write_text("s_0010.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    check_refused(with, MN_BAD_MESH, "s_0010.obj: its faces are not those of s_0009.obj");
    write_text("s_0010.obj", "v 0 0 nonsense\n");
    check_refused(with, MN_BAD_MESH, "s_0010.obj:1: expected a vertex");
    check_refused("mesh { file = 's_#_#.obj', cache_rate = 100 }", MN_BAD_MESH, "expected one run of #");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_translation),  IN_FOLDER(test_rotation),   IN_FOLDER(test_rests_outside_its_samples),
        IN_FOLDER(test_undone_steps), IN_FOLDER(test_bad_caches), IN_FOLDER(test_bad_keys),
        IN_FOLDER(test_sequences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// A solid given as a mesh whose vertices move pushes the liquid as the same solid does that moves as a whole.
#include "moving_cube.h"
#include "folder.h"
#include "base/vec.h"
#include "scene/scene_sim.h"

static void drift(double out[3], const double x[3], double t) { out[0] = x[0] + 300*t, out[1] = x[1], out[2] = x[2]; }

// The cube blown up to a smooth body three times as long as wide: where a table of distances meets sharp edges at another
// angle it rounds them otherwise, and at 6 cells across that shows.
static void roll_out(double out[3], const double x[3], double t)
{
    (void)t;
    double norm = vec_norm(x);
    out[0] = 4.2*x[0]/norm, out[1] = 2*x[1]/norm, out[2] = 1.4*x[2]/norm;
}

static void turn(double out[3], const double x[3], double t)
{
    double c = cos(60*t), s = sin(60*t), y[3];
    roll_out(y, x, 0);
    out[0] = c*y[0] + s*y[2], out[1] = y[1], out[2] = -s*y[0] + c*y[2];
}

static void swell(double out[3], const double x[3], double t)
{
    for (int d = 0; d < 3; d++) out[d] = x[d]*(1 + 10*t);
}

typedef struct Result {
    LiquidState liquid;
    double height;  // m, of the highest point
    long steps;
} Result;

// A tank 24 x 16 x 16 mm, water 5 mm deep, and the solid, for 6 ms.
static Result run(const char* solid, double max_dt)
{
    char text[1024];
    snprintf(text, sizeof text,
             "return scene { domain = { size = { mm(24), mm(16), mm(16) }, cells = 36 }, liquids = { pool { depth = mm(5) } },"
             " solids = { %s }, frames = { rate = 500, count = 3 }, numerics = { max_dt = %g } }",
             solid, max_dt);
    Scene scene;
    Sim sim;
    CHECK_OK(scene_load_text(&scene, in("scene.lua"), text));
    CHECK_OK(scene_build(&sim, &scene));
    CHECK_OK(sim_start(&sim));
    CHECK_OK(sim_advance(&sim, 6e-3));
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    Result r = {.liquid = liquid_state(&sim.world.liquid[0], &sim.scratch), .steps = sim.world.step};
    r.height = r.liquid.high[1];
    sim_free(&sim);
    scene_free(&scene);
    return r;
}

static void compare(const char* what, const Result* a, const Result* b)
{
    print_message("%s: energy %.6g and %.6g J, centre %.9g and %.9g m, highest point %.6g and %.6g m, %ld and %ld steps\n", what,
                  a->liquid.kinetic_energy, b->liquid.kinetic_energy, a->liquid.center[0], b->liquid.center[0], a->height,
                  b->height, a->steps, b->steps);
}

// A cube that is dragged at 0.3 m/s: from a cache, from a sequence of files, and as one rigid mesh.
static void test_translation(void** state)
{
    (void)state;
    cube_write_obj(in("cube.obj"), NULL, 0);
    cube_write_pc2(in("cube.pc2"), drift, 11, 1000);
    for (int m = 1; m <= 4; m++) {  // as Blender numbers them
        char name[32];
        snprintf(name, sizeof name, "seq%d.obj", m);
        cube_write_obj(in(name), drift, (m - 1)*2.5e-3);
    }
    Result rigid =
        run("mesh { file = 'cube.obj', scale = 1e-3, position = function(t) return mm(8.3) + 0.3*t, mm(4.2), mm(8.1) end }", 1);
    Result cache = run(
        "move { mesh { file = 'cube.obj', scale = 1e-3, cache = 'cube.pc2', cache_rate = 1000 }, by = { mm(8.3, 4.2, 8.1) } }",
        1);
    Result files = run("mesh { file = 'seq#.obj', scale = 1e-3, cache_rate = 400, position = { mm(8.3, 4.2, 8.1) } }", 1);
    compare("rigid, cache", &rigid, &cache);
    compare("rigid, files", &rigid, &files);
    const Result* both[2] = {&cache, &files};
    for (int m = 0; m < 2; m++) {
        assert_int_equal(both[m]->steps, rigid.steps);
        CHECK_CLOSE(both[m]->liquid.kinetic_energy, rigid.liquid.kinetic_energy, 1e-4);
        CHECK_WITHIN(both[m]->liquid.center[0], rigid.liquid.center[0], 1e-8);
        CHECK_WITHIN(both[m]->height, rigid.height, 1e-6);
    }
}

// A body that turns at 60 rad/s. Its thinnest part is 4 cells wide, and the two tables of distances lie at another angle.
static void test_rotation(void** state)
{
    (void)state;
    cube_write_obj(in("cube.obj"), roll_out, 0);
    cube_write_pc2(in("cube.pc2"), turn, 121, 20000);
    Result rigid = run("mesh { file = 'cube.obj', scale = 1e-3, position = { mm(8.3, 4.2, 8.1) }, "
                       "rotation = function(t) return 0, 60*t, 0 end }",
                       2.5e-4);
    Result cache = run("mesh { file = 'cube.obj', scale = 1e-3, cache = 'cube.pc2', cache_rate = 20000, "
                       "position = { mm(8.3, 4.2, 8.1) } }",
                       2.5e-4);
    compare("rigid, cache", &rigid, &cache);
    assert_int_equal(cache.steps, rigid.steps);
    CHECK_CLOSE(cache.liquid.kinetic_energy, rigid.liquid.kinetic_energy, 0.06);
    CHECK_WITHIN(cache.liquid.center[0], rigid.liquid.center[0], 2e-6);
    CHECK_WITHIN(cache.height, rigid.height, 2e-2*24e-3/36);  // a fiftieth of a cell
}

// What no rigid solid does: a cube that swells lifts the water by the volume it gains. It sits on the floor, 4 mm wide, and
// grows by 6 %: 4.24^3 - 4^3 mm^3, less what goes under the floor, over the free surface around it.
static void test_swelling(void** state)
{
    (void)state;
    cube_write_obj(in("cube.obj"), NULL, 0);
    cube_write_pc2(in("cube.pc2"), swell, 11, 1000);
    Result still = run("mesh { file = 'cube.obj', scale = 1e-3, position = { mm(8.3, 2.4, 8.1) } }", 5e-4);
    Result grown =
        run("mesh { file = 'cube.obj', scale = 1e-3, cache = 'cube.pc2', cache_rate = 1000, position = { mm(8.3, 2.4, 8.1) } }",
            5e-4);
    compare("still, growing", &still, &grown);
    CHECK_CLOSE(grown.liquid.volume, still.liquid.volume, 1e-3);
    CHECK_LESS(still.height + 1e-5, grown.height);
    CHECK_LESS(1e-10, grown.liquid.kinetic_energy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_FOLDER(test_translation), IN_FOLDER(test_rotation), IN_FOLDER(test_swelling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

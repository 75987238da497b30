// Sources whose rate, velocity and place are functions of time: what came in is the integral of the rate, and it came in where the
// source was.
#include "check.h"
#include "scene/scene_sim.h"
#include <string.h>

static void open_text(Scene* scene, Sim* sim, const char* source)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "return scene { domain = { size = { 0.064, 0.064 }, cells = 64 }, frames = { rate = 100, count = 10 },\n"
        "gravity = { 0, 0 }, numerics = { max_dt = 1e-3 }, liquids = { pool { depth = 0.01, material = water { sigma = 0 } } },\n"
        "sources = { %s } }",
        source);
    CHECK_OK(scene_load_text(scene, "x.lua", text));
    CHECK_OK(scene_build(sim, scene));
    CHECK_OK(sim_start(sim));
}

static const char tap[] = "box { low = { 0.028, 0.05 }, high = { 0.036, 0.064 }, material = water { sigma = 0 }, ";

// A tap that is opened slowly: rate R t/T gives R T/2 in T. The middle of a step is exact for a straight line; the region it begins
// with comes on top, 8 x 14 cells, of whose corners the grid rounds some off and fills them up later. Nothing has weight: what falls
// out of a tap faster than it gives is filled up, too.
static void test_rate(void** state)
{
    (void)state;
    Scene scene;
    Sim sim;
    char source[400];
    snprintf(source, sizeof source,
             "%s rate = function(t) return 0.004*t/0.1 end, velocity = function(t) return 0, -0.5*t/0.1 end }", tap);
    open_text(&scene, &sim, source);
    CHECK_OK(sim_advance(&sim, 0.02));
    double first = sim.world.ledger.input - 0.004*0.02*0.02/0.2;
    CHECK_CLOSE(first, 0.064*0.01 + 0.008*0.014, 0.02);
    CHECK_OK(sim_advance(&sim, 0.1));
    CHECK_CLOSE(sim.world.ledger.input, first + 0.004*0.1*0.1/0.2, 1e-12);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim), scene_free(&scene);
}

// Pouring from a tap that moves to the right: what has not yet reached the pool is where the tap was when it left. After 0.08 s the
// tap is 8 mm further right, and its region is full there and no longer where it began.
static void test_place(void** state)
{
    (void)state;
    Scene scene;
    Sim sim;
    char source[400];
    snprintf(source, sizeof source, "%s rate = 0.004, velocity = { 0, -0.5 }, position = function(t) return 0.1*t, 0 end }", tap);
    open_text(&scene, &sim, source);
    CHECK_OK(sim_step(&sim, 1e-5));
    double first = sim.world.ledger.input - 0.004*1e-5;
    CHECK_OK(sim_advance(&sim, 0.08));
    CHECK_CLOSE(sim.world.ledger.input, first + 0.004*0.08, 1e-6);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    bool here = false, there = false;
    for (int m = 0; m < sim.world.liquid_count; m++) {
        const Liquid* q = &sim.world.liquid[m];
        for (int place = 0; place < 2; place++) {
            int i = (place ? 40 : 30) - q->w.lo[0], j = 62 - q->w.lo[1];
            if (i < 0 || j < 0 || i > q->w.n[0] || j > q->w.n[1]) continue;
            bool wet = q->phi.v[window_at(&q->w, i, j, 0)] < 0;
            if (place) here = here || wet;
            else there = there || wet;
        }
    }
    assert_true(here);
    assert_false(there);
    sim_free(&sim), scene_free(&scene);
}

static void test_mistakes(void** state)
{
    (void)state;
    Scene scene;
    const char* wrong[][2] = {{"rate = function(t) return -1 end", "its rate is -1"},
                              {"rate = function(t) return 1, 2 end", "rate"},
                              {"rate = 1, velocity = function(t) return 'fast' end", "velocity"}};
    for (int n = 0; n < 3; n++) {
        char text[600];
        snprintf(text, sizeof text,
                 "return scene { domain = { size = { 0.064, 0.064 }, cells = 64 }, frames = { rate = 100, count = 10 }, sources "
                 "= { %s %s } } }",
                 tap, wrong[n][0]);
        assert_int_equal(scene_load_text(&scene, "x.lua", text), MN_BAD_SCENE);
        assert_non_null(strstr(mn_last_error(), wrong[n][1]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_place),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// What a scene says and is told: print, materials by name, probes along lines.
#include "scene_text.h"
#include "scene/print.h"

static void test_print(void** state)
{
    (void)state;
    Scene s;
    char text[1000];
    snprintf(
        text, sizeof text,
        "print('radius', 3, nil, {}, true)\nfor i = 1, 150 do print(i) end print('\\27[2J')\nreturn scene { domain = { %s },\n"
        "frame_acceleration = function(t) print('now', t) return 0, 0, 0 end, frames = { rate = 100, count = 1 }, liquids = { %s "
        "} }",
        BOX3, BALL3);
    CHECK_OK(scene_load_text(&s, "x.lua", text));
    assert_int_equal(s.prints->count, PRINTED_LINES);
    assert_string_equal(s.prints->line[0], "radius  3  nil  table  true");
    assert_string_equal(s.prints->line[1], "1");
    assert_true(s.prints->missed >= 52);
    long missed = s.prints->missed;
    double a[3];
    CHECK_OK(scene_frame_acceleration(a, &s, 1));  // during a run it is not heard
    assert_int_equal(s.prints->missed, missed);
    scene_free(&s);
}

static void test_materials(void** state)
{
    (void)state;
    bad_liquid("pool { depth = 0.5, material = 'watr' }", "expected a material: water, milk, ethanol");
    bad_liquid("pool { depth = 0.5, material = 'watr' }", "mercury");
    bad_liquid("pool { depth = 0.5, material = 3 }", "or material { rho = ..., sigma = ..., mu = ... }, got 3");
}

static void test_lines_of_probes(void** state)
{
    (void)state;
    Scene s;
    CHECK_OK(load_parts(&s, BOX3, BALL3,
                        "probes = { { name = 'a', kind = 'pressure', at = { 0, 0, 0 } },"
                        "{ name = 'l', kind = 'height', from = { 0, 0, 0 }, to = { 1, 0, 0.5 }, count = 5 }, { kind = "
                        "'velocity', at = { 1, 1, 1 } } }"));
    assert_int_equal(s.probe_count, 7);
    assert_string_equal(s.probes[0].name, "a");
    for (int k = 0; k < 5; k++) {
        char name[16];
        snprintf(name, sizeof name, "l.%d", k + 1);
        assert_string_equal(s.probes[1 + k].name, name);
        CHECK_WITHIN(s.probes[1 + k].at[0], k/4.0, 1e-15);
        CHECK_WITHIN(s.probes[1 + k].at[2], k/8.0, 1e-15);
        assert_int_equal(s.probes[1 + k].kind, PROBE_HEIGHT);
    }
    assert_string_equal(s.probes[6].name, "probe3");
    scene_free(&s);
    const char* wrong[][2] = {
        {"{ kind = 'height', from = { 0, 0, 0 }, to = { 1, 0, 0 } }", "count: missing"},
        {"{ kind = 'height', from = { 0, 0, 0 }, count = 3 }", "to: missing"},
        {"{ kind = 'height', from = { 0, 0, 0 }, to = { 2, 0, 0 }, count = 3 }", "to: expected a point in the box"},
        {"{ kind = 'height', from = { 0, 0, 0 }, to = { 1, 0, 0 }, count = 1 }", "count: expected"},
        {"{ kind = 'height', from = { 0, 0, 0 }, to = { 1, 0, 0 }, count = 4000 }, { kind = 'height', from = { 0, 0, 0 }, to = { "
         "1, 0, 0 }, count = 4000 }",
         "at most"},
        {"{ kind = 'height', at = { 0, 0, 0 }, to = { 1, 0, 0 }, count = 4 }", "not both"},
        {"{ name = 'p', kind = 'height', from = { 0, 0, 0 }, to = { 1, 0, 0 }, count = 4 }, { name = 'p.2', kind = 'height', at "
         "= { 0, 0, 0 } }",
         "two are called \"p.2\""}};
    for (size_t n = 0; n < sizeof wrong/sizeof *wrong; n++) {
        char top[400];
        snprintf(top, sizeof top, "probes = { %s }", wrong[n][0]);
        check_message(load_parts(&s, BOX3, BALL3, top), MN_BAD_SCENE, wrong[n][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_materials),
        cmocka_unit_test(test_lines_of_probes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

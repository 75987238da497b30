// Every liquid has its own look: what the scene says of it, run.json and the files of a frame keep, and pictures show.
#include "picture_run.h"
#include "output/ply.h"
#include "results.h"

// Two drops of the same water side by side; `left` and `right` are more keys of each.
static void write_drops(const char* name, bool solid, const char* left, const char* right)
{
    char text[1000];
    snprintf(text, sizeof text,
             "return scene { domain = { size = { mm(20), mm(10)%s }, cells = 40 }, gravity = { 0, 0%s },\n"
             "  frames = { rate = 1e5, count = 1 },\n"
             "  liquids = { sphere { center = { mm(5), mm(5)%s }, radius = mm(3), %s },\n"
             "              sphere { center = { mm(15), mm(5)%s }, radius = mm(3), %s } } }\n",
             solid ? ", mm(10)" : "", solid ? ", 0" : "", solid ? ", mm(5)" : "", left, solid ? ", mm(5)" : "", right);
    write_text(name, text);
}

// The mean colour of the middle of each half of the picture, where the drops are.
static void drop_colours(V3* left, V3* right, const char* run)
{
    RenderOptions o;
    Picture p;
    render_defaults(&o);
    o.width = 240, o.height = 160, o.samples = 16, o.threads = 1, o.azimuth = 0, o.elevation = 10;
    take_picture(&p, run, &o);
    *left = *right = v3_splat(0);
    for (int y = -6; y < 6; y++)
        for (int x = -6; x < 6; x++) {
            *left += picture_get(&p, 75 + x, 80 + y)*(1/144.0f);
            *right += picture_get(&p, 165 + x, 80 + y)*(1/144.0f);
        }
    picture_free(&p);
}

static void run_drops(const char* left, const char* right, bool solid)
{
    write_drops("a.lua", solid, left, right);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
}

static json_t* load_run(void)
{
    json_t* run = json_load_file(in("o/run.json"), 0, NULL);
    assert_non_null(run);
    return run;
}

// One look: files have no word of it, and both drops have one colour. Two: both colours, in figures and in rays.
static void test_two_looks(void** state)
{
    (void)state;
    for (int solid = 0; solid < 2; solid++) {
        V3 a, b;
        Layer surface;
        run_drops("", "", solid);
        CHECK_OK(ply_read(&surface, "surface", in("o/surface_0001.ply")));
        assert_null(layer_find(&surface, "look"));
        layer_free(&surface);
        drop_colours(&a, &b, in("o"));
        CHECK_LESS(v3_length(a - b), 0.05);
        run_drops("look = 'red'", "look = 'milk'", solid);
        CHECK_OK(ply_read(&surface, "surface", in("o/surface_0001.ply")));
        const int *look = layer_wholes(&surface, "look", ON_POINTS), *id = layer_wholes(&surface, "liquid", ON_POINTS);
        assert_non_null(look);
        for (int i = 0; i < surface.points; i++) assert_int_equal(look[i], id[i] - 1);
        layer_free(&surface);
        drop_colours(&a, &b, in("o"));
        print_message("%dD: red %.2f %.2f %.2f, milk %.2f %.2f %.2f\n", 2 + solid, a[0], a[1], a[2], b[0], b[1], b[2]);
        CHECK_LESS(a[1] + 0.1, a[0]);          // red is red
        CHECK_LESS(fabsf(b[0] - b[2]), 0.12);  // milk is white
        CHECK_LESS(0.2, v3_length(a - b));
    }
}

// Colours of the scene's own get through run.json into pictures: green paint is green, wine is red.
static void test_own_colours(void** state)
{
    (void)state;
    for (int solid = 0; solid < 2; solid++) {
        V3 a, b;
        run_drops("look = 'opaque #20c040'", "look = 'wine'", solid);
        drop_colours(&a, &b, in("o"));
        print_message("%dD: paint %.2f %.2f %.2f, wine %.2f %.2f %.2f\n", 2 + solid, a[0], a[1], a[2], b[0], b[1], b[2]);
        CHECK_LESS(2*fmaxf(a[0], a[2]), a[1]);
        CHECK_LESS(1.5*fmaxf(b[1], b[2]), b[0]);
    }
}

// Materials look by their names, and names nobody knows can still be told apart.
static void test_looks_by_material(void** state)
{
    (void)state;
    V3 a, b;
    run_drops("material = honey", "material = water", false);
    json_t* run = load_run();
    json_t* looks = json_object_get(run, "looks");
    assert_int_equal(json_array_size(looks), 2);
    assert_string_equal(json_string_value(json_array_get(looks, 0)), "honey");
    json_decref(run);
    drop_colours(&a, &b, in("o"));
    CHECK_LESS(a[2] + 0.2, b[2]);
    run_drops("material = material { name = 'ink', rho = 1000, sigma = 0.07, mu = 1e-3 }",
              "material = material { name = 'glue', rho = 1000, sigma = 0.07, mu = 1e-3 }", false);
    drop_colours(&a, &b, in("o"));
    CHECK_LESS(0.2, v3_length(a - b));
    write_drops("bad.lua", false, "look = 'pink'", "");
    CHECK_CODE(COMMAND("check", in("bad.lua")), 1);
    CHECK_MESSAGE("look");
}

// run.json tells what the air of films was.
static void test_film_settings(void** state)
{
    (void)state;
    run_drops("", "", false);
    json_t* run = load_run();
    assert_true(json_is_null(json_object_get(json_object_get(run, "settings"), "film")));
    json_decref(run);
    run_drops(
        "name = 'a'",
        "name = 'b' } }, film = { cells = 4 }, merge = { pairs = { { between = { 'a', 'b' }, rule = 'below', thickness = 1e-6 }",
        false);
    run = load_run();
    json_t *settings = json_object_get(run, "settings"), *film = json_object_get(settings, "film");
    CHECK_CLOSE(json_number_value(json_object_get(film, "cells")), 4, 0);
    CHECK_CLOSE(json_number_value(json_object_get(film, "viscosity")), 18.6e-6, 0);
    assert_string_equal(json_string_value(json_object_get(film, "build")), "ridge");
    json_t* pair = json_array_get(json_object_get(settings, "merge_pairs"), 0);
    CHECK_CLOSE(json_number_value(json_object_get(pair, "thickness")), 1e-6, 0);
    assert_string_equal(json_string_value(json_array_get(json_object_get(pair, "between"), 1)), "b");
    json_decref(run);
}

int main(void)
{
    command_setup();
    const struct CMUnitTest tests[] = {IN_FOLDER(test_two_looks), IN_FOLDER(test_own_colours), IN_FOLDER(test_looks_by_material),
                                       IN_FOLDER(test_film_settings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// What every bad scene says: the file, the line, the key, what was expected and what is there.
#include "scene_text.h"
#include "scene/source.h"
#include "scene/words.h"

static void bad_domain(const char* domain, const char* part)
{
    Scene s;
    check_message(load_parts(&s, domain, "pool { depth = 0.1 }", ""), MN_BAD_SCENE, part);
}

static void good(const char* domain, const char* liquids, const char* top)
{
    Scene s;
    CHECK_OK(load_parts(&s, domain, liquids, top));
    scene_free(&s);
}

static void test_not_a_scene(void** state)
{
    (void)state;
    bad_text("", "dir/x.lua:1: the file is empty; a scene file ends with: return scene { ... }");
    bad_text(" \n\n", "the file is empty");
    bad_text("local a = 1", "dir/x.lua:1: the file returns no scene");
    bad_text("return { domain = {} }", "the file returns no scene");
    bad_text("return 7", "the file returns no scene");
    bad_text("return sphere { center = { 0, 0 }, radius = 1 }", "the file returns no scene");
    bad_text("return scene {\n  domain = {\n", "dir/x.lua:3:");
    bad_text("return scene {\n  domain = { size = { 1 1 } } }", "dir/x.lua:2: '}' expected near '1'");
    bad_text("\x1bLua", "dir/x.lua");
    bad_text("return scene(3)", "scene: expected a table, scene { ... }, got number");
    bad_text("return scene {}", "dir/x.lua:1: domain: missing");
    bad_text("error('mine')", "dir/x.lua:1: mine");
    bad_text("error({})", "error() was called with a value that is not text");
    Scene s;
    check_message(scene_load(&s, "/no/such/scene.lua", NULL), MN_IO, "/no/such/scene.lua: No such file");
    check_message(scene_load(&s, "/tmp", NULL), MN_IO, "/tmp: is a folder; expected a scene");
}

static void test_bad_domain(void** state)
{
    (void)state;
    bad_domain("cells = 16", "dir/x.lua:1: domain.size: missing");
    bad_domain("size = { 1, 1, 1 }", "domain.cells: expected one of cells (along x) and dx (metres), got neither");
    bad_domain("size = { 1, 1, 1 }, cells = 16, dx = 0.1", "got both");
    bad_domain("size = { 1, 1, 1 }, cels = 16", "domain.cels: unknown key; did you mean 'cells'?");
    bad_domain("size = { 1, -1, 1 }, cells = 16", "domain.size: expected a positive length in metres along y, got -1");
    bad_domain("size = { 1, 0/0, 1 }, cells = 16", "domain.size: expected three numbers");
    bad_domain("size = { 1, 1/0 }, cells = 16", "got { 1, inf }");
    bad_domain("size = { 1 }, cells = 16", "domain.size: expected three numbers");
    bad_domain("size = 1, cells = 16", "got 1");
    bad_domain("size = { 1, 1, 1 }, cells = 16.5",
               "domain.cells: expected a whole number from 4 to 1048576: cells along x, got 16.5");
    bad_domain("size = { 1, 1, 1 }, cells = \"16\"", "got the text \"16\"");
    bad_domain("size = { 1, 1, 1 }, cells = -3", "got -3");
    bad_domain("size = { 1, 1, 1 }, dx = 2", "domain.dx: a cell of 2 m is larger than the box along x, 1 m");
    bad_domain("size = { 16, 0.5, 16 }, cells = 16", "domain.cells: a cell of 1 m is larger than the box along y, 0.5 m");
    bad_domain("size = { 1, 1.03, 1 }, cells = 16",
               "1.03 m along y is 16.48 cells of 0.0625 m, not a whole number; the nearest size that fits is 1");
    bad_domain("size = { 1, 1, 1 }, cells = 2000", "8e+09 cells in all");
    bad_domain("size = { 1, 1, 1 }, dx = 1e-9", "1000000000 cells along x; at most");
    bad_domain("size = { 1, 1, 1 }, dx = 0.5", "expected at least 4 cells along x, got 2");
    bad_domain(BOX3 ", sides = { topp = \"open\" }", "domain.sides.topp: unknown key; did you mean 'top'?");
    bad_domain(BOX3 ", sides = { top = \"opened\" }",
               "domain.sides.top: expected \"wall\" or \"open\" or \"mirror\", got the text \"opened\"");
    bad_domain(BOX2 ", sides = { front = \"open\" }", "domain.sides.front: unknown key");
}

static void test_bad_liquids(void** state)
{
    (void)state;
    bad_liquid(BALL3 ",\n\n sphere { center = { 0.5, 0.5, 0.5 },\n radius = -0.002 }",
               "dir/x.lua:5: liquids[2].radius: expected a positive length in metres, got -0.002");
    bad_liquid("sphere { center = { 0.5, 0.5, 0.5 },\n raduis = 0.2 }",
               "dir/x.lua:3: liquids[1].raduis: unknown key; did you mean 'radius'?");
    bad_liquid("sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2, mass = 2 }",
               "liquids[1].mass: unknown key; known here: center, radius, name");
    bad_liquid("sphere { radius = 0.2 }", "dir/x.lua:2: liquids[1].center: missing; expected three numbers, a point in metres");
    bad_liquid("sphere { center = { 0.5, 0.5 }, radius = 0.2 }",
               "liquids[1].center: expected three numbers, a point in metres, got { 0.5, 0.5 }");
    bad_liquid("sphere { center = { 0.5, 0.5, 0/0 }, radius = 0.2 }", "got { 0.5, 0.5, ");
    bad_liquid("sphere { center = { 0.5, 0.5, true }, radius = 0.2 }", "got { 0.5, 0.5, true }");
    bad_liquid("sphere { center = { 0.5, 0.5, 0.5 }, radius = 0/0 }",
               "liquids[1].radius: expected a positive length in metres, got ");
    bad_liquid("sphere { center = { 0.5, 0.5, 0.5 }, radius = 1/0 }", "got inf");
    bad_liquid("sphere { center = { 0.5, 0.5, 0.5 }, radius = {} }", "got a table");
    bad_liquid("sphere { { 0.5, 0.5, 0.5 }, radius = 0.2 }", "liquids[1][1]: a value without a key; write key = value");
    bad_liquid("{ center = { 0.5, 0.5, 0.5 }, radius = 0.2 }",
               "liquids[1]: expected a shape such as sphere { ... }, got a table");
    bad_liquid("water", "expected a shape such as sphere { ... }, got a material");
    bad_liquid("7", "liquids[1]: expected sphere { ... }, got 7");
    bad_liquid("nil, " BALL3, "liquids");
    bad_liquid("drop = " BALL3, "liquids.drop: unknown key; this is a list");
    bad_liquid("spheer { radius = 1 }", "dir/x.lua:2: unknown name 'spheer'; did you mean 'sphere'?");
    bad_liquid("pool {}", "liquids[1].depth: missing");
    bad_liquid("pool { depth = -1 }", "liquids[1].depth: expected a positive length");
    bad_liquid("box { low = { 0, 0, 0 }, high = { 1, -1, 1 } }",
               "liquids[1].high: expected a positive size in metres, got -1 along y");
    bad_liquid("box { low = { 0, 0, 0 } }", "liquids[1].high: missing");
    bad_liquid("box { low = { 0, 0, 0 }, size = { 1, 1, 1 } }", "not both");
    bad_liquid("box {}", "liquids[1]: missing corners");
    bad_liquid("box { low = { 0, 0, 0 }, high = { 1, 1, 1 }, rounding = 0.6 }",
               "liquids[1].rounding: expected at most half the size along x, 0.5, got 0.6");
    bad_liquid("ellipsoid { center = { 0, 0, 0 }, radii = { 1, 0, 1 } }",
               "liquids[1].radii: expected positive lengths in metres, got 0 along y");
    bad_liquid("capsule { from = { 0, 0, 0 }, to = { 0, 0, 0 }, radius = 1 }", "liquids[1].to: expected a point other than");
    bad_liquid("torus { center = { 0, 0, 0 }, radius = 1, tube = 2 }",
               "liquids[1].tube: expected a length less than radius, 1, got 2");
    bad_liquid("halfspace { point = { 0, 0, 0 }, normal = { 0, 0, 0 } }", "liquids[1].normal: expected a direction");
    bad_liquid("union {}", "liquids[1]: expected a list of shapes, union { a, b, ... }");
    bad_liquid("union { " BALL3 ", 3 }", "liquids[1][2]: expected a shape, got 3");
    bad_liquid("union { sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2, velocity = { 0, 1, 0 } } }",
               "liquids[1][1].velocity: unknown key");
    bad_liquid("move { " BALL3 " }", "liquids[1].by: missing");
    bad_liquid("scale { " BALL3 ", by = 0 }", "liquids[1].by: expected a positive factor, got 0");
    bad_liquid("rotate { " BALL3 ", angle = 1 }", "liquids[1].axis: missing");
    bad_liquid("rotate { " BALL3 ", " BALL3 ", angle = 1, axis = { 0, 1, 0 } }",
               "expected one shape, rotate { shape, ... }, got 2");
    bad_liquid("sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2, name = \"a,b\" }", "liquids[1].name: expected a name of");
    bad_liquid("sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2, velocity = 3 }",
               "liquids[1].velocity: expected three numbers, a velocity in m/s, or a function of the place, got 3");
    Scene s;
    check_message(load_parts(&s, BOX2, "torus { center = { 1, 0.5 }, axis = { 0, 1 }, radius = 0.2, tube = 0.1 }", ""),
                  MN_BAD_SCENE, "liquids[1].axis: not in two");
    check_message(load_parts(&s, BOX2, "sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2 }", ""), MN_BAD_SCENE,
                  "expected two numbers");
    check_message(load_parts(&s, BOX2, "mesh { file = \"a.obj\" }", ""), MN_UNSUPPORTED, "three dimensions");
    good(BOX2, "sphere { center = { 0.5, 0.5, 0 }, radius = 0.2 }",
         "gravity = { 0, -9.81, 0 }");  // a third number that is 0 is fine
}

// Liquids must be in the box and must not share volume; touching is fine.
static void test_places(void** state)
{
    (void)state;
    bad_liquid("sphere { center = { 0.5, 1.5, 0.5 }, radius = 0.2 }",
               "dir/x.lua:2: liquids[1]: lies outside the box: the shape spans x from 0.3 to 0.7, y from 1.3 to 1.7, z from 0.3 "
               "to 0.7; the box is 1 by 1 by 1 m");
    bad_liquid("sphere { center = { 1.1, 1.1, 1.1 }, radius = 0.15 }", "lies outside the box");  // its corner of bounds is inside
    bad_liquid("difference { " BALL3 ", sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.3 } }", "lies outside the box");
    bad_liquid("pool { depth = 0.4 },\n" BALL3, "dir/x.lua:3: liquids[2]: overlaps liquids[1] (line 2); join them with union");
    bad_liquid(BALL3 ", " BALL3, "overlaps");
    good(BOX3, "pool { depth = 0.3 }, " BALL3, "");
    good(BOX3, "box { low = { 0, 0, 0 }, high = { 0.5, 1, 1 } }, box { low = { 0.5, 0, 0 }, high = { 1, 1, 1 } }", "");
    good(BOX3, "sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.001 }", "");  // smaller than a cell: spray
    good(BOX3, "difference { " BALL3 ", sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.19 } }", "");
    good(BOX2, BALL2 ", sphere { center = { 0.95, 0.5 }, radius = 0.2 }", "");
    Scene s;
    check_message(load_parts(&s, BOX2, "sphere { center = { 3, 0.5 }, radius = 0.5 }", ""), MN_BAD_SCENE, "the box is 2 by 1 m");
    check_message(load_parts(&s, BOX3, "", ""), MN_BAD_SCENE,
                  "dir/x.lua:1: no liquid: give at least one entry in liquids or sources");
    check_message(load_parts(&s, BOX3, "", "sources = { sphere { center = { 0.5, 2, 0.5 }, radius = 0.1, rate = 1 } }"),
                  MN_BAD_SCENE, "dir/x.lua:3: sources[1]: lies outside the box");
}

static void test_bad_rest(void** state)
{
    (void)state;
    bad_top("gravty = { 0, 0, 0 }", "dir/x.lua:3: gravty: unknown key; did you mean 'gravity'?");
    bad_top("pictures = { widht = 640 }", "pictures.widht: unknown key; did you mean 'width'?");
    bad_top("pictures = { style = \"oil\" }", "pictures.style");
    bad_top("solids = { sphere { center = { mm(5, 5, 5) }, radius = mm(1), look = \"purple\" } }", "solids[1].look");
    bad_top("liquids = { sphere { center = { mm(5, 5, 5) }, radius = mm(1), look = \"mud\" } }",
            "liquids[1].look: expected a colour as \"#b5651d\"");
    bad_top("liquids = { sphere { center = { mm(5, 5, 5) }, radius = mm(1), look = \"#12345g\" } }", "\"#12345g\"");
    bad_top("liquids = { sphere { center = { mm(5, 5, 5) }, radius = mm(1), look = 7 } }", "liquids[1].look");
    bad_top("pictures = { samples = 0 }", "pictures.samples");
    bad_top("gravity = 9.81", "dir/x.lua:3: gravity: expected three numbers, an acceleration in m/s^2, got 9.81");
    bad_top("title = 3", "title: expected text, got 3");
    bad_top("numerics = { cfl = 0 }", "numerics.cfl: expected a positive number of cells crossed per step, got 0");
    bad_top("numerics = { cfl = 100 }", "numerics.cfl: expected at most 3");
    bad_top("numerics = { tolerance = 2 }", "numerics.tolerance: expected a positive number below 1, got 2");
    bad_top(
        "numerics = { advection = \"upwind\" }",
        "numerics.advection: expected \"auto\" or \"maccormack\" or \"semilagrangian\" or \"cubic\", got the text \"upwind\"");
    bad_top("numerics = { max_dt = -1 }", "numerics.max_dt");
    bad_top(
        "numerics = { tension = \"magic\" }",
        "numerics.tension: expected \"auto\" or \"explicit\" or \"implicit\" or \"split\" or \"csf\", got the text \"magic\"");
    bad_top("numerics = { tension_theta = 0.3 }", "numerics.tension_theta: expected a number from 0.5 to 1, got 0.3");
    bad_top("numerics = { tension_theta = \"half\" }",
            "numerics.tension_theta: expected a positive number from 0.5 to 1, got the");
    bad_top("numerics = { tension_steps = 0 }",
            "numerics.tension_steps: expected a positive number of capillary times in a step, got 0");
    bad_top("numerics = { tension = \"explicit\", tension_steps = 4 }",
            "numerics.tension_steps: means nothing with tension = \"explicit\"");
    bad_top("numerics = { tension_variant = \"paper\" }", "numerics.tension_variant: means nothing with tension = \"auto\"");
    bad_top("numerics = { tension = \"implicit\", tension_cycles = 2 }",
            "numerics.tension_cycles: means nothing with tension = \"implicit\"");
    bad_top("numerics = { tension = \"split\", tension_theta = 0.5 }",
            "numerics.tension_theta: means nothing with tension = \"split\"");
    bad_top("numerics = { tension = \"split\", tension_band = 3 }",
            "numerics.tension_band: means nothing with tension = \"split\" and tension_variant = \"frozen\"");
    bad_top("numerics = { tension = \"split\", tension_variant = \"papers\" }",
            "numerics.tension_variant: expected \"frozen\" or \"paper\", got the text \"papers\"");
    bad_top("numerics = { tension = \"split\", tension_cycles = 1.5 }",
            "numerics.tension_cycles: expected a whole number from 1 to 64: cycles in a step, or \"auto\", got 1.5");
    bad_top("numerics = { tension = \"split\", tension_cycles = \"many\" }",
            "numerics.tension_cycles: expected \"auto\", got the text \"many\"");
    bad_top("numerics = { tension = \"csf\", tension_band = 9 }",
            "numerics.tension_band: expected a number of cells from 2 to 4, got 9");
    bad_top("numerics = { tension = \"split\", tension_variant = \"paper\", tension_changes = { \"calm\" } }",
            "numerics.tension_changes[1]: expected \"balance\" or \"provisional\" or \"mean\", got the text \"calm\"");
    bad_top("numerics = { slip = 1 }", "numerics.slip: expected true or false, got 1");
    bad_top("numerics = { tensoin = \"auto\" }", "numerics.tensoin: unknown key; did you mean 'tension'?");
    bad_top("solids = sphere { center = { 0, 0, 0 }, radius = 1 }",
            "solids: expected a list, { sphere { ... }, ... }, got a sphere; put it in braces");
    bad_top("solids = { sphere { center = { 0, 0, 0 }, radius = 1, material = water } }", "solids[1].material: unknown key");
    bad_top("solids = { sphere { center = { 0, 0, 0 }, radius = 1, positon = { 0, 0, 0 } } }", "did you mean 'position'?");
    bad_top("solids = { sphere { center = { 0, 0, 0 }, radius = 1, contact_angle = 90 } }",
            "solids[1].contact_angle: expected an angle in radians");
    bad_top("solids = { sphere { center = { 0, 0, 0 }, radius = 1, contact_angle = { advancing = 1, receding = 2 } } }",
            "solids[1].contact_angle.receding: expected at most the advancing angle, 1, got 2");
    bad_top("solids = { sphere { center = { 0, 0, 0 }, radius = 1, contact_angle = { advancing = 1 } } }",
            "solids[1].contact_angle.receding: missing");
    bad_top("sources = { sphere { center = { 0, 0, 0 }, radius = 1 } }", "sources[1].rate: missing");
    bad_top("sources = { sphere { center = { 0, 0, 0 }, radius = 1, rate = 1, start = 2, stop = 1 } }",
            "sources[1].stop: expected a time after start, 2, got 1");
    bad_top("probes = { { kind = \"presure\", at = { 0, 0, 0 } } }",
            "probes[1].kind: expected \"pressure\" or \"velocity\" or \"height\", got the text \"presure\"");
    bad_top("probes = { { at = { 0, 0, 0 } } }", "probes[1].kind: missing");
    bad_top("probes = { { kind = \"pressure\", at = { 0, 0, 7 } } }",
            "probes[1].at: expected a point in the box, 0 to 1 along z, got 7");
    bad_top("probes = { { name = \"a\", kind = \"height\", at = { 0, 0, 0 } }, { name = \"a\", kind = \"height\", at = { 0, 0, 0 "
            "} } }",
            "two probes are called \"a\"");
    bad_text("return scene { domain = { " BOX3 " }, liquids = { " BALL3 " } }", "frames: missing");
    bad_text("return scene { domain = { " BOX3 " }, liquids = { " BALL3 " }, frames = { rate = 0, count = 3 } }",
             "frames.rate: expected a positive");
    bad_text("return scene { domain = { " BOX3 " }, liquids = { " BALL3 " }, frames = { rate = 10, count = 0 } }",
             "frames.count: expected a whole number from 1");
    bad_text("return scene { domain = { " BOX3 " }, liquids = { " BALL3 " }, frames = { rate = 1e-320, count = 1 } }",
             "frames.rate");
    Scene s;
    check_message(load_parts(&s, BOX3, BALL3, "merge = \"never\", numerics = { tension = \"split\" }"), MN_UNSUPPORTED,
                  "dir/x.lua:3: merge: liquids that stay apart and numerics.tension = \"split\" do not go together yet");
    check_message(load_parts(&s, BOX3, BALL3, "solids = { mesh { file = \"none.obj\" } }"), MN_IO,
                  "dir/x.lua:3: solids[1].file: dir/none.obj: No such file");
    check_message(load_parts(&s, BOX3, BALL3, "solids = { mesh {} }"), MN_BAD_SCENE, "solids[1].file: expected the path");
}

// Shapes inside shapes without end, or more of them than anyone can mean, are refused.
static void test_nesting(void** state)
{
    (void)state;
    bad_text("local u = union { }\nu[1] = u\nreturn scene { domain = { " BOX3
             " }, liquids = { u }, frames = { rate = 1, count = 1 } }",
             "nested more than 60 deep");
    bad_text("local u = " BALL3 "\nfor i = 1, 40 do u = union { u, u } end\n"
             "return scene { domain = { " BOX3 " }, liquids = { u }, frames = { rate = 1, count = 1 } }",
             "more than 100000 shapes");
}

// Cut short anywhere, a scene is an error, never a crash.
static void test_cut_short(void** state)
{
    (void)state;
    char text[sizeof drop];
    for (size_t n = 0; n < sizeof drop - 3; n++) {
        memcpy(text, drop, n);
        text[n] = 0;
        Scene s;
        assert_int_equal(scene_load_text(&s, "cut.lua", text), MN_BAD_SCENE);
    }
}

static void test_words_and_lines(void** state)
{
    (void)state;
    assert_int_equal(edit_distance("radius", "radius"), 0);
    assert_int_equal(edit_distance("raduis", "radius"), 1);
    assert_int_equal(edit_distance("cels", "cells"), 1);
    assert_int_equal(edit_distance("", "abc"), 3);
    const char* text = "-- radius = 3\nreturn scene {\n  a = 'radius = 4', --[[ radius = 5\n]] inner = { radius = 6 },\n  sphere "
                       "({ x == 1,\n    radius = 7 }),\n}";
    size_t block = source_block_at_line(text, 2, "scene");
    assert_true(block > 0);
    assert_int_equal(source_key_line(text, block, "radius"), 0);  // not directly in it
    assert_int_equal(source_key_line(text, block, "inner"), 4);
    assert_int_equal(source_key_line(text, source_block_of_key(text, block, "inner"), "radius"), 4);
    assert_int_equal(source_key_line(text, source_block_at_line(text, 5, "sphere"), "radius"), 6);
    assert_int_equal(source_key_line(text, source_block_at_line(text, 5, "sphere"), "x"), 0);
    assert_int_equal((int)source_block_at_line(text, 99, "sphere"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_a_scene), cmocka_unit_test(test_bad_domain),      cmocka_unit_test(test_bad_liquids),
        cmocka_unit_test(test_places),      cmocka_unit_test(test_bad_rest),        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_cut_short),   cmocka_unit_test(test_words_and_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

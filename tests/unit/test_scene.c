// Scenes: what a good one reads as, and what every bad one says.
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/vec.h"
#include "scene/scene.h"
#include "scene/source.h"
#include "scene/words.h"

// ---------------------------------------------------------------- helpers

// A scene around the part under test: `top` are keys of the scene, `liquids` its liquids. Line 1 is the domain, 2 the rest.
static mn_status load_parts(Scene* s, const char* domain, const char* liquids, const char* top)
{
    char text[8192];
    snprintf(text, sizeof text, "return scene { domain = { %s },\nframes = { rate = 100, count = 10 }, liquids = { %s },\n%s }",
             domain, liquids, top);
    return scene_load_text(s, "dir/x.lua", text);
}

#define BOX3 "size = { 1, 1, 1 }, cells = 16"
#define BOX2 "size = { 2, 1 }, cells = 32"
#define BALL3 "sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2 }"
#define BALL2 "sphere { center = { 0.5, 0.5 }, radius = 0.2 }"

static void check_message(mn_status got, mn_status wanted, const char* part)
{
    if (got == wanted && strstr(mn_last_error(), part) && !strchr(mn_last_error(), '\n')) return;
    print_error("status %d, wanted %d\n    message: %s\n    wanted:  %s\n", got, wanted, got ? mn_last_error() : "(none)", part);
    fail();
}

static void bad_text(const char* text, const char* part)
{
    Scene s;
    mn_status status = scene_load_text(&s, "dir/x.lua", text);
    assert_null(s.text);  // a failed load leaves nothing
    check_message(status, MN_BAD_SCENE, part);
}

static void bad_domain(const char* domain, const char* part)
{
    Scene s;
    check_message(load_parts(&s, domain, "pool { depth = 0.1 }", ""), MN_BAD_SCENE, part);
}

static void bad_liquid(const char* liquid, const char* part)
{
    Scene s;
    check_message(load_parts(&s, BOX3, liquid, ""), MN_BAD_SCENE, part);
}

static void bad_top(const char* top, const char* part)
{
    Scene s;
    check_message(load_parts(&s, BOX3, BALL3, top), MN_BAD_SCENE, part);
}

static void good(const char* domain, const char* liquids, const char* top)
{
    Scene s;
    CHECK_OK(load_parts(&s, domain, liquids, top));
    scene_free(&s);
}

// ---------------------------------------------------------------- good scenes

static const char drop[] =
    "return scene {\n"
    "  title   = \"A drop falls into a bath\",\n"
    "  domain  = { size = { mm(20), mm(20), mm(20) }, cells = 96 },      -- y is up\n"
    "  gravity = { 0, -9.81, 0 },\n"
    "  liquids = {\n"
    "    pool   { depth = mm(8), material = water },\n"
    "    sphere { center = { mm(10), mm(14), mm(10) }, radius = mm(2), velocity = { 0, -1, 0 }, material = water },\n"
    "  },\n"
    "  frames  = { rate = 500, count = 200 },\n"
    "}\n";

static void test_the_first_example(void** state)
{
    (void)state;
    Scene s;
    CHECK_OK(scene_load_text(&s, "drop.lua", drop));
    assert_string_equal(s.title, "A drop falls into a bath");
    assert_string_equal(s.text, drop);
    assert_true(s.fingerprint != 0);
    assert_int_equal(s.dim, 3);
    assert_int_equal(s.cells[0], 96);
    assert_int_equal(s.cells[2], 96);
    CHECK_CLOSE(s.dx, 0.02/96, 1e-14);
    CHECK_CLOSE(s.gravity[1], -9.81, 1e-15);
    assert_int_equal(s.liquid_count, 2);
    assert_int_equal(s.liquids[1].line, 7);
    assert_string_equal(s.liquids[1].name, "liquid2");
    CHECK_CLOSE(s.liquids[1].velocity[1], -1, 1e-15);
    CHECK_CLOSE(s.liquids[1].material.rho, 998.2, 1e-15);
    assert_string_equal(s.liquids[1].material.name, "water");
    CHECK_WITHIN(shape_distance(s.liquids[0].shape, (double[3]){0, 0.01, 0}), 0.002, 1e-15);
    CHECK_WITHIN(shape_distance(s.liquids[1].shape, (double[3]){0.01, 0.014, 0.01}), -0.002, 1e-15);
    assert_int_equal(s.frame_count, 200);
    assert_int_equal(s.checkpoint_every, 10);
    CHECK_CLOSE(s.cfl, 1.5, 1e-15);
    CHECK_CLOSE(s.tolerance, 1e-6, 1e-15);
    assert_true(isinf(s.max_dt));
    assert_true(s.merge.rule == SCENE_MERGE_TOUCH && s.op == OPERATOR_AUTO && s.advection == ADVECTION_AUTO);
    assert_true(s.tension.kind == TENSION_IS_AUTO && !s.slip);
    assert_true(s.tension.theta == 0 && s.tension.steps == 0 && s.tension.cycles == 0 && s.tension.band == 0);
    CHECK_CLOSE(s.spray_cells, 8, 1e-15);
    for (int i = 0; i < 6; i++) assert_true(s.side[i] == SIDE_WALL);
    scene_free(&s);
}

static void test_two_dimensions(void** state)
{
    (void)state;
    Scene s;
    CHECK_OK(load_parts(
        &s, BOX2 ", sides = { top = \"open\", left = \"open\", bottom = \"mirror\" }",
        "union { sphere { center = { 0.5, 0.5 }, radius = 0.1 }, box { low = { 1, 0 }, high = { 1.2, 0.5 } }, spin = 3, name = "
        "\"both\" }",
        "gravity = { 1, -2 }, spray_cells = 2, merge = \"touch\","
        "numerics = { cfl = 0.5, tolerance = 1e-8, max_dt = ms(1), advection = \"semilagrangian\", operator = \"ghost\","
        "  tension = \"implicit\", tension_theta = 0.75, tension_steps = 3, slip = true },"
        "solids = { rotate { box { center = { 1.5, 0.5 }, size = { 0.2, 0.1 } }, angle = degrees(90), about = { 1.5, 0.5 },"
        "  rotation = function(t) return 2*t end, pivot = { 1.5, 0.5 }, contact_angle = degrees(60) } },"
        "sources = { sphere { center = { 1.8, 0.9 }, radius = 0.05, velocity = { 0, -1 }, rate = 0.01, start = 1, material = "
        "mercury } },"
        "probes = { { name = \"p\", kind = \"height\", at = { 0.5, 0 } }, { kind = \"velocity\", at = { 0.5, 0 } } },"
        "frame_acceleration = function(t) return math.sin(t), 2 end"));
    assert_int_equal(s.dim, 2);
    assert_int_equal(s.cells[1], 16);
    assert_int_equal(s.cells[2], 1);
    CHECK_CLOSE(s.dx, 0.0625, 1e-15);
    assert_true(s.side[0] == SIDE_OPEN && s.side[1] == SIDE_WALL && s.side[2] == SIDE_MIRROR && s.side[3] == SIDE_OPEN);
    CHECK_CLOSE(s.liquids[0].spin[2], 3, 1e-15);
    assert_string_equal(s.liquids[0].name, "both");
    CHECK_CLOSE(s.spray_cells, 2, 1e-15);
    assert_true(s.op == OPERATOR_GHOST && s.advection == ADVECTION_SEMILAGRANGIAN);
    CHECK_CLOSE(s.max_dt, 1e-3, 1e-15);
    assert_true(s.tension.kind == TENSION_IS_IMPLICIT && s.slip);
    CHECK_CLOSE(s.tension.theta, 0.75, 1e-15);
    CHECK_CLOSE(s.tension.steps, 3, 1e-15);
    assert_true(s.solids[0].moving);
    CHECK_CLOSE(s.solids[0].contact_angle.advancing, PI/3, 1e-14);
    CHECK_CLOSE(s.solids[0].contact_angle.receding, PI/3, 1e-14);
    CHECK_WITHIN(shape_distance(s.solids[0].shape, (double[3]){1.5, 0.7, 0}), 0.1, 1e-12);
    CHECK_CLOSE(s.sources[0].material.rho, 13546, 1e-15);
    assert_true(isinf(s.sources[0].stop));
    assert_true(s.probes[0].kind == PROBE_HEIGHT && s.probes[1].kind == PROBE_VELOCITY);
    assert_string_equal(s.probes[1].name, "probe2");
    double v[3];
    CHECK_OK(scene_time_vector(v, &s, &s.frame_acceleration, 0.5));
    CHECK_CLOSE(v[0], sin(0.5), 1e-15);
    CHECK_CLOSE(v[1], 2, 1e-15);
    CHECK_OK(scene_time_vector(v, &s, &s.solids[0].rotation, 0.5));
    CHECK_WITHIN(v[0], 0, 0);
    CHECK_CLOSE(v[2], 1, 1e-15);
    CHECK_OK(scene_time_vector(v, &s, &s.solids[0].position, 0.5));  // not given
    CHECK_WITHIN(v[1], 0, 0);
    scene_free(&s);
}

// Every scheme of tension with its own keys.
static void test_tension_keys(void** state)
{
    (void)state;
    Scene s;
    CHECK_OK(load_parts(&s, BOX2, "pool { depth = 0.2 }",
                        "numerics = { tension = \"split\", tension_cycles = \"auto\", tension_steps = 8 }"));
    assert_true(s.tension.kind == TENSION_IS_SPLIT && s.tension.variant == SPLIT_IS_FROZEN && s.tension.cycles == 0);
    CHECK_CLOSE(s.tension.steps, 8, 1e-15);
    scene_free(&s);
    CHECK_OK(load_parts(&s, BOX2, "pool { depth = 0.2 }",
                        "numerics = { tension = \"split\", tension_variant = \"paper\", tension_cycles = 8, tension_band = 2.5,"
                        " tension_changes = { \"balance\", \"mean\" } }"));
    assert_true(s.tension.variant == SPLIT_IS_PAPER && s.tension.cycles == 8 &&
                s.tension.changes == (PAPER_BALANCE | PAPER_MEAN));
    CHECK_CLOSE(s.tension.band, 2.5, 1e-15);
    scene_free(&s);
    CHECK_OK(
        load_parts(&s, BOX2, "pool { depth = 0.2 }", "numerics = { tension = \"csf\", tension_band = 4, tension_theta = 1 }"));
    assert_true(s.tension.kind == TENSION_IS_CSF);
    CHECK_CLOSE(s.tension.band, 4, 1e-15);
    CHECK_CLOSE(s.tension.theta, 1, 1e-15);
    scene_free(&s);
}

// Each constructor, once, with the distance at one point.
static void test_every_shape(void** state)
{
    (void)state;
    static const struct {
        const char* shape;
        double distance;
    } cases[] = {
        // at (0.5, 0.5, 0.5)
        {"box { low = { 0.2, 0.1, 0 }, high = { 0.6, 1, 1 } }", -0.1},
        {"box { center = { 0.5, 0.5, 0.5 }, size = { 0.4, 0.6, 0.6 }, rounding = 0.1 }", -0.2},
        {"sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2 }", -0.2},
        {"ellipsoid { center = { 0.5, 0.5, 0.5 }, radii = { 0.2, 0.1, 0.3 } }", -0.1},
        {"capsule { from = { 0.2, 0.5, 0.5 }, to = { 0.4, 0.5, 0.5 }, radius = 0.15 }", -0.05},
        {"cylinder { from = { 0.1, 0.5, 0.5 }, to = { 0.9, 0.5, 0.5 }, radius = 0.1 }", -0.1},
        {"torus { center = { 0.5, 0.5, 0.5 }, radius = 0.3, tube = 0.1 }", 0.2},
        {"torus { center = { 0.2, 0.5, 0.5 }, axis = { 0, 0, 2 }, radius = 0.3, tube = 0.1 }", -0.1},
        {"halfspace { point = { 0, 0.7, 0 }, normal = { 0, 2, 0 } }", -0.2},
        {"pool { depth = 0.6 }", -0.1},
        {"union { pool { depth = 0.2 }, sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2 } }", -0.2},
        {"intersection { pool { depth = 0.6 }, sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2 } }", -0.1},
        {"difference { pool { depth = 0.9 }, sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2 } }", 0.2},
        {"move { pool { depth = 0.1 }, by = { 0, 0.45, 0 } }", -0.05},
        {"rotate { pool { depth = 0.1 }, axis = { 0, 0, 1 }, angle = degrees(180), about = { 0, 0.5, 0 } }", 0.4},
        {"scale { sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.1 }, by = 3, about = { 0.5, 0.5, 0.5 } }", -0.3},
    };
    for (size_t i = 0; i < sizeof cases/sizeof *cases; i++) {
        Scene s;
        CHECK_OK(load_parts(&s, BOX3, cases[i].shape, ""));
        CHECK_WITHIN(shape_distance(s.liquids[0].shape, (double[3]){0.5, 0.5, 0.5}), cases[i].distance, 1e-12);
        scene_free(&s);
    }
}

static void test_materials_and_units(void** state)
{
    (void)state;
    static const struct {
        const char* expression;
        double value;
    } units[] = {
        {"mm(3)", 3e-3},
        {"cm(3)", 3e-2},
        {"um(3)", 3e-6},
        {"ms(3)", 3e-3},
        {"us(3)", 3e-6},
        {"degrees(180)", PI},
        {"mN_per_m(72.8)", 0.0728},
        {"mPa_s(1)", 1e-3},
        {"kg_per_m3(1000)", 1000},
        {"hz(50)", 50},
        {"rpm(60)", 2*PI},
        {"ml(1)", 1e-6},
        {"ul(1)", 1e-9},
        {"g_per_cm3(1)", 1000},
        {"({ mm(1, 2, 3) })[3]", 3e-3},
    };
    Scene s;
    char top[200];
    for (size_t i = 0; i < sizeof units/sizeof *units; i++) {
        snprintf(top, sizeof top, "spray_cells = %s", units[i].expression);
        CHECK_OK(load_parts(&s, BOX3, BALL3, top));
        CHECK_CLOSE(s.spray_cells, units[i].value, 1e-14);
        scene_free(&s);
    }
    const char* names[] = {"water", "milk", "ethanol", "silicone_oil_20cSt", "tetradecane", "mercury", "honey"};
    for (size_t i = 0; i < sizeof names/sizeof *names; i++) {
        snprintf(top, sizeof top, "sphere { center = { 0.5, 0.5, 0.5 }, radius = 0.2, material = %s { sigma = 0 } }", names[i]);
        CHECK_OK(load_parts(&s, BOX3, top, ""));
        assert_string_equal(s.liquids[0].material.name, names[i]);
        CHECK_WITHIN(s.liquids[0].material.sigma, 0, 0);
        CHECK_LESS(0, s.liquids[0].material.mu);
        scene_free(&s);
    }
    CHECK_OK(load_parts(
        &s, BOX3,
        "pool { depth = 0.2, material = material { name = \"ink\", rho = 1050, sigma = 0.03, mu = 0.002, contact_angle = 1 } }",
        ""));
    assert_string_equal(s.liquids[0].material.name, "ink");
    CHECK_CLOSE(s.liquids[0].material.contact_angle, 1, 1e-15);
    scene_free(&s);
    bad_liquid("pool { depth = 0.2, material = { rho = 1 } }",
               "dir/x.lua:2: liquids[1].material: expected a material such as water");
    bad_liquid("pool { depth = 0.2, material = \"water\" }", "got the text \"water\"");
    bad_liquid("pool { depth = 0.2, material = water { rho = -1 } }",
               "liquids[1].material.rho: expected a positive density in kg/m^3, got -1");
    bad_liquid("pool { depth = 0.2, material = water { rhoo = 1 } }",
               "liquids[1].material.rhoo: unknown key; did you mean 'rho'?");
    bad_liquid("pool { depth = 0.2, material = material { rho = 1 } }",
               "liquids[1].material.sigma: missing; expected a non-negative surface tension");
    bad_liquid("pool { depth = 0.2, material = water { contact_angle = 90 } }", "degrees(90)?");
    bad_liquid("pool { depth = 0.2, material = water { sigma = function(x) return -1 end } }",
               "dir/x.lua:2: liquids[1].material.sigma: at (0, 0, 0) the function must return a positive number, in N/m");
    bad_liquid("pool { depth = 0.2, material = water { sigma = function(x) return 1 end, mu = 0 } }",
               "liquids[1].material.mu: expected a positive viscosity");
    bad_liquid("pool { depth = 0.1, material = water { sigma = function() return 1 end } }, sphere { center = { 0.5, 0.5, 0.5 }, "
               "radius = 0.1 }",
               "liquids[2].material: sigma is a function of the place in another liquid");
    bad_liquid("pool { depth = 0.1, material = water { sigma = function() return 1 end } }, sphere { center = { 0.5, 0.5, 0.5 }, "
               "radius = 0.1, material = water { sigma = function() return 2 end } }",
               "liquids[2].material.sigma: is another function than that of an earlier liquid");
    CHECK_OK(load_parts(&s, BOX2, "pool { depth = 0.2, material = water { sigma = function(x, y) return 0.01 + x end } }", ""));
    CHECK_CLOSE(s.liquids[0].material.sigma, 0.01 + s.size[0], 1e-12);  // the largest
    double sigma;
    CHECK_OK(scene_sigma(&sigma, &s, (double[3]){0.5, 0.2, 0}));
    CHECK_CLOSE(sigma, 0.51, 1e-12);
    scene_free(&s);
    bad_liquid("pool { depth = mm(\"3\") }", "dir/x.lua:2: mm: expected a number, got a string");
}

// ---------------------------------------------------------------- bad scenes

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
    check_message(scene_load(&s, "/tmp", NULL), MN_IO, "/tmp: is not a file");
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
               "liquids[1].velocity: expected three numbers, a velocity in m/s, got 3");
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

// Who merges with whom, and what is said of a rule that means nothing.
static void test_merge_rules(void** state)
{
    (void)state;
    const char* two =
        "sphere { name = \"drop\", center = { 0.5, 0.8, 0.5 }, radius = 0.1 }, pool { name = \"bath\", depth = 0.4 }";
    Scene s;
    CHECK_OK(load_parts(
        &s, BOX3, two,
        "merge = { rule = \"hold\", pairs = { { between = { \"bath\", \"drop\" }, rule = \"below\", thickness = 2e-6 }, "
        "{ between = { \"bath\", \"bath\" }, rule = \"after\", time = 0.1 } } }, film = { cells = 3 }"));
    assert_true(s.merge.rule == SCENE_MERGE_HOLD && s.merge_pair_count == 2);
    assert_true(s.merge_pairs[0].rule == SCENE_MERGE_BELOW && s.merge_pairs[0].a == 1 && s.merge_pairs[0].b == 0);
    CHECK_CLOSE(s.merge_pairs[0].value, 2e-6, 1e-15);
    CHECK_CLOSE(s.merge_pairs[1].value, 0.1, 1e-15);
    CHECK_CLOSE(s.film.cells, 3, 1e-15);
    scene_free(&s);
    bad_top("merge = \"often\"", "merge: expected");
    bad_top("merge = { rule = \"below\" }", "merge.thickness: missing; expected a positive thickness");
    bad_top("merge = { rule = \"hold\", time = 1 }", "merge.time: means something");
    bad_top("merge = { pairs = { { between = { \"x\", \"liquid1\" }, rule = \"hold\" } } }", "merge.pairs[1].between");
    bad_top("merge = { pairs = { { between = { \"liquid1\" }, rule = \"hold\" } } }", "expected two names of liquids, got 1");
    bad_top("film = { cells = 5 }", "film: means nothing while all liquids merge on touch");
    bad_top("merge = \"hold\", film = { build = \"grid\" }", "film.build");
    bad_top("solids = { box { low = { 0, 0, 0 }, high = { 0.1, 0.1, 0.1 }, film = true, contact_angle = 2 } }",
            "no liquid touches a solid with film = true");
    bad_top("merge = \"hold\", film = { cells = 9 }", "film.cells: expected a thickness from 1 to 7 cells, got 9");
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

// ---------------------------------------------------------------- the sandbox

// No loop, however it is wrapped, no hoard and no recursion gets past the limits.
static void test_limits(void** state)
{
    (void)state;
    bad_text("\nwhile true do end", "dir/x.lua:2: the scene runs too long");
    bad_text("while true do pcall(function() while true do end end) end", "the scene runs too long");
    bad_text("pcall(function() while true do end end) return scene {}", "the scene runs too long");
    bad_text("local function f() pcall(f) return f() end f()", "the scene runs too long");
    bad_text("table.sort({ 3, 2, 1 }, function() while true do end end)", "the scene runs too long");
    bad_text("local t = {} while true do t[#t + 1] = { 1, 2, 3 } end", "dir/x.lua: the scene needs more than 64 MB of memory");
    bad_text("local t = {} while true do pcall(function() while true do t[#t + 1] = { 1, 2, 3 } end end) end",
             "more than 64 MB of memory");
    bad_text("local s = 'x' while true do s = s .. s end", "more than 64 MB of memory");
    bad_text("local s = ('x'):rep(1e12)", "string.rep: the result is too large");
    bad_text("local s = (''):rep(1e18)", "string.rep: the result is too large");
    bad_text("local function f() return 1 + f() end f()", "dir/x.lua");
    bad_text("return scene { title = string.format('%99999d', 3) }", "dir/x.lua:1:");
    char deep[5000] = "return ";
    memset(deep + 7, '(', 3000);
    deep[3007] = 0;
    bad_text(deep, "dir/x.lua: C stack overflow");
}

// What could reach outside, run code or differ between runs is not there.
static void test_nothing_dangerous(void** state)
{
    (void)state;
    const char* gone[] = {"io",      "os",        "load",  "loadstring",     "loadfile", "dofile",       "require",
                          "package", "coroutine", "debug", "collectgarbage", "print",    "setmetatable", "getmetatable",
                          "rawset",  "next",      "_G"};
    char text[200], part[100];
    for (size_t i = 0; i < sizeof gone/sizeof *gone; i++) {
        snprintf(text, sizeof text, "local x = 1\nlocal y = %s", gone[i]);
        snprintf(part, sizeof part, "dir/x.lua:2: '%s' is not available in scenes", gone[i]);
        bad_text(text, part);
    }
    bad_text("assert(string.find or string.match or string.gmatch or string.gsub or string.dump or table.move, 'none')", "none");
    bad_text("local s = ('x'):find('x')", "dir/x.lua:1:");
    bad_text("local s = string.format('%p', 'x')", "%p is not available");
    bad_text("local s = string.format('%s', {})", "string.format: argument 2 is a table");
    bad_text("error(tostring({}) .. tostring(error))", "tablefunction");
    bad_text("math.randomseed()", "dir/x.lua:1:");
    bad_text("math.random(2, 1)", "interval is empty");
}

// The same random numbers and the same order of pairs in every run; and what is left of Lua works.
static void test_same_in_every_run(void** state)
{
    (void)state;
    const char* text =
        "local s = '' for i = 1, 5 do s = s .. math.random(1000) .. ' ' end\n"
        "local t = { zeta = 1, alpha = 2, mid = 3, 10, 20 } for k, v in pairs(t) do s = s .. k .. '=' .. v .. ' ' end\n"
        "t.alpha = nil for k in pairs(t) do s = s .. k t.mid = nil end\n"
        "local ok, why = pcall(error, 'caught') assert(not ok and why == 'caught')\n"
        "table.sort(t) local u = table.pack(table.unpack(t)) s = s .. table.concat(u, '+') .. select('#', 1, 2) .. "
        "tonumber('0x10')\n"
        "for i, v in ipairs(u) do s = s .. i end\n"
        "error(s .. ('ab'):upper():rep(2, '-') .. tostring(1.5) .. type(s) .. string.format('%5.2f', 3.14159), 0)";
    char first[500];
    bad_text(text, "1=10 2=20 alpha=2 mid=3 zeta=1 12zeta");
    snprintf(first, sizeof first, "%s", mn_last_error());
    assert_non_null(strstr(first, "AB-AB1.5string 3.14"));
    for (int i = 0; i < 3; i++) {
        bad_text(text, "");
        assert_string_equal(mn_last_error(), first);
    }
}

// ---------------------------------------------------------------- functions of time

static void bad_function(const char* function, const char* part)
{
    char top[500];
    snprintf(top, sizeof top, "frame_acceleration = %s", function);
    bad_top(top, part);
}

static void test_bad_functions(void** state)
{
    (void)state;
    bad_function("function(t) while true do end end", "dir/x.lua:3: this function of time runs too long");
    bad_function("function(t) while true do pcall(function() while true do end end) end end",
                 "this function of time runs too long");
    bad_function("function(t)\n return t.x end", "dir/x.lua:4: attempt to index a number value");
    bad_function("function(t) return 1 end",
                 "dir/x.lua:3: frame_acceleration: at t = 0 the function must return three finite numbers");
    bad_function("function(t) return { 1, 2, 0/0 } end", "must return three finite numbers");
    bad_function("function(t) return 1, 2, 3, 4 end", "must return three finite numbers");
    bad_function("function(t) return '1', 2, 3 end", "must return three finite numbers");
    bad_function("function(t) return math.random(), 2, 3 end", "math.random cannot be used in a function of time");
    bad_function("\"up\"", "frame_acceleration: expected three numbers");
    bad_top("solids = { sphere { center = { 0, 0, 0 }, radius = 1, position = function(t) return undefined_thing end } }",
            "unknown name 'undefined_thing'");
}

// A box that swings by A sin(w t) is accelerated by -A w^2 sin(w t). Both at once are refused.
static void test_frame_position(void** state)
{
    (void)state;
    Scene s;
    double a[3];
    const double amplitude = 0.36e-3, w = 2*PI*50;
    CHECK_OK(load_parts(&s, BOX2, "pool { depth = 0.1 }",
                        "frame_position = function(t) return 0, 0.36e-3*math.sin(2*math.pi*50*t) end"));
    for (int m = 0; m < 20; m++) {
        double t = 1.3e-3*m;
        CHECK_OK(scene_frame_acceleration(a, &s, t));
        CHECK_WITHIN(a[1], -amplitude*w*w*sin(w*t), 1e-6*amplitude*w*w);
        CHECK_WITHIN(a[0], 0, 0);
    }
    scene_free(&s);
    bad_top("frame_position = function(t) return 0, t, 0 end, frame_acceleration = { 0, 1, 0 }", "leave frame_acceleration out");
}

// A function that goes wrong later fails then, and the next call works again.
static void test_function_fails_later(void** state)
{
    (void)state;
    Scene s;
    double v[3];
    CHECK_OK(load_parts(&s, BOX3, BALL3,
                        "solids = { sphere { center = { 0, 0, 0 }, radius = 0.1,\n position = function(t) if t > 1 then while "
                        "true do end end return { t, 2*t, 3*t } end } }"));
    assert_true(s.solids[0].moving);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(scene_time_vector(v, &s, &s.solids[0].position, 0.5));
        CHECK_CLOSE(v[2], 1.5, 1e-15);
        check_message(scene_time_vector(v, &s, &s.solids[0].position, 2), MN_BAD_SCENE,
                      "dir/x.lua:4: this function of time runs too long");
    }
    scene_free(&s);
}

// ---------------------------------------------------------------- meshes in scenes

static void write_file(const char* path, const char* text)
{
    FILE* f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

// A mesh is found next to its scene, scaled, and checked.
static void test_mesh_in_scene(void** state)
{
    (void)state;
    char folder[] = "/tmp/meniscus_scene_XXXXXX", path[100], mesh[100], text[1000];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.lua", folder);
    snprintf(mesh, sizeof mesh, "%s/tet.obj", folder);
    write_file(mesh, "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    snprintf(text, sizeof text,
             "return scene { domain = { " BOX3 " }, frames = { rate = 1, count = 1 },\n"
             "liquids = { move { mesh { file = \"tet.obj\", scale = 0.05 }, by = { 0.1, 0.1, 0.1 } } },\nsolids = { mesh { file "
             "= \"tet.obj\", scale = 0.001 } } }");
    write_file(path, text);
    Scene s;
    CHECK_OK(scene_load(&s, path, NULL));
    CHECK_WITHIN(shape_distance(s.liquids[0].shape, (double[3]){0.05, 0.2, 0.2}), 0.05, 1e-6);
    CHECK_LESS(shape_distance(s.liquids[0].shape, (double[3]){0.2, 0.2, 0.2}), 0);
    assert_non_null(shape_mesh(s.liquids[0].shape));
    scene_free(&s);
    write_file(mesh, "v 0 0 0\nv 10 0 0\nv 0 10 0\nf 1 2 4\n");
    check_message(scene_load(&s, path, NULL), MN_BAD_MESH, "a.lua:2: liquids[1][1].file: ");
    assert_non_null(strstr(mn_last_error(), "tet.obj: a face names vertex 3"));
    unlink(mesh), unlink(path), rmdir(folder);
}

// ---------------------------------------------------------------- parts

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_merge_rules),
        cmocka_unit_test(test_the_first_example),
        cmocka_unit_test(test_two_dimensions),
        cmocka_unit_test(test_tension_keys),
        cmocka_unit_test(test_every_shape),
        cmocka_unit_test(test_materials_and_units),
        cmocka_unit_test(test_not_a_scene),
        cmocka_unit_test(test_bad_domain),
        cmocka_unit_test(test_bad_liquids),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_bad_rest),
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_nothing_dangerous),
        cmocka_unit_test(test_same_in_every_run),
        cmocka_unit_test(test_bad_functions),
        cmocka_unit_test(test_frame_position),
        cmocka_unit_test(test_function_fails_later),
        cmocka_unit_test(test_mesh_in_scene),
        cmocka_unit_test(test_words_and_lines),
        cmocka_unit_test(test_cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// What a good scene reads as.
#include "scene_text.h"
#include "base/vec.h"
#include "folder.h"

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
               "dir/x.lua:2: liquids[1].material: expected a material: water, milk, ethanol");
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

// A mesh is found next to its scene, scaled, and checked.
static void test_mesh_in_scene(void** state)
{
    (void)state;
    write_text("tet.obj", "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write_text("a.lua", "return scene { domain = { " BOX3 " }, frames = { rate = 1, count = 1 },\n"
                        "liquids = { move { mesh { file = \"tet.obj\", scale = 0.05 }, by = { 0.1, 0.1, 0.1 } } },\n"
                        "solids = { mesh { file = \"tet.obj\", scale = 0.001 } } }");
    Scene s;
    CHECK_OK(scene_load(&s, in("a.lua"), NULL));
    CHECK_WITHIN(shape_distance(s.liquids[0].shape, (double[3]){0.05, 0.2, 0.2}), 0.05, 1e-6);
    CHECK_LESS(shape_distance(s.liquids[0].shape, (double[3]){0.2, 0.2, 0.2}), 0);
    assert_non_null(shape_mesh(s.liquids[0].shape));
    scene_free(&s);
    write_text("tet.obj", "v 0 0 0\nv 10 0 0\nv 0 10 0\nf 1 2 4\n");
    check_message(scene_load(&s, in("a.lua"), NULL), MN_BAD_MESH, "a.lua:2: liquids[1][1].file: ");
    assert_non_null(strstr(mn_last_error(), "tet.obj: a face names vertex 3"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_first_example),
        cmocka_unit_test(test_two_dimensions),
        cmocka_unit_test(test_tension_keys),
        cmocka_unit_test(test_every_shape),
        cmocka_unit_test(test_materials_and_units),
        cmocka_unit_test(test_merge_rules),
        IN_FOLDER(test_mesh_in_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Rods and webs in scenes: what every wrong one says, how they are made, what files have of them, and the drag that liquids give.
#include "base/vec.h"
#include "command.h"
#include "folder.h"
#include "scene_text.h"

#include "scene/rod_build.h"
#include "thin/rod_drag.h"
#include "thin/rod_show.h"

#define THREAD "radius = 0.01, density = 1200, young = 1e9"
#define SPAN "from = { 0.2, 0.5, 0.5 }, to = { 0.8, 0.5, 0.5 }, "

static void bad_rod(const char* rod, const char* part) { bad_list("rods", BOX3, rod, MN_BAD_SCENE, part); }
static void bad_web(const char* web, const char* part) { bad_list("webs", BOX3, web, MN_BAD_SCENE, part); }

static void test_wrong_values(void** state)
{
    (void)state;
    bad_rod("{ " THREAD " }", "dir/x.lua:3: rods[1]: expected points = { ... }, or from and to");
    bad_rod("{ " SPAN "points = { { 0.1, 0.1, 0.1 }, { 0.2, 0.2, 0.2 } }, " THREAD " }",
            "expected these, or from and to, not both");
    bad_rod("{ points = { { 0.1, 0.1, 0.1 } }, " THREAD " }", "rods[1].points: expected two points at least, got 1");
    bad_rod("{ from = { 0.2, 0.5, 0.5 }, to = { 1.8, 0.5, 0.5 }, " THREAD " }", "points[2]: expected a place within the box");
    bad_rod("{ " SPAN "radius = 0.1, density = 1200, young = 1e9 }",
            "rods[1].radius: expected at most half a cell, 0.03125 m, got 0.1");
    bad_rod("{ " SPAN "radius = 0.01, density = 1200, young = 0/0 }", "rods[1].young");
    bad_rod("{ " SPAN "radius = 0.01, density = 1200 }", "rods[1].young: missing");
    bad_rod("{ " SPAN "piece = 0.1, " THREAD " }", "rods[1].piece: expected at most a cell");
    bad_rod("{ " SPAN "held = 'left', " THREAD " }", "rods[1].held");
    bad_rod("{ " SPAN "clamped = true, " THREAD " }", "rods[1].clamped: neither end is held");
    bad_rod("{ " SPAN "held = 'from', position = { 0, 0, 0 }, " THREAD " }", "rods[1].position: expected a function of time");
    bad_rod("{ " SPAN "position = function(t) return { 0, 0, 0 } end, " THREAD " }", "rods[1].position: nothing is held");
    bad_rod("{ " SPAN "contact_angle = 4, " THREAD " }", "rods[1].contact_angle: expected at most 3.14159");
    bad_rod("{ " SPAN "name = 'a', " THREAD " }, { " SPAN "name = 'a', " THREAD " }", "two rods or webs are called \"a\"");
    bad_rod("{ " SPAN "radus = 1, " THREAD " }", "rods[1].radus: unknown key; did you mean 'radius'?");
    bad_web("{ center = { 0.5, 0.5, 0.5 }, size = 0.7, " THREAD " }", "webs[1].size: the web reaches out of the box");
    bad_web("{ center = { 0.5, 0.5, 0.5 }, size = 0.3, turns = 12, " THREAD " }", "webs[1].turns: 12 turns lie closer");
    bad_web("{ center = { 0.5, 0.5, 0.5 }, size = 0.3, spokes = 2, " THREAD " }", "webs[1].spokes");
    bad_web("{ center = { 0.5, 0.5, 0.5 }, size = 0.3, hole = 0.29, " THREAD " }", "webs[1].hole: expected less than 0.8");
    bad_list("rods", BOX3, "{ points = { { 0.1, 0.1, 0.1 }, { 0.1, 0.1, 0.1 } }, " THREAD " }", MN_BAD_MESH,
             "points[2]: in one place");
    bad_list("rods", BOX3, "{ " SPAN "damping = { mass = 1 }, " THREAD " }, { " SPAN THREAD " }", MN_UNSUPPORTED,
             "must have the same");
    bad_list("rods", BOX2, "{ " SPAN THREAD " }", MN_UNSUPPORTED, "only in 3D");
}

static void test_company(void** state)
{
    (void)state;
    Scene s;
    check_message(load_parts(&s, BOX3, BALL3,
                             "rods = { { " SPAN THREAD " } }, solids = { sphere { center = { 0.2, 0.2, 0.2 }, radius = 0.1 } }"),
                  MN_UNSUPPORTED, "rods: not beside solids and bodies yet");
    check_message(load_parts(&s, BOX3, BALL3, "rods = { { " SPAN THREAD " } }, merge = 'never'"), MN_UNSUPPORTED, "air films");
}

// Rods are cut into pieces, at most as long as told; threads of a web share the vertices where they meet, and its rim is held.
static void test_meshes(void** state)
{
    (void)state;
    Scene s;
    Rods r;
    CHECK_OK(load_parts(&s, BOX3, BALL3,
                        "rods = { { " SPAN "held = 'both', " THREAD " } }, webs = { { center = { 0.5, 0.5, 0.5 }, size "
                        "= 0.4, spokes = 8, turns = 2, piece = 0.05, " THREAD " } }"));
    CHECK_OK(rods_build(&r, &s));
    assert_true(rods_is_valid(&r));
    assert_int_equal(r.part[0].segments, 20);
    assert_int_equal(r.part[0].vertices, 21);
    const RodPart* web = &r.part[1];
    int held = 0, meet[8] = {0};
    double length = 0;
    for (int v = web->first_vertex; v < web->first_vertex + web->vertices; v++) {
        int threads = 0;
        for (int m = 0; m < r.mesh.segments; m++) threads += r.mesh.segment[m].v[0] == v || r.mesh.segment[m].v[1] == v;
        held += r.mesh.held[v] == HELD;
        assert_true(threads <= 8);
        if (threads < 8) meet[threads]++;
    }
    for (int m = web->first_segment; m < web->first_segment + web->segments; m++) {
        CHECK_LESS(r.mesh.segment[m].length, 0.0500001);
        length += r.mesh.segment[m].length;
    }
    assert_int_equal(held, 8);
    assert_int_equal(meet[1], 8);          // the rim
    assert_int_equal(meet[4], 2*8 - 2);  // where the spiral crosses
    assert_int_equal(meet[3], 2);          // where it begins and ends
    CHECK_LESS(8*0.4, length);
    Layers layers = {0};
    CHECK_OK(rods_show(&layers, &r));
    assert_true(layers_is_valid(&layers) && layers.count == 2);
    assert_string_equal(layers.layer[1]->name, "rod_web1");
    layers_free(&layers);
    rods_free(&r), scene_free(&s);
}

// Across a cylinder: Lamb's 4 pi mu U/ln(7.4/Re) at small Re, and the measured C of 10, 2.8 and 1.4 at Re = 1, 10 and 100
// [white1991] within a quarter.
static void test_drag(void** state)
{
    (void)state;
    static const double measured[3][2] = {{1, 10}, {10, 2.8}, {100, 1.4}};
    double mu = 1e-3, rho = 1000, b = 1e-4;
    RodDrag slow = rod_drag(b, 0.01*mu/(2*b*rho), rho, mu, 1);
    CHECK_CLOSE(slow.across, 4*PI*mu/log(740), 1e-12);
    CHECK_CLOSE(slow.along, 0.5*slow.across, 1e-12);
    for (int m = 0; m < 3; m++) {
        double U = measured[m][0]*mu/(2*b*rho), C = rod_drag(b, U, rho, mu, 1).across/(rho*b*U);
        print_message("Re %g: C %.3g, measured %.3g\n", measured[m][0], C, measured[m][1]);
        CHECK_CLOSE(C, measured[m][1], 0.25);
    }
    CHECK_CLOSE(rod_drag(b, 0, rho, mu, 5*b).across, 4*PI*mu/log(5), 1e-12);
    CHECK_CLOSE(rod_drag(b, 0.1, rho, 0, 5*b).across, rho*b*0.1, 1e-12);
}

// A run has its rods in run.json, in table.csv, and as a mesh of the same triangles in every frame.
static void test_files(void** state)
{
    (void)state;
    size_t size;
    write_text(
        "x.lua",
        "return scene { domain = { size = { 1, 1, 1 }, cells = 16 }, frames = { rate = 100, count = 2 }, liquids = { " BALL3
        " }, rods = { { " SPAN THREAD ", name = 'bar', look = 'steel', held = 'both' } } }");
    CHECK_CODE(COMMAND("run", in("x.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    char *json = contents("o/run.json", &size), *table = contents("o/table.csv", &size);
    CHECK_SAYS(json, "\"rods\": [");
    CHECK_SAYS(table, ",rods_hold_fy,");
    assert_true(exists("o/rod_bar_0000.ply") && exists("o/rod_bar_0002.ply"));
    free(json), free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_values),
        cmocka_unit_test(test_company),
        cmocka_unit_test(test_meshes),
        cmocka_unit_test(test_drag),
        cmocka_unit_test_setup_teardown(test_files, make_folder, remove_folder),
    };
    command_setup();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

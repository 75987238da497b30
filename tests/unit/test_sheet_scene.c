// Sheets of no thickness in scenes: what is read, what every wrong one says, how a liquid lies beside them, and its mesh.
#include "folder.h"
#include "scene_text.h"

#include "base/vec.h"
#include "output/sheetmesh.h"
#include "scene/scene_sim.h"

#define POOL "pool { depth = 0.3 }"

static void bad(const char* domain, const char* sheets, mn_status status, const char* part)
{
    bad_list("sheets", domain, sheets, status, part);
}

static void bad_3d(const char* sheet, const char* part) { bad(BOX3, sheet, MN_BAD_SCENE, part); }
static void bad_2d(const char* sheet, const char* part) { bad(BOX2, sheet, MN_BAD_SCENE, part); }
static void unfit(const char* sheets, const char* part) { bad(BOX2, sheets, MN_UNSUPPORTED, part); }

#define LINE "curve { points = { { 0.51, 0.2 }, { 0.51, 0.9 } } }"

static void test_wrong_values(void** state)
{
    (void)state;
    bad_2d("sphere { center = { 1, 0.5 }, radius = 0.2 }",
           "dir/x.lua:3: sheets[1]: expected a sheet, in 2D one of: curve, arc, cup; got");
    bad_2d("disc { center = { 1, 0.5 }, radius = 0.2 }", "expected a sheet, in 2D one of: curve, arc, cup");
    bad_3d("curve { points = {} }", "expected a sheet, in 3D one of: rectangle, disc, tube, cup, dome, mesh");
    bad_2d("curve { }", "sheets[1].points: missing; expected a list of points");
    bad_2d("curve { points = { { 1, 0.5 } } }", "sheets[1].points: expected two points at least, got 1");
    bad_2d("curve { points = { { 1, 0.5 }, { 1 } } }", "sheets[1].points[2]: expected two numbers, a point in metres, got { 1 }");
    bad_2d("curve { points = { { 1, 0.5 }, { 1, 0.5 } } }", "sheets[1] (\"sheet1\"): segment 1 of it has no length");
    bad_2d("arc { center = { 1, 0.5 }, radius = 0.2, from = 1, to = 0 }", "sheets[1].to: expected an angle after from, 1");
    bad_2d("cup { from = { 1, 0.5 }, to = { 1, 0.5 }, radius = 0.2 }", "sheets[1].to: expected a point other than `from`");
    bad_2d("cup { from = { 1, 0.5 }, to = { 1, 0.9 }, radus = 0.2 }", "sheets[1].radus: unknown key; did you mean 'radius'?");
    bad_2d("curve { points = { { 5, 0.5 }, { 5, 0.9 } } }", "lies outside the box: x goes from 5 to 5 m, the box from 0 to 2 m");
    bad_2d("curve { points = { { 1, 0.5 }, { 1, 9 } } }", "reaches further past the box than that is large");
    bad_2d(LINE ", arc { center = { 1.5, 0.5 }, radius = 0.2, name = \"sheet1\" }",
           "sheets[2].name: two sheets are called \"sheet1\"");
    bad_3d("rectangle { corner = { 0, 0, 0 }, along = { 1, 0, 0 }, across = { 2, 0, 0 } }", "sheets[1].across: expected an edge");
    bad_3d("dome { center = { 0.5, 0.5, 0.5 }, radius = 0.2, angle = 4 }", "sheets[1].angle: expected at most half a turn");
    unfit("arc { center = { 1, 0.5 }, radius = 0.2, look = \"glass\" }", "sheets[1].look: pictures show no sheet as glass");
    bad_2d("arc { center = { 1, 0.5 }, radius = 0.2, position = function(t) return 'up' end }", "sheets[1].position");
    bad_2d("arc { center = { 1, 0.5 }, radius = 0.2, position = { 1 } }", "sheets[1].position: expected two numbers");
}

static void test_wrong_together(void** state)
{
    (void)state;
    unfit("curve { points = { { 0.3, 0.3 }, { 0.9, 0.9 }, { 0.9, 0.3 }, { 0.3, 0.9 } } }",
          "sheets[1] (\"sheet1\"): touches or crosses itself");
    unfit(LINE ", curve { points = { { 0.2, 0.5 }, { 0.9, 0.5 } } }",
          "sheets[2] (\"sheet2\"): touches or crosses sheets[1] (\"sheet1\")");
    unfit(LINE ", curve { points = { { 0.6, 0.2 }, { 0.6, 0.9 } } }", "comes within 3 cells of sheets[1]");
    // one that comes there later
    unfit(LINE
          ", curve { points = { { 1.5, 0.2 }, { 1.5, 0.9 } }, position = function(t) return { t > 0 and -0.9 or 0, 0 } end }",
          "s: comes within 3 cells of sheets[1]");
    bad(BOX2 ", sides = { top = \"open\" }",
        "curve { points = { { 1, 0.2 }, { 1, 0.6 } }, position = function(t) return { 0, t > 0 and 0.39 or 0 } end }",
        MN_UNSUPPORTED, "s: comes within two cells of the open side +y");
    // a spiral: each turn has the other side of the last one before it
    unfit("curve { points = { { 0.3, 0.2 }, { 0.9, 0.2 }, { 0.9, 0.8 }, { 0.35, 0.8 }, { 0.35, 0.45 }, { 0.65, 0.45 } } }",
          "one of its sides faces the other side of itself");
    bad(BOX2 ", sides = { top = \"open\" }", "curve { points = { { 1, 0.5 }, { 1, 1 } } }", MN_UNSUPPORTED,
        "comes within two cells of the open side +y");
}

static void unfit_company(const char* liquids, const char* more, const char* part)
{
    char top[1000];
    Scene s;
    snprintf(top, sizeof top, "sheets = { " LINE " }, %s", more);
    check_message(load_parts(&s, BOX2, liquids, top), MN_UNSUPPORTED, part);
}

static void test_company(void** state)
{
    (void)state;
    const char* ball = "sphere { center = { 1.5, 0.7 }, radius = 0.1";
    char text[300];
    snprintf(text, sizeof text, "bodies = { %s, density = 500 } }", ball);
    unfit_company(POOL, text, "dir/x.lua:3: bodies: not beside sheets yet");
    snprintf(text, sizeof text, "solids = { %s, film = true } }", ball);
    unfit_company(POOL, text, "solids: air films do not go with sheets yet");
    snprintf(text, sizeof text, "solids = { %s, position = function(t) return { t, 0 } end } }", ball);
    unfit_company(POOL, text, "solids[1]: solids that move do not go with sheets yet");
    unfit_company(POOL, "merge = \"never\"", "merge: air films do not go with sheets yet");
    unfit_company(POOL, "numerics = { tension = \"split\" }", "numerics.tension: beside sheets expected \"auto\"");
    unfit_company(POOL, "numerics = { tension = \"csf\" }", "numerics.tension: beside sheets expected \"auto\"");
}

// Area and rim of forms against their formulas.
static void measured(const char* domain, const char* sheet, double area, double rim, double within)
{
    char top[1000];
    Scene s;
    SheetMeasure m;
    snprintf(top, sizeof top, "sheets = { %s }", sheet);
    CHECK_OK(load_parts(&s, domain, POOL, top));
    sheet_measure(&m, &s.sheets, 0);
    print_message("%-60.60s area %.5f of %.5f, rim %.5f of %.5f\n", sheet, m.area, area, m.rim, rim);
    CHECK_WITHIN(m.area, area, within*area);
    CHECK_WITHIN(m.rim, rim, within*rim + 1e-12);
    scene_free(&s);
}

static void test_forms(void** state)
{
    (void)state;
    double r = 0.3, a = 2*PI/32, off = a*a/6;  // of arcs of an angle a: a^2/24 of lengths, a^2/6 of areas
    measured(BOX2, "arc { center = { 1, 0.5 }, radius = 0.3 }", 2*PI*r, 0, off);
    measured(BOX2, "arc { center = { 1, 0.5 }, radius = 0.3, from = 0, to = degrees(90) }", PI*r/2, 0, off);
    measured(BOX2, "cup { from = { 1, 0.21 }, to = { 1, 0.7 }, radius = 0.3 }", 2*0.49 + 2*r, 0, 1e-12);
    measured(BOX3, "disc { center = { 0.5, 0.5, 0.5 }, radius = 0.3, normal = { 1, 2, 0 } }", PI*r*r, 2*PI*r, off);
    measured(BOX3, "tube { from = { 0.5, 0.2, 0.5 }, to = { 0.5, 0.7, 0.5 }, radius = 0.3 }", PI*r, 4*PI*r, off);
    measured(BOX3, "cup { from = { 0.5, 0.2, 0.5 }, to = { 0.5, 0.7, 0.5 }, radius = 0.3 }", PI*r + PI*r*r, 2*PI*r,
             off);
    measured(BOX3, "dome { center = { 0.5, 0.5, 0.5 }, radius = 0.3, angle = degrees(60) }", PI*r*r, 2*PI*r*sin(PI/3),
             2*off);
    measured(BOX3, "dome { center = { 0.5, 0.5, 0.5 }, radius = 0.3, angle = degrees(180) }", 4*PI*r*r, 0, 2*off);
    measured(BOX3,
             "rectangle { corner = { 0.51, 0.2, 0.2 }, along = { 0, 0.4, 0 }, across = { 0, 0, 0.5 }, rotation = { 0, 1, 0 }, "
             "pivot = { 0.51, 0.4, 0.4 } }",
             0.2, 1.8, 1e-12);
}

// An open mesh from a file, with a vertex written twice.
static void test_mesh(void** state)
{
    (void)state;
    Scene s;
    SheetMeasure m;
    write_text("leaf.obj", "v 2 2 5\nv 8 2 5\nv 8 7 5\nv 8 2 5\nv 2 2 5\nv 2 7 5\nf 1 2 3\nf 5 3 6\n");
    write_text("x.lua", "return scene { domain = { " BOX3 " }, frames = { rate = 1, count = 1 }, liquids = { " POOL
                        " }, sheets = { mesh { file = 'leaf.obj', scale = 0.1 } } }");
    CHECK_OK(scene_load(&s, in("x.lua"), NULL));
    sheet_measure(&m, &s.sheets, 0);
    CHECK_WITHIN(m.area, 0.3, 1e-12);
    CHECK_WITHIN(m.rim, 2.2, 1e-12);
    assert_int_equal(s.sheets.surface.vertices, 4);
    scene_free(&s);
}

// Sheets that face each other are turned so that the gap is on one side of both: three parallel ones have normals to and fro.
static void test_facing(void** state)
{
    (void)state;
    Scene s;
    CHECK_OK(
        load_parts(&s, BOX2, POOL,
                   "sheets = { curve { points = { { 0.5, 0.2 }, { 0.5, 0.8 } } }, curve { points = { { 0.9, 0.2 }, { 0.9, 0.8 } "
                   "} }, curve { points = { { 1.3, 0.2 }, { 1.3, 0.8 } } } }"));
    const SheetSurface* f = &s.sheets.surface;
    bool up[3];
    for (int m = 0; m < 3; m++) up[m] = f->x[3*f->element[2*m] + 1] < f->x[3*f->element[2*m + 1] + 1];
    assert_true(up[0] != up[1] && up[1] != up[2]);
    scene_free(&s);
}

// Coffee in a cup, written with the cup's own numbers, touches it and lies still; nothing of it is outside. The mesh of its
// surface is closed and encloses what the liquid measures, but for the edge around the bottom, where both cut off a part of the
// cells: at most half of each, the diagonal of a square. edge: m (2D: the number of corners).
static void rests(const char* domain, const char* cup, const char* coffee, double volume, double edge)
{
    char top[1000];
    Scene s;
    Sim sim;
    snprintf(top, sizeof top, "sheets = { %s }", cup);
    CHECK_OK(load_parts(&s, domain, coffee, top));
    CHECK_OK(scene_build(&sim, &s));
    CHECK_OK(sim_start(&sim));
    double fastest = 0, depth = 0.4;
    for (int m = 0; m < 5; m++) {
        CHECK_OK(sim_step(&sim, 0.01));
        fastest = fmax(fastest, liquid_max_speed(&sim.world.liquid[0]));
    }
    assert_int_equal(sim.world.liquid_count, 1);
    SurfaceMesh mesh = {0};
    CHECK_OK(sidemesh_add(&mesh, &sim.world.liquid[0]));
    double held = sim_volume(&sim), meshed = surfacemesh_volume(&mesh), free = surfacemesh_area(&mesh, FACE_IS_FREE);
    print_message("%dD: volume %.5f of %.5f, of the mesh %.5f; free surface %.5f; fastest %.1e of sqrt(g H)\n", s.dim, held,
                  volume, meshed, free, fastest/sqrt(9.81*depth));
    double corners = 0.5*s.dx*s.dx*edge,
           chords = s.dim == 3 ? 2*2*PI*PI/(3*32*32)*volume : 0;  // of sheet and grid
    CHECK_WITHIN(held, volume, corners + chords);
    CHECK_WITHIN(meshed, held, corners);
    CHECK_LESS(fastest, 1e-5*sqrt(9.81*depth));
    LiquidState q = liquid_state(&sim.world.liquid[0], &sim.scratch);
    arena_reset(&sim.scratch);
    CHECK_LESS(0.2, q.low[1]);
    surfacemesh_free(&mesh);
    sim_free(&sim);
    scene_free(&s);
}

static void test_coffee_rests(void** state)
{
    (void)state;
    double r = 0.311;
    rests("size = { 2, 1 }, cells = 64", "cup { from = { 1.01, 0.21 }, to = { 1.01, 0.9 }, radius = 0.311 }",
          "box { low = { 0.699, 0.21 }, high = { 1.321, 0.61 } }", 2*r*0.4, 2);
    // on the planes of the grid, as scenes are written: moved off them by 0.027 cells
    rests("size = { 2, 1 }, cells = 64", "cup { from = { 1, 0.25 }, to = { 1, 0.875 }, radius = 0.3125 }",
          "box { low = { 0.6875, 0.25 }, high = { 1.3125, 0.625 } }", 0.625*0.375,
          2 + 2*0.0173*20);  // the bottom is 20 cells wide
    rests(BOX3, "cup { from = { 0.505, 0.21, 0.5 }, to = { 0.505, 0.9, 0.5 }, radius = 0.311 }",
          "cylinder { from = { 0.505, 0.21, 0.5 }, to = { 0.505, 0.61, 0.5 }, radius = 0.311 }", PI*r*r*0.4, 2*PI*r);
}

#define IDEAL "material = material { rho = 1000, sigma = 0, mu = 0 }"

// A cup is lifted with its coffee: cup and coffee move as one, and the work is m g h.
static void lifts(const char* domain, const char* cup, const char* coffee)
{
    char top[1000];
    Scene s;
    Sim sim;
    const double speed = 0.1;
    snprintf(top, sizeof top, "sheets = { %s position = function(t) return { 0, 0.1*t, 0 } end } }", cup);
    CHECK_OK(load_parts(&s, domain, coffee, top));
    CHECK_OK(scene_build(&sim, &s));
    CHECK_OK(sim_start(&sim));
    double low = s.sheets.x[1], off = 0;
    while (sim.world.time < 0.5) {
        CHECK_OK(sim_step(&sim, 0.5 - sim.world.time));
        LiquidState q = liquid_state(&sim.world.liquid[0], &sim.scratch);
        arena_reset(&sim.scratch);
        off = fmax(off, fmax(fabs(q.velocity[1] - speed), fabs(q.velocity[0])));
    }
    double lift = 1000*9.81*sim_volume(&sim)*speed*sim.world.time;
    SurfaceMesh mesh;
    CHECK_OK(sheetmesh_make(&mesh, &s.sheets.sheet[0], sim.world.solids.sheets));
    print_message("%dD: off by %.1e of the cup's speed; work %.5g J, m g h %.5g\n", s.dim, off/speed, sim.world.energy.work,
                  lift);
    CHECK_LESS(off, 1e-3*speed);
    CHECK_CLOSE(sim.world.energy.work, lift, 0.01);
    CHECK_WITHIN(sim.world.solids.sheets->x[1], low + speed*sim.world.time, 1e-12);
    CHECK_CLOSE(mesh.velocity[0][1], speed, 1e-6);  // floats
    CHECK_WITHIN(sim_ledger_error(&sim), 0, 1e-10);
    assert_int_equal(sim.world.liquid_count + sim.world.spray.count, 1);
    surfacemesh_free(&mesh);
    sim_free(&sim);
    scene_free(&s);
}

static void test_lifted_coffee(void** state)
{
    (void)state;
    lifts("size = { 2, 1.5 }, cells = 64", "cup { from = { 1, 0.25 }, to = { 1, 0.875 }, radius = 0.3125,",
          "box { low = { 0.6875, 0.25 }, high = { 1.3125, 0.625 }, velocity = { 0, 0.1 }, " IDEAL " }");
    lifts(BOX3, "cup { from = { 0.505, 0.21, 0.5 }, to = { 0.505, 0.8, 0.5 }, radius = 0.311,",
          "cylinder { from = { 0.505, 0.21, 0.5 }, to = { 0.505, 0.61, 0.5 }, radius = 0.311, velocity = { 0, 0.1, 0 }, " IDEAL
          " }");
}

// A source is on one side of a sheet.
static void test_source_across(void** state)
{
    (void)state;
    Scene s;
    Sim sim;
    CHECK_OK(load_parts(&s, BOX2, POOL,
                        "sheets = { " LINE " }, sources = { box { low = { 0.3, 0.6 }, high = { 0.8, 0.7 }, rate = 0.01 } }"));
    check_message(scene_build(&sim, &s), MN_UNSUPPORTED, "dir/x.lua:3: source \"source1\" lies on both sides of a sheet");
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong_values),
                                       cmocka_unit_test(test_wrong_together),
                                       cmocka_unit_test(test_company),
                                       cmocka_unit_test(test_forms),
                                       cmocka_unit_test_setup_teardown(test_mesh, make_folder, remove_folder),
                                       cmocka_unit_test(test_facing),
                                       cmocka_unit_test(test_coffee_rests),
                                       cmocka_unit_test(test_lifted_coffee),
                                       cmocka_unit_test(test_source_across)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

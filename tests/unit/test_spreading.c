// Drops that become flatter than the grid can hold.
#include "folder.h"
#include "scene/scene_sim.h"
#include "scene/spreading.h"
#include "scene/warnings.h"

// The energy balance of spreading.c, both sides, at what spreading_widest finds.
static double balance(const DropImpact* p, double b)
{
    double wet = 1 - cos(p->angle), friction = p->weber/sqrt(p->reynolds);
    if (p->dim == 3) return p->weber + 12 - (3*b*b*wet + 8/b + 4*b*b*friction);
    return M_PI*p->weber/8 + M_PI - (b*wet + M_PI/(2*b) + 4*b*friction/3);
}

// The widest disc has the energy there is; a drop that hardly moves on a wall it shuns stays a ball. By hand: We = 30, Re =
// 2000 at 90 degrees in 3D is b = 2.63.
static void test_energy_is_kept(void** state)
{
    (void)state;
    static const double weber[] = {1, 5, 30, 200}, reynolds[] = {100, 2000, INFINITY}, angle[] = {60, 90, 120};
    for (int dim = 2; dim <= 3; dim++)
        for (int i = 0; i < 36; i++) {
            DropImpact p = {dim, weber[i%4], reynolds[i/4%3], angle[i/12]*M_PI/180};
            CHECK_WITHIN(balance(&p, spreading_widest(&p)), 0, 1e-8*p.weber + 1e-8);
        }
    CHECK_CLOSE(spreading_widest(&(DropImpact){3, 30, 2000, M_PI/2}), 2.63, 0.005);
    CHECK_CLOSE(spreading_widest(&(DropImpact){3, 0.01, 100, M_PI}), 1, 1e-12);
}

// The disc has the volume of the drop: pi/4 b^2 h = pi/6, in 2D b h = pi/4.
static void test_volume_is_kept(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        DropImpact p = {dim, 40, 3000, M_PI/2};
        double b = spreading_widest(&p), h = spreading_sheet(&p);
        CHECK_CLOSE(dim == 3 ? M_PI/4*b*b*h : b*h, dim == 3 ? M_PI/6 : M_PI/4, 1e-12);
    }
}

// ---- scenes ------------------------------------------------------------------------------------------------------------------

// What is said of thin sheets in this scene, or "".
static const char* sheets(const char* text)
{
    static char said[400];
    Scene scene;
    Sim sim;
    Warnings found;
    CHECK_OK(scene_load_text(&scene, "a.lua", text));
    CHECK_OK(scene_build(&sim, &scene));
    CHECK_OK(sim_rebuild(&sim));
    CHECK_OK(scene_warnings(&found, &scene, &sim));
    said[0] = 0;
    for (int m = 0; m < found.count; m++)
        if (strcmp(found.list[m].check, "thin sheet") == 0) snprintf(said, sizeof said, "%s", found.list[m].text);
    warnings_free(&found);
    sim_free(&sim);
    scene_free(&scene);
    return said;
}

static void check_sheet(const char* text, const char* words)
{
    const char* said = sheets(text);
    if (words ? strstr(said, words) != NULL : said[0] == 0) return;
    print_error("%s\n    wanted \"%s\", got \"%s\"\n", text, words ? words : "", said);
    fail();
}

// A drop of water of R = 1 mm and We = 30 above a floor; cells per radius as given.
#define FALLING(cells, more)                                                                                                     \
    "return scene { domain = { size = { mm(6), mm(4.5), mm(6) }, dx = mm(1)/" cells " }, frames = { rate = 1000, count = 10 },"  \
    " liquids = { sphere { name = 'drop', center = { mm(3, 2.5, 3) }, radius = mm(1), velocity = { 0, -1.046, 0 } }, " more

// R = 8 dx at We = 30 becomes a sheet of 1.5 cells, R = 16 dx one of 3. A plate under it is as hard as the floor; so is a film
// of 0.5 mm of water; a bath of 1.4 mm takes the drop in. A run that ends before, or a slow drop, says nothing.
static void test_drop_on_floor(void** state)
{
    (void)state;
    check_sheet(FALLING("8", "} }"), "drop will hit the floor at 1.");
    check_sheet(FALLING("8", "} }"), "a sheet of 1.5 cells");
    check_sheet(FALLING("16", "} }"), NULL);
    check_sheet(FALLING("8", "}, solids = { box { low = { 0, 0, 0 }, high = { mm(6, 1, 6) }, name = 'plate' } } }"),
                "will hit plate at");
    check_sheet(FALLING("8", "pool { depth = mm(0.5), name = 'film' } } }"), "drop will hit film at");
    check_sheet(FALLING("8", "pool { depth = mm(1.25), name = 'bath' } } }"), NULL);
    check_sheet(
        "return scene { domain = { size = { mm(6), mm(4.5), mm(6) }, dx = mm(0.125) }, frames = { rate = 10000, count = 2 },"
        " liquids = { sphere { center = { mm(3, 2.5, 3) }, radius = mm(1), velocity = { 0, -1.046, 0 } } } }",
        NULL);
    check_sheet(
        "return scene { domain = { size = { mm(6), mm(4.5), mm(6) }, dx = mm(0.125) }, frames = { rate = 1000, count = 10 },"
        " liquids = { sphere { center = { mm(3, 2.5, 3) }, radius = mm(1), velocity = { 0, -0.1, 0 } } } }",
        NULL);
}

// Fall height counts: let go 0.6 m above the floor of a tall box a drop of 4 mm arrives at 3.4 m/s.
static void test_fall_height(void** state)
{
    (void)state;
    check_sheet("return scene { domain = { size = { mm(60), mm(640) }, cells = 60 }, frames = { rate = 100, count = 50 },"
                " liquids = { sphere { name = 'drop', center = { mm(30, 610) }, radius = mm(10) } } }",
                "drop will hit the floor at 3.4 m/s");
    check_sheet("return scene { domain = { size = { mm(60), mm(640) }, cells = 60 }, frames = { rate = 100, count = 20 },"
                " liquids = { sphere { name = 'drop', center = { mm(30, 610) }, radius = mm(10) } } }",
                NULL);
}

// Half a drop on a mirror is the whole one; a solid that comes at a drop at rest is what hits it; a drop that meets another
// first is not followed any further.
static void test_other_meetings(void** state)
{
    (void)state;
    check_sheet(
        "return scene { domain = { size = { mm(3), mm(4.5), mm(3) }, dx = mm(0.125), sides = { left = 'mirror', back = 'mirror' "
        "} },"
        " frames = { rate = 1000, count = 10 },"
        " liquids = { sphere { name = 'drop', center = { 0, mm(2.5), 0 }, radius = mm(1), velocity = { 0, -1.046, 0 } } } }",
        "a sheet of 1.5 cells");
    check_sheet(
        "return scene { domain = { size = { mm(6), mm(6), mm(6) }, dx = mm(0.125) }, frames = { rate = 1000, count = 10 },"
        " gravity = { 0, 0, 0 }, liquids = { sphere { name = 'drop', center = { mm(3, 4, 3) }, radius = mm(1) } },"
        " solids = { box { low = { 0, 0, 0 }, high = { mm(6, 2, 6) }, name = 'bat',"
        " position = function(t) return { 0, 1.046*t, 0 } end } } }",
        "drop will hit bat at 1 m/s (We = 30");
    check_sheet(FALLING("8", "sphere { center = { mm(4.1, 1.1, 3) }, radius = mm(0.6) } } }"), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energy_is_kept), cmocka_unit_test(test_volume_is_kept), cmocka_unit_test(test_drop_on_floor),
        cmocka_unit_test(test_fall_height),    cmocka_unit_test(test_other_meetings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// What check and run warn of: for each doubt a scene that has it and one close by that has not.
#include "folder.h"
#include "scene/scene_sim.h"
#include "scene/warnings.h"

// ---- scenes ------------------------------------------------------------------------------------------------------------------

// Warnings about a scene given as text; caller frees.
static Warnings warnings_about(const char* text)
{
    Scene scene;
    Sim sim;
    Warnings found;
    CHECK_OK(scene_load_text(&scene, in("a.lua"), text));
    CHECK_OK(scene_build(&sim, &scene));
    CHECK_OK(sim_rebuild(&sim));
    CHECK_OK(scene_warnings(&found, &scene, &sim));
    sim_free(&sim);
    scene_free(&scene);
    return found;
}

// The one warning of the scene is by this check, about this thing, and says this; or there is none (check is NULL).
static void check_warned(const char* text, const char* check, const char* about, const char* words)
{
    Warnings found = warnings_about(text);
    const Warning* one = found.count > 0 ? found.list : NULL;
    bool good = check ? found.count == 1 && strcmp(one->check, check) == 0 && strcmp(one->about, about) == 0 &&
                            strstr(one->text, words) && !strchr(one->text, '\n')
                      : found.count == 0;
    if (!good) {
        print_error("%s\n    wanted: %s, %s, \"%s\"\n", text, check ? check : "nothing", check ? about : "", check ? words : "");
        for (int m = 0; m < found.count; m++)
            print_error("    got: %s, %s, \"%s\"\n", found.list[m].check, found.list[m].about, found.list[m].text);
        fail();
    }
    warnings_free(&found);
}

typedef struct Case {
    const char *scene, *check, *about, *words;  // check NULL: no warning
} Case;

static void check_cases(const Case* cases, size_t count)
{
    for (size_t m = 0; m < count; m++) check_warned(cases[m].scene, cases[m].check, cases[m].about, cases[m].words);
}
#define CHECK_CASES(cases) check_cases(cases, sizeof cases/sizeof *cases)

// 2D, cells of 0.5 mm in a box of 32 x 16 mm; 3D, cells of 1 mm in a cube of 24 mm.
#define FRAMES "frames = { rate = 100, count = 10 },"
#define FLAT "return scene { domain = { size = { mm(32), mm(16) }, cells = 64 }," FRAMES
#define CUBE "return scene { domain = { size = { mm(24), mm(24), mm(24) }, cells = 24 }," FRAMES
#define POOL "liquids = { pool { depth = mm(5) } }, "
#define POOL_OF(material) "liquids = { pool { depth = mm(4), material = " material " } } }"

// Boxes of metres and of micrometres look wrong, also 9810 for gravity; 0.9 m, 20 um, the Moon and none do not.
static void test_box_and_gravity(void** state)
{
    (void)state;
    static const Case cases[] = {
        {"return scene { domain = { size = { 2000, 2000 }, cells = 32 }," FRAMES "liquids = { pool { depth = 900 } } }", "box",
         "", "the domain is 2000 m large"},
        {"return scene { domain = { size = { 0.9, 0.9 }, cells = 32 }," FRAMES "liquids = { pool { depth = 0.5 } } }", 0, 0, 0},
        {"return scene { domain = { size = { um(9), um(9) }, cells = 32 }," FRAMES "liquids = { pool { depth = um(4) } } }",
         "box", "", "below ten micrometres"},
        {"return scene { domain = { size = { um(20), um(20) }, cells = 32 }," FRAMES "liquids = { pool { depth = um(4) } } }", 0,
         0, 0},
        {FLAT POOL "gravity = { 0, -9810 } }", "gravity", "", "gravity is 9810 m/s^2"},
        {FLAT POOL "gravity = { 0, -1.62 } }", 0, 0, 0},
        {FLAT POOL "gravity = { 0, 0 } }", 0, 0, 0},
    };
    CHECK_CASES(cases);
}

// Densities in g/cm^3, tensions in mN/m, viscosities in mPa s or m^2/s are told; odd liquids that exist are not, nor is 0.
static void test_materials(void** state)
{
    (void)state;
    static const Case cases[] = {
        {FLAT POOL_OF("material { name = 'ink', rho = 1, sigma = 0.05, mu = 1e-3 }"), "material", "ink", "g_per_cm3(1)"},
        {FLAT POOL_OF("material { name = 'hydrogen', rho = 71, sigma = 2e-3, mu = 1.3e-5 }"), 0, 0, 0},
        {FLAT POOL_OF("material { name = 'ink', rho = 1e6, sigma = 0.05, mu = 1e-3 }"), "material", "ink",
         "1e+06 kg/m^3 is more"},
        {FLAT POOL_OF("material { name = 'osmium', rho = 2e4, sigma = 2.5, mu = 4e-3 }"), 0, 0, 0},
        {FLAT POOL_OF("material { name = 'ink', rho = 1000, sigma = 72, mu = 1e-3 }"), "material", "ink", "mN_per_m(72)"},
        {FLAT POOL_OF("material { name = 'ink', rho = 1000, sigma = 7e-6, mu = 1e-3 }"), "material", "ink", "hardly acts"},
        {FLAT POOL_OF("material { name = 'syrup', rho = 1400, sigma = 0.08, mu = 5000 }"), "material", "syrup", "mPa_s(5000)"},
        {FLAT POOL_OF("material { name = 'syrup', rho = 1400, sigma = 0.08, mu = 500 }"), 0, 0, 0},
        {FLAT POOL_OF("material { name = 'ink', rho = 1000, sigma = 0.05, mu = 1e-6 }"), "material", "ink", "kinematic"},
        {FLAT POOL_OF("water { mu = 1 }"), "material", "water", "water has a viscosity of 1 Pa s here; it is 0.001002"},
        {FLAT POOL_OF("honey { mu = 40 }"), 0, 0, 0},
        {FLAT POOL_OF("water { mu = 0, sigma = 0 }"), 0, 0, 0},
    };
    CHECK_CASES(cases);
}

// A drop of 5 m in a box of 32 mm; a box of water may reach past the walls. 300 m/s; drops of 27 capillary lengths, unless
// there is no gravity; pools and drops of fewer than 4 cells.
static void test_sizes(void** state)
{
    (void)state;
    static const Case cases[] = {
        {CUBE "gravity = { 0, 0, 0 }, liquids = { sphere { center = { mm(12, 12, 12) }, radius = 5 } } }", "size", "liquid1",
         "liquid1 is 10 m wide in a box of 0.024 m"},
        {CUBE "liquids = { box { low = { -1, -1, -1 }, high = { 1, mm(8), 1 } } } }", 0, 0, 0},
        {FLAT POOL "solids = { box { low = { mm(-1), mm(-1) }, high = { 5, mm(2) }, name = 'floor' } } }", "size", "floor",
         "floor is 5 m wide"},
        {FLAT POOL "solids = { box { low = { mm(-1), mm(-1) }, high = { 1, mm(2) } } } }", 0, 0, 0},
        {FLAT
         "gravity = { 0, 0 }, frames = { rate = 1e6, count = 1 }, liquids = { sphere { center = { mm(16, 8) }, radius = mm(3),"
         " velocity = { 300, 0 } } } }",
         "speed", "liquid1", "liquid1 moves at 300 m/s"},
        {"return scene { domain = { size = { cm(32), cm(32) }, cells = 64 }, frames = { rate = 1000, count = 1 },"
         " liquids = { sphere { center = { cm(16, 16) }, radius = cm(7) } } }",
         "heavy drop", "liquid1", "capillary lengths"},
        {"return scene { domain = { size = { cm(32), cm(32) }, cells = 64 }, frames = { rate = 1000, count = 1 }, gravity = { 0, "
         "0 },"
         " liquids = { sphere { center = { cm(16, 16) }, radius = cm(7) } } }",
         0, 0, 0},
        {FLAT "liquids = { pool { depth = mm(1.7) } } }", "resolution", "liquid1", "liquid1 is only 3.4 cells thick"},
        {FLAT "liquids = { pool { depth = mm(2.1) } } }", 0, 0, 0},
        {FLAT "gravity = { 0, 0 }, liquids = { sphere { center = { mm(16, 8) }, radius = mm(1.8) } } }", "resolution", "liquid1",
         "only 3.6 cells in radius"},
        {FLAT "gravity = { 0, 0 }, liquids = { sphere { center = { mm(16, 8) }, radius = mm(2.2) } } }", 0, 0, 0},
    };
    CHECK_CASES(cases);
}

// A quarter of a drop between two mirrors is judged as the whole: 2.2 mm are 4.4 cells in radius, its part alone would be 2.2.
static void test_mirrored_drops_are_whole(void** state)
{
    (void)state;
#define MIRRORED                                                                                                                 \
    "return scene { domain = { size = { mm(32), mm(16) }, cells = 64, sides = { left = 'mirror', bottom = 'mirror' } }," FRAMES  \
    "gravity = { 0, 0 }, liquids = { sphere { center = { %s }, radius = mm(%g) } } }"
    char text[400];
    snprintf(text, sizeof text, MIRRORED, "0, 0", 2.2);
    check_warned(text, NULL, NULL, NULL);
    snprintf(text, sizeof text, MIRRORED, "0, 0", 1.8);
    check_warned(text, "resolution", "liquid1", "only 3.6 cells in radius");
    snprintf(text, sizeof text, MIRRORED, "mm(2), mm(8)", 4.0);
    check_warned(text, "cut off", "liquid1", "out of the left mirror by 0.002 m of its 0.008 m");
}

// Solids wholly outside the box, at rest or during the whole run, are told; those that stick out or come in later are not.
// Drops may be cut at their middle or at their angle of contact; else they are in the wrong place. A pool may be as deep as
// its tank.
static void test_places(void** state)
{
    (void)state;
    static const Case cases[] = {
        {FLAT POOL "solids = { box { low = { mm(40, 2) }, high = { mm(50, 9) }, name = 'plate' } } }", "outside", "plate",
         "plate lies outside the box"},
        {FLAT POOL "solids = { box { low = { mm(28, 2) }, high = { mm(50, 9) } } } }", 0, 0, 0},
        {FLAT POOL "solids = { halfspace { point = { mm(-4), mm(-4) }, normal = { 1, 1 }, name = 'slope' } } }", "outside",
         "slope", "slope lies outside the box"},
        {FLAT POOL "solids = { halfspace { point = { mm(4), mm(4) }, normal = { 1, 1 } } } }", 0, 0, 0},
        {FLAT POOL "solids = { box { low = { mm(40, 2) }, high = { mm(50, 9) }, name = 'plate',"
                   " position = function(t) return { 0.1*t, 0 } end } } }",
         "outside", "plate", "during the whole run"},
        {FLAT POOL
         "solids = { box { low = { mm(40, 2) }, high = { mm(50, 9) }, position = function(t) return { -0.2*t, 0 } end } } }",
         0, 0, 0},
        {FLAT "gravity = { 0, 0 }, liquids = { sphere { center = { mm(3, 8) }, radius = mm(4.5) } } }", "cut off", "liquid1",
         "out of the left side by 0.0015 m of its 0.009 m"},
        {FLAT "gravity = { 0, 0 }, liquids = { sphere { center = { mm(3, 8) }, radius = mm(4.5),"
              " material = water { contact_angle = degrees(130) } } } }",
         0, 0, 0},
        {FLAT "gravity = { 0, 0 }, liquids = { sphere { center = { 0, mm(8) }, radius = mm(4.5) } } }", 0, 0, 0},
        {FLAT "liquids = { pool { depth = mm(18) } } }", "deep pool", "liquid1",
         "0.018 m deep, but the box is only 0.016 m high"},
        {FLAT "liquids = { pool { depth = mm(16) } } }", 0, 0, 0},
    };
    CHECK_CASES(cases);
}

// Rate and speed times opening must agree: 4 mm at 0.5 m/s are 2e-3 m^2/s. In 3D a round mouth of 4 mm at 0.5 m/s gives 25.1
// ml/s.
static void test_sources(void** state)
{
    (void)state;
#define TAP                                                                                                                      \
    "sources = { box { name = 'tap', low = { mm(14, 12) }, high = { mm(%g), mm(16) }, velocity = { 0, -0.5 }, rate = %g } } }"
    char text[500];
    snprintf(text, sizeof text, FLAT TAP, 18.0, 2e-3);
    check_warned(text, NULL, NULL, NULL);
    snprintf(text, sizeof text, FLAT TAP, 18.0, 1e-3);
    check_warned(text, "source", "tap", "tap gives 0.001 m^2/s, but 0.5 m/s through its opening of 0.004 m is 0.002");
    snprintf(text, sizeof text, FLAT TAP, 15.5, 0.75e-3);
    check_warned(text, "resolution", "tap", "the opening of tap is 3.0 cells across");
#define SPOUT                                                                                                                    \
    CUBE "sources = { cylinder { name = 'tap', from = { mm(2, 12, 12) }, to = { mm(6, 14, 12) }, radius = mm(4),"                \
         " velocity = { 0.4472136, 0.2236068, 0 }, rate = ml_per_s(%g) } } }"
    snprintf(text, sizeof text, SPOUT, 25.13);
    check_warned(text, NULL, NULL, NULL);
    snprintf(text, sizeof text, SPOUT, 50.0);
    check_warned(text, "source", "tap", "tap gives 5e-05 m^3/s");
}

// ---- thin solids -------------------------------------------------------------------------------------------------------------

// Solids on cells of 0.5 mm (2D) and 1 mm (3D): the cup of 0.4 cells, shells, plates behind bevels, thin parts of thick ones,
// leaning plates. Bricks, bevels, tips, rims, and walls put together from slices are not thin.
static void test_thin_solids(void** state)
{
    (void)state;
#define ONE(shape) POOL "solids = { " shape " } }"
    static const Case cases[] = {
        {CUBE ONE("difference { cylinder { from = { mm(12, 6, 12) }, to = { mm(12, 18, 12) }, radius = mm(8) },"
                  " cylinder { from = { mm(12, 6.4, 12) }, to = { mm(12, 20, 12) }, radius = mm(7.6) }, name = 'cup' }"),
         "thin solid", "cup", "cup is 0.4 cells thick"},
        {CUBE ONE("difference { cylinder { from = { mm(12, 6, 12) }, to = { mm(12, 18, 12) }, radius = mm(8) },"
                  " cylinder { from = { mm(12, 8.1, 12) }, to = { mm(12, 20, 12) }, radius = mm(5.9) } }"),
         0, 0, 0},
        {FLAT ONE("difference { sphere { center = { mm(16, 8) }, radius = mm(5) }, sphere { center = { mm(16, 8) }, radius = "
                  "mm(4.3) },"
                  " halfspace { point = { 0, mm(11) }, normal = { 0, -1 } }, name = 'bowl' }"),
         "thin solid", "bowl", "bowl is 1.4 cells thick"},
        {FLAT ONE("difference { sphere { center = { mm(16, 8) }, radius = mm(5) }, sphere { center = { mm(16, 8) }, radius = "
                  "mm(3.9) },"
                  " halfspace { point = { 0, mm(11) }, normal = { 0, -1 } } }"),
         0, 0, 0},
        {FLAT ONE("union { box { low = { mm(4, 2) }, high = { mm(10, 8) } }, box { low = { mm(9, 4) }, high = { mm(20, 4.6) } },"
                  " name = 'fin' }"),
         "thin solid", "fin", "fin is 1.2 cells thick"},
        {FLAT ONE(
             "rotate { box { low = { mm(8, 7) }, high = { mm(24, 7.8) } }, angle = 0.4, about = { mm(16, 8) }, name = 'plate' }"),
         "thin solid", "plate", "plate is 1.6 cells thick"},
        {FLAT ONE("rotate { box { low = { mm(8, 7) }, high = { mm(24, 8.1) } }, angle = 0.4, about = { mm(16, 8) } }"), 0, 0, 0},
        // a blade of 15 degrees, and a bevel of 45 on a brick
        {FLAT ONE("intersection { box { low = { mm(4, 4) }, high = { mm(28, 12) } },"
                  " halfspace { point = { mm(4, 4) }, normal = { -0.2588, 0.9659 } }, name = 'blade' }"),
         "thin solid", "blade", "blade is 0."},
        {FLAT ONE("intersection { box { low = { mm(4, 4) }, high = { mm(28, 12) } },"
                  " halfspace { point = { mm(4, 4) }, normal = { -0.7071, 0.7071 } } }"),
         0, 0, 0},
        {FLAT ONE("ellipsoid { center = { mm(16, 8) }, radii = { mm(6, 0.9) } }"), 0, 0, 0},
        {FLAT ONE("ellipsoid { center = { mm(16, 8) }, radii = { mm(6, 0.45) }, name = 'lens' }"), "thin solid", "lens",
         "lens is 1."},
        {CUBE ONE("torus { center = { mm(12, 12, 12) }, radius = mm(6), tube = mm(0.7), name = 'ring' }"), "thin solid", "ring",
         "ring is 1.4 cells thick"},
        {CUBE ONE("torus { center = { mm(12, 12, 12) }, radius = mm(6), tube = mm(1.1) }"), 0, 0, 0},
        {FLAT ONE("union { box { low = { mm(4, 4) }, high = { mm(4.5, 9) } }, box { low = { mm(4.5, 4) }, high = { mm(5, 9) } },"
                  " box { low = { mm(5, 4) }, high = { mm(5.5, 9) } } }"),
         0, 0, 0},
        // thin only where it sticks out of the box
        {FLAT ONE(
             "union { box { low = { mm(20, 4) }, high = { mm(36, 9) } }, box { low = { mm(34, 5) }, high = { mm(60, 5.4) } } }"),
         0, 0, 0},
    };
    CHECK_CASES(cases);
}

// ---- meshes ------------------------------------------------------------------------------------------------------------------

// A box as an OBJ file, with its eight corners, and as many of its twelve triangles as `faces`; the last may be turned, and an
// empty one may follow.
static void write_box(const char* name, const double low[3], const double high[3], int faces, bool turned, bool empty)
{
    static const int triangle[12][3] = {{1, 3, 2}, {2, 3, 4}, {5, 6, 7}, {6, 8, 7}, {1, 2, 5}, {2, 6, 5},
                                        {3, 7, 4}, {4, 7, 8}, {1, 5, 3}, {3, 5, 7}, {2, 4, 6}, {4, 8, 6}};
    FILE* f = fopen(in(name), "w");
    for (int m = 0; m < 8; m++)
        fprintf(f, "v %g %g %g\n", m & 1 ? high[0] : low[0], m & 2 ? high[1] : low[1], m & 4 ? high[2] : low[2]);
    for (int m = 0; m < faces; m++) {
        bool turn = turned && m == faces - 1;
        fprintf(f, "f %d %d %d\n", triangle[m][0], triangle[m][turn ? 2 : 1], triangle[m][turn ? 1 : 2]);
    }
    if (empty) fprintf(f, "f 1 2 2\n");
    fclose(f);
}

// A prism of five sides about the y axis, whose faces have no opposite ones.
static void write_prism(const char* name, double radius, double height)
{
    FILE* f = fopen(in(name), "w");
    for (int m = 0; m < 10; m++)
        fprintf(f, "v %.9g %.9g %.9g\n", radius*cos(0.4*M_PI*(m/2)), m & 1 ? height : 0.0,
                radius*sin(0.4*M_PI*(m/2)));
    for (int m = 0; m < 5; m++) {
        int a = 2*m + 1, b = 2*((m + 1)%5) + 1;
        fprintf(f, "f %d %d %d\nf %d %d %d\n", a, a + 1, b, b, a + 1, b + 1);
    }
    fprintf(f, "f 1 3 5 7 9\nf 10 8 6 4 2\n");
    fclose(f);
}

// Holes, turned faces and empty ones are counted; a clean mesh is none of it. A plate of 1.2 mm on cells of 1 mm is thin as a
// mesh too, also scaled and as part of a union; so is a rod of five sides.
static void test_meshes(void** state)
{
    (void)state;
    const double low[3] = {4, 5, 6}, high[3] = {16, 12, 15}, thin[3] = {16, 6.2, 15};
    write_box("good.obj", low, high, 12, false, false);
    write_box("open.obj", low, high, 11, false, false);
    write_box("turned.obj", low, high, 12, true, false);
    write_box("empty.obj", low, high, 12, false, true);
    write_box("thin.obj", low, thin, 12, false, false);
    write_prism("rod.obj", 0.8, 14);
    write_prism("pole.obj", 2.4, 14);
#define MESH(file) "mesh { file = '" file "', scale = mm(1), name = 'body' }"
    static const Case cases[] = {
        {CUBE ONE(MESH("good.obj")), 0, 0, 0},
        {CUBE ONE(MESH("open.obj")), "mesh", "body",
         "the mesh of body, 11 faces, was not a clean closed one; 1 hole of 3 open edges"},
        {CUBE ONE(MESH("turned.obj")), "mesh", "body", "; 1 face turned round"},
        {CUBE ONE(MESH("empty.obj")), "mesh", "body", "; 1 face without area taken out"},
        {CUBE ONE(MESH("thin.obj")), "thin solid", "body", "body is 1.2 cells thick"},
        {CUBE ONE("scale { mesh { file = 'thin.obj', scale = mm(1) }, by = 1.8 }"), 0, 0, 0},
        {CUBE ONE("union { mesh { file = 'thin.obj', scale = mm(1) }, sphere { center = { mm(8, 8, 8) }, radius = mm(3) },"
                  " name = 'body' }"),
         "thin solid", "body", "body is 1.2 cells thick"},
        {CUBE ONE("move { mesh { file = 'rod.obj', scale = mm(1) }, by = { mm(12, 5, 12) } }"), "thin solid", "solid1",
         "solid1 is 1."},
        {CUBE ONE("move { mesh { file = 'pole.obj', scale = mm(1) }, by = { mm(12, 5, 12) } }"), 0, 0, 0},
    };
    CHECK_CASES(cases);
}

// A motion that fails during the run is told before it; one that does not is none of our business.
static void test_motions(void** state)
{
    (void)state;
    static const Case cases[] = {
        {FLAT ONE("box { low = { mm(4, 2) }, high = { mm(10, 8) }, name = 'box',"
                  " position = function(t) if t > 0.05 then return nil end return { 0, 0 } end }"),
         "motion", "box", "the motion of box fails at t = 0.05"},
        {FLAT ONE("box { low = { mm(4, 2) }, high = { mm(10, 8) }, position = function(t) return { 0, mm(1)*t } end }"), 0, 0, 0},
    };
    CHECK_CASES(cases);
}

// Cells of 0.5 mm: a plate of 1.4 mm is 2.8 of them thick, one of 1.6 mm is thick enough; 160 degrees are treated as 155;
// densities of g/cm^3.
static void test_bodies(void** state)
{
    (void)state;
#define BODY(values) FLAT POOL "bodies = { box { low = { mm(10, 8) }, name = 'raft', " values " } } }"
    static const Case cases[] = {
        {BODY("high = { mm(16, 9.4) }, density = 500"), "thin body", "raft", "raft is 2.8 cells thick at"},
        {BODY("high = { mm(16, 9.6) }, density = 500"), 0, 0, 0},
        {BODY("high = { mm(16, 10) }, density = 500, contact_angle = degrees(160)"), "body angle", "raft",
         "the contact angle of raft, 160 degrees, is treated as 155"},
        {BODY("high = { mm(16, 10) }, density = 500, contact_angle = degrees(150)"), 0, 0, 0},
        {BODY("high = { mm(16, 10) }, density = 0.5"), "material", "raft", "raft has a density of 0.5 kg/m^3; water has 998"},
        {BODY("high = { mm(16, 10) }, density = 500, velocity = { 300, 0 }"), "speed", "raft", "raft moves at 300 m/s"},
        {FLAT POOL
         "bodies = { capsule { from = { mm(10, 8) }, to = { mm(14, 8) }, radius = mm(0.5), density = 7900, name = 'wire' } } }",
         "thin body", "wire", "liquids see it 3 cells thick"},
        // a cherry is no wire, whatever its stem
        {FLAT POOL "bodies = { union { capsule { from = { mm(10, 8) }, to = { mm(10, 12) }, radius = mm(0.5) },"
                   "sphere { center = { mm(10, 8) }, radius = mm(2) }, density = 1100, name = 'cherry' } } }",
         "thin body", "cherry", "forces on bodies thinner than 3 cells are not right"},
    };
    CHECK_CASES(cases);
#undef BODY
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_box_and_gravity), IN_FOLDER(test_materials),
        IN_FOLDER(test_sizes),           IN_FOLDER(test_mirrored_drops_are_whole),
        IN_FOLDER(test_places),          IN_FOLDER(test_sources),
        IN_FOLDER(test_thin_solids),     IN_FOLDER(test_meshes),
        IN_FOLDER(test_motions),         IN_FOLDER(test_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The habit of golden hashes: short scenes of every kind leave the same state, to the last bit, from one thread and from two,
// and after a kill and a resume. The numbers themselves are those of one compiler and processor, so runs are compared with each
// other.
#include <string.h>
#include "command.h"
#include "folder.h"

static const struct {
    const char *name, *text;
} SCENES[] = {
    {"2D splash", "domain = { size = { mm(8), mm(8) }, cells = 32 }, liquids = { pool { depth = mm(3) }, sphere { "
                  "center = { mm(4), mm(6) }, radius = mm(1), velocity = { 0.1, -0.8 } } }"},
    {"3D splash", "domain = { size = { mm(8), mm(8), mm(8) }, cells = 20 }, liquids = { pool { depth = mm(3) }, sphere "
                  "{ center = { mm(4), mm(5.4), mm(4) }, radius = mm(1.5), velocity = { 0, -0.5, 0.1 } } }"},
    {"films", "domain = { size = { mm(2), mm(1) }, cells = 48 }, gravity = { 0, 0 }, merge = 'never', liquids = { "
              "sphere { center = { mm(0.7), mm(0.5) }, radius = mm(0.25), velocity = { 0.4, 0 } }, sphere { center "
              "= { mm(1.3), mm(0.52) }, radius = mm(0.25), velocity = { -0.4, 0 } } }"},
    {"split tension", "domain = { size = { mm(4), mm(4) }, cells = 32 }, numerics = { tension = 'split' }, liquids = { "
                      "ellipsoid { center = { mm(2), mm(2) }, radii = { mm(1.2), mm(0.8) } } }"},
    {"implicit tension", "domain = { size = { mm(4), mm(4) }, cells = 32 }, numerics = { tension = 'implicit' }, liquids = { "
                         "ellipsoid { center = { mm(2), mm(2) }, radii = { mm(1.2), mm(0.8) } } }"},
    {"source", "domain = { size = { mm(8), mm(8) }, cells = 32 }, sources = { box { low = { mm(3), mm(6) }, high = "
               "{ mm(5), mm(7) }, velocity = { 0, -0.3 }, rate = 6e-4 } }, liquids = { pool { depth = mm(2) } }"},
    {"moving solid", "domain = { size = { mm(8), mm(8) }, cells = 32 }, solids = { sphere { center = { mm(3), mm(2) }, "
                     "radius = mm(1), position = function(t) return { 0.2*t, 0 } end } }, liquids = { pool { depth = "
                     "mm(4) } }"},
    {"mesh", "domain = { size = { mm(8), mm(8), mm(8) }, cells = 16 }, solids = { mesh { file = 'block.obj' } }, "
             "liquids = { pool { depth = mm(4) } }"},
    {"viscosity", "domain = { size = { mm(8), mm(8) }, cells = 24 }, liquids = { box { low = { 0, 0 }, high = { mm(4), "
                  "mm(5) }, material = honey } }"},
    {"contact angle", "domain = { size = { mm(4), mm(2) }, cells = 48, contact_angle = degrees(60) }, liquids = { sphere { "
                      "center = { mm(2), 0 }, radius = mm(0.8) } }"},
    {"spray", "domain = { size = { mm(8), mm(8) }, cells = 24 }, liquids = { pool { depth = mm(2) }, sphere { "
              "center = { mm(4), mm(6) }, radius = mm(0.36), velocity = { 0, -1 } }, sphere { center = { mm(2), "
              "mm(5) }, radius = mm(0.34) } }"},
    {"sheets", "domain = { size = { mm(8), mm(8) }, cells = 32 }, sheets = { curve { points = { { mm(4.03), mm(8) }, { mm(4.03), "
               "mm(1) } } } }, liquids = { union { pool { depth = mm(2) }, box { low = { -mm(1), -mm(1) }, high = { mm(4.03), "
               "mm(4) } } } }"},
    {"sheets in 3D", "domain = { size = { mm(8), mm(8), mm(8) }, cells = 20 }, sheets = { cup { from = { mm(4, 1.1, 4) }, to = { "
                     "mm(4, 6, 4) }, radius = mm(3.1) } }, liquids = { cylinder { from = { mm(4, 1.1, 4) }, to = { mm(4, 3, 4) "
                     "}, radius = mm(3.1), velocity = { 0.1, 0, 0 } } }"},
    {"sheets that move",
     "domain = { size = { mm(8), mm(8) }, cells = 32 }, sheets = { cup { from = { mm(4, 1.1) }, to = { mm(4, 5) "
     "}, radius = mm(2.1), pivot = { mm(4, 3) }, position = function(t) return { mm(2)*math.sin(40*t), 20*t*t } "
     "end, rotation = function(t) return 3*math.sin(9*t) end } }, liquids = { box { low = { mm(1.9, 1.1) }, high "
     "= { mm(6.1, 3) } } }"},
    {"membranes", "domain = { size = { mm(8), mm(8) }, cells = 32 }, frame_acceleration = { 2, 0 }, liquids = { pool { depth = "
                  "mm(2), surface = "
                  "'membrane' }, sphere { center = { mm(3), mm(4) }, radius = mm(1), surface = 'membrane', velocity = { 0.1, "
                  "-0.2 } }, sphere { "
                  "center = { mm(6), mm(5) }, radius = mm(1.2) } }"},
    {"membranes in 3D",
     "domain = { size = { mm(8), mm(8), mm(8) }, cells = 20 }, liquids = { pool { depth = mm(2), surface = 'membrane', material "
     "= "
     "water { mu = 0.01 } }, ellipsoid { center = { mm(4), mm(5), mm(4) }, radii = { mm(2), mm(1.5), mm(1.5) }, surface = "
     "'membrane' } }"},
    {"rods",
     "domain = { size = { mm(8), mm(8), mm(8) }, cells = 20 }, rods = { { from = { mm(1, 4, 4.1) }, to = { mm(7, 4, 4.1) }, "
     "radius = mm(0.1), density = 1200, young = 1e8, held = 'both', contact_angle = 0.5, position = function(t) return { 0, "
     "0, 0.1*t } end } }, liquids = { sphere { center = { mm(4, 4.8, 4) }, radius = mm(1.2), velocity = { 0, -0.2, 0 } } }"},
    {"mirrors", "domain = { size = { mm(4), mm(8) }, cells = 16, sides = { left = 'mirror' } }, liquids = { pool { "
                "depth = mm(2) }, sphere { center = { 0, mm(5) }, radius = mm(1.5), velocity = { 0, -0.6 } } }"},
};

static const char BLOCK[] = "v 0.003 0.001 0.003\nv 0.005 0.001 0.003\nv 0.005 0.003 0.003\nv 0.003 0.003 0.003\n"
                            "v 0.003 0.001 0.005\nv 0.005 0.001 0.005\nv 0.005 0.003 0.005\nv 0.003 0.003 0.005\n"
                            "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

static void write_scene(int m)
{
    char text[2048];
    snprintf(text, sizeof text, "return scene { title = '%s', frames = { rate = 1000, count = 3, checkpoint_every = 1 }, %s }\n",
             SCENES[m].name, SCENES[m].text);
    write_text("scene.lua", text);
    write_text("block.obj", BLOCK);
}

// The lines "frame N hash X" of a run into a folder of its own.
static void run(char lines[512], const char* folder, const char* threads, const char* frames, bool resume)
{
    const char* last = resume ? "--resume" : "--hash";
    int code =
        COMMAND("run", in("scene.lua"), "-o", in(folder), "--threads", threads, "--frames", frames, "--quiet", "--hash", last);
    if (code != 0) print_error("%s\n", err);
    assert_int_equal(code, 0);
    snprintf(lines, 512, "%.500s", out);
}

static void test_same_state(void** state)
{
    (void)state;
    for (int m = 0; m < (int)(sizeof SCENES/sizeof *SCENES); m++) {
        char one[512], two[512], first[512], rest[512], name[3][32];
        for (int n = 0; n < 3; n++) snprintf(name[n], sizeof name[n], "run_%d_%d", m, n);
        write_scene(m);
        run(one, name[0], "1", "3", false);
        run(two, name[1], "2", "3", false);
        run(first, name[2], "2", "1", false);
        run(rest, name[2], "1", "3", true);
        print_message("%-16s %s", SCENES[m].name, strstr(one, "frame 3"));
        assert_string_equal(one, two);
        strncat(first, rest, sizeof first - strlen(first) - 1);
        assert_string_equal(one, first);
    }
}

int main(void)
{
    command_setup();
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_same_state, make_folder, remove_folder)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

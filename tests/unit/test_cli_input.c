// The command and the world going wrong: bad scenes, bad meshes, folders and disks that take nothing.
#include "results.h"

// ---- bad input ---------------------------------------------------------------------------------------------------------------

// Whatever is wrong with a scene, run and check say so in one line with file and line, and nothing is written.
static void test_bad_scenes(void** state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "bad.lua:1: the file is empty"},
        {"\n\n", "bad.lua"},
        {"return 3", "returns no scene"},
        {"return scene {\n  domain = {\n  size = = 3 } }", "bad.lua:3: "},
        {"\033Lua", "bad.lua"},
        {"return scene {" BOX "\n\n  liqids = { pool { depth = mm(4) } } }",
         "bad.lua:3: liqids: unknown key; did you mean 'liquids'?"},
        {"return scene {" BOX "liquids = {\n  sphere { center = { mm(8), mm(8) }, raduis = mm(2) } } }",
         "bad.lua:2: liquids[1].raduis: unknown key; did you mean 'radius'?"},
        {"return scene {" BOX POOL "title = {} }", "title: expected"},
        {"return scene {" BOX "liquids = { sphere { center = 'here', radius = mm(2) } } }", "liquids[1].center: expected"},
        {"return scene {" BOX "liquids = { sphere { center = { mm(8), mm(8) },\n radius = -mm(2) } } }",
         "bad.lua:2: liquids[1].radius: expected a positive length"},
        {"return scene { domain = { size = { mm(16), -mm(16) }, cells = 16 }, frames = { rate = 500, count = 1 }," POOL "}",
         "domain.size"},
        {"return scene {" BOX "liquids = { sphere { center = { mm(8), mm(8) }, radius = 0/0 } } }", "liquids[1].radius"},
        {"return scene {" BOX POOL "gravity = { 0, 0/0 } }", "gravity"},
        {"return scene {" BOX "liquids = { sphere { center = { 1/0, mm(8) }, radius = mm(1) } } }", "liquids[1].center"},
        {"return scene {" BOX POOL "frame_acceleration = function(t) return 0/0, 0 end }", "frame_acceleration"},
        {"return scene { domain = { size = { mm(16), mm(16) }, dx = mm(40) }, frames = { rate = 500, count = 1 }," POOL "}",
         "domain.dx: a cell of 0.04 m is larger than the box"},
        {"return scene { domain = { size = { mm(16), mm(16) }, cells = 1000000 }, frames = { rate = 500, count = 1 }," POOL "}",
         "domain.cells"},
        {"return scene {" BOX "liquids = { sphere { center = { mm(80), mm(8) }, radius = mm(2) } } }",
         "liquids[1]: lies outside the box"},
        {"return scene {" BOX "liquids = { pool { depth = mm(4) },\n sphere { center = { mm(8), mm(5) }, radius = mm(2) } } }",
         "bad.lua:2: liquids[2]: overlaps liquids[1] (line 1)"},
        {"return scene {" BOX "liquids = { sphere { center = { mm(8), mm(8) }, radius = mm(2) } },"
         " solids = { sphere { center = { mm(8), mm(8) }, radius = mm(4) } } }",
         "no volume"},
        {"return scene {" BOX "}", "bad.lua"},
        {"\nwhile true do end", "bad.lua:2: the scene runs too long"},
        {"while true do pcall(function() while true do end end) end", "the scene runs too long"},
        {"local t = {} while true do t[#t + 1] = string.rep('x', 1000000) end", "more than 64 MB"},
        {"local function f() return f() + 1 end return f()", "bad.lua"},
        {"return scene {" BOX POOL "frame_acceleration = function(t) while true do end end }", "too long"},
        {"os.execute('true')", "os"},
    };
    for (size_t m = 0; m < sizeof bad/sizeof *bad; m++) {
        write_text("bad.lua", bad[m].text);
        CHECK_CODE(COMMAND("check", in("bad.lua")), 1);
        CHECK_MESSAGE(bad[m].says);
        CHECK_CODE(COMMAND("run", in("bad.lua"), "-o", in("o"), "--threads", "1"), 1);
        CHECK_MESSAGE(bad[m].says);
        assert_false(exists("o"));
    }
    static const char* const names[] = {"nowhere.lua", "nowhere/a.lua", "."};
    for (int m = 0; m < 3; m++) {
        CHECK_CODE(COMMAND("run", in(names[m]), "-o", in("o")), 1);
        CHECK_MESSAGE(names[m]);
        assert_false(exists("o"));
    }
}

// A bad scene must not cost the run that is already in the folder.
static void test_bad_scene_spares_earlier_run(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "1"), 0);
    copy_folder("before", "o");
    write_text("bad.lua", "return scene {");
    CHECK_CODE(COMMAND("run", in("bad.lua"), "-o", in("o")), 1);
    check_same_results("before", "o");
    assert_true(exists("o/checkpoint.h5"));
}

// A source that lies in a solid is a mistake in the scene: check tells it, and run tells it before it writes anything.
static void test_source_in_solid(void** state)
{
    (void)state;
    write_text("bad.lua", "return scene {" BOX "sources = { sphere { center = { mm(8), mm(8) }, radius = mm(2), rate = 1e-4 } },"
                          " solids = { sphere { center = { mm(8), mm(8) }, radius = mm(5) } } }");
    CHECK_CODE(COMMAND("run", in("bad.lua"), "-o", in("o"), "--threads", "1"), 1);
    CHECK_MESSAGE("no free room");
    assert_false(exists("o"));
    CHECK_CODE(COMMAND("check", in("bad.lua")), 1);
    CHECK_MESSAGE("no free room");
}

// A step that cannot be made ends the run with a checkpoint, a message, and run.json says "failed: " and why (docs/output.md).
static void test_failed_step(void** state)
{
    (void)state;
    write_text("full.lua", "return scene {" BOX "liquids = { pool { depth = mm(15) } },"
                           " sources = { sphere { center = { mm(8), mm(8) }, radius = mm(2), rate = 0.1 } } }");
    CHECK_CODE(COMMAND("run", in("full.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 1);
    CHECK_MESSAGE("failed even with dt = ");
    CHECK_SAYS(err, "--resume");
    assert_true(exists("o/checkpoint.h5"));
    check_nothing_half_written("o");
    assert_memory_equal(run_json("o", "status"), "failed: ", 8);
}

// The six sides of a cube of 4 mm as 12 triangles, some of them left out or turned round, and triangles without area after them.
static void write_cube(const char* name, unsigned without, unsigned turned, int empty, const char* more)
{
    static const int corner[12][3] = {{1, 3, 2}, {2, 3, 4}, {5, 6, 7}, {6, 8, 7}, {1, 2, 5}, {2, 6, 5},
                                      {3, 7, 4}, {4, 7, 8}, {1, 5, 3}, {3, 5, 7}, {2, 4, 6}, {4, 8, 6}};
    FILE* f = fopen(in(name), "w");
    assert_non_null(f);
    for (int m = 0; m < 8; m++) fprintf(f, "v %d %d %d\n", m & 1 ? 6 : 2, m & 2 ? 6 : 2, m & 4 ? 6 : 2);
    for (int m = 0; m < 12; m++) {
        if (without >> m & 1) continue;
        const int* c = corner[m];
        if (turned >> m & 1) fprintf(f, "f %d %d %d\n", c[0], c[2], c[1]);
        else fprintf(f, "f %d %d %d\n", c[0], c[1], c[2]);
    }
    for (int m = 0; m < empty; m++) fprintf(f, "f %d %d %d\n", 1 + m%8, 1 + m%8, 1 + (m + 1)%8);
    fputs(more, f);
    fclose(f);
}

// A liquid in the shape of a mesh with a hole, turned faces or faces without area has the volume of the whole cube. That is 64
// mm^3 less what the grid takes off the edges: at most half of each of the 12*8 cells along them, 6 mm^3.
// What is no body at all is refused, with the name of the file.
static void test_meshes(void** state)
{
    (void)state;
    static const struct {
        unsigned without, turned;
        int empty;
        const char *more, *says;  // says NULL: must be repaired
    } cubes[] = {{0, 0, 0, "", NULL},
                 {1, 0, 0, "", NULL},
                 {0, 0x10, 0, "", NULL},
                 {0, 0xfff, 0, "", NULL},
                 {0, 0, 1000, "", NULL},
                 {4, 0x21, 50, "", NULL},
                 {0, 0, 1000000, "", NULL},
                 {0xfff, 0, 0, "", "cube.obj"},
                 {0xfff, 0, 1000, "", "cube.obj"},
                 {0, 0, 0, "f 1 2 99\n", "cube.obj"},
                 {0, 0, 0, "v nan 0 0\nf 1 2 9\n", "cube.obj"},
                 {0, 0, 0, "f 1 x 3\n", "cube.obj"}};
    write_text("a.lua",
               "return scene { domain = { size = { mm(8), mm(8), mm(8) }, cells = 16 }, frames = { rate = 1000, count = 1 },"
               " liquids = { mesh { file = 'cube.obj', scale = 1e-3, name = 'cube' } } }");
    double whole = 0;
    for (size_t m = 0; m < sizeof cubes/sizeof *cubes; m++) {
        write_cube("cube.obj", cubes[m].without, cubes[m].turned, cubes[m].empty, cubes[m].more);
        int code = COMMAND("check", in("a.lua"));
        if (cubes[m].says) {
            CHECK_CODE(code, 1);
            CHECK_MESSAGE(cubes[m].says);
            CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o")), 1);
            CHECK_MESSAGE(cubes[m].says);
            assert_false(exists("o"));
            continue;
        }
        CHECK_CODE(code, 0);
        double volume = 0;
        const char* at = strstr(out, "volume ");
        assert_non_null(at);
        sscanf(at, "volume %lf", &volume);
        if (m == 0) whole = volume;
        CHECK_WITHIN(volume, 61e-9, 3.01e-9);
        CHECK_CLOSE(volume, whole, 0.01);
    }
    write_text("cube.obj", "");
    CHECK_CODE(COMMAND("check", in("a.lua")), 1);
    CHECK_MESSAGE("cube.obj");
    unlink(in("cube.obj"));
    CHECK_CODE(COMMAND("check", in("a.lua")), 1);
    CHECK_MESSAGE("cube.obj: No such file");
}

// A mesh is part of the scene: with another one the checkpoint belongs to another scene.
static void test_resume_with_changed_mesh(void** state)
{
    (void)state;
    write_text("a.lua", "return scene { domain = { size = { mm(8), mm(8), mm(8) }, cells = 8 },"
                        " frames = { rate = 5000, count = 2, checkpoint_every = 1 }, liquids = { pool { depth = mm(1) } },"
                        " solids = { mesh { file = 'cube.obj', scale = 1e-3 } } }");
    write_cube("cube.obj", 0, 0, 0, "");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "1"), 0);
    write_cube("cube.obj", 0, 0, 0, "v 4 9 4\nf 1 9 2\n");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--resume"), 1);
    CHECK_MESSAGE("checkpoint.h5: belongs to another scene");
}

// Results cannot go below a file, onto a file, or into an unwritable folder.
static void test_folder_not_writable(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    write_text("file", "mine");
    static const char* const names[] = {"file/below/it", "file"};
    for (int m = 0; m < 2; m++) {
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in(names[m])), 1);
        CHECK_MESSAGE(names[m]);
    }
    size_t size;
    char* text = contents("file", &size);
    assert_string_equal(text, "mine");
    free(text);
    if (getuid() == 0) return;  // to whom every folder is writable
    assert_int_equal(mkdir(in("locked"), 0555), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("locked")), 1);
    CHECK_MESSAGE("locked");
}

// Runs on a disk where no file can be larger than `limit`: one message that names the file, and nothing half-written.
static void check_full_disk(long limit)
{
    char folder[32];
    snprintf(folder, sizeof folder, "o%ld", limit);
    how.file_limit = limit;
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in(folder), "--threads", "1", "--quiet"), 1);
    CHECK_MESSAGE("cannot be written: ");
    CHECK_SAYS(err, in(folder));
    check_nothing_half_written(folder);
}

// A full disk, whichever file meets it first: run.json, table.csv, a surface, a checkpoint.
static void test_full_disk(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    static const long limits[] = {400, 1000, 2000, 3000, 6400, 20000};
    for (size_t m = 0; m < sizeof limits/sizeof *limits; m++) check_full_disk(limits[m]);
}

// A disk without room for the first line of a table leaves no empty table.
static void test_full_disk_from_the_start(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    check_full_disk(100);
}

// The disk fills up, is cleared, and the run goes on from the checkpoint before as if nothing had happened.
static void test_full_disk_then_resumed(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    static const long limits[] = {2500, 5000, 20000};
    for (int m = 0; m < 3; m++) {
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "2"), 0);
        how.file_limit = limits[m];
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--resume"), 1);
        CHECK_MESSAGE("cannot be written: ");
        check_nothing_half_written("o");
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--resume"), 0);
        check_same_results("whole", "o");
    }
}

// A report that could not be written is no success.
static void test_report_to_a_full_disk(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    how.deaf = true;
    CHECK_CODE(COMMAND("check", in("a.lua")), 1);
    CHECK_MESSAGE("No space left on device");
    how.deaf = true;
    CHECK_CODE(COMMAND("list"), 1);
    CHECK_MESSAGE("No space left on device");
}

int main(void)
{
    command_setup();
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_bad_scenes),
        IN_FOLDER(test_bad_scene_spares_earlier_run),
        IN_FOLDER(test_source_in_solid),
        IN_FOLDER(test_failed_step),
        IN_FOLDER(test_meshes),
        IN_FOLDER(test_resume_with_changed_mesh),
        IN_FOLDER(test_folder_not_writable),
        IN_FOLDER(test_full_disk),
        IN_FOLDER(test_full_disk_from_the_start),
        IN_FOLDER(test_full_disk_then_resumed),
        IN_FOLDER(test_report_to_a_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The command as people use it: pictures, plots and files for other programs.
#include "moving_cube.h"
#include "results.h"

// The messages of render look like those of the other parts.
static void test_wrong_words_to_render(void** state)
{
    (void)state;
    CHECK_CODE(COMMAND("render", in("nowhere")), 1);
    CHECK_MESSAGE("nowhere");
    CHECK_CODE(COMMAND("render", "--frob"), 2);
    CHECK_MESSAGE("--frob");
    CHECK_CODE(COMMAND("render", in("nowhere"), "--size", "3"), 2);
    CHECK_MESSAGE("--size");
    CHECK_CODE(COMMAND("render"), 2);
    CHECK_MESSAGE("directory");
}

// Curves of one run and of two, as PNG and as SVG, and a strip; without --out the file lands in the run's folder, and its name is
// told.
static void test_plot(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("one"), "--quiet"), 0);
    copy_folder("two", "one");
    CHECK_CODE(COMMAND("plot", in("one")), 0);
    CHECK_SAYS(out, "one/plot.png");
    assert_string_equal(err, "");
    assert_true(exists("one/plot.png"));
    CHECK_CODE(COMMAND("plot", in("one"), in("two"), "--what", "energy,stages", "--out", in("both.svg"), "--size", "700x500"), 0);
    size_t n;
    char* svg = contents("both.svg", &n);
    CHECK_SAYS(svg, "width=\"700\"");
    CHECK_SAYS(svg, ">one<");
    CHECK_SAYS(svg, ">two<");
    CHECK_SAYS(svg, "Kinetic energy");
    assert_null(strstr(svg, "Volume error"));
    free(svg);
    CHECK_CODE(COMMAND("plot", in("one"), "--strip", "8mm"), 0);
    assert_true(exists("one/strip.png"));
    // a new run in the folder leaves no plot of the old one
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("one"), "--frames", "1", "--quiet"), 0);
    assert_false(exists("one/plot.png") || exists("one/strip.png"));
}

// A scene that asks for pictures gets them while it runs, the frames it names; stopping and going on makes no difference.
static void test_pictures_of_a_run(void** state)
{
    (void)state;
    char scene[2000];
    snprintf(scene, sizeof scene, "%.*s, pictures = { width = 120, height = 90, every = 2, style = 'section' } }\n",
             (int)(strrchr(splash, '}') - splash), splash);
    write_text("a.lua", scene);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--quiet"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--quiet", "--frames", "2"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--quiet", "--resume"), 0);
    for (int frame = 0; frame <= 4; frame++) {
        char whole[64], parts[64];
        snprintf(whole, sizeof whole, "whole/pictures/frame_%04d.png", frame);
        snprintf(parts, sizeof parts, "parts/pictures/frame_%04d.png", frame);
        assert_int_equal(exists(whole), frame%2 == 0);
        if (frame%2 != 0) continue;
        size_t n, m;
        char *a = contents(whole, &n), *b = contents(parts, &m);
        assert_true(n == m && memcmp(a, b, n) == 0);
        assert_int_equal((unsigned char)a[19], 120);  // width and height, in a PNG's first chunk
        assert_int_equal((unsigned char)a[23], 90);
        free(a), free(b);
    }
}

// What is missing or damaged is named, exit code 1, and no plot is left behind.
static void test_plot_of_damaged_run(void** state)
{
    (void)state;
    static const struct {
        const char *file, *text, *what, *named;
    } damage[] = {{"run.json", NULL, "all", "run.json"},
                  {"run.json", "{\"dim\": 2}", "stages", "stage_seconds"},
                  {"run.json", "{\"dim\": 2", "energy", "run.json"},
                  {"table.csv", NULL, "energy", "table.csv"},
                  {"table.csv", "", "energy", "table.csv"},
                  {"table.csv", "t,kinetic_energy\n", "energy", "no rows"},
                  {"table.csv", "t,energy\n0,1\n", "energy", "'kinetic_energy'"},
                  {"table.csv", "t,kinetic_energy\n0,1\n1", "energy", "cut short"},
                  {"liquids.csv", NULL, "centroid", "liquids.csv"},
                  {"liquids.csv", "frame,t\n1,soon\n", "centroid", "'soon'"}};
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("good"), "--quiet", "--frames", "1"), 0);
    for (size_t m = 0; m < sizeof damage/sizeof *damage; m++) {
        char path[300];
        copy_folder("bad", "good");
        snprintf(path, sizeof path, "bad/%s", damage[m].file);
        if (damage[m].text) write_text(path, damage[m].text);
        else unlink(in(path));
        CHECK_CODE(COMMAND("plot", in("good"), in("bad"), "--what", damage[m].what, "--out", in("p.png")), 1);
        CHECK_MESSAGE(damage[m].named);
        assert_false(exists("p.png"));
    }
    copy_folder("bad", "good");
    unlink(in("bad/surface_0000.ply"));
    CHECK_CODE(COMMAND("plot", in("bad"), "--strip", "8mm"), 1);
    CHECK_MESSAGE("surface_0000.ply");
    CHECK_CODE(COMMAND("plot", in("good"), "--strip", "100"), 1);
    CHECK_MESSAGE("meniscus render");
    CHECK_CODE(COMMAND("plot", in("nowhere")), 1);
    CHECK_MESSAGE("nowhere/run.json");
    CHECK_CODE(COMMAND("plot", in("good"), "--size", "60x60"), 2);
    CHECK_MESSAGE("60 x 60");
    how.file_limit = 2000;
    CHECK_CODE(COMMAND("plot", in("good"), "--out", in("p.svg")), 1);
    CHECK_MESSAGE("p.svg");
    how.file_limit = 2000;
    CHECK_CODE(COMMAND("plot", in("good"), "--out", in("p.png")), 1);
    CHECK_MESSAGE("p.png");
    assert_false(exists("p.png") || exists("p.svg") || exists("p.svg.tmp") || exists("bad/strip.png") || exists("good/plot.png"));
    check_nothing_half_written("good");
}

// ---- what pictures cannot be made of -------------------------------------------------------------------------------------

// Sets number `column` of the first vertex of a PLY file.
static void spoil_vertex(const char* name, int column, float value)
{
    size_t size;
    char *data = contents(name, &size), *end = memmem(data, size, "end_header\n", 11);
    memcpy(end + 11 + 4*column, &value, sizeof value);
    write_bytes(name, data, size);
    free(data);
}

// A vertex far outside the tank, or nowhere, is one line that names the file, in 2D and 3D and before any picture. One that is
// merely outside is drawn, and so is a speed without measure.
static void test_places_far_outside(void** state)
{
    (void)state;
    static const char* const sizes[] = {"mm(16), mm(16)", "mm(16), mm(16), mm(16)"};
    static const float places[] = {1e5f, 1e18f, -1e20f, 1e29f, 1e35f, INFINITY, NAN};
    for (int m = 0; m < 2; m++) {
        char scene[400];
        snprintf(scene, sizeof scene,
                 "return scene { domain = { size = { %s }, cells = 8 }, frames = { rate = 500, count = 1 }, %s }", sizes[m],
                 POOL);
        write_text("a.lua", scene);
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("good"), "--threads", "1", "--quiet"), 0);
        for (size_t k = 0; k < sizeof places/sizeof *places; k++) {
            copy_folder("bad", "good");
            spoil_vertex("bad/surface_0001.ply", (int)k%(m + 2), places[k]);
            CHECK_CODE(COMMAND("render", in("bad"), "--size", "32x24", "--samples", "1", "--quiet", "--frames", "1"), 1);
            CHECK_MESSAGE(isfinite(places[k]) && places[k] < 1e30 ? "far outside the tank" : "is not at a finite place");
            CHECK_SAYS(err, "bad/surface_0001.ply: ");
            assert_false(exists("bad/pictures/frame_0001.png"));
        }
        copy_folder("bad", "good");
        spoil_vertex("bad/surface_0001.ply", 0, 1);
        spoil_vertex("bad/surface_0001.ply", 6, 1e29f);
        CHECK_CODE(COMMAND("render", in("bad"), "--size", "32x24", "--samples", "1", "--quiet", "--motion-blur"), 0);
    }
}

// A movie without ffmpeg is refused before the first picture is made.
static void test_movie_without_ffmpeg(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "1"), 0);
    char* path = strdup(getenv("PATH"));
    setenv("PATH", base, 1);
    CHECK_CODE(COMMAND("render", in("o"), "--size", "32x24", "--movie"), 1);
    setenv("PATH", path, 1);
    free(path);
    CHECK_MESSAGE("no movie: the program ffmpeg is not installed (on Debian: apt-get install ffmpeg)");
    assert_false(exists("o/pictures"));
}

// ---- files for other programs ------------------------------------------------------------------------------------------------

static const char cloth[] = "return scene { domain = { size = { mm(10), mm(8), mm(8) }, cells = 20 }, frames = { rate = 400, "
                            "count = 3, checkpoint_every = 1 },\n"
                            "  liquids = { pool { depth = mm(3) } }, output = { formats = { 'obj', 'usda', 'vtkhdf', 'vdb' } },\n"
                            "  solids = { mesh { file = 'cube.obj', cache = 'cube.pc2', scale = 5e-4, cache_rate = 400, position "
                            "= { mm(4.3, 3.2, 4.1) } } } }\n";

static void swing(double to[3], const double x[3], double t)
{
    to[0] = x[0] + 1.5*sin(200*t) + 0.2*x[1]*sin(300*t), to[1] = x[1], to[2] = x[2];
}

// All formats and a mesh that moves: the same bytes from any number of threads, at any hour, and from a run that was resumed.
static void test_formats_same_bytes(void** state)
{
    (void)state;
    write_text("a.lua", cloth);
    cube_write_obj(in("cube.obj"), NULL, 0);
    cube_write_pc2(in("cube.pc2"), swing, 5, 400);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("one"), "--threads", "1", "--quiet"), 0);
    sleep(1);  // files that keep the time of day would differ now
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("two"), "--threads", "2", "--quiet"), 0);
    check_same_results("one", "two");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--quiet", "--frames", "2"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--quiet", "--resume"), 0);
    check_same_results("one", "parts");
    cube_write_pc2(in("cube.pc2"), swing, 6, 400);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--quiet", "--resume"), 1);
    CHECK_MESSAGE("belongs to another scene");
    how.file_limit = 150000;
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("full"), "--threads", "1", "--quiet"), 1);
    CHECK_MESSAGE("cannot be written: ");
    check_nothing_half_written("full");
}

static void test_export(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("export", in("o"), "--to", "obj,vtkhdf", "--frames", "1:2", "-o", in("p")), 0);
    assert_true(exists("p/surface_0001.obj") && exists("p/surface_0002.hdf") && exists("p/surface.hdf.series"));
    assert_false(exists("p/surface_0000.obj") || exists("p/surface_0003.obj") || exists("o/surface_0001.obj"));
    CHECK_CODE(COMMAND("export", in("o"), "--to", "ply", "--frames", "1", "-o", in("plain")), 0);
    assert_true(exists("plain/surface_0001.ply"));
    CHECK_CODE(COMMAND("export", in("o"), "--to", "ply"), 1);
    CHECK_CODE(COMMAND("export", in("o"), "--to", "ply", "-o", in("o")), 1);
    CHECK_CODE(COMMAND("export", in("o"), "--to", "obj"), 0);
    assert_true(exists("o/surface_0000.obj") && exists("o/surface_0004.obj"));
    CHECK_CODE(COMMAND("export", in("o"), "--to", "vdb"), 1);
    CHECK_MESSAGE("hold surfaces, not volumes");
    CHECK_CODE(COMMAND("export", in("o"), "--to", "usda"), 1);
    CHECK_MESSAGE("three dimensions");
    CHECK_CODE(COMMAND("export", in("o"), "--to", "obj", "--frames", "2:9"), 1);
    CHECK_MESSAGE("has frames 0 to 4, asked for 2 to 9");
    CHECK_CODE(COMMAND("export", in("nowhere"), "--to", "obj"), 1);
    CHECK_MESSAGE("nowhere/run.json");
    how.file_limit = 200;
    CHECK_CODE(COMMAND("export", in("o"), "--to", "obj", "-o", in("full")), 1);
    CHECK_MESSAGE("full/surface_0000.obj: cannot be written: ");
    static const char* const wrong[][4] = {{"--to", "stl"}, {"--frames", "x", "--to", "obj"}, {"--frames", "1"}, {"--nonsense"}};
    for (int m = 0; m < 4; m++) {
        CHECK_CODE(COMMAND("export", in("o"), wrong[m][0], wrong[m][1], wrong[m][2], wrong[m][3]), 2);
        CHECK_MESSAGE("export: ");
    }
    CHECK_CODE(COMMAND("export", "--to", "obj"), 2);
    CHECK_CODE(COMMAND("export", "--help"), 0);
    CHECK_SAYS(out, "usage: meniscus export");
}

int main(void)
{
    command_setup();
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_wrong_words_to_render), IN_FOLDER(test_plot),
        IN_FOLDER(test_pictures_of_a_run),     IN_FOLDER(test_plot_of_damaged_run),
        IN_FOLDER(test_places_far_outside),    IN_FOLDER(test_movie_without_ffmpeg),
        IN_FOLDER(test_formats_same_bytes),    IN_FOLDER(test_export),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

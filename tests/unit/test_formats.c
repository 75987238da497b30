// All files of a run for other programs together: written by the run, by export, in 2D, on a full disk.
#include "tank_files.h"
#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include "output/files.h"
#include "output/formats.h"
#include "output/obj.h"
#include "output/output.h"
#include "output/ply.h"
#include "output/vdb.h"
#include "output/vtkhdf.h"

static void write_run(TankRun* w, int frames)
{
    Output* out;
    CHECK_OK(output_open(&out, base, &w->scene, &w->sim, &(OutputOptions){.threads = 1}));
    for (int frame = 0; frame < frames; frame++) {
        CHECK_OK(sim_advance(&w->sim, frame/w->scene.frame_rate));
        Droplet drop = {.x = {11e-3, 9e-3, 7e-3}, .v = {0, 0.1, 0}, .volume = 1e-11, .material = w->sim.world.liquid[0].material};
        if (frame == 1) CHECK_OK(spray_add(&w->sim.world.spray, &drop));
        CHECK_OK(output_frame(out, &w->sim, frame));
    }
    CHECK_OK(output_finish(out, &w->sim, "finished"));
    output_close(out);
}

static void check_series(const char* name, const char* file, int frames, double rate)
{
    json_t* root = json_load_file(in(name), 0, NULL);
    if (!root) fail_msg("%s cannot be read", name);
    const json_t* list = json_object_get(root, "files");
    assert_int_equal(json_array_size(list), frames);
    for (int frame = 0; frame < frames; frame++) {
        const json_t* entry = json_array_get(list, (size_t)frame);
        char expected[64];
        snprintf(expected, sizeof expected, file, frame);
        assert_string_equal(json_string_value(json_object_get(entry, "name")), expected);
        assert_true(exists(expected));
        assert_true(json_number_value(json_object_get(entry, "time")) == frame/rate);
    }
    json_decref(root);
}

// Numbers within [...] after each "FRAME: " of an attribute of a prim.
static long count_numbers(const char* text, const char* prim, const char* attribute, int frame)
{
    char key[64];
    const char* at = strstr(text, prim);
    assert_non_null(at);
    at = strstr(at, attribute);
    assert_non_null(at);
    snprintf(key, sizeof key, "\n            %d: [", frame);
    at = strstr(at, key);
    assert_non_null(at);
    at += strlen(key);
    long count = 0;
    while (*at != ']') {
        char* after;
        strtod(at, &after);
        if (after != at) count++;
        at = after != at ? after : at + 1;
    }
    return count;
}

static void test_run(void** state)
{
    (void)state;
    TankRun w;
    tank_run_make(&w, scene_3d);
    write_run(&w, 3);
    check_series("surface.hdf.series", "surface_%04d.hdf", 3, 400);
    check_series("volume.hdf.series", "volume_%04d.hdf", 3, 400);
    check_series("solid_mover.hdf.series", "solid_mover_%04d.hdf", 3, 400);
    assert_false(exists("solid_still one.hdf.series"));
    static const char* const names[] = {"solid_still one.obj", "solid_still one.hdf", "solid_mover_0002.obj",
                                        "surface_0002.obj",    "volume_0000.vdb",     "volume_0002.vdb"};
    for (size_t m = 0; m < sizeof names/sizeof *names; m++)
        if (!exists(names[m])) fail_msg("%s is missing", names[m]);
    Bytes usda;
    CHECK_OK(file_read(&usda, in("run.usda")));
    assert_memory_equal(usda.data, "#usda 1.0\n", 10);
    assert_non_null(strstr(usda.data, "timeCodesPerSecond = 400\n"));
    assert_non_null(strstr(usda.data, "endTimeCode = 2\n"));
    assert_non_null(strstr(usda.data, "def Mesh \"solid_still_one\""));
    int depth = 0;
    for (const char* c = usda.data; *c; c++) depth += (*c == '{') - (*c == '}');
    assert_int_equal(depth, 0);
    for (int frame = 0; frame < 3; frame++) {
        char name[32];
        Layer mesh;
        snprintf(name, sizeof name, "surface_%04d.ply", frame);
        CHECK_OK(ply_read(&mesh, "surface", in(name)));
        assert_int_equal(count_numbers(usda.data, "\"surface\"", "points.timeSamples", frame), 3*mesh.points);
        assert_int_equal(count_numbers(usda.data, "\"surface\"", "velocities.timeSamples", frame), 3*mesh.points);
        assert_int_equal(count_numbers(usda.data, "\"surface\"", "faceVertexIndices.timeSamples", frame), 3*mesh.elements);
        assert_int_equal(count_numbers(usda.data, "\"surface\"", "faceVertexCounts.timeSamples", frame), mesh.elements);
        assert_int_equal(count_numbers(usda.data, "\"surface\"", "extent.timeSamples", frame), 6);
        layer_free(&mesh);
    }
    assert_int_equal(count_numbers(usda.data, "Points \"spray\"", "points.timeSamples", 0), 0);
    assert_int_equal(count_numbers(usda.data, "Points \"spray\"", "points.timeSamples", 1), 3);
    assert_int_equal(count_numbers(usda.data, "Points \"spray\"", "widths.timeSamples", 2), w.sim.world.spray.count);
    bytes_free(&usda);

    // a run without formats in the same place takes all of it away
    w.scene.formats = 0;
    Output* out;
    CHECK_OK(output_open(&out, base, &w.scene, &w.sim, &(OutputOptions){.threads = 1}));
    output_close(out);
    static const char* const gone[] = {"surface.hdf.series",   "volume.hdf.series", "solid_mover.hdf.series",
                                       "solid_mover_0002.obj", "surface_0002.obj",  "surface_0002.hdf",
                                       "volume_0000.vdb",      "volume_0002.hdf",   "run.usda"};
    for (size_t m = 0; m < sizeof gone/sizeof *gone; m++)
        if (exists(gone[m])) fail_msg("%s is left over", gone[m]);
    tank_run_free(&w);
}

// What `export` makes of the PLY files is what the run itself writes.
static void test_export(void** state)
{
    (void)state;
    TankRun w;
    tank_run_make(&w, scene_3d);
    write_run(&w, 2);
    char other[PATH_ROOM];
    snprintf(other, sizeof other, "%s/other", base);
    CHECK_OK(
        formats_export(base, &(ExportOptions){.to = other, .formats = OUTPUT_OBJ | OUTPUT_USDA | OUTPUT_VTKHDF, .last = -1}));
    static const char* const names[] = {"surface_0001.obj",    "surface_0001.hdf",   "solid_mover_0001.hdf",
                                        "solid_still one.hdf", "surface.hdf.series", "run.usda"};
    for (size_t m = 0; m < sizeof names/sizeof *names; m++) {
        Bytes a, b;
        char path[2*PATH_ROOM];
        snprintf(path, sizeof path, "%s/%s", other, names[m]);
        CHECK_OK(file_read(&a, in(names[m])));
        CHECK_OK(file_read(&b, path));
        if (a.size != b.size || memcmp(a.data, b.data, a.size) != 0) fail_msg("%s differs", names[m]);
        bytes_free(&a), bytes_free(&b);
    }
    assert_int_equal(formats_export(base, &(ExportOptions){.formats = OUTPUT_VDB, .last = -1}), MN_UNSUPPORTED);
    assert_int_equal(formats_export(base, &(ExportOptions){.formats = OUTPUT_OBJ, .first = 1, .last = 7}), MN_BAD_ARGUMENT);
    assert_int_equal(formats_export("/nowhere", &(ExportOptions){.formats = OUTPUT_OBJ, .last = -1}), MN_IO);
    tank_run_free(&w);
}

// In the laboratory all of a shaken box is where it stood: here 1 mm higher in frame 1, solids that stand still in it included.
static void test_laboratory(void** state)
{
    (void)state;
    TankRun w;
    tank_run_make(&w, scene_shaken);
    write_run(&w, 2);
    char other[PATH_ROOM], path[2*PATH_ROOM];
    snprintf(other, sizeof other, "%s/lab", base);
    CHECK_OK(formats_export(base, &(ExportOptions){.to = other, .formats = OUTPUT_OBJ | OUTPUT_USDA, .last = -1, .lab = true}));
    static const char* const names[][2] = {{"surface_0001", "surface_0001"}, {"solid_still one", "solid_still one_0001"}};
    for (int m = 0; m < 2; m++) {
        Bytes box, lab;
        double here[3], there[3];
        snprintf(path, sizeof path, "%s/%s.obj", base, names[m][0]);
        CHECK_OK(file_read(&box, path));
        snprintf(path, sizeof path, "%s/%s.obj", other, names[m][1]);
        CHECK_OK(file_read(&lab, path));
        assert_int_equal(sscanf(strstr(box.data, "\nv "), " v %lf %lf %lf", &here[0], &here[1], &here[2]), 3);
        assert_int_equal(sscanf(strstr(lab.data, "\nv "), " v %lf %lf %lf", &there[0], &there[1], &there[2]), 3);
        for (int d = 0; d < 3; d++) CHECK_LESS(fabs(there[d] - here[d] - (d == 1 ? 1e-3 : 0)), 1e-8);
        bytes_free(&box), bytes_free(&lab);
    }
    Bytes usda;
    snprintf(path, sizeof path, "%s/run.usda", other);
    CHECK_OK(file_read(&usda, path));
    assert_non_null(strstr(usda.data, "        1: (0, 0.001, 0),\n    }\n    uniform token[] xformOpOrder"));
    bytes_free(&usda);
    tank_run_free(&w);
}

static void test_2d(void** state)
{
    (void)state;
    TankRun w;
    tank_run_make(&w, scene_2d);
    write_run(&w, 2);
    assert_true(exists("surface_0001.obj") && exists("surface_0001.hdf") && exists("volume_0001.hdf"));
    assert_int_equal(formats_export(base, &(ExportOptions){.formats = OUTPUT_USDA, .last = -1}), MN_UNSUPPORTED);
    Scene scene;
    static const char* const bad[][2] = {{"'vdb'", "\"vdb\" needs a domain of three dimensions"},
                                         {"'usda'", "\"usda\" needs a domain of three dimensions"},
                                         {"'obj', 'odj'", "output.formats[2]: expected \"ply\" or \"obj\""},
                                         {"7", "output.formats[1]: expected"}};
    for (int m = 0; m < 4; m++) {
        char text[512];
        snprintf(text, sizeof text,
                 "return scene { domain = { size = { mm(12), mm(10) }, cells = 24 }, frames = { rate = 400, count = 2 },"
                 "  liquids = { pool { depth = mm(3) } },\n output = { formats = { %s } } }",
                 bad[m][0]);
        assert_true(scene_load_text(&scene, "test.lua", text) != MN_OK);
        if (!strstr(mn_last_error(), bad[m][1]) || !strstr(mn_last_error(), "test.lua:2: "))
            fail_msg("said: %s", mn_last_error());
    }
    tank_run_free(&w);
}

static void test_full_disk(void** state)
{
    (void)state;
    TankRun w;
    tank_run_make(&w, scene_3d);
    write_run(&w, 1);
    Layers layers = {0};
    const Layer* mesh = surface_layer(&layers, &w.sim);
    Volume v;
    CHECK_OK(volume_make(&v, &w.sim));
    struct rlimit usual, small;
    getrlimit(RLIMIT_FSIZE, &usual);
    small = (struct rlimit){600, usual.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    static const char* const names[6] = {"x.obj", "x.hdf", "y.hdf", "x.vdb", "x.hdf.series", "run.usda"};
    mn_status status[6];
    char said[6][300];
    unlink(in("run.usda"));
    for (int m = 0; m < 6; m++) {
        if (m == 0) status[m] = obj_write(in(names[m]), mesh);
        if (m == 1) status[m] = vtkhdf_write_mesh(in(names[m]), mesh);
        if (m == 2) status[m] = vtkhdf_write_volume(in(names[m]), &v);
        if (m == 3) status[m] = vdb_write(in(names[m]), &v);
        if (m == 4) status[m] = vtkhdf_write_series(base, "x", 0, 100, 400);
        if (m == 5) status[m] = formats_export(base, &(ExportOptions){.formats = OUTPUT_USDA, .last = -1});
        snprintf(said[m], sizeof said[m], "%.299s", mn_last_error());
    }
    setrlimit(RLIMIT_FSIZE, &usual);
    signal(SIGXFSZ, SIG_DFL);
    for (int m = 0; m < 6; m++) {
        char expected[PATH_ROOM], temporary[64];
        snprintf(expected, sizeof expected, "%s: cannot be written: File too large", in(names[m]));
        snprintf(temporary, sizeof temporary, "%s.tmp", names[m]);
        if (status[m] != MN_IO || strcmp(said[m], expected) != 0)
            fail_msg("%s: status %d, said: %s", names[m], status[m], said[m]);
        assert_false(exists(names[m]) || exists(temporary));
    }
    layers_free(&layers);
    volume_free(&v);
    tank_run_free(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_run), IN_FOLDER(test_export), IN_FOLDER(test_laboratory), IN_FOLDER(test_2d), IN_FOLDER(test_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The directory of a run: files, columns, what a resumed run leaves, and what happens when writing fails.
#include "basin.h"
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include "output/files.h"
#include "output/output.h"
#include "output/probes.h"

static char base[64], dir[PATH_ROOM];

static int make_directory(void** state)
{
    (void)state;
    snprintf(base, sizeof base, "/tmp/meniscus_test_XXXXXX");
    if (!mkdtemp(base)) return -1;
    snprintf(dir, sizeof dir, "%s/deep/run", base);
    return 0;
}

static int remove_directory(void** state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", base);
    return system(command);
}

static const char* in_dir(const char* name)
{
    static char path[4][PATH_ROOM];
    static int turn;
    turn = (turn + 1)%4;
    snprintf(path[turn], PATH_ROOM, "%.3000s/%s", dir, name);
    return path[turn];
}

static bool exists(const char* name) { return access(in_dir(name), F_OK) == 0; }

// Caller frees.
static char* contents(const char* name)
{
    Bytes b;
    CHECK_OK(file_read(&b, in_dir(name)));
    return b.data ? b.data : strdup("");
}

// ---- a scene and the simulation that belongs to it ---------------------------------------------------------------------

static const char scene_2d[] =
    "return scene { title = 'Output', domain = { size = { mm(8), mm(8) }, cells = 32 }, frames = { rate = 500, count = 9 },"
    "  liquids = { pool { depth = mm(3), material = water } },"
    "  solids = { sphere { name = 'still', center = { mm(1), mm(1) }, radius = mm(0.9) },"
    "             sphere { name = 'mover', center = { mm(5), mm(2) }, radius = mm(0.8), position = function(t) return t, 0 end } "
    "},"
    "  probes = { { name = 'p', kind = 'pressure', at = { mm(7), mm(0) } }, { name = 'v', kind = 'velocity', at = { mm(7), mm(2) "
    "} },"
    "             { name = 'h', kind = 'height', at = { mm(7), 0 } }, { name = 'air', kind = 'pressure', at = { mm(7), mm(7) } } "
    "} }";
static const char scene_3d[] =
    "return scene { domain = { size = { mm(8), mm(8), mm(8) }, cells = 12 }, frames = { rate = 500, count = 9 },"
    "  liquids = { pool { depth = mm(3), material = water } },"
    "  solids = { box { name = 'brick', center = { mm(4), mm(4), mm(4) }, size = { mm(3), mm(3), mm(3) } } } }";

static double pool(const void* user, const double x[3]) { return x[1] - *(const double*)user; }

static mn_status mover(Pose* pose, void* user, int solid, double t)
{
    (void)user, (void)solid;
    *pose = pose_at((double[3]){t, 0, 0}, (double[3]){0, 0, 0});
    return MN_OK;
}

static double solid_distance(const void* shape, const double x[3]) { return shape_distance(shape, x); }

static void build(Scene* scene, Sim* sim, const char* text)
{
    CHECK_OK(scene_load_text(scene, "test.lua", text));
    basin_init(sim, scene->dim, scene->cells[0], scene->cells[1], scene->cells[2], scene->dx);
    double depth = 3e-3;
    sim->world.solids = (Solids){.solid = calloc((size_t)scene->solid_count, sizeof(Solid)), .count = scene->solid_count};
    for (int m = 0; m < scene->solid_count; m++) {
        Solid* s = &sim->world.solids.solid[m];
        *s = (Solid){.distance = solid_distance,
                     .shape = scene->solids[m].shape,
                     .moving = scene->solids[m].moving,
                     .contact_angle = {-1, -1}};
        CHECK_OK(mover(&s->pose, NULL, m, 0));
        sim->world.solids.any_moving = sim->world.solids.any_moving || s->moving;
    }
    sim->model.functions.pose = mover;
    basin_add(sim, pool, &depth, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(sim));
}

static void unbuild(Scene* scene, Sim* sim)
{
    sim_free(sim);
    scene_free(scene);
}

// Frames first to last of 1 ms each, a checkpoint after each frame.
static void run_frames(Output* out, Sim* sim, int first, int last)
{
    for (int frame = first; frame <= last; frame++) {
        double end = frame*1e-3;
        while (frame > 0 && sim->world.time < end - 1e-12) {
            CHECK_OK(sim_step(sim, end - sim->world.time));
            CHECK_OK(output_step(out, sim));
        }
        CHECK_OK(output_frame(out, sim, frame));
        CHECK_OK(output_checkpoint(out, sim, frame));
    }
}

// ---- tests ---------------------------------------------------------------------------------------------------------------

// All files are there, with the columns that scripts rely on.
static void test_files(void** state)
{
    (void)state;
    Scene scene;
    Sim sim;
    Output* out;
    build(&scene, &sim, scene_2d);
    CHECK_OK(output_open(&out, dir, &scene, &sim, &(OutputOptions){.threads = 2}));
    Droplet drop = {.x = {1e-3, 7e-3, 0}, .volume = 1e-9, .material = sim.world.liquid[0].material};
    CHECK_OK(spray_add(&sim.world.spray, &drop));
    run_frames(out, &sim, 0, 1);
    CHECK_OK(output_finish(out, &sim, "finished"));
    output_close(out);
    static const char* const names[] = {"table.csv",       "liquids.csv",          "probes.csv",          "run.json",
                                        "checkpoint.h5",   "surface_0000.ply",     "surface_0001.ply",    "spray_0000.ply",
                                        "solid_still.ply", "solid_mover_0000.ply", "solid_mover_0001.ply"};
    for (size_t m = 0; m < sizeof names/sizeof *names; m++)
        if (!exists(names[m])) fail_msg("%s is missing", names[m]);
    char *table = contents("table.csv"), *liquids = contents("liquids.csv"), *probes = contents("probes.csv");
    static const char columns[] = "step,t,dt,liquids,volume,spray_volume,outflow,ledger_error,volume_correction,kinetic_energy,"
                                  "surface_area,max_speed,iterations,residual,wall_time";
    assert_memory_equal(table, columns, strlen(columns));
    assert_true(strncmp(strchr(table, '\n'), "\n1,", 3) == 0);
    static const char liquid_columns[] = "frame,t,id,volume,target_volume,cx,cy,cz,vx,vy,vz,xmin,ymin,zmin,xmax,ymax,zmax,area,"
                                         "frame_x,frame_y,frame_z,name\n0,0,1,";
    assert_memory_equal(liquids, liquid_columns, strlen(liquid_columns));
    assert_memory_equal(probes, "step,t,p,v.x,v.y,v.z,h,air\n1,", 28);
    char* surface = contents("surface_0000.ply");
    assert_memory_equal(surface, "ply\nformat binary_little_endian 1.0\n", 35);
    assert_non_null(strstr(surface, "element edge"));
    free(surface), free(table), free(liquids), free(probes);
    unbuild(&scene, &sim);
}

// Probes in a pool at rest: p = rho g depth on the floor, the height of the water, nothing in the air.
static void test_probes(void** state)
{
    (void)state;
    Sim sim;
    double depth = 3.1e-3;
    basin_init(&sim, 2, 32, 32, 1, 8e-3/32);
    basin_add(&sim, pool, &depth, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    for (int s = 0; s < 3; s++) CHECK_OK(sim_step(&sim, 1e-3));
    CHECK_CLOSE(probe_pressure(&sim, (double[3]){7e-3, 0, 0}), 1000*9.81*depth, 1e-3);
    CHECK_CLOSE(probe_pressure(&sim, (double[3]){8e-3, 1e-3, 0}), 1000*9.81*(depth - 1e-3), 1e-3);
    CHECK_CLOSE(probe_pressure(&sim, (double[3]){2e-3, 2.2e-3, 0}), 1000*9.81*(depth - 2.2e-3), 1e-3);
    CHECK_WITHIN(probe_pressure(&sim, (double[3]){7e-3, 7e-3, 0}), 0, 0);
    CHECK_WITHIN(probe_height(&sim, (double[3]){5e-3, 0, 0}), depth, 1e-9);
    double v[3];
    probe_velocity(v, &sim, (double[3]){4e-3, 2e-3, 0});
    CHECK_WITHIN(vec_norm(v), 0, 1e-9);
    probe_velocity(v, &sim, (double[3]){4e-3, 5e-3, 0});
    assert_true(isnan(v[0]));
    sim.world.liquid_count = 0;
    assert_true(isnan(probe_height(&sim, (double[3]){5e-3, 0, 0})));
    sim.world.liquid_count = 1;
    sim_free(&sim);
}

// run.json can be read and holds what the renderer asks for.
static void test_run_json(void** state)
{
    (void)state;
    Scene scene;
    Sim sim;
    Output* out;
    build(&scene, &sim, scene_3d);
    CHECK_OK(output_open(&out, dir, &scene, &sim, &(OutputOptions){.threads = 2}));
    run_frames(out, &sim, 0, 0);
    CHECK_OK(output_finish(out, &sim, "failed: \"why\""));
    output_close(out);
    json_t* root = json_load_file(in_dir("run.json"), 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "dim")), 3);
    assert_int_equal(json_array_size(json_object_get(root, "size")), 3);
    assert_int_equal(json_integer_value(json_object_get(root, "frames")), 1);
    assert_string_equal(json_string_value(json_object_get(root, "status")), "failed: \"why\"");
    assert_string_equal(json_string_value(json_object_get(root, "scene_text")), scene_3d);
    json_t* solid = json_array_get(json_object_get(root, "solids"), 0);
    assert_string_equal(json_string_value(json_object_get(solid, "name")), "brick");
    assert_true(json_is_false(json_object_get(solid, "moving")));
    static const char* const keys[] = {
        "title",   "version", "machine",    "compiler", "date",    "settings",     "cells",         "dx",
        "gravity", "sides",   "frame_rate", "steps",    "threads", "wall_seconds", "stage_seconds", "peak_memory_bytes"};
    for (size_t m = 0; m < sizeof keys/sizeof *keys; m++)
        if (!json_object_get(root, keys[m])) fail_msg("run.json lacks %s", keys[m]);
    json_decref(root);
    assert_true(exists("solid_brick.ply"));
    assert_false(exists("spray_0000.ply"));
    unbuild(&scene, &sim);
}

// The text of a table without its column wall_time (number 14), which may differ.
static char* without_wall_time(char* text)
{
    char* to = text;
    int column = 0;
    for (const char* c = text; *c; c++) {
        if (*c == ',') column++;
        if (*c == '\n') column = 0;
        if (column != 14) *to++ = *c;
    }
    *to = 0;
    return text;
}

// A run stopped after some steps past its checkpoint and resumed leaves the same tables and meshes as one that ran through.
static void test_resume_leaves_same_bytes(void** state)
{
    (void)state;
    Scene scene;
    Sim sim;
    Output* out;
    static const char* const names[] = {"table.csv",        "liquids.csv",      "probes.csv",
                                        "surface_0003.ply", "surface_0004.ply", "solid_mover_0004.ply"};
    char* expected[6];
    int frame = -2;
    build(&scene, &sim, scene_2d);
    CHECK_OK(output_open(&out, dir, &scene, &sim, &(OutputOptions){.threads = 2}));
    run_frames(out, &sim, 0, 4);
    output_close(out);
    for (int m = 0; m < 6; m++) expected[m] = contents(names[m]);
    unbuild(&scene, &sim);

    build(&scene, &sim, scene_2d);
    CHECK_OK(output_open(&out, dir, &scene, &sim, &(OutputOptions){.threads = 2}));
    assert_false(exists("surface_0004.ply"));  // of the run before
    run_frames(out, &sim, 0, 2);
    for (int s = 0; s < 2; s++) {  // rows and a frame that the checkpoint does not know
        CHECK_OK(sim_step(&sim, 4e-4));
        CHECK_OK(output_step(out, &sim));
    }
    CHECK_OK(output_frame(out, &sim, 3));
    output_close(out);
    unbuild(&scene, &sim);

    build(&scene, &sim, scene_2d);
    CHECK_OK(output_open(&out, dir, &scene, &sim, &(OutputOptions){.threads = 2, .resume = true}));
    CHECK_OK(output_resume(out, &sim, &frame));
    assert_int_equal(frame, 2);
    assert_false(exists("surface_0003.ply"));
    run_frames(out, &sim, 3, 4);
    output_close(out);
    for (int m = 0; m < 6; m++) {
        char* got = contents(names[m]);
        if (m == 0) without_wall_time(expected[m]), without_wall_time(got);
        if (m < 3 && strcmp(got, expected[m]) != 0) fail_msg("%s differs", names[m]);
        Bytes b;
        CHECK_OK(file_read(&b, in_dir(names[m])));
        if (m >= 3) assert_memory_equal(b.data, expected[m], b.size);
        bytes_free(&b);
        free(got), free(expected[m]);
    }
    unbuild(&scene, &sim);
}

// Resuming where nothing was run, or with another scene, is refused and changes nothing.
static void test_resume_refused(void** state)
{
    (void)state;
    Scene scene, other;
    Sim sim, unused;
    Output* out;
    int frame;
    build(&scene, &sim, scene_2d);
    assert_int_equal(output_open(&out, dir, &scene, &sim, &(OutputOptions){.resume = true}), MN_BAD_CHECKPOINT);
    assert_null(out);
    CHECK_OK(output_open(&out, dir, &scene, &sim, &(OutputOptions){0}));
    run_frames(out, &sim, 0, 1);
    output_close(out);
    char* table = contents("table.csv");
    build(&other, &unused, scene_3d);
    CHECK_OK(output_open(&out, dir, &other, &sim, &(OutputOptions){.resume = true}));
    assert_int_equal(output_resume(out, &unused, &frame), MN_BAD_CHECKPOINT);
    output_close(out);
    char* after = contents("table.csv");
    assert_string_equal(table, after);
    assert_true(exists("surface_0001.ply"));
    free(table), free(after);
    unbuild(&scene, &sim);
    unbuild(&other, &unused);
}

// A full disk (files may not grow past a limit): MN_IO that names the file, no half-written frame, no half row.
static void test_full_disk(void** state)
{
    (void)state;
    Scene scene;
    Sim sim;
    Output* out;
    build(&scene, &sim, scene_2d);
    CHECK_OK(output_open(&out, dir, &scene, &sim, &(OutputOptions){0}));
    CHECK_OK(sim_step(&sim, 1e-4));
    CHECK_OK(output_step(out, &sim));
    char* before = contents("table.csv");
    struct rlimit usual, small;
    getrlimit(RLIMIT_FSIZE, &usual);
    small = (struct rlimit){strlen(before) + 20, usual.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    mn_status row = output_step(out, &sim);
    char message[300];
    snprintf(message, sizeof message, "%.299s", mn_last_error());
    mn_status frame = output_frame(out, &sim, 0), finish = output_finish(out, &sim, "finished");
    setrlimit(RLIMIT_FSIZE, &usual);
    signal(SIGXFSZ, SIG_DFL);
    assert_int_equal(row, MN_IO);
    assert_non_null(strstr(message, "table.csv: cannot be written: File too large"));
    assert_int_equal(frame, MN_IO);
    assert_int_equal(finish, MN_IO);
    assert_false(exists("surface_0000.ply") || exists("surface_0000.ply.tmp") || exists("run.json.tmp"));
    char* after = contents("table.csv");
    assert_string_equal(before, after);
    free(after);
    CHECK_OK(output_step(out, &sim));  // when there is room again, rows go on where they ended
    after = contents("table.csv");
    assert_memory_equal(before, after, strlen(before));
    assert_true(strncmp(after + strlen(before), "1,", 2) == 0);
    free(before), free(after);
    output_close(out);
    unbuild(&scene, &sim);
}

// A place where no directory can be made gives a message that names it; files of other people stay.
static void test_bad_directory(void** state)
{
    (void)state;
    Scene scene;
    Sim sim;
    Output* out;
    build(&scene, &sim, scene_2d);
    char below[PATH_ROOM];
    snprintf(below, sizeof below, "%s/file", base);
    FILE* f = fopen(below, "w");
    fclose(f);
    strcat(below, "/run");
    assert_int_equal(output_open(&out, below, &scene, &sim, &(OutputOptions){0}), MN_IO);
    assert_non_null(strstr(mn_last_error(), below));
    assert_int_equal(output_open(&out, "", &scene, &sim, &(OutputOptions){0}), MN_BAD_ARGUMENT);
    assert_int_equal(output_open(&out, "/proc/none", &scene, &sim, &(OutputOptions){0}), MN_IO);
    assert_null(out);
    CHECK_OK(directory_make(dir));
    f = fopen(in_dir("surface_0099.ply"), "w");  // no run.json here: not ours
    fclose(f);
    CHECK_OK(output_open(&out, dir, &scene, &sim, &(OutputOptions){0}));
    output_close(out);
    assert_true(exists("surface_0099.ply"));
    CHECK_OK(output_open(&out, dir, &scene, &sim, &(OutputOptions){0}));
    output_close(out);
    assert_false(exists("surface_0099.ply"));
    unbuild(&scene, &sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(test_probes, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(test_run_json, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(test_resume_leaves_same_bytes, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(test_resume_refused, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(test_full_disk, make_directory, remove_directory),
        cmocka_unit_test_setup_teardown(test_bad_directory, make_directory, remove_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The command as people use it: runs, stopped and resumed ones, and the files they leave.
#include "results.h"

// ---- run ---------------------------------------------------------------------------------------------------------------------

// A run leaves the tables with the columns that scripts rely on, a surface per frame and a run.json that says it is finished.
static void test_run_leaves_files(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("deep/o"), "--threads", "1"), 0);
    static const char* const names[] = {"table.csv",        "liquids.csv",      "probes.csv",
                                        "run.json",         "checkpoint.h5",    "checkpoint_previous.h5",
                                        "surface_0000.ply", "surface_0001.ply", "surface_0002.ply",
                                        "surface_0003.ply", "surface_0004.ply"};
    char path[64];
    for (size_t m = 0; m < sizeof names/sizeof *names; m++) {
        snprintf(path, sizeof path, "deep/o/%s", names[m]);
        if (!exists(path)) fail_msg("%s is missing", path);
    }
    assert_false(exists("deep/o/surface_0005.ply"));
    check_nothing_half_written("deep/o");
    size_t size;
    char* table = contents("deep/o/table.csv", &size);
    static const char columns[] = "step,t,dt,liquids,volume,spray_volume,outflow,ledger_error,volume_correction,kinetic_energy,"
                                  "surface_area,max_speed,iterations,residual,wall_time";
    assert_memory_equal(table, columns, strlen(columns));
    assert_true(table[strlen(columns)] == ',' || table[strlen(columns)] == '\n');
    CHECK_CLOSE(column_sum(table, "dt"), 0.008, 1e-12);  // four frames of 2 ms
    assert_true(column_sum(table, "merges") == 1);
    char steps[32];
    snprintf(steps, sizeof steps, "%d", count_lines(table) - 1);
    assert_string_equal(run_json("deep/o", "steps"), steps);
    char* liquids = contents("deep/o/liquids.csv", &size);
    static const char liquid_columns[] =
        "frame,t,id,volume,target_volume,cx,cy,cz,vx,vy,vz,xmin,ymin,zmin,xmax,ymax,zmax,area,frame_x,"
        "frame_y,frame_z,name\n";
    assert_memory_equal(liquids, liquid_columns, strlen(liquid_columns));
    char* probes = contents("deep/o/probes.csv", &size);
    assert_memory_equal(probes, "step,t,floor,top\n1,", 19);
    assert_int_equal(count_lines(probes), count_lines(table));
    assert_string_equal(run_json("deep/o", "status"), "finished");
    assert_string_equal(run_json("deep/o", "title"), "Tiny splash");
    assert_string_equal(run_json("deep/o", "frames"), "5");
    free(table), free(liquids), free(probes);
}

// Not on a terminal: a plain line per frame, on stderr. On one: the same line rewritten. --quiet: not a byte.
static void test_progress(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1"), 0);
    assert_string_equal(out, "");
    // the scheme, a line per frame, and, where steps were taken back, one about them
    assert_int_equal(count_lines(err), strstr(err, "attempts at a step") ? 6 : 5);
    assert_null(strchr(err, '\r'));
    assert_null(strchr(err, '\033'));
    assert_memory_equal(err, "surface tension: ", 17);
    const char* line = strchr(err, '\n') + 1;
    for (int frame = 1; frame <= 4; frame++, line = strchr(line, '\n') + 1) {
        char start[32];
        snprintf(start, sizeof start, "frame %d/4  t ", frame);
        assert_memory_equal(line, start, strlen(start));
    }
    static const char* const words[] = {" dt ", " iterations", "volume error ", " left "};
    for (int m = 0; m < 4; m++) CHECK_SAYS(err, words[m]);
    how.terminal = true;
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1"), 0);
    assert_int_equal(count_lines(err), strstr(err, "attempts at a step") ? 3 : 2);
    CHECK_SAYS(err, "\r\033[Kframe 4/4");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    assert_string_equal(out, "");
    assert_string_equal(err, "");
}

// --frames counts instead of the scene; a shorter run in the same folder leaves none of the longer one's frames.
// Without -o the results go to out/NAME.
static void test_frames_and_folder(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    how.here = true;
    CHECK_CODE(COMMAND("run", "a.lua", "--frames", "2", "--threads", "1"), 0);
    CHECK_SAYS(err, "frame 2/2");
    assert_true(exists("out/a/surface_0002.ply"));
    assert_false(exists("out/a/surface_0003.ply"));
    how.here = true;
    CHECK_CODE(COMMAND("run", "a.lua", "--frames", "1", "--threads", "1", "--quiet"), 0);
    assert_true(exists("out/a/surface_0001.ply"));
    assert_false(exists("out/a/surface_0002.ply"));
    assert_string_equal(run_json("out/a", "frames"), "2");
}

// The same bytes from one thread and from two, through a split by a blade, spray, and merging with the pool.
static void test_same_bytes_from_one_and_two_threads(void** state)
{
    (void)state;
    write_text("a.lua", "return scene { domain = { size = { mm(16), mm(16) }, cells = 32 }, frames = { rate = 500, count = 5 },\n"
                        "  liquids = { pool { depth = mm(2) }, sphere { center = { mm(8), mm(11.5) }, radius = mm(2), velocity = "
                        "{ 0, -1.5 } } },\n"
                        "  solids = { box { low = { mm(7.5), mm(6) }, high = { mm(8.5), mm(8.5) }, name = 'blade' } },\n"
                        "  probes = { { name = 'v', kind = 'velocity', at = { mm(8), mm(2) } } } }");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("one"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("two"), "--threads", "2", "--quiet"), 0);
    size_t size;
    char* table = contents("one/table.csv", &size);
    assert_true(count_lines(table) > 15);
    assert_true(column_sum(table, "splits") >= 1);
    assert_true(column_sum(table, "merges") >= 1);
    free(table);
    check_same_results("one", "two");
}

// Rows of liquids.csv say which liquid or source of the scene they belong to; run.json lists them.
static void test_names(void** state)
{
    (void)state;
    write_text("a.lua", "return scene { domain = { size = { mm(16), mm(16) }, cells = 32 }, frames = { rate = 500, count = 1 },\n"
                        "  liquids = { pool { depth = mm(2), name = 'the sea', material = honey } },\n"
                        "  sources = { sphere { center = { mm(8), mm(12) }, radius = mm(2), velocity = { 0, -1 }, rate = 4e-3, "
                        "name = 'tap' } },\n"
                        "  solids = { box { low = { mm(0), mm(5) }, high = { mm(3), mm(8) }, name = 'shelf' } } }");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    size_t size;
    char *liquids = contents("o/liquids.csv", &size), *json = contents("o/run.json", &size);
    CHECK_SAYS(liquids, ",name\n");
    CHECK_SAYS(liquids, ",\"the sea\"\n");
    CHECK_SAYS(liquids, ",\"tap\"\n");
    static const char* const lists[][4] = {{"liquids", "name", "the sea"},
                                           {"liquids", "material", "honey"},
                                           {"sources", "name", "tap"},
                                           {"sources", "material", "water"},
                                           {"solids", "name", "shelf"}};
    json_t* root = json_loads(json, 0, NULL);
    for (size_t m = 0; m < sizeof lists/sizeof *lists; m++) {
        const json_t* first = json_array_get(json_object_get(root, lists[m][0]), 0);
        assert_string_equal(json_string_value(json_object_get(first, lists[m][1])), lists[m][2]);
    }
    json_decref(root);
    CHECK_CODE(COMMAND("plot", in("o"), "--what", "centroid", "--out", in("p.png")), 0);
    free(liquids), free(json);
}

// ---- Ctrl-C and --resume -----------------------------------------------------------------------------------------------------

// Runs a.lua into `folder` and sends it a signal once it has printed so many lines of progress. On a busy machine the run may
// have ended before the signal comes; then it starts again.
static int run_and_send(int signal, int after_line, const char* folder)
{
    int code = 0;
    for (int go = 0; code == 0 && go < 10; go++) {
        char line[128];
        snprintf(line, sizeof line, "rm -rf '%s'", in(folder));
        assert_int_equal(system(line), 0);
        how.send = signal, how.after_line = after_line;
        code = COMMAND("run", in("a.lua"), "-o", in(folder), "--threads", "1");
    }
    return code;
}

// Ctrl-C ends with 130 and a word about --resume; the resumed run leaves the bytes of one that was never stopped.
static void test_interrupted_and_resumed(void** state)
{
    (void)state;
    write_text("a.lua", slow_splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(run_and_send(SIGINT, 1, "parts"), 130);
    CHECK_SAYS(err, "\nmeniscus: stopped at t = ");
    CHECK_SAYS(err, "--resume");
    assert_string_equal(run_json("parts", "status"), "stopped");
    check_nothing_half_written("parts");
    assert_false(exists("parts/surface_0004.ply"));
    how.send = SIGTERM, how.after_line = 1;  // a second stop, by the other signal
    int code = COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--resume");
    assert_true(code == 130 || code == 0);  // it may have been in its last frame
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--resume", "--quiet"), 0);
    assert_string_equal(err, "");
    assert_string_equal(run_json("parts", "status"), "finished");
    check_same_results("whole", "parts");
}

// A run that was killed without warning goes on from its last checkpoint, again with the same bytes.
static void test_killed_and_resumed(void** state)
{
    (void)state;
    char scene[1024];
    snprintf(scene, sizeof scene, "%s", slow_splash);
    memcpy(strstr(scene, "100 } }"), "1   ", 4);  // a checkpoint after every frame
    write_text("a.lua", scene);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(run_and_send(SIGKILL, 6, "parts"), -SIGKILL);  // warnings and the scheme come first
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--resume", "--quiet"), 0);
    check_same_results("whole", "parts");
}

// Resuming a finished run changes nothing; with more frames it goes on as one long run.
static void test_finished_and_resumed(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--threads", "1", "--quiet", "--frames", "2"), 0);
    copy_folder("twice", "parts");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("twice"), "--threads", "1", "--quiet", "--frames", "2", "--resume"), 0);
    assert_string_equal(run_json("twice", "status"), "finished");
    check_same_results("parts", "twice");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("twice"), "--threads", "1", "--quiet", "--resume"), 0);
    check_same_results("whole", "twice");
}

// A resume takes --set, --frames and --threads from run.json and says so; settings that differ are refused with a line and
// nothing is written; other threads are a word.
static void test_resume_takes_options(void** state)
{
    (void)state;
    const char* speed = strstr(splash, "-1 } }");
    char text[1200];
    snprintf(text, sizeof text, "local fast, other = option('fast', 1), option('other', 2)\n%.*s-fast%s", (int)(speed - splash),
             splash, speed + 2);
    write_text("a.lua", text);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--set", "fast=1.5", "--frames", "3", "--threads", "1", "--quiet"),
               0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--set", "fast=1.5", "--frames", "1", "--threads", "1", "--quiet"),
               0);
    copy_folder("before", "parts");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--resume", "--set", "fast=2"), 1);
    CHECK_MESSAGE("--set fast=2: the run in ");
    CHECK_SAYS(err, "began with fast=1.5, and goes on with it");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--resume", "--set", "other=2"), 1);
    CHECK_MESSAGE("began without it");
    check_same_results("before", "parts");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--resume", "--set", "fast=1.5", "--frames", "2", "--threads", "2"),
               0);
    CHECK_SAYS(err, "going on with --set fast=1.5 --frames 2 --threads 2 (it began with --threads 1)\n");
    // stopped before its frames are made, a run goes on to them
    copy_folder("parts", "before");
    size_t size;
    char* json = contents("parts/run.json", &size);
    char* frames = strstr(json, "\"frames\": 1,");
    assert_non_null(frames);
    frames[10] = '3';
    write_bytes("parts/run.json", json, size);
    free(json);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--resume"), 0);
    CHECK_SAYS(err, "going on with --set fast=1.5 --frames 3 --threads 1\n");
    check_same_results("whole", "parts");
    assert_string_equal(run_json("parts", "threads"), "1");
    // without a run.json a resume knows what it is told
    copy_folder("parts", "before");
    assert_int_equal(unlink(in("parts/run.json")), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("parts"), "--resume", "--set", "fast=1.5", "--frames", "3", "--quiet"), 0);
    check_same_results("whole", "parts");
}

// A resume that cannot be is refused: another scene, a folder without a checkpoint, no folder.
static void test_resume_refused(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    write_text("b.lua", slow_splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "1"), 0);
    copy_folder("before", "o");
    CHECK_CODE(COMMAND("run", in("b.lua"), "-o", in("o"), "--resume"), 1);
    CHECK_MESSAGE("checkpoint.h5: belongs to another scene");
    check_same_results("before", "o");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("nowhere"), "--resume"), 1);
    CHECK_MESSAGE("nowhere");
    assert_false(exists("nowhere"));
    assert_int_equal(mkdir(in("mine"), 0777), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("mine"), "--resume"), 1);
    CHECK_MESSAGE("mine: there is no checkpoint to go on from");
}

// What a refused resume finds, it leaves: run.json still tells of the run that made the folder, and no folder becomes a run.
static void test_refused_resume_writes_nothing(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    write_text("b.lua", slow_splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "1"), 0);
    assert_int_equal(mkdir(in("mine"), 0777), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("mine"), "--resume"), 1);
    CHECK_CODE(COMMAND("run", in("b.lua"), "-o", in("o"), "--resume"), 1);
    assert_string_equal(run_json("o", "title"), "Tiny splash");
    assert_string_equal(run_json("o", "status"), "finished");
    assert_int_equal(rmdir(in("mine")), 0);  // only works while it is empty
}

// A table that was cut by hand does not fit the checkpoint; put back, the run goes on.
static void test_resume_with_cut_table(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--frames", "2"), 0);
    static const char* const names[] = {"o/table.csv", "o/liquids.csv", "o/probes.csv"};
    for (int m = 0; m < 3; m++) {
        size_t size;
        char* data = contents(names[m], &size);
        write_bytes(names[m], data, size - 10);
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--resume"), 1);
        CHECK_MESSAGE("bytes, but had ");
        CHECK_SAYS(err, names[m]);
        write_bytes(names[m], data, size);
        free(data);
    }
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--resume", "--quiet"), 0);
    check_same_results("whole", "o");
}

// A checkpoint cut anywhere is refused with a message; with one before it, that is used and the results are the same.
static void test_truncated_checkpoints(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet"), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("three"), "--threads", "1", "--quiet", "--frames", "3"), 0);
    size_t size;
    char* good = contents("three/checkpoint.h5", &size);
    copy_folder("alone", "three");
    assert_int_equal(unlink(in("alone/checkpoint_previous.h5")), 0);
    unsigned seed = 12345;
    for (int m = 0; m < 20; m++) {
        seed = seed*1103515245u + 12345u;
        size_t cut = m == 0 ? 0 : m == 1 ? 512 : m == 2 ? size - 1 : (seed >> 8)%size;
        write_bytes("alone/checkpoint.h5", good, cut);
        int code = COMMAND("run", in("a.lua"), "-o", in("alone"), "--threads", "1", "--resume");
        if (code != 1) fail_msg("cut at %zu of %zu bytes: exit code %d: %s", cut, size, code, err);
        CHECK_MESSAGE("checkpoint.h5: is ");
        if (m%5 > 0) continue;
        copy_folder("pair", "three");
        write_bytes("pair/checkpoint.h5", good, cut);
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("pair"), "--threads", "1", "--resume", "--quiet"), 0);
        check_same_results("whole", "pair");
    }
    // and changed bytes
    for (int m = 0; m < 5; m++) {
        size_t at = (size_t)(m + 1)*size/6;
        good[at] ^= 16;
        write_bytes("alone/checkpoint.h5", good, size);
        good[at] ^= 16;
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("alone"), "--threads", "1", "--resume"), 1);
        CHECK_MESSAGE("checkpoint.h5: is damaged");
    }
    write_bytes("alone/checkpoint.h5", good, size);  // all of that has harmed nothing
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("alone"), "--threads", "1", "--resume", "--quiet"), 0);
    check_same_results("whole", "alone");
    free(good);
}

int main(void)
{
    command_setup();
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_run_leaves_files),
        IN_FOLDER(test_progress),
        IN_FOLDER(test_frames_and_folder),
        IN_FOLDER(test_same_bytes_from_one_and_two_threads),
        IN_FOLDER(test_names),
        IN_FOLDER(test_interrupted_and_resumed),
        IN_FOLDER(test_killed_and_resumed),
        IN_FOLDER(test_finished_and_resumed),
        IN_FOLDER(test_resume_takes_options),
        IN_FOLDER(test_resume_refused),
        IN_FOLDER(test_refused_resume_writes_nothing),
        IN_FOLDER(test_resume_with_cut_table),
        IN_FOLDER(test_truncated_checkpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

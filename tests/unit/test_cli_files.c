// What the world does to the files of a run while it goes on: closed standard files, limits, a second run, tables that change.
#include "results.h"

// ---- standard files and limits ------------------------------------------------------------------------------------------

// Closed stdin, stdout and stderr do no harm: no message ends up in a file of the run.
static void test_closed_standard_files(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("usual"), "--threads", "1", "--hash"), 0);
    how.closed = true;
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("closed"), "--threads", "1", "--hash"), 0);
    check_same_results("usual", "closed");
    check_nothing_half_written("closed");
}

// A file that may not grow (ulimit -f) ends the run with a message that names it, not with a signal, and nothing half-written.
static void test_file_limit(void** state)
{
    (void)state;
    write_text("a.lua", splash);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("usual"), "--threads", "1", "--quiet"), 0);
    static const long limits[] = {0x100, 0x800, 0x1000, 0x4000};
    for (int m = 0; m < 4; m++) {
        how.file_limit = limits[m];
        CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("full"), "--threads", "1", "--quiet"), 1);
        CHECK_MESSAGE("cannot be written: File too large");
        check_nothing_half_written("full");
    }
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("full"), "--threads", "1", "--quiet"), 0);
    check_same_results("usual", "full");
}

// ---- a run beside the test ----------------------------------------------------------------------------------------------

// A run that takes long enough to be disturbed.
static const char long_run[] =
    "return scene { title = 'Long splash', domain = { size = { mm(16), mm(16) }, cells = 16 },\n"
    "  liquids = { pool { depth = mm(4) }, sphere { center = { mm(8), mm(10.5) }, radius = mm(4), velocity = { 0, -1 } } },\n"
    "  probes = { { name = 'floor', kind = 'pressure', at = { mm(8), 0 } } }, numerics = { max_dt = 5e-6 },\n"
    "  frames = { rate = 500, count = 40, checkpoint_every = 1 } }\n";

// Starts the command on a.lua and comes back when its table has some rows. Its messages go to err.txt.
static pid_t start_run(const char* folder)
{
    static char path[300];
    snprintf(path, sizeof path, "%.200s/table.csv", folder);
    char* argv[] = {"meniscus", "run", (char*)in("a.lua"), "-o", (char*)in(folder), "--threads", "1", "--quiet", NULL};
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int to = open(in("err.txt"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(to, 2);
        execv(MN_COMMAND, argv);
        _exit(127);
    }
    double end = now() + SECONDS_PER_COMMAND;
    for (struct stat info = {0}; now() < end && (stat(in(path), &info) != 0 || info.st_size < 2000);) usleep(1000);
    return child;
}

// Exit code, or -(signal). What it said is in err.
static int wait_for(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    size_t size;
    char* said = contents("err.txt", &size);
    snprintf(err, sizeof err, "%s", said);
    out[0] = 0;
    free(said);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// ---- a second run -------------------------------------------------------------------------------------------------------

// One run at a time in a directory: a second one, new or --resume, is told who is there, and the first does not notice. A run
// that was killed stands in nobody's way.
static void test_second_run_is_refused(void** state)
{
    (void)state;
    write_text("a.lua", long_run);
    write_text("b.lua", splash);
    pid_t first = start_run("o");
    char who[64];
    snprintf(who, sizeof who, "o: a run is under way here: process %ld on ", (long)first);
    CHECK_CODE(COMMAND("run", in("b.lua"), "-o", in("o"), "--threads", "1"), 1);
    CHECK_MESSAGE(who);
    CHECK_SAYS(err, " since 20");
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--resume"), 1);
    CHECK_MESSAGE(who);
    assert_string_equal(run_json("o", "title"), "Long splash");
    assert_true(exists("o/run.lock"));
    assert_int_equal(kill(first, 0), 0);
    kill(first, SIGKILL);
    CHECK_CODE(wait_for(first), -SIGKILL);
    assert_string_equal(err, "");
    CHECK_CODE(COMMAND("run", in("b.lua"), "-o", in("o"), "--threads", "1", "--quiet"), 0);
    assert_false(exists("o/run.lock"));
    CHECK_CODE(COMMAND("run", in("b.lua"), "-o", in("usual"), "--threads", "1", "--quiet"), 0);
    check_same_results("usual", "o");
}

// ---- tables that change -------------------------------------------------------------------------------------------------

typedef void Disturbance(const char* table);

static void cut(const char* table) { assert_int_equal(truncate(in(table), 100), 0); }
static void take_away(const char* table) { assert_int_equal(unlink(in(table)), 0); }
static void replace(const char* table)
{
    size_t size;
    char* data = contents(table, &size);
    write_bytes("other", data, size);
    assert_int_equal(rename(in("other"), in(table)), 0);
    free(data);
}

// A table that is cut, replaced or removed under a run ends it with one line; the state is saved, and what is saved fits the rows
// that were written: with the table put back the run goes on and leaves the bytes of one that was left alone.
static void check_disturbed(Disturbance* disturb, const char* table, const char* words)
{
    char path[64];
    snprintf(path, sizeof path, "o/%s", table);
    pid_t child = start_run("o");
    assert_int_equal(link(in(path), in("kept")), 0);  // the file itself, which grows on
    disturb(path);
    CHECK_CODE(wait_for(child), 1);
    CHECK_MESSAGE(words);
    CHECK_SAYS(err, table);
    CHECK_SAYS(err, "is saved: --resume goes on from there");
    assert_false(exists("o/run.lock"));
}

// One frame more than the run had when it ended.
static void check_goes_on(const char* table)
{
    char path[64], frames[16];
    snprintf(path, sizeof path, "o/%s", table);
    snprintf(frames, sizeof frames, "%.8s", run_json("o", "frames"));
    assert_int_equal(rename(in("kept"), in(path)), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("o"), "--threads", "1", "--quiet", "--resume", "--frames", frames), 0);
    CHECK_CODE(COMMAND("run", in("a.lua"), "-o", in("whole"), "--threads", "1", "--quiet", "--frames", frames), 0);
    check_same_results("whole", "o");
}

static void test_table_replaced(void** state)
{
    (void)state;
    write_text("a.lua", long_run);
    check_disturbed(replace, "table.csv", "was replaced by another program while the run goes on");
    check_goes_on("table.csv");
}

static void test_table_cut(void** state)
{
    (void)state;
    write_text("a.lua", long_run);
    check_disturbed(cut, "probes.csv", "was changed by another program while the run goes on: it has 100 bytes instead of ");
}

static void test_table_removed(void** state)
{
    (void)state;
    write_text("a.lua", long_run);
    check_disturbed(take_away, "liquids.csv", "is gone: No such file or directory");
    check_goes_on("liquids.csv");
}

int main(void)
{
    command_setup();
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_closed_standard_files), IN_FOLDER(test_file_limit), IN_FOLDER(test_second_run_is_refused),
        IN_FOLDER(test_table_replaced),        IN_FOLDER(test_table_cut),  IN_FOLDER(test_table_removed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

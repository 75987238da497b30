// A power cut at any moment leaves a run that goes on to the same bytes: whatever a disk may have kept of what was written.
#include "results.h"
#include "disklog.h"
#include "meniscus.h"

static mn_status run(const char* folder, int frames, bool resume)
{
    return mn_run(
        &(mn_run_options){.scene = in("a.lua"), .directory = in(folder), .frames = frames, .threads = 1, .resume = resume});
}

static void run_well(const char* folder, int frames, bool resume)
{
    mn_status status = run(folder, frames, resume);
    if (status != MN_OK) fail_msg("the run in %s: %s", folder, mn_last_error());
}

// After this many events the first checkpoint that the log tells of is safe: its name and the folder's sync are behind it.
static int first_safe_checkpoint(int begin)
{
    bool named = false;
    for (int m = begin; m < disk.events; m++) {
        const DiskEvent* e = &disk.event[m];
        named = named || (e->deed == DISK_RENAME && strcmp(e->other, "checkpoint.h5") == 0);
        if (named && e->deed == DISK_SYNC_NAMES) return m + 1;
    }
    fail_msg("the log tells of no checkpoint");
    return 0;
}

// The log is whole: what it says is what is in the folder.
static void check_log(const char* folder)
{
    disklog_cut("state", disk.events, BYTES_THERE, NAMES_THERE, 0);
    char line[1200];
    snprintf(line, sizeof line, "diff -r '%s' '%s'", in(folder), in("state"));
    assert_int_equal(system(line), 0);
}

typedef struct Tally {
    int states, resumed, refused;
    uint64_t seen[8192];
} Tally;

static bool is_new(Tally* t, uint64_t state)
{
    for (int m = 0; m < t->states; m++)
        if (t->seen[m] == state) return false;
    assert_true(t->states < 8192);
    t->seen[t->states++] = state;
    return true;
}

// One state after a cut: the run goes on to the same bytes, or, before there can be a checkpoint, is refused.
static void check_state(Tally* t, int count, DiskBytes bytes, DiskNames names, bool must)
{
    unsigned seed = (unsigned)count*2654435761u;
    if (!is_new(t, disklog_cut("state", count, bytes, names, seed))) return;
    mn_status status = run("state", 0, true);
    if (status == MN_BAD_CHECKPOINT && !must) {
        t->refused++;
        return;
    }
    if (status != MN_OK)
        fail_msg("cut after %d of %d events, bytes %d, names %d: %s", count, disk.events, (int)bytes, (int)names,
                 mn_last_error());
    t->resumed++;
    check_same_results("whole", "state");
}

// Rows are many and alike: of the states between two of them some are looked at, of all others all.
static bool is_looked_at(int count)
{
    const DiskEvent* e = &disk.event[count - 1];
    return e->deed != DISK_WRITE || count%11 == 0;
}

// All cuts from event `begin` on; from `safe` on a resume must succeed.
static void check_cuts(int begin, int safe)
{
    static Tally t;
    t = (Tally){0};
    for (int count = begin; count <= disk.events; count++) {
        if (!is_looked_at(count)) continue;
        check_state(&t, count, BYTES_LOST, NAMES_LOST, count >= safe);
        check_state(&t, count, BYTES_LOST, NAMES_THERE, count >= safe);
        check_state(&t, count, BYTES_THERE, NAMES_THERE, count >= safe);
        check_state(&t, count, (DiskBytes)(count/2%BYTES_WAYS), count%2 ? NAMES_SOME : NAMES_FIRST, count >= safe);
    }
    print_message("%d events, %d states: %d resumed, %d refused\n", disk.events - begin, t.states, t.resumed, t.refused);
    assert_true(t.resumed > 20);
}

// A run from the start. What was not there before is there, also in the folder above.
static void test_cut_in_a_new_run(void** state)
{
    (void)state;
    write_text("a.lua", some_of_all);
    run_well("whole", 0, false);
    int begin = disklog_start("o");
    run_well("o", 0, false);
    disklog_stop();
    assert_true(disk.parent_synced);
    check_log("o");
    check_cuts(begin, first_safe_checkpoint(begin));
}

// A run that goes on: there is a checkpoint from the start, so it is never refused.
static void test_cut_in_a_resumed_run(void** state)
{
    (void)state;
    write_text("a.lua", some_of_all);
    run_well("whole", 0, false);
    run_well("o", 1, false);
    int begin = disklog_start("o");
    run_well("o", 0, true);
    disklog_stop();
    check_log("o");
    check_cuts(begin, begin);
}

// A new run over an earlier one of the same scene: no checkpoint of the earlier one outlives its tables and frames.
static void test_cut_in_a_second_run(void** state)
{
    (void)state;
    write_text("a.lua", some_of_all);
    run_well("whole", 0, false);
    copy_folder("o", "whole");
    int begin = disklog_start("o");
    run_well("o", 0, false);
    disklog_stop();
    check_log("o");
    check_cuts(begin, first_safe_checkpoint(begin));
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_MEMORY(test_cut_in_a_new_run), IN_MEMORY(test_cut_in_a_resumed_run),
                                       IN_MEMORY(test_cut_in_a_second_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

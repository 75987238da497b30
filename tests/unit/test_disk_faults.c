// A disk that fails, at any call, costs no byte: the run ends with a message, leaves nothing half-written, and goes on to the
// same results once there is room again.
#include "results.h"
#include "diskfault.h"
#include "meniscus.h"

static mn_status run(const char* folder, bool resume)
{
    return mn_run(&(mn_run_options){.scene = in("a.lua"), .directory = in(folder), .threads = 1, .resume = resume});
}

// The run again, from its checkpoint or, where there is none yet, from the start.
static void go_on(long at)
{
    mn_status status = run("o", true);
    if (status == MN_BAD_CHECKPOINT) status = run("o", false);
    if (status != MN_OK) fail_msg("after a fault at call %ld the run does not go on: %s", at, mn_last_error());
    check_same_results("whole", "o");
}

// Every `every`-th call fails once.
static void check_faults(DiskFault fault, int every)
{
    write_text("a.lua", some_of_all);
    assert_int_equal(run("whole", false), MN_OK);
    empty_folder("o");
    diskfault_start((DiskFault){.at = -1});
    assert_int_equal(run("o", false), MN_OK);
    diskfault_stop();
    long calls = faulty.calls;
    int failed = 0, unharmed = 0;
    for (fault.at = 0; fault.at < calls; fault.at += every) {
        empty_folder("o");
        diskfault_start(fault);
        mn_status status = run("o", false);
        diskfault_stop();
        assert_true(faulty.failed > 0);
        if (status == MN_OK) {
            unharmed++;
            check_same_results("whole", "o");
            continue;
        }
        failed++;
        if (status != MN_IO) fail_msg("call %ld: %s", fault.at, mn_last_error());
        if (!strchr(mn_last_error(), '/')) fail_msg("call %ld: no file is named: %s", fault.at, mn_last_error());
        check_nothing_half_written("o");
        go_on(fault.at);
    }
    print_message("%ld calls: %d faults end a run, %d do no harm\n", calls, failed, unharmed);
    assert_true(failed > 20);
}

static void test_full_disk(void** state)
{
    (void)state;
    check_faults((DiskFault){.error = ENOSPC, .stays = true, .partly = true}, 2);
}

static void test_one_error(void** state)
{
    (void)state;
    check_faults((DiskFault){.error = EIO}, 2);
}

static void test_short_write(void** state)
{
    (void)state;
    check_faults((DiskFault){.error = EIO, .partly = true}, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {IN_MEMORY(test_full_disk), IN_MEMORY(test_one_error), IN_MEMORY(test_short_write)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

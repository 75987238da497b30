#include "base/budget.h"

#include <math.h>
#include <time.h>

static _Thread_local Budget now;

static double read_clock(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

static double processor_time(void) { return read_clock(CLOCK_THREAD_CPUTIME_ID); }

Budget budget_enter(double seconds)
{
    Budget before = now;
    if (!isfinite(seconds)) return before;
    double deadline = processor_time() + seconds;
    now = (Budget){.limited = true, .deadline = deadline, .seconds = seconds};
    if (before.limited && before.deadline < deadline) now.deadline = before.deadline, now.seconds = before.seconds;
    now.spent = before.spent;
    return before;
}

void budget_leave(Budget before) { now = before; }

void budget_extend(double seconds)
{
    now.deadline += seconds;
    now.seconds += seconds;
}

double budget_left(void) { return now.limited ? fmax(now.deadline - processor_time(), 0) : INFINITY; }

// The wall clock costs a tenth of the other, and no thread gets more processor time than it shows.
bool budget_is_spent(void)
{
    if (!now.limited || now.spent) return now.spent;
    double wall = read_clock(CLOCK_MONOTONIC);
    if (wall - now.looked < 1e-3) return false;
    now.looked = wall;
    now.spent = processor_time() >= now.deadline;
    return now.spent;
}

mn_status budget_check(const char* what)
{
    if (!budget_is_spent()) return MN_OK;
    return mn_fail(MN_BAD_SCENE, "%s: takes more than %.3g s to read; is it far too large?", what, now.seconds);
}

// How long this thread may work on what a stranger has written: a scene, the meshes it names, what is made of them. The limit
// is processor time, so that a busy machine refuses no more than an idle one. Whoever accepts the work enters a budget; whoever
// loops over something that the stranger has counted asks whether it is spent and ends. Without a budget nothing is limited.
#pragma once
#include <stdbool.h>
#include "base/status.h"

// What a thread may still do. All zeros: no limit.
typedef struct Budget {
    bool limited;
    double deadline;  // s, on the clock of this thread's processor time
    double seconds;   // what was given, for messages
    bool spent;
    double looked;  // s, wall clock: when the deadline was last compared
} Budget;

// From now on at most `seconds`, and never more than the budget that holds already. Returns that one, for budget_leave.
Budget budget_enter(double seconds);
void budget_leave(Budget before);
void budget_extend(double seconds);  // the present one, if there is one: larger files may take longer
double budget_left(void);            // s; INFINITY without a budget. Threads that help enter what is left

// Has the budget run out? Once it has, it stays so until budget_leave. Some 30 ns.
bool budget_is_spent(void);
// MN_OK, or MN_BAD_SCENE with "what: takes more than ... s to read".
mn_status budget_check(const char* what);

// What the files of the simulation half of the public interface share.
#pragma once
#include <stdatomic.h>
#include "api/moment.h"
#include "base/status.h"
#include "scene/scene_sim.h"

struct mn_sim {
    Scene scene;
    Sim sim;
    Moment* moment;  // of the present state; NULL: nothing has been borrowed or held of it yet
    int threads;     // 0: the caller's
    bool (*progress)(void* user, const mn_progress* progress);
    void* user;
    atomic_bool cancelled;
    bool stepping;  // a call that steps is under way: what a callback asks for must not change anything
};

// The first lines of every call: is there a simulation, and all that is needed? `call` is its name.
#define NEED(condition, call)                                                                                                    \
    do {                                                                                                                         \
        if (!(condition)) return mn_fail(MN_BAD_ARGUMENT, "%s: %s is missing or NULL", call, #condition);                        \
    } while (0)

// Before anything of the simulation changes: what has been borrowed is no more, what is held is set apart. MN_BAD_ARGUMENT while a
// step is under way, MN_NO_MEMORY.
mn_status sim_changes(mn_sim* s, const char* call);
bool numbers_are_finite(const double* v, int count);

// Seconds spent per stage of a step.
#pragma once
#include <time.h>

typedef enum Stage {
    STAGE_ADVECT,
    STAGE_SOLIDS,
    STAGE_REDISTANCE,
    STAGE_TOPOLOGY,
    STAGE_VOLUME,
    STAGE_VISCOSITY,
    STAGE_BUILD,
    STAGE_SOLVE,
    STAGE_EXTRAPOLATE,
    STAGE_SAVE_STATE,
    STAGE_COUNT
} Stage;

static inline double timer_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

typedef struct StageTimes {
    double seconds[STAGE_COUNT];
    double since;  // start of the stage under way
} StageTimes;

static inline void stage_start(StageTimes* t) { t->since = timer_now(); }
// Books the time since the last call on `stage`.
static inline void stage_end(StageTimes* t, Stage stage)
{
    double now = timer_now();
    t->seconds[stage] += now - t->since;
    t->since = now;
}

const char* stage_name(Stage stage);

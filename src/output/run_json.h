// run.json: what was run, by what, on what, and how long it took.
#pragma once
#include "output/files.h"
#include "scene/scene.h"
#include "scene/warnings.h"
#include "step/sim.h"

typedef struct RunState {
    const char* const* settings;      // given by --set, NULL-ended; may be NULL
    int frames_given, threads_given;  // 0: not given
    const char* status;               // "running", "finished", "stopped" or "failed: ..."
    const char* started;              // ISO 8601
    int threads;
    int frames;                // written so far
    double wall_seconds;       // of all sessions of this run
    const char* tension;       // the scheme of the session's first step, and why; "" before it is known
    const Warnings* warnings;  // about the scene; NULL before they are known
} RunState;

// `sim` may be NULL before the first step.
mn_status run_json_write(const char* path, const Scene* scene, const Sim* sim, const RunState* run);

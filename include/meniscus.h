// meniscus: small liquids, where surface tension, thin air films and thin solids rule.
// The whole public interface of libmeniscus. SI units everywhere; y is up.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// What the library shows to programs that link it; all else in it is hidden.
#ifdef __GNUC__
#define MN_API __attribute__((visibility("default")))
#else
#define MN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mn_status {
    MN_OK = 0,
    MN_NO_MEMORY,       // an allocation failed
    MN_BAD_SCENE,       // the scene file is wrong; the message names file, line and key
    MN_BAD_MESH,        // a mesh file is wrong
    MN_BAD_ARGUMENT,    // a caller's argument or a command-line option is wrong
    MN_BAD_CHECKPOINT,  // a checkpoint is damaged or belongs to another scene
    MN_IO,              // reading or writing a file failed (missing, not writable, disk full)
    MN_NO_CONVERGENCE,  // a solve stalled
    MN_STEP_FAILED,     // a step failed at its smallest size; the state before it is intact
    MN_STOPPED,         // a callback asked to stop
    MN_UNSUPPORTED      // asked for something this version does not do
} mn_status;

// What went wrong, in one line, for the last call of this thread that did not return MN_OK.
MN_API const char* mn_last_error(void);
MN_API const char* mn_version(void);

// ---- a whole run, as `meniscus run` does it --------------------------------------------------------------------------------

// Where a run is, after each step.
typedef struct mn_progress {
    int frame, frames;  // frames written so far, frames in all
    bool frame_done;    // this step ended a frame
    long step;
    double time, dt;           // s
    int iterations;            // of the pressure solve
    double volume_correction;  // relative, measured before it was applied
    double ledger_error;       // relative
    int liquids, droplets;
    double wall_seconds;  // since this call of mn_run
    double seconds_left;  // estimate; < 0 while there is none
    // Of everything that goes into a checkpoint, with mn_run_options.hash at the end of a frame; else 0. The same for any
    // number of threads and after any number of resumes, with one build on one kind of processor.
    unsigned long long hash;
} mn_progress;

typedef struct mn_run_options {
    const char* scene;      // path of the scene file
    const char* directory;  // where results go
    int frames;             // > 0: instead of the scene's own number
    int threads;            // 0: all processors
    // Options of the scene, "name=value" each, NULL-ended, as in --set name=value. May be NULL.
    const char* const* settings;
    bool resume;  // go on from the last checkpoint in `directory`
    bool hash;    // fill mn_progress.hash
    // The scene may include and name files (meshes, caches) outside its own folder. Scenes of others should not.
    bool allow_outside;
    // Called after every step; returning false ends the run after a checkpoint with MN_STOPPED. May be NULL.
    bool (*progress)(void* user, const mn_progress* progress);
    void* user;
    // Called with lines about the run: before its first step "warning: ..." for each doubt about the scene, then how surface
    // tension acts; after its last one how many steps were taken back, if any were. May be NULL.
    void (*tell)(void* user, const char* line);
} mn_run_options;

MN_API mn_status mn_run(const mn_run_options* options);

// ---- a simulation in memory ------------------------------------------------------------------------------------------------

typedef struct mn_sim mn_sim;  // not for two threads at once

MN_API mn_status mn_sim_open(mn_sim** sim, const char* scene_path);
// settings: as in mn_run_options
MN_API mn_status mn_sim_open_set(mn_sim** sim, const char* scene_path, const char* const* settings);
// What a simulation is opened with; all but `scene` may be left zero. The names mean what they mean in mn_run_options.
typedef struct mn_sim_options {
    const char* scene;
    const char* const* settings;
    bool allow_outside;
} mn_sim_options;
MN_API mn_status mn_sim_open_with(mn_sim** sim, const mn_sim_options* options);
MN_API void mn_sim_close(mn_sim* sim);                      // fine on NULL
MN_API mn_status mn_sim_step(mn_sim* sim, double limit);    // one step of at most `limit` seconds
MN_API mn_status mn_sim_advance(mn_sim* sim, double time);  // steps until exactly `time`
MN_API double mn_sim_time(const mn_sim* sim);
MN_API int mn_sim_dimensions(const mn_sim* sim);  // 2 or 3

// One liquid: integrals over it. m = 0 .. mn_sim_liquids - 1; ids stay with a liquid, m does not.
typedef struct mn_liquid {
    int id;
    double volume, target_volume;  // m^3 (2D: m^2)
    double center[3];              // m
    double velocity[3];            // m/s, volume mean
    double surface_area;           // m^2 (2D: m)
    double kinetic_energy;         // J (2D: J/m)
} mn_liquid;

MN_API int mn_sim_liquids(const mn_sim* sim);
MN_API mn_status mn_sim_liquid(mn_sim* sim, int m, mn_liquid* liquid);
MN_API double mn_sim_ledger_error(const mn_sim* sim);

#ifdef __cplusplus
}
#endif

// meniscus: small liquids, where surface tension, thin air films and thin solids rule.
// The whole public interface of libmeniscus. SI units everywhere; y is up. In 2D z is 0 and everything is per metre of depth.
//
// Calls that return mn_status leave what they were to fill alone when they fail, and mn_last_error() says why. NULL where something
// is needed, an index that is not there or a number that is not finite give MN_BAD_ARGUMENT; calls that return a number give 0 then.
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
    MN_STOPPED,         // a callback or mn_sim_cancel asked to stop
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
    // Called with lines about the run: before its first step "scene: ..." with what the scene prints, "warning: ..." for each doubt about it, then how surface
    // tension acts; after its last one how many steps were taken back, if any were. May be NULL.
    void (*tell)(void* user, const char* line);
} mn_run_options;

MN_API mn_status mn_run(const mn_run_options* options);

// ---- a simulation in memory ------------------------------------------------------------------------------------------------

// A simulation belongs to whoever opened it. One simulation is not for two threads at once (mn_sim_cancel apart); several
// simulations may run at the same time, each in a thread of its own.
typedef struct mn_sim mn_sim;

// What a simulation is opened with; zeros are fine but for one of `scene` and `text`. All of it is copied but `user`.
typedef struct mn_sim_options {
    const char* scene;  // path of the scene file; with `text` a name for messages, in whose folder the scene looks for its files
    const char* const* settings;  // as in mn_run_options
    bool allow_outside;           // as in mn_run_options
    const char* text;             // the scene itself, in place of a file
    int threads;                  // of every call that computes; 0: as OpenMP has it in the calling thread; at most 1024
    // Called after every step of mn_sim_step and mn_sim_advance, from the thread that called them; returning false ends the call
    // with MN_STOPPED and that step done. It may ask the simulation for anything but must not change it (MN_BAD_ARGUMENT). In
    // mn_progress frame, frames, frame_done and hash are 0; the wall clock is that of the call. May be NULL.
    bool (*progress)(void* user, const mn_progress* progress);
    void* user;
} mn_sim_options;

// Opens a scene at time 0. *sim is NULL on failure: MN_BAD_SCENE, MN_BAD_MESH, MN_IO, MN_NO_MEMORY, MN_BAD_ARGUMENT and what a
// first solve may return. The other two are shorthand.
MN_API mn_status mn_sim_open_with(mn_sim** sim, const mn_sim_options* options);
MN_API mn_status mn_sim_open(mn_sim** sim, const char* scene_path);
MN_API mn_status mn_sim_open_set(mn_sim** sim, const char* scene_path, const char* const* settings);
MN_API void mn_sim_close(mn_sim* sim);  // fine on NULL

// One step of at most `limit` seconds (> 0); and steps until the clock shows exactly `time` (s), none if it has passed. On failure
// (MN_STEP_FAILED, MN_NO_CONVERGENCE, MN_BAD_SCENE of a function of the scene, MN_NO_MEMORY) the simulation is as before the step
// that failed and may be used on. MN_STOPPED: as said above.
MN_API mn_status mn_sim_step(mn_sim* sim, double limit);
MN_API mn_status mn_sim_advance(mn_sim* sim, double time);
// From any thread or a signal handler: the call under way ends after its present step with MN_STOPPED; if none is, the next
// mn_sim_step or mn_sim_advance does, after its first step. Answered once. The simulation must not be closed meanwhile.
MN_API void mn_sim_cancel(mn_sim* sim);

MN_API double mn_sim_time(const mn_sim* sim);     // s
MN_API long mn_sim_steps(const mn_sim* sim);      // made so far, those before a saved state included
MN_API int mn_sim_dimensions(const mn_sim* sim);  // 2 or 3
// The tank: its corner is at 0, its size in m (z: 0 in 2D), its cells have edges of *dx m. Each may be NULL.
MN_API mn_status mn_sim_tank(const mn_sim* sim, double size[3], int cells[3], double* dx);
// (volumes + spray + outflow - input)/input: what liquid was lost, relative.
MN_API double mn_sim_ledger_error(const mn_sim* sim);
// One number for all that survives a step: equal for equal states, whatever the number of threads.
MN_API unsigned long long mn_sim_hash(mn_sim* sim);

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
// What the scene calls the liquid or source that liquid m comes from; borrowed until the simulation is closed. NULL: no such m.
MN_API const char* mn_sim_liquid_name(const mn_sim* sim, int m);

// ---- borrowed arrays -------------------------------------------------------------------------------------------------------

// Arrays and texts of a simulation are borrowed: they are valid, and do not change, until a call that changes the simulation
// (step, advance, load, set_body, close). Whoever needs them longer holds them: from mn_sim_hold to mn_release all that was or
// will be borrowed of this moment stays as it is, even when the simulation is closed. Nothing is copied unless the simulation is
// changed while a field is held. Layers and numbers are computed when first asked for at a moment.
typedef struct mn_hold mn_hold;
MN_API mn_status mn_sim_hold(mn_sim* sim, mn_hold** hold);  // as many as wanted
MN_API void mn_release(mn_hold* hold);                      // from any thread; fine on NULL

// Numbers of one liquid on the grid, as the simulation has them; no copy. Value (i, j, k) is
// data[i*stride[0] + j*stride[1] + k*stride[2]] and belongs to the place origin + spacing*(i, j, k).
// Known in the liquid and in a band of 5 cells about its surface; past the band `distance` is the width of the band or more, and
// the others are whatever was left there.
typedef enum mn_quantity {
    MN_DISTANCE,    // m, < 0 in the liquid, past solids too: on the corners of cells
    MN_VELOCITY_X,  // m/s, on the faces of cells across x
    MN_VELOCITY_Y,
    MN_VELOCITY_Z,  // 3D
    MN_PRESSURE     // Pa above the air, at the centres of cells
} mn_quantity;

typedef struct mn_field {
    const double* data;
    int size[3];          // values along x, y, z; 1 along z in 2D
    ptrdiff_t stride[3];  // in values
    double origin[3];     // m
    double spacing;       // m
} mn_field;

MN_API mn_status mn_sim_field(mn_sim* sim, int m, mn_quantity what, mn_field* field);  // of liquid m

// What a frame of a run holds, as docs/output.md tells it: "surface" of all liquids, "spray", "solid_NAME", ... by name. Those that
// have nothing to show at a moment are not there.
typedef struct mn_layer {
    const char* name;
    int corners;  // 1: points; 2: edges; 3: triangles, counterclockwise seen from outside
    int points, elements;
    const float* position;  // m, 3 per point
    const int* element;     // `corners` points per element; NULL for points
    int attributes;
} mn_layer;

// Numbers on the points or elements of a layer: "velocity" (m/s), "normal", "liquid" (its id), "radius" (m) and others.
typedef struct mn_attribute {
    const char* name;
    int lanes;          // numbers per point or element: 1 or 3
    bool on_elements;   // false: on points
    const float* real;  // one of the two is NULL
    const int* whole;
} mn_attribute;

MN_API mn_status mn_sim_layers(mn_sim* sim, int* count);
MN_API mn_status mn_sim_layer(mn_sim* sim, int n, mn_layer* layer);
MN_API mn_status mn_sim_attribute(mn_sim* sim, int n, int a, mn_attribute* attribute);  // number a of layer n

// A row of table.csv as numbers: names and units as in docs/output.md; `wall_time` is 0.
MN_API mn_status mn_sim_numbers(mn_sim* sim, int* count, const char* const** names, const double** values);

// ---- probes ----------------------------------------------------------------------------------------------------------------

typedef enum mn_probe_kind {
    MN_PROBE_PRESSURE,  // Pa above the air; 0 outside the liquids
    MN_PROBE_VELOCITY,  // m/s, three numbers; NaN outside the liquids
    MN_PROBE_HEIGHT     // m: y of the topmost surface above or below the point; NaN: there is none
} mn_probe_kind;

// Measures at `count` points (m); values has one number per point, three for velocity.
MN_API mn_status mn_sim_measure(mn_sim* sim, mn_probe_kind what, size_t count, const double (*points)[3], double* values);

// The probes that the scene names.
typedef struct mn_probe {
    const char* name;  // borrowed until the simulation is closed
    mn_probe_kind kind;
    double place[3];  // m
    double value[3];  // velocity: all three
} mn_probe;

MN_API int mn_sim_probes(const mn_sim* sim);
MN_API mn_status mn_sim_probe(mn_sim* sim, int n, mn_probe* probe);

// ---- bodies ----------------------------------------------------------------------------------------------------------------

// Bodies that the liquid moves, in the order of bodies.csv. Forces in N (2D: N/m), torques in N m about the centre of mass.
typedef struct mn_body {
    const char* name;                // borrowed until the simulation is closed
    double mass;                     // kg (2D: kg/m)
    double center[3];                // m, of mass
    double rotation[4];              // quaternion w x y z from how the scene gives the body, w >= 0
    double velocity[3], spin[3];     // m/s, rad/s
    double pressure[6], tension[6];  // force and torque of the liquid and of its surface in the last step
    double friction[6];
    int contacts;  // with walls, solids and other bodies in the last step
} mn_body;

MN_API int mn_sim_bodies(const mn_sim* sim);
MN_API mn_status mn_sim_body(mn_sim* sim, int b, mn_body* body);
// Puts a body somewhere else and gives it a velocity; what is NULL stays. In 2D bodies turn about z and move in x and y. A body with
// joints goes where they let it, MN_UNSUPPORTED if that is not there; velocities are those nearest to what is asked for. Liquid that
// was in the body's new place is pushed aside by the next steps, and what it left is filled: short ways, or through air, are best.
MN_API mn_status mn_sim_set_body(mn_sim* sim, int b, const double center[3], const double rotation[4], const double velocity[3],
                                 const double spin[3]);
// A force and a torque, beside all others, in every step from now on, until told otherwise; NULL: none.
MN_API mn_status mn_sim_force_body(mn_sim* sim, int b, const double force[3], const double torque[3]);
// A push: an impulse in N s at a point (m) of space (NULL: the centre of mass), given over the next step. Several add up.
MN_API mn_status mn_sim_push_body(mn_sim* sim, int b, const double impulse[3], const double point[3]);

// ---- steering --------------------------------------------------------------------------------------------------------------

MN_API mn_status mn_sim_gravity(const mn_sim* sim, double gravity[3]);  // m/s^2
MN_API mn_status mn_sim_set_gravity(mn_sim* sim, const double gravity[3]);
// Changes a number of the scene's `numerics` from the next step on, by "name=value" as docs/scenes.md has them: cfl (0 to 3),
// tolerance (0 to 1), max_dt (s, > 0, inf), slip and unilateral (true, false).
MN_API mn_status mn_sim_set(mn_sim* sim, const char* setting);

// ---- saving and loading ----------------------------------------------------------------------------------------------------

// All that survives a step, as bytes; *bytes is the caller's, for mn_free. What was changed by the calls above (gravity, settings,
// forces) is not in it. MN_NO_MEMORY, or MN_STEP_FAILED if a number of the state is not finite.
MN_API mn_status mn_sim_save(mn_sim* sim, void** bytes, size_t* size);
// Back to a saved state of a simulation that was opened with the same scene and settings, in this process or another. From there the
// same steps give the same state, to the last bit, for any number of threads. MN_BAD_CHECKPOINT: damaged, or of another scene; the
// simulation is as it was.
MN_API mn_status mn_sim_load(mn_sim* sim, const void* bytes, size_t size);
MN_API void mn_free(void* bytes);  // fine on NULL

#ifdef __cplusplus
}
#endif

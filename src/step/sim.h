// A simulation: everything that survives a step.
#pragma once
#include "base/arena.h"
#include "base/timer.h"
#include "film/film_merge.h"
#include "film/film_record.h"
#include "film/film_volume.h"
#include "grid/advect.h"
#include "liquid/liquid.h"
#include "liquid/spray.h"

typedef struct Source {
    char name[64];
    double (*distance)(const void* shape, const double x[3]);
    const void* shape;       // borrowed
    double low[3], high[3];  // bounds of the shape, m
    double velocity[3];      // m/s
    double rate;             // m^3/s
    double start, stop;      // s
    int kind;                // of the liquid it makes
    LiquidMaterial material;
} Source;

// How tension acts (docs/tension.md).
typedef enum TensionScheme {
    TENSION_AUTO,      // explicit in steps that allow it, else split or implicit (tension_splits)
    TENSION_EXPLICIT,  // sigma kappa on the surface; dt at most 2 capillary times
    TENSION_IMPLICIT,  // sigma kappa less what the surface gives way to within the step; any dt
    TENSION_CSF,       // a force on a band under the surface, smoothed; for comparison; any dt
    TENSION_SPLIT,     // cycles of tension alone within a step of the flow; dt at most 16 times the explicit one
} TensionScheme;

typedef enum SplitVariant {
    SPLIT_FROZEN,  // ours: cycles on the frozen surface, projected (tension_split.c)
    SPLIT_PAPER,   // as printed: a band force, not projected (tension_paper.c)
} SplitVariant;

typedef struct TensionSettings {
    TensionScheme scheme;
    double theta;       // implicit, csf: 1/2 .. 1; 0 = the default
    double most_steps;  // all but explicit: longest step in capillary times; 0 = the default
    SplitVariant variant;
    int cycles;                       // split: in every step; 0 = as many as the step needs
    double band;                      // csf, split as printed: cells the force is spread over; 0 = 3
    bool balance, provisional, mean;  // switches of the paper's variant
} TensionSettings;

typedef struct SimSettings {
    double gravity[3];  // m/s^2
    double cfl;         // cells a step may move
    double tolerance;   // of the pressure solve
    double max_dt;      // s
    Advection advection;
    PressureKind op;
    TensionSettings tension;
    ContactAngle wall_angle;  // of the tank
    bool slip;                // viscous liquids slip along walls and solids; false: they stick
    double spray_cells;       // parts smaller than this many cells become spray
    FilmSettings film;        // of air between liquids that do not merge on touch (docs/film.md)
    double hamaker;           // J, of the liquids across air, for MERGE_VDW
} SimSettings;

// The volume ledger, m^3: input = liquids + spray + outflow, always.
typedef struct Ledger {
    double input;    // what the scene started with and what sources added
    double outflow;  // what left through open sides
} Ledger;

// What scenes give as functions of time.
typedef struct TimeFunctions {
    mn_status (*acceleration)(double a[3], void* user, double t);  // of the box, m/s^2; NULL: none
    mn_status (*position)(double x[3], void* user, double t);  // of the box in the laboratory, m, for the tables; NULL: it stands
    mn_status (*pose)(Pose* pose, void* user, int solid, double t);  // NULL: nothing moves
    // Surface tension at a place, N/m, of every liquid that has any; NULL: the constant of its material.
    mn_status (*sigma)(double* sigma, void* user, const double x[3]);
    void* user;
} TimeFunctions;

// The air films of a step; all zeros without any.
typedef struct FilmReport {
    int cells, lost, repeats;
    double area;                           // m^2 (2D: m)
    double volume;                         // m^3, of air in them
    double least_thickness;                // m
    double most_pressure, least_pressure;  // Pa above the air
    double repaired;                       // m, most that liquids were moved apart to keep the film open
    double removed;                        // m^3, volume that took, given back elsewhere
    double momentum_error;                 // m/s: most that a free liquid's mean velocity was corrected by
    double seconds;                        // wall clock: gap repair, ridge, links, assembly, factorisation; not the iteration
} FilmReport;

typedef struct StepReport {
    double dt;
    bool film_limits;          // a film that closes fast kept the step short
    double free_dt;            // s, length of the step as flow and tension alone would have it
    int retries;               // times the step was undone and halved
    int iterations;            // most of any liquid
    double residual;           // worst
    double volume_correction;  // worst |volume - target|/target before it was corrected
    double max_speed;          // m/s after the step
    int splits, merges, sprayed, rejoined;
    long unknowns;
    int viscous_iterations;  // most of any liquid
    FilmReport film;
} StepReport;

// What a step only reads: the tank, settings, materials and functions of time.
typedef struct Model {
    Tank tank;
    SimSettings settings;
    MergeTable merge;  // owned: between kinds of liquid
    Source* source;    // owned
    int source_count;
    TimeFunctions functions;
} Model;

// What survives a step and goes into a checkpoint.
typedef struct World {
    double time;  // s
    long step;
    Liquid* liquid;  // owned
    int liquid_count, liquid_capacity;
    int next_id;
    Solids solids;  // owned
    Spray spray;    // owned
    FilmAir air;    // owned: of the films between liquids
    Ledger ledger;
    FilmRecord film;  // owned: the air films of the last step
} World;

// A step under way: what it reads, what it changes, where it takes memory and what it tells.
typedef struct StepContext {
    const Model* model;
    World* world;
    Arena* kept;                 // what is rebuilt in the step: spans, cut cells
    Arena* scratch;              // of one stage
    StepReport* report;          // of the step
    StageTimes* times;           // of the whole run
    struct TensionSplit* split;  // cycles of tension; NULL in other schemes
} StepContext;

typedef struct Sim {
    Model model;
    World world;
    Arena kept[2];      // rebuilt parts of the liquids (spans, cut cells); a step reads one and fills the other
    int kept_now;       // the one the liquids' parts are in
    Arena scratch;      // of one stage of a step
    Arena before;       // the fields a failed step goes back to
    StepReport report;  // of the last step
    StageTimes times;   // of the whole run
} Sim;

static inline StepContext sim_context(Sim* sim)
{
    return (StepContext){.model = &sim->model,
                         .world = &sim->world,
                         .kept = &sim->kept[sim->kept_now],
                         .scratch = &sim->scratch,
                         .report = &sim->report,
                         .times = &sim->times};
}

// A closed tank of n cells under gravity along -y, with the settings that scenes have by default; advection by MacCormack.
Model model_in_tank(int dim, const int n[3], double dx);

void sim_free(Sim* sim);
mn_status world_add_liquid(World* world, Liquid* q);  // moves *q in; gives it an id if it has none
void world_remove_liquid(World* world, int m);
// The walk over everything that survives a step, in one order. A visitor that brings values leaves the rebuilt parts of the liquids to
// sim_rebuild. MN_BAD_CHECKPOINT: what it brings does not fit this tank or these solids; the world is half changed then.
mn_status world_visit(World* world, const Tank* tank, StateVisitor* v);
// One number for all of it; two worlds with the same number are the same to the last bit.
uint64_t world_hash(World* world, const Tank* tank);
// After all liquids and solids are in: target volumes from the present shapes, velocities projected and extended.
mn_status sim_start(Sim* sim);
// After a restart from saved fields: rebuilds what a step expects, without changing state.
mn_status sim_rebuild(Sim* sim);

// One step of at most `limit` seconds, as docs/liquid.md tells them. A step that fails (no convergence, a number that is
// not finite, a volume out of hand) is undone and tried with half the time, four times; then MN_STEP_FAILED with the state
// before it intact.
mn_status sim_step(Sim* sim, double limit);
// One step that does not go past `time`, and ends on it exactly if it gets there.
mn_status sim_step_towards(Sim* sim, double time);
// Steps until the clock shows exactly `time`.
mn_status sim_advance(Sim* sim, double time);
// Can any liquid meet an air film: on another liquid, or on a solid that keeps it off?
bool has_film(const Model* model, const World* world);
// The largest step the settings allow now, s.
double sim_choose_dt(const Sim* sim, double limit);

// (volumes + spray + outflow - input)/input
double sim_ledger_error(const Sim* sim);
double sim_volume(const Sim* sim);  // of all liquids, measured

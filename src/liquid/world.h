// What a simulation is made of: Model, which a step only reads; World, which survives it; StepContext, a step under way.
#pragma once
#include "base/arena.h"
#include "base/timer.h"
#include "grid/advect.h"
#include "liquid/liquid.h"
#include "liquid/merge.h"
#include "liquid/partner.h"
#include "liquid/spray.h"

typedef struct Source {
    char name[64];
    double (*distance)(const void* shape, const double x[3]);
    const void* shape;                 // borrowed
    double low[3], high[3];            // bounds of the shape, m
    double velocity[3];                // m/s
    double rate;                       // m^3/s
    double start, stop;                // s
    bool varies;                       // rate, velocity and place are functions of time; those of the step under way stand here
    double shift[3];                   // m, from where the shape is given
    double rest_low[3], rest_high[3];  // bounds of the shape as it is given
    int kind;                          // of the liquid it makes
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
    bool unilateral;          // walls and solids let go of liquid they would have to pull (letting_go.h)
    bool slip;                // viscous liquids slip along walls and solids; false: they stick
    double spray_cells;       // parts smaller than this many cells become spray
} SimSettings;

// Mechanical energy, J (2D: J per metre of depth); what each part is stands in energy.h.
typedef struct Energy {
    double kinetic, potential, surface;
    double stored;         // by partners
    double stored_motion;  // the part of it that is motion
    double momentum[3];    // kg m/s, of liquids and partners; no energy, but weight and a shaken box work on it
} Energy;

// The books of the energy, J: energy = energy at the start + work + lag + gain, always. Losses (friction, films, the grid's own)
// make `gain` negative; where it rises, energy has come from nowhere (docs/energy.md).
typedef struct EnergyBooks {
    double work;  // done on liquids and partners: shaken box, moving solids, sources, forces on partners
    double gain;
    double lag;     // by which what falls is still too high, summed over the steps
    double excess;  // of the gain, what is not accounted for
    double least;   // the lowest `excess` so far, 0 at most
    double recent;  // work, without sign, fading as `most` does
    double driven;  // the most that moving solids could give the liquid at once, fading too
    double most;    // the most of late of what moves, is in surfaces or has been done as work, without the excess
    double taken;   // what came from nowhere and was taken off the motion again; not in `gain`
} EnergyBooks;

// The same for one step.
typedef struct EnergyBalance {
    Energy before, after;
    double work, gain;
    double friction;  // what viscosity took; part of -gain
    double topology;  // change of energy where liquids split, merged or turned to spray; part of the gain
    double driven;    // what moving solids can give the liquid at once
    double excess;    // the gain without what is accounted for; a loss as it is
    double doubt;     // how well heights and surfaces are known
    double slack;     // excess that a step may have without second thoughts
    double taken;     // what was taken off the motion again
} EnergyBalance;

// The volume ledger, m^3: input = liquids + spray + outflow, always.
typedef struct Ledger {
    double input;    // what the scene started with and what sources added
    double outflow;  // what left through open sides
} Ledger;

// A source at a time, as far as it varies.
typedef struct SourceNow {
    double rate;         // m^3/s, >= 0
    double velocity[3];  // m/s
    double shift[3];     // m
} SourceNow;

// What scenes give as functions of time.
typedef struct TimeFunctions {
    mn_status (*acceleration)(double a[3], void* user, double t);  // of the box, m/s^2; NULL: none
    mn_status (*position)(double x[3], void* user, double t);  // of the box in the laboratory, m, for the tables; NULL: it stands
    mn_status (*pose)(Pose* pose, void* user, int solid, double t);         // NULL: nothing moves
    mn_status (*sheet_pose)(Pose* pose, void* user, int mover, double t);   // of sheets that move; NULL: none does
    mn_status (*source)(SourceNow* now, void* user, int source, double t);  // NULL: none varies
    // Surface tension at a place, N/m, of every liquid that has any; NULL: the constant of its material.
    mn_status (*sigma)(double* sigma, void* user, const double x[3]);
    void* user;
} TimeFunctions;

typedef struct StepReport {
    double dt;
    const char* limited_by;    // name of the partner that kept the step short; NULL: none did
    double free_dt;            // s, length of the step as flow and tension alone would have it
    int retries;               // times the step was undone and halved
    int iterations;            // most of any liquid
    double residual;           // worst
    double volume_correction;  // worst |volume - target|/target before it was corrected
    double volume_energy;      // J: what the corrections of all liquids may have changed of height and surface
    double max_speed;          // m/s after the step
    int splits, merges, sprayed, rejoined;
    long unknowns;
    int viscous_iterations;  // most of any liquid
    EnergyBalance energy;
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
    double speed;    // m/s, fastest of the liquids after the last step; 0 at the start
    double quicker;  // times as fast as before a step the last ones made it, fading; 1 at least; 0 at the start
    Liquid* liquid;  // owned; in the order of their ids
    int liquid_count, liquid_capacity;
    int next_id;
    Solids solids;  // owned
    Spray spray;    // owned
    Ledger ledger;
    EnergyBooks energy;
    Partners partners;  // owned: who lives beside the liquid (partner.h)
} World;

// A step under way: what it reads, what it changes, where it takes memory and what it tells.
typedef struct StepContext {
    const Model* model;
    World* world;
    Arena* kept;                  // what is rebuilt in the step: spans, cut cells
    Arena* scratch;               // of one stage
    StepReport* report;           // of the step
    StageTimes* times;            // of the whole run
    struct KineticNote* kinetic;  // of the liquids at the start of the step (step/calm.h)
    struct TensionPlan* tension;  // how it acts on each liquid in this step (tension/tension_choice.h)
    double acceleration[3];       // m/s^2, of the liquid in the box, in the middle of the step
    double dt;                    // s
    bool starts;                  // before the first step: shapes have just been given, bodies move as they were told
} StepContext;

void model_free(Model* model);
// A tank, settings within their ranges, merge rules that are the same both ways, sources of liquids that exist; for asserts.
bool model_is_valid(const Model* model);
void world_free(World* world);
mn_status world_add_liquid(World* world, Liquid* q);  // moves *q in; gives it an id if it has none
void world_remove_liquid(World* world, int m);
void world_sort_liquids(World* world);  // by id, after ids have changed
// The walk over everything that survives a step, in one order. A visitor that brings values leaves the rebuilt parts of the
// liquids to world_rebuild. MN_BAD_CHECKPOINT: what it brings does not fit this tank or these solids; the world is half changed
// then.
mn_status world_visit(World* world, const Tank* tank, StateVisitor* v);
// One number for all of it; two worlds with the same number are the same to the last bit.
uint64_t world_hash(World* world, const Tank* tank);
// Valid liquids in the order of their ids, each with its own; books and clock in order; for asserts.
bool world_is_valid(const World* world);
mn_status world_rebuild(World* world, Arena* kept);  // spans and cut cells of all liquids

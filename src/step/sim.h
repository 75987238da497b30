// A simulation: a model, a world, and the memory to step it.
#pragma once
#include "liquid/world.h"

// How often steps were taken back and tried shorter, since the simulation was made or went on.
typedef struct Undone {
    long too_far;  // went more than `cfl` cells by their own final speed
    long gained;   // energy from nowhere
    long calmed;   // steps, not attempts: kept, but what they or the run had gained was taken off their motion again
    long failed;   // did not converge, lost a volume, or came to numbers that are not finite
} Undone;

typedef struct Sim {
    Model model;
    World world;
    Arena kept[2];           // rebuilt parts of the liquids (spans, cut cells); a step reads one and fills the other
    int kept_now;            // the one the liquids' parts are in
    Arena scratch;           // of one stage of a step
    Arena before;            // the fields a failed step goes back to
    struct StateCopy* last;  // the state before the last step, in `before`
    StepReport report;       // of the last step
    Undone undone;
    StageTimes times;  // of the whole run
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
// After all liquids and solids are in: target volumes from the present shapes, velocities projected and extended.
mn_status sim_start(Sim* sim);
// After a restart from saved fields: rebuilds what a step expects, without changing state.
mn_status sim_rebuild(Sim* sim);

// One step of at most `limit` seconds, as docs/liquid.md tells them. A step that fails (no convergence, a number that is
// not finite, a volume out of hand, energy from nowhere) or goes too far is undone and tried with less time; after RETRIES times
// MN_STEP_FAILED with the state before it intact.
mn_status sim_step(Sim* sim, double limit);
// Back to the state before the last step, which must have succeeded; once. The same step from there gives the same state.
mn_status sim_undo_step(Sim* sim);
// One step that does not go past `time`, and ends on it exactly if it gets there.
mn_status sim_step_towards(Sim* sim, double time);
// Steps until the clock shows exactly `time`.
mn_status sim_advance(Sim* sim, double time);
// The largest step the settings allow now, s.
double sim_choose_dt(const Sim* sim, double limit);

// (volumes + spray + outflow - input)/input
double sim_ledger_error(const Sim* sim);
double sim_volume(const Sim* sim);  // of all liquids, measured

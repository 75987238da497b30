#include "step/sim.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "liquid/sources.h"
#include "tension/flow_pressure.h"
#include "step/balance.h"
#include "step/calm.h"
#include "step/step_liquid.h"
#include "tension/tension.h"

Model model_in_tank(int dim, const int n[3], double dx)
{
    Model model = {.tank = {.dim = dim, .dx = dx, .n = {n[0], n[1], dim == 3 ? n[2] : 1}},
                   .settings = {.gravity = {0, -9.81, 0},
                                .cfl = 1.5,
                                .tolerance = 1e-6,
                                .max_dt = INFINITY,
                                .unilateral = true,
                                .op = PRESSURE_AUTO,
                                .spray_cells = dim == 3 ? 8 : 4}};
    for (int s = 0; s < 6; s++) model.tank.side[s] = SIDE_IS_WALL;
    return model;
}

void sim_free(Sim* sim)
{
    model_free(&sim->model);
    world_free(&sim->world);
    for (int a = 0; a < 2; a++) arena_free(&sim->kept[a]);
    arena_free(&sim->scratch);
    arena_free(&sim->before);
    *sim = (Sim){0};
}

double sim_volume(const Sim* sim)
{
    double sum = 0;
    for (int m = 0; m < sim->world.liquid_count; m++) sum += sim->world.liquid[m].cells.volume;
    return sum;
}

double sim_ledger_error(const Sim* sim)
{
    if (!(sim->world.ledger.input > 0)) return 0;
    return (sim_volume(sim) + spray_volume(&sim->world.spray) + sim->world.ledger.outflow - sim->world.ledger.input) /
           sim->world.ledger.input;
}

mn_status sim_rebuild(Sim* sim)
{
    Arena* kept = &sim->kept[sim->kept_now];
    arena_reset(kept);
    TRY(world_rebuild(&sim->world, kept));
    return partners_rebuild(&sim->world, &sim->model.tank, kept, &sim->scratch);
}

// s. Nothing acts over time while the first velocity is made divergence-free; only faces past the surface settle by it.
static const double START_DT = 1e-3;

mn_status sim_start(Sim* sim)
{
    assert(sim->world.step == 0 && sim->world.ledger.input == 0);
    Arena* kept = &sim->kept[sim->kept_now];
    StepContext ctx = sim_context(sim);
    ctx.starts = true;
    for (int m = 0; m < sim->world.liquid_count; m++)
        TRY(flow_rebuild_surface(&sim->world.liquid[m], &ctx, kept, 4*(BAND + sim->model.tank.wider)));
    TRY(partners_rebuild(&sim->world, &sim->model.tank, kept, &sim->scratch));
    for (int m = 0; m < sim->world.liquid_count; m++) {
        Liquid* q = &sim->world.liquid[m];
        q->target_volume = q->cells.volume;
        sim->world.ledger.input += q->cells.volume;
    }
    stage_start(&sim->times);
    ctx.dt = START_DT;
    TRY(tension_begin(&ctx));
    for (int m = 0; m < sim->world.liquid_count; m++) TRY(flow_project(&sim->world.liquid[m], &ctx, SURFACE_IS_FREE));
    return partners_start(&ctx);
}

// ---- one step, with second thoughts --------------------------------------------------------------------------------------

enum { RETRIES = 4 };

// How long a step is.
typedef struct StepLength {
    double dt, free;         // s; free: as long as flow and tension allow
    const char* limited_by;  // the partner that has made it shorter; NULL: none
} StepLength;

// A step is as long as the speed it will end with allows. That is taken to grow as it did in the last steps, by no more than
// MOST_QUICKER, and a little: a step that went further than `cfl` cells all the same is taken back. How much faster a step made
// the liquid is forgotten by and by: with FADE = 0.9 runs take about as many steps as with 0, and a third of the retries.
static const double A_LITTLE = 1.02, MOST_QUICKER = 1.5, FADE = 0.9;

static double planned_cells(const Sim* sim)
{
    return sim->model.settings.cfl/(A_LITTLE*clamp(sim->world.quicker, 1, MOST_QUICKER));
}

// The step that flow and tension allow.
static double free_dt(const Sim* sim)
{
    double cells = planned_cells(sim)*sim->model.tank.dx, speed = 0, size = 0;
    for (int d = 0; d < sim->model.tank.dim; d++) size = fmax(size, sim->model.tank.n[d]*sim->model.tank.dx);
    for (int m = 0; m < sim->world.liquid_count; m++) speed = fmax(speed, liquid_max_speed(&sim->world.liquid[m]));
    speed = fmax(speed, solids_max_speed(&sim->world.solids, size));
    for (int m = 0; m < sim->model.source_count; m++) speed = fmax(speed, vec_norm(sim->model.source[m].velocity));
    double a[3];
    if (flow_acceleration(a, &sim->model, sim->world.time) != MN_OK) a[0] = a[1] = a[2] = 0;
    // cells = speed dt + a dt^2, solved for dt: what gravity adds within the step counts too
    double g = vec_norm(a), dt = g > 0       ? 2*cells/(speed + sqrt(speed*speed + 4*g*cells))
                                 : speed > 0 ? cells/speed
                                             : INFINITY;
    return fmin(fmin(dt, sim->model.settings.max_dt), tension_limit(&sim->model, &sim->world));
}

// Partners come before `limit`, the time that is left: else their least step would get shorter and shorter towards its end.
static StepLength choose_length(const Sim* sim, double limit)
{
    assert(limit > 0);
    StepLength s = {.free = free_dt(sim)};
    if (!isfinite(s.free)) s.free = limit;
    double dt = partners_limit(&s.limited_by, &sim->model, &sim->world, s.free);
    if (!(dt < fmin(s.free, limit))) s.limited_by = NULL;
    // two equal steps rather than a long one and a sliver, or all of them equal
    const double rounding = 1e-9;
    if (partners_want_even_steps(&sim->world)) s.dt = limit/fmax(ceil(limit/dt - rounding), 1);
    else s.dt = dt >= limit ? limit : dt > 0.5*limit ? 0.5*limit : dt;
    return s;
}

double sim_choose_dt(const Sim* sim, double limit) { return choose_length(sim, limit).dt; }

// Back to the state before the step: what does not survive a step is rebuilt from what does.
static mn_status restore(Sim* sim, StateCopy* before)
{
    arena_reset(&sim->scratch);
    TRY(world_visit(&sim->world, &sim->model.tank, state_copy_restorer(before)));
    return sim_rebuild(sim);
}

mn_status sim_undo_step(Sim* sim) { return restore(sim, sim->last); }

// A step is as long as the velocity at its start allows; where a neck breaks or liquids collide within it, what comes out may be
// many times as fast. Then the step was too long for what happened in it: surface and velocity would part (a thread that broke
// within 9 capillary times came out at 8 cells per step). The next try aims a little below the limit.
static const double AIM = 0.9;

// A step that may have to be taken back.
typedef struct Attempt {
    double dt;
    double fastest;  // m/s, at the end of this try or of one before it
    double shorter;  // what dt is to be multiplied by for the next try
    long* count;     // of Sim.undone: the kind of trouble
} Attempt;

static mn_status check_speed(Sim* sim, Attempt* a)
{
    double speed = 0;
    for (int m = 0; m < sim->world.liquid_count; m++) {
        const Liquid* q = &sim->world.liquid[m];
        double fastest = liquid_max_speed(q);
        if (!isfinite(fastest)) return mn_fail(MN_STEP_FAILED, "liquid %d: velocity is not a number", q->id);
        speed = fmax(speed, fastest);
    }
    sim->report.max_speed = speed, a->fastest = fmax(a->fastest, speed);
    double most = sim->model.settings.cfl, cells = a->dt*speed/sim->model.tank.dx;
    if (!(cells > most)) return MN_OK;
    a->shorter = AIM*most/cells, a->count = &sim->undone.too_far;
    if (sim->report.retries > 0) a->shorter = fmin(a->shorter, 0.5);  // the shorter the step, the faster the liquid
    return mn_fail(MN_STEP_FAILED, "the liquid came to %.3g cells per step; at most %g are kept", cells, most);
}

// A run never has more energy from nowhere than this part of what it has had honestly (docs/energy.md).
static const double RESERVE = 0.1;
// Debts that the motion of the liquids cannot pay back, relative to the same.
static const double MOST_OWED = 1;

// What is more than a step or the run may gain is taken off the motion again.
static mn_status give_back(Sim* sim, StepContext* ctx, double amount)
{
    const EnergyBooks* books = &sim->world.energy;
    TRY(calm_motion(ctx, amount));
    TRY(balance_after_calm(ctx));
    sim->undone.calmed++;
    // books of slow motion (a drop that grows by a source) may be off by more than what moves, and nothing runs away then
    // and heights and surfaces are known no better than `doubt`
    double owed = books->excess - books->least - sim->report.energy.doubt;
    if (owed <= MOST_OWED*books->most || sim->report.energy.after.kinetic < 0.5*owed) return MN_OK;
    return mn_fail(MN_STEP_FAILED, "the liquid gained %.3g J from nowhere; a run may gain %.3g J", owed, MOST_OWED*books->most);
}

// A step with more energy than it may have is tried shorter. Not all such gains go away with the step's length (a drop of a few
// cells that hits a wall): then they are given back. So is what many steps have gained, each a little. Where tension varies from
// place to place, heat does work on the liquid, and nobody keeps books of that.
static mn_status check_energy(Sim* sim, StepContext* ctx, Attempt* a)
{
    const EnergyBalance* e = &sim->report.energy;
    const EnergyBooks* books = &sim->world.energy;
    if (sim->model.functions.sigma) return MN_OK;
    if (isnan(e->excess)) return mn_fail(MN_STEP_FAILED, "the energy is not a number");
    bool is_last = sim->report.retries == RETRIES;
    if (e->excess > e->slack && !is_last) {
        a->count = &sim->undone.gained;
        return mn_fail(MN_STEP_FAILED, "the liquid gained %.3g J from nowhere; a step may gain %.3g J", e->excess, e->slack);
    }
    if (!(e->excess > 0)) return MN_OK;
    double of_step = e->excess - e->slack, of_run = books->excess - books->least - RESERVE*books->most - e->doubt;
    // old debts, too, where they have become too large: what could not be paid in a step of slow motion may be paid now
    double amount = fmin(fmax(of_step, of_run), e->excess), owed = of_run + RESERVE*books->most;
    if (owed > MOST_OWED*books->most) amount = fmax(amount, owed - 0.5*MOST_OWED*books->most);
    return amount > 0 ? give_back(sim, ctx, amount) : MN_OK;
}

// What a finished step must satisfy to be kept: numbers that are finite, a way of at most `cfl` cells by its own final speed, and
// no more energy than it may have (docs/energy.md).
static mn_status check_step(Sim* sim, StepContext* ctx, Attempt* a)
{
    TRY(check_speed(sim, a));
    TRY(check_energy(sim, ctx, a));
    World* world = &sim->world;
    double quicker = world->speed > 0 ? clamp(a->fastest/world->speed, 1, MOST_QUICKER) : 1;
    world->quicker = fmax(quicker, 1 + FADE*(world->quicker - 1)), world->speed = sim->report.max_speed;
    return MN_OK;
}

mn_status sim_advance(Sim* sim, double time)
{
    while (sim->world.time < time) TRY(sim_step_towards(sim, time));
    return MN_OK;
}

mn_status sim_step_towards(Sim* sim, double time)
{
    double rest = time - sim->world.time;
    TRY(sim_step(sim, rest));
    // a step that used all of the rest ends on the mark, not a rounding error beside it
    if (sim->report.dt == rest) sim->world.time = time;
    return MN_OK;
}

// The liquids' parts are rebuilt in the arena that the state before the step does not use.
static mn_status attempt(Sim* sim, Attempt* a)
{
    assert(sim->kept_now == 0 || sim->kept_now == 1);
    a->shorter = 0.5, a->count = &sim->undone.failed;
    if (!(a->dt > 0) || !isfinite(a->dt)) return mn_fail(MN_STEP_FAILED, "the time step is %g s", a->dt);
    TRY(sources_set(&sim->model, sim->world.time + 0.5*a->dt));
    StepContext ctx = sim_context(sim);
    ctx.kept = &sim->kept[1 - sim->kept_now];
    TRY(step_liquid(&ctx, a->dt));
    sim->kept_now = 1 - sim->kept_now;
    return check_step(sim, &ctx, a);
}

mn_status sim_step(Sim* sim, double limit)
{
    stage_start(&sim->times);
    arena_reset(&sim->before);
    StateCopy* before = state_copy_begin(&sim->before);
    TRY_MEMORY(before);
    sim->last = before;
    TRY(world_visit(&sim->world, &sim->model.tank, state_copy_saver(before)));
    stage_end(&sim->times, STAGE_SAVE_STATE);
    StepLength length = choose_length(sim, limit);
    Attempt a = {.dt = length.dt};
    assert(!(a.dt > limit));
    sim->report.free_dt = length.free, sim->report.limited_by = length.limited_by;
    for (sim->report.retries = 0;; sim->report.retries++, a.dt *= a.shorter) {
        mn_status status = attempt(sim, &a);
        if (status == MN_OK) return MN_OK;
        TRY(restore(sim, before));
        stage_end(&sim->times, STAGE_SAVE_STATE);
        if (status == MN_NO_MEMORY || status == MN_BAD_SCENE) return status;
        ++*a.count;
        if (sim->report.retries == RETRIES)
            return mn_fail_context(MN_STEP_FAILED, "step %ld at t = %.6g s failed even with dt = %.3g s: ", sim->world.step + 1,
                                   sim->world.time, a.dt);
    }
}

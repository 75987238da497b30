// The liquid step, in the order of docs/liquid.md: surface and velocity ride on the last divergence-free velocity, the
// topology and the volume are put right, then forces act and the pressure makes the velocity divergence-free again.
#include "step/step_liquid.h"

#include <assert.h>
#include <math.h>
#include "step/balance.h"
#include "step/calm.h"
#include "step/flow_viscosity.h"
#include "liquid/momentum.h"
#include "tension/flow_pressure.h"
#include "liquid/sources.h"
#include "step/project.h"
#include "tension/tension.h"
#include "tension/tension_band.h"
#include "tension/tension_split.h"
#include "step/topology_step.h"
#include "step/volumes.h"

enum { REDISTANCE_SWEEPS = 3 };

static mn_status note_due(StepContext* ctx)
{
    for (int m = 0; m < ctx->world->liquid_count; m++) {
        TRY(momentum_note_due(&ctx->world->liquid[m], ctx->scratch));
        arena_reset(ctx->scratch);
    }
    return MN_OK;
}

// What free liquids move with as a whole is noted before they are carried, and before their volume is restored: neither pushes
// them.
static mn_status note_free(FreeMotion** list, StepContext* ctx)
{
    return momentum_note_free(list, ctx->world->liquid, ctx->world->liquid_count, ctx->kept, ctx->scratch);
}

static mn_status settle_free(const FreeMotion* list, StepContext* ctx)
{
    return momentum_settle_carried(list, ctx->world->liquid, ctx->world->liquid_count, ctx->scratch);
}

// Every liquid gets its own volume back, and is not pushed by that.
static mn_status restore_volumes(StepContext* ctx)
{
    FreeMotion* free;
    TRY(note_free(&free, ctx));
    TRY(volumes_restore(ctx));
    return settle_free(free, ctx);
}

// What is smaller than the least liquid, and is one because a source feeds it, moves as the droplet that it would be: as a whole.
// The grid knows no shape of it, and tension on what it takes for one drove slivers of a liquid of one cell to ten times their
// capillary speed for good, and steps went by that.
static mn_status calm_fragments(StepContext* ctx)
{
    for (int m = 0; m < ctx->world->liquid_count; m++) {
        Liquid* q = &ctx->world->liquid[m];
        if (q->meshed || q->target_volume >= topology_smallest_volume(ctx)) continue;
        double mean[3];
        TRY(momentum_mean_velocity(mean, q, ctx->scratch));
        arena_reset(ctx->scratch);
        momentum_calm(q, mean, mean, 0);
        flow_hold_walls(q, ctx->model->settings.unilateral);
        TRY(flow_constrain(q, ctx));
        arena_reset(ctx->scratch);
    }
    return MN_OK;
}

// What the stages of a step add up.
static void begin_report(StepContext* ctx, double dt)
{
    StepReport* r = ctx->report;
    r->dt = ctx->dt = dt;
    r->volume_correction = r->volume_energy = 0;
    r->iterations = 0, r->residual = 0, r->unknowns = 0, r->viscous_iterations = 0;
}

mn_status step_liquid(StepContext* ctx, double dt)
{
    assert(dt > 0 && ctx->kept != ctx->scratch && model_is_valid(ctx->model));
    Arena* kept = ctx->kept;
    arena_reset(kept);
    begin_report(ctx, dt);

    TRY(balance_begin(ctx));
    TRY(calm_note(ctx));
    TRY(note_due(ctx));

    // 1  what flows out through open sides in this step leaves the books now
    flow_book_outflow(ctx, dt);

    // 2  D phi/Dt = 0 and Du/Dt = 0 with the extended u of the last step, or the mean one of the cycles of tension
    double* acceleration = ctx->acceleration;
    TRY(flow_acceleration(acceleration, ctx->model, ctx->world->time + 0.5*dt));
    TRY(partners_predict(ctx));
    FreeMotion* free;
    TRY(note_free(&free, ctx));
    TRY(tension_begin(ctx));
    if (tension_may_cycle(ctx->model)) TRY(tension_split_carry(ctx));
    else
        for (int m = 0; m < ctx->world->liquid_count; m++) TRY(flow_advect(&ctx->world->liquid[m], ctx, NULL, dt));
    SprayFlight flight = spray_move(&ctx->world->spray, &ctx->model->tank, &ctx->world->solids, acceleration, dt);
    ctx->world->ledger.outflow += flight.left;
    balance_spray(ctx, &flight);
    stage_end(ctx->times, STAGE_ADVECT);

    // 3  solids go to their new place
    TRY(flow_move_solids(ctx, dt));
    TRY(partners_move(ctx));
    stage_end(ctx->times, STAGE_SOLIDS);

    // 4  distances again, the surface held in place; windows follow; spans, cut cells
    for (int m = 0; m < ctx->world->liquid_count; m++)
        TRY(flow_rebuild_surface(&ctx->world->liquid[m], ctx, kept, REDISTANCE_SWEEPS));
    TRY(settle_free(free, ctx));
    assert(world_is_valid(ctx->world));
    stage_end(ctx->times, STAGE_REDISTANCE);

    // 5  sources add liquid; parts that came apart become liquids or spray; what touches merges
    TRY(balance_before_sources(ctx));
    TRY(sources_act(ctx, kept, dt));
    TRY(balance_after_sources(ctx));
    TRY(balance_before_topology(ctx));
    TRY(topology_update(ctx, kept));
    TRY(balance_after_topology(ctx));
    TRY(tension_take_stock(ctx));
    assert(world_is_valid(ctx->world));
    stage_end(ctx->times, STAGE_TOPOLOGY);

    // 6  positions of liquids and partners are made to agree; every liquid gets its own volume back, where it is free
    TRY(partners_make_consistent(ctx));
    TRY(restore_volumes(ctx));
    assert(world_is_valid(ctx->world));
    stage_end(ctx->times, STAGE_VOLUME);

    // 7  u* = u + dt (g - a), then rho (u** - u*) = dt div(2 mu D(u**))
    // 8  div(dt/rho grad p) = div u**, then u = u** - dt/rho grad p
    // 9  u past the surface and into solids, for the next step
    TRY(balance_frame(ctx));
    for (int m = 0; m < ctx->world->liquid_count; m++) {
        flow_add_acceleration(&ctx->world->liquid[m], acceleration, dt);
        TRY(tension_paper_push(&ctx->world->liquid[m], ctx));
        TRY(tension_band_act(&ctx->world->liquid[m], ctx));
    }
    TRY(balance_before_friction(ctx));
    TRY(flow_add_viscosity(ctx));
    TRY(balance_after_friction(ctx));
    TRY(partners_act(ctx));
    TRY(project_liquids(ctx));
    TRY(calm_fragments(ctx));
    TRY(balance_pressure(ctx));
    assert(world_is_valid(ctx->world));
    TRY(balance_end(ctx));
    ctx->world->time += dt;
    ctx->world->step++;
    return MN_OK;
}

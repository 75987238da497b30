#include "step/balance.h"

#include <math.h>
#include "base/vec.h"
#include "liquid/energy.h"
#include "liquid/sources.h"

static mn_status measure(Energy* out, StepContext* ctx) { return world_energy(out, ctx->model, ctx->world, ctx->scratch); }

mn_status balance_begin(StepContext* ctx)
{
    ctx->report->energy = (EnergyBalance){0};
    return measure(&ctx->report->energy.before, ctx);
}

// The difference of two measurements stands in `work` or `friction` while the stage runs: minus what was there before it.
static mn_status note(double* sum, double sign, StepContext* ctx)
{
    Energy now;
    TRY(measure(&now, ctx));
    *sum += sign*energy_sum(&now);
    return MN_OK;
}

mn_status balance_before_sources(StepContext* ctx)
{
    return ctx->model->source_count > 0 ? note(&ctx->report->energy.work, -1, ctx) : MN_OK;
}

mn_status balance_after_sources(StepContext* ctx)
{
    return ctx->model->source_count > 0 ? note(&ctx->report->energy.work, 1, ctx) : MN_OK;
}

static mn_status note_surface(double sign, StepContext* ctx)
{
    double now;
    TRY(world_surface_energy(&now, ctx->model, ctx->world));
    ctx->report->energy.topology += sign*now;
    return MN_OK;
}

mn_status balance_before_topology(StepContext* ctx) { return note_surface(-1, ctx); }
mn_status balance_after_topology(StepContext* ctx) { return note_surface(1, ctx); }

// u += dt a changes rho V u^2/2 by rho V (u + dt a/2).(dt a). Of this a = gravity - a_box, gravity's part is in the potential.
mn_status balance_frame(StepContext* ctx)
{
    if (!ctx->model->functions.acceleration) return MN_OK;
    for (int m = 0; m < ctx->world->liquid_count; m++) {
        LiquidState s = liquid_state(&ctx->world->liquid[m], ctx->scratch);
        double mass = ctx->world->liquid[m].material.rho*s.volume;
        arena_reset(ctx->scratch);
        for (int d = 0; d < ctx->model->tank.dim; d++) {
            double box = ctx->acceleration[d] - ctx->model->settings.gravity[d];
            ctx->report->energy.work += ctx->dt*box*(s.momentum[d] + 0.5*ctx->dt*mass*ctx->acceleration[d]);
        }
    }
    return MN_OK;
}

static bool any_friction(const World* world)
{
    for (int m = 0; m < world->liquid_count; m++)
        if (world->liquid[m].material.mu > 0) return true;
    return false;
}

mn_status balance_before_friction(StepContext* ctx)
{
    return any_friction(ctx->world) ? note(&ctx->report->energy.friction, 1, ctx) : MN_OK;
}

// Still walls can only take; what friction brings comes from moving ones.
mn_status balance_after_friction(StepContext* ctx)
{
    EnergyBalance* e = &ctx->report->energy;
    if (!any_friction(ctx->world)) return MN_OK;
    TRY(note(&e->friction, -1, ctx));
    if (e->friction < 0 && ctx->world->solids.any_moving) e->work -= e->friction, e->friction = 0;
    return MN_OK;
}

// A solid's skin with velocity v pushes the liquid with its pressure: - p n.v per area and time, n out of the liquid.
static double solid_work(const Liquid* q, const StepContext* ctx)
{
    double power = 0;
    for (int m = 0; m < q->cells.count; m++) {
        const CutCell* c = &q->cells.cut[m];
        double x[3], v[3];
        if (!(vec_norm(c->solid) > 0)) continue;
        window_position(x, &q->w, c->i + 0.5, c->j + 0.5, c->k + 0.5);
        solids_velocity(v, &ctx->world->solids, x);
        power -= q->p.v[c->at]*vec_dot(c->solid, v);
    }
    return power*window_face_area(&q->w)*ctx->dt;
}

// A source of volume at pressure p does work p per volume.
static mn_status source_work(double* work, const Liquid* q, StepContext* ctx)
{
    double *divergence, power = 0;
    *work = 0;
    TRY(sources_divergence(&divergence, ctx, q, ctx->scratch));
    if (!divergence) return MN_OK;
    const Spans* s = &q->spans;
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        if (j >= q->w.n[1] || k >= q->w.n[2]) continue;
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < mini(s->span[m].i1, q->w.n[0]); i++) {
                ptrdiff_t at = window_at(&q->w, i, j, k);
                double fraction = cutcells_fraction(&q->cells, at);
                if (fraction > 0) power += q->p.v[at]*divergence[at]*fraction;
            }
    }
    *work = power*window_cell_volume(&q->w)*ctx->dt;
    arena_reset(ctx->scratch);
    return MN_OK;
}

mn_status balance_pressure(StepContext* ctx)
{
    for (int m = 0; m < ctx->world->liquid_count; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        double of_sources;
        if (ctx->world->solids.any_moving) ctx->report->energy.work += solid_work(q, ctx);
        TRY(source_work(&of_sources, q, ctx));
        ctx->report->energy.work += of_sources;
    }
    return MN_OK;
}

// ---- what a step may gain ------------------------------------------------------------------------------------------------

// Healthy steps of all shipped scenes stay below a tenth of the kinetic energy (the most, 8 %, where a drop hits a wall) and
// 1e-4 of the surface's; steps that run away win as much as there was, or more.
static const double OF_KINETIC = 0.15, OF_SURFACE = 1e-3, OF_WORK = 0.25;

// Surface and velocity move one after the other, so that a liquid that falls freely gains M a^2 dt^2/2 in every step (the lag of
// docs/liquid.md); `fallen` holds twice that for all liquids. What the restored volume brings is moved within the liquid: that
// part of the potential may change. Where a part becomes a ball of spray, or a ball a liquid, its surface is another at once:
// that does not depend on the step's length.
static double slack(const StepContext* ctx)
{
    const EnergyBalance* e = &ctx->report->energy;
    double surface = 0, mass = 0, a = vec_norm(ctx->acceleration);
    for (int m = 0; m < ctx->world->liquid_count; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        surface += q->material.sigma*q->cells.surface;
        mass += q->material.rho*q->target_volume;
    }
    double wet = fabs(e->before.surface - surface), fallen = mass*a*a*ctx->dt*ctx->dt;
    return fmax(e->topology, 0) + OF_KINETIC*e->before.kinetic + OF_SURFACE*(surface + wet) + fallen +
           OF_WORK*fabs(e->work) + ctx->report->volume_correction*(e->before.potential + surface + wet);
}

mn_status balance_end(StepContext* ctx)
{
    EnergyBalance* e = &ctx->report->energy;
    TRY(measure(&e->after, ctx));
    e->slack = slack(ctx);
    e->gain = energy_sum(&e->after) - energy_sum(&e->before) - e->work;
    ctx->world->energy.work += e->work, ctx->world->energy.gain += e->gain;
    return MN_OK;
}

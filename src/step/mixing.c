#include "step/mixing.h"

#include "liquid/energy.h"

static bool is_same(const LiquidMaterial* a, const LiquidMaterial* b)
{
    return a->rho == b->rho && a->sigma == b->sigma && a->contact_angle == b->contact_angle;
}

mn_status mixing_of_liquid(double* sum, StepContext* ctx, const Liquid* q, const LiquidMaterial* mixed)
{
    Liquid other = *q;
    Energy is = {0}, becomes = {0};
    if (is_same(&q->material, mixed)) return MN_OK;
    other.material = *mixed;
    TRY(liquid_energy(&is, q, ctx->model, &ctx->world->solids, ctx->scratch));
    TRY(liquid_energy(&becomes, &other, ctx->model, &ctx->world->solids, ctx->scratch));
    arena_reset(ctx->scratch);
    *sum += becomes.potential + becomes.surface - is.potential - is.surface;
    return MN_OK;
}

void mixing_of_droplet(double* sum, const StepContext* ctx, const Droplet* p, const LiquidMaterial* mixed)
{
    Droplet other = *p;
    Energy is = {0}, becomes = {0};
    other.material = *mixed;
    droplet_energy(&is, p, ctx->model, &ctx->world->solids);
    droplet_energy(&becomes, &other, ctx->model, &ctx->world->solids);
    *sum += becomes.potential + becomes.surface - is.potential - is.surface;
}

void mixing_book(StepContext* ctx, double mixing) { ctx->report->energy.work += mixing, ctx->report->energy.topology -= mixing; }

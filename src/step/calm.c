#include "step/calm.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "liquid/energy.h"
#include "liquid/momentum.h"

// Of the energy of a liquid's motion, what may be taken in a step.
static const double MOST_TAKEN = 0.5;

mn_status calm_note(StepContext* ctx)
{
    const World* world = ctx->world;
    TRY_MEMORY(ctx->kinetic = ARENA_ZERO(ctx->kept, KineticNote, world->liquid_count + 1));
    for (int m = 0; m < world->liquid_count; m++) {
        const Liquid* q = &world->liquid[m];
        ctx->kinetic[m] = (KineticNote){.id = q->id, .target_volume = q->target_volume};
        TRY(liquid_kinetic(&ctx->kinetic[m].kinetic, q, ctx->scratch));
        arena_reset(ctx->scratch);
    }
    return MN_OK;
}

// What a liquid can give.
typedef struct Givable {
    double mean[3];  // m/s: how it moves as a whole where no wall or solid holds it; 0 along other axes
    double about;    // J, of its motion about that
    double gained;   // J, of this, what it has more than before
    double gives;    // J
} Givable;

// A liquid that was split, merged or fed in the step has gained nothing that could be told.
static double kinetic_before(const KineticNote* note, const Liquid* q, double now)
{
    for (; note->id != 0; note++)
        if (note->id == q->id && note->target_volume == q->target_volume) return note->kinetic;
    return now;
}

static mn_status find_givable(Givable* g, const Liquid* q, const StepContext* ctx)
{
    double now, mean[3];
    unsigned loose = momentum_loose_axes(q);
    TRY(liquid_kinetic(&now, q, ctx->scratch));
    TRY(momentum_mean_velocity(mean, q, ctx->scratch));
    arena_reset(ctx->scratch);
    *g = (Givable){0};
    if (q->meshed) return MN_OK;  // its surface would not know
    for (int d = 0; d < 3; d++) g->mean[d] = loose >> d & 1 ? mean[d] : 0;
    g->about = fmax(now - 0.5*q->material.rho*q->cells.volume*vec_dot(g->mean, g->mean), 0);
    g->gained = clamp(now - kinetic_before(ctx->kinetic, q, now), 0, MOST_TAKEN*g->about);
    return MN_OK;
}

// First what the liquids have gained, then of what they had, each in the same proportion.
static void share_out(Givable* g, int count, double amount)
{
    double gained = 0, had = 0;
    for (int m = 0; m < count; m++) gained += g[m].gained, had += MOST_TAKEN*g[m].about - g[m].gained;
    double of_gained = gained > 0 ? fmin(amount/gained, 1) : 0;
    double of_had = amount > gained && had > 0 ? fmin((amount - gained)/had, 1) : 0;
    for (int m = 0; m < count; m++) g[m].gives = of_gained*g[m].gained + of_had*(MOST_TAKEN*g[m].about - g[m].gained);
}

mn_status calm_motion(StepContext* ctx, double amount)
{
    assert(amount > 0 && ctx->kinetic);
    World* world = ctx->world;
    Givable* g = ARENA_ZERO(ctx->kept, Givable, world->liquid_count + 1);
    TRY_MEMORY(g);
    for (int m = 0; m < world->liquid_count; m++) TRY(find_givable(&g[m], &world->liquid[m], ctx));
    share_out(g, world->liquid_count, amount);
    for (int m = 0; m < world->liquid_count; m++)
        if (g[m].gives > 0) momentum_calm(&world->liquid[m], g[m].mean, g[m].mean, sqrt(1 - g[m].gives/g[m].about));
    return MN_OK;
}

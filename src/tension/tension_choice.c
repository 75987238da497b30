#include "tension/tension_choice.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "liquid/wetting.h"

double tension_time(const Liquid* q) { return liquid_capillary_time(q); }

// Default of the implicit scheme. It is stable at any dt (measured to 20); this is where a wave of 32 cells still has the
// explicit period.
static const double IMPLICIT_STEPS = 5;
static const double THETA = 0.5;
// Of `auto`, in cycles. Drops and waves are as right with longer ones (docs/tension.md), but not what friction and contact lines
// do beside tension.
static const double AUTO_STEPS = 5;
// The split scheme's longest step, in explicit ones. Beyond 16 the stiffest waves swing more than once per step.
enum { SPLIT_STEPS = 16 };

// Longest cycle in capillary times. Of ours 4 is too long for drops in 3D since curvature is smoothed less (64^3 of bench_split:
// steps fail from ratio 4 on), 2.7 still worked. The paper's is explicit, without the projection that makes waves slower.
static const double CYCLE_STEPS = 2, PAPER_STEPS = 0.9;

static double cycle_steps(const TensionSettings* t)
{
    if (t->variant == SPLIT_PAPER) return PAPER_STEPS;
    return t->cycles == 1 ? EXPLICIT_STEPS : CYCLE_STEPS;  // a single cycle is the explicit step
}

// In capillary times.
static double longest_step(const TensionSettings* t)
{
    assert(t->most_steps >= 0 && t->cycles >= 0);
    if (t->scheme == TENSION_EXPLICIT) return EXPLICIT_STEPS;
    if (t->scheme == TENSION_AUTO) return t->most_steps > 0 ? t->most_steps : AUTO_STEPS;
    if (t->scheme != TENSION_SPLIT) return t->most_steps > 0 ? t->most_steps : IMPLICIT_STEPS;
    double steps = t->most_steps > 0 ? t->most_steps : EXPLICIT_STEPS*SPLIT_STEPS;
    return t->cycles > 0 ? fmin(steps, cycle_steps(t)*t->cycles) : steps;
}

// Partners that press on surfaces want short steps for their own sake: beside them `auto` does not lengthen them.
static bool is_explicit_when_pressed(const Model* model, const World* world)
{
    TensionScheme scheme = model->settings.tension.scheme;
    return partners_press(model, world) && scheme != TENSION_IMPLICIT && scheme != TENSION_CSF;
}

double tension_limit(const Model* model, const World* world)
{
    double steps = longest_step(&model->settings.tension), limit = INFINITY;
    if (is_explicit_when_pressed(model, world)) steps = fmin(steps, EXPLICIT_STEPS);
    for (int m = 0; m < world->liquid_count; m++)
        if (!world->liquid[m].meshed) limit = fmin(limit, steps*tension_time(&world->liquid[m]));
    return limit;
}

// Does tension act in cycles of its own in steps of this liquid that need it? `auto` does, except beside partners that press,
// which want short steps anyway, where tension varies or lines have an angle other than 90 degrees (friction and lines follow
// cycles less well, docs/tension.md), and beside bodies, which would stand still while it cycles, and sheets (liquid/sides.h).
static bool splits(const Liquid* q, const Model* model, const World* world)
{
    TensionScheme scheme = model->settings.tension.scheme;
    if (!(q->material.sigma > 0) || (scheme != TENSION_SPLIT && scheme != TENSION_AUTO)) return false;
    if (scheme == TENSION_SPLIT) return true;
    Wetting wet;
    return !partners_press(model, world) && !model->functions.sigma && !solids_have_bodies(&world->solids) &&
           !world->solids.sheets && !wetting_of(&wet, q, &world->solids, model->settings.wall_angle);
}

// Of the implicit scheme; 0: the step is explicit.
static double theta_of(const Liquid* q, const Model* model, const World* world, double dt)
{
    const TensionSettings* t = &model->settings.tension;
    if (is_explicit_when_pressed(model, world)) return 0;
    if (!(q->material.sigma > 0) || (t->scheme != TENSION_AUTO && t->scheme != TENSION_IMPLICIT)) return 0;
    if (t->scheme == TENSION_AUTO && (dt <= EXPLICIT_STEPS*tension_time(q)*(1 + 1e-9) || splits(q, model, world))) return 0;
    return t->theta > 0 ? t->theta : THETA;
}

// A step of dt takes as many.
static int cycles_of(const Liquid* q, const Model* model, const World* world, double dt)
{
    const TensionSettings* t = &model->settings.tension;
    if (!splits(q, model, world)) return 1;
    if (t->cycles > 0) return t->cycles;
    double steps = dt/tension_time(q)*(1 - 1e-9);
    if (t->variant == SPLIT_PAPER) return maxi(1, (int)ceil(steps/PAPER_STEPS));
    return steps <= EXPLICIT_STEPS ? 1 : maxi(2, (int)ceil(steps/CYCLE_STEPS));
}

TensionStep tension_decide(const Liquid* q, const Model* model, const World* world, double dt)
{
    const TensionSettings* t = &model->settings.tension;
    TensionStep s = {.way = TENSION_ABSENT, .cycles = 1};
    if (!(q->material.sigma > 0) || q->meshed) return s;  // a mesh has tension of its own
    s.theta = theta_of(q, model, world, dt), s.cycles = cycles_of(q, model, world, dt);
    if (t->scheme == TENSION_CSF) s.way = TENSION_IN_BAND;
    else if (t->scheme == TENSION_SPLIT && t->variant == SPLIT_PAPER) s.way = TENSION_AS_PRINTED;
    else s.way = s.theta > 0 ? TENSION_FITTED : s.cycles > 1 ? TENSION_IN_CYCLES : TENSION_AS_PRESSURE;
    s.on_surface = s.way != TENSION_IN_BAND && s.way != TENSION_AS_PRINTED;
    assert(s.cycles >= 1 && s.theta >= 0 && !(s.theta > 0 && s.cycles > 1));
    return s;
}

mn_status tension_begin(StepContext* ctx)
{
    TRY_MEMORY(ctx->tension = ARENA_ZERO(ctx->kept, TensionPlan, 1));
    return tension_take_stock(ctx);
}

mn_status tension_take_stock(StepContext* ctx)
{
    TensionPlan* plan = ctx->tension;
    const World* world = ctx->world;
    TRY_MEMORY(plan->liquid = ARENA_NEW(ctx->kept, TensionStep, world->liquid_count));
    TRY_MEMORY(plan->found = ARENA_ZERO(ctx->kept, TensionFound, world->liquid_count));
    plan->count = world->liquid_count;
    for (int m = 0; m < plan->count; m++) plan->liquid[m] = tension_decide(&world->liquid[m], ctx->model, world, ctx->dt);
    return MN_OK;
}

const TensionStep* tension_step(const Liquid* q, const StepContext* ctx)
{
    ptrdiff_t m = liquid_whole(q) - ctx->world->liquid;
    assert(ctx->tension && m >= 0 && m < ctx->tension->count && ctx->tension->count == ctx->world->liquid_count);
    return &ctx->tension->liquid[m];
}

bool tension_may_cycle(const Model* model)
{
    return model->settings.tension.scheme == TENSION_SPLIT || model->settings.tension.scheme == TENSION_AUTO;
}

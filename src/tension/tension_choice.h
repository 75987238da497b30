// How surface tension acts on one liquid in one step: decided here, for everybody (docs/tension.md).
#pragma once
#include "liquid/world.h"

// Steps of the explicit scheme, in units of tension_time. The scheme is stable to 2.5 of them (docs/tension.md) and, up to there,
// neither damps nor feeds waves.
static const double EXPLICIT_STEPS = 2;

typedef enum TensionWay {
    TENSION_ABSENT,       // the liquid has none
    TENSION_AS_PRESSURE,  // sigma kappa on the surface: the explicit step
    TENSION_FITTED,       // the same less what the surface gives way to within the step: the implicit one
    TENSION_IN_CYCLES,    // cycles on the frozen surface, then their mean as a pressure (tension_split.h)
    TENSION_AS_PRINTED,   // the cycles of [cohen2004] with a band force (tension_paper.c)
    TENSION_IN_BAND       // a band force, smoothed (tension_band.h)
} TensionWay;

typedef struct TensionStep {
    TensionWay way;
    bool on_surface;  // it is a pressure on the surface
    double theta;     // of the implicit scheme; 0 otherwise
    int cycles;       // 1 without any
} TensionStep;

TensionStep tension_decide(const Liquid* q, const Model* model, const World* world, double dt);

// What was found of a surface, and the phi that it is of; zeros: not found yet. Fields of the liquid's window.
typedef struct TensionFound {
    double* phi;
    double* surface;  // Pa
    // of the implicit scheme: what does not follow the velocity
    double* kappa;       // 1/m, before what the surface gives way to
    const double* seen;  // phi as its curvature sees it (flow_seen); NULL: as it is
    Edges edges;
    bool pressed;  // partners did press
} TensionFound;

// The decisions of a step under way. Arena memory, until the end of the step.
typedef struct TensionPlan {
    TensionStep* liquid;  // in the order of the world's liquids
    TensionFound* found;  // as well; since the liquids came apart and merged
    int count;
    struct TensionSplit* split;  // what the cycles left (tension_split.h); NULL: no liquid of this model can have any
} TensionPlan;

// Decides for all liquids of a step of ctx->dt, once it is known how long it is.
mn_status tension_begin(StepContext* ctx);
// Again for the liquids there are once they have come apart and merged: each goes on as its material says.
mn_status tension_take_stock(StepContext* ctx);
// What was decided for a liquid of the world.
const TensionStep* tension_step(const Liquid* q, const StepContext* ctx);
// Can any liquid of this model have cycles?
bool tension_may_cycle(const Model* model);
// sqrt(rho dx^3/(4 pi sigma)): the time a capillary wave of two cells takes for a radian or so; INFINITY without tension.
double tension_time(const Liquid* q);
// The largest step the chosen scheme allows for the liquids there are, s.
double tension_limit(const Model* model, const World* world);

// Tension in cycles of its own within a step of the flow; the method is told in tension_split.c.
#pragma once
#include "liquid/world.h"

// What the cycles of one liquid leave for the rest of the step. Memory lives as long as the step.
typedef struct SplitCycles {
    int count;      // of cycles; 1: none were needed, the step is the explicit one
    Window w;       // of the liquid before the step
    double* u[3];   // m/s, faces: the mean velocity of the cycles, which moves the surface
    double v[3];    // m/s: of the frame in which the cycles followed the surface
    double* kappa;  // 1/m, nodes: the mean curvature, an impulse of tension divided by sigma dt; NAN: not known there
    // of the paper's variant instead
    double* push[3];  // m/s, faces: dt times the force
    double* phi;      // m, nodes: the surface its cycles end with; NULL: it does not count
} SplitCycles;

typedef struct TensionSplit {
    int count;
    SplitCycles* liquid;  // in the order the liquids had before the step
} TensionSplit;

// All cycles of all liquids, and the carrying of their surfaces and velocities that follows: the step's second part. What they
// leave is in ctx->tension->split.
mn_status tension_split_carry(StepContext* ctx);
// kappa (1/m, nodes within CURVATURE_REACH) of a liquid at the end of the step: the mean of the cycles where it is known.
void tension_split_curvature(double* kappa, const Liquid* q, const TensionSplit* split);

// ---- parts of the above --------------------------------------------------------------------------------------------------

// The cycles of one liquid, before anything else in the step. ctx->acceleration acts in them too.
mn_status tension_split_run(SplitCycles* out, Liquid* q, StepContext* ctx);
// The same as the paper prints it (tension_paper.c), and u += the force it found.
mn_status tension_paper_run(SplitCycles* out, Liquid* q, StepContext* ctx);
mn_status tension_paper_push(Liquid* q, StepContext* ctx);

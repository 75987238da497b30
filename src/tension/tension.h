// Surface tension in a step. Method and measurements: docs/tension.md.
#pragma once
#include "liquid/world.h"

// Steps of the explicit scheme, in units of tension_time. The scheme is stable to 2.5 of them (docs/tension.md) and, up to there,
// neither damps nor feeds waves.
static const double EXPLICIT_STEPS = 2;

// Does tension act in cycles of its own in steps of this liquid that need it? `auto` does, except beside air films, which want
// short steps anyway, and where tension varies or lines have an angle other than 90 degrees: friction and lines follow cycles
// less well (docs/tension.md).
bool tension_splits(const Liquid* q, const Model* model, const World* world);
// sqrt(rho dx^3/(4 pi sigma)): the time a capillary wave of two cells takes for a radian or so; INFINITY without tension.
double tension_time(const Liquid* q);
// The largest step the chosen scheme allows for the liquids there are, s.
double tension_limit(const Model* model, const World* world);
// Pressure just inside the surface, sigma kappa (Pa), on the nodes near the surface; NULL without tension. Scratch memory.
mn_status tension_surface(double** surface, Liquid* q, StepContext* ctx, const double acceleration[3], double dt);
// The same in any scheme, also those whose surface has no pressure because tension has pushed the liquid already.
mn_status tension_pressure(double** surface, Liquid* q, StepContext* ctx, const double acceleration[3], double dt);
// curvature_sharpen on the surface phi (flow_seen) of q, beside the walls and solids that it meets at `contact` (NULL: 90
// degrees).
mn_status tension_sharpen(double* kappa, Arena* arena, const double* phi, const Liquid* q, const Contact* contact);
// The curvature that goes with it, 1/m: without net force where the liquid is free, the mean over the step in the split scheme.
mn_status tension_curvature(double** kappa, Liquid* q, StepContext* ctx, const double acceleration[3], double dt);
// Does tension act as a pressure on this liquid's surface? (Not if there is none, nor where a band force has pushed it.)
bool tension_acts_on_surface(const Liquid* q, const Model* model);
// theta of the implicit scheme for a step of this liquid; 0: the step is explicit.
double tension_theta(const Liquid* q, const Model* model, const World* world, double dt);

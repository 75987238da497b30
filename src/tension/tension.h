// Surface tension in a step. Method and measurements: docs/tension.md.
#pragma once
#include "liquid/world.h"
#include "tension/tension_choice.h"

// Pressure just inside the surface, sigma kappa (Pa), on the nodes near the surface; NULL without tension. To be read until the
// scratch memory is emptied; a surface that has not moved since it was asked last in the step is not asked again.
mn_status tension_surface(double** surface, Liquid* q, StepContext* ctx);
// The same in any scheme, also those whose surface has no pressure because tension has pushed the liquid already.
mn_status tension_pressure(double** surface, Liquid* q, StepContext* ctx);
// The curvature of phi beside lines that rest on edges (grid/contact_edges.h).
mn_status tension_fit_edges(double* kappa, Arena* arena, const double* phi, const Edges* edges, const Liquid* q,
                            const StepContext* ctx);
// contact_pull on the surface phi (flow_seen) of q.
void tension_pull_lines(double* kappa, const double* phi, const Edges* edges, const Liquid* q, const Contact* contact);

// curvature_sharpen on the surface phi (flow_seen) of q, beside the walls and solids that it meets at `contact` (NULL: 90
// degrees).
mn_status tension_sharpen(double* kappa, Arena* arena, const double* phi, const Liquid* q, const Contact* contact);
// The curvature that goes with it, 1/m: without net force where the liquid is free, the mean over the step in the split scheme.
mn_status tension_curvature(double** kappa, Liquid* q, StepContext* ctx);

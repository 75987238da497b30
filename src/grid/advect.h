// Semi-Lagrangian and MacCormack advection of a level set and of face velocities by a face velocity field u (m/s) that is
// known in the liquid and some cells beyond it.
#pragma once
#include "base/arena.h"
#include "grid/contact.h"
#include "grid/spans.h"

// ADVECT_CUBIC: the level set by one trace and a cubic where it is smooth, which keeps the curvature of its surface
// (docs/curvature.md); in thin sheets by one trace and what goes on from either side of their middle; MacCormack at other edges,
// and for the velocity.
// ADVECT_AUTO: a simulation takes cubics for liquids with tension, MacCormack for the others; not for the functions below.
typedef enum Advection { ADVECT_MACCORMACK, ADVECT_SEMILAGRANGIAN, ADVECT_CUBIC, ADVECT_AUTO } Advection;

// How far from a node or face, in nodes along each axis, a step of at most `cfl` cells reads phi and u: the trace, and what
// is read where it ends: -1 .. +2 by a cubic, -2 .. +3 in a sheet. Past the sides of the tank it reads less: there traces are
// clamped (interpolate.h).
#define ADVECT_READS(cfl) ((int)ceil(cfl) + 3)
// The same of the values after the first trace, which the second one reads linearly.
#define ADVECT_FIRST_READS(cfl) ((int)ceil(cfl) + 1)

// phi_t + u.grad phi = 0 for the nodes in the band. Traces by RK3.
mn_status advect_levelset(double* phi, Arena* arena, double* const u[3], const Spans* spans, const Window* w, double band,
                          double dt, Advection scheme);

// The same beside walls and solids: ghosts past the walls meet them at a contact angle (NULL: 90 degrees); `solid`: distance to
// solids, m, < 0 inside, where phi only goes on and has no sheets (NULL: there are none). Ghosts of phi must be filled at that
// angle; they are filled again.
mn_status advect_levelset_contact(double* phi, Arena* arena, double* const u[3], const Spans* spans, const Window* w, double band,
                                  double dt, Advection scheme, const Contact* contact, const double* solid);

// u_t + u.grad u = 0 for the faces of the spans with phi < reach. Traces by RK2. Ghosts of u must be filled.
mn_status advect_velocity(double* const u[3], Arena* arena, const double* phi, const Spans* spans, const Window* w, double reach,
                          double dt, Advection scheme);
// The same by another velocity than u itself (NULL: u).
mn_status advect_velocity_by(double* const u[3], Arena* arena, double* const carrier[3], const double* phi, const Spans* spans,
                             const Window* w, double reach, double dt, Advection scheme);

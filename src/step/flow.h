// The parts of a liquid step that act on one liquid.
#pragma once
#include "liquid/wetting.h"
#include "solve/pressure.h"
#include "step/sim.h"

// Box acceleration turned into what the liquid feels: gravity - a(t).
mn_status flow_acceleration(double out[3], const Model* model, double t);
void flow_book_outflow(StepContext* ctx, double dt);
// Surface and velocity carried by `carrier` (NULL: by the velocity itself).
mn_status flow_advect(Liquid* q, StepContext* ctx, double* const carrier[3], double dt);
// phi, that of q or another field, past walls and in solids as `contact` (NULL: 90 degrees) asks for. before (may be NULL):
// the field before the line could move; hysteresis then holds it there.
mn_status flow_wet(double* phi, Arena* arena, const Liquid* q, const StepContext* ctx, const Contact* contact,
                   const double* before);
// The surface as its own curvature sees it: q->phi, or in scratch memory a copy that goes on through thin walls
// (liquid/backing.h), ghosts filled.
mn_status flow_seen(const double** phi, Arena* arena, const Liquid* q, const StepContext* ctx, const Contact* contact);
mn_status flow_move_solids(StepContext* ctx, double dt);
// Window, redistance, contact with solids, spans and cut cells.
mn_status flow_rebuild_surface(Liquid* q, StepContext* ctx, Arena* kept, int sweeps);
void flow_add_acceleration(Liquid* q, const double acceleration[3], double dt);
// Inner friction, if the liquid has any (flow_viscosity.c). Wet faces and two layers past the surface change.
mn_status flow_add_viscosity(Liquid* q, StepContext* ctx, const double acceleration[3], double dt);
// Walls hold their velocity, pressure and tension make u divergence-free, u is carried past the surface. acceleration (m/s^2)
// is what has acted on u; NULL: tension does not act either, and the projected u does not depend on dt.
mn_status flow_project(Liquid* q, StepContext* ctx, const double acceleration[3], double dt);

// ---- parts of the above --------------------------------------------------------------------------------------------------

static inline void flow_velocity(double* u[3], Liquid* q)
{
    for (int d = 0; d < 3; d++) u[d] = q->u[d].v;
}
// How this liquid's pressure is discretised: with PRESSURE_AUTO the ghost-fluid operator where tension is a pressure on the
// surface, since its projection keeps energy; else, and beside air films, cut cells (docs/pressure.md).
PressureKind flow_operator(const Liquid* q, const StepContext* ctx);
// How this liquid's surface and velocity ride.
Advection flow_advection(const Liquid* q, const StepContext* ctx);
// Nothing flows through walls; open sides let liquid out only.
void flow_hold_walls(Liquid* q);
// Solves for the pressure q->p (with tension, as above) that goes with velocity u; *p is ready for pressure_update. Scratch
// memory.
mn_status flow_pressure(Pressure* p, Liquid* q, StepContext* ctx, double* const u[3], const double acceleration[3], double dt);
// What a pressure problem is built from; tension acts unless acceleration is NULL. Scratch memory.
mn_status flow_pressure_input(PressureInput* in, Liquid* q, StepContext* ctx, const double acceleration[3], double dt);
SolveOptions flow_solve_options(const StepContext* ctx);
// Puts a solve into the step's report; MN_NO_CONVERGENCE if it stalled. id: a liquid of it.
mn_status flow_book_solve(StepContext* ctx, const SolveReport* report, int id);
// After the solve: u less the pressure gradient, then carried past the surface; and, last, held to the solids. Scratch memory.
mn_status flow_update(Pressure* p, Liquid* q, StepContext* ctx);
void flow_constrain(Liquid* q, StepContext* ctx);

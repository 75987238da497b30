// The pressure of one liquid in a step, with tension on its surface: what its problem is built from, and the velocity after the
// solve.
#pragma once
#include "liquid/flow.h"
#include "solve/pressure.h"

// Walls hold their velocity, pressure and tension make u divergence-free, u is carried past the surface. acceleration (m/s^2)
// is what has acted on u; NULL: tension does not act either, and the projected u does not depend on dt.
mn_status flow_project(Liquid* q, StepContext* ctx, const double acceleration[3], double dt);

// ---- parts of the above --------------------------------------------------------------------------------------------------

// How this liquid's pressure is discretised: with PRESSURE_AUTO the ghost-fluid operator where tension is a pressure on the
// surface, since its projection keeps energy; else, and where a partner presses on the surface, cut cells (docs/pressure.md).
PressureKind flow_operator(const Liquid* q, const StepContext* ctx);
// Solves for the pressure q->p (with tension, as above) that goes with velocity u; *p is ready for pressure_update. Scratch
// memory.
mn_status flow_pressure(Pressure* p, Liquid* q, StepContext* ctx, double* const u[3], const double acceleration[3], double dt);
// What a pressure problem is built from; tension acts unless acceleration is NULL. Scratch memory.
mn_status flow_pressure_input(PressureInput* in, Liquid* q, StepContext* ctx, const double acceleration[3], double dt);
SolveOptions flow_solve_options(const StepContext* ctx);
// Puts a solve into the step's report; MN_NO_CONVERGENCE if it stalled. id: a liquid of it.
mn_status flow_book_solve(StepContext* ctx, const SolveReport* report, int id);
// After the solve: u less the pressure gradient, then carried past the surface. Scratch memory.
mn_status flow_update(Pressure* p, Liquid* q, StepContext* ctx);

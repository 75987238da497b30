// The pressure of one liquid in a step, with tension on its surface: what its problem is built from, and the velocity after the
// solve.
#pragma once
#include "liquid/flow.h"
#include "solve/pressure.h"

// What acts on the surface while a pressure is solved for.
typedef enum SurfaceLoad {
    SURFACE_IS_FREE,     // nothing: the velocity is only made divergence-free (the start of a run), or tension comes later
    SURFACE_HAS_TENSION  // tension, if the step's decision makes it a pressure on the surface (tension_step)
} SurfaceLoad;

// Walls hold their velocity, pressure and tension make u, on which ctx->acceleration has acted for ctx->dt, divergence-free; u is
// carried past the surface. A liquid whose surface is a mesh has a solve of its own.
mn_status flow_project(Liquid* q, StepContext* ctx, SurfaceLoad load);

// ---- parts of the above --------------------------------------------------------------------------------------------------

// How this liquid's pressure is discretised: with PRESSURE_AUTO the ghost-fluid operator where tension is a pressure on the
// surface, since its projection keeps energy; else, and where a partner presses on the surface, cut cells (docs/pressure.md).
PressureKind flow_operator(const Liquid* q, const StepContext* ctx);
// The problem of the pressure that goes with velocity u over the step, and, with numerics.unilateral, the skin that may let go.
// Scratch memory.
mn_status flow_build(Pressure* p, Liquid* q, StepContext* ctx, double* const u[3], SurfaceLoad load);
// Solves it for q->p, as often as skin lets go (liquid/letting_go.h); *p is ready for pressure_update. Scratch memory.
mn_status flow_pressure(Pressure* p, Liquid* q, StepContext* ctx, double* const u[3], SurfaceLoad load);
// What a pressure problem over dt (s; cycles take less than the step) is built from. Scratch memory.
mn_status flow_pressure_input(PressureInput* in, Liquid* q, StepContext* ctx, SurfaceLoad load, double dt);
// With numerics.unilateral: the pieces of skin that may let go, closed. Scratch memory.
mn_status flow_skins(PressureInput* in, Liquid* q, StepContext* ctx);
SolveOptions flow_solve_options(const StepContext* ctx);
// Puts a solve into the step's report; MN_NO_CONVERGENCE if it stalled. id: a liquid of it.
mn_status flow_book_solve(StepContext* ctx, const SolveReport* report, int id);
// After the solve: u less the pressure gradient, then carried past the surface (grid/past_surface.h). pressed: per cut cell, >= 0
// where a partner presses on it; NULL: nowhere. Scratch memory.
mn_status flow_update(Pressure* p, Liquid* q, StepContext* ctx, const int* pressed);
// After that: the surface follows where liquid leaves skin; false: it does so nowhere. Gaps take volume, and the books are closed
// at the end of the step: flow_settle_gaps gives it back all over the surface. That empties the scratch arena.
mn_status flow_part(bool* parted, Liquid* q, StepContext* ctx, const Pressure* p);
mn_status flow_settle_gaps(Liquid* q, StepContext* ctx);

// The pressure of a liquid beside sheets: what each side sees has a problem of its own, and both are solved as one
// (solve/pressure_sides.h).
#pragma once
#include "liquid/coupling.h"
#include "tension/flow_pressure.h"

// As flow_project, for what each side of sheets sees.
mn_status flow_project_sides(Liquid* q, StepContext* ctx, SurfaceLoad load);
// The problems of both sides, built and solved by themselves, and what each side sees of the pressure (sides.view[m].p). The
// problems are in scratch memory, the views in what is kept.
mn_status flow_side_pressures(SidedProblem* out, Liquid* q, StepContext* ctx, SurfaceLoad load);

// ---- in parts, for partners that move sheets -----------------------------------------------------------------------------

// The problems, joined. yields: sheets that move give way to the pressure.
mn_status flow_build_sides(SidedProblem* out, Liquid* q, StepContext* ctx, SurfaceLoad load, bool yields);
// The pressures of both sides, once the grid's are in q->p and those beside it in joined.far_p.
mn_status flow_see_pressures(SidedProblem* s, const Liquid* q, StepContext* ctx);
// Velocities of both sides less the pressure gradient, carried past the surface and held to sheets and solids; the liquid takes
// them over.
mn_status flow_update_sides(SidedProblem* s, Liquid* q, StepContext* ctx);

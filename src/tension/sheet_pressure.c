#include "tension/sheet_pressure.h"

#include <math.h>
#include "liquid/sheet_work.h"

mn_status flow_build_sides(SidedProblem* out, Liquid* q, StepContext* ctx, SurfaceLoad load, bool yields)
{
    TRY(sides_cut(&out->sides, ctx->kept, q));
    for (int m = 0; m < 2; m++) {
        double* u[3];
        Liquid* view = &out->sides.view[m];
        flow_hold_walls(view, false);
        flow_velocity(u, view);
        PressureInput in;
        TRY(flow_pressure_input(&in, view, ctx, load, ctx->dt));
        in.solid_yields = yields;
        TRY(pressure_build(&out->p[m], ctx->scratch, &in, u));
    }
    return pressure_sides_join(&out->joined, ctx->scratch, &out->p[0], &out->p[1]);
}

mn_status flow_see_pressures(SidedProblem* s, const Liquid* q, StepContext* ctx)
{
    for (int m = 0; m < 2; m++) TRY_MEMORY(s->sides.view[m].p.v = pressure_sides_seen(ctx->scratch, &s->joined, m, q->p.v));
    return MN_OK;
}

mn_status flow_side_pressures(SidedProblem* s, Liquid* q, StepContext* ctx, SurfaceLoad load)
{
    SolveReport report;
    SolveOptions options = flow_solve_options(ctx);
    TRY(flow_build_sides(s, q, ctx, load, false));
    stage_end(ctx->times, STAGE_BUILD);
    TRY(pressure_sides_solve(q->p.v, &report, &s->joined, &options, ctx->scratch));
    TRY(flow_book_solve(ctx, &report, q->id));
    TRY(flow_see_pressures(s, q, ctx));
    stage_end(ctx->times, STAGE_SOLVE);
    return MN_OK;
}

// What sheets that move do to the liquid, for the books of the step. One that starts to move has the liquid around it moving at
// once: its added mass, about rho L^dim for a wetted size of L, at its speed.
static void book_sheets(StepContext* ctx, const SidedProblem* s)
{
    SheetWork work = {0};
    EnergyBalance* e = &ctx->report->energy;
    const PressureInput* in = &s->p[0].in;
    if (!ctx->world->solids.moving_sheets || ctx->starts) return;
    for (int m = 0; m < 2; m++) sheet_work_add(&work, &s->sides.view[m], &s->p[m], &ctx->world->solids, ctx->acceleration);
    double wet = 0.5*work.wet;  // both sides of it
    e->work += work.power*ctx->dt;
    e->driven += 0.5*in->rho*work.fastest*work.fastest*(in->w->dim == 3 ? pow(wet, 1.5) : wet*wet);
}

mn_status flow_update_sides(SidedProblem* s, Liquid* q, StepContext* ctx)
{
    Pressure* p = s->p;
    book_sheets(ctx, s);
    for (int m = 0; m < 2; m++) {
        double* u[3];
        flow_velocity(u, &s->sides.view[m]);
        pressure_update(&p[m], u, s->sides.view[m].p.v);
    }
    sides_agree(&s->sides, (unsigned char* const* const[2]){p[0].kind, p[1].kind});
    for (int m = 0; m < 2; m++) {
        double* u[3];
        Liquid* view = &s->sides.view[m];
        flow_velocity(u, view);
        SurfaceView surface = liquid_surface(view);
        TRY(past_surface_fill(u, ctx->scratch, p[m].kind, &p[m].in.past, NULL, &surface));
        TRY(flow_constrain(view, ctx));
    }
    sides_close(q, &s->sides);
    return MN_OK;
}

mn_status flow_project_sides(Liquid* q, StepContext* ctx, SurfaceLoad load)
{
    SidedProblem* s = ARENA_NEW(ctx->kept, SidedProblem, 1);
    TRY_MEMORY(s);
    TRY(flow_side_pressures(s, q, ctx, load));
    TRY(flow_update_sides(s, q, ctx));
    arena_reset(ctx->scratch);
    stage_end(ctx->times, STAGE_EXTRAPOLATE);
    return MN_OK;
}

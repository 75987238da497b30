#include "tension/flow_pressure.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/extrapolate.h"
#include "liquid/momentum.h"
#include "liquid/sources.h"
#include "tension/tension.h"

// Where an air film presses on a patch, the pressure past it is not the surface's own. In cut cells short steps go without:
// eddies past the surface would fade too slowly there (a sloshing tank of 64 cells grew by 13 % per period).
static bool keeps_past_surface(const Liquid* q, const StepContext* ctx)
{
    return tension_decide(q, ctx->model, ctx->world, ctx->dt).on_surface && !partners_press(ctx->model, ctx->world);
}

PressureKind flow_operator(const Liquid* q, const StepContext* ctx)
{
    if (ctx->model->settings.op != PRESSURE_AUTO) return ctx->model->settings.op;
    return keeps_past_surface(q, ctx) ? PRESSURE_GHOST : PRESSURE_CUT;
}

// With tension, pressure moves every face next to an unknown cell, also those past the surface, each with the little mass between
// the cell's centre and the surface. Nothing holds eddies among them and among faces with little liquid: tension acts on what
// moves the surface, and in a liquid without friction the differences of curvature from link to link would drive them for ever
// (drop at rest, R = 20 dx: from 1e-3 to 1e-2 in 20 times sqrt(rho R^3/sigma)). So they fade to what the liquid
// behind continues to. A wave of 32 cells keeps 0.996 of its height per period. Beside films, where pressure does not move the
// faces past the surface, those with little liquid are no better held: drops on lines of flight tilted against the grid rose to
// 1.3 of their energy (docs/film_results.md).
static const double SETTLING = 0.1;       // part per capillary time
static const double MOST_SETTLING = 0.5;  // with all of it in one step a drop at rest grew waves at 10 capillary times

static mn_status settle_past_surface(Liquid* q, StepContext* ctx, const Pressure* p)
{
    bool is_pressed = partners_press(ctx->model, ctx->world) && tension_decide(q, ctx->model, ctx->world, ctx->dt).on_surface;
    if (!p->in.past_surface && !is_pressed) return MN_OK;
    // what friction does to eddies of two cells by itself, k = pi/dx, need not be done once more
    double t_s = tension_time(q), k = PI/q->w.dx, friction = q->material.mu/q->material.rho*k*k*t_s;
    double *u[3], *area[3], rate = fmin(fmax(SETTLING - friction, 0)*p->in.dt/t_s, MOST_SETTLING);
    if (!(rate > 0)) return MN_OK;
    flow_velocity(u, q);
    for (int d = 0; d < 3; d++) area[d] = q->cells.area[d];
    return extrapolate_settle(u, ctx->scratch, (unsigned char* const*)p->valid, area, q->phi.v, &q->spans, &q->w, rate);
}

mn_status flow_pressure_input(PressureInput* in, Liquid* q, StepContext* ctx, const double acceleration[3], double dt)
{
    assert(dt > 0 && q->cells.index);
    *in = (PressureInput){.kind = flow_operator(q, ctx),
                          .w = &q->w,
                          .spans = &q->spans,
                          .cells = &q->cells,
                          .phi = q->phi.v,
                          .phi_solid = q->phi_solid.v,
                          .solid = {solids_velocity, &ctx->world->solids},
                          .past_surface = keeps_past_surface(q, ctx),
                          .rho = q->material.rho,
                          .dt = dt};
    if (in->kind == PRESSURE_CUT && !(dt > 2*tension_time(q))) in->past_surface = false;
    double *divergence = NULL, *surface = NULL;
    TRY(sources_divergence(&divergence, ctx, q, ctx->scratch));
    if (acceleration) TRY(tension_surface(&surface, q, ctx, acceleration, dt));
    in->divergence = divergence, in->surface = surface;
    return MN_OK;
}

SolveOptions flow_solve_options(const StepContext* ctx)
{
    // the first solve starts from nothing; what it leaves undone would stay in the liquid as motion that nothing damps
    return (SolveOptions){ctx->world->step == 0 ? 1e-3*ctx->model->settings.tolerance : ctx->model->settings.tolerance, 200};
}

mn_status flow_book_solve(StepContext* ctx, const SolveReport* report, int id)
{
    assert(report->iterations >= 0 && report->unknowns >= 0);
    if (!report->converged)
        return mn_fail(MN_NO_CONVERGENCE, "liquid %d: the pressure solve stalled at residual %.2g after %d iterations", id,
                       report->residual, report->iterations);
    ctx->report->iterations = maxi(ctx->report->iterations, report->iterations);
    ctx->report->residual = fmax(ctx->report->residual, report->residual);
    ctx->report->unknowns += report->unknowns;
    return MN_OK;
}

static mn_status solve_pressure(Liquid* q, StepContext* ctx, Pressure* p)
{
    SolveReport report;
    SolveOptions options = flow_solve_options(ctx);
    TRY(poisson_solve(q->p.v, &report, &p->system, &options, ctx->scratch));
    return flow_book_solve(ctx, &report, q->id);
}

mn_status flow_pressure(Pressure* p, Liquid* q, StepContext* ctx, double* const u[3], const double acceleration[3], double dt)
{
    PressureInput in;
    TRY(flow_pressure_input(&in, q, ctx, acceleration, dt));
    TRY(pressure_build(p, ctx->scratch, &in, u));
    stage_end(ctx->times, STAGE_BUILD);
    mn_status status = solve_pressure(q, ctx, p);
    stage_end(ctx->times, STAGE_SOLVE);
    return status;
}

mn_status flow_update(Pressure* p, Liquid* q, StepContext* ctx)
{
    assert(p->in.w == &q->w);  // the problem is this liquid's
    double* u[3];
    flow_velocity(u, q);
    pressure_update(p, u, q->p.v);
    TRY(settle_past_surface(q, ctx, p));
    return extrapolate_velocity(u, ctx->scratch, p->valid, q->phi.v, liquid_solid(q), &q->spans, &q->w, ALL_LAYERS);
}

mn_status flow_project(Liquid* q, StepContext* ctx, const double acceleration[3], double dt)
{
    double* u[3];
    flow_velocity(u, q);
    flow_hold_walls(q);
    Pressure p;
    unsigned free_axes = acceleration && q->material.sigma > 0 ? momentum_free_axes(q) : 0;
    double before[3];
    if (free_axes) TRY(momentum_mean_velocity(before, q, ctx->scratch));
    TRY(flow_pressure(&p, q, ctx, u, acceleration, dt));
    TRY(flow_update(&p, q, ctx));
    if (free_axes) TRY(momentum_keep_velocity(q, before, free_axes, ctx->scratch));
    flow_constrain(q, ctx);
    arena_reset(ctx->scratch);
    stage_end(ctx->times, STAGE_EXTRAPOLATE);
    return MN_OK;
}

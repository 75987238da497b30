#include "tension/flow_pressure.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "liquid/letting_go.h"
#include "liquid/liquid_volume.h"
#include "liquid/momentum.h"
#include "liquid/sources.h"
#include "liquid/wetting.h"
#include "tension/sheet_pressure.h"
#include "tension/tension.h"

PressureKind flow_operator(const Liquid* q, const StepContext* ctx)
{
    if (ctx->model->settings.op != PRESSURE_AUTO) return ctx->model->settings.op;
    return tension_step(q, ctx)->on_surface && !partners_press(ctx->model, ctx->world) ? PRESSURE_GHOST : PRESSURE_CUT;
}

static PastSurface past_surface(const Liquid* q, const StepContext* ctx, PressureKind kind, double dt)
{
    SurfaceCase c = {.has_tension = tension_step(q, ctx)->on_surface,
                     .is_pressed = partners_press(ctx->model, ctx->world),
                     .has_patches = kind == PRESSURE_CUT,
                     .dt = dt,
                     .t_s = tension_time(q),
                     .viscosity = q->material.mu/q->material.rho,
                     .dx = q->w.dx,
                     .lines_on_walls = wetting_has_lines_on_walls(q, ctx->model->settings.wall_angle)};
    return past_surface_rule(&c);
}

// How solids move where their velocity is known: at the start all, later those that no solve moves.
static SolidMotion solid_motion(const Liquid* q, const StepContext* ctx)
{
    const Solids* s = &ctx->world->solids;
    if (q->side && s->moving_sheets) return flow_skin_motion(q, s);
    if (ctx->starts) return (SolidMotion){solids_velocity, s};
    return (SolidMotion){solids_any_scripted(s) ? solids_scripted_velocity : NULL, s};
}

mn_status flow_pressure_input(PressureInput* in, Liquid* q, StepContext* ctx, SurfaceLoad load, double dt)
{
    assert(dt > 0 && q->cells.index);
    PressureKind kind = flow_operator(q, ctx);
    *in = (PressureInput){.kind = kind,
                          .w = &q->w,
                          .spans = &q->spans,
                          .cells = &q->cells,
                          .phi = q->phi.v,
                          .phi_solid = q->phi_solid.v,
                          .side = q->side,
                          .solid = solid_motion(q, ctx),
                          .past = past_surface(q, ctx, kind, dt),
                          .rho = q->material.rho,
                          .dt = dt};
    double *divergence = NULL, *surface = NULL;
    if (in->phi_solid && !in->side) TRY(pressure_find_open(in, ctx->scratch));
    TRY(sources_divergence(&divergence, ctx, q, ctx->scratch));
    if (load == SURFACE_HAS_TENSION) {
        double impulse[3];
        TRY(tension_surface(&surface, q, ctx));
        TRY(partners_pull(&surface, impulse, ctx, q));
    }
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
    if (!isfinite(report->residual))
        return mn_fail(MN_NO_CONVERGENCE, "liquid %d: the velocity is without bound before the pressure solve", id);
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

mn_status flow_skins(PressureInput* in, Liquid* q, StepContext* ctx)
{
    if (!ctx->model->settings.unilateral) return MN_OK;
    SkinList* skins = ARENA_NEW(ctx->scratch, SkinList, 1);
    TRY_MEMORY(skins);
    TRY(letting_go_skins(skins, ctx->scratch, q, ctx, in));
    in->skins = skins;
    return MN_OK;
}

mn_status flow_build(Pressure* p, Liquid* q, StepContext* ctx, double* const u[3], SurfaceLoad load)
{
    PressureInput in;
    TRY(flow_pressure_input(&in, q, ctx, load, ctx->dt));
    TRY(flow_skins(&in, q, ctx));
    return pressure_build(p, ctx->scratch, &in, u);
}

mn_status flow_pressure(Pressure* p, Liquid* q, StepContext* ctx, double* const u[3], SurfaceLoad load)
{
    TRY(flow_build(p, q, ctx, u, load));
    stage_end(ctx->times, STAGE_BUILD);
    mn_status status = solve_pressure(q, ctx, p);
    for (int round = 1; status == MN_OK && letting_go_open(p, q, round) > 0; round++) {
        TRY(pressure_reopen(p, ctx->scratch, u));
        status = solve_pressure(q, ctx, p);
    }
    stage_end(ctx->times, STAGE_SOLVE);
    return status;
}

mn_status flow_update(Pressure* p, Liquid* q, StepContext* ctx, const int* pressed)
{
    assert(p->in.w == &q->w);  // the problem is this liquid's
    double* u[3];
    flow_velocity(u, q);
    pressure_update(p, u, q->p.v);
    SurfaceView surface = liquid_surface(q);
    return past_surface_fill(u, ctx->scratch, p->kind, &p->in.past, pressed, &surface);
}

mn_status flow_part(bool* parted, Liquid* q, StepContext* ctx, const Pressure* p)
{
    int count;
    *parted = false;
    if (!p->in.skins) return MN_OK;
    letting_go_hold_back(q, p);
    TRY(letting_go_part(&count, q, ctx->scratch, p->in.skins, &ctx->world->solids, ctx->dt));
    *parted = count > 0;
    return MN_OK;
}

mn_status flow_settle_gaps(Liquid* q, StepContext* ctx)
{
    double before[3], after[3];
    float* freedom;
    bool is_off_sides = momentum_is_off_sides(q);  // a drop that holds on to a body: a gap that opens does not push them
    if (is_off_sides) TRY(momentum_mean_velocity(before, q, ctx->scratch));
    TRY(liquid_rebuild(q, ctx->kept, &ctx->world->solids));
    TRY(partners_hold(&freedom, ctx, (int)(q - ctx->world->liquid)));
    TRY(liquid_reach_volume(q, ctx->scratch, freedom));
    TRY(liquid_rebuild(q, ctx->kept, &ctx->world->solids));
    if (!is_off_sides) return MN_OK;
    TRY(momentum_mean_velocity(after, q, ctx->scratch));
    momentum_calm(q, after, before, 1);
    return MN_OK;
}

mn_status flow_project(Liquid* q, StepContext* ctx, SurfaceLoad load)
{
    if (q->meshed) return MN_OK;
    if (q->sheet) return flow_project_sides(q, ctx, load);
    double* u[3];
    flow_velocity(u, q);
    flow_hold_walls(q, ctx->model->settings.unilateral);
    Pressure p;
    Motion motion = {0};
    if (load == SURFACE_HAS_TENSION) {
        double impulse[3], *none = NULL;
        TRY(momentum_note(&motion, q, ctx->scratch));
        TRY(partners_pull(&none, impulse, ctx, q));
        for (int d = 0; d < 3; d++) motion.v[d] += impulse[d]/(q->material.rho*q->cells.volume);
    }
    TRY(flow_pressure(&p, q, ctx, u, load));
    TRY(flow_update(&p, q, ctx, NULL));
    bool parted;
    TRY(flow_part(&parted, q, ctx, &p));
    if (parted) TRY(flow_settle_gaps(q, ctx));
    if (ctx->model->functions.sigma) motion.mirrored = 0;  // tension varies, also along the lines on mirrors
    if (motion.mirrored) {
        MirrorForce force = momentum_mirror_force(q, q->material.sigma);
        momentum_add_push(&motion, q, &force, ctx->dt);
        if (tension_step(q, ctx)->on_surface) momentum_add_pull(&motion, q, &force, ctx->dt);
    }
    TRY(momentum_settle(q, &motion, ctx->scratch));
    TRY(flow_constrain(q, ctx));
    arena_reset(ctx->scratch);
    stage_end(ctx->times, STAGE_EXTRAPOLATE);
    return MN_OK;
}

#include "step/project.h"

#include "liquid/letting_go.h"
#include "tension/sheet_pressure.h"

#define FOR_PARTNERS(list, p) for (const Partner* p = (list)->partner; p < (list)->partner + (list)->count; p++)

// u* of the joined liquids becomes a pressure problem each, with tension on its surface.
static mn_status build(Coupling* c, StepContext* ctx)
{
    for (int m = 0; m < c->liquids; m++) {
        Liquid* q = &ctx->world->liquid[m];
        if (!c->joined[m]) continue;
        if (q->sheet) {
            TRY_MEMORY(c->sided[m] = ARENA_NEW(ctx->scratch, SidedProblem, 1));
            TRY(flow_build_sides(c->sided[m], q, ctx, SURFACE_HAS_TENSION, true));
            continue;
        }
        double* u[3];
        flow_velocity(u, q);
        flow_hold_walls(q, ctx->model->settings.unilateral);
        TRY_MEMORY(c->pressure[m] = ARENA_NEW(ctx->scratch, Pressure, 1));
        TRY(flow_build(c->pressure[m], q, ctx, u, SURFACE_HAS_TENSION));
    }
    return coupling_gather(c, ctx->world->liquid, ctx->scratch);
}

// Skin of a cluster's liquids that pulls too hard lets go; *more: of how many pieces.
static mn_status let_go(int* more, Coupling* c, StepContext* ctx, int cluster, int round)
{
    *more = 0;
    for (int m = 0; m < c->liquids; m++) {
        Liquid* q = &ctx->world->liquid[m];
        double* u[3];
        if (c->of[m] != cluster || c->sided[m]) continue;  // sheets let go of nothing yet
        int opened = letting_go_open(c->pressure[m], q, round);
        if (opened == 0) continue;
        flow_velocity(u, q);
        TRY(pressure_reopen(c->pressure[m], ctx->scratch, u));
        coupling_keep(c, m);
        *more += opened;
    }
    return MN_OK;
}

// Cluster by cluster: liquids that share no partner do not wait for each other's iterations.
static mn_status solve(Coupling* c, const Partners* list, StepContext* ctx)
{
    SolveOptions options = flow_solve_options(ctx);
    for (int k = 0; k < c->clusters; k++)
        for (int round = 1, more = 1; more > 0; round++) {
            SolveReport report;
            TRY(partners_solve(&report, list, c, k, &options, ctx->scratch));
            TRY(flow_book_solve(ctx, &report, ctx->world->liquid[c->cluster[k].first].id));
            TRY(let_go(&more, c, ctx, k, round));
        }
    return MN_OK;
}

// Everybody says whom he joins; the problems of those, assembled and solved.
static mn_status find_pressures(Coupling* c, const Partners* list, StepContext* ctx)
{
    for (int m = 0; m < c->liquids; m++) flow_hold_walls(&ctx->world->liquid[m], ctx->model->settings.unilateral);
    FOR_PARTNERS(list, p)
    if (p->verbs->couple) TRY(p->verbs->couple(p->self, c, ctx));
    if (coupling_is_empty(c)) return MN_OK;
    TRY(build(c, ctx));
    FOR_PARTNERS(list, p)
    if (p->verbs->assemble) TRY(p->verbs->assemble(p->self, c, ctx));
    stage_end(ctx->times, STAGE_BUILD);
    TRY(solve(c, list, ctx));
    stage_end(ctx->times, STAGE_SOLVE);
    return MN_OK;
}

mn_status project_foresee(Coupling* c, const Partners* list, StepContext* ctx)
{
    TRY(coupling_begin(c, ctx->world->liquid_count, ctx->scratch));
    c->foresees = true;
    return find_pressures(c, list, ctx);
}

// The velocity after the projection. Where a partner presses on the surface, that past the surface is such that the level set
// moves as the partner's rows say the surface does.
static mn_status update(Coupling* c, StepContext* ctx)
{
    for (int m = 0; m < c->liquids; m++) {
        if (c->pressure[m]) TRY(flow_update(c->pressure[m], &ctx->world->liquid[m], ctx, c->pressed[m]));
        if (!c->sided[m]) continue;
        TRY(flow_see_pressures(c->sided[m], &ctx->world->liquid[m], ctx));
        TRY(flow_update_sides(c->sided[m], &ctx->world->liquid[m], ctx));
    }
    return MN_OK;
}

// parted: per liquid, whether it has left skin.
static mn_status project_joined(bool* parted, Coupling* c, StepContext* ctx)
{
    const Partners* list = &ctx->world->partners;
    TRY(find_pressures(c, list, ctx));
    if (coupling_is_empty(c)) return MN_OK;
    FOR_PARTNERS(list, p)
    if (p->verbs->answer) TRY(p->verbs->answer(p->self, c, ctx));
    TRY(update(c, ctx));
    FOR_PARTNERS(list, p)
    if (p->verbs->take_back) TRY(p->verbs->take_back(p->self, c, ctx));
    for (int m = 0; m < c->liquids; m++)
        if (c->pressure[m]) TRY(flow_part(&parted[m], &ctx->world->liquid[m], ctx, c->pressure[m]));
    for (int m = 0; m < c->liquids; m++)
        if (c->pressure[m]) TRY(flow_constrain(&ctx->world->liquid[m], ctx));
    FOR_PARTNERS(list, p)
    if (p->verbs->settle) TRY(p->verbs->settle(p->self, c, ctx));
    stage_end(ctx->times, STAGE_EXTRAPOLATE);
    return MN_OK;
}

mn_status project_liquids(StepContext* ctx)
{
    Coupling c;
    TRY(coupling_begin(&c, ctx->world->liquid_count, ctx->kept));
    bool* parted = ARENA_ZERO(ctx->kept, bool, c.liquids);
    TRY_MEMORY(parted);
    if (ctx->world->partners.count > 0) {
        mn_status status = project_joined(parted, &c, ctx);
        partners_end(&ctx->world->partners);
        TRY(status);
        arena_reset(ctx->scratch);
    }
    // only now: restoring a volume empties the scratch arena, in which partners keep what belongs to the projection
    for (int m = 0; m < c.liquids; m++)
        if (parted[m]) TRY(flow_settle_gaps(&ctx->world->liquid[m], ctx));
    for (int m = 0; m < c.liquids; m++)
        if (!c.joined[m]) TRY(flow_project(&ctx->world->liquid[m], ctx, SURFACE_HAS_TENSION));
    return MN_OK;
}

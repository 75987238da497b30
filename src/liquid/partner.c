#include "liquid/partner.h"

#include <assert.h>
#include <math.h>
#include "liquid/world.h"

mn_status partners_add(Partners* p, const PartnerVerbs* verbs, void* self)
{
    assert(verbs && self && verbs->name);
    if (p->count == PARTNERS_MOST || partners_find(p, verbs)) {
        if (verbs->free) verbs->free(self);
        return mn_fail(MN_BAD_ARGUMENT, "the partner \"%s\" cannot move in: it is here already, or there is no room",
                       verbs->name);
    }
    p->partner[p->count++] = (Partner){verbs, self};
    return MN_OK;
}

void* partners_find(const Partners* p, const PartnerVerbs* verbs)
{
    for (int m = 0; m < p->count; m++)
        if (p->partner[m].verbs == verbs) return p->partner[m].self;
    return NULL;
}

void partners_free(Partners* p)
{
    for (int m = 0; m < p->count; m++)
        if (p->partner[m].verbs->free) p->partner[m].verbs->free(p->partner[m].self);
    *p = (Partners){0};
}

#define FOR_PARTNERS(list, p) for (const Partner* p = (list)->partner; p < (list)->partner + (list)->count; p++)

mn_status partners_visit(Partners* list, StateVisitor* v)
{
    FOR_PARTNERS(list, p)
    if (p->verbs->visit) TRY(p->verbs->visit(p->self, v));
    return MN_OK;
}

double partners_limit(const char** by, const Model* model, const World* world, double dt)
{
    *by = NULL;
    FOR_PARTNERS(&world->partners, p)
    {
        double own = p->verbs->limit ? p->verbs->limit(p->self, model, world, dt) : dt;
        if (own < dt) dt = own, *by = p->verbs->name;
    }
    return dt;
}

bool partners_want_even_steps(const World* world)
{
    FOR_PARTNERS(&world->partners, p)
    if (p->verbs->wants_even_steps && p->verbs->wants_even_steps(p->self)) return true;
    return false;
}

bool partners_press(const Model* model, const World* world)
{
    FOR_PARTNERS(&world->partners, p)
    if (p->verbs->presses && p->verbs->presses(p->self, model, world)) return true;
    return false;
}

mn_status partners_predict(StepContext* ctx)
{
    FOR_PARTNERS(&ctx->world->partners, p)
    if (p->verbs->predict) TRY(p->verbs->predict(p->self, ctx));
    return MN_OK;
}

bool partners_let_merge(int place[3], const StepContext* ctx, int a, int b)
{
    FOR_PARTNERS(&ctx->world->partners, p)
    if (p->verbs->lets_merge && p->verbs->lets_merge(place, p->self, ctx, a, b)) return true;
    return false;
}

mn_status partners_rebuild(World* world, const Tank* tank, Arena* kept, Arena* scratch)
{
    FOR_PARTNERS(&world->partners, p)
    if (p->verbs->rebuild) TRY(p->verbs->rebuild(p->self, world, tank, kept, scratch));
    return MN_OK;
}

mn_status partners_start(StepContext* ctx)
{
    FOR_PARTNERS(&ctx->world->partners, p)
    if (p->verbs->start) TRY(p->verbs->start(p->self, ctx));
    return MN_OK;
}

mn_status partners_yield(StepContext* ctx, Liquid* q)
{
    FOR_PARTNERS(&ctx->world->partners, p)
    if (q->meshed && p->verbs->yield_liquid) TRY(p->verbs->yield_liquid(p->self, ctx, q));
    return MN_OK;
}

mn_status partners_move(StepContext* ctx)
{
    FOR_PARTNERS(&ctx->world->partners, p)
    if (p->verbs->move) TRY(p->verbs->move(p->self, ctx));
    return MN_OK;
}

mn_status partners_make_consistent(StepContext* ctx)
{
    FOR_PARTNERS(&ctx->world->partners, p)
    if (p->verbs->make_consistent) TRY(p->verbs->make_consistent(p->self, ctx));
    return MN_OK;
}

mn_status partners_hold(float** freedom, StepContext* ctx, int m)
{
    *freedom = NULL;
    FOR_PARTNERS(&ctx->world->partners, p)
    if (p->verbs->hold) TRY(p->verbs->hold(freedom, p->self, ctx, m));
    return MN_OK;
}

mn_status partners_movers(Movers* movers, StepContext* ctx)
{
    *movers = (Movers){0};
    FOR_PARTNERS(&ctx->world->partners, p)
    if (p->verbs->movers) return p->verbs->movers(movers, p->self, ctx);
    return MN_OK;
}

mn_status partners_act(StepContext* ctx)
{
    FOR_PARTNERS(&ctx->world->partners, p)
    if (p->verbs->act) TRY(p->verbs->act(p->self, ctx));
    return MN_OK;
}

mn_status partners_pull(double** surface, double impulse[3], StepContext* ctx, const Liquid* q)
{
    int m = (int)(q - ctx->world->liquid);
    bool copied = false;
    impulse[0] = impulse[1] = impulse[2] = 0;
    FOR_PARTNERS(&ctx->world->partners, p)
    {
        if (!p->verbs->pull || q->whole || !p->verbs->pulls(p->self, m)) continue;
        if (!copied) {
            double* own = *surface ? window_copy(ctx->scratch, *surface, &q->w) : ARENA_ZERO(ctx->scratch, double, q->w.count);
            TRY_MEMORY(own);
            *surface = *surface ? own : own + q->w.origin;
            copied = true;
        }
        TRY(p->verbs->pull(*surface, impulse, p->self, ctx, m));
    }
    return MN_OK;
}

// A solve that is likely to be repeated with other operators has to find out how, no more.
static const double ROUGHLY = 1e-3;

static mn_status load_all(PoissonOperator* op, const Partners* list, Coupling* c, int cluster)
{
    Cluster* own = &c->cluster[cluster];
    coupling_refresh(own);
    for (int m = 0; m < list->count; m++) {
        op[m] = (PoissonOperator){0};
        if (list->partner[m].verbs->load) TRY(list->partner[m].verbs->load(&op[m], list->partner[m].self, c, cluster));
    }
    own->group.op = op, own->group.ops = list->count;
    return MN_OK;
}

// Who loads on top of others judges before them.
static mn_status judge_all(PartnerVerdict* worst, const Partners* list, Coupling* c, int cluster)
{
    *worst = PARTNER_IS_DONE, c->cluster[cluster].wants_rough = false;
    for (const Partner* p = list->partner + list->count; p-- > list->partner;) {
        PartnerVerdict own = PARTNER_IS_DONE;
        if (p->verbs->judge) TRY(p->verbs->judge(&own, p->self, c, cluster));
        if (own > *worst) *worst = own;
    }
    return MN_OK;
}

mn_status partners_solve(SolveReport* report, const Partners* list, Coupling* c, int cluster, const SolveOptions* options,
                         Arena* arena)
{
    assert(cluster >= 0 && cluster < c->clusters);
    Cluster* own = &c->cluster[cluster];
    SolveOptions rough = {fmax(ROUGHLY, options->tolerance), options->max_iterations};
    PoissonOperator* op = ARENA_NEW(arena, PoissonOperator, list->count);
    PoissonSolver* solver = NULL;
    int iterations = 0;
    TRY_MEMORY(op);
    for (PartnerVerdict verdict = PARTNER_WANTS_OTHER; verdict != PARTNER_IS_DONE;) {
        own->is_rough = own->wants_rough && verdict == PARTNER_WANTS_OTHER;
        TRY(load_all(op, list, c, cluster));
        if (!solver) TRY(poisson_prepare_group(&solver, &own->group, arena));
        poisson_solve_prepared_group(report, solver, &own->group, own->is_rough ? &rough : options);
        iterations += report->iterations;
        TRY(judge_all(&verdict, list, c, cluster));
    }
    report->iterations = iterations;
    return MN_OK;
}

void partners_end(const Partners* list)
{
    FOR_PARTNERS(list, p)
    if (p->verbs->end) p->verbs->end(p->self);
}

double partners_energy(const Model* model, const World* world)
{
    double sum = 0;
    FOR_PARTNERS(&world->partners, p)
    if (p->verbs->energy) sum += p->verbs->energy(p->self, model, world);
    return sum;
}

double partners_work(const World* world)
{
    double sum = 0;
    FOR_PARTNERS(&world->partners, p)
    if (p->verbs->work) sum += p->verbs->work(p->self);
    return sum;
}

void partners_motion(double momentum[3], double* kinetic, const World* world)
{
    FOR_PARTNERS(&world->partners, p)
    if (p->verbs->motion) p->verbs->motion(momentum, kinetic, p->self);
}

int partners_news(const char** line, const World* world, int from)
{
    for (int m = from; m < world->partners.count; m++) {
        const Partner* p = &world->partners.partner[m];
        *line = p->verbs->news ? p->verbs->news(p->self) : NULL;
        if (*line) return m + 1;
    }
    return 0;
}

void partners_report(const World* world, const StepReport* r, Columns* columns)
{
    FOR_PARTNERS(&world->partners, p)
    if (p->verbs->report) p->verbs->report(p->self, r, columns);
}

mn_status partners_show(const World* world, Layers* layers)
{
    FOR_PARTNERS(&world->partners, p)
    if (p->verbs->show) TRY(p->verbs->show(p->self, layers));
    return MN_OK;
}

#include "membrane/membrane_lent.h"

#include <string.h>

static mn_status begin(void* user, double dt)
{
    LentBodies* l = user;
    (void)dt;
    return l->movers.begin(l->movers.self, l->ctx);
}

static mn_status contacts(bool* changed, void* user, const double* v_new)
{
    LentBodies* l = user;
    return l->movers.contacts(changed, l->movers.self, v_new);
}

static mn_status lend_movers(LentBodies* l)
{
    const Movers* p = &l->movers;
    MembraneBodies* b = &l->view;
    TRY_MEMORY(b->v = ARENA_NEW(l->ctx->kept, double, p->nv + 1));
    memcpy(b->v, p->v, sizeof *b->v*(size_t)p->nv);
    b->nv = p->nv, b->follower = p->follower, b->is_round = p->is_round, b->inertia = p->inertia, b->impulse = p->impulse;
    b->begin = begin, b->contacts = contacts, b->user = l;
    return MN_OK;
}

mn_status lent_bodies(LentBodies* l, StepContext* ctx, double edge, bool unknown)
{
    const Solids* from = &ctx->world->solids;
    *l = (LentBodies){.ctx = ctx};
    if (from->count == 0) return MN_OK;
    Solid* solid = ARENA_NEW(ctx->kept, Solid, from->count);
    TRY_MEMORY(solid);
    memcpy(solid, from->solid, sizeof *solid*(size_t)from->count);
    l->solids = (Solids){.solid = solid, .count = from->count};
    for (int s = 0; s < from->count; s++) solid[s].thicker = 0;
    TRY(partners_movers(&l->movers, ctx));
    l->view = (MembraneBodies){.solids = &l->solids, .far_edge = edge};
    TRY_MEMORY(l->view.wrench = arena_take_zero(ctx->kept, sizeof *l->view.wrench*(size_t)from->count));
    TRY_MEMORY(l->touching = ARENA_ZERO(ctx->kept, int, l->movers.bodies + 1));
    if (unknown && l->movers.nv > 0) return lend_movers(l);
    for (int s = 0; s < from->count; s++) solid[s].body = 0;
    return MN_OK;
}

void lent_return(LentBodies* l, const MembraneMesh* m)
{
    if (l->view.nv == 0) return;
    double wrench[l->movers.bodies][TWIST];
    memset(wrench, 0, sizeof wrench);
    for (int s = 0; s < l->solids.count; s++) {
        int body = l->solids.solid[s].body - 1;
        for (int k = 0; k < TWIST && body >= 0; k++) wrench[body][k] += l->view.wrench[s][k];
    }
    for (int i = 0; i < m->vertices; i++) {
        int body = bodies_carrier(&l->view, m, i);
        if (body >= 0) l->touching[body]++;
    }
    l->movers.take(l->movers.self, l->ctx, l->view.v, wrench, l->touching);
}

mn_status lent_check_dry(const Solids* solids, const Window* w, const double* volume)
{
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++) {
                double x[3];
                int which = 0;
                if (!(volume[window_at(w, i, j, k)] > 0.99)) continue;
                window_position(x, w, i + 0.5, j + 0.5, w->dim == 3 ? k + 0.5 : 0);
                if (solids_distance(solids, x, &which) > 0) continue;
                return mn_fail(
                    MN_UNSUPPORTED,
                    "%s%s%slies in a liquid with surface = \"membrane\" at (%.4g, %.4g, %.4g) m: it must start above its "
                    "surface, which it then presses down",
                    solids->solid[which].body > 0 ? "body " : "solid ", solids->solid[which].name,
                    solids->solid[which].name[0] ? " " : "", x[0], x[1], x[2]);
            }
    return MN_OK;
}

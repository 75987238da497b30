#include "rigid/rigid_lend.h"

#include <string.h>
#include "rigid/rigid_begin.h"
#include "rigid/rigid_steer.h"

static mn_status lent_begin(void* self, StepContext* ctx)
{
    RigidPartner* p = self;
    return rigid_begin_engine(&p->rigid, ctx);
}

static mn_status lent_contacts(bool* changed, void* self, const double* v_new)
{
    RigidPartner* p = self;
    return p->rigid.engine->contacts(changed, &p->rigid, v_new);
}

static void lent_take(void* self, StepContext* ctx, const double* v, double (*wrench)[TWIST], const int* touching)
{
    RigidPartner* p = self;
    Rigid* r = &p->rigid;
    memset(p->report, 0, sizeof *p->report*(size_t)r->bodies);
    p->work = r->engine->work ? r->engine->work(r, v) : 0;
    for (int b = 0; b < r->bodies; b++) {
        p->report[b].contacts = r->engine->touching ? r->engine->touching(r, b) : 0;
        p->report[b].wetted = touching[b];
        memcpy(p->report[b].pressure, wrench[b], sizeof p->report[b].pressure);
    }
    for (int b = 0; b < r->bodies; b++) {
        double before[TWIST], after[TWIST], outside[TWIST];
        rigid_twist(before, r, b, r->v), rigid_twist(after, r, b, v);
        rigid_outside_of(outside, p, b, ctx->dt);
        for (int k = 0; k < TWIST; k++) p->work += outside[k]*ctx->dt*0.5*(before[k] + after[k]);
        if (r->body[b].solid >= 0) memset(ctx->world->solids.solid[r->body[b].solid].hit, 0, TWIST*sizeof(double));
    }
    memcpy(r->v, v, sizeof *r->v*(size_t)r->nv);
    p->taken = true;
    rigid_lead_solids(r, &ctx->world->solids);
}

mn_status rigid_lend(Movers* out, void* self, StepContext* ctx)
{
    RigidPartner* p = self;
    const Rigid* r = &p->rigid;
    Follower* follower = ARENA_NEW(ctx->kept, Follower, r->bodies + 1);
    bool* is_round = ARENA_NEW(ctx->kept, bool, r->bodies + 1);
    double *wrench = ARENA_ZERO(ctx->kept, double, TWIST*r->bodies), *outside = ARENA_ZERO(ctx->kept, double, r->nv + 1);
    TRY_MEMORY(follower && is_round && wrench && outside);
    rigid_take_hits(wrench, r, &ctx->world->solids, ctx->dt, true);
    rigid_outside_add(wrench, p, ctx->dt);
    for (int k = 0; k < TWIST*r->bodies; k++) wrench[k] *= ctx->dt;
    for (int b = 0; b < r->bodies; b++) wrenches_forces(outside, &r->body[b].follower, 1, wrench + TWIST*b);
    for (int b = 0; b < r->bodies; b++) follower[b] = r->body[b].follower, is_round[b] = r->body[b].is_round;
    *out = (Movers){.bodies = r->bodies,
                    .nv = r->nv,
                    .v = r->v,
                    .follower = follower,
                    .is_round = is_round,
                    .inertia = r->inertia,
                    .impulse = r->impulse,
                    .outside = outside,
                    .begin = lent_begin,
                    .contacts = lent_contacts,
                    .take = lent_take,
                    .self = p};
    return MN_OK;
}

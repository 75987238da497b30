#include "rigid/rigid.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

mn_status rigid_take(Rigid* r, int nv)
{
    assert(nv >= 0 && !r->v);
    size_t n = (size_t)nv;
    r->nv = nv;
    r->v = calloc(n + 1, sizeof *r->v);
    r->inertia = calloc(n*n + 1, sizeof *r->inertia);
    r->impulse = calloc(n + 1, sizeof *r->impulse);
    return r->v && r->inertia && r->impulse ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory for %d bodies", r->bodies);
}

void rigid_free_all(Rigid* r)
{
    if (r->engine && r->engine->free) r->engine->free(r);
    free(r->body), free(r->v), free(r->inertia), free(r->impulse);
    *r = (Rigid){0};
}

mn_status rigid_visit(Rigid* r, StateVisitor* v)
{
    int count = r->nv;
    TRY(state_rows(v, "velocities", &count));
    if (count != r->nv) return mn_fail(MN_BAD_CHECKPOINT, "holds bodies with %d velocities, but there are %d", count, r->nv);
    TRY(state_reals(v, "velocity", r->v, r->nv));
    TRY(r->engine->visit(r, v));
    return v->brings ? r->engine->place(r) : MN_OK;
}

bool rigid_is_valid(const Rigid* r)
{
    for (int m = 0; m < r->nv; m++)
        if (!isfinite(r->v[m])) return false;
    for (int b = 0; b < r->bodies; b++) {
        const RigidBody* body = &r->body[b];
        if (!(body->mass > 0) || body->follower.first < 0 || body->follower.first + body->follower.count > r->nv) return false;
        for (int m = 0; m < TWIST*body->follower.count; m++)
            if (!isfinite(body->follower.jacobian[m])) return false;
    }
    return r->engine != NULL;
}

void rigid_twist(double twist[TWIST], const Rigid* r, int body, const double* v)
{
    assert(body >= 0 && body < r->bodies);
    wrenches_twists(twist, &r->body[body].follower, 1, v);
}

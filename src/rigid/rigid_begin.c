#include "rigid/rigid_begin.h"

#include <string.h>

mn_status rigid_begin_engine(Rigid* r, const StepContext* ctx)
{
    RigidStep step = {.time = ctx->world->time + ctx->dt, .dt = ctx->dt, .solids = &ctx->world->solids};
    memcpy(step.acceleration, ctx->acceleration, sizeof step.acceleration);
    return r->engine->begin(r, &step);
}

void rigid_take_hits(double* wrench, const Rigid* r, Solids* solids, double dt, bool keep)
{
    for (int b = 0; b < r->bodies; b++) {
        if (r->body[b].solid < 0) continue;
        double* hit = solids->solid[r->body[b].solid].hit;
        for (int k = 0; k < TWIST; k++) wrench[TWIST*b + k] = hit[k]/dt;
        if (!keep) memset(hit, 0, sizeof *hit*TWIST);
    }
}

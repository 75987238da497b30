#include "liquid/coupling.h"

#include <assert.h>

mn_status coupling_begin(Coupling* c, int liquids, Arena* arena)
{
    *c = (Coupling){.liquids = liquids};
    TRY_MEMORY(c->joined = ARENA_ZERO(arena, bool, liquids));
    TRY_MEMORY(c->pressed = ARENA_ZERO(arena, const int*, liquids));
    TRY_MEMORY(c->pressure = ARENA_ZERO(arena, Pressure*, liquids));
    TRY_MEMORY(c->change = ARENA_ZERO(arena, double*, liquids));
    TRY_MEMORY(c->part = ARENA_NEW(arena, int, liquids));
    for (int m = 0; m < liquids; m++) c->part[m] = -1;
    return MN_OK;
}

void coupling_join(Coupling* c, int liquid, const int* pressed)
{
    assert(liquid >= 0 && liquid < c->liquids);
    assert(!pressed || !c->pressed[liquid]);  // pieces of surface that two partners press on have no use yet
    c->joined[liquid] = true;
    if (pressed) c->pressed[liquid] = pressed;
}

bool coupling_is_empty(const Coupling* c)
{
    for (int m = 0; m < c->liquids; m++)
        if (c->joined[m]) return false;
    return true;
}

mn_status coupling_gather(Coupling* c, const Liquid* liquid, Arena* arena)
{
    TRY_MEMORY(c->weight = ARENA_NEW(arena, double, c->liquids));
    TRY_MEMORY(c->right_side = ARENA_NEW(arena, double*, c->liquids));
    TRY_MEMORY(c->group.part = ARENA_NEW(arena, PoissonPart, c->liquids));
    double rho = 0;
    for (int m = 0; m < c->liquids; m++) {
        Pressure* p = c->pressure[m];
        if (!p) continue;
        int part = c->part[m] = c->group.count++;
        if (part == 0) rho = p->in.rho, c->dt = p->in.dt;
        assert(p->in.dt == c->dt);
        c->weight[part] = rho/p->in.rho;
        c->group.part[part] = (PoissonPart){&p->system, liquid[m].p.v, c->weight[part]};
        TRY_MEMORY(c->right_side[part] = window_copy(arena, p->system.b, p->system.w));
        TRY_MEMORY(c->change[m] = ARENA_ZERO(arena, double, liquid[m].cells.count));
        p->change = c->change[m];
    }
    return MN_OK;
}

void coupling_refresh(const Coupling* c)
{
    for (int q = 0; q < c->group.count; q++) {
        const Poisson* problem = c->group.part[q].problem;
        window_copy_to(problem->b, c->right_side[q], problem->w);
    }
}

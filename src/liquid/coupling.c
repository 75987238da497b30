#include "liquid/coupling.h"

#include <assert.h>
#include "base/unionfind.h"
#include "base/vec.h"

mn_status coupling_begin(Coupling* c, int liquids, Arena* arena)
{
    *c = (Coupling){.liquids = liquids, .arena = arena};
    TRY_MEMORY(c->joined = ARENA_ZERO(arena, bool, liquids));
    TRY_MEMORY(c->parent = ARENA_NEW(arena, int, liquids));
    TRY_MEMORY(c->pushes = ARENA_NEW(arena, int, liquids));
    TRY_MEMORY(c->leans = ARENA_ZERO(arena, bool, liquids));
    TRY_MEMORY(c->pressed = ARENA_ZERO(arena, int*, liquids));
    TRY_MEMORY(c->pressure = ARENA_ZERO(arena, Pressure*, liquids));
    TRY_MEMORY(c->sided = ARENA_ZERO(arena, SidedProblem*, liquids));
    TRY_MEMORY(c->change = ARENA_ZERO(arena, double*, liquids));
    TRY_MEMORY(c->of = ARENA_NEW(arena, int, liquids));
    TRY_MEMORY(c->part = ARENA_NEW(arena, int, liquids));
    for (int m = 0; m < liquids; m++) c->parent[m] = c->pushes[m] = m, c->of[m] = c->part[m] = -1;
    return MN_OK;
}

void coupling_solve_together(Coupling* c, int a, int b)
{
    assert(a >= 0 && a < c->liquids && b >= 0 && b < c->liquids);
    c->joined[a] = c->joined[b] = true;
    set_join(c->parent, a, b);
}

void coupling_join(Coupling* c, int a, int b)
{
    coupling_solve_together(c, a, b);
    set_join(c->pushes, a, b);
}

void coupling_lean(Coupling* c, int liquid)
{
    assert(liquid >= 0 && liquid < c->liquids && c->joined[liquid]);
    c->leans[liquid] = true;
}

static mn_status press_nowhere(int** pressed, int cells, Arena* arena)
{
    TRY_MEMORY(*pressed = ARENA_NEW(arena, int, cells));
    for (int m = 0; m < cells; m++) (*pressed)[m] = -1;
    return MN_OK;
}

mn_status coupling_press(Coupling* c, int liquid, const int* pressed, int cells)
{
    assert(liquid >= 0 && liquid < c->liquids);
    for (int m = 0; m < cells; m++) {
        if (pressed[m] < 0) continue;
        assert(c->joined[liquid]);
        if (!c->pressed[liquid]) TRY(press_nowhere(&c->pressed[liquid], cells, c->arena));
        c->pressed[liquid][m] = 0;
    }
    return MN_OK;
}

mn_status coupling_press_solid(Coupling* c, int liquid, int solid)
{
    assert(liquid >= 0 && liquid < c->liquids && c->joined[liquid] && solid >= 0);
    for (int m = c->skins - 1; m >= 0; m--)
        if (c->skin[m].liquid == liquid && c->skin[m].solid == solid) return MN_OK;
    if (c->skins == c->skin_room) {
        SkinContact* more = ARENA_NEW(c->arena, SkinContact, c->skin_room = maxi(8, 2*c->skins));
        TRY_MEMORY(more);
        for (int m = 0; m < c->skins; m++) more[m] = c->skin[m];
        c->skin = more;
    }
    c->skin[c->skins++] = (SkinContact){liquid, solid};
    return MN_OK;
}

bool coupling_is_empty(const Coupling* c)
{
    for (int m = 0; m < c->liquids; m++)
        if (c->joined[m]) return false;
    return true;
}

// The problem of a liquid, and what it was built from, of whichever side; NULL: it is solved alone.
static Poisson* problem_of(const Coupling* c, int liquid)
{
    return c->pressure[liquid] ? &c->pressure[liquid]->system : c->sided[liquid] ? &c->sided[liquid]->joined.system : NULL;
}

static const PressureInput* input_of(const Coupling* c, int liquid)
{
    return c->pressure[liquid] ? &c->pressure[liquid]->in : &c->sided[liquid]->p[0].in;
}

// Numbers the clusters and the parts of each.
static mn_status number_parts(Coupling* c, Arena* arena)
{
    TRY_MEMORY(c->cluster = ARENA_ZERO(arena, Cluster, c->liquids));
    for (int m = 0; m < c->liquids; m++) {
        if (!problem_of(c, m)) continue;
        int root = set_find(c->parent, m);  // the smallest liquid of the set, so it has its number when others come
        assert(problem_of(c, root));
        if (root == m) c->of[m] = c->clusters, c->cluster[c->clusters++].first = m;
        c->of[m] = c->of[root];
        c->part[m] = c->cluster[c->of[m]].group.count++;
    }
    for (int k = 0; k < c->clusters; k++) {
        Cluster* own = &c->cluster[k];
        TRY_MEMORY(own->weight = ARENA_NEW(arena, double, own->group.count));
        TRY_MEMORY(own->right_side = ARENA_NEW(arena, double*, own->group.count));
        TRY_MEMORY(own->group.part = ARENA_NEW(arena, PoissonPart, own->group.count));
    }
    return MN_OK;
}

mn_status coupling_gather(Coupling* c, const Liquid* liquid, Arena* arena)
{
    assert(c->clusters == 0);
    TRY(number_parts(c, arena));
    for (int m = 0; m < c->liquids; m++) {
        Poisson* problem = problem_of(c, m);
        if (!problem) continue;
        const PressureInput* in = input_of(c, m);
        Cluster* own = &c->cluster[c->of[m]];
        int part = c->part[m];
        c->dt = in->dt;
        assert(in->dt == input_of(c, own->first)->dt);
        own->weight[part] = input_of(c, own->first)->rho/in->rho;
        own->group.part[part] = (PoissonPart){problem, liquid[m].p.v, own->weight[part]};
        TRY_MEMORY(own->right_side[part] = window_copy(arena, problem->b, problem->w));
        if (!c->pressure[m]) continue;
        TRY_MEMORY(c->change[m] = ARENA_ZERO(arena, double, liquid[m].cells.count));
        c->pressure[m]->change = c->change[m];
    }
    return MN_OK;
}

void coupling_keep(const Coupling* c, int liquid)
{
    const Poisson* problem = &c->pressure[liquid]->system;
    window_copy_to(c->cluster[c->of[liquid]].right_side[c->part[liquid]], problem->b, problem->w);
}

void coupling_refresh(const Cluster* cluster)
{
    for (int q = 0; q < cluster->group.count; q++) {
        const Poisson* problem = cluster->group.part[q].problem;
        window_copy_to(problem->b, cluster->right_side[q], problem->w);
    }
}

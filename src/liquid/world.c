#include "liquid/world.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

void model_free(Model* model)
{
    free(model->source);
    merge_table_free(&model->merge);
    *model = (Model){0};
}

static bool source_is_valid(const Source* s, int dim)
{
    for (int d = 0; d < dim; d++)
        if (!(s->low[d] <= s->high[d]) || !isfinite(s->velocity[d])) return false;
    return s->distance && s->rate >= 0 && s->start <= s->stop && s->kind >= 0 && s->material.rho > 0;
}

bool model_is_valid(const Model* model)
{
    const SimSettings* s = &model->settings;
    const MergeTable* t = &model->merge;
    // a negative tolerance is a way to ask for failure
    if (!(model->tank.dx > 0) || !(s->cfl > 0) || !(s->tolerance != 0 && s->tolerance < 1) || !(s->max_dt > 0)) return false;
    if (!(s->spray_cells >= 0)) return false;
    for (int a = 0; a < t->kinds; a++)
        for (int b = 0; b < a; b++) {
            const MergePolicy *p = &t->pair[a*t->kinds + b], *q = &t->pair[b*t->kinds + a];
            if (p->rule != q->rule || p->value != q->value) return false;
        }
    for (int m = 0; m < model->source_count; m++)
        if (!source_is_valid(&model->source[m], model->tank.dim)) return false;
    return true;
}

void world_free(World* world)
{
    for (int m = 0; m < world->liquid_count; m++) liquid_free(&world->liquid[m]);
    free(world->liquid);
    solids_free(&world->solids);
    spray_free(&world->spray);
    partners_free(&world->partners);
    *world = (World){0};
}

mn_status world_add_liquid(World* world, Liquid* q)
{
    assert(q->id <= world->next_id && world->liquid_count <= world->liquid_capacity);
    if (world->liquid_count == world->liquid_capacity) {
        int capacity = maxi(8, 2*world->liquid_capacity);
        Liquid* more = realloc(world->liquid, sizeof *more*(size_t)capacity);
        if (!more) return mn_fail(MN_NO_MEMORY, "out of memory: %d liquids", capacity);
        world->liquid = more, world->liquid_capacity = capacity;
    }
    if (q->id == 0) q->id = ++world->next_id;
    world->liquid[world->liquid_count++] = *q;
    return MN_OK;
}

void world_remove_liquid(World* world, int m)
{
    assert(m >= 0 && m < world->liquid_count);
    liquid_free(&world->liquid[m]);
    memmove(&world->liquid[m], &world->liquid[m + 1], sizeof *world->liquid*(size_t)(world->liquid_count - m - 1));
    world->liquid_count--;
}

void world_sort_liquids(World* world)
{
    for (int m = 1; m < world->liquid_count; m++)
        for (int a = m; a > 0 && world->liquid[a].id < world->liquid[a - 1].id; a--) {
            Liquid q = world->liquid[a];
            world->liquid[a] = world->liquid[a - 1], world->liquid[a - 1] = q;
        }
}

// Liquids as many as a visitor brings.
static mn_status visit_liquids(World* world, const Tank* tank, StateVisitor* v)
{
    enum { LIQUIDS_MOST = 1000000 };
    int count = world->liquid_count;
    TRY(state_rows(v, "liquid_count", &count));
    if (count < 0 || count > LIQUIDS_MOST) return mn_fail(MN_BAD_CHECKPOINT, "holds liquid_count = %d", count);
    while (world->liquid_count > count) world_remove_liquid(world, world->liquid_count - 1);
    while (world->liquid_count < count) TRY(world_add_liquid(world, &(Liquid){.id = -1}));
    for (int m = 0; m < count; m++) {
        char name[32];
        snprintf(name, sizeof name, "liquid_%06d", m);
        TRY(state_enter(v, name));
        TRY(liquid_visit(&world->liquid[m], tank, world->solids.sheets != NULL, v));
        state_leave(v);
    }
    world_sort_liquids(world);  // a checkpoint may have them in another order
    return MN_OK;
}

mn_status world_visit(World* world, const Tank* tank, StateVisitor* v)
{
    TRY(state_reals(v, "time", &world->time, 1));
    TRY(state_long(v, "step", &world->step));
    TRY(state_reals(v, "speed", &world->speed, 1));
    TRY(state_reals(v, "quicker", &world->quicker, 1));
    TRY(state_ints(v, "next_id", &world->next_id, 1));
    TRY(state_reals(v, "ledger_input", &world->ledger.input, 1));
    TRY(state_reals(v, "ledger_outflow", &world->ledger.outflow, 1));
    TRY(state_reals(v, "energy", (double*)&world->energy, sizeof world->energy/sizeof(double)));
    TRY(spray_visit(&world->spray, v));
    TRY(solids_visit(&world->solids, v));
    TRY(partners_visit(&world->partners, v));
    return visit_liquids(world, tank, v);
}

uint64_t world_hash(World* world, const Tank* tank)
{
    StateHash hash = state_hash_begin();
    world_visit(world, tank, &hash.visitor);  // reads only: cannot fail
    return hash.value;
}

bool world_is_valid(const World* world)
{
    if (!isfinite(world->time) || world->step < 0 || !(world->ledger.input >= 0) || !(world->ledger.outflow >= 0)) return false;
    for (int a = 0; a < world->liquid_count; a++) {
        const Liquid* q = &world->liquid[a];
        if (q->id < 1 || q->id > world->next_id || !liquid_is_valid(q)) return false;
        if (a > 0 && !(q->id > q[-1].id)) return false;
    }
    if (!spray_is_valid(&world->spray) || !solids_is_valid(&world->solids)) return false;
    return world->partners.count >= 0 && world->partners.count <= PARTNERS_MOST;
}

mn_status world_rebuild(World* world, Arena* kept)
{
    for (int m = 0; m < world->liquid_count; m++) {
        world->liquid[m].solid_moves = 0;  // what was sampled may have been in this arena
        TRY(liquid_rebuild(&world->liquid[m], kept, &world->solids));
    }
    return MN_OK;
}

#include "step/topology_step.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"
#include "liquid/liquid_volume.h"
#include "liquid/momentum.h"
#include "liquid/sides.h"
#include "liquid/sources.h"
#include "liquid/topology.h"
#include "step/mixing.h"
#include "step/spray_step.h"

double topology_smallest_volume(const StepContext* ctx)
{
    return ctx->model->settings.spray_cells*pow(ctx->model->tank.dx, ctx->model->tank.dim);
}

static mn_status part_to_spray(StepContext* ctx, const Part* part, double volume, const Liquid* from)
{
    assert(volume > 0);
    Droplet drop = {.volume = volume, .material = from->material, .kind = from->kind};
    for (int d = 0; d < 3; d++) drop.x[d] = part->center[d], drop.v[d] = part->velocity[d];
    ctx->report->sprayed++;
    return spray_add(&ctx->world->spray, &drop);
}

// Where a liquid without any wet cell was last: the node deepest in it, and the velocity there. Beside sheets it is asked of what
// each side sees; *deepest: what the other one has found.
static void find_deepest(Part* rest, double* deepest, const Liquid* q)
{
    const Window* w = &q->w;
    double* u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                double phi = q->phi.v[at];
                if (phi >= *deepest || (q->side && sheetside_hides(q->side->cut, q->side->sign, at))) continue;
                *deepest = phi;
                window_position(rest->center, w, i, j, k);
                face_velocity(rest->velocity, u, w, (double[3]){i, j, k});
            }
}

static mn_status find_remains(Part* rest, const Liquid* q, Arena* arena)
{
    Sides s;
    double deepest = INFINITY;
    if (!q->sheet) return find_deepest(rest, &deepest, q), MN_OK;
    TRY(sides_open(&s, arena, q));
    for (int m = 0; m < 2; m++) find_deepest(rest, &deepest, &s.view[m]);
    return MN_OK;
}

// Fragments of so few cells have no shape that the grid knows; it is what becomes spray where a scene says nothing else. A
// contact line beside them, a solid that passes, or distances made anew change their volume by as much as they have, however
// short the step is: one whose volume got out of hand like that is spray, and no reason to fail.
static bool is_lost(const StepContext* ctx, const Liquid* q, double measured)
{
    double cells = q->target_volume/window_cell_volume(&q->w);
    return cells < (ctx->model->tank.dim == 3 ? 8 : 4) && liquid_is_out_of_hand(q, measured);
}

// Is part a of liquid m too large for spray, or what a source keeps its region full of? (Where that was smaller than the least
// liquid, it became spray in every step, and the source began anew: several times its rate.) One that others, held apart from it,
// have pushed out of the region is lost all the same. measured: of all parts, m^3.
static bool stays_liquid(const StepContext* ctx, int m, const Parts* parts, int a, double measured)
{
    const Liquid* q = &ctx->world->liquid[m];
    bool lost = is_lost(ctx, q, measured);
    if (parts->part[a].volume >= topology_smallest_volume(ctx) && !lost) return true;
    return !(lost && measured < q->target_volume) && sources_fill(ctx, q, parts, a);
}

// What the parts of a liquid have of its momentum, once those that become spray have taken theirs: each its own, and its share of
// what is missing then. kg m/s
typedef struct DueOfParts {
    bool known;
    double rho, missing[3];  // m/s: the same for all
} DueOfParts;

static DueOfParts share_due(const Liquid* q, const Parts* parts, const bool* stays, double measured)
{
    DueOfParts due = {.known = momentum_is_due(q), .rho = q->material.rho};
    double mass = 0;
    for (int d = 0; d < 3; d++) due.missing[d] = q->due[d];
    for (int a = 0; a < parts->count; a++) {
        double of_part = due.rho*q->target_volume*parts->part[a].volume/measured;
        if (stays[a]) mass += of_part;
        for (int d = 0; d < 3; d++) due.missing[d] -= of_part*parts->part[a].velocity[d];
    }
    for (int d = 0; d < 3; d++) due.missing[d] = mass > 0 ? due.missing[d]/mass : 0;
    return due;
}

// A part gets what it is due, by its target volume.
static void take_due(Liquid* q, const DueOfParts* due, const Part* part)
{
    double momentum[3];
    for (int d = 0; d < 3; d++) momentum[d] = due->rho*q->target_volume*(part->velocity[d] + due->missing[d]);
    if (due->known) momentum_set_due(q, momentum);
    else momentum_forget_due(q);
}

// Splits liquid m. Returns in *gone whether nothing of it is left as a liquid.
static mn_status split(StepContext* ctx, Arena* kept, int m, bool* gone)
{
    assert(m >= 0 && m < ctx->world->liquid_count);
    *gone = false;
    Parts parts;
    TRY(parts_find(&parts, ctx->scratch, &ctx->world->liquid[m]));
    double measured = 0, target = ctx->world->liquid[m].target_volume;
    for (int a = 0; a < parts.count; a++) measured += parts.part[a].volume;
    if (parts.count == 0 || !(target > 0)) {
        // it left through an open side (then nothing is on the books), or thinned away below the grid
        *gone = true;
        Part rest = {0};
        TRY(find_remains(&rest, &ctx->world->liquid[m], ctx->scratch));
        return target > 0 ? part_to_spray(ctx, &rest, target, &ctx->world->liquid[m]) : MN_OK;
    }
    bool* stays = ARENA_NEW(ctx->scratch, bool, parts.count);
    TRY_MEMORY(stays);
    for (int a = 0; a < parts.count; a++) stays[a] = stays_liquid(ctx, m, &parts, a, measured);
    bool keeps = stays[0];
    DueOfParts due = share_due(&ctx->world->liquid[m], &parts, stays, measured);
    for (int a = keeps ? 1 : 0; a < parts.count; a++) {
        double share = target*parts.part[a].volume/measured;
        if (!stays[a]) {
            TRY(part_to_spray(ctx, &parts.part[a], share, &ctx->world->liquid[m]));
        } else {
            Liquid part;
            TRY(part_extract(&part, ctx->scratch, &ctx->world->liquid[m], &parts, a, &ctx->model->tank,
                             ctx->world->solids.sheets));
            part.target_volume = share;
            take_due(&part, &due, &parts.part[a]);
            mn_status status = liquid_rebuild(&part, kept, &ctx->world->solids);
            if (status == MN_OK) status = world_add_liquid(ctx->world, &part);
            if (status != MN_OK) {
                liquid_free(&part);
                return status;
            }
            ctx->report->splits++;
        }
    }
    *gone = !keeps;
    if (!keeps || parts.count == 1) return MN_OK;
    Liquid* q = &ctx->world->liquid[m];
    q->target_volume = target*parts.part[0].volume/measured;
    take_due(q, &due, &parts.part[0]);
    TRY(part_keep(q, ctx->scratch, &parts, 0));
    return liquid_rebuild(q, kept, &ctx->world->solids);
}

// Do liquids a and b become one now? place: the node of the tank where what kept them apart breaks, if it does; else untouched.
static bool merges(int place[3], const StepContext* ctx, int a, int b)
{
    const Liquid *p = &ctx->world->liquid[a], *q = &ctx->world->liquid[b];
    bool held = merge_policy(&ctx->model->merge, p, q, ctx->world->time).rule != MERGE_ON_TOUCH;
    return held ? partners_let_merge(place, ctx, a, b) : liquids_touch(p, q);
}

// Liquids of two densities are one of their mean density from now on: what was light is heavier, with the velocity it had. So the
// mean velocity is put right, for the momentum, and motion about it calms down to what energy there was: u = U + s (u - mean).
static void share_motion(Liquid* q, Arena* scratch, const LiquidState* a, const LiquidState* b)
{
    LiquidState now = liquid_state(q, scratch);
    arena_reset(scratch);
    double mass = q->material.rho*now.volume, U[3], mean[3], had = a->kinetic_energy + b->kinetic_energy;
    if (!(mass > 0)) return;
    for (int d = 0; d < 3; d++) U[d] = (a->momentum[d] + b->momentum[d])/mass, mean[d] = now.momentum[d]/mass;
    double about = now.kinetic_energy - 0.5*mass*vec_dot(mean, mean), may = fmax(had - 0.5*mass*vec_dot(U, U), 0);
    momentum_calm(q, mean, U, about > may ? sqrt(may/about) : 1);
}

// How two liquids move as one, along the axes where nothing holds either: what they overlap by counts once in the shape they
// share, but twice in their momentum.
static mn_status shared_motion(Motion* both, StepContext* ctx, const Liquid* p, const Liquid* q)
{
    Motion first, second;
    TRY(momentum_note(&first, p, ctx->scratch));
    TRY(momentum_note(&second, q, ctx->scratch));
    double m = p->material.rho*p->target_volume, n = q->material.rho*q->target_volume;
    unsigned axes = (first.axes | first.mirrored) & (second.axes | second.mirrored), mirrored = first.mirrored | second.mirrored;
    *both = (Motion){.axes = axes & ~mirrored, .mirrored = axes & mirrored, .trust = {1, 1, 1}};
    for (int d = 0; d < 3; d++) both->v[d] = (m*first.v[d] + n*second.v[d])/(m + n);
    return MN_OK;
}

// What two liquids overlapped by counts once in the shape they share; it comes out on its surface at once. With many mergers in a
// step it would else add up to more than a step may put right (49 drops that films had held apart were 11 % short: random scene
// 425).
static mn_status give_overlap_back(Liquid* q, StepContext* ctx, Arena* kept)
{
    double left;
    if (!(q->cells.surface > 0) || !(q->cells.volume < q->target_volume)) return MN_OK;
    TRY(liquid_approach_volume(&left, q, ctx->scratch, NULL));
    arena_reset(ctx->scratch);
    return liquid_rebuild(q, kept, &ctx->world->solids);
}

// Liquid b goes into liquid a, at this place; the id that stays is that of the larger one.
static mn_status merge_pair(StepContext* ctx, Arena* kept, int a, int b, const int place[3])
{
    Liquid *q = &ctx->world->liquid[a], *other = &ctx->world->liquid[b];
    bool mixes = q->material.rho != other->material.rho;
    LiquidState first = liquid_state(q, ctx->scratch), second = liquid_state(other, ctx->scratch);
    LiquidMaterial mixed = material_mixed(&q->material, q->target_volume, &other->material, other->target_volume);
    Motion motion;
    TRY(partners_yield(ctx, q));
    TRY(partners_yield(ctx, other));
    double mixing = 0, due[3];
    bool is_due = momentum_is_due(q) && momentum_is_due(other);
    for (int d = 0; d < 3; d++) due[d] = q->due[d] + other->due[d];
    TRY(shared_motion(&motion, ctx, q, other));
    TRY(mixing_of_liquid(&mixing, ctx, q, &mixed));
    TRY(mixing_of_liquid(&mixing, ctx, other, &mixed));
    mixing_book(ctx, mixing);
    TRY(liquid_merge(q, other, ctx->scratch, &ctx->model->tank, ctx->world->solids.sheets));
    if (is_due) momentum_set_due(q, due);
    if (place[0] >= 0) TRY(liquid_open_hole(q, ctx->scratch, place));
    arena_reset(ctx->scratch);
    TRY(liquid_rebuild(q, kept, &ctx->world->solids));
    TRY(give_overlap_back(q, ctx, kept));
    if (mixes) share_motion(q, ctx->scratch, &first, &second);
    TRY(momentum_settle(q, &motion, ctx->scratch));
    arena_reset(ctx->scratch);
    world_remove_liquid(ctx->world, b);
    world_sort_liquids(ctx->world);
    ctx->report->merges++;
    return MN_OK;
}

// Pairs in the order of their ids; after a merger from the first again, since the larger liquid may touch others than before.
static mn_status merge_all(StepContext* ctx, Arena* kept)
{
    bool merged;
    do {
        merged = false;
        for (int a = 0; a < ctx->world->liquid_count && !merged; a++)
            for (int b = a + 1; b < ctx->world->liquid_count && !merged; b++) {
                int place[3] = {-1, -1, -1};
                merged = merges(place, ctx, a, b);
                if (merged) TRY(merge_pair(ctx, kept, a, b, place));
            }
    } while (merged);
    return MN_OK;
}

mn_status topology_update(StepContext* ctx, Arena* kept)
{
    assert(kept != ctx->scratch);
    ctx->report->splits = ctx->report->merges = ctx->report->sprayed = ctx->report->rejoined = 0;
    for (int m = 0; m < ctx->world->liquid_count;) {
        bool gone = false;
        if (!ctx->world->liquid[m].meshed) TRY(split(ctx, kept, m, &gone));
        arena_reset(ctx->scratch);
        if (gone) world_remove_liquid(ctx->world, m);
        else m++;
    }
    TRY(spray_meet_liquids(ctx, kept));
    TRY(spray_grow(ctx, kept));
    return merge_all(ctx, kept);
}

#include "step/topology_step.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"
#include "liquid/energy.h"
#include "liquid/momentum.h"
#include "liquid/sources.h"
#include "liquid/topology.h"

// A ball as a signed distance, for a droplet that has grown enough to be a liquid again.
static double ball_distance(const void* user, const double x[3])
{
    const double* ball = user;  // centre and radius
    double r[3];
    vec_sub(r, x, ball);
    return vec_norm(r) - ball[3];
}

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

// Where a liquid without any wet cell was last: the node deepest in it, and the velocity there.
static void find_remains(Part* rest, const Liquid* q)
{
    const Window* w = &q->w;
    double deepest = INFINITY, *u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                double phi = q->phi.v[window_at(w, i, j, k)];
                if (phi >= deepest) continue;
                deepest = phi;
                window_position(rest->center, w, i, j, k);
                face_velocity(rest->velocity, u, w, (double[3]){i, j, k});
            }
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
    return !(lost && measured < q->target_volume) && sources_fill(ctx, q, parts->label, a);
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
        find_remains(&rest, &ctx->world->liquid[m]);
        return target > 0 ? part_to_spray(ctx, &rest, target, &ctx->world->liquid[m]) : MN_OK;
    }
    bool keeps = stays_liquid(ctx, m, &parts, 0, measured);
    for (int a = keeps ? 1 : 0; a < parts.count; a++) {
        double share = target*parts.part[a].volume/measured;
        if (!stays_liquid(ctx, m, &parts, a, measured)) {
            TRY(part_to_spray(ctx, &parts.part[a], share, &ctx->world->liquid[m]));
        } else {
            Liquid part;
            TRY(part_extract(&part, ctx->scratch, &ctx->world->liquid[m], &parts, a, &ctx->model->tank));
            part.target_volume = share;
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
    TRY(part_keep(q, ctx->scratch, &parts, 0));
    return liquid_rebuild(q, kept, &ctx->world->solids);
}

// Of its volume: a liquid that droplets bring more than this swells at once. With the rest of the step's errors it might look as
// if it had got out of hand.
static const double MUCH = 0.03;

// Cells by which the surface of a liquid swells at once.
static const double SWELLS_BY = 0.5;

// The surface moves out by what droplets have brought, bit by bit: a drop may take up one of its own size. What else is off the
// target is left to the end of the step.
static mn_status swell(Liquid* q, StepContext* ctx, Arena* kept, double brought)
{
    double target = q->target_volume, goal = q->cells.volume + brought;
    for (double left = brought; left > 0; left = goal - q->target_volume) {
        q->target_volume = fmin(goal, q->cells.volume + SWELLS_BY*q->w.dx*q->cells.surface);
        TRY(liquid_reach_volume(q, ctx->scratch, NULL));
        arena_reset(ctx->scratch);
        TRY(liquid_rebuild(q, kept, &ctx->world->solids));
        if (!(q->cells.surface > 0)) break;
    }
    q->target_volume = target;
    return MN_OK;
}

// Droplets give their momentum to the liquid where they fall; their volume arrives with the shift of the whole surface.
static mn_status rejoin(StepContext* ctx, Arena* kept, Liquid* q)
{
    int before = ctx->world->spray.count;
    double target = q->target_volume;
    if (before == 0 || spray_rejoin(&ctx->world->spray, q) == 0) return MN_OK;
    ctx->report->rejoined += before - ctx->world->spray.count;
    double brought = q->target_volume - target;
    TRY(liquid_rebuild_cells(q, kept));
    return brought > MUCH*target ? swell(q, ctx, kept, brought) : MN_OK;
}

// A ball of liquid with what else a droplet has.
static mn_status make_ball(Liquid* q, StepContext* ctx, Arena* kept, const Droplet* drop, double radius)
{
    const Tank* tank = &ctx->model->tank;
    double ball[4] = {drop->x[0], drop->x[1], drop->x[2], radius};
    int lo[3] = {0, 0, 0}, n[3] = {1, 1, 1};
    for (int d = 0; d < tank->dim; d++) {
        lo[d] = (int)floor((ball[d] - radius)/tank->dx) - liquid_margin(tank);
        n[d] = (int)ceil((ball[d] + radius)/tank->dx) + liquid_margin(tank) - lo[d];
    }
    Window w = window_make(tank, lo, n);
    TRY(liquid_init(q, &w));
    q->material = drop->material, q->kind = drop->kind, q->target_volume = drop->volume;
    mn_status status = liquid_set_shape(q, ctx->scratch, ball_distance, ball);
    arena_reset(ctx->scratch);
    for (int d = 0; d < w.dim; d++) field_fill(&q->u[d], &w, drop->v[d]);
    if (status == MN_OK) status = liquid_rebuild(q, kept, &ctx->world->solids);
    if (status != MN_OK) liquid_free(q);
    return status;
}

// The ball around a droplet that has its volume between walls and solids: half as much again in radius on a floor (2D), twice in
// a corner. (Droplets come to rest with their centre on the floor. A ball that lacked half its volume could not be given it by
// moving its surface, and no step went through any more.) *fits: there is room for it.
static mn_status ball_with_volume(Liquid* q, bool* fits, StepContext* ctx, Arena* kept, const Droplet* drop)
{
    enum { ROUNDS = 12 };
    int dim = ctx->model->tank.dim;
    double radius = droplet_radius(drop, dim);
    for (int round = 0; round < ROUNDS; round++) {
        TRY(make_ball(q, ctx, kept, drop, radius));
        double part = q->cells.volume/drop->volume;
        *fits = fabs(part - 1) <= MUCH;
        if (*fits) return MN_OK;
        liquid_free(q);
        radius *= clamp(pow(part, -1.0/dim), 0.5, 2);  // exact between planes through the centre
    }
    return MN_OK;
}

// Is a liquid in the place of one that it must stay apart from? Balls made there had to be parted again by as much as they
// overlapped, and what lay between them was squeezed to nothing (random scene 41).
static bool is_in_the_way(const Liquid* q, const StepContext* ctx)
{
    const World* world = ctx->world;
    for (int m = 0; m < world->liquid_count; m++) {
        const Liquid* other = &world->liquid[m];
        bool held = merge_policy(&ctx->model->merge, q, other, world->time).rule != MERGE_ON_TOUCH;
        if (held && liquids_touch(q, other)) return true;
    }
    return false;
}

// A droplet that others have joined may be large enough for the grid. One without room stays what it is.
static mn_status grow_droplets(StepContext* ctx, Arena* kept)
{
    spray_join(&ctx->world->spray, ctx->model->tank.dim, &ctx->model->merge, ctx->world->time);
    for (int m = 0; m < ctx->world->spray.count;) {
        Droplet drop = ctx->world->spray.drop[m];
        Liquid q;
        // twice the size at which a part becomes spray, so that nothing flickers between the two
        bool grows = drop.volume >= 2*topology_smallest_volume(ctx);
        if (grows) TRY(ball_with_volume(&q, &grows, ctx, kept, &drop));
        if (grows && is_in_the_way(&q, ctx)) grows = false, liquid_free(&q);
        if (!grows) {
            m++;
            continue;
        }
        mn_status status = world_add_liquid(ctx->world, &q);
        if (status != MN_OK) {
            liquid_free(&q);
            return status;
        }
        spray_remove(&ctx->world->spray, m);
    }
    return MN_OK;
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

// J. What mass loses or wins in height when two densities become one: nobody lifts it, so the books call it work.
static double height_energy(const StepContext* ctx, const LiquidState* s, double rho)
{
    return -rho*s->volume*vec_dot(ctx->model->settings.gravity, s->center);
}

// J. What surface and wetted walls of a liquid are worth more, once it is made of something else: nobody does work on it for that
// either. Where water has mixed with what wets the wall less, the wall is worth less by no motion at all.
static mn_status surface_energy_of_mixing(double* sum, const StepContext* ctx, const Liquid* q, const LiquidMaterial* mixed)
{
    Liquid other = *q;
    Energy is = {0}, becomes = {0};
    other.material = *mixed;
    TRY(liquid_energy(&is, q, ctx->model, &ctx->world->solids, ctx->scratch));
    TRY(liquid_energy(&becomes, &other, ctx->model, &ctx->world->solids, ctx->scratch));
    arena_reset(ctx->scratch);
    *sum += becomes.surface - is.surface;
    return MN_OK;
}

static bool same_surface(const LiquidMaterial* a, const LiquidMaterial* b)
{
    return a->sigma == b->sigma && a->contact_angle == b->contact_angle;
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

// Liquid b goes into liquid a, at this place; the id that stays is that of the larger one.
static mn_status merge_pair(StepContext* ctx, Arena* kept, int a, int b, const int place[3])
{
    Liquid* q = &ctx->world->liquid[a];
    bool mixes = q->material.rho != ctx->world->liquid[b].material.rho;
    LiquidState first = liquid_state(q, ctx->scratch), second = liquid_state(&ctx->world->liquid[b], ctx->scratch);
    double height = height_energy(ctx, &first, q->material.rho) + height_energy(ctx, &second, ctx->world->liquid[b].material.rho);
    Motion motion;
    double mixing = 0;
    TRY(shared_motion(&motion, ctx, q, &ctx->world->liquid[b]));
    if (!same_surface(&q->material, &ctx->world->liquid[b].material)) {
        LiquidMaterial mixed = liquids_mixed(q, &ctx->world->liquid[b]);
        TRY(surface_energy_of_mixing(&mixing, ctx, q, &mixed));
        TRY(surface_energy_of_mixing(&mixing, ctx, &ctx->world->liquid[b], &mixed));
    }
    TRY(liquid_merge(q, &ctx->world->liquid[b], ctx->scratch, &ctx->model->tank));
    if (place[0] >= 0) liquid_open_hole(q, place);
    arena_reset(ctx->scratch);
    TRY(liquid_rebuild(q, kept, &ctx->world->solids));
    if (mixes) {
        LiquidState both = liquid_state(q, ctx->scratch);
        mixing += height_energy(ctx, &both, q->material.rho) - height;
        share_motion(q, ctx->scratch, &first, &second);
    }
    ctx->report->energy.work += mixing, ctx->report->energy.topology -= mixing;  // booked as work, and once
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
        bool gone;
        TRY(split(ctx, kept, m, &gone));
        arena_reset(ctx->scratch);
        if (gone) world_remove_liquid(ctx->world, m);
        else m++;
    }
    for (int m = 0; m < ctx->world->liquid_count; m++) TRY(rejoin(ctx, kept, &ctx->world->liquid[m]));
    TRY(grow_droplets(ctx, kept));
    arena_reset(ctx->scratch);
    return merge_all(ctx, kept);
}

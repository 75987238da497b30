#include "step/spray_step.h"

#include <math.h>
#include "base/vec.h"
#include "liquid/absorb.h"
#include "liquid/momentum.h"
#include "liquid/sides.h"
#include "liquid/topology.h"
#include "step/mixing.h"
#include "step/topology_step.h"

// Takes the droplets that join liquid q out of the list into `out`, *count of them. One that is held apart from it lies on it, or
// falls through it as through air if it is heavier: no film could carry it.
static mn_status take_those_that_join(Droplet* out, int* count, StepContext* ctx, Arena* kept, Liquid* q)
{
    Spray* s = &ctx->world->spray;
    *count = 0;
    for (int m = 0; m < s->count;) {
        Droplet* p = &s->drop[m];
        bool is_in = droplet_is_in(p, q);
        if (is_in && droplet_joins(p, q->kind, &ctx->model->merge, ctx->world->time)) {
            out[(*count)++] = *p;
            spray_remove(s, m);
            continue;
        }
        if (is_in && p->material.rho <= q->material.rho) TRY(liquid_carry(q, p, kept));
        m++;
    }
    return MN_OK;
}

static mn_status meet(StepContext* ctx, Arena* kept, Liquid* q)
{
    if (ctx->world->spray.count == 0) return MN_OK;
    Droplet* joins = ARENA_NEW(kept, Droplet, ctx->world->spray.count);
    TRY_MEMORY(joins);
    int count;
    TRY(take_those_that_join(joins, &count, ctx, kept, q));
    if (count == 0) return MN_OK;
    TRY(partners_yield(ctx, q));
    LiquidMaterial mixed = liquid_with_droplets(q, joins, count);
    double mixing = 0;
    TRY(mixing_of_liquid(&mixing, ctx, q, &mixed));
    for (int m = 0; m < count; m++) mixing_of_droplet(&mixing, ctx, &joins[m], &mixed);
    mixing_book(ctx, mixing);
    ctx->report->rejoined += count;
    return liquid_absorb(q, joins, count, &ctx->world->solids, kept, ctx->scratch);
}

mn_status spray_meet_liquids(StepContext* ctx, Arena* kept)
{
    for (int m = 0; m < ctx->world->liquid_count; m++) TRY(meet(ctx, kept, &ctx->world->liquid[m]));
    return MN_OK;
}

// ---- droplets that become liquids -----------------------------------------------------------------------------------------

// Of its volume: what a liquid may be off at first.
static const double MUCH = 0.03;

// A ball as a signed distance, for a droplet that has grown enough to be a liquid again.
static double ball_distance(const void* user, const double x[3])
{
    const double* ball = user;  // centre and radius
    double r[3];
    vec_sub(r, x, ball);
    return vec_norm(r) - ball[3];
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
    const SheetSurface* sheets = ctx->world->solids.sheets;
    if (status == MN_OK && sheets) status = sides_keep(q, drop->x, sheets, ctx->scratch);
    arena_reset(ctx->scratch);
    double momentum[3] = {0, 0, 0};
    for (int d = 0; d < w.dim; d++) {
        field_fill(&q->u[d], &w, drop->v[d]), momentum[d] = droplet_mass(drop)*drop->v[d];
        if (q->u_far[d].v) field_fill(&q->u_far[d], &w, drop->v[d]);
    }
    momentum_set_due(q, momentum);
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
mn_status spray_grow(StepContext* ctx, Arena* kept)
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
    arena_reset(ctx->scratch);
    return MN_OK;
}

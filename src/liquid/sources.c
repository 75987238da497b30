#include "liquid/sources.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"
#include "liquid/liquid_volume.h"

static bool is_on(const Source* s, double t) { return t >= s->start && t < s->stop; }

mn_status sources_set(Model* model, double t)
{
    for (int m = 0; m < model->source_count; m++) {
        Source* s = &model->source[m];
        SourceNow now;
        if (!s->varies) continue;
        TRY(model->functions.source(&now, model->functions.user, m, fmin(fmax(t, s->start), s->stop)));
        s->rate = now.rate;
        for (int d = 0; d < 3; d++) {
            double size = d < model->tank.dim ? model->tank.n[d]*model->tank.dx : 0;
            s->velocity[d] = now.velocity[d], s->shift[d] = now.shift[d];
            s->low[d] = clamp(s->rest_low[d] + s->shift[d], 0, size), s->high[d] = clamp(s->rest_high[d] + s->shift[d], 0, size);
        }
    }
    return MN_OK;
}

// Distance to its region, where it is now.
static double distance_to(const Source* s, const double x[3])
{
    double at[3];
    vec_sub(at, x, s->shift);
    return s->distance(s->shape, at);
}

// Cells of a window that a source's box covers, one more around it; false if none.
static bool source_box(int lo[3], int hi[3], const Source* s, const Window* w)
{
    for (int d = 0; d < 3; d++) {
        if (d >= w->dim) {
            lo[d] = 0, hi[d] = 1;
            continue;
        }
        double a = clamp(s->low[d]/w->dx - w->lo[d] - 1, 0, w->n[d]), b = clamp(s->high[d]/w->dx - w->lo[d] + 2, 0, w->n[d]);
        lo[d] = (int)a, hi[d] = (int)b;
        if (lo[d] >= hi[d]) return false;
    }
    return true;
}

static double source_distance(const Source* s, const Window* w, double x, double y, double z)
{
    double at[3];
    window_position(at, w, x, y, z);
    return distance_to(s, at);
}

// Nodes of a source's region that are wet with a liquid.
static long wet_nodes(const Source* s, const Liquid* q)
{
    int lo[3], hi[3];
    long count = 0;
    if (!source_box(lo, hi, s, &q->w)) return 0;
    for (int k = lo[2]; k < hi[2]; k++)
        for (int j = lo[1]; j < hi[1]; j++)
            for (int i = lo[0]; i < hi[0]; i++)
                count += q->phi.v[window_at(&q->w, i, j, k)] < 0 && source_distance(s, &q->w, i, j, k) < 0;
    return count;
}

// The liquid a source feeds: the one that fills most of its region, of equals the first; NULL: the region is dry. Another that is
// held apart from it and comes in the way is pushed aside.
static Liquid* fed_liquid(const World* world, const Source* s)
{
    Liquid* fed = NULL;
    long most = 0;
    for (int m = 0; m < world->liquid_count; m++) {
        long wet = wet_nodes(s, &world->liquid[m]);
        if (wet > most) most = wet, fed = &world->liquid[m];
    }
    return fed;
}

static double shape_of_source(const void* user, const double x[3]) { return distance_to(user, x); }

// The source's own region as a new liquid, *fed. Its volume is put in by the source, on top of the rate. NULL: something that
// moves, a solid or a body, is in the way, and the source waits. What stands still there for good is a mistake of the scene.
static mn_status start_liquid(Liquid** fed, StepContext* ctx, Arena* kept, const Source* s)
{
    *fed = NULL;
    int lo[3] = {0, 0, 0}, n[3] = {1, 1, 1};
    for (int d = 0; d < ctx->model->tank.dim; d++) {
        lo[d] = (int)floor(s->low[d]/ctx->model->tank.dx) - liquid_margin(&ctx->model->tank);
        n[d] = (int)ceil(s->high[d]/ctx->model->tank.dx) + liquid_margin(&ctx->model->tank) - lo[d];
    }
    Window w = window_make(&ctx->model->tank, lo, n);
    Liquid q;
    TRY(liquid_init(&q, &w));
    q.material = s->material, q.kind = s->kind;
    mn_status status = liquid_set_shape(&q, ctx->scratch, shape_of_source, s);
    for (int d = 0; d < w.dim; d++) field_fill(&q.u[d], &w, s->velocity[d]);
    if (status == MN_OK) status = liquid_rebuild(&q, kept, &ctx->world->solids);
    q.target_volume = q.cells.volume;
    bool has_room = status == MN_OK && q.target_volume > 0;
    if (status == MN_OK && !has_room && !ctx->world->solids.any_moving && !s->varies)
        status = mn_fail(MN_BAD_SCENE, "source \"%s\" has no free room: it lies in a solid or outside the tank", s->name);
    if (has_room) status = world_add_liquid(ctx->world, &q);
    if (!has_room || status != MN_OK) return liquid_free(&q), status;
    ctx->world->ledger.input += q.target_volume;
    *fed = &ctx->world->liquid[ctx->world->liquid_count - 1];
    return MN_OK;
}

// Widens the liquid's window so that the source's region lies in it.
static mn_status make_room(Liquid* q, const Source* s, const Tank* tank)
{
    int lo[3] = {0, 0, 0}, n[3] = {1, 1, 1};
    for (int d = 0; d < tank->dim; d++) {
        lo[d] = mini(q->w.lo[d], (int)floor(s->low[d]/tank->dx) - MARGIN_LEAST - tank->wider);
        n[d] = maxi(q->w.lo[d] + q->w.n[d], (int)ceil(s->high[d]/tank->dx) + MARGIN_LEAST + tank->wider) - lo[d];
    }
    Window w = window_make(tank, lo, n);
    return window_same(&w, &q->w) ? MN_OK : liquid_change_window(q, &w);
}

// Distance (m) to what other liquids leave of a node of the tank; < 0: it is free. A source fills its region again in every
// step, however short: stamped over a liquid that is held apart from it, it would push that aside with more force the shorter the
// steps.
static double free_of_others(const World* world, const Liquid* q, const int node[3])
{
    double taken = -INFINITY;
    for (int m = 0; m < world->liquid_count; m++) {
        const Liquid* other = &world->liquid[m];
        int at[3];
        bool inside = other != q;
        for (int d = 0; d < 3; d++) {
            at[d] = node[d] - other->w.lo[d];
            inside = inside && at[d] >= 0 && at[d] <= other->w.n[d] - (d >= other->w.dim);
        }
        if (inside) taken = fmax(taken, -other->phi.v[window_at(&other->w, at[0], at[1], at[2])]);
    }
    return taken;
}

// The part of the liquid in a cell of the region that has the source's velocity after a step: as much as goes through the cell at
// that speed. So a source that is in the way of itself (it blows at a wall, or what it feeds is held) pushes with the momentum of
// a jet, rho v^2. Were all of it set to v in every step, the push would be rho v dx/dt, without bound for short steps.
static double replaced(const Source* s, double dx, double dt) { return fmin(dt*vec_norm(s->velocity)/dx, 1); }

// How much of a cell around a node is wet.
static double wet_part(double phi, double dx) { return clamp(0.5 - phi/dx, 0, 1); }

// What a source has covered, by node of a box.
typedef struct Covered {
    int lo[3], n[3];
    double *before, *now;  // wet part of a cell around the node
} Covered;

static size_t covered_at(const Covered* c, int i, int j, int k)
{
    return (size_t)(i - c->lo[0]) + (size_t)c->n[0]*((size_t)(j - c->lo[1]) + (size_t)c->n[1]*(size_t)(k - c->lo[2]));
}

// The liquid covers the region again, as far as it is free.
static mn_status cover(Covered* c, Liquid* q, const Source* s, const World* world, const int lo[3], const int hi[3], Arena* arena)
{
    const Window* w = &q->w;
    size_t count = 1;
    for (int d = 0; d < 3; d++) c->lo[d] = lo[d], c->n[d] = hi[d] - lo[d] + (d < w->dim), count *= (size_t)c->n[d];
    TRY_MEMORY(c->before = ARENA_NEW(arena, double, count));
    TRY_MEMORY(c->now = ARENA_NEW(arena, double, count));
    for (int k = lo[2]; k < lo[2] + c->n[2]; k++)
        for (int j = lo[1]; j < lo[1] + c->n[1]; j++)
            for (int i = lo[0]; i < lo[0] + c->n[0]; i++) {
                double *phi = &q->phi.v[window_at(w, i, j, k)], distance = source_distance(s, w, i, j, k);
                distance = fmax(distance, free_of_others(world, q, (int[3]){i + w->lo[0], j + w->lo[1], k + w->lo[2]}));
                size_t at = covered_at(c, i, j, k);
                c->before[at] = wet_part(*phi, w->dx);
                if (distance < *phi) *phi = fmax(distance, -liquid_band(q));
                c->now[at] = wet_part(*phi, w->dx);
            }
    nodes_exchange(q->phi.v, w, EVERY_LAYER);
    return MN_OK;
}

// Of the liquid around a face, the part that the source has just put there.
static double new_part(const Covered* c, const Window* w, int d, const int face[3])
{
    double before = 0, now = 0;
    for (int corner = 0; corner < 1 << w->dim; corner++) {
        if (corner >> d & 1) continue;
        int n[3] = {face[0] + (corner & 1), face[1] + (corner >> 1 & 1), face[2] + (corner >> 2)};
        for (int e = 0; e < w->dim; e++) n[e] = mini(n[e], c->lo[e] + c->n[e] - 1);
        before += c->before[covered_at(c, n[0], n[1], n[2])], now += c->now[covered_at(c, n[0], n[1], n[2])];
    }
    return now > 0 ? fmax(now - before, 0)/now : 0;
}

// The liquid covers the region again and moves with the source there; what is new has its velocity wherever it lies. (Where the
// flow leaves the region at once, the surface would else be made anew in every step with the velocity continued past it, faster
// than any of the liquid: beside an open side water came to 200 m/s from a source of 0.7 m/s.)
static mn_status stamp(Liquid* q, const Source* s, StepContext* ctx)
{
    const Window* w = &q->w;
    Covered c;
    int lo[3], hi[3];
    if (!source_box(lo, hi, s, w)) return MN_OK;
    TRY(cover(&c, q, s, ctx->world, lo, hi, ctx->scratch));
    double part = replaced(s, w->dx, ctx->dt);
    for (int k = lo[2]; k < lo[2] + c.n[2]; k++)
        for (int j = lo[1]; j < lo[1] + c.n[1]; j++)
            for (int i = lo[0]; i < lo[0] + c.n[0]; i++)
                for (int d = 0; d < w->dim; d++) {
                    bool inside = source_distance(s, w, i + (d != 0)*0.5, j + (d != 1)*0.5, k + (d != 2)*0.5) < 0;
                    double *u = &q->u[d].v[window_at(w, i, j, k)], fresh = new_part(&c, w, d, (int[3]){i, j, k});
                    *u += fmax(fresh, inside ? part : 0)*(s->velocity[d] - *u);
                }
    arena_reset(ctx->scratch);
    return MN_OK;
}

// Wet volume of a source's region in a liquid, m^3.
static double region_volume(const Source* s, const Liquid* q, const int lo[3], const int hi[3])
{
    assert(q->cells.index);
    double sum = 0;
    for (int k = lo[2]; k < hi[2]; k++)
        for (int j = lo[1]; j < hi[1]; j++)
            for (int i = lo[0]; i < hi[0]; i++) {
                ptrdiff_t at = window_at(&q->w, i, j, k);
                if (q->phi.v[at] < liquid_band(q) && source_distance(s, &q->w, i + 0.5, j + 0.5, k + 0.5) < 0)
                    sum += cutcells_fraction(&q->cells, at);
            }
    return sum*window_cell_volume(&q->w);
}

static double box_volume(const Source* s, int dim)
{
    double volume = 1;
    for (int d = 0; d < dim; d++) volume *= s->high[d] - s->low[d];
    return volume;
}

// The region is always full. Where more flows away from it than the rate brings, through an open side beside it, say, the source
// puts in what is missing; so it does where others, held apart from its liquid, have left most of the region again.
static void top_up(StepContext* ctx, Liquid* q, const Source* s)
{
    int lo[3], hi[3];
    double full = source_box(lo, hi, s, &q->w) ? region_volume(s, q, lo, hi) : 0;
    if (liquid_is_out_of_hand(q, q->cells.volume)) full = fmax(full, fmin(q->cells.volume, box_volume(s, q->w.dim)));
    double missing = full - q->target_volume;
    if (!(missing > 0)) return;
    q->target_volume += missing;
    ctx->world->ledger.input += missing;
}

mn_status sources_act(StepContext* ctx, Arena* kept, double dt)
{
    assert(dt > 0 && kept != ctx->scratch);
    for (int m = 0; m < ctx->model->source_count; m++) {
        const Source* s = &ctx->model->source[m];
        if (!is_on(s, ctx->world->time)) continue;
        Liquid* q = fed_liquid(ctx->world, s);
        if (!q) {
            TRY(start_liquid(&q, ctx, kept, s));
            arena_reset(ctx->scratch);
        }
        if (!q) continue;
        TRY(make_room(q, s, &ctx->model->tank));
        TRY(stamp(q, s, ctx));
        double time = fmin(ctx->world->time + dt, s->stop) - ctx->world->time;
        q->target_volume += s->rate*time;
        ctx->world->ledger.input += s->rate*time;
        TRY(liquid_rebuild(q, kept, &ctx->world->solids));
        top_up(ctx, q, s);
    }
    return MN_OK;
}

bool sources_fill(const StepContext* ctx, const Liquid* q, const Parts* parts, int part)
{
    for (int m = 0; m < ctx->model->source_count; m++) {
        const Source* s = &ctx->model->source[m];
        int lo[3], hi[3];
        if (!is_on(s, ctx->world->time) || fed_liquid(ctx->world, s) != q || !source_box(lo, hi, s, &q->w)) continue;
        for (int k = lo[2]; k < hi[2]; k++)
            for (int j = lo[1]; j < hi[1]; j++)
                for (int i = lo[0]; i < hi[0]; i++) {
                    ptrdiff_t at = window_at(&q->w, i, j, k);
                    bool wet = q->phi.v[at] < 0 && source_distance(s, &q->w, i, j, k) < 0;
                    if (wet && part_has_node(parts, q, i, j, k, part)) return true;
                }
    }
    return false;
}

mn_status sources_divergence(double** divergence, const StepContext* ctx, const Liquid* q, Arena* arena)
{
    *divergence = NULL;
    for (int m = 0; m < ctx->model->source_count; m++) {
        const Source* s = &ctx->model->source[m];
        int lo[3], hi[3];
        if (!is_on(s, ctx->world->time) || fed_liquid(ctx->world, s) != liquid_whole(q) || !source_box(lo, hi, s, &q->w))
            continue;
        double volume = region_volume(s, q, lo, hi);
        if (!(volume > 0)) continue;
        if (!*divergence) {
            TRY_MEMORY(*divergence = ARENA_ZERO(arena, double, q->w.count));
            *divergence += q->w.origin;
        }
        for (int k = lo[2]; k < hi[2]; k++)
            for (int j = lo[1]; j < hi[1]; j++)
                for (int i = lo[0]; i < hi[0]; i++)
                    if (source_distance(s, &q->w, i + 0.5, j + 0.5, k + 0.5) < 0)
                        (*divergence)[window_at(&q->w, i, j, k)] += s->rate/volume;
    }
    return MN_OK;
}

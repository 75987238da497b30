#include "step/step_film.h"

#include <math.h>
#include "base/unionfind.h"
#include "base/vec.h"
#include "film/film_gap.h"
#include "film/film_graph.h"
#include "film/film_link.h"
#include "film/film_ridge.h"
#include "film/film_solve.h"
#include "film/film_vdw.h"
#include "grid/extrapolate.h"
#include "liquid/topology.h"
#include "step/flow.h"
#include "step/tension.h"

mn_status film_step_begin(Film* film, FilmBodies* bodies, const StepContext* ctx, int only, Arena* arena)
{
    *film = (Film){.settings = ctx->model->settings.film, .tank = ctx->model->tank};
    double reach = film->settings.h_max + 2*ctx->model->tank.dx;
    TRY(film_bodies(bodies, ctx->world->liquid, ctx->world->liquid_count, &ctx->world->solids, reach, only, arena));
    int liquids = bodies->liquids, count = bodies->count;
    film->first_solid = count > liquids ? liquids : 0;
    unsigned char* apart = ARENA_ZERO(arena, unsigned char, count* count);
    TRY_MEMORY(apart);
    for (int a = 0; a < liquids; a++) {
        for (int b = 0; b < liquids; b++) {
            MergePolicy p = merge_policy(&ctx->model->merge, &ctx->world->liquid[a], &ctx->world->liquid[b], ctx->world->time);
            apart[a*count + b] = a != b && p.rule != MERGE_ON_TOUCH;
        }
        if (film_sees_solid(bodies, a)) apart[a*count + liquids + a] = apart[(liquids + a)*count + a] = 1;
    }
    film->apart = apart;
    return MN_OK;
}

// ---- merging -------------------------------------------------------------------------------------------------------------

// Of a drop that mirrors cut, the whole counts. One that touches a wall or a solid is taken as it is.
static double radius_of(const Liquid* q)
{
    unsigned axes = tension_free_axes(q);
    double volume = q->target_volume;
    for (int d = 0; d < q->w.dim && axes; d++)
        if (!(axes >> d & 1)) volume *= 2;
    return q->w.dim == 3 ? cbrt(0.75*volume/PI) : sqrt(volume/PI);
}

bool film_step_merges(int place[3], const StepContext* ctx, int a, int b)
{
    const Liquid *p = &ctx->world->liquid[a], *q = &ctx->world->liquid[b];
    MergePolicy policy = merge_policy(&ctx->model->merge, p, q, ctx->world->time);
    if (policy.rule == MERGE_ON_TOUCH) return liquids_touch(p, q);
    if (policy.rule == MERGE_HOLD) return false;
    double radius = fmin(radius_of(p), radius_of(q)), sigma = fmin(p->material.sigma, q->material.sigma);
    double limit =
        policy.rule == MERGE_BELOW ? policy.value : film_rupture_thickness(ctx->model->settings.hamaker, sigma, radius);
    int node[3];
    if (!(film_air_thinnest(node, &ctx->world->air, &ctx->model->tank, p->id, q->id) < limit)) return false;
    for (int d = 0; d < 3; d++) place[d] = node[d];
    return true;
}

// ---- before the volume is restored ---------------------------------------------------------------------------------------

// Level sets may overlap by as much (cells) before they are moved. Where the rim of a film runs outwards through a cell, the film
// closes the cell when its middle is shut, and by then its inner end overlaps by half a cell's worth of the wedge that closes:
// 0.25 dx at 0.5 m/s. The air keeps its own thickness meanwhile and pushes them apart (film_volume.h), which moves liquid as the
// flow does; a repair moves it from the film to the far side.
static const double MOST_OVERLAP = 0.5;

mn_status film_step_repair(StepContext* ctx, Arena* kept)
{
    ctx->report->film = (FilmReport){0};
    ctx->world->film.count = 0;
    if (!has_film(ctx->model, ctx->world)) return MN_OK;
    double started = timer_now();
    Film film;
    FilmBodies bodies;
    int count = ctx->world->liquid_count;
    TRY(film_step_begin(&film, &bodies, ctx, -1, ctx->scratch));
    bool* moved = ARENA_ZERO(ctx->scratch, bool, count);
    TRY_MEMORY(moved);
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            if (!film_keeps_apart(&film, a, b, bodies.count)) continue;
            GapRepair repair = {0};
            film_repair_gap(&repair, &ctx->world->liquid[a], &ctx->world->liquid[b], -MOST_OVERLAP*ctx->model->tank.dx);
            moved[a] = moved[a] || repair.nodes > 0, moved[b] = moved[b] || repair.nodes > 0;
            ctx->report->film.repaired = fmax(ctx->report->film.repaired, repair.deepest);
        }
        if (!film_sees_solid(&bodies, a)) continue;
        GapRepair repair = {0};
        film_repair_solid(&repair, &ctx->world->liquid[a], &bodies.body[count + a], -MOST_OVERLAP*ctx->model->tank.dx);
        moved[a] = moved[a] || repair.nodes > 0;
        ctx->report->film.repaired = fmax(ctx->report->film.repaired, repair.deepest);
    }
    for (int m = 0; m < count; m++) {
        double before = ctx->world->liquid[m].cells.volume;
        if (!moved[m]) continue;
        TRY(liquid_rebuild_cells(&ctx->world->liquid[m], kept));
        ctx->report->film.removed += before - ctx->world->liquid[m].cells.volume;
    }
    arena_reset(ctx->scratch);
    ctx->report->film.seconds += timer_now() - started;
    return MN_OK;
}

mn_status film_step_freedom(float** freedom, const StepContext* ctx, Arena* kept, int m)
{
    *freedom = NULL;
    if (!has_film(ctx->model, ctx->world)) return MN_OK;
    Film film;
    FilmBodies bodies;
    TRY(film_step_begin(&film, &bodies, ctx, m, kept));
    return film_freedom(freedom, &film, bodies.body, bodies.count, m, kept);
}

// ---- motion of free liquids ----------------------------------------------------------------------------------------------

// Liquids by id: the topology may put them in another order, and one that was split, merged or fed has another target volume.
typedef struct FreeMotion {
    int id;         // 0: the end
    unsigned axes;  // along which nothing holds it
    double target_volume, v[3];
} FreeMotion;

mn_status film_step_note_motion(FreeMotion** motion, StepContext* ctx, Arena* kept)
{
    *motion = NULL;
    if (!has_film(ctx->model, ctx->world)) return MN_OK;
    FreeMotion* out = ARENA_ZERO(kept, FreeMotion, ctx->world->liquid_count + 1);
    TRY_MEMORY(out);
    *motion = out;
    for (int m = 0; m < ctx->world->liquid_count; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        out->axes = tension_free_axes(q);
        if (!out->axes) continue;
        out->id = q->id, out->target_volume = q->target_volume;
        TRY(tension_mean_velocity(out->v, q, ctx->scratch));
        arena_reset(ctx->scratch);
        out++;
    }
    return MN_OK;
}

mn_status film_step_keep_motion(StepContext* ctx, const FreeMotion* motion, const double acceleration[3], double dt)
{
    for (const FreeMotion* f = motion; f && f->id != 0; f++)
        for (int m = 0; m < ctx->world->liquid_count; m++) {
            Liquid* q = &ctx->world->liquid[m];
            if (q->id != f->id || q->target_volume != f->target_volume) continue;
            double v[3];
            for (int d = 0; d < 3; d++) v[d] = f->v[d] + dt*acceleration[d];
            TRY(tension_keep_velocity(q, v, f->axes & tension_free_axes(q), ctx->scratch));
            arena_reset(ctx->scratch);
        }
    return MN_OK;
}

// ---- projection ----------------------------------------------------------------------------------------------------------

static bool is_joined(const Film* film, const Liquid* q, int m)
{
    for (int c = 0; c < q->cells.count; c++)
        if (film->air[m][c] >= 0) return true;
    return false;
}

static void report_film(FilmReport* r, const Film* film)
{
    r->cells = film->cells, r->lost = film->lost, r->repeats = film->repeats;
    r->seconds += film->seconds;
    r->least_thickness = film->cells > 0 ? INFINITY : 0;
    for (int c = 0; c < film->cells; c++) {
        r->area += film->cell[c].area;
        r->volume += film->cell[c].area*film->cell[c].h;
        r->least_thickness = fmin(r->least_thickness, film->cell[c].h);
        r->most_pressure = fmax(r->most_pressure, film->p[c]);
        r->least_pressure = fmin(r->least_pressure, film->p[c]);
    }
}

// A film has no inertia: the forces on its sides cancel. What a projection does to the mean velocity of a liquid is not exactly
// its film's force: tension on a grid pulls it along a little, and velocities past the surface count in its mean. Three drops
// left at speeds up to 10 % apart for that. The integral of the film's pressure over the liquid's pieces of surface is right to
// 0.2 % (forces of three drops on each other, summed), so liquids that touch nothing but each other's films move by it. What is
// missing to zero is taken off all of them, the same velocity.
typedef struct Clusters {
    int* root;       // per liquid
    unsigned* axes;  // per root: those along which nothing else pushes, a bit each (tension_free_axes)
    double (*v)[3];  // m/s, per liquid: mean velocity before
} Clusters;

static mn_status find_clusters(Clusters* c, const Film* film, const FilmBodies* bodies, StepContext* ctx,
                               Pressure* const* pressure)
{
    int count = bodies->count;
    TRY_MEMORY(c->root = ARENA_NEW(ctx->scratch, int, count));
    TRY_MEMORY(c->axes = ARENA_NEW(ctx->scratch, unsigned, count));
    TRY_MEMORY(c->v = arena_take_zero(ctx->scratch, sizeof *c->v*(size_t)count));
    for (int m = 0; m < count; m++) c->root[m] = m, c->axes[m] = all_axes(ctx->model->tank.dim);
    for (int a = 0; a < film->cells; a++) set_join(c->root, film->cell[a].pair[0], film->cell[a].pair[1]);
    // a solid takes up momentum along its normal only: a level plate leaves drops on it free to move sideways
    for (int a = 0; a < film->cells; a++) {
        const AirCell* cell = &film->cell[a];
        if (film_is_solid(film, cell->pair[1]))
            c->axes[set_find(c->root, cell->pair[0])] &= ~film_pushed_axes(&bodies->body[cell->pair[1]], cell->x);
    }
    for (int m = 0; m < bodies->liquids; m++) {
        if (!pressure[m]) continue;
        int root = set_find(c->root, m);
        c->axes[root] &= tension_free_axes(&ctx->world->liquid[m]);
        TRY(tension_mean_velocity(c->v[m], &ctx->world->liquid[m], ctx->scratch));
    }
    return MN_OK;
}

// What its films have given to a liquid on the cluster's free axes, kg m/s; a solid pushes along none of them.
static void impulse_of(double out[3], const Film* film, const Liquid* q, int m, double dt)
{
    film_force(out, film, q, m, false);
    for (int d = 0; d < 3; d++) out[d] *= dt;
}

static mn_status keep_momentum(StepContext* ctx, Clusters* c, const Film* film, Pressure* const* pressure, double dt)
{
    int count = ctx->world->liquid_count;
    double(*impulse)[3] = arena_take_zero(ctx->scratch, sizeof *impulse*(size_t)count);
    double(*lost)[4] = arena_take_zero(ctx->scratch, sizeof *lost*(size_t)count);
    TRY_MEMORY(impulse);
    TRY_MEMORY(lost);
    for (int m = 0; m < count; m++) {
        if (!pressure[m]) continue;
        const Liquid* q = &ctx->world->liquid[m];
        double* sum = lost[set_find(c->root, m)];
        impulse_of(impulse[m], film, q, m, dt);
        for (int d = 0; d < 3; d++) sum[d] -= impulse[m][d];
        sum[3] += q->material.rho*q->cells.volume;
    }
    for (int m = 0; m < count; m++) {
        int root = set_find(c->root, m);
        if (!pressure[m] || !c->axes[root]) continue;
        const Liquid* q = &ctx->world->liquid[m];
        double after[3], change[3], mass = q->material.rho*q->cells.volume;
        TRY(tension_mean_velocity(after, q, ctx->scratch));
        for (int d = 0; d < 3; d++) {
            double wanted = c->v[m][d] + impulse[m][d]/mass + lost[root][d]/lost[root][3];
            change[d] = c->axes[root] >> d & 1 ? wanted - after[d] : 0;
        }
        tension_shift_velocity(&ctx->world->liquid[m], change);
        ctx->report->film.momentum_error = fmax(ctx->report->film.momentum_error, vec_norm(change));
    }
    return MN_OK;
}

// The velocity after the projection, with that past the surface such that level sets move as the film's rows say their surfaces do.
static mn_status update_joined(Liquid* q, const int* air, Pressure* p, StepContext* ctx)
{
    double* u[3];
    flow_velocity(u, q);
    TRY(flow_update(p, q, ctx));
    TRY(extrapolate_balance(u, ctx->scratch, p->valid, &q->cells, air, &q->w));
    return extrapolate_velocity(u, ctx->scratch, p->valid, q->phi.v, liquid_solid(q), &q->spans, &q->w, ALL_LAYERS);
}

static mn_status project_joined(Film* film, const FilmBodies* bodies, StepContext* ctx, Pressure** pressure,
                                const double acceleration[3], double dt)
{
    int first = -1;
    for (int m = ctx->world->liquid_count - 1; m >= 0; m--) {
        Liquid* q = &ctx->world->liquid[m];
        if (!pressure[m]) continue;
        double* u[3];
        PressureInput in;
        flow_velocity(u, q);
        TRY(flow_pressure_input(&in, q, ctx, acceleration, dt));
        TRY(pressure_build(pressure[m], ctx->scratch, &in, u));
        first = m;
    }
    ctx->world->air.count = 0;
    if (first < 0) return MN_OK;
    Clusters clusters;
    TRY(find_clusters(&clusters, film, bodies, ctx, pressure));
    stage_end(ctx->times, STAGE_BUILD);
    SolveReport report;
    SolveOptions options = flow_solve_options(ctx);
    TRY(film_solve(film, &report, bodies->body, pressure, bodies->count, &options, ctx->scratch));
    TRY(flow_book_solve(ctx, &report, ctx->world->liquid[first].id));
    report_film(&ctx->report->film, film);
    TRY(film_record_take(&ctx->world->film, film, bodies->body));
    stage_end(ctx->times, STAGE_SOLVE);
    for (int m = 0; m < ctx->world->liquid_count; m++)
        if (pressure[m]) TRY(update_joined(&ctx->world->liquid[m], film->air[m], pressure[m], ctx));
    TRY(film_air_write(&ctx->world->air, film, bodies->body, dt, ctx->scratch));
    TRY(keep_momentum(ctx, &clusters, film, pressure, dt));
    for (int m = 0; m < ctx->world->liquid_count; m++)
        if (pressure[m]) flow_constrain(&ctx->world->liquid[m], ctx);
    stage_end(ctx->times, STAGE_EXTRAPOLATE);
    return MN_OK;
}

// Films between the liquids, and a place for the pressure problem of every liquid that one ends on.
static mn_status find_films(Film* film, FilmBodies* bodies, Pressure*** pressure, bool* joined, StepContext* ctx)
{
    double started = timer_now();
    for (int m = 0; m < ctx->world->liquid_count; m++) flow_hold_walls(&ctx->world->liquid[m]);
    TRY(film_step_begin(film, bodies, ctx, -1, ctx->scratch));
    if (film->settings.build == FILM_GRAPH) {
        TRY(film_graph_build(film, ctx->scratch, bodies->body, bodies->count));
    } else {
        TRY(film_ridge_build(film, ctx->scratch, bodies->body, bodies->count));
        TRY(film_link_patches(film, ctx->scratch, bodies->body, bodies->count));
    }
    film->free_dt = ctx->report->free_dt;
    film_air_read(film, &ctx->world->air, bodies->body);
    if (merge_attracts(&ctx->model->merge)) film_attract(film, ctx->model->settings.hamaker);
    TRY_MEMORY(*pressure = ARENA_ZERO(ctx->scratch, Pressure*, bodies->count));
    for (int m = 0; m < ctx->world->liquid_count; m++) {
        joined[m] = is_joined(film, &ctx->world->liquid[m], m);
        if (joined[m]) TRY_MEMORY((*pressure)[m] = ARENA_NEW(ctx->scratch, Pressure, 1));
    }
    ctx->report->film.seconds += timer_now() - started;
    return MN_OK;
}

mn_status film_step_project(StepContext* ctx, Arena* kept, const double acceleration[3], double dt)
{
    bool* joined = ARENA_ZERO(kept, bool, ctx->world->liquid_count);
    TRY_MEMORY(joined);
    if (has_film(ctx->model, ctx->world)) {
        Film film;
        FilmBodies bodies;
        Pressure** pressure;
        TRY(find_films(&film, &bodies, &pressure, joined, ctx));
        TRY(project_joined(&film, &bodies, ctx, pressure, acceleration, dt));
        arena_reset(ctx->scratch);
    }
    for (int m = 0; m < ctx->world->liquid_count; m++)
        if (!joined[m]) TRY(flow_project(&ctx->world->liquid[m], ctx, acceleration, dt));
    return MN_OK;
}

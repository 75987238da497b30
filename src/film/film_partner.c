#include "film/film_partner.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/unionfind.h"
#include "base/vec.h"
#include "film/film_gap.h"
#include "film/film_energy.h"
#include "film/film_graph.h"
#include "film/film_link.h"
#include "film/film_ridge.h"
#include "film/film_valid.h"
#include "film/film_vdw.h"
#include "liquid/energy.h"
#include "liquid/topology.h"

// Can any liquid meet an air film: on another liquid, or on a solid that keeps it off?
static bool presses(const void* self, const Model* model, const World* world)
{
    (void)self;
    return merge_holds_apart(&model->merge) || solids_keep_off(&world->solids);
}

static bool is_idle(const void* self, const StepContext* ctx) { return !presses(self, ctx->model, ctx->world); }

// A film that closes by much more than half within a step does so between two solves, and what its air comes to is known by their
// agreement alone (film_solve.c). Thinner than the cushion h_c = (24 mu dt dx/rho)^(1/3) it hands on all pressure and stops
// closing by itself. Where the rule of merging asks for the thickness, films are followed down to the cushion. Elsewhere they
// have to hand on pressure and keep level sets apart, which closing by half a cell in a step does: bounces are the same to 4 %
// (docs/film.md), and some rim of a film closes all the time. Films at rest never limit the step.
static double limit(const void* self, const Model* model, const World* world, double dt)
{
    const FilmPartner* f = self;
    const double part = 0.5, least = 1.0/16;
    if (f->air.count == 0) return dt;
    double rho = INFINITY, thin = model->tank.dx;
    for (int m = 0; m < world->liquid_count; m++) rho = fmin(rho, world->liquid[m].material.rho);
    if (merge_asks_thickness(&model->merge)) thin = cbrt(24*f->settings.mu*dt*model->tank.dx/rho);
    return clamp(part*film_air_closing_time(&f->air, thin), least*dt, dt);
}

// The bodies there are now and the film's pairs among them. only: the liquid whose solids are asked for; -1: those of all. Arena
// memory.
static mn_status begin(Film* film, const FilmPartner* f, const StepContext* ctx, int only, Arena* arena)
{
    *film = (Film){.settings = f->settings, .tank = ctx->model->tank, .solids = &ctx->world->solids};
    FilmBodies* bodies = &film->bodies;
    TRY(film_bodies_init(bodies, ctx->world->liquid, ctx->world->liquid_count, arena));
    TRY(film_bodies_add_solids(bodies, &ctx->world->solids, film->settings.h_max + 2*ctx->model->tank.dx, only, arena));
    int liquids = bodies->liquids, count = bodies->count;
    unsigned char* apart = ARENA_ZERO(arena, unsigned char, count* count);
    TRY_MEMORY(apart);
    for (int a = 0; a < liquids; a++) {
        for (int b = 0; b < liquids; b++) {
            MergePolicy p = merge_policy(&ctx->model->merge, &ctx->world->liquid[a], &ctx->world->liquid[b], ctx->world->time);
            apart[a*count + b] = a != b && p.rule != MERGE_ON_TOUCH;
        }
        int solids = bodies->body[a].solids;
        if (solids >= 0) apart[a*count + solids] = apart[solids*count + a] = 1;
    }
    film->apart = apart;
    assert(film_bodies_is_valid(bodies));
    return MN_OK;
}

// ---- merging -------------------------------------------------------------------------------------------------------------

// Of a drop that mirrors cut, the whole counts. One that touches a wall or a solid is taken as it is.
static double radius_of(const Liquid* q)
{
    unsigned axes = momentum_free_axes(q);
    double volume = q->target_volume;
    for (int d = 0; d < q->w.dim && axes; d++)
        if (!(axes >> d & 1)) volume *= 2;
    return q->w.dim == 3 ? cbrt(0.75*volume/PI) : sqrt(volume/PI);
}

static bool lets_merge(int place[3], const void* self, const StepContext* ctx, int a, int b)
{
    const FilmPartner* f = self;
    const Liquid *p = &ctx->world->liquid[a], *q = &ctx->world->liquid[b];
    MergePolicy policy = merge_policy(&ctx->model->merge, p, q, ctx->world->time);
    if (policy.rule != MERGE_BELOW && policy.rule != MERGE_VDW) return false;
    double radius = fmin(radius_of(p), radius_of(q)), sigma = fmin(p->material.sigma, q->material.sigma);
    double limit = policy.rule == MERGE_BELOW ? policy.value : film_rupture_thickness(f->hamaker, sigma, radius);
    int node[3];
    if (!(film_air_thinnest(node, &f->air, &ctx->model->tank, p->id, q->id) < limit)) return false;
    for (int d = 0; d < 3; d++) place[d] = node[d];
    return true;
}

// ---- before the volume is restored ---------------------------------------------------------------------------------------

// Level sets may overlap by as much (cells) before they are moved. Where the rim of a film runs outwards through a cell, the film
// closes the cell when its middle is shut, and by then its inner end overlaps by half a cell's worth of the wedge that closes:
// 0.25 dx at 0.5 m/s. The air keeps its own thickness meanwhile and pushes them apart (film_volume.h), which moves liquid as the
// flow does; a repair moves it from the film to the far side.
static const double MOST_OVERLAP = 0.5;

static mn_status make_consistent(void* self, StepContext* ctx)
{
    FilmPartner* f = self;
    f->report = (FilmReport){0};
    f->record.count = 0;
    if (is_idle(f, ctx)) return MN_OK;
    double started = timer_now();
    assert(film_air_is_valid(&f->air, &ctx->model->tank));
    Film film;
    int count = ctx->world->liquid_count;
    TRY(begin(&film, f, ctx, -1, ctx->scratch));
    bool* moved = ARENA_ZERO(ctx->scratch, bool, count);
    TRY_MEMORY(moved);
    for (int a = 0; a < count; a++) {
        for (int b = a + 1; b < count; b++) {
            if (!film_keeps_apart(&film, a, b)) continue;
            GapRepair repair = {0};
            film_repair_gap(&repair, &ctx->world->liquid[a], &ctx->world->liquid[b], -MOST_OVERLAP*ctx->model->tank.dx);
            assert(repair.nodes == 0 ||
                   film_gap_is_open(&ctx->world->liquid[a], &ctx->world->liquid[b], -MOST_OVERLAP*ctx->model->tank.dx));
            moved[a] = moved[a] || repair.nodes > 0, moved[b] = moved[b] || repair.nodes > 0;
            f->report.repaired = fmax(f->report.repaired, repair.deepest);
        }
        int solids = film.bodies.body[a].solids;
        if (solids < 0) continue;
        GapRepair repair = {0};
        film_repair_solid(&repair, &ctx->world->liquid[a], &film.bodies.body[solids], -MOST_OVERLAP*ctx->model->tank.dx);
        moved[a] = moved[a] || repair.nodes > 0;
        f->report.repaired = fmax(f->report.repaired, repair.deepest);
    }
    for (int m = 0; m < count; m++) {
        double before = ctx->world->liquid[m].cells.volume;
        if (!moved[m]) continue;
        TRY(liquid_rebuild_cells(&ctx->world->liquid[m], ctx->kept));
        f->report.removed += before - ctx->world->liquid[m].cells.volume;
    }
    arena_reset(ctx->scratch);
    f->report.seconds += timer_now() - started;
    return MN_OK;
}

static mn_status hold(float** freedom, void* self, StepContext* ctx, int m)
{
    const FilmPartner* f = self;
    if (is_idle(f, ctx)) return MN_OK;
    Film film;
    TRY(begin(&film, f, ctx, m, ctx->kept));
    return film_freedom(freedom, &film, m, ctx->kept);
}

// ---- motion of free liquids ----------------------------------------------------------------------------------------------

static mn_status predict(void* self, StepContext* ctx)
{
    FilmPartner* f = self;
    f->motion = NULL;
    if (is_idle(f, ctx)) return MN_OK;
    return momentum_note_free(&f->motion, ctx->world->liquid, ctx->world->liquid_count, ctx->kept, ctx->scratch);
}

// Until the projection nothing but the box's acceleration changes the mean velocity of a free liquid; what advection, gap
// repair and friction on the grid added to it is taken away again.
static mn_status act(void* self, StepContext* ctx)
{
    const FilmPartner* f = self;
    return momentum_settle_free(f->motion, ctx->world->liquid, ctx->world->liquid_count, ctx->acceleration, ctx->dt,
                                ctx->scratch);
}

// ---- projection ----------------------------------------------------------------------------------------------------------

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
typedef struct FilmClusters {
    int* root;       // per liquid
    unsigned* axes;  // per root: those along which nothing else pushes, a bit each (momentum_free_axes)
    double (*v)[3];  // m/s, per liquid: mean velocity before
} FilmClusters;

static mn_status find_clusters(FilmClusters* c, const Film* film, StepContext* ctx, Pressure* const* pressure)
{
    const FilmBodies* bodies = &film->bodies;
    int count = bodies->count;
    TRY_MEMORY(c->root = ARENA_NEW(ctx->scratch, int, count));
    TRY_MEMORY(c->axes = ARENA_NEW(ctx->scratch, unsigned, count));
    TRY_MEMORY(c->v = arena_take_zero(ctx->scratch, sizeof *c->v*(size_t)count));
    for (int m = 0; m < count; m++) c->root[m] = m, c->axes[m] = all_axes(ctx->model->tank.dim);
    for (int a = 0; a < film->cells; a++) set_join(c->root, film->cell[a].pair[0], film->cell[a].pair[1]);
    // a solid takes up momentum along its normal only: a level plate leaves drops on it free to move sideways
    for (int a = 0; a < film->cells; a++) {
        const AirCell* cell = &film->cell[a];
        if (film_on_solid(film, cell))
            c->axes[set_find(c->root, cell->pair[0])] &= ~film_pushed_axes(&bodies->body[cell->pair[1]], cell->x);
    }
    for (int m = 0; m < bodies->liquids; m++) {
        if (!pressure[m]) continue;
        int root = set_find(c->root, m);
        c->axes[root] &= momentum_free_axes(&ctx->world->liquid[m]);
        TRY(momentum_mean_velocity(c->v[m], &ctx->world->liquid[m], ctx->scratch));
    }
    return MN_OK;
}

// What its films have given to a liquid on the cluster's free axes, kg m/s; a solid pushes along none of them.
static void impulse_of(double out[3], const Film* film, const Liquid* q, int m, double dt)
{
    film_force(out, film, q, m, false);
    for (int d = 0; d < 3; d++) out[d] *= dt;
}

static mn_status keep_momentum(FilmPartner* f, StepContext* ctx, Pressure* const* pressure)
{
    const Film* film = &f->film;
    FilmClusters* c = f->clusters;
    int count = ctx->world->liquid_count;
    double(*impulse)[3] = arena_take_zero(ctx->scratch, sizeof *impulse*(size_t)count);
    double(*lost)[4] = arena_take_zero(ctx->scratch, sizeof *lost*(size_t)count);
    TRY_MEMORY(impulse);
    TRY_MEMORY(lost);
    for (int m = 0; m < count; m++) {
        if (!pressure[m]) continue;
        const Liquid* q = &ctx->world->liquid[m];
        double* sum = lost[set_find(c->root, m)];
        impulse_of(impulse[m], film, q, m, ctx->dt);
        for (int d = 0; d < 3; d++) sum[d] -= impulse[m][d];
        sum[3] += q->material.rho*q->cells.volume;
    }
    for (int m = 0; m < count; m++) {
        int root = set_find(c->root, m);
        if (!pressure[m] || !c->axes[root]) continue;
        Liquid* q = &ctx->world->liquid[m];
        double mass = q->material.rho*q->cells.volume;
        Motion motion = {.axes = c->axes[root]};
        for (int d = 0; d < 3; d++) motion.v[d] = c->v[m][d] + impulse[m][d]/mass + lost[root][d]/lost[root][3];
        TRY(momentum_settle(q, &motion, ctx->scratch));
        f->report.momentum_error = fmax(f->report.momentum_error, vec_norm(motion.change));
    }
    return MN_OK;
}

// What presses on liquids presses on the solids across: on bodies, which have to know of it, and on what takes up all momentum.
static mn_status lean_on_solids(Film* film, Coupling* c)
{
    for (int a = 0; a < film->cells; a++) {
        AirCell* cell = &film->cell[a];
        int which = -1;
        if (!film_on_solid(film, cell) || !c->joined[cell->pair[0]]) continue;
        solids_kept_off(film->solids, cell->x, &which);
        if (film->solids->solid[which].body == 0) coupling_lean(c, cell->pair[0]);
        else {
            cell->skin = 1 + which;
            TRY(coupling_press_solid(c, cell->pair[0], which));
        }
    }
    return MN_OK;
}

static mn_status couple(void* self, Coupling* c, StepContext* ctx)
{
    FilmPartner* f = self;
    assert(f->parts == 0);
    if (is_idle(f, ctx)) return MN_OK;
    double started = timer_now();
    Film* film = &f->film;
    TRY(begin(film, f, ctx, -1, ctx->scratch));
    if (film->settings.build == FILM_GRAPH) {
        TRY(film_graph_build(film, ctx->scratch));
    } else {
        TRY(film_ridge_build(film, ctx->scratch));
        TRY(film_link_patches(film, ctx->scratch));
    }
    film->free_dt = ctx->report->free_dt;
    film_air_read(film, &f->air);
    f->air.count = 0;
    if (merge_attracts(&ctx->model->merge)) film_attract(film, f->hamaker);
    assert(film_is_valid(film));
    TRY(film_join_liquids(&f->owner, c, film, ctx->scratch));
    TRY(lean_on_solids(film, c));
    for (int m = 0; m < c->liquids; m++) TRY(coupling_press(c, m, film->air[m], ctx->world->liquid[m].cells.count));
    f->report.seconds += timer_now() - started;
    return MN_OK;
}

// A film is passive, but for errors of the grid. In a step as long as flow and tension allow the films of a liquid may bring this
// part of its kinetic energy, and what moves it by so little (cells); in a shorter one less, so that many short steps bring no
// more than a long one.
static const double OF_KINETIC = 0.02, SLOW = 0.01;

static mn_status most_gain(double** out, StepContext* ctx)
{
    double whole = fmax(ctx->report->free_dt, ctx->dt), slow = SLOW*ctx->model->tank.dx/whole;
    int liquids = ctx->world->liquid_count;
    TRY_MEMORY(*out = ARENA_NEW(ctx->scratch, double, liquids));
    for (int m = 0; m < liquids; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        double kinetic;
        TRY(liquid_kinetic(&kinetic, q, ctx->scratch));
        (*out)[m] = (OF_KINETIC*kinetic + 0.5*q->material.rho*q->cells.volume*slow*slow)*ctx->dt/whole;
    }
    return MN_OK;
}

static mn_status assemble(void* self, Coupling* c, StepContext* ctx)
{
    FilmPartner* f = self;
    if (is_idle(f, ctx)) return MN_OK;
    TRY_MEMORY(f->clusters = ARENA_ZERO(ctx->scratch, FilmClusters, 1));
    TRY(find_clusters(f->clusters, &f->film, ctx, c->pressure));
    TRY(most_gain(&f->film.most_gain, ctx));
    TRY(film_split(&f->part, &f->film, f->owner, c, ctx->scratch));
    TRY_MEMORY(f->system = ARENA_ZERO(ctx->scratch, FilmSystem*, c->clusters));
    f->parts = c->clusters;
    for (int k = 0; k < f->parts; k++) TRY(film_system_begin(&f->system[k], &f->part[k].film, c, k, ctx->scratch));
    return MN_OK;
}

static mn_status load(PoissonOperator* op, void* self, Coupling* c, int cluster)
{
    FilmPartner* f = self;
    (void)c;
    return cluster < f->parts ? film_system_load(op, f->system[cluster]) : MN_OK;
}

static mn_status judge(PartnerVerdict* verdict, void* self, Coupling* c, int cluster)
{
    FilmPartner* f = self;
    (void)c;
    return cluster < f->parts ? film_system_judge(verdict, f->system[cluster]) : MN_OK;
}

static mn_status answer(void* self, Coupling* c, StepContext* ctx)
{
    FilmPartner* f = self;
    (void)c, (void)ctx;
    if (f->parts == 0) return MN_OK;
    for (int k = 0; k < f->parts; k++) {
        film_system_answer(f->system[k]);
        film_part_return(&f->film, &f->part[k]);
    }
    assert(film_solution_is_valid(&f->film));
    report_film(&f->report, &f->film);
    return film_record_take(&f->record, &f->film);
}

static mn_status take_back(void* self, Coupling* c, StepContext* ctx)
{
    FilmPartner* f = self;
    if (f->parts == 0) return MN_OK;
    TRY(film_air_write(&f->air, &f->film, ctx->dt, ctx->scratch));
    for (int m = 0; m < c->liquids; m++)
        if (c->pressure[m]) f->report.work += film_solid_work(&f->film, &ctx->world->liquid[m], m, &ctx->world->solids, ctx->dt);
    return keep_momentum(f, ctx, c->pressure);
}

static void end(void* self)
{
    FilmPartner* f = self;
    for (int k = 0; k < f->parts; k++)
        if (f->system[k]) film_system_end(f->system[k]);
    f->parts = 0;
}

// ---- state and reports ---------------------------------------------------------------------------------------------------

static void free_film(void* self)
{
    FilmPartner* f = self;
    film_air_free(&f->air);
    film_record_free(&f->record);
    free(f);
}

static mn_status visit(void* self, StateVisitor* v) { return film_air_visit(&((FilmPartner*)self)->air, v); }

static void report(const void* self, const StepReport* r, Columns* columns)
{
    const FilmReport* f = &((const FilmPartner*)self)->report;
    columns_real(columns, "film_area", f->area);
    columns_real(columns, "film_thickness", f->least_thickness);
    columns_real(columns, "film_pressure", f->most_pressure);
    columns_real(columns, "film_repair", f->repaired);
    columns_real(columns, "film_volume", f->volume);
    columns_whole(columns, "film_limits", r->limited_by == film_verbs.name);
}

static double work(const void* self) { return ((const FilmPartner*)self)->report.work; }

static mn_status show(const void* self, Layers* layers) { return film_record_show(layers, &((const FilmPartner*)self)->record); }

const PartnerVerbs film_verbs = {.name = "film",
                                 .free = free_film,
                                 .visit = visit,
                                 .limit = limit,
                                 .presses = presses,
                                 .predict = predict,
                                 .lets_merge = lets_merge,
                                 .make_consistent = make_consistent,
                                 .hold = hold,
                                 .act = act,
                                 .couple = couple,
                                 .assemble = assemble,
                                 .load = load,
                                 .judge = judge,
                                 .answer = answer,
                                 .take_back = take_back,
                                 .work = work,
                                 .end = end,
                                 .report = report,
                                 .show = show};

mn_status film_move_in(FilmPartner** film, World* world)
{
    assert(!film_of(world));
    FilmPartner* f = calloc(1, sizeof *f);
    if (!f) return mn_fail(MN_NO_MEMORY, "out of memory: air films");
    TRY(partners_add(&world->partners, &film_verbs, f));
    *film = f;
    return MN_OK;
}

FilmPartner* film_of(const World* world) { return partners_find(&world->partners, &film_verbs); }

#include "membrane/membrane_partner.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "liquid/energy.h"
#include "liquid/flow.h"
#include "liquid/momentum.h"
#include "membrane/membrane_lent.h"
#include "membrane/membrane_levels.h"
#include "membrane/remesh.h"

// A liquid and its surface.
typedef struct MembraneLiquid {
    // what survives a step
    int id;  // of the liquid
    MembraneMesh mesh;
    // rebuilt with the liquid
    MembraneCells* cells;  // kept memory
    double kinetic;        // J (2D: J/m), of the membrane itself; measured whenever it has changed
} MembraneLiquid;

struct MembranePartner {
    MembraneKind* kind;  // owned
    int kinds;
    MembraneMesh empty;  // a mesh of this tank, for those that a visitor brings
    MembraneLiquid* of;  // owned; in the order of their ids
    int count, room;
    char news[300];  // of the last step: which surfaces went on as level sets
};

// ---- whose surface is whose -------------------------------------------------------------------------------------------------

static Liquid* liquid_of(World* world, int id)
{
    for (int m = 0; m < world->liquid_count; m++)
        if (world->liquid[m].id == id) return &world->liquid[m];
    return NULL;
}

static MembraneLiquid* find(const MembranePartner* p, int id)
{
    for (int k = 0; k < p->count; k++)
        if (p->of[k].id == id) return &p->of[k];
    return NULL;
}

const MembraneKind* membrane_kind(const MembranePartner* p, int kind)
{
    assert(kind >= 0 && kind < p->kinds);
    return &p->kind[kind];
}

static mn_status make_room(MembranePartner* p, int count)
{
    if (count <= p->room) return MN_OK;
    MembraneLiquid* more = realloc(p->of, sizeof *more*(size_t)(count + 4));
    TRY_MEMORY(more);
    memset(more + p->room, 0, sizeof *more*(size_t)(count + 4 - p->room));
    p->of = more, p->room = count + 4;
    return MN_OK;
}

mn_status membrane_take_liquid(MembranePartner* p, Liquid* q, MembraneMesh* mesh)
{
    assert(q->id > 0 && !q->meshed && (p->count == 0 || p->of[p->count - 1].id < q->id));
    mn_status status = make_room(p, p->count + 1);
    if (status != MN_OK) return membrane_free(mesh), status;
    p->of[p->count++] = (MembraneLiquid){.id = q->id, .mesh = *mesh};
    *mesh = (MembraneMesh){0};
    q->meshed = true;
    return MN_OK;
}

static void forget(MembranePartner* p, MembraneLiquid* of)
{
    membrane_free(&of->mesh);
    memmove(of, of + 1, sizeof *of*(size_t)(p->of + p->count - (of + 1)));
    p->of[--p->count] = (MembraneLiquid){0};
}

// ---- the liquid as the membrane's step has it -------------------------------------------------------------------------------

// Borrows the liquid's fields and the mesh; `wet` is of the arena. give_back returns the mesh.
static mn_status borrow(MembraneFlow* f, MembraneLiquid* of, Liquid* q, Arena* arena)
{
    *f = (MembraneFlow){.mesh = of->mesh, .w = q->w, .p = q->p};
    for (int d = 0; d < 3; d++) f->u[d] = q->u[d];
    double* wet = ARENA_ZERO(arena, double, q->w.count);
    TRY_MEMORY(wet);
    f->wet = (Field){.v = wet + q->w.origin, .block = wet};
    return MN_OK;
}

static void give_back(MembraneLiquid* of, const MembraneFlow* f) { of->mesh = f->mesh; }

static MembraneSettings settings_of(const MembranePartner* p, const Liquid* q, const StepContext* ctx)
{
    MembraneSettings s = {.rho = q->material.rho,
                          .sigma = q->material.sigma,
                          .thickness = membrane_kind(p, q->kind)->thickness,
                          .advection = flow_advection(q, ctx),
                          .options = {ctx->model->settings.tolerance, 200}};
    memcpy(s.gravity, ctx->acceleration, sizeof s.gravity);
    return s;
}

// The membrane's own mass moves across the surface alone: along it the velocity is the liquid's and costs nothing
// (membrane_solve.h). It has no weight either, and what it has of momentum is in no books.
static mn_status measure_motion(const MembranePartner* p, MembraneLiquid* of, const Liquid* q, Arena* arena)
{
    const MembraneMesh* m = &of->mesh;
    double(*normal)[3], *area = ARENA_NEW(arena, double, m->vertices + 1), sum = 0;
    TRY_MEMORY(area);
    TRY(membrane_normals(&normal, m, arena));
    membrane_vertex_areas(area, m);
    for (int i = 0; i < m->vertices; i++) {
        double across = vec_dot(normal[i], m->v + 3*i);
        sum += 0.5*area[i]*across*across;
    }
    of->kinetic = q->material.rho*membrane_kind(p, q->kind)->thickness*sum;
    return MN_OK;
}

static bool touches_bodies(const MembraneMesh* m)
{
    for (int i = 0; i < m->vertices; i++)
        if (!membrane_is_free(m, i)) return true;
    return false;
}

// Between the wires of a clip and round its ends the surface folds over itself by thousandths of a face for a step or two, and
// opens again: there only more than FOLDED ends the mesh.
static bool is_crossed(const MembraneLiquid* of)
{
    static const double FOLDED = 0.02;
    const MembraneCells* c = of->cells;
    if (!touches_bodies(&of->mesh)) return membrane_is_crossed(c);
    return c->least < -FOLDED || c->most > 1 + FOLDED || !(c->leak < 1e-9);
}

// phi, window, spans and cut cells of a liquid from its mesh. of->cells stand in `kept` then.
static mn_status rebuild_one(const MembranePartner* p, MembraneLiquid* of, Liquid* q, const Tank* tank, Arena* kept,
                             Arena* scratch)
{
    TRY(measure_motion(p, of, q, scratch));
    TRY_MEMORY(of->cells = ARENA_NEW(kept, MembraneCells, 1));
    TRY(lanes_build(of->cells, &of->mesh, &q->w, kept));
    if (is_crossed(of)) return MN_OK;
    TRY(membrane_levels(q, &of->mesh, of->cells, scratch));
    Window before = q->w;
    TRY(liquid_refit_window(q, tank));
    if (!window_same(&before, &q->w)) TRY(lanes_build(of->cells, &of->mesh, &q->w, kept));
    TRY(liquid_rebuild_spans(q, kept, &(Solids){0}));
    return membrane_cut_cells(q, of->cells, kept);
}

// ---- what the mesh cannot follow --------------------------------------------------------------------------------------------

// It goes on as a level set: phi is that of the mesh as far as that has a distance.
static mn_status go_on_as_level_set(MembranePartner* p, MembraneLiquid* of, Liquid* q, const char* why, StepContext* ctx)
{
    if (membrane_kind(p, q->kind)->topology == MEMBRANE_STOPS)
        return mn_fail(MN_STEP_FAILED,
                       "the surface of liquid %d %s, which its mesh cannot follow; topology = \"levelset\" goes on", q->id, why);
    MembraneCells cells;
    TRY(lanes_build(&cells, &of->mesh, &q->w, ctx->scratch));
    TRY(membrane_levels(q, &of->mesh, &cells, ctx->scratch));
    arena_reset(ctx->scratch);
    size_t said = strlen(p->news);
    snprintf(p->news + said, sizeof p->news - said, "%sliquid %d %s at t = %.4g s: its surface goes on as a level set",
             said ? "; " : "", q->id, why, ctx->world->time + ctx->dt);
    q->meshed = false;
    forget(p, of);
    TRY(liquid_refit_window(q, &ctx->model->tank));
    return liquid_rebuild(q, ctx->kept, &ctx->world->solids);
}

// A vertex that belongs to no wall has come to one. It is put there.
static bool meets_walls(MembraneMesh* m)
{
    bool meets = false;
    for (int i = 0; i < m->vertices; i++)
        for (int d = 0; d < m->dim; d++) {
            double* x = &m->x[3*i + d];
            if (m->flag[i] >> d & 1 || (*x > m->low[d] && *x < m->high[d])) continue;
            *x = clamp(*x, m->low[d], m->high[d]), meets = true;
        }
    return meets;
}

static mn_status yield_liquid(void* self, StepContext* ctx, Liquid* q)
{
    MembranePartner* p = self;
    MembraneLiquid* of = find(p, q->id);
    return of ? go_on_as_level_set(p, of, q, "has met another liquid", ctx) : MN_OK;
}

// ---- the step ---------------------------------------------------------------------------------------------------------------

// Cells that all free vertices may move along their normals in a step to give the liquid its volume back: remeshing and the
// finite step change it by less (docs/membrane.md).
static const double MOST_SHIFT = 0.02;

static void restore_volume(MembraneLiquid* of, Liquid* q, StepContext* ctx)
{
    double before = membrane_volume(&of->mesh), target = of->mesh.target_volume = q->target_volume;
    membrane_restore_volume(&of->mesh, MOST_SHIFT*q->w.dx);
    double error = fabs(before - target)/target;
    SurfaceWeight middle;
    surface_weight_level(&middle, &of->mesh);
    double weight = q->material.rho*target*energy_of_height(ctx->model, middle.origin);
    ctx->report->volume_correction = fmax(ctx->report->volume_correction, error);
    ctx->report->volume_energy += error*(fabs(weight) + q->material.sigma*membrane_area(&of->mesh));
}

// The mesh is put right, and what went into a body since the vertices were at `start` lies on it. The volume's correction lifts
// the surface, and remeshing cuts corners: what that put into a body goes back out.
static mn_status fit_mesh(const MembranePartner* p, MembraneLiquid* of, Liquid* q, StepContext* ctx, const double* start)
{
    LentBodies bodies;
    MembraneMesh* m = &of->mesh;
    Moved moved = {start, ctx->dt};
    TRY(lent_bodies(&bodies, ctx, membrane_kind(p, q->kind)->edge, false));
    if (!bodies_are_none(&bodies)) {
        membrane_touch(m, &bodies.view, moved, q->w.dx, NULL);
        TRY(membrane_touch_sizes(m, &bodies.view, ctx->dt));
    }
    TRY(membrane_remesh(m, bodies_are_none(&bodies) ? 1 : 3, NULL));
    restore_volume(of, q, ctx);
    if (!bodies_are_none(&bodies)) membrane_touch(m, &bodies.view, (Moved){0}, q->w.dx, NULL);
    return MN_OK;
}

// 1 to 4: the surface and u ride, the mesh is put right, the liquid gets its volume back.
static mn_status carry(MembranePartner* p, MembraneLiquid* of, Liquid* q, StepContext* ctx, const char** trouble)
{
    MembraneFlow f;
    MembraneSettings s = settings_of(p, q, ctx);
    double* start = ARENA_NEW(ctx->kept, double, 3*of->mesh.vertices + 1);
    TRY_MEMORY(start);
    memcpy(start, of->mesh.x, 3*sizeof *start*(size_t)of->mesh.vertices);
    TRY(borrow(&f, of, q, ctx->scratch));
    membrane_flow_find_wet(&f, of->cells);
    mn_status status = membrane_carry(&f, s.advection, ctx->dt, ctx->scratch);
    give_back(of, &f);
    TRY(status);
    arena_reset(ctx->scratch);
    *trouble = meets_walls(&of->mesh) ? "has come to a wall" : NULL;
    if (*trouble) return MN_OK;
    TRY(fit_mesh(p, of, q, ctx, start));
    TRY(rebuild_one(p, of, q, &ctx->model->tank, ctx->kept, ctx->scratch));
    arena_reset(ctx->scratch);
    if (is_crossed(of)) *trouble = "crosses itself";
    return MN_OK;
}

static mn_status move(void* self, StepContext* ctx)
{
    MembranePartner* p = self;
    p->news[0] = 0;
    for (int k = 0; k < p->count;) {
        Liquid* q = liquid_of(ctx->world, p->of[k].id);
        const char* trouble;
        assert(q && q->meshed);
        TRY(carry(p, &p->of[k], q, ctx, &trouble));
        if (trouble) TRY(go_on_as_level_set(p, &p->of[k], q, trouble, ctx));
        else k++;
    }
    return MN_OK;
}

// Pa, from and to what the solve has, Pa s, counted from the pressure at the height of the mean level: p = p^/dt + rho a.(x -
// x0). Sign: the weight of what lies above, rho a.(x - x0), grows along a, which points down.
static void change_pressure(Liquid* q, const MembraneLiquid* of, const MembraneSettings* s, double dt, bool to_pascal)
{
    SurfaceWeight weight = {.rho = s->rho};
    memcpy(weight.acceleration, s->gravity, sizeof s->gravity);
    surface_weight_level(&weight, &of->mesh);
    const Window* w = &q->w;
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                double x[3], *value = &q->p.v[at];
                if (!(of->cells->volume[at] > 0)) {
                    *value = 0;
                    continue;
                }
                window_position(x, w, i + 0.5, j + 0.5, k + 0.5);
                vec_sub(x, x, weight.origin);
                double height = s->rho*vec_dot(s->gravity, x);
                *value = to_pascal ? *value/dt + height : (*value - height)*dt;
            }
}

// A liquid that touches nothing cannot push itself (liquid/momentum.h): the velocity along the surface, which is the liquid's and
// no result of forces, is all that could. Faces and vertices get the same velocity everywhere.
static mn_status settle(MembraneLiquid* of, Liquid* q, Motion* motion, StepContext* ctx)
{
    for (int d = 0; d < 3; d++) motion->v[d] += ctx->dt*ctx->acceleration[d];
    motion->mirrored = 0;
    TRY(momentum_settle(q, motion, ctx->scratch));
    for (int i = 0; i < of->mesh.vertices; i++)
        for (int d = 0; d < 3; d++)
            if (motion->axes >> d & 1 && !(of->mesh.flag[i] >> d & 1)) of->mesh.v[3*i + d] += motion->change[d];
    return MN_OK;
}

// 5: pressure, tension and weight in one solve, with the velocities of the bodies that the surface carries.
static mn_status project(MembranePartner* p, MembraneLiquid* of, Liquid* q, StepContext* ctx, bool forces)
{
    MembraneFlow f;
    MembraneSettings s = settings_of(p, q, ctx);
    MembraneReport report;
    Motion motion = {0};
    LentBodies bodies;
    TRY(lent_bodies(&bodies, ctx, membrane_kind(p, q->kind)->edge, forces));
    if (!bodies_are_none(&bodies)) s.bodies = &bodies.view;
    bool alone = !touches_bodies(&of->mesh);
    if (!forces) s.sigma = 0, memset(s.gravity, 0, sizeof s.gravity);
    if (forces) TRY(momentum_note(&motion, q, ctx->scratch));
    change_pressure(q, of, &s, ctx->dt, false);
    TRY(borrow(&f, of, q, ctx->scratch));
    f.p_dt = ctx->dt;
    mn_status status = membrane_project(&report, &f, &s, of->cells, ctx->dt, ctx->scratch);
    give_back(of, &f);
    TRY(status);
    change_pressure(q, of, &s, ctx->dt, true);
    if (s.bodies) lent_return(&bodies, &of->mesh);
    if (forces && alone) TRY(settle(of, q, &motion, ctx));
    TRY(measure_motion(p, of, q, ctx->scratch));
    double* u[3];
    flow_velocity(u, q);
    faces_exchange(u, &q->w, EVERY_LAYER);
    ctx->report->iterations = maxi(ctx->report->iterations, report.solve.iterations);
    ctx->report->residual = fmax(ctx->report->residual, report.solve.residual);
    ctx->report->unknowns += of->cells->cells;
    arena_reset(ctx->scratch);
    return report.solve.converged
               ? MN_OK
               : mn_fail(MN_NO_CONVERGENCE, "liquid %d: the solve of liquid and membrane stalled at a residual of %.3g", q->id,
                         report.solve.residual);
}

static mn_status act(void* self, StepContext* ctx)
{
    MembranePartner* p = self;
    for (int k = 0; k < p->count; k++) TRY(project(p, &p->of[k], liquid_of(ctx->world, p->of[k].id), ctx, true));
    stage_end(ctx->times, STAGE_SOLVE);
    return MN_OK;
}

// ---- before the first step, and after one is undone -------------------------------------------------------------------------

static mn_status rebuild(void* self, World* world, const Tank* tank, Arena* kept, Arena* scratch)
{
    MembranePartner* p = self;
    for (int m = 0; m < world->liquid_count; m++) world->liquid[m].meshed = find(p, world->liquid[m].id) != NULL;
    for (int k = 0; k < p->count; k++) {
        Liquid* q = liquid_of(world, p->of[k].id);
        if (!q) return mn_fail(MN_BAD_CHECKPOINT, "holds the surface of a liquid %d that it does not hold", p->of[k].id);
        TRY(rebuild_one(p, &p->of[k], q, tank, kept, scratch));
        arena_reset(scratch);
    }
    return MN_OK;
}

static mn_status start(void* self, StepContext* ctx)
{
    MembranePartner* p = self;
    for (int k = 0; k < p->count; k++) {
        MembraneLiquid* of = &p->of[k];
        Liquid* q = liquid_of(ctx->world, of->id);
        MembraneFlow f;
        TRY(lent_check_dry(&ctx->world->solids, &q->w, of->cells->volume));
        TRY(borrow(&f, of, q, ctx->scratch));
        membrane_flow_take_velocity(&f);
        give_back(of, &f);
        arena_reset(ctx->scratch);
        TRY(project(p, of, q, ctx, false));
    }
    return MN_OK;
}

// ---- the other verbs --------------------------------------------------------------------------------------------------------

static void free_partner(void* self)
{
    MembranePartner* p = self;
    for (int k = 0; k < p->count; k++) membrane_free(&p->of[k].mesh);
    free(p->of), free(p->kind), free(p);
}

static mn_status visit_one(MembraneLiquid* of, StateVisitor* v)
{
    TRY(state_ints(v, "liquid", &of->id, 1));
    return membrane_visit(&of->mesh, v);
}

// Meshes as many as a visitor brings.
static mn_status visit_all(MembranePartner* p, StateVisitor* v)
{
    int count = p->count;
    TRY(state_rows(v, "membrane_count", &count));
    if (count < 0 || count > 1000000) return mn_fail(MN_BAD_CHECKPOINT, "holds membrane_count = %d", count);
    TRY(make_room(p, count));
    while (p->count > count) forget(p, &p->of[p->count - 1]);
    for (; p->count < count; p->count++) p->of[p->count] = (MembraneLiquid){.mesh = p->empty};
    for (int k = 0; k < count; k++) {
        char name[32];
        snprintf(name, sizeof name, "membrane_%06d", k);
        TRY(state_enter(v, name));
        mn_status status = visit_one(&p->of[k], v);
        state_leave(v);
        TRY(status);
    }
    return MN_OK;
}

static mn_status visit(void* self, StateVisitor* v)
{
    TRY(state_enter(v, "membranes"));
    mn_status status = visit_all(self, v);
    state_leave(v);
    return status;
}

static double limit(const void* self, const Model* model, const World* world, double dt)
{
    const MembranePartner* p = self;
    for (int k = 0; k < p->count; k++) {
        const Liquid* q = liquid_of((World*)world, p->of[k].id);
        const MembraneKind* kind = membrane_kind(p, q->kind);
        MembraneFlow f = {.mesh = p->of[k].mesh, .w = q->w, .u = {q->u[0], q->u[1], q->u[2]}};
        MembraneSettings s = {.rho = q->material.rho, .sigma = q->material.sigma};
        if (flow_acceleration(s.gravity, model, world->time) != MN_OK) continue;
        dt = fmin(dt, membrane_limit(&f, &s, kind->capillary));
    }
    return dt;
}

// In a mode of frequency w a step is x += dt v, v -= dt w^2/(1 + w^2 dt^2) x: nothing is damped, and of the shortest waves, w
// dt >> 1, each step turns back what the one before it did as long as both are equally long. Where long and short ones took
// turns, short waves on a drop rang with a sixth of all energy.
static bool wants_even_steps(const void* self) { return ((const MembranePartner*)self)->count > 0; }

// Beside that of the liquids below.
static double energy(const void* self, const Model* model, const World* world)
{
    const MembranePartner* p = self;
    double sum = 0;
    (void)model, (void)world;
    for (int k = 0; k < p->count; k++) sum += p->of[k].kinetic;
    return sum;
}

static void motion(double momentum[3], double* kinetic, const void* self)
{
    (void)momentum;
    *kinetic += energy(self, NULL, NULL);
}

static const char* news(const void* self)
{
    const MembranePartner* p = self;
    return p->news[0] ? p->news : NULL;
}

static void report(const void* self, const StepReport* r, Columns* c)
{
    const MembranePartner* p = self;
    long vertices = 0;
    (void)r;
    for (int k = 0; k < p->count; k++) vertices += p->of[k].mesh.vertices;
    columns_whole(c, "membranes", p->count);
    columns_whole(c, "membrane_vertices", vertices);
}

static const PartnerVerbs verbs = {.name = "membrane",
                                   .free = free_partner,
                                   .visit = visit,
                                   .start = start,
                                   .rebuild = rebuild,
                                   .limit = limit,
                                   .wants_even_steps = wants_even_steps,
                                   .move = move,
                                   .yield_liquid = yield_liquid,
                                   .act = act,
                                   .energy = energy,
                                   .motion = motion,
                                   .news = news,
                                   .report = report};

mn_status membrane_move_in(World* world, const Tank* tank, const MembraneKind* kinds, int count)
{
    MembranePartner* p = calloc(1, sizeof *p);
    if (p) p->kind = calloc((size_t)count + 1, sizeof *kinds);
    if (!p || !p->kind) {
        free(p);
        return mn_fail(MN_NO_MEMORY, "no memory for surfaces");
    }
    memcpy(p->kind, kinds, (size_t)count*sizeof *kinds);
    p->kinds = count;
    p->empty.dim = tank->dim;
    for (int d = 0; d < tank->dim; d++) p->empty.high[d] = tank->n[d]*tank->dx;
    return partners_add(&world->partners, &verbs, p);
}

MembranePartner* membrane_of(const World* world) { return partners_find(&world->partners, &verbs); }

const MembraneMesh* membrane_mesh_of(const World* world, const Liquid* q)
{
    const MembranePartner* p = q->meshed ? membrane_of(world) : NULL;
    const MembraneLiquid* of = p ? find(p, q->id) : NULL;
    return of ? &of->mesh : NULL;
}

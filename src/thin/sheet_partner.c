#include "thin/sheet_partner.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "liquid/energy.h"
#include "liquid/momentum.h"
#include "liquid/sheet_motion.h"
#include "thin/sheet_tension.h"

// Solves of a step; and what the sheets may differ from the last one, cells per step.
enum { MOST_SOLVES = 4 };
static const double CLOSE_ENOUGH = 1e-3;

// From the start of a projection to its end. Arena memory.
typedef struct SheetSolve {
    SheetCoupling coupling;
    StepContext* ctx;
    ThinLinear linear;
    ThinForces forces;
    int cluster;             // -1: no liquid touches them
    double *x, *v;           // of the start, 3 per vertex
    double* moved;           // x - x_0 that the solve is made about
    double *change, *force;  // m/s; N
    bool has_begun;
} SheetSolve;

static size_t numbers(const SheetPartner* p) { return 3*(size_t)p->mesh.vertices; }

// The world's elastic sheets are where the mesh is, and as fast.
static void lead_sheets(const SheetPartner* p)
{
    for (size_t m = 0; m < numbers(p); m++)
        if (p->elastic[m/3]) p->sheets->x[m] = p->mesh.x[m], p->sheets->v[m] = p->mesh.v[m];
}

// And the mesh is where the others are.
static void follow_sheets(SheetPartner* p)
{
    for (size_t m = 0; m < numbers(p); m++)
        if (!p->elastic[m/3]) p->mesh.x[m] = p->sheets->x[m], p->mesh.v[m] = p->sheets->v[m];
}

// ---- a step -----------------------------------------------------------------------------------------------------------------

static mn_status move(void* self, StepContext* ctx)
{
    SheetPartner* p = self;
    ThinMesh* t = &p->mesh;
    double* way = ARENA_NEW(ctx->scratch, double, 3*t->vertices);
    TRY_MEMORY(way);
    for (int m = 0; m < 3*t->vertices; m++) way[m] = p->elastic[m/3] ? ctx->dt*t->v[m] : p->sheets->x[m] - t->x[m];
    // the step before has found this way free, but maybe a shorter one
    if (p->meets) TRY(thin_check_way(t, p->solver, &p->contact, way));
    for (int m = 0; m < 3*t->vertices; m++) t->x[m] += way[m];
    follow_sheets(p);
    assert(thin_mesh_is_valid(t));
    lead_sheets(p);
    arena_reset(ctx->scratch);
    return MN_OK;
}

static ThinForces forces_of(const SheetPartner* p, const StepContext* ctx, const double* force)
{
    ThinForces f = {
        .force = force, .damp_mass = p->damp_mass, .damp_stiffness = p->damp_stiffness, .contact = p->meets ? &p->contact : NULL};
    for (int d = 0; d < 3; d++) f.a[d] = ctx->acceleration[d];
    return f;
}

// The sheets' own step, with forces from outside, in which they get another velocity; they are moved later.
static mn_status find_velocity(SheetPartner* p, const double* x, const double* v, const ThinForces* f, double dt)
{
    memcpy(p->mesh.x, x, numbers(p)*sizeof *x), memcpy(p->mesh.v, v, numbers(p)*sizeof *v);
    return thin_step(&p->report.thin, &p->mesh, p->solver, f, dt);
}

// Does a liquid touch an elastic sheet: is it wet within a cell of one, on either side?
static bool touches(const SheetPartner* p, const Liquid* q)
{
    const SheetCut* c = q->sheet;
    const Spans* s = &q->spans;
    if (!c || q->on_sheets == 0) return false;
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, m)
            for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++) {
                if (!(c->node[at] & SHEET_NEAR) || fabs(c->psi[at]) > q->w.dx) continue;
                if (!(fmin(q->phi.v[at], q->phi_far.v[at]) < q->w.dx)) continue;
                int own = c->surface.element[c->surface.dim*c->nearest[at]];
                if (c->surface.of) own = c->surface.of[own];
                if (p->elastic[own]) return true;
            }
    }
    return false;
}

static mn_status begin(SheetPartner* p, StepContext* ctx)
{
    SheetSolve* s = p->solve = ARENA_ZERO(ctx->scratch, SheetSolve, 1);
    int n = 3*p->mesh.vertices;
    TRY_MEMORY(s);
    TRY_MEMORY(s->x = ARENA_ZERO(ctx->scratch, double, 5*n));
    s->v = s->x + n, s->moved = s->v + n, s->change = s->moved + n, s->force = s->change + n;
    memcpy(s->x, p->mesh.x, numbers(p)*sizeof *s->x), memcpy(s->v, p->mesh.v, numbers(p)*sizeof *s->v);
    s->ctx = ctx, s->cluster = -1;
    s->forces = forces_of(p, ctx, NULL);
    p->report = (SheetsReport){0};
    return MN_OK;
}

static mn_status couple(void* self, Coupling* c, StepContext* ctx)
{
    SheetPartner* p = self;
    int first = -1;
    assert(!c->foresees);
    TRY(begin(p, ctx));
    for (int m = 0; m < c->liquids; m++) {
        if (!touches(p, &ctx->world->liquid[m])) continue;
        if (first < 0) first = m;
        coupling_join(c, first, m);
        if (p->is_held) coupling_lean(c, m);
    }
    if (first >= 0) return p->solve->cluster = first, MN_OK;  // its number comes later
    TRY(find_velocity(p, p->solve->x, p->solve->v, &p->solve->forces, ctx->dt));
    memcpy(p->mesh.x, p->solve->x, numbers(p)*sizeof *p->mesh.x);
    return MN_OK;
}

static mn_status assemble(void* self, Coupling* c, StepContext* ctx)
{
    SheetPartner* p = self;
    SheetSolve* s = p->solve;
    if (s->cluster < 0) return MN_OK;
    s->cluster = c->of[s->cluster];
    TRY(sheet_coupling_begin(&s->coupling, &p->mesh, p->elastic, c, s->cluster, ctx, ctx->scratch));
    TRY(sheet_tension_add(s->coupling.weight, &s->coupling, ctx));
    p->report.pieces = s->coupling.pieces, s->has_begun = true;
    return MN_OK;
}

static mn_status load(PoissonOperator* op, void* self, Coupling* c, int cluster)
{
    SheetPartner* p = self;
    SheetSolve* s = p->solve;
    (void)c;
    if (cluster != s->cluster) return MN_OK;
    double dt = s->ctx->dt;
    bool again = p->report.rounds > 0;
    memcpy(p->mesh.x, s->x, numbers(p)*sizeof *s->x), memcpy(p->mesh.v, s->v, numbers(p)*sizeof *s->v);
    for (size_t m = 0; m < numbers(p); m++) s->force[m] = s->x[m] + s->moved[m];
    TRY(thin_linearise(&s->linear, &p->mesh, p->solver, &s->forces, dt, again ? s->force : NULL));
    for (size_t m = 0; !again && m < numbers(p); m++) s->moved[m] = s->linear.unknown[m] < 0 ? dt*s->v[m] : 0;
    return sheet_coupling_load(&s->coupling, op, &s->linear, s->moved, dt);
}

// The sheets' own step with the pressures of the solve; the difference in velocity, cells per step.
static mn_status follow(double* off, SheetPartner* p)
{
    SheetSolve* s = p->solve;
    StepContext* ctx = s->ctx;
    TRY(sheet_coupling_answer(&s->coupling, s->change, ctx, &s->linear));
    for (size_t m = 0; m < numbers(p); m++)
        s->force[m] = (s->coupling.impulse[m] - s->coupling.entrained[m]*s->change[m])/ctx->dt + s->coupling.weight[m];
    ThinForces f = forces_of(p, ctx, s->force);
    TRY(find_velocity(p, s->x, s->v, &f, ctx->dt));
    *off = 0;
    for (size_t m = 0; m < numbers(p); m++) *off = fmax(*off, fabs(p->mesh.v[m] - s->v[m] - s->change[m]));
    p->report.off = *off;
    *off *= ctx->dt/ctx->model->tank.dx;
    for (size_t m = 0; m < numbers(p); m++) s->moved[m] = p->mesh.x[m] - s->x[m];
    memcpy(p->mesh.x, s->x, numbers(p)*sizeof *s->x);
    return MN_OK;
}

static mn_status judge(PartnerVerdict* verdict, void* self, Coupling* c, int cluster)
{
    SheetPartner* p = self;
    double off;
    if (cluster != p->solve->cluster) return MN_OK;
    p->report.rounds++;
    TRY(follow(&off, p));
    if (c->cluster[cluster].is_rough) *verdict = PARTNER_WANTS_FINER;
    if (off > CLOSE_ENOUGH && p->report.rounds < MOST_SOLVES) *verdict = PARTNER_WANTS_OTHER;
    return MN_OK;
}

static mn_status answer(void* self, Coupling* c, StepContext* ctx)
{
    SheetPartner* p = self;
    (void)c;
    for (size_t m = 0; p->solve->has_begun && m < numbers(p); m++) p->report.impulse[m%3] += p->solve->coupling.impulse[m];
    lead_sheets(p);
    for (int m = 0; m < ctx->world->liquid_count; m++)
        if (ctx->world->liquid[m].sheet) sheetcut_take_velocities(ctx->world->liquid[m].sheet, ctx->world->solids.sheets);
    return MN_OK;
}

// ---- momentum ---------------------------------------------------------------------------------------------------------------

static double mass_of(const SheetPartner* p)
{
    double mass = 0;
    for (int m = 0; m < p->mesh.vertices; m++) mass += p->elastic[m] ? p->mesh.mass[m] : 0;
    return mass;
}

// Sheets and liquids that touch nothing but each other cannot push themselves. Advection on a grid moves them as a whole a
// little: what is missing of the momentum that they had, and of what gravity gave, all of them get back, the same velocity.
// Momenta are those of the energy's books, which count pieces of cells.
static mn_status settle(void* self, Coupling* c, StepContext* ctx)
{
    SheetPartner* p = self;
    ThinMesh* t = &p->mesh;
    Energy now = {0};
    double mass = mass_of(p), more[3] = {0, 0, 0};
    const double none[3] = {0, 0, 0};
    if (p->solve->cluster < 0 || p->is_held || p->report.thin.contacts > 0 || ctx->world->spray.count > 0) return MN_OK;
    for (int m = 0; m < c->liquids; m++) {
        const Liquid* q = &ctx->world->liquid[m];
        if (c->of[m] != p->solve->cluster || !momentum_is_off_sides(q)) return MN_OK;
        mass += q->material.rho*q->target_volume;
        TRY(liquid_energy(&now, q, ctx->model, &ctx->world->solids, ctx->scratch));
    }
    partners_motion(now.momentum, &now.stored_motion, ctx->world);
    for (int d = 0; d < t->dim; d++)
        more[d] = (ctx->report->energy.before.momentum[d] - now.momentum[d])/mass + ctx->dt*ctx->acceleration[d];
    for (int m = 0; m < 3*t->vertices; m++) t->v[m] += p->elastic[m/3] ? more[m%3] : 0;
    for (int m = 0; m < c->liquids; m++) momentum_calm(&ctx->world->liquid[m], none, more, 1);
    lead_sheets(p);
    return MN_OK;
}

static void end(void* self)
{
    SheetPartner* p = self;
    if (p->solve && p->solve->has_begun) sheet_coupling_end(&p->solve->coupling);
    p->solve = NULL;
}

// ---- books ------------------------------------------------------------------------------------------------------------------

static double height_energy(const SheetPartner* p, const Model* model)
{
    double none[3] = {0, 0, 0};
    return thin_height_energy(&p->mesh, model->settings.gravity) + mass_of(p)*energy_of_height(model, none);
}

static double energy(const void* self, const Model* model, const World* world)
{
    const SheetPartner* p = self;
    (void)world;
    return thin_strain_energy(&p->mesh, p->mesh.x) + thin_kinetic_energy(&p->mesh) + height_energy(p, model);
}

static void motion(double momentum[3], double* kinetic, const void* self)
{
    const SheetPartner* p = self;
    for (int m = 0; m < p->mesh.vertices; m++)
        for (int d = 0; d < 3 && p->elastic[m]; d++) momentum[d] += p->mesh.mass[m]*p->mesh.v[3*m + d];
    *kinetic += thin_kinetic_energy(&p->mesh);
}

// What is held stays where it is, and what holds it does no work.
static double work(const void* self) { return ((const SheetPartner*)self)->work; }

static mn_status visit(void* self, StateVisitor* v)
{
    SheetPartner* p = self;
    ThinMesh* t = &p->mesh;
    TRY(state_enter(v, "elastic_sheets"));
    int count = t->vertices;
    mn_status status = state_rows(v, "vertices", &count);
    if (status == MN_OK && count != t->vertices)
        status = mn_fail(MN_BAD_CHECKPOINT, "holds %d vertices of elastic sheets, but there are %d", count, t->vertices);
    if (status == MN_OK) status = v->reals(v, "x", t->x, 3*t->vertices);
    if (status == MN_OK) status = v->reals(v, "v", t->v, 3*t->vertices);
    state_leave(v);
    if (status == MN_OK && v->brings) lead_sheets(p), follow_sheets(p);
    return status;
}

static void tell(const void* self, const StepReport* r, Columns* columns)
{
    const SheetPartner* p = self;
    const ThinReport* t = &p->report.thin;
    static const char* const axis = "xyz";
    char name[COLUMN_NAME];
    (void)r;
    columns_real(columns, "elastic_strain", thin_strain_energy(&p->mesh, p->mesh.x));
    columns_real(columns, "elastic_kinetic", thin_kinetic_energy(&p->mesh));
    for (int d = 0; d < p->mesh.dim; d++) {
        snprintf(name, sizeof name, "elastic_pins_%c", axis[d]);
        columns_real(columns, name, t->reaction[d]);
    }
    columns_whole(columns, "elastic_contacts", t->contacts);
    columns_whole(columns, "elastic_iterations", t->iterations);
    columns_whole(columns, "elastic_solves", p->report.rounds);
    columns_real(columns, "elastic_least", isfinite(t->least) ? t->least : -1);
}

static void discard(void* self)
{
    SheetPartner* p = self;
    thin_mesh_free(&p->mesh);
    thin_solver_free(p->solver);
    free((void*)p->contact.plane), free(p->elastic);
    free(p);
}

static const PartnerVerbs verbs = {.name = "elastic",
                                   .free = discard,
                                   .visit = visit,
                                   .move = move,
                                   .couple = couple,
                                   .assemble = assemble,
                                   .load = load,
                                   .judge = judge,
                                   .answer = answer,
                                   .settle = settle,
                                   .end = end,
                                   .energy = energy,
                                   .work = work,
                                   .motion = motion,
                                   .report = tell};

// ---- moving in --------------------------------------------------------------------------------------------------------------

static mn_status copy_contact(SheetPartner* p, const ContactSettings* c)
{
    if (!c) return MN_OK;
    ThinPlane* plane = malloc(sizeof *plane*(size_t)(c->planes + 1));
    if (!plane) return mn_fail(MN_NO_MEMORY, "out of memory: %d walls before sheets", c->planes);
    if (c->planes > 0) memcpy(plane, c->plane, sizeof *plane*(size_t)c->planes);
    p->meets = true, p->contact = *c, p->contact.plane = plane;
    return MN_OK;
}

static mn_status copy_flags(SheetPartner* p, const unsigned char* elastic)
{
    const ThinMesh* t = &p->mesh;
    unsigned char all = (unsigned char)(HELD_X | HELD_Y | (t->dim == 3 ? HELD_Z : 0));
    p->elastic = malloc((size_t)t->vertices);
    if (!p->elastic) return mn_fail(MN_NO_MEMORY, "out of memory: elastic sheets");
    for (int m = 0; m < t->vertices; m++) {
        p->elastic[m] = elastic ? elastic[m] : 1;
        assert(p->elastic[m] || (t->held[m] & all) == all);
        p->is_held = p->is_held || (p->elastic[m] && t->held[m] & all);
    }
    return MN_OK;
}

mn_status sheet_partner_add(World* world, ThinMesh* mesh, const unsigned char* elastic, const ThinForces* f)
{
    MovingSheets* m = world->solids.moving_sheets;
    SheetPartner* p = calloc(1, sizeof *p);
    if (!p) return thin_mesh_free(mesh), mn_fail(MN_NO_MEMORY, "out of memory: elastic sheets");
    assert(m && mesh->vertices == m->surface.vertices && thin_mesh_is_valid(mesh));
    p->mesh = *mesh, *mesh = (ThinMesh){.dim = mesh->dim};
    p->sheets = m, p->damp_mass = f->damp_mass, p->damp_stiffness = f->damp_stiffness;
    mn_status status = copy_contact(p, f->contact);
    if (status == MN_OK) status = copy_flags(p, elastic);
    if (status == MN_OK) status = thin_solver_new(&p->solver, &p->mesh);
    if (status != MN_OK) return discard(p), status;
    m->elastic = p->elastic;
    lead_sheets(p);
    return partners_add(&world->partners, &verbs, p);
}

SheetPartner* sheet_partner_of(const World* world) { return partners_find(&world->partners, &verbs); }

#include "thin/rod_partner.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "thin/rod_show.h"

static void free_partner(void* self)
{
    RodPartner* p = self;
    thin_solver_free(p->solver);
    rods_free(&p->rods);
    free(p);
}

static mn_status visit(void* self, StateVisitor* v)
{
    TRY(state_enter(v, "rods"));
    mn_status status = rods_visit(&((RodPartner*)self)->rods, v);
    state_leave(v);
    return status;
}

// ---- a step -----------------------------------------------------------------------------------------------------------------

// Rods keep off each other by their thickness, and off the walls.
typedef struct RodContacts {
    ContactSettings settings;
    ThinPlane plane[6];
} RodContacts;

// Slower than this they stick, m/s.
static const double CREEP = 1e-3;

static void contacts_of(RodContacts* c, const Rods* r, const Tank* tank)
{
    double mass = 0, thickest = 0;
    for (int v = 0; v < r->mesh.vertices; v++) mass += r->mesh.mass[v];
    for (int p = 0; p < r->parts; p++) thickest = fmax(thickest, r->part[p].radius);
    *c = (RodContacts){.settings = {.distance = fmin(3*thickest, 0.45*thin_shortest(&r->mesh)),
                                    .stiffness = 3*mass/r->mesh.vertices,
                                    .friction = r->friction,
                                    .creep = CREEP}};
    for (int s = 0; s < 6; s++) {
        if (tank->side[s] != SIDE_IS_WALL) continue;
        ThinPlane* plane = &c->plane[c->settings.planes++];
        plane->n[s/2] = s%2 ? -1 : 1;
        plane->at = s%2 ? -tank->n[s/2]*tank->dx : 0;
    }
    c->settings.plane = c->plane;
}

// J: motion of what is held.
static double held_motion(const ThinMesh* t)
{
    double sum = 0;
    for (int m = 0; m < 3*t->vertices; m++)
        if (t->held[m/3] >> m%3 & 1) sum += 0.5*t->mass[m/3]*t->v[m]*t->v[m];
    return sum;
}

static mn_status make_step(RodPartner* p, StepContext* ctx)
{
    ThinMesh* t = &p->rods.mesh;
    RodContacts contacts;
    contacts_of(&contacts, &p->rods, &ctx->model->tank);
    ThinForces forces = {.damp_mass = p->rods.damp_mass,
                         .damp_stiffness = p->rods.damp_stiffness,
                         .field = p->wet.touches > 0 ? rod_wet_field : NULL,
                         .user = &p->wet,
                         .contact = &contacts.settings};
    memcpy(forces.a, ctx->acceleration, sizeof forces.a);
    double before = held_motion(t);
    TRY(rods_lead(&p->rods, ctx->world->time, ctx->dt));
    TRY(thin_step(&p->report.step, t, p->solver, &forces, ctx->dt));
    if (!p->report.step.converged) return mn_fail(MN_STEP_FAILED, "forces on the rods do not balance");
    p->report.work = p->report.step.held_work + held_motion(t) - before;
    return MN_OK;
}

static mn_status predict(void* self, StepContext* ctx)
{
    RodPartner* p = self;
    p->report = (RodReport){.work = 0};
    p->pulled = 0;
    double* from = ARENA_NEW(ctx->kept, double, 3*p->rods.mesh.vertices);
    TRY_MEMORY(from);
    memcpy(from, p->rods.mesh.x, 3*sizeof *from*(size_t)p->rods.mesh.vertices);
    TRY(rod_wet_find(&p->wet, ctx->kept, ctx->scratch, &p->rods, ctx->world, from, ctx->dt));
    TRY(make_step(p, ctx));
    rod_wet_answer(&p->wet, &p->rods);
    return MN_OK;
}

static mn_status act(void* self, StepContext* ctx)
{
    RodPartner* p = self;
    TRY(rod_wet_push(&p->report.push, &p->pull, ctx->kept, &p->wet, &p->rods, ctx->world));
    p->wet = (RodWet){.touches = 0}, p->pulled = ctx->world->liquid_count;
    for (int v = 0; v < p->rods.mesh.vertices; v++)
        p->report.wet_length += p->rods.length[v]*rod_wet_part(&p->rods, ctx->world, v);
    return MN_OK;
}

static bool pulls(const void* self, int m)
{
    const RodPartner* p = self;
    return m < p->pulled && p->pull[m].pressure;
}

static mn_status pull(double* pressure, double impulse[3], const void* self, const StepContext* ctx, int m)
{
    const RodPull* own = &((const RodPartner*)self)->pull[m];
    const Window* w = &ctx->world->liquid[m].w;
    for (int k = 0; k <= w->n[2]; k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) pressure[window_at(w, i, j, k)] += own->pressure[window_at(w, i, j, k)];
    for (int d = 0; d < 3; d++) impulse[d] += own->impulse[d];
    return MN_OK;
}

// The rods know what wetting pulls with as it is at the end of their step, the liquid as it was at its start: where a thread
// leaves it, its pull K = 2 pi b sigma cos(angle) changes over about a cell, and what gives way is about a cell of liquid. A
// quarter of sqrt(rho dx^4/K) is as long as a step may be. The lag makes the liquid beside the line stir: for the thread that
// dips into a bath (test_rods.c) with 13 and 2 mm/s in steps of 0.5 and 0.11 of that time, and its pull comes out 4.8 and 0.5 %
// too large.
static double limit(const void* self, const Model* model, const World* world, double dt)
{
    const RodPartner* p = self;
    double dx = model->tank.dx;
    for (int m = 0; m < world->liquid_count; m++) {
        const LiquidMaterial* q = &world->liquid[m].material;
        for (int k = 0; k < p->rods.parts; k++) {
            const RodPart* part = &p->rods.part[k];
            double angle = part->contact_angle >= 0 ? part->contact_angle : q->contact_angle;
            double pull = 2*PI*part->radius*q->sigma*fabs(cos(angle));
            if (pull > 0) dt = fmin(dt, 0.25*sqrt(q->rho*dx*dx*dx*dx/pull));
        }
    }
    return dt;
}

// ---- books ------------------------------------------------------------------------------------------------------------------

static double energy(const void* self, const Model* model, const World* world)
{
    const RodPartner* p = self;
    double low[3] = {0, 0, 0};
    // heights are those over the lowest corner of the tank, as the liquids' are
    for (int d = 0; d < 3; d++) low[d] = model->settings.gravity[d] > 0 ? model->tank.n[d]*model->tank.dx : 0;
    return rods_energy(&p->rods, model->settings.gravity, low) + rod_wet_energy(&p->rods, world);
}

static double work(const void* self) { return ((const RodPartner*)self)->report.work; }

static void motion(double momentum[3], double* kinetic, const void* self)
{
    const ThinMesh* t = &((const RodPartner*)self)->rods.mesh;
    for (int m = 0; m < 3*t->vertices; m++) momentum[m%3] += t->mass[m/3]*t->v[m];
    *kinetic += thin_kinetic_energy(t);
}

static void report(const void* self, const StepReport* r, Columns* c)
{
    const RodPartner* p = self;
    const ThinMesh* t = &p->rods.mesh;
    const RodReport* own = &p->report;
    columns_real(c, "rods_strain", thin_strain_energy(t, t->x));
    columns_real(c, "rods_kinetic", thin_kinetic_energy(t));
    columns_real(c, "rods_hold_fx", own->step.reaction[0]);
    columns_real(c, "rods_hold_fy", own->step.reaction[1]);
    columns_real(c, "rods_hold_fz", own->step.reaction[2]);
    columns_real(c, "rods_push_fx", r->dt > 0 ? own->push.given[0]/r->dt : 0);
    columns_real(c, "rods_push_fy", r->dt > 0 ? own->push.given[1]/r->dt : 0);
    columns_real(c, "rods_push_fz", r->dt > 0 ? own->push.given[2]/r->dt : 0);
    columns_real(c, "rods_push_lost", r->dt > 0 ? own->push.lost/r->dt : 0);
    columns_real(c, "rods_wet", own->wet_length);
    columns_whole(c, "rods_contacts", own->step.contacts);
    columns_real(c, "rods_least", own->step.contacts > 0 ? own->step.least : 0);
    columns_whole(c, "rods_iterations", own->step.iterations);
}

static mn_status show(const void* self, Layers* layers) { return rods_show(layers, &((const RodPartner*)self)->rods); }

static const PartnerVerbs verbs = {.name = "rods",
                                   .free = free_partner,
                                   .visit = visit,
                                   .limit = limit,
                                   .predict = predict,
                                   .act = act,
                                   .pull = pull,
                                   .pulls = pulls,
                                   .energy = energy,
                                   .work = work,
                                   .motion = motion,
                                   .report = report,
                                   .show = show};

mn_status rod_partner_add(World* world, Rods* rods)
{
    assert(rods_is_valid(rods));
    RodPartner* p = calloc(1, sizeof *p);
    if (!p) {
        rods_free(rods);
        return mn_fail(MN_NO_MEMORY, "out of memory: rods");
    }
    p->rods = *rods, *rods = (Rods){.mesh = {.dim = 3}};
    mn_status status = thin_solver_new(&p->solver, &p->rods.mesh);
    if (status != MN_OK) {
        free_partner(p);
        return status;
    }
    return partners_add(&world->partners, &verbs, p);
}

RodPartner* rod_partner_of(const World* world) { return partners_find(&world->partners, &verbs); }

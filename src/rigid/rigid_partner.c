#include "rigid/rigid_partner.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/vec.h"
#include "liquid/flow.h"
#include "rigid/rigid_begin.h"
#include "rigid/rigid_books.h"
#include "rigid/rigid_buoyancy.h"
#include "rigid/rigid_lend.h"
#include "rigid/rigid_lines.h"
#include "rigid/rigid_momentum.h"
#include "rigid/rigid_pushed.h"
#include "rigid/rigid_steer.h"
#include "rigid/rigid_tension.h"
#include "rigid/rigid_thin.h"

// Solves in which contacts may still change; then the last ones stand.
enum { MOST_ROUNDS = 24 };

// From the start of a projection to its end.
typedef struct RigidSolve {
    BodyCell* cell;  // in the order of the liquids, then of their cells
    int cells;
    int first;    // of the liquids that bodies touch, or that others hand the push of on to them; -1: there are none
    int cluster;  // of these
    RigidPushed pushed;
    RigidLines lines;
    // bodies x TWIST, N and N m
    double* tension;
    double* buoyancy;  // what the pressures of the cells miss of it
    double* thin;      // what is too much of the pressure on bodies that the liquid sees thicker
    double* held;      // what adhesion on open skin pulls with
    double* spray;     // what droplets give it, and forces from outside
    double* factor;    // nv x nv
    double* v;         // nv: the new velocities
    double* right;     // nv
    Wrenches wrenches;
    double** pressure;  // per part of the cluster
    int rounds;
} RigidSolve;

// ---- where bodies are ------------------------------------------------------------------------------------------------------

void rigid_lead_solids(const Rigid* r, Solids* solids)
{
    for (int b = 0; b < r->bodies; b++) {
        const RigidBody* body = &r->body[b];
        double twist[TWIST];
        if (body->solid < 0) continue;
        Solid* s = &solids->solid[body->solid];
        rigid_twist(twist, r, b, r->v);
        memcpy(s->pose.rotation, body->rotation, sizeof body->rotation);
        for (int d = 0; d < 3; d++) {
            // x = R (x_rest - pivot) + pivot + position, and the pivot is the centre of mass
            s->pose.position[d] = body->center[d] - s->pivot[d];
            s->velocity[d] = twist[d], s->spin[d] = twist[3 + d];
        }
    }
}

static mn_status move(void* self, StepContext* ctx)
{
    RigidPartner* p = self;
    TRY(p->rigid.engine->move(&p->rigid, ctx->dt));
    assert(rigid_is_valid(&p->rigid));
    rigid_lead_solids(&p->rigid, &ctx->world->solids);
    solids_moved(&ctx->world->solids);
    return MN_OK;
}

// ---- which cells they are in -----------------------------------------------------------------------------------------------

// The body in a cut cell: the solid nearest to the cell's middle takes all of it.
static int body_in(const Liquid* q, const CutCell* c, const Solids* solids)
{
    double x[3];
    if (!rigid_meets_solid(q, c->at)) return -1;
    window_position(x, &q->w, c->i + 0.5, c->j + 0.5, c->k + 0.5);
    return solids_body(solids, x);
}

static mn_status find_cells(BodyCells* out, const StepContext* ctx)
{
    const World* world = ctx->world;
    int room = 0;
    for (int m = 0; m < world->liquid_count; m++) room += world->liquid[m].cells.count;
    TRY_MEMORY(out->cell = ARENA_NEW(ctx->kept, BodyCell, room));
    out->count = 0;
    for (int m = 0; m < world->liquid_count; m++) {
        const Liquid* q = &world->liquid[m];
        if (!q->phi_solid.v) continue;
        for (int c = 0; c < q->cells.count; c++) {
            int body = body_in(q, &q->cells.cut[c], &world->solids);
            if (body >= 0) out->cell[out->count++] = (BodyCell){.liquid = m, .cut = c, .body = body};
        }
    }
    return MN_OK;
}

// Those of this step, which all its solves share: from the first one to the one that counts nothing moves.
static mn_status take_cells(RigidPartner* p, const Coupling* c, const StepContext* ctx)
{
    RigidSolve* s = p->solve;
    if (!p->cells.cell) TRY(find_cells(&p->cells, ctx));
    s->cell = p->cells.cell, s->cells = p->cells.count;
    if (!c->foresees) p->cells = (BodyCells){0};
    for (int m = 0; m < s->cells; m++) {
        const CutCell* cut = &ctx->world->liquid[s->cell[m].liquid].cells.cut[s->cell[m].cut];
        p->report[s->cell[m].body].lines += rigid_at_line(cut);
    }
    return MN_OK;
}

// ---- velocities ------------------------------------------------------------------------------------------------------------

// v of the present contacts, with these impulses beside the engine's own. Leaves the factor of the inertia, films' resistance in
// it.
static mn_status solve_velocities(double* v, RigidSolve* s, const Rigid* r, const double* impulse)
{
    size_t n = (size_t)r->nv;
    memcpy(s->factor, r->inertia, sizeof *s->factor*n*n);
    rigid_pushed_inertia(s->factor, &s->pushed);
    if (s->lines.spring) rigid_lines_inertia(s->factor, &s->lines);
    if (!dense_cholesky(s->factor, r->nv))
        return mn_fail(MN_STEP_FAILED, "bodies: the inertia is not positive; a joint or body is without mass");
    for (size_t m = 0; m < n; m++) v[m] = r->impulse[m] + impulse[m];
    dense_solve(v, s->factor, r->nv);
    return MN_OK;
}

// Impulses of the wrenches on bodies over the step, on the velocities.
static void outside_impulse(double* out, const RigidSolve* s, const Rigid* r, double dt)
{
    memset(out, 0, sizeof *out*(size_t)r->nv);
    for (int b = 0; b < r->bodies; b++) {
        double wrench[TWIST];
        for (int k = 0; k < TWIST; k++)
            wrench[k] = dt*(s->tension[TWIST*b + k] + s->buoyancy[TWIST*b + k] + s->thin[TWIST*b + k] +
                              s->held[TWIST*b + k] + s->spray[TWIST*b + k]);
        wrenches_forces(out, &r->body[b].follower, 1, wrench);
    }
}

// Bodies that touch no liquid.
static mn_status solve_dry(RigidPartner* p, const StepContext* ctx)
{
    RigidSolve* s = p->solve;
    bool changed;
    outside_impulse(s->right, s, &p->rigid, ctx->dt);
    TRY(p->rigid.engine->contacts(&changed, &p->rigid, NULL));
    for (int round = 0; round < MOST_ROUNDS; round++) {
        TRY(solve_velocities(s->v, s, &p->rigid, s->right));
        TRY(p->rigid.engine->contacts(&changed, &p->rigid, s->v));
        if (!changed) break;
    }
    return MN_OK;
}

static void take_velocities(RigidPartner* p, StepContext* ctx)
{
    Rigid* r = &p->rigid;
    p->work = r->engine->work ? r->engine->work(r, p->solve->v) : 0;
    for (int b = 0; b < r->bodies; b++) {
        double before[TWIST], after[TWIST], outside[TWIST];
        rigid_outside_of(outside, p, b, ctx->dt);
        rigid_twist(before, r, b, r->v), rigid_twist(after, r, b, p->solve->v);
        p->report[b].contacts = r->engine->touching ? r->engine->touching(r, b) : 0;
        for (int k = 0; k < TWIST; k++) {
            p->report[b].tension[k] = p->solve->tension[TWIST*b + k];
            p->report[b].spray[k] = p->solve->spray[TWIST*b + k] - outside[k];
            p->report[b].friction[k] = p->friction[TWIST*b + k];
            p->report[b].pressure[k] +=
                p->solve->buoyancy[TWIST*b + k] + p->solve->thin[TWIST*b + k] + p->solve->held[TWIST*b + k];
            // the liquid gives the thick body more than the thin one gets
            p->work += (p->solve->thin[TWIST*b + k] + outside[k])*ctx->dt*0.5*(before[k] + after[k]);
        }
    }
    memcpy(r->v, p->solve->v, sizeof *r->v*(size_t)r->nv);
    rigid_lead_solids(r, &ctx->world->solids);
}

// ---- the projection --------------------------------------------------------------------------------------------------------

static mn_status begin(RigidPartner* p, const Coupling* c, StepContext* ctx)
{
    Rigid* r = &p->rigid;
    RigidSolve* s = ARENA_ZERO(ctx->scratch, RigidSolve, 1);
    size_t n = (size_t)r->nv;
    TRY_MEMORY(s);
    p->solve = s, s->cluster = s->first = -1;
    memset(p->report, 0, sizeof *p->report*(size_t)r->bodies);
    TRY_MEMORY(s->tension = ARENA_ZERO(ctx->scratch, double, TWIST*r->bodies));
    TRY_MEMORY(s->buoyancy = ARENA_ZERO(ctx->scratch, double, TWIST*r->bodies));
    TRY_MEMORY(s->thin = ARENA_ZERO(ctx->scratch, double, TWIST*r->bodies));
    TRY_MEMORY(s->held = ARENA_ZERO(ctx->scratch, double, TWIST*r->bodies));
    TRY_MEMORY(s->spray = ARENA_ZERO(ctx->scratch, double, TWIST*r->bodies));
    rigid_take_hits(s->spray, r, &ctx->world->solids, ctx->dt, c->foresees);
    rigid_outside_add(s->spray, p, ctx->dt);
    TRY_MEMORY(s->factor = ARENA_NEW(ctx->scratch, double, n* n));
    TRY_MEMORY(s->v = ARENA_NEW(ctx->scratch, double, n));
    TRY_MEMORY(s->right = ARENA_NEW(ctx->scratch, double, n));
    return rigid_begin_engine(r, ctx);
}

static double face_of(const Tank* tank) { return tank->dim == 3 ? tank->dx*tank->dx : tank->dx; }

// All liquids that bodies touch or that films hand their push on to bodies of are solved together: bodies may be joined or meet,
// and a body between two liquids feels both.
static mn_status couple(void* self, Coupling* c, StepContext* ctx)
{
    RigidPartner* p = self;
    if (p->taken) {
        TRY_MEMORY(p->solve = ARENA_ZERO(ctx->scratch, RigidSolve, 1));
        p->solve->cluster = p->solve->first = -1;
        return MN_OK;
    }
    TRY(begin(p, c, ctx));
    RigidSolve* s = p->solve;
    TRY(take_cells(p, c, ctx));
    s->pushed =
        (RigidPushed){.rigid = &p->rigid, .solids = &ctx->world->solids, .dt = ctx->dt, .face = face_of(&ctx->model->tank)};
    if (s->cells > 0) s->first = s->cell[0].liquid;
    else if (c->skins > 0) s->first = c->skin[0].liquid;
    if (s->first < 0 && c->foresees) return MN_OK;
    if (s->first < 0) {
        TRY(solve_dry(p, ctx));
        take_velocities(p, ctx);
        return MN_OK;
    }
    for (int m = 0; m < s->cells; m++) coupling_solve_together(c, s->first, s->cell[m].liquid);
    for (int m = 0; m < c->skins; m++) coupling_solve_together(c, s->first, c->skin[m].liquid);
    return MN_OK;
}

// Wrench and moments of the skin in a cell, which several ask for in each solve of a step.
static const BodyCell* with_wrench(BodyCell* c, const Pressure* p, const CutCell* cut, const RigidBody* body)
{
    if (!c->has_wrench) pressure_skin_moments(c->wrench, c->moments, p, cut, body->center), c->has_wrench = true;
    return c;
}

static mn_status add_buoyancy(RigidPartner* p, const Coupling* c, const StepContext* ctx)
{
    RigidSolve* s = p->solve;
    Buoyancy* sum = ARENA_ZERO(ctx->scratch, Buoyancy, p->rigid.bodies);
    TRY_MEMORY(sum);
    for (int m = 0; m < s->cells; m++) {
        const Pressure* pressure = c->pressure[s->cell[m].liquid];
        const CutCell* cut = &pressure->in.cells->cut[s->cell[m].cut];
        const RigidBody* body = &p->rigid.body[s->cell[m].body];
        if (!pressure_is_unknown(pressure, cut->at)) continue;
        const BodyCell* own = with_wrench(&s->cell[m], pressure, cut, body);
        buoyancy_add(&sum[own->body], pressure, cut, own->wrench, own->moments, body->center,
                     &ctx->world->solids.solid[body->solid], ctx->acceleration);
    }
    for (int b = 0; b < p->rigid.bodies; b++)
        buoyancy_end(s->buoyancy + TWIST*b, &sum[b], &p->rigid.body[b], p->report[b].lines == 0, ctx->acceleration);
    return MN_OK;
}

// The pull of the surfaces. The solve that foresees leaves that of the patches to the one that counts.
static mn_status add_tension(RigidPartner* p, const Coupling* c, StepContext* ctx)
{
    RigidSolve* s = p->solve;
    bool known = p->patches;
    if (!known) TRY_MEMORY(p->patches = ARENA_ZERO(ctx->kept, double, TWIST*p->rigid.bodies));
    for (int m = 0; m < c->liquids; m++) {
        Liquid* q = &ctx->world->liquid[m];
        double* u[3];
        if (c->of[m] != s->cluster || !c->pressure[m]->in.surface) continue;
        flow_velocity(u, q);
        TRY(rigid_tension_links(s->tension, &p->rigid, q, c->pressure[m], ctx, u));
        if (!known) TRY(rigid_tension_patches(p->patches, &p->rigid, q, ctx));
    }
    for (int m = 0; m < TWIST*p->rigid.bodies; m++) s->tension[m] += p->patches[m];
    if (!c->foresees) p->patches = NULL;
    return MN_OK;
}

static mn_status assemble(void* self, Coupling* c, StepContext* ctx)
{
    RigidPartner* p = self;
    RigidSolve* s = p->solve;
    bool changed;
    if (s->first < 0) return MN_OK;
    s->cluster = c->of[s->first];
    TRY(add_tension(p, c, ctx));
    TRY(rigid_lines_find(&s->lines, &p->rigid, s->cell, s->cells, ctx));
    // Where no surface ends on a body none pulls at it: the sums over the surface are zero but for the difference between what
    // the liquid feels and the curvature, which is enough to draw a light body down (a box of density 0.0015 at 170 g).
    for (int b = 0; b < p->rigid.bodies; b++)
        if (p->report[b].lines == 0) memset(s->tension + TWIST*b, 0, sizeof *s->tension*TWIST);
    // a surface that meets a ball or disc at one angle all around does not turn it
    for (int b = 0; b < p->rigid.bodies; b++)
        for (int k = 3; k < TWIST && p->rigid.body[b].is_round; k++) s->tension[TWIST*b + k] = 0;
    TRY(add_buoyancy(p, c, ctx));
    TRY(rigid_thin_wrench(s->thin, s->buoyancy, &p->rigid, s->cell, s->cells, c, ctx));
    const Cluster* own = &c->cluster[s->cluster];
    TRY_MEMORY(s->pressure = ARENA_NEW(ctx->scratch, double*, own->group.count));
    for (int q = 0; q < own->group.count; q++) s->pressure[q] = own->group.part[q].p;
    Follower* body = ARENA_NEW(ctx->scratch, Follower, p->rigid.bodies);
    TRY_MEMORY(body);
    for (int b = 0; b < p->rigid.bodies; b++) body[b] = p->rigid.body[b].follower;
    s->wrenches = (Wrenches){.body = body,
                             .bodies = p->rigid.bodies,
                             .nv = p->rigid.nv,
                             .factor = s->factor,
                             .dt = ctx->dt,
                             .dx = ctx->model->tank.dx,
                             .dim = ctx->model->tank.dim,
                             .rho = c->pressure[own->first]->in.rho};
    return p->rigid.engine->contacts(&changed, &p->rigid, NULL);
}

// Skin that has let go pulls with what adhesion bears while it is wet.
static void add_held(double* wrench, const Skin* skin, const Window* w, const RigidBody* body)
{
    double x[3], arm[3], torque[3], force[3];
    if (skin->is_dry) return;
    window_position(x, w, skin->place[0], skin->place[1], skin->place[2]);
    vec_sub(arm, x, body->center);
    for (int d = 0; d < 3; d++) force[d] = -skin->held*skin->area[d]*window_face_area(w);
    vec_cross(torque, arm, force);
    for (int d = 0; d < 3; d++) wrench[d] += force[d], wrench[3 + d] += body->is_round ? 0 : torque[d];
}

// The wrenches of the cells as they are now: skin may have let go since the last solve.
static mn_status find_wrenches(RigidPartner* p, const Coupling* c)
{
    RigidSolve* s = p->solve;
    s->pushed.push = c->cluster[s->cluster].push;
    assert((c->skins > 0) == (s->pushed.push != NULL));
    if (!s->wrenches.cell)
        TRY_MEMORY(s->wrenches.cell = ARENA_NEW(c->arena, WrenchCell, s->cells + (s->pushed.push ? s->pushed.push->cells : 0)));
    s->wrenches.cells = 0;
    memset(s->held, 0, sizeof *s->held*TWIST*(size_t)p->rigid.bodies);
    for (int m = 0; m < s->cells; m++) {
        BodyCell* own = &s->cell[m];
        const Pressure* pressure = c->pressure[own->liquid];
        const CutCell* cut = &pressure->in.cells->cut[own->cut];
        const RigidBody* body = &p->rigid.body[own->body];
        if (!pressure_is_unknown(pressure, cut->at)) continue;
        const Skin* open = skin_open(pressure->in.skins, cut->at, -1, 0);
        if (open) {
            add_held(s->held + TWIST*own->body, open, pressure->in.w, body);
            continue;
        }
        WrenchCell* cell = &s->wrenches.cell[s->wrenches.cells++];
        *cell = (WrenchCell){.cell = cut->at, .part = c->part[own->liquid], .body = own->body};
        memcpy(cell->wrench, with_wrench(own, pressure, cut, body)->wrench, sizeof cell->wrench);
        for (int k = 3; k < TWIST && body->is_round; k++) cell->wrench[k] = 0;
    }
    rigid_pushed_cells(&s->wrenches, &s->pushed);
    return MN_OK;
}

// What flows out of a cell, in faces times m/s, taken off its right-hand side.
static void take_off(const RigidSolve* s, const Cluster* own, int part, ptrdiff_t cell, double flux, double dt)
{
    double rho = s->wrenches.rho/own->weight[part];
    own->group.part[part].problem->b[cell] -= rho*s->wrenches.dx/dt*flux;
}

// Right-hand sides: what the bodies would do without the liquid flows out of the cells, b -= (rho dx/dt) C v_free.
static mn_status load(PoissonOperator* op, void* self, Coupling* c, int cluster)
{
    RigidPartner* p = self;
    RigidSolve* s = p->solve;
    if (!s || cluster != s->cluster) return MN_OK;
    TRY(find_wrenches(p, c));
    TRY(wrenches_init(&s->wrenches, c->arena));
    outside_impulse(s->right, s, &p->rigid, c->dt);
    rigid_pushed_impulse(s->right, &s->pushed);
    rigid_lines_impulse(s->right, &s->lines);
    TRY(solve_velocities(s->v, s, &p->rigid, s->right));
    double* flux = ARENA_NEW(c->arena, double, s->wrenches.cells);
    TRY_MEMORY(flux);
    wrenches_flux(flux, &s->wrenches, s->v);
    const Cluster* own = &c->cluster[cluster];
    for (int m = 0; m < s->wrenches.cells; m++)
        take_off(s, own, s->wrenches.cell[m].part, s->wrenches.cell[m].cell, flux[m], c->dt);
    const SkinPush* push = s->pushed.push;
    for (int m = 0; push && m < push->cells; m++)
        take_off(s, own, push->cell[m].part, push->cell[m].cell, -rigid_pushed_known(&s->pushed, m), c->dt);
    wrenches_operator(op, &s->wrenches);
    return MN_OK;
}

static mn_status judge(PartnerVerdict* verdict, void* self, Coupling* c, int cluster)
{
    RigidPartner* p = self;
    RigidSolve* s = p->solve;
    bool changed;
    if (!s || cluster != s->cluster) return MN_OK;
    double* impulse = ARENA_NEW(c->arena, double, p->rigid.nv);
    TRY_MEMORY(impulse);
    wrenches_impulse(impulse, &s->wrenches, s->pressure);
    for (int m = 0; m < p->rigid.nv; m++) impulse[m] += s->right[m];
    TRY(solve_velocities(s->v, s, &p->rigid, impulse));
    rigid_pushed_tell(&s->pushed, s->v);
    TRY(p->rigid.engine->contacts(&changed, &p->rigid, s->v));
    if (changed && ++s->rounds < MOST_ROUNDS) *verdict = PARTNER_WANTS_OTHER;
    return MN_OK;
}

static void report_pressure(RigidPartner* p)
{
    const Wrenches* w = &p->solve->wrenches;
    double scale = w->dim == 3 ? w->dx*w->dx : w->dx;
    for (int b = 0; b < p->rigid.bodies; b++)
        rigid_pushed_wrench(p->report[b].pressure, &p->solve->pushed, b, p->solve->pressure);
    for (int m = 0; m < w->cells; m++) {
        const WrenchCell* c = &w->cell[m];
        if (p->solve->pushed.solids->solid[p->rigid.body[c->body].solid].keeps_off) continue;
        for (int k = 0; k < TWIST; k++)
            p->report[c->body].pressure[k] += scale*c->wrench[k]*p->solve->pressure[c->part][c->cell];
        p->report[c->body].wetted++;
    }
}

static mn_status answer(void* self, Coupling* c, StepContext* ctx)
{
    RigidPartner* p = self;
    (void)c;
    if (p->solve->first < 0) return MN_OK;
    report_pressure(p);
    take_velocities(p, ctx);
    return MN_OK;
}

// ---- friction --------------------------------------------------------------------------------------------------------------

// The velocities are those of the solve that foresees the projection, and so are the contacts, whose stiffness is in the inertia:
// what holds a body holds it while friction acts, too.
static mn_status stick(StickingBodies* out, void* self, StepContext* ctx)
{
    RigidPartner* p = self;
    const Rigid* r = &p->rigid;
    double(*center)[3] = arena_take_zero(ctx->scratch, sizeof *center*(size_t)r->bodies);
    TRY_MEMORY(center);
    for (int b = 0; b < r->bodies; b++) memcpy(center[b], r->body[b].center, sizeof center[b]);
    *out = (StickingBodies){.at = solids_body,
                            .user = &ctx->world->solids,
                            .body = p->solve->wrenches.body,
                            .center = (const double(*)[3])center,
                            .bodies = r->bodies,
                            .nv = r->nv,
                            .inertia = r->inertia};
    TRY_MEMORY(out->v = ARENA_NEW(ctx->scratch, double, r->nv));
    TRY_MEMORY(out->impulse = ARENA_ZERO(ctx->scratch, double, TWIST*r->bodies));
    // of the pressures as they are now, which may have been changed since the solve
    wrenches_impulse(out->v, &p->solve->wrenches, p->solve->pressure);
    for (int m = 0; m < r->nv; m++) out->v[m] += p->solve->right[m];
    TRY(solve_velocities(p->solve->v, p->solve, r, out->v));
    memcpy(out->v, p->solve->v, sizeof *out->v*(size_t)r->nv);
    return MN_OK;
}

static mn_status rubbed(void* self, const StickingBodies* bodies, StepContext* ctx)
{
    RigidPartner* p = self;
    Rigid* r = &p->rigid;
    for (int m = 0; m < r->nv; m++) r->v[m] += bodies->v[m] - p->solve->v[m];
    for (int m = 0; m < TWIST*r->bodies; m++) p->friction[m] = bodies->impulse[m]/ctx->dt;
    rigid_lead_solids(r, &ctx->world->solids);
    return MN_OK;
}

// ---- start and end -----------------------------------------------------------------------------------------------------------

static mn_status predict(void* self, StepContext* ctx)
{
    RigidPartner* p = self;
    p->patches = NULL, p->cells = (BodyCells){0}, p->taken = false;
    memset(p->friction, 0, sizeof *p->friction*TWIST*(size_t)p->rigid.bodies);
    return free_bodies_note(&p->note, &p->rigid, ctx);
}

// Bodies and liquids that touch nothing else keep their momentum.
static mn_status settle(void* self, Coupling* c, StepContext* ctx)
{
    RigidPartner* p = self;
    RigidSolve* s = p->solve;
    size_t n = (size_t)p->rigid.nv;
    if (s->first < 0) return MN_OK;
    // without the resistance of films: liquid and body move on together
    memcpy(s->factor, p->rigid.inertia, sizeof *s->factor*n*n);
    if (!dense_cholesky(s->factor, p->rigid.nv)) return MN_OK;
    TRY(free_bodies_settle(&p->rigid, p->note, s->cell, s->cells, s->factor, s->spray, c, ctx));
    rigid_lead_solids(&p->rigid, &ctx->world->solids);
    return MN_OK;
}

static void end(void* self)
{
    RigidPartner* p = self;
    p->solve = NULL;
}

// ---- books -----------------------------------------------------------------------------------------------------------------

static mn_status visit(void* self, StateVisitor* v)
{
    RigidPartner* p = self;
    TRY(state_enter(v, "bodies"));
    mn_status status = rigid_visit(&p->rigid, v);
    state_leave(v);
    return status;
}

static void free_partner(void* self)
{
    RigidPartner* p = self;
    rigid_free_all(&p->rigid);
    free(p->report), free(p->friction), free(p->given), free(p->pushes), free(p);
}

// A body that is released, light or heavy, accelerates within the step at no more than some g, and liquid beside it at up to
// twice that: planned with the speeds of before, the first steps would go too far. cells = speed dt + FALL g dt^2.
static double limit(const void* self, const Model* model, const World* world, double dt)
{
    const double fall = 4;
    double a[3], speed = solids_max_speed(&world->solids, INFINITY), cells = model->settings.cfl*model->tank.dx;
    (void)self;
    if (flow_acceleration(a, model, world->time) != MN_OK || !(vec_norm(a) > 0)) return dt;
    for (int m = 0; m < world->liquid_count; m++) speed = fmax(speed, liquid_max_speed(&world->liquid[m]));
    return fmin(dt, 2*cells/(speed + sqrt(speed*speed + 4*fall*vec_norm(a)*cells)));
}

static const PartnerVerbs verbs = {.name = "bodies",
                                   .free = free_partner,
                                   .visit = visit,
                                   .limit = limit,
                                   .predict = predict,
                                   .move = move,
                                   .stick = stick,
                                   .rubbed = rubbed,
                                   .movers = rigid_lend,
                                   .couple = couple,
                                   .assemble = assemble,
                                   .load = load,
                                   .judge = judge,
                                   .answer = answer,
                                   .settle = settle,
                                   .end = end,
                                   .energy = rigid_energy,
                                   .work = rigid_work,
                                   .motion = rigid_motion};

// What droplets that hit the solid must know of its body. In 2D it turns about z alone.
static void tell_inertia(Solid* s, const RigidBody* body, int dim)
{
    double factor[9];
    s->mass = body->mass;
    memset(s->inverse_inertia, 0, sizeof s->inverse_inertia);
    if (dim == 2) {
        s->inverse_inertia[2][2] = body->inertia[2][2] > 0 ? 1/body->inertia[2][2] : 0;
        return;
    }
    memcpy(factor, body->inertia, sizeof factor);
    if (!dense_cholesky(factor, 3)) return;  // a point, which gives way along n alone
    for (int d = 0; d < 3; d++) s->inverse_inertia[d][d] = 1, dense_solve(s->inverse_inertia[d], factor, 3);
}

mn_status rigid_partner_add(World* world, Rigid* rigid)
{
    RigidPartner* p = calloc(1, sizeof *p);
    if (p) {
        p->rigid = *rigid;
        p->report = calloc((size_t)rigid->bodies, sizeof *p->report);
        p->friction = calloc((size_t)rigid->bodies*TWIST, sizeof *p->friction);
        p->given = calloc((size_t)rigid->bodies*TWIST, sizeof *p->given);
        p->pushes = calloc((size_t)rigid->bodies*TWIST, sizeof *p->pushes);
    } else rigid_free_all(rigid);
    *rigid = (Rigid){0};
    if (!p || !p->report || !p->friction || !p->given || !p->pushes) {
        if (p) free_partner(p);
        return mn_fail(MN_NO_MEMORY, "no memory for bodies");
    }
    for (int b = 0; b < p->rigid.bodies; b++) {
        assert(p->rigid.body[b].solid < world->solids.count);
        if (p->rigid.body[b].solid < 0) continue;
        Solid* s = &world->solids.solid[p->rigid.body[b].solid];
        s->body = 1 + b, s->moving = world->solids.any_moving = true;
        double shift[3];
        vec_sub(shift, s->pivot, p->rigid.body[b].rest);
        if (s->reach > 0) s->reach += vec_norm(shift);  // it is about the pivot
        memcpy(s->pivot, p->rigid.body[b].rest, sizeof s->pivot);
        tell_inertia(s, &p->rigid.body[b], p->rigid.tank.dim);
        if (s->keeps_off) p->rigid.body[b].thicker = 0;  // no line has to end on it
        s->thicker = p->rigid.body[b].thicker;
        if (s->reach > 0) s->reach += s->thicker;
    }
    rigid_lead_solids(&p->rigid, &world->solids);
    if (world->solids.moves > 0) solids_moved(&world->solids);
    return partners_add(&world->partners, &verbs, p);
}

RigidPartner* rigid_partner_of(const World* world) { return partners_find(&world->partners, &verbs); }

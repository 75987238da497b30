// Viscosity within a step: rho (u** - u*) = dt div(2 mu D), solved for a velocity from which the known pressure has been taken.
//
// Gravity and tension have just acted on u*, and at rest the pressure takes all of it away again. If walls rubbed on u* as it
// is, that part would be damped first and the pressure could not restore it: a still pool would stir. So friction acts on the
// projected velocity u' = P(u*), and only the change it makes, V(u') - u', goes to u*: after the step's own projection
// u = P V P(u*). The second solve starts from the first one's pressure and is short. (The pressure of the last step in place of
// the first solve is cheaper but feeds short capillary waves.)
//
// Bodies are part of both: P is then that of liquids and bodies together, V finds the velocities of the liquid and of the
// bodies it sticks to as one minimum, and they too get the change only; then friction acts again with the pressure it has made,
// until the two agree (friction_rounds.h). (Without them in the first P a body in honey that the pressure drives would rub with
// its velocity of before, and sink by up to g dt too fast however thick the honey is.)
#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "liquid/momentum.h"
#include "grid/extrapolate.h"
#include "grid/interpolate.h"
#include "solve/viscosity.h"
#include "step/flow_viscosity.h"
#include "step/friction_rounds.h"
#include "step/project.h"
#include "tension/sheet_pressure.h"
#include "tension/marangoni.h"
#include "tension/tension.h"

// Layers past the surface that the patches of the pressure read.
enum { LAYERS = 2 };
// Relative error of the change by friction that is never exceeded.
static const double LEAST_EXACT = 1e-3;

typedef struct Friction {
    double* before[3];  // u'
    double* after[3];   // V(u'); then the change
    double* mass[3];    // of the faces that were solved for, of a full one's; 0 elsewhere, also in walls and solids
    Pressure p;         // p.kind: the faces whose velocity the projection keeps; the others will follow them
    double stiffness;   // nu dt/dx^2
    double spread;      // 0..1: how much of a change reaches from one face to the next within the step
    double smooth;      // 0..1: how much the changes of neighbouring faces lie on one line
} Friction;

static double stiffness_of(const Liquid* q, double dt) { return q->material.mu*dt/(q->material.rho*q->w.dx*q->w.dx); }

static Skins skins(const Friction* f, const Liquid* q) { return (Skins){liquid_solid(q), f->p.in.past.holds_at_walls}; }

// to += factor from, on the faces of the liquid's spans
static void add_faces(double* const to[3], double factor, double* const from[3], const Liquid* q)
{
    const Spans* s = &q->spans;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        for (int d = 0; d < q->w.dim; d++)
            SPAN_LOOP(s, r, m)
                for (ptrdiff_t at = row + s->span[m].i0; at < row + s->span[m].i1; at++) to[d][at] += factor*from[d][at];
    }
}

// u' in f->before, also one or two faces past the surface. foreseen: its pressure problem, if that is solved already.
static mn_status predict(Friction* f, Liquid* q, const Pressure* foreseen, StepContext* ctx)
{
    for (int d = 0; d < q->w.dim; d++) TRY_MEMORY(f->before[d] = window_copy(ctx->scratch, q->u[d].v, &q->w));
    if (foreseen) f->p = *foreseen;
    else TRY(flow_pressure(&f->p, q, ctx, f->before, SURFACE_HAS_TENSION));
    pressure_update(&f->p, f->before, q->p.v);
    return extrapolate_velocity(f->before, ctx->scratch, f->p.kind, q->phi.v, skins(f, q), &q->spans, &q->w, LAYERS);
}

// Of what moves by a script: bodies are unknowns of the solve.
static SolidMotion scripted_motion(const Liquid* q, const Solids* s)
{
    if (q->side && s->moving_sheets) return flow_skin_motion(q, s);
    return (SolidMotion){solids_any_scripted(s) ? solids_scripted_velocity : NULL, s};
}

static mn_status rub(Friction* f, Liquid* q, const StickingBodies* bodies, StepContext* ctx)
{
    for (int d = 0; d < q->w.dim; d++) {
        TRY_MEMORY(f->after[d] = window_copy(ctx->scratch, f->before[d], &q->w));
        TRY_MEMORY(f->mass[d] = ARENA_ZERO(ctx->scratch, double, q->w.count));
        f->mass[d] += q->w.origin;
    }
    double(*traction)[3];
    TRY(marangoni_traction(&traction, q, ctx));
    ViscosityInput in = {.w = &q->w,
                         .spans = &q->spans,
                         .cells = &q->cells,
                         .phi = q->phi.v,
                         .phi_solid = q->phi_solid.v,
                         .solid = scripted_motion(q, &ctx->world->solids),
                         .bodies = bodies,
                         .slip_walls = ctx->model->settings.slip,
                         .slip_solids = ctx->model->settings.slip,
                         .traction = (const double(*)[3])traction,
                         .rho = q->material.rho,
                         .mu = q->material.mu,
                         .dt = ctx->dt};
    ViscosityReport report;
    // the change is but a part of about `touched` of the motion: that much less exact it may be found
    double touched = fmin(12*f->stiffness, 1), tolerance = fmin(ctx->model->settings.tolerance/touched, LEAST_EXACT);
    TRY(viscosity_solve(f->after, f->mass, &report, &in, &(SolveOptions){tolerance, 300}, ctx->scratch));
    if (!report.converged)
        return mn_fail(MN_NO_CONVERGENCE, "liquid %d: the viscous solve stalled at residual %.2g after %d iterations", q->id,
                       report.residual, report.iterations);
    ctx->report->viscous_iterations = maxi(ctx->report->viscous_iterations, report.iterations);
    return MN_OK;
}

// ---- from the viscous solve's faces to the projection's -------------------------------------------------------------------
//
// The projection keeps some faces only. Where the others are wet (slivers on the surface, which feel most of the pull of a
// surface without traction) they follow: u = E u_kept, E the extrapolation, straight on from two kept faces where there are two.
// The work of a sliver's impulse M c (M its mass, c its change) on any motion the projection can make is M c.(E u_kept); so, by
// virtual work, it is handed on by E's transpose, and a kept face, to which the projection gives the mass m, changes by
//     (M c + E^T of the slivers' M c)/m.
// With changes merely averaged among neighbours a drop's mode 2 (2D, R = 16 dx, Oh = 0.01) decayed 20 % too slowly. But where
// friction reaches over several cells within the step (sqrt(nu dt) > dx), a sliver and its neighbour change together and m must
// count both, as an average does: else a stiff drop, whose change is the same all over, would change too much near its surface.
// `spread` goes from the one to the other; either way no impulse is lost. Where friction reaches over ever more cells, the change
// of a kept face itself is the best there is.

// Cells from the surface from which no sliver is felt.
static const double DEEP = 4;
// nu dt/dx^2 at which friction reaches over half a dozen cells and changes are smooth.
static const double SMOOTH = 30;

static bool exists(const Window* w, int d, const int face[3], int axis, int step)
{
    return face[axis] + step >= 0 && face[axis] + step < w->n[axis] + (axis == d);
}

// How a sliver follows its kept neighbour on one side: by which part, and whether also the one behind it.
typedef struct Following {
    double part;
    bool straight;
} Following;

// The weights are those of extrapolate_velocity: by the slope of phi, upwind.
static Following following(const Friction* f, const Liquid* q, int d, const int face[3], int axis, int side)
{
    assert(side == 1 || side == -1);
    const Window* w = &q->w;
    ptrdiff_t at = window_at(w, face[0], face[1], face[2]);
    double here = face_mean(q->phi.v, w, d, at), weights = 0;
    Following out = {0};
    for (int o = 0; o < w->dim; o++)
        for (int step = -1; step <= 1; step += 2) {
            ptrdiff_t s = step*window_stride(w, o);
            if (!exists(w, d, face, o, step) || !f->p.kind[d][at + s]) continue;
            double weight = max2(here - face_mean(q->phi.v, w, d, at + s), 1e-6*w->dx);
            weights += weight;
            if (o == axis && step == side) out = (Following){weight, exists(w, d, face, o, 2*step) && f->p.kind[d][at + 2*s]};
        }
    if (weights > 0) out.part /= weights;
    return out;
}

// Mass of the slivers that follow a kept face: of those beside it, and of those beside the next one, which it leads with the
// opposite sign where they go straight on.
typedef struct Followers {
    double beside, beyond;
} Followers;

// m: what the projection takes for the face's mass, but no less than what it has or what follows it, or faces of little area
// would be thrown about by the slivers beside them, and beyond the next face (one of 0.002 on an open side, before one of 0.001
// and a sliver of 0.14, came to 400 m/s). Solids cut areas and volumes differently; next to them it is an average always.
static double kept_mass(const Friction* f, const Liquid* q, int d, const int face[3], Followers followers)
{
    ptrdiff_t at = window_at(&q->w, face[0], face[1], face[2]);
    double own = f->mass[d][at], together = max2(own + followers.beside, followers.beyond);
    if (liquid_solid(q) && face_mean(liquid_solid(q), &q->w, d, at) < q->w.dx) return together;
    double alone = max2(max2(own, max2(followers.beside, followers.beyond)), pressure_face_mass(&f->p, d, face));
    return alone + f->spread*(together - alone);
}

static double kept_change(const Friction* f, const Liquid* q, int d, const int face[3])
{
    const Window* w = &q->w;
    ptrdiff_t at = window_at(w, face[0], face[1], face[2]);
    assert(f->p.kind[d][at] && f->mass[d][at] > 0);
    const double *mass = f->mass[d], *change = f->after[d];
    double impulse = mass[at]*change[at];
    Followers followers = {0};
    for (int o = 0; o < w->dim; o++)
        for (int side = -1; side <= 1; side += 2) {
            ptrdiff_t s = side*window_stride(w, o), sliver = at + s;
            bool beside = exists(w, d, face, o, side) && !f->p.kind[d][sliver];
            int away = beside ? side : 2*side;
            if (!beside) sliver += s;
            if (!exists(w, d, face, o, away) || f->p.kind[d][sliver] || !(mass[sliver] > 0)) continue;
            int where[3] = {face[0], face[1], face[2]};
            where[o] += away;
            Following e = following(f, q, d, where, o, -side);
            double straight = e.straight ? 1 - f->spread : 0;
            if (beside) followers.beside += e.part*mass[sliver];
            else followers.beyond += straight*e.part*mass[sliver];
            impulse += (beside ? 1 + straight : -straight)*e.part*mass[sliver]*change[sliver];
        }
    return f->smooth*change[at] + (1 - f->smooth)*impulse/kept_mass(f, q, d, face, followers);
}

// The change that the kept faces make, in f->before, which is not needed any more.
static void hand_on(Friction* f, const Liquid* q)
{
    const Spans* s = &q->spans;
    double deep = -DEEP*q->w.dx;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        const ptrdiff_t row = window_at(&q->w, 0, j, k);
        for (int d = 0; d < q->w.dim; d++)
            SPAN_LOOP(s, r, m)
                for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                    bool on_surface = f->p.kind[d][row + i] && f->mass[d][row + i] > 0 && !(q->phi.v[row + i] < deep);
                    f->before[d][row + i] = on_surface ? kept_change(f, q, d, (int[3]){i, j, k}) : f->after[d][row + i];
                }
    }
}

// One liquid; foreseen, bodies: NULL if no partner takes part. known (or NULL): the change that u has had already,
// replaced by the new one.
static mn_status rub_liquid(Liquid* q, const Pressure* foreseen, const StickingBodies* bodies, double* const known[3],
                            StepContext* ctx)
{
    assert(ctx->dt > 0 && q->cells.index);
    if (!(q->material.mu > 0)) return MN_OK;
    double* u[3];
    flow_velocity(u, q);
    flow_hold_walls(q, ctx->model->settings.unilateral);
    // Friction within a liquid has no net force. (The pull along a surface whose sigma varies has, and the pressure sigma kappa
    // the opposite one; the projection leaves that out.)
    Motion motion;
    TRY(momentum_note(&motion, q, ctx->scratch));
    motion.mirrored = 0;  // what lies behind a mirror rubs on what lies before it
    double stiffness = stiffness_of(q, ctx->dt);
    Friction f = {.stiffness = stiffness, .spread = stiffness/(1 + stiffness), .smooth = stiffness/(SMOOTH + stiffness)};
    TRY(predict(&f, q, foreseen, ctx));
    if (known) add_faces(f.before, -1, known, q), add_faces(u, -1, known, q);
    TRY(rub(&f, q, bodies, ctx));
    add_faces(f.after, -1, f.before, q);  // after becomes the change
    hand_on(&f, q);
    // past the surface the change goes on, and what advection brought there stays
    TRY(extrapolate_velocity(f.before, ctx->scratch, f.p.kind, q->phi.v, skins(&f, q), &q->spans, &q->w, LAYERS));
    add_faces(u, 1, f.before, q);
    for (int d = 0; known && d < q->w.dim; d++) window_copy_to(known[d], f.before[d], &q->w);
    return momentum_settle(q, &motion, ctx->scratch);
}

// Beside sheets: on what each side sees, which sticks to them or slips along them as along solids.
static mn_status rub_sides(Liquid* q, StepContext* ctx)
{
    if (!(q->material.mu > 0)) return MN_OK;
    SidedProblem* s = ARENA_NEW(ctx->kept, SidedProblem, 1);
    TRY_MEMORY(s);
    TRY(flow_side_pressures(s, q, ctx, SURFACE_HAS_TENSION));
    for (int m = 0; m < 2; m++) TRY(rub_liquid(&s->sides.view[m], &s->p[m], NULL, NULL, ctx));
    sides_close(q, &s->sides);
    return MN_OK;
}

// ---- with bodies ----------------------------------------------------------------------------------------------------------

// nu dt/dx^2 below which friction reaches no further than a quarter of a cell: one round will do.
static const double SLIGHT = 0.05;

static double stiffest(const StepContext* ctx)
{
    double most = 0;
    for (int m = 0; m < ctx->world->liquid_count; m++) most = fmax(most, stiffness_of(&ctx->world->liquid[m], ctx->dt));
    return most;
}

// The partner that liquids stick to, alone; none: an empty list.
static Partners sticking_partner(const World* world)
{
    Partners list = {0};
    for (int m = 0; m < world->partners.count; m++)
        if (world->partners.partner[m].verbs->stick) list.partner[list.count++] = world->partners.partner[m];
    assert(list.count <= 1);
    return list;
}

// What friction has changed in the rounds so far (step/friction_rounds.h).
typedef struct Changes {
    bool* done;       // per liquid: its friction has acted
    double* (*u)[3];  // per liquid; NULL: there is but one round
    double* v;        // per velocity of the bodies
    FrictionRounds rounds;
} Changes;

static mn_status changes_begin(Changes* known, bool several, StepContext* ctx)
{
    int liquids = ctx->world->liquid_count;
    *known = (Changes){0};
    TRY_MEMORY(known->done = ARENA_ZERO(ctx->kept, bool, liquids));
    if (!several) return MN_OK;
    TRY_MEMORY(known->u = arena_take_zero(ctx->kept, sizeof *known->u*(size_t)liquids));
    return friction_rounds_begin(&known->rounds, liquids, ctx->kept);
}

static mn_status change_of(double* change[3], const Liquid* q, Arena* arena)
{
    for (int d = 0; d < q->w.dim && !change[d]; d++) {
        TRY_MEMORY(change[d] = ARENA_ZERO(arena, double, q->w.count));
        change[d] += q->w.origin;
    }
    return MN_OK;
}

// Liquids that touch bodies, one after the other: each finds the bodies as the one before has left them, so that each can
// only take energy.
static mn_status rub_round(bool* agree, Changes* known, const Partners* list, StepContext* ctx)
{
    const Partner* partner = &list->partner[0];
    Coupling c;
    TRY(project_foresee(&c, list, ctx));
    if ((*agree = coupling_is_empty(&c))) return MN_OK;
    if (known->u) TRY(friction_rounds_next(agree, &known->rounds, &c, ctx->world->liquid, ctx->kept));
    if (*agree) return MN_OK;
    StickingBodies bodies;
    TRY(partner->verbs->stick(&bodies, partner->self, ctx));
    if (!known->v) TRY_MEMORY(known->v = ARENA_ZERO(ctx->kept, double, bodies.nv));
    for (int m = 0; m < bodies.nv; m++) known->v[m] = bodies.v[m] -= known->v[m];
    for (int m = 0; m < c.liquids; m++) {
        Liquid* q = &ctx->world->liquid[m];
        if (!c.joined[m]) continue;
        if (known->u) TRY(change_of(known->u[m], q, ctx->kept));
        TRY(rub_liquid(q, c.pressure[m], &bodies, known->u ? known->u[m] : NULL, ctx));
        known->done[m] = true;
    }
    for (int m = 0; m < bodies.nv; m++) known->v[m] = bodies.v[m] - known->v[m];
    return partner->verbs->rubbed(partner->self, &bodies, ctx);
}

mn_status flow_add_viscosity(StepContext* ctx)
{
    if (!(stiffest(ctx) > 0)) return MN_OK;
    Partners list = sticking_partner(ctx->world);
    bool agree = list.count == 0;
    int rounds = stiffest(ctx) > SLIGHT && !ctx->model->settings.slip ? FRICTION_ROUNDS : 1;
    Changes known;
    TRY(changes_begin(&known, rounds > 1, ctx));
    for (int round = 0; !agree && round < rounds; round++) {
        mn_status status = rub_round(&agree, &known, &list, ctx);
        partners_end(&list);
        TRY(status);
        arena_reset(ctx->scratch);
    }
    for (int m = 0; m < ctx->world->liquid_count; m++) {
        if (known.done[m]) continue;
        Liquid* q = &ctx->world->liquid[m];
        TRY(q->sheet ? rub_sides(q, ctx) : rub_liquid(q, NULL, NULL, NULL, ctx));
        arena_reset(ctx->scratch);
    }
    stage_end(ctx->times, STAGE_VISCOSITY);
    return MN_OK;
}

#include "rigid/rigid_thin.h"

#include <math.h>
#include "base/vec.h"
#include "rigid/rigid_tension.h"

// Cells: the least radius that the liquid sees. (2 is no worse.)
static const double LEAST_RADIUS = 1.5;

void rigid_thicken(RigidBody* body, const BodyPlan* plan, const Tank* tank)
{
    double radius = 0.5*plan->thickness, least = LEAST_RADIUS*tank->dx;
    body->thicker = body->area_excess = body->volume_excess = 0;
    if (!(radius > 0) || radius >= least) return;
    double q = radius/least, area = plan->is_round && tank->dim == 3 ? q*q : q;
    body->thicker = least - radius;
    body->area_excess = 1 - area, body->volume_excess = 1 - q*area;
}

bool rigid_has_thin(const Rigid* r)
{
    for (int b = 0; b < r->bodies; b++)
        if (r->body[b].thicker > 0) return true;
    return false;
}

typedef struct Thin {
    const Rigid* rigid;
    const BodyCell* cell;
    int cells;
    const Coupling* c;
    const StepContext* ctx;
    int* line;  // of the cells, those in which the surface ends on a thickened body
    int lines;
    double* pressure;  // Pa, per body: at its centre, were there liquid at rest, times `weight`
    double* weight;
} Thin;

static const CutCell* cut_of(const Thin* t, int m) { return &t->c->pressure[t->cell[m].liquid]->in.cells->cut[t->cell[m].cut]; }

static void middle_of(double x[3], const Thin* t, int m)
{
    const CutCell* cut = cut_of(t, m);
    window_position(x, t->c->pressure[t->cell[m].liquid]->in.w, cut->i + 0.5, cut->j + 0.5, cut->k + 0.5);
}

static void end_of_surface(double x[3], const Thin* t, int m)
{
    const CutCell* cut = cut_of(t, m);
    window_position(x, t->c->pressure[t->cell[m].liquid]->in.w, cut->i + cut->center[0], cut->j + cut->center[1],
                    cut->k + cut->center[2]);
}

static void wrench_of(double wrench[TWIST], const Thin* t, int m)
{
    const Pressure* p = t->c->pressure[t->cell[m].liquid];
    const RigidBody* body = &t->rigid->body[t->cell[m].body];
    pressure_wrench(wrench, p, cut_of(t, m), body->center);
    for (int k = 3; k < TWIST && body->is_round; k++) wrench[k] = 0;
}

static bool counts(const Thin* t, int m)
{
    return t->rigid->body[t->cell[m].body].thicker > 0 &&
           pressure_is_unknown(t->c->pressure[t->cell[m].liquid], cut_of(t, m)->at);
}

// Lines, and the pressure of the last step, to the depth of the centre: by rho a over the whole wetted skin, so that what
// single cells feel of the flow and of tension drops out. Cells that had no pressure then say nothing.
static void look_around(Thin* t)
{
    for (int m = 0; m < t->cells; m++) {
        const CutCell* cut = cut_of(t, m);
        const Liquid* q = &t->ctx->world->liquid[t->cell[m].liquid];
        const RigidBody* body = &t->rigid->body[t->cell[m].body];
        if (body->thicker > 0 && rigid_at_line(cut)) t->line[t->lines++] = m;
        if (!counts(t, m) || q->p.v[cut->at] == 0) continue;
        double wrench[TWIST], x[3], from[3];
        wrench_of(wrench, t, m);
        middle_of(x, t, m);
        vec_sub(from, x, body->center);
        double weight = vec_norm(wrench);
        t->weight[t->cell[m].body] += weight;
        t->pressure[t->cell[m].body] += weight*(q->p.v[cut->at] - q->material.rho*vec_dot(t->ctx->acceleration, from));
    }
}

// The end of the surface on the same body that is nearest to x; false: the body is covered.
static bool nearest_line(double line[3], const Thin* t, int body, const double x[3])
{
    double nearest = INFINITY;
    for (int m = 0; m < t->lines; m++) {
        double y[3], from[3];
        if (t->cell[t->line[m]].body != body) continue;
        end_of_surface(y, t, t->line[m]);
        vec_sub(from, y, x);
        if (!(vec_norm(from) < nearest)) continue;
        nearest = vec_norm(from);
        for (int d = 0; d < 3; d++) line[d] = y[d];
    }
    return nearest < INFINITY;
}

// Pa, in one cell: what is too much of the pressure there.
static double too_much(const Thin* t, int m)
{
    int b = t->cell[m].body;
    const RigidBody* body = &t->rigid->body[b];
    const double* a = t->ctx->acceleration;
    double rho = t->c->pressure[t->cell[m].liquid]->in.rho, x[3], line[3], from_line[3], from_center[3];
    middle_of(x, t, m);
    if (!nearest_line(line, t, b, x)) {
        vec_sub(from_center, x, body->center);
        return body->volume_excess*rho*vec_dot(a, from_center);
    }
    vec_sub(from_line, x, line), vec_sub(from_center, line, body->center);
    double at_line = t->weight[b] > 0 ? t->pressure[b]/t->weight[b] + rho*vec_dot(a, from_center) : 0;
    return body->volume_excess*rho*vec_dot(a, from_line) + body->area_excess*at_line;
}

mn_status rigid_thin_wrench(double* wrench, const double* buoyancy, const Rigid* r, const BodyCell* cell, int cells,
                            const Coupling* c, const StepContext* ctx)
{
    Thin t = {.rigid = r, .cell = cell, .cells = cells, .c = c, .ctx = ctx};
    if (!rigid_has_thin(r)) return MN_OK;
    TRY_MEMORY(t.line = ARENA_NEW(ctx->scratch, int, cells));
    TRY_MEMORY(t.pressure = ARENA_ZERO(ctx->scratch, double, r->bodies));
    TRY_MEMORY(t.weight = ARENA_ZERO(ctx->scratch, double, r->bodies));
    look_around(&t);
    for (int m = 0; m < cells; m++) {
        double own[TWIST], scale = window_face_area(c->pressure[cell[m].liquid]->in.w);
        if (!counts(&t, m)) continue;
        wrench_of(own, &t, m);
        double less = scale*too_much(&t, m);
        for (int k = 0; k < TWIST; k++) wrench[TWIST*cell[m].body + k] -= less*own[k];
    }
    for (int b = 0; b < r->bodies; b++)
        for (int k = 0; k < TWIST; k++) wrench[TWIST*b + k] -= r->body[b].volume_excess*buoyancy[TWIST*b + k];
    return MN_OK;
}

#include "rigid/rigid_lines.h"

#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"
#include "rigid/rigid_tension.h"

// Chosen, not sharply: docs/bodies.md has what was tried.
static const double STIFFER = 4;

// N/m: of the piece of line in one cell.
static double stiffness_of_cell(const Liquid* q, double dt)
{
    double sigma = q->material.sigma, length = q->w.dim == 3 ? q->w.dx : 1;
    return sigma*length/cbrt(sigma*dt*dt/q->material.rho);
}

static void add_line(LineSpring* out, const Liquid* q, const CutCell* c, const RigidBody* body, double dt)
{
    double n[3], x[3], u[3], arm[3], a[TWIST], size = vec_norm(c->patch), k = stiffness_of_cell(q, dt);
    double cells[3] = {c->i + c->center[0], c->j + c->center[1], q->w.dim == 3 ? c->k + c->center[2] : 0};
    double* const face[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    if (!(size > 0)) return;
    for (int d = 0; d < 3; d++) n[d] = c->patch[d]/size;
    face_velocity(u, face, &q->w, cells);
    window_position(x, &q->w, cells[0], cells[1], cells[2]);
    vec_sub(arm, x, body->center);
    vec_cross(a + 3, arm, n);
    for (int d = 0; d < 3; d++) a[d] = n[d], a[3 + d] = body->is_round ? 0 : a[3 + d];
    double along = vec_dot(n, u);
    for (int i = 0; i < TWIST; i++) {
        out->pull[i] += k*a[i]*along;
        for (int j = 0; j < TWIST; j++) out->stiffness[i][j] += k*a[i]*a[j];
    }
    out->sum += k;
}

// Only what stands for the mass that the body lacks: one of dt^2 k or more swings on its lines by itself. (With STIFFER in that,
// too, springs held steel wires 1.3 cells thick, which the flow at their lines then drew 0.4 cells too deep.)
static void keep_lacking(LineSpring* s, double mass, double dt)
{
    double part = s->sum > 0 ? STIFFER*fmax(1 - mass/(dt*dt*s->sum), 0) : 0;
    for (int i = 0; i < TWIST; i++) {
        s->pull[i] *= part;
        for (int j = 0; j < TWIST; j++) s->stiffness[i][j] *= part;
    }
}

mn_status rigid_lines_find(RigidLines* out, const Rigid* r, const BodyCell* cell, int cells, const StepContext* ctx)
{
    *out = (RigidLines){.rigid = r, .dt = ctx->dt};
    TRY_MEMORY(out->spring = ARENA_ZERO(ctx->scratch, LineSpring, r->bodies));
    for (int m = 0; m < cells; m++) {
        const Liquid* q = &ctx->world->liquid[cell[m].liquid];
        const CutCell* c = &q->cells.cut[cell[m].cut];
        if (!(q->material.sigma > 0) || !rigid_at_line(c)) continue;
        add_line(&out->spring[cell[m].body], q, c, &r->body[cell[m].body], ctx->dt);
    }
    for (int b = 0; b < r->bodies; b++) keep_lacking(&out->spring[b], r->body[b].mass, ctx->dt);
    return MN_OK;
}

void rigid_lines_inertia(double* inertia, const RigidLines* l)
{
    for (int b = 0; b < l->rigid->bodies; b++) {
        const Follower* f = &l->rigid->body[b].follower;
        for (int i = 0; i < f->count; i++)
            for (int j = 0; j < f->count; j++) {
                double sum = 0;
                for (int k = 0; k < TWIST; k++)
                    for (int m = 0; m < TWIST; m++)
                        sum += f->jacobian[k*f->count + i]*l->spring[b].stiffness[k][m]*f->jacobian[m*f->count + j];
                inertia[(size_t)(f->first + i)*(size_t)l->rigid->nv + (size_t)(f->first + j)] += l->dt*l->dt*sum;
            }
    }
}

void rigid_lines_impulse(double* impulse, const RigidLines* l)
{
    for (int b = 0; b < l->rigid->bodies; b++) {
        double wrench[TWIST];
        for (int k = 0; k < TWIST; k++) wrench[k] = l->dt*l->dt*l->spring[b].pull[k];
        wrenches_forces(impulse, &l->rigid->body[b].follower, 1, wrench);
    }
}

#include "rigid/rigid_steer.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/vec.h"

// ---- velocities ------------------------------------------------------------------------------------------------------------

// The velocities v of the body's part for which J v is nearest to the twist: J^T J v = J^T twist. Entries of a twist are in m/s and
// rad/s; `arm` (m) makes a turn as long as what it moves. False: several velocities move the body alike, as in a chain of joints.
static bool nearest_velocities(double v[TWIST], const Follower* f, const double twist[TWIST], double arm)
{
    double A[TWIST*TWIST] = {0};
    if (f->count > TWIST || f->count == 0) return false;
    for (int a = 0; a < f->count; a++) {
        v[a] = 0;
        for (int k = 0; k < TWIST; k++) {
            double weight = k < 3 ? 1 : arm*arm, own = f->jacobian[k*f->count + a];
            v[a] += weight*own*twist[k];
            for (int b = 0; b < f->count; b++) A[a*f->count + b] += weight*own*f->jacobian[k*f->count + b];
        }
    }
    if (!dense_cholesky(A, f->count)) return false;
    dense_solve(v, A, f->count);
    return true;
}

static void set_part(Rigid* r, int body, const double v[TWIST])
{
    const Follower* f = &r->body[body].follower;
    memcpy(r->v + f->first, v, sizeof *v*(size_t)f->count);
}

// ---- places ----------------------------------------------------------------------------------------------------------------

// The turn from R to `to` as a rotation vector, from the antisymmetric part of to R^T: sin(angle) axis; beyond a quarter turn the
// angle follows from the trace. Half a turn has no axis there: any will do to begin with.
static void turn_between(double out[3], const double to[3][3], const double R[3][3])
{
    double D[3][3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) D[a][b] = vec_dot(to[a], R[b]);
    double twice[3] = {D[2][1] - D[1][2], D[0][2] - D[2][0], D[1][0] - D[0][1]};
    double sine = 0.5*vec_norm(twice), cosine = 0.5*(D[0][0] + D[1][1] + D[2][2] - 1), angle = atan2(sine, cosine);
    double scale = sine > 1e-9 ? 0.5*angle/sine : 0.5;
    for (int d = 0; d < 3; d++) out[d] = scale*twice[d];
    if (sine > 1e-9 || cosine > 0) return;
    // D = 2 n n^T - 1: the longest column of D + 1
    int most = 0;
    for (int d = 1; d < 3; d++)
        if (D[d][d] > D[most][most]) most = d;
    for (int d = 0; d < 3; d++) out[d] = D[d][most] + (d == most);
    double size = vec_norm(out);
    for (int d = 0; d < 3; d++) out[d] *= angle/size;
}

// How far it is from there, as a twist over one second.
static void way_to(double way[TWIST], const RigidBody* body, const BodyAim* aim)
{
    memset(way, 0, sizeof *way*TWIST);
    if (aim->center) vec_sub(way, aim->center, body->center);
    if (aim->rotation) turn_between(way + 3, aim->rotation, (const double(*)[3])body->rotation);
}

static double length_of(const double way[TWIST], double arm) { return hypot(vec_norm(way), arm*vec_norm(way + 3)); }

// Engines move bodies along their velocities: a twist that leads to the place in one second, as often as turns make it miss.
static mn_status go(Rigid* r, int body, const BodyAim* aim, double arm)
{
    enum { ROUNDS = 20 };
    static const double NEAR = 1e-9;  // of the tank's cells
    double way[TWIST], v[TWIST];
    for (int round = 0; round < ROUNDS; round++) {
        way_to(way, &r->body[body], aim);
        if (length_of(way, arm) < NEAR*r->tank.dx) return MN_OK;
        if (!nearest_velocities(v, &r->body[body].follower, way, arm)) break;
        memset(r->v, 0, sizeof *r->v*(size_t)r->nv);
        set_part(r, body, v);
        TRY(r->engine->move(r, 1));
    }
    return mn_fail(MN_UNSUPPORTED, "body \"%s\" cannot be put there: its joints, or a fixed direction, hold it %g m away",
                   r->body[body].name, length_of(way, arm));
}

// m: turns count as much as the motion of what is that far from the centre.
static double arm_of(const Rigid* r, int body)
{
    const RigidBody* b = &r->body[body];
    double most = fmax(fmax(b->inertia[0][0], b->inertia[1][1]), b->inertia[2][2]);
    return fmax(sqrt(most/b->mass), r->tank.dx);
}

static mn_status steer(Rigid* r, int body, const BodyAim* aim)
{
    double arm = arm_of(r, body), twist[TWIST], v[TWIST];
    rigid_twist(twist, r, body, r->v);
    double* before = malloc(sizeof *before*(size_t)(r->nv + 1));
    if (!before) return mn_fail(MN_NO_MEMORY, "out of memory: a body is put somewhere else");
    memcpy(before, r->v, sizeof *before*(size_t)r->nv);
    mn_status status = aim->center || aim->rotation ? go(r, body, aim, arm) : MN_OK;
    memcpy(r->v, before, sizeof *before*(size_t)r->nv);
    free(before);
    TRY(status);
    if (aim->velocity) memcpy(twist, aim->velocity, sizeof *twist*3);
    if (aim->spin) memcpy(twist + 3, aim->spin, sizeof *twist*3);
    if (!nearest_velocities(v, &r->body[body].follower, twist, arm))
        return mn_fail(MN_UNSUPPORTED, "body \"%s\" hangs on a chain of joints: its velocity cannot be set", r->body[body].name);
    set_part(r, body, v);
    return MN_OK;
}

mn_status rigid_steer(World* world, int body, const BodyAim* aim)
{
    RigidPartner* p = rigid_partner_of(world);
    assert(p && body >= 0 && body < p->rigid.bodies);
    Arena arena = {0};
    StateCopy* before = state_copy_begin(&arena);
    mn_status status = before ? rigid_visit(&p->rigid, state_copy_saver(before)) : MN_NO_MEMORY;
    if (status == MN_OK) {
        status = steer(&p->rigid, body, aim);
        if (status != MN_OK) rigid_visit(&p->rigid, state_copy_restorer(before));
    }
    rigid_lead_solids(&p->rigid, &world->solids);
    solids_moved(&world->solids);
    arena_free(&arena);
    return status;
}

// ---- forces ----------------------------------------------------------------------------------------------------------------

void rigid_set_force(RigidPartner* p, int body, const double wrench[TWIST])
{
    memcpy(p->given + TWIST*body, wrench, sizeof *wrench*TWIST);
}

void rigid_push(RigidPartner* p, int body, const double impulse[TWIST])
{
    for (int k = 0; k < TWIST; k++) p->pushes[TWIST*body + k] += impulse[k];
}

void rigid_pushes_given(RigidPartner* p) { memset(p->pushes, 0, sizeof *p->pushes*TWIST*(size_t)p->rigid.bodies); }

void rigid_outside_of(double wrench[TWIST], const RigidPartner* p, int body, double dt)
{
    for (int k = 0; k < TWIST; k++) wrench[k] = p->given[TWIST*body + k] + p->pushes[TWIST*body + k]/dt;
}

void rigid_outside_add(double* wrench, const RigidPartner* p, double dt)
{
    for (int b = 0; b < p->rigid.bodies; b++) {
        double own[TWIST];
        rigid_outside_of(own, p, b, dt);
        for (int k = 0; k < TWIST; k++) wrench[TWIST*b + k] += own[k];
    }
}

// The engine. Bodies and rows are other files' business (rigid_mujoco_start.c, rigid_mujoco_rows.c).
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "rigid/rigid_mujoco_private.h"

// A drive is held by a row this much stiffer than what hangs on its joint; what the liquid moves it by is that part smaller.
static const double DRIVE_STIFF = 1e9;
// Rows of contacts where MuJoCo's sizes, which are ints, come near their end.
enum { MOST_ROWS = 8192 };

// What a guarded call works on; those that it needs not are NULL.
typedef struct Call {
    Rigid* r;
    const RigidStep* step;
    double value;
} Call;

static double energy_unit(const MujocoEngine* e) { return e->units.mass*e->units.length*e->units.length; }

static void free_engine(Rigid* r)
{
    MujocoEngine* e = r->self;
    if (!e) return;
    if (e->d) mj_deleteData(e->d);
    if (e->m) mj_deleteModel(e->m);
    free(e->unit), free(e->root), free(e->local), free(e->rest), free(e->jacobian), free(e->own_geom), free(e->drive);
    free(e->push), free(e->v_old), free(e->v_new), free(e->inertia), free(e->implicit), free(e->impulse), free(e->force),
        free(e->act);
    free(e->state), free(e->touch), free(e->search.at), free(e);
}

static mn_status visit(Rigid* r, StateVisitor* v)
{
    MujocoEngine* e = r->self;
    int positions = e->m->nq, activations = e->m->na;
    TRY(state_rows(v, "positions", &positions));
    TRY(state_rows(v, "activations", &activations));
    if (positions != e->m->nq || activations != e->m->na)
        return mn_fail(MN_BAD_CHECKPOINT, "holds joints with %d positions, but there are %d", positions, e->m->nq);
    TRY(state_reals(v, "position", e->d->qpos, e->m->nq));
    if (e->m->na > 0) TRY(state_reals(v, "activation", e->d->act, e->m->na));
    return state_reals(v, "push", e->push, e->m->nv);
}

// ---- places ----------------------------------------------------------------------------------------------------------------

static void place_body(Rigid* r, int b, double* scratch)
{
    MujocoEngine* e = r->self;
    RigidBody* body = &r->body[b];
    int root = e->root[b], nv = r->nv, first = body->follower.first, count = body->follower.count;
    double* J = e->jacobian + (ptrdiff_t)TWIST*nv*b;
    const mjtNum* R = e->d->xmat + 9*root;
    mjtNum center[3];
    mju_rotVecMat(center, e->local[b], R);
    mju_addTo3(center, e->d->xpos + 3*root);
    for (int d = 0; d < 3; d++) {
        body->center[d] = e->units.length*center[d];
        for (int k = 0; k < 3; k++) body->rotation[d][k] = vec_dot(R + 3*d, e->rest[b][k]);  // R R_rest^T
    }
    mj_jac(e->m, e->d, scratch, scratch + 3*nv, center, root);
    for (int d = 0; d < TWIST; d++)
        for (int a = 0; a < count; a++)
            J[d*count + a] = scratch[d*nv + first + a]*(d < 3 ? e->units.length : 1)/e->unit[first + a];
}

static mn_status place_job(void* what)
{
    Rigid* r = ((Call*)what)->r;
    MujocoEngine* e = r->self;
    mju_copy(e->act, e->d->act, e->m->na);
    mj_kinematics(e->m, e->d);
    mj_comPos(e->m, e->d);
    for (int b = 0; b < r->bodies; b++) place_body(r, b, e->implicit);  // room for 6 nv numbers; the step's own come later
    return MN_OK;
}

static mn_status place(Rigid* r) { return mujoco_guarded(place_job, &(Call){.r = r}, MN_STEP_FAILED); }

static mn_status move_job(void* what)
{
    const Call* c = what;
    MujocoEngine* e = c->r->self;
    for (int a = 0; a < c->r->nv; a++) e->d->qvel[a] = c->r->v[a]/e->unit[a];
    mj_integratePos(e->m, e->d->qpos, e->d->qvel, c->value);
    return place_job(what);
}

static mn_status move(Rigid* r, double dt) { return mujoco_guarded(move_job, &(Call){.r = r, .value = dt}, MN_STEP_FAILED); }

// ---- the step --------------------------------------------------------------------------------------------------------------

// Springs and dampers of joints, tendons and servos as far as they are linear. f(q + dt (v' - v), v') = f - (dt K + D)(v' - v):
// with q the place where v has brought it, that is the place v' would have brought it to. Any stiffness is stable, and springs
// lose no energy by it.
static void add_outer(double* A, const mjtNum* j, int n, double factor)
{
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n && j[a] != 0; b++) A[a*n + b] += factor*j[a]*j[b];
}

static void implicit_forces(MujocoEngine* e)
{
    const mjModel* m = e->m;
    const mjData* d = e->d;
    int nv = m->nv;
    double dt = e->dt;
    memset(e->implicit, 0, sizeof *e->implicit*(size_t)nv*(size_t)nv);
    if (!(m->opt.disableflags & mjDSBL_PASSIVE)) {
        for (int a = 0; a < nv; a++)
            e->implicit[a*nv + a] = dt*m->dof_damping[a] + dt*dt*m->jnt_stiffness[m->dof_jntid[a]];
        for (int t = 0; t < m->ntendon; t++)
            add_outer(e->implicit, d->ten_J + t*nv, nv, dt*m->tendon_damping[t] + dt*dt*m->tendon_stiffness[t]);
    }
    for (int u = 0; u < m->nu && !(m->opt.disableflags & mjDSBL_ACTUATION); u++) {
        const mjtNum* bias = m->actuator_biasprm + mjNBIAS*u;
        if (m->actuator_biastype[u] != mjBIAS_AFFINE || m->actuator_forcelimited[u]) continue;
        add_outer(e->implicit, d->actuator_moment + u*nv, nv, dt*fmax(-bias[2], 0) + dt*dt*fmax(-bias[1], 0));
    }
}

static mn_status drive_velocities(MujocoEngine* e, const RigidStep* s)
{
    for (int k = 0; k < e->drives; k++) {
        MujocoDrive* drive = &e->drive[k];
        double value = 0, unit = e->unit[drive->dof];
        TRY(e->driven(&value, e->user, k, s->time + s->dt));
        if (!isfinite(value)) return mn_fail(MN_BAD_SCENE, "a drive of a joint is not a number at t = %g s", s->time + s->dt);
        double q = e->d->qpos[e->m->jnt_qposadr[drive->joint]];
        drive->velocity = drive->is_velocity ? value/unit : (value/unit - q)/s->dt;
    }
    return MN_OK;
}

static mn_status set_controls(MujocoEngine* e, double time)
{
    for (int u = 0; u < e->m->nu && e->control; u++) {
        TRY(e->control(&e->d->ctrl[u], e->user, u, time));
        if (!isfinite(e->d->ctrl[u]))
            return mn_fail(MN_BAD_SCENE, "the control of an actuator is not a number at t = %g s", time);
    }
    return MN_OK;
}

// How far geoms may get in the step, twice over since both of a pair may move: contacts that are nearer may act.
static void set_reach(MujocoEngine* e, double gained)
{
    mjModel* m = e->m;
    double most = 0;
    mj_comVel(m, e->d);
    for (int g = 0; g < m->ngeom; g++) {
        mjtNum velocity[6];
        if (m->body_weldid[m->geom_bodyid[g]] == 0) continue;
        mj_objectVelocity(m, e->d, mjOBJ_GEOM, g, velocity, 0);
        double way = 2*e->dt*(mju_norm3(velocity + 3) + m->geom_rbound[g]*mju_norm3(velocity) + gained);
        if (e->own_geom[g]) m->geom_margin[g] = (1 + 0.1)*e->flat_margin + way;
        else most = fmax(most, way);
    }
    for (int g = 0; g < m->ngeom; g++)
        if (m->body_weldid[m->geom_bodyid[g]] == 0 && e->own_geom[g]) m->geom_margin[g] = (1 + 0.1)*e->flat_margin + most;
}

void mujoco_set_room(mjModel* m, int contacts, int rows)
{
    m->nconmax = contacts, m->njmax = rows;
    m->nstack = 10000 + 100*(m->nq + m->nv + m->nu + m->nbody + m->njnt + m->ngeom + m->nsite + m->ntendon + m->nwrap) +
                4*m->nv*m->nv + 20*rows + m->nbody*m->nbody;
}

static mn_status more_room(MujocoEngine* e)
{
    mjModel* m = e->m;
    mjData* old = e->d;
    if (m->njmax >= MOST_ROWS) return mn_fail(MN_STEP_FAILED, "bodies touch in more than %d places", old->ncon);
    mujoco_set_room(m, 2*m->nconmax, 2*m->njmax);
    e->d = mj_makeData(m);
    mju_copy(e->d->qpos, old->qpos, m->nq), mju_copy(e->d->qvel, old->qvel, m->nv), mju_copy(e->d->act, old->act, m->na);
    mj_deleteData(old);
    return MN_OK;
}

static bool is_full(const mjData* d) { return d->warning[mjWARN_CONTACTFULL].number || d->warning[mjWARN_CNSTRFULL].number; }

// All that depends on places: inertia, rows. MuJoCo's own matrix gets what is implicit of joints, so that its solver, from which
// the active set starts, answers the same question.
static mn_status positions(Rigid* r, const RigidStep* s)
{
    MujocoEngine* e = r->self;
    mjModel* m = e->m;
    for (bool again = true; again;) {
        mjData* d = e->d;
        mj_kinematics(m, d), mj_comPos(m, d), mj_tendon(m, d), mj_crb(m, d), mj_transmission(m, d);
        set_reach(e, s->dt*vec_norm(s->acceleration)/e->units.length);
        mj_collision(m, d);
        TRY(mujoco_skin_contacts(r, s));
        mujoco_rows_reach(e);
        mj_makeConstraint(m, d);
        again = is_full(d);
        if (again) TRY(more_room(e));
    }
    mj_fullM(m, e->inertia, e->d->qM);
    implicit_forces(e);
    for (int k = 0; k < m->nv*m->nv; k++) e->inertia[k] += e->implicit[k];
    for (int k = 0; k < e->drives; k++) {
        double* own = &e->inertia[e->drive[k].dof*(m->nv + 1)];
        e->drive[k].stiffness = DRIVE_STIFF * *own;
        *own += e->drive[k].stiffness;
    }
    for (int a = 0; a < m->nv; a++) e->d->qM[m->dof_Madr[a]] = e->inertia[a*(m->nv + 1)];
    mj_factorM(m, e->d);
    return MN_OK;
}

static void forces(MujocoEngine* e)
{
    mjModel* m = e->m;
    mjData* d = e->d;
    int nv = m->nv;
    mj_fwdVelocity(m, d);
    mujoco_rows_aim(e);
    mj_fwdActuation(m, d);
    mju_zero(d->qfrc_applied, nv);
    for (int k = 0; k < e->drives; k++) {
        const MujocoDrive* drive = &e->drive[k];
        d->qfrc_applied[drive->dof] = drive->stiffness*(drive->velocity - d->qvel[drive->dof])/e->dt;
    }
    mj_fwdAcceleration(m, d);
    mju_copy(e->force, d->qfrc_smooth, nv);
    for (int a = 0; a < nv; a++) {
        e->impulse[a] = e->dt*d->qfrc_smooth[a];
        for (int b = 0; b < nv; b++) e->impulse[a] += e->inertia[a*nv + b]*d->qvel[b];
    }
}

// A x = b by Cramer's rule.
static bool solve3(double x[3], const double A[9], const double b[3])
{
    double c[3][3] = {{A[0], A[3], A[6]}, {A[1], A[4], A[7]}, {A[2], A[5], A[8]}}, n[3];
    vec_cross(n, c[1], c[2]);
    double whole = vec_dot(c[0], n);
    if (whole == 0) return false;
    x[0] = vec_dot(b, n)/whole;
    vec_cross(n, b, c[2]);
    x[1] = vec_dot(c[0], n)/whole;
    vec_cross(n, c[1], b);
    x[2] = vec_dot(c[0], n)/whole;
    return true;
}

// Gyroscopic impulse of a body of the scene in its own axes. That of the middle of the step,
//
//     I (w' - w) + dt m x I m = 0,     m = (w + w')/2,
//
// keeps w.I w and |I w|; the explicit one, MuJoCo's, wins energy in every step. False: the step is too long for it.
static bool gyroscopic(double impulse[3], const double I[3][3], const double w[3], double dt)
{
    double next[3] = {w[0], w[1], w[2]}, size = 0, left = INFINITY;
    for (int d = 0; d < 3; d++) size = fmax(size, fabs(vec_dot(I[d], w)));
    for (int round = 0; round < 20 && left > 1e-13*size; round++) {
        double m[3], L[3], A[9], g[3], change[3], gyro[3];
        for (int d = 0; d < 3; d++) m[d] = 0.5*(w[d] + next[d]);
        for (int d = 0; d < 3; d++) L[d] = vec_dot(I[d], m);
        vec_cross(gyro, m, L);
        left = 0;
        for (int d = 0; d < 3; d++) {
            double column[3] = {I[0][d], I[1][d], I[2][d]}, unit[3] = {d == 0, d == 1, d == 2}, first[3], second[3];
            vec_cross(first, m, column), vec_cross(second, unit, L);
            for (int k = 0; k < 3; k++) A[3*k + d] = I[k][d] + 0.5*dt*(first[k] + second[k]);
            g[d] = vec_dot(I[d], next) - vec_dot(I[d], w) + dt*gyro[d];
            left = fmax(left, fabs(g[d]));
        }
        if (!solve3(change, A, g)) return false;
        for (int d = 0; d < 3; d++) next[d] -= change[d];
    }
    for (int d = 0; d < 3; d++) impulse[d] = vec_dot(I[d], next) - vec_dot(I[d], w);
    return left <= 1e-13*size;
}

// In place of the explicit impulse that MuJoCo's bias holds.
static void set_gyroscopic(MujocoEngine* e)
{
    const mjModel* m = e->m;
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] > mjJNT_BALL || !mujoco_is_own(m, mjOBJ_BODY, m->jnt_bodyid[j])) continue;
        int at = m->jnt_dofadr[j] + (m->jnt_type[j] == mjJNT_FREE ? 3 : 0);
        double I[3][3], L[3], explicit_one[3], impulse[3];
        const mjtNum* w = e->d->qvel + at;
        for (int d = 0; d < 9; d++) I[d/3][d%3] = e->inertia[(at + d/3)*m->nv + at + d%3];
        for (int d = 0; d < 3; d++) L[d] = vec_dot(I[d], w);
        vec_cross(explicit_one, w, L);
        if (!gyroscopic(impulse, I, w, e->dt)) continue;
        for (int d = 0; d < 3; d++) {
            double more = impulse[d] + e->dt*explicit_one[d];
            e->impulse[at + d] += more, e->force[at + d] += more/e->dt;
        }
    }
}

static void advance_activations(MujocoEngine* e)
{
    const mjModel* m = e->m;
    for (int k = 0; k < m->na; k++) {
        int u = m->nu - m->na + k;
        double next = e->d->act[k] + e->dt*e->d->act_dot[k];
        const mjtNum* range = m->actuator_actrange + 2*u;
        e->d->act[k] = m->actuator_actlimited[u] ? clamp(next, range[0], range[1]) : next;
    }
}

static mn_status begin_job(void* what)
{
    const Call* c = what;
    const RigidStep* s = c->step;
    MujocoEngine* e = c->r->self;
    assert(s->dt > 0);
    e->d->pstack = 0;  // an error may have left it
    e->dt = e->m->opt.timestep = s->dt, e->d->time = s->time;
    mju_copy(e->d->act, e->act, e->m->na);
    for (int d = 0; d < 3; d++) e->m->opt.gravity[d] = s->acceleration[d]/e->units.length;
    for (int a = 0; a < c->r->nv; a++) e->v_old[a] = e->d->qvel[a] = c->r->v[a]/e->unit[a];
    TRY(drive_velocities(e, s));
    TRY(positions(c->r, s));
    TRY(set_controls(e, s->time));
    forces(e);
    TRY(mujoco_rows_check(e));
    set_gyroscopic(e);
    TRY(mujoco_rows_begin(e));
    advance_activations(e);
    return MN_OK;
}

static mn_status begin(Rigid* r, const RigidStep* s)
{
    return mujoco_guarded(begin_job, &(Call){.r = r, .step = s}, MN_STEP_FAILED);
}

// ---- energy ----------------------------------------------------------------------------------------------------------------

static mn_status energy_job(void* what)
{
    Call* c = what;
    MujocoEngine* e = c->r->self;
    mju_zero3(e->m->opt.gravity);
    for (int a = 0; a < c->r->nv; a++) e->d->qvel[a] = c->r->v[a]/e->unit[a];
    mj_tendon(e->m, e->d), mj_crb(e->m, e->d);
    mj_energyPos(e->m, e->d), mj_energyVel(e->m, e->d);
    c->value = energy_unit(e)*(e->d->energy[0] + e->d->energy[1]);
    return MN_OK;
}

static double energy(const Rigid* r, const double gravity[3], const double low[3])
{
    Call c = {.r = (Rigid*)r, .value = NAN};
    if (mujoco_guarded(energy_job, &c, MN_STEP_FAILED) != MN_OK) return NAN;
    for (int b = 0; b < r->bodies; b++)
        for (int d = 0; d < 3; d++) c.value -= r->body[b].mass*gravity[d]*(r->body[b].center[d] - low[d]);
    return c.value;
}

// Impulses of drives and actuators along the mean of the velocities before and after: what they add to kinetic energy. And what
// solids give that move.
static double work(const Rigid* r, const double* v_new)
{
    const MujocoEngine* e = r->self;
    for (int a = 0; a < r->nv; a++) e->v_new[a] = v_new[a]/e->unit[a];
    double sum = mujoco_skin_work(e, e->v_new);
    for (int a = 0; a < r->nv; a++) sum += 0.5*e->dt*e->d->qfrc_actuator[a]*(e->v_new[a] + e->v_old[a]);
    for (int k = 0; k < e->drives; k++) {
        const MujocoDrive* drive = &e->drive[k];
        double now = e->v_new[drive->dof];
        sum += 0.5*drive->stiffness*(drive->velocity - now)*(now + e->v_old[drive->dof]);
    }
    return energy_unit(e)*sum;
}

const RigidEngine mujoco_engine = {.name = "MuJoCo",
                                   .free = free_engine,
                                   .visit = visit,
                                   .place = place,
                                   .move = move,
                                   .begin = begin,
                                   .contacts = mujoco_rows_contacts,
                                   .energy = energy,
                                   .work = work,
                                   .touching = mujoco_rows_touching};

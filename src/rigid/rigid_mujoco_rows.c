// Constraints as an active set. MuJoCo's rows e (equalities, dry friction, limits, contacts with pyramids of friction) make the
// step the least of
//
//     (a - a0).M(a - a0)/2 + sum_e s_e(J_e a - aref_e),      a = (v' - v)/dt
//
// with s = D x^2/2 where a row acts: all of an equality; x < 0 of limits and contacts; |x| < f/D of dry friction, whose force is
// f beyond it. In v', for the rows that act:
//
//     (M + sum D J^T J) v' = r + sum D J^T (J v + dt aref)  -+ sum dt f J^T
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "rigid/rigid_mujoco_private.h"

// ---- contacts of the scene's bodies, and with walls ------------------------------------------------------------------------

// A contact this part of the margin above it still counts as one that is there, with friction.
static const double AT_MARGIN = 0.01;
// The part of its way back to the margin that a body takes in a step at most; and at which speed, where it is all the way in: a
// part of that of a fall from there, and of the fastest row. More would throw out what is too near, the faster the shorter the
// step.
static const double WAY_BACK = 1.0/16, BACK_FALL = 0.2, BACK_SPEED = 0.01;

// What sliding may cost of the margin in one step, where friction stops it all at once.
static const double SINK = 0.2;

static bool is_own(const MujocoEngine* e, const mjContact* c) { return e->own_geom[c->geom1] || e->own_geom[c->geom2]; }

int mujoco_rows_of(const mjContact* c) { return c->dim == 1 ? 1 : 2*(c->dim - 1); }

static bool is_flat(const MujocoEngine* e, int geom)
{
    int type = e->m->geom_type[geom];
    return type != mjGEOM_SPHERE && type != mjGEOM_ELLIPSOID && type != mjGEOM_PLANE;
}

// Walls are sides of cells: half of a cell beside them is seen wherever it is.
static double margin_of(const MujocoEngine* e, const mjContact* c)
{
    return is_flat(e, c->geom1) && is_flat(e, c->geom2) ? e->flat_margin : e->margin;
}

void mujoco_rows_reach(MujocoEngine* e)
{
    for (int k = 0; k < e->d->ncon; k++) {
        mjContact* c = &e->d->contact[k];
        if (!is_own(e, c)) continue;
        c->includemargin = margin_of(e, c);
        if (c->dist > (1 + AT_MARGIN)*c->includemargin) c->dim = 1;
    }
}

// Of the two against each other.
static double speed_along(const MujocoEngine* e, int contact, int row)
{
    return e->d->efc_vel[e->d->contact[contact].efc_address + row] - mujoco_skin_speed(e, contact, row);
}

// Rows of a pyramid are n + mu t and n - mu t. Asked for v_n' -+ mu v_t' >= 0 as they stand, a body that slides would have to
// rise at mu |v_t|, and hop; with mu |v_t| of the step before taken off, the row against the sliding is the one that acts, at
// v_n' >= 0.
static double sliding(const MujocoEngine* e, int contact)
{
    const mjContact* c = &e->d->contact[contact];
    double most = 0;
    for (int k = 0; k + 1 < mujoco_rows_of(c); k += 2)
        most = fmax(most, 0.5*fabs(speed_along(e, contact, k) - speed_along(e, contact, k + 1)));
    return most;
}

static double speed_back(const MujocoEngine* e)
{
    double most = 0;
    for (int row = 0; row < e->d->nefc; row++) most = fmax(most, fabs(e->d->efc_vel[row]));
    return BACK_FALL*sqrt(mju_norm3(e->m->opt.gravity)*e->margin) + BACK_SPEED*most;
}

// v_n' >= -gap/dt: nothing gets further than to the margin; what is nearer goes back slowly. Nothing bounces.
void mujoco_rows_aim(MujocoEngine* e)
{
    double back = speed_back(e);
    for (int k = 0; k < e->d->ncon; k++) {
        const mjContact* c = &e->d->contact[k];
        if (!is_own(e, c) || c->efc_address < 0) continue;
        double gap = c->dist - c->includemargin;
        double least = gap > 0 ? -gap/e->dt : -gap*fmin(WAY_BACK/e->dt, back/fmax(-gap, e->margin));
        least -= fmin(sliding(e, k), SINK*e->margin/e->dt);
        for (int row = 0; row < mujoco_rows_of(c); row++)
            e->d->efc_aref[c->efc_address + row] = (least - speed_along(e, k, row))/e->dt;
    }
}

// A drive goes its way whatever that takes, also through a wall, in which the liquid cannot follow it.
mn_status mujoco_rows_check(const MujocoEngine* e)
{
    const mjData* d = e->d;
    for (int k = 0; k < d->ncon && e->drives > 0; k++) {
        const mjContact* c = &d->contact[k];
        if (!is_own(e, c) || c->efc_address < 0 || c->dist > -e->flat_margin) continue;
        for (int m = 0; m < e->drives; m++)
            if (d->efc_J[(size_t)c->efc_address*(size_t)e->m->nv + (size_t)e->drive[m].dof] != 0)
                return mn_fail(
                    MN_BAD_SCENE,
                    "bodies: joint '%s' is driven into a wall, a solid or another body, by %.2g m at t = %g s; let its "
                    "function stop before, or give it a motor, which may lose",
                    mj_id2name(e->m, mjOBJ_JOINT, e->drive[m].joint), -c->dist*e->units.length, d->time);
    }
    return MN_OK;
}

// ---- the active set --------------------------------------------------------------------------------------------------------

// Of the largest speed of any row. LOOSE: contacts that do not act may be passed by so much more; the pressures that come with v
// are known to 1e-6. With 1e-9 there, too, one step in ten of a pile of 24 boxes and discs never found its rows, and those that
// it ended with pulled.
static const double SLACK = 1e-9, LOOSE = 1e4;

mn_status mujoco_rows_begin(MujocoEngine* e)
{
    int rows = e->d->nefc;
    if (rows > e->rows_room) {
        int* more = realloc(e->state, sizeof *more*2*(size_t)rows);
        if (!more) return mn_fail(MN_NO_MEMORY, "no memory for contacts of bodies");
        e->state = more, e->rows_room = 2*rows;
    }
    double speed = fmax(e->dt*mju_norm3(e->m->opt.gravity), 1e-3*e->margin/e->dt);
    for (int row = 0; row < rows; row++) speed = fmax(speed, fabs(e->d->efc_vel[row]));
    e->slack = SLACK*speed/e->dt;
    mujoco_rows_guess(e);
    return MN_OK;
}

void mujoco_rows_guess(MujocoEngine* e)
{
    const mjModel* m = e->m;
    mjData* d = e->d;
    if (d->nefc == 0) return;
    mju_add(d->qfrc_smooth, e->force, e->push, m->nv);
    mj_solveM(m, d, d->qacc_smooth, d->qfrc_smooth, 1);
    mju_copy(d->qacc_warmstart, d->qacc_smooth, m->nv);
    mj_fwdConstraint(m, d);
    memcpy(e->state, d->efc_state, sizeof *e->state*(size_t)d->nefc);
}

int mujoco_row_state(const mjData* d, int row, double x)
{
    if (row < d->ne) return mjCNSTRSTATE_QUADRATIC;
    if (row >= d->ne + d->nf) return x < 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
    double most = d->efc_R[row]*d->efc_frictionloss[row];
    return x <= -most ? mjCNSTRSTATE_LINEARNEG : x >= most ? mjCNSTRSTATE_LINEARPOS : mjCNSTRSTATE_QUADRATIC;
}

static void add_row(double* inertia, double* impulse, const MujocoEngine* e, int row)
{
    const mjData* d = e->d;
    const mjtNum* J = d->efc_J + (size_t)row*(size_t)e->m->nv;
    int nv = e->m->nv;
    bool stiff = e->state[row] == mjCNSTRSTATE_QUADRATIC;
    double sign = e->state[row] == mjCNSTRSTATE_LINEARNEG ? 1 : e->state[row] == mjCNSTRSTATE_LINEARPOS ? -1 : 0;
    double push = stiff ? d->efc_D[row]*(d->efc_vel[row] + e->dt*d->efc_aref[row]) : sign*e->dt*d->efc_frictionloss[row];
    for (int a = 0; a < nv; a++) {
        if (J[a] == 0) continue;
        impulse[a] += push*J[a];
        for (int b = 0; b < nv && stiff; b++) inertia[a*nv + b] += d->efc_D[row]*J[a]*J[b];
    }
}

double mujoco_row_speed(const MujocoEngine* e, int row, const double* v)
{
    return mju_dot(e->d->efc_J + (size_t)row*(size_t)e->m->nv, v, e->m->nv);
}

bool mujoco_rows_update(MujocoEngine* e, const double* v)
{
    const mjData* d = e->d;
    bool changed = false;
    for (int row = 0; row < d->nefc; row++) {
        double x = (mujoco_row_speed(e, row, v) - d->efc_vel[row])/e->dt - d->efc_aref[row];
        int state = mujoco_row_state(d, row, x);
        // a row that is as good as met may act or not: rounding would have it change for ever
        double loose = row >= d->ne + d->nf && e->state[row] == mjCNSTRSTATE_SATISFIED ? LOOSE*e->slack : e->slack;
        if (mujoco_row_state(d, row, x - e->slack) == e->state[row] || mujoco_row_state(d, row, x + loose) == e->state[row])
            state = e->state[row];
        changed = changed || state != e->state[row];
        e->state[row] = state;
    }
    return changed;
}

mn_status mujoco_rows_contacts(bool* changed, Rigid* r, const double* v_new)
{
    MujocoEngine* e = r->self;
    int nv = r->nv;
    *changed = v_new && mujoco_search(r, v_new);
    if (!v_new) e->search.rounds = 0;
    memcpy(r->inertia, e->inertia, sizeof *r->inertia*(size_t)nv*(size_t)nv);
    memcpy(r->impulse, e->impulse, sizeof *r->impulse*(size_t)nv);
    for (int row = 0; row < e->d->nefc; row++)
        if (e->state[row] != mjCNSTRSTATE_SATISFIED) add_row(r->inertia, r->impulse, e, row);
    double moment = e->units.mass*e->units.length*e->units.length;
    for (int a = 0; a < nv; a++) {
        r->impulse[a] *= moment/e->unit[a];
        for (int b = 0; b < nv; b++) r->inertia[a*nv + b] *= moment/(e->unit[a]*e->unit[b]);
    }
    return MN_OK;
}

// Is it a geom of this body, or of one welded to it?
static bool belongs_to(const mjModel* m, int geom, int body)
{
    return m->geom_bodyid[geom] == body || m->body_weldid[m->geom_bodyid[geom]] == body;
}

int mujoco_rows_touching(const Rigid* r, int body)
{
    const MujocoEngine* e = r->self;
    const mjModel* m = e->m;
    int count = 0;
    for (int k = 0; k < e->d->ncon; k++) {
        const mjContact* c = &e->d->contact[k];
        if (c->efc_address < 0 || !(belongs_to(m, c->geom1, e->root[body]) || belongs_to(m, c->geom2, e->root[body]))) continue;
        bool acts = false;
        for (int row = 0; row < mujoco_rows_of(c); row++) acts = acts || e->state[c->efc_address + row] == mjCNSTRSTATE_QUADRATIC;
        count += acts;
    }
    return count;
}

// Constraints as an active set. MuJoCo's rows e (equalities, dry friction, limits, contacts with pyramids of friction) make the step
// the least of
//
//     (a - a0).M(a - a0)/2 + sum_e s_e(J_e a - aref_e),      a = (v' - v)/dt
//
// with s = D x^2/2 where a row acts: all of an equality; x < 0 of limits and contacts; |x| < f/D of dry friction, whose force is f
// beyond it. In v', for the rows that act:
//
//     (M + sum D J^T J) v' = r + sum D J^T (J v + dt aref)  -+ sum dt f J^T
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "rigid/rigid_mujoco_private.h"

// A contact this part of the margin above it still counts as one that is there, with friction.
static const double AT_MARGIN = 0.01;

// ---- rows of contacts ------------------------------------------------------------------------------------------------------

static bool is_ahead(const MujocoEngine* e, const mjContact* c)
{
    return (e->own_geom[c->geom1] || e->own_geom[c->geom2]) && c->dist > (1 + AT_MARGIN)*e->margin;
}

void mujoco_rows_reach(MujocoEngine* e)
{
    for (int k = 0; k < e->d->ncon; k++) {
        mjContact* c = &e->d->contact[k];
        if (!e->own_geom[c->geom1] && !e->own_geom[c->geom2]) continue;
        c->includemargin = e->margin;
        if (is_ahead(e, c)) c->dim = 1;
    }
}

// J v' >= -(distance left)/dt
void mujoco_rows_ahead(MujocoEngine* e)
{
    for (int k = 0; k < e->d->ncon; k++) {
        const mjContact* c = &e->d->contact[k];
        if (!is_ahead(e, c) || c->efc_address < 0) continue;
        double least = -(c->dist - c->includemargin)/e->dt;
        e->d->efc_aref[c->efc_address] = (least - e->d->efc_vel[c->efc_address])/e->dt;
    }
}

// ---- the active set --------------------------------------------------------------------------------------------------------

mn_status mujoco_rows_begin(Rigid* r)
{
    MujocoEngine* e = r->self;
    int rows = e->d->nefc;
    if (rows > e->rows_room) {
        int* more = realloc(e->state, sizeof *more*2*(size_t)rows);
        if (!more) return mn_fail(MN_NO_MEMORY, "no memory for contacts of bodies");
        e->state = more, e->rows_room = 2*rows;
    }
    mju_copy(e->d->qacc_warmstart, e->d->qacc_smooth, e->m->nv);
    mj_fwdConstraint(e->m, e->d);
    memcpy(e->state, e->d->efc_state, sizeof *e->state*(size_t)rows);
    return MN_OK;
}

// For x = J a - aref.
static int state_of(const mjData* d, int row, double x)
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

static bool update_states(MujocoEngine* e, const double* v_new)
{
    const mjData* d = e->d;
    bool changed = false;
    for (int row = 0; row < d->nefc; row++) {
        const mjtNum* J = d->efc_J + (size_t)row*(size_t)e->m->nv;
        double speed = 0;
        for (int a = 0; a < e->m->nv; a++) speed += J[a]*(v_new[a]/e->unit[a]);
        int state = state_of(d, row, (speed - d->efc_vel[row])/e->dt - d->efc_aref[row]);
        changed = changed || state != e->state[row];
        e->state[row] = state;
    }
    return changed;
}

// What is not the engine's of the step that ended with v_new is the liquid's.
static void note_push(Rigid* r, const double* v_new)
{
    MujocoEngine* e = r->self;
    double moment = e->units.mass*e->units.length*e->units.length;
    for (int a = 0; a < r->nv; a++) {
        double sum = -r->impulse[a];
        for (int b = 0; b < r->nv; b++) sum += r->inertia[a*r->nv + b]*v_new[b];
        e->push[a] = sum*e->unit[a]/(moment*e->dt);
    }
}

mn_status mujoco_rows_contacts(bool* changed, Rigid* r, const double* v_new)
{
    MujocoEngine* e = r->self;
    int nv = r->nv;
    if (v_new) note_push(r, v_new);
    *changed = v_new && update_states(e, v_new);
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
        int rows = c->dim == 1 ? 1 : 2*(c->dim - 1);
        bool acts = false;
        for (int row = 0; row < rows; row++) acts = acts || e->state[c->efc_address + row] == mjCNSTRSTATE_QUADRATIC;
        count += acts;
    }
    return count;
}

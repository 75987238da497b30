// Which rows act, found by Newton steps with an exact line search. Changing all rows at once that a solution asks for goes round
// in circles where bodies lie on each other. What is made least,
//
//     F(v) = v.M v/2 - r.v + liquid(v) + sum_e s_e(J_e v),
//
// is convex, and each solve with the rows that act at v gives its Newton step p. Along it F' rises; the step ends where it is
// zero. The liquid's part of F' is not known but at solutions, where all of F' with the rows as they were is zero; as it is
// linear in v it is known between them too. The first time, when the rows were chosen for the push of the step before, MuJoCo's
// solver is asked again with the push that is known now; that alone is enough where the liquid does not mind how bodies move.
#include <math.h>
#include <string.h>
#include "rigid/rigid_mujoco_private.h"

// s_e' dt for a row at speed J v.
double mujoco_row_impulse(const MujocoEngine* e, int row, double speed)
{
    const mjData* d = e->d;
    double x = (speed - d->efc_vel[row])/e->dt - d->efc_aref[row];
    switch (mujoco_row_state(d, row, x)) {
    case mjCNSTRSTATE_QUADRATIC:
        return e->dt*d->efc_D[row]*x;
    case mjCNSTRSTATE_LINEARNEG:
        return -e->dt*d->efc_frictionloss[row];
    case mjCNSTRSTATE_LINEARPOS:
        return e->dt*d->efc_frictionloss[row];
    default:
        return 0;
    }
}

// F' at a part t of the way from s->at to s->next; smooth: all but the rows, at both ends.
static double slope(const MujocoEngine* e, double t, const double smooth[2])
{
    const MujocoSearch* s = &e->search;
    double sum = (1 - t)*smooth[0] + t*smooth[1];
    for (int row = 0; row < e->d->nefc; row++) {
        double from = mujoco_row_speed(e, row, s->at), to = mujoco_row_speed(e, row, s->next);
        if (from != to) sum += mujoco_row_impulse(e, row, from + t*(to - from))*(to - from);
    }
    return sum;
}

static double smooth_slope(const MujocoEngine* e, const double* v, const double* liquid)
{
    int nv = e->m->nv;
    double sum = 0;
    for (int a = 0; a < nv; a++)
        sum += (mju_dot(e->inertia + (size_t)a*(size_t)nv, v, nv) - e->impulse[a] - liquid[a]) *
               (e->search.next[a] - e->search.at[a]);
    return sum;
}

// In 30 halvings: rows are either hit or not.
static double length_of_step(const MujocoEngine* e)
{
    const MujocoSearch* s = &e->search;
    double smooth[2] = {smooth_slope(e, s->at, s->liquid), smooth_slope(e, s->next, s->pushed)}, low = 0, high = 1;
    if (slope(e, 1, smooth) <= 0) return 1;
    for (int k = 0; k < 30; k++) {
        double middle = 0.5*(low + high);
        if (slope(e, middle, smooth) > 0) high = middle;
        else low = middle;
    }
    return high;
}

// The liquid's impulse is what the engine's own equations lack.
static void note_solution(Rigid* r, const double* v_new)
{
    MujocoEngine* e = r->self;
    double moment = e->units.mass*e->units.length*e->units.length;
    for (int a = 0; a < r->nv; a++) {
        double lacks = mju_dot(r->inertia + (size_t)a*(size_t)r->nv, v_new, r->nv) - r->impulse[a];
        e->search.next[a] = v_new[a]/e->unit[a];
        e->search.pushed[a] = lacks*e->unit[a]/moment;
        e->push[a] = e->search.pushed[a]/e->dt;
    }
}

// As MuJoCo's solver has them if the liquid pushes as it does at s->next, whatever bodies do then.
static mn_status guess_job(void* what)
{
    MujocoEngine* e = what;
    mujoco_rows_guess(e);
    return MN_OK;
}

// A search that gets no further than this part of a step stands on what is no longer so: skin has let go of liquid since, and the
// liquid pushes in another way. It begins anew.
static const double NO_STEP = 1e-6;

bool mujoco_search(Rigid* r, const double* v_new)
{
    MujocoEngine* e = r->self;
    MujocoSearch* s = &e->search;
    bool first = s->rounds++ == 0;
    note_solution(r, v_new);
    double t = first ? 1 : length_of_step(e);
    if (!mujoco_rows_update(e, s->next)) return false;
    bool anew = first || t < NO_STEP;
    for (int a = 0; a < r->nv; a++) {
        s->at[a] = anew ? s->next[a] : s->at[a] + t*(s->next[a] - s->at[a]);
        s->liquid[a] = anew ? s->pushed[a] : s->liquid[a] + t*(s->pushed[a] - s->liquid[a]);
    }
    if (!anew || mujoco_guarded(guess_job, e, MN_STEP_FAILED) != MN_OK) mujoco_rows_update(e, s->at);
    return true;
}

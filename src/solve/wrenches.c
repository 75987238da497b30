#include "solve/wrenches.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"

static int by_cell(const void* a, const void* b)
{
    const WrenchCell *p = a, *q = b;
    if (p->part != q->part) return p->part < q->part ? -1 : 1;
    if (p->cell != q->cell) return p->cell < q->cell ? -1 : 1;
    return (p->body > q->body) - (p->body < q->body);
}

mn_status wrenches_init(Wrenches* w, Arena* arena)
{
    assert(w->dt > 0 && w->dx > 0 && w->rho > 0 && (w->dim == 2 || w->dim == 3));
    TRY_MEMORY(w->twist = ARENA_NEW(arena, double, TWIST*w->bodies));
    TRY_MEMORY(w->v = ARENA_NEW(arena, double, w->nv));
    TRY_MEMORY(w->place = ARENA_NEW(arena, int, w->cells));
    TRY_MEMORY(w->part = ARENA_NEW(arena, int, w->cells));
    TRY_MEMORY(w->at = ARENA_NEW(arena, ptrdiff_t, w->cells));
    qsort(w->cell, (size_t)w->cells, sizeof *w->cell, by_cell);
    w->places = 0;
    for (int m = 0; m < w->cells; m++) {
        const WrenchCell* c = &w->cell[m];
        if (m == 0 || c->part != c[-1].part || c->cell != c[-1].cell)
            w->part[w->places] = c->part, w->at[w->places] = c->cell, w->places++;
        w->place[m] = w->places - 1;
    }
    return MN_OK;
}

void wrenches_twists(double* twist, const Follower* body, int bodies, const double* v)
{
    for (int b = 0; b < bodies; b++)
        for (int k = 0; k < TWIST; k++) {
            const double* row = body[b].jacobian + k*body[b].count;
            double sum = 0;
            for (int c = 0; c < body[b].count; c++) sum += row[c]*v[body[b].first + c];
            twist[TWIST*b + k] = sum;
        }
}

void wrenches_forces(double* out, const Follower* body, int bodies, const double* wrench)
{
    for (int b = 0; b < bodies; b++)
        for (int k = 0; k < TWIST; k++) {
            const double *row = body[b].jacobian + k*body[b].count, amount = wrench[TWIST*b + k];
            if (amount == 0) continue;
            for (int c = 0; c < body[b].count; c++) out[body[b].first + c] += row[c]*amount;
        }
}

// C^T of one value per place.
static void gather(double* out, const Wrenches* w, const double* in)
{
    memset(w->twist, 0, sizeof *w->twist*TWIST*(size_t)w->bodies);
    memset(out, 0, sizeof *out*(size_t)w->nv);
    for (int m = 0; m < w->cells; m++)
        for (int k = 0; k < TWIST; k++) w->twist[TWIST*w->cell[m].body + k] += w->cell[m].wrench[k]*in[w->place[m]];
    wrenches_forces(out, w->body, w->bodies, w->twist);
}

// Of the twists in w->twist.
static double flux_of(const Wrenches* w, int m)
{
    const double* twist = w->twist + TWIST*w->cell[m].body;
    double sum = 0;
    for (int k = 0; k < TWIST; k++) sum += w->cell[m].wrench[k]*twist[k];
    return sum;
}

void wrenches_flux(double* out, const Wrenches* w, const double* v)
{
    wrenches_twists(w->twist, w->body, w->bodies, v);
    for (int m = 0; m < w->cells; m++) out[m] = flux_of(w, m);
}

void wrenches_impulse(double* out, const Wrenches* w, double* const* p)
{
    double scale = w->dt*(w->dim == 3 ? w->dx*w->dx : w->dx);
    memset(w->twist, 0, sizeof *w->twist*TWIST*(size_t)w->bodies);
    memset(out, 0, sizeof *out*(size_t)w->nv);
    for (int m = 0; m < w->cells; m++) {
        const WrenchCell* c = &w->cell[m];
        double pressure = scale*p[c->part][c->cell];
        for (int k = 0; k < TWIST; k++) w->twist[TWIST*c->body + k] += c->wrench[k]*pressure;
    }
    wrenches_forces(out, w->body, w->bodies, w->twist);
}

static void apply(double* out, const double* in, void* user)
{
    Wrenches* w = user;
    double scale = w->rho*(w->dim == 3 ? w->dx*w->dx*w->dx : w->dx*w->dx);
    gather(w->v, w, in);
    dense_solve(w->v, w->factor, w->nv);
    wrenches_twists(w->twist, w->body, w->bodies, w->v);
    memset(out, 0, sizeof *out*(size_t)w->places);
    for (int m = 0; m < w->cells; m++) out[w->place[m]] += scale*flux_of(w, m);
}

// Is liquid of one pressure around the bodies nothing to them?
static bool keeps_constants(const Wrenches* w)
{
    double sum[TWIST], most[TWIST];
    for (int b = 0; b < w->bodies; b++) {
        memset(sum, 0, sizeof sum), memset(most, 0, sizeof most);
        for (int m = 0; m < w->cells; m++) {
            if (w->cell[m].body != b) continue;
            for (int k = 0; k < TWIST; k++) sum[k] += w->cell[m].wrench[k], most[k] += fabs(w->cell[m].wrench[k]);
        }
        double force = fmax(fmax(most[0], most[1]), most[2]), torque = fmax(fmax(most[3], most[4]), most[5]);
        for (int k = 0; k < TWIST; k++)
            if (fabs(sum[k]) > 1e-9*(k < 3 ? force : torque)) return false;
    }
    return true;
}

void wrenches_operator(PoissonOperator* op, Wrenches* w)
{
    *op = (PoissonOperator){
        .count = w->places, .part = w->part, .cell = w->at, .apply = apply, .user = w, .keeps_constants = keeps_constants(w)};
}

#include "rigid/rigid_pushed.h"

#include <assert.h>
#include <string.h>

static int count(const RigidPushed* p) { return p->push ? p->push->solids : 0; }

static int body_at(const RigidPushed* p, int place)
{
    int body = p->solids->solid[p->push->solid[place]].body - 1;
    assert(body >= 0 && body < p->rigid->bodies);
    return body;
}

// Pressure does not turn what is round: only the velocity of its centre counts.
static int ways(const RigidPushed* p, int place) { return p->rigid->body[body_at(p, place)].is_round ? 3 : TWIST; }

// Its twist with velocities v, as far as it counts.
static void twist_of(double twist[TWIST], const RigidPushed* p, int place, const double* v)
{
    rigid_twist(twist, p->rigid, body_at(p, place), v);
    for (int k = ways(p, place); k < TWIST; k++) twist[k] = 0;
}

static const double* drag_of(const RigidPushed* p, int place, int way, int other)
{
    return p->push->drag + (size_t)(TWIST*place + way)*TWIST*(size_t)p->push->solids + TWIST*(size_t)other;
}

void rigid_pushed_cells(Wrenches* w, const RigidPushed* p)
{
    for (int m = 0; p->push && m < p->push->cells; m++) {
        WrenchCell* cell = &w->cell[w->cells++];
        int place = p->push->cell[m].body;
        *cell = p->push->cell[m];
        cell->body = body_at(p, place);
        for (int k = ways(p, place); k < TWIST; k++) cell->wrench[k] = 0;
    }
}

// J_a^T drag_ab J_b of two bodies.
static void add_block(double* inertia, const RigidPushed* p, int a, int b)
{
    const Follower *fa = &p->rigid->body[body_at(p, a)].follower, *fb = &p->rigid->body[body_at(p, b)].follower;
    for (int k = 0; k < ways(p, a); k++) {
        const double *drag = drag_of(p, a, k, b), *row = fa->jacobian + k*fa->count;
        for (int j = 0; j < fb->count; j++) {
            double sum = 0;
            for (int l = 0; l < ways(p, b); l++) sum += drag[l]*fb->jacobian[l*fb->count + j];
            for (int i = 0; i < fa->count; i++)
                inertia[(size_t)(fa->first + i)*(size_t)p->rigid->nv + (size_t)(fb->first + j)] += p->dt*row[i]*sum;
        }
    }
}

void rigid_pushed_inertia(double* inertia, const RigidPushed* p)
{
    for (int a = 0; a < count(p); a++)
        for (int b = 0; b < count(p); b++) add_block(inertia, p, a, b);
}

// What the twist of one adds to the wrench on another.
static void add_drag(double wrench[TWIST], const RigidPushed* p, int place, int of, const double twist[TWIST], double sign)
{
    for (int k = 0; k < ways(p, place); k++)
        for (int l = 0; l < TWIST; l++) wrench[k] += sign*drag_of(p, place, k, of)[l]*twist[l];
}

void rigid_pushed_impulse(double* impulse, const RigidPushed* p)
{
    for (int a = 0; a < count(p); a++) {
        double wrench[TWIST] = {0}, twist[TWIST];
        for (int k = 0; k < ways(p, a); k++) wrench[k] = p->push->wrench[TWIST*a + k];
        for (int b = 0; b < count(p); b++) {
            twist_of(twist, p, b, p->rigid->v);
            add_drag(wrench, p, a, b, twist, 1);
        }
        for (int k = 0; k < TWIST; k++) wrench[k] *= p->dt;
        wrenches_forces(impulse, &p->rigid->body[body_at(p, a)].follower, 1, wrench);
    }
}

double rigid_pushed_known(const RigidPushed* p, int m)
{
    const WrenchCell* cell = &p->push->cell[m];
    double twist[TWIST], sum = 0;
    twist_of(twist, p, cell->body, p->rigid->v);
    for (int k = 0; k < TWIST; k++) sum += cell->wrench[k]*twist[k];
    return sum;
}

void rigid_pushed_tell(const RigidPushed* p, const double* v)
{
    for (int a = 0; a < count(p); a++) {
        double before[TWIST], after[TWIST];
        twist_of(before, p, a, p->rigid->v), twist_of(after, p, a, v);
        for (int k = 0; k < TWIST; k++) p->push->change[TWIST*a + k] = after[k] - before[k];
    }
}

void rigid_pushed_wrench(double wrench[TWIST], const RigidPushed* p, int body, double* const* pressure)
{
    for (int a = 0; a < count(p); a++) {
        if (body_at(p, a) != body) continue;
        for (int k = 0; k < ways(p, a); k++) wrench[k] += p->push->wrench[TWIST*a + k];
        for (int b = 0; b < count(p); b++) add_drag(wrench, p, a, b, p->push->change + TWIST*b, -1);
        for (int m = 0; m < p->push->cells; m++) {
            const WrenchCell* cell = &p->push->cell[m];
            for (int k = 0; k < ways(p, a) && cell->body == a; k++)
                wrench[k] += p->face*cell->wrench[k]*pressure[cell->part][cell->cell];
        }
    }
}

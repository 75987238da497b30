#include "rigid/rigid_free.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "rigid/rigid_thin.h"

// A contact is as stiff as this many bodies: what is left of the motion through the wall is that part of what it was.
static const double STIFF = 1e7;
// Of a skin point from a wall, cells; further away by what it moves in a step, it is looked at.
static const double MARGIN_CELLS = 0.5;
// The part of a point's way back out of the margin that one step takes; at most at this part of the speed of a fall through it: a
// step that is tried again and again with less time must not throw the body out.
static const double WAY_BACK = 0.1, BACK_FALL = 0.2;
// Points of one body on one side are at least this part of its size apart.
static const double APART = 0.25;

typedef struct Touch {
    int body, axis, sign;  // the side's normal into the tank
    double arm[3];         // m, from the centre of mass
    double least;          // m/s along the normal
    bool acts;
} Touch;

typedef struct FreeBody {
    const double* skin;  // borrowed
    int skin_points;
    double size;           // m, of the skin across
    double inertia[3][3];  // at rest
    unsigned fixed;
    double jacobian[TWIST*TWIST];
} FreeBody;

// Positions are in r->body: centre and rotation.
typedef struct FreeBodies {
    FreeBody* body;  // owned
    int per_body;    // velocities: 3 in 2D (x, y, turn), 6 in 3D
    Touch* touch;    // owned
    int touches, room;
    double weight;        // m/s^2, in the step that began
    double* own_inertia;  // of the step without contacts; owned
    double* own_impulse;  // owned
} FreeBodies;

static void free_engine(Rigid* r)
{
    FreeBodies* f = r->self;
    if (!f) return;
    free(f->body), free(f->touch), free(f->own_inertia), free(f->own_impulse), free(f);
}

static mn_status visit(Rigid* r, StateVisitor* v)
{
    static const StateColumn column[] = {STATE_MEMBER(STATE_REAL, RigidBody, center, 3),
                                         STATE_MEMBER(STATE_REAL, RigidBody, rotation, 9)};
    int count = r->bodies;
    TRY(state_rows(v, "places", &count));
    if (count != r->bodies) return mn_fail(MN_BAD_CHECKPOINT, "holds %d bodies, but there are %d", count, r->bodies);
    return v->table(v, &(StateTable){"places", r->body, r->bodies, sizeof *r->body, column, 2});
}

// Which entry of a twist a velocity of a body is.
static int entry_of(const FreeBodies* f, int dof) { return f->per_body == 3 && dof == 2 ? 5 : dof; }

static mn_status place(Rigid* r)
{
    FreeBodies* f = r->self;
    for (int b = 0; b < r->bodies; b++) {
        FreeBody* own = &f->body[b];
        memset(own->jacobian, 0, sizeof own->jacobian);
        for (int c = 0; c < f->per_body; c++) {
            int entry = entry_of(f, c);
            if (!(own->fixed >> entry & 1)) own->jacobian[entry*f->per_body + c] = 1;
        }
        r->body[b].follower = (Follower){b*f->per_body, f->per_body, own->jacobian};
    }
    return MN_OK;
}

// R <- exp(angle) R, and made a rotation again: rounding adds up over many steps.
static void turn(double R[3][3], const double angle[3])
{
    double size = vec_norm(angle), s = size > 1e-8 ? sin(size)/size : 1,
           c = size > 1e-8 ? (1 - cos(size))/(size*size) : 0.5;
    double next[3][3];
    for (int k = 0; k < 3; k++) {
        double column[3] = {R[0][k], R[1][k], R[2][k]}, once[3], twice[3];
        vec_cross(once, angle, column);
        vec_cross(twice, angle, once);
        for (int d = 0; d < 3; d++) next[d][k] = column[d] + s*once[d] + c*twice[d];
    }
    double x[3] = {next[0][0], next[1][0], next[2][0]}, y[3] = {next[0][1], next[1][1], next[2][1]}, z[3];
    double nx = vec_norm(x);
    for (int d = 0; d < 3; d++) x[d] /= nx;
    double along = vec_dot(x, y);
    for (int d = 0; d < 3; d++) y[d] -= along*x[d];
    double ny = vec_norm(y);
    for (int d = 0; d < 3; d++) y[d] /= ny;
    vec_cross(z, x, y);
    for (int d = 0; d < 3; d++) R[d][0] = x[d], R[d][1] = y[d], R[d][2] = z[d];
}

static mn_status move(Rigid* r, double dt)
{
    for (int b = 0; b < r->bodies; b++) {
        double twist[TWIST], angle[3];
        rigid_twist(twist, r, b, r->v);
        for (int d = 0; d < 3; d++) r->body[b].center[d] += dt*twist[d], angle[d] = dt*twist[3 + d];
        if (vec_norm(angle) > 0) turn(r->body[b].rotation, angle);
    }
    return place(r);
}

// R I R^T
static void world_inertia(double out[3][3], const double R[3][3], const double I[3][3])
{
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            out[a][b] = 0;
            for (int c = 0; c < 3; c++)
                for (int d = 0; d < 3; d++) out[a][b] += R[a][c]*I[c][d]*R[b][d];
        }
}

// ---- walls -----------------------------------------------------------------------------------------------------------------

static mn_status add_touch(FreeBodies* f, const Touch* t)
{
    if (f->touches == f->room) {
        int room = f->room > 0 ? 2*f->room : 64;
        Touch* more = realloc(f->touch, sizeof *more*(size_t)room);
        TRY_MEMORY(more);
        f->touch = more, f->room = room;
    }
    f->touch[f->touches++] = *t;
    return MN_OK;
}

static void arm_of(double arm[3], const RigidBody* body, const double skin[3])
{
    double local[3];
    vec_sub(local, skin, body->rest);
    for (int d = 0; d < 3; d++) arm[d] = vec_dot(body->rotation[d], local);
}

// Is a point of the same body that touches the same side near this one?
static bool is_held_nearby(const FreeBodies* f, const Touch* t, int first, double near)
{
    for (int m = first; m < f->touches; m++) {
        double apart[3];
        vec_sub(apart, f->touch[m].arm, t->arm);
        apart[t->axis] = 0;
        if (vec_norm(apart) < near) return true;
    }
    return false;
}

// Points of a body that may meet a closed side within the step: the nearest first, then those well beside it. Neighbours of a
// held point are held by it; with all of them the set of contacts that act never comes to rest.
static mn_status find_touches(Rigid* r, int b, int axis, int high, double dt)
{
    enum { MOST = 4 };
    FreeBodies* f = r->self;
    const FreeBody* own = &f->body[b];
    const RigidBody* body = &r->body[b];
    double margin = MARGIN_CELLS*r->tank.dx, back = BACK_FALL*sqrt(f->weight*margin);
    int first = f->touches;
    for (int found = 0; found < MOST; found++) {
        Touch nearest = {.body = b, .axis = axis, .sign = high ? -1 : 1, .least = -INFINITY};
        for (int m = 0; m < own->skin_points; m++) {
            Touch t = nearest;
            arm_of(t.arm, body, own->skin + 3*m);
            double x = body->center[axis] + t.arm[axis], missing = margin - (high ? r->tank.n[axis]*r->tank.dx - x : x);
            t.least = missing > 0 ? fmin(missing*WAY_BACK/dt, back) : missing/dt;
            if (missing > -2*r->tank.dx && t.least > nearest.least && !is_held_nearby(f, &t, first, APART*own->size))
                nearest = t;
        }
        if (nearest.least == -INFINITY) break;
        TRY(add_touch(f, &nearest));
    }
    return MN_OK;
}

static mn_status find_body_touches(Rigid* r, int b, double dt)
{
    for (int side = 0; side < 2*r->tank.dim; side++)
        if (side_is_closed(r->tank.side[side])) TRY(find_touches(r, b, side/2, side%2, dt));
    return MN_OK;
}

// How a contact's speed along its normal follows from the twist of its body.
static void touch_row(double row[TWIST], const Touch* t)
{
    double n[3] = {0, 0, 0};
    n[t->axis] = t->sign;
    memcpy(row, n, sizeof n);
    vec_cross(row + 3, t->arm, n);
}

static double touch_speed(const Rigid* r, const Touch* t, const double* v)
{
    double row[TWIST], twist[TWIST], sum = 0;
    touch_row(row, t);
    rigid_twist(twist, r, t->body, v);
    for (int k = 0; k < TWIST; k++) sum += row[k]*twist[k];
    return sum;
}

// As a stiff spring and damper in one: adds D (j v - least)^2/2 to what the step makes least.
static void add_to_system(Rigid* r, const Touch* t)
{
    const Follower* own = &r->body[t->body].follower;
    double row[TWIST], j[TWIST] = {0}, stiff = STIFF*r->body[t->body].mass;
    touch_row(row, t);
    for (int c = 0; c < own->count; c++)
        for (int k = 0; k < TWIST; k++) j[c] += row[k]*own->jacobian[k*own->count + c];
    for (int a = 0; a < own->count; a++) {
        for (int c = 0; c < own->count; c++) r->inertia[(own->first + a)*r->nv + own->first + c] += stiff*j[a]*j[c];
        r->impulse[own->first + a] += stiff*j[a]*t->least;
    }
}

static mn_status contacts(bool* changed, Rigid* r, const double* v_new)
{
    FreeBodies* f = r->self;
    size_t n = (size_t)r->nv;
    *changed = false;
    memcpy(r->inertia, f->own_inertia, sizeof *r->inertia*n*n);
    memcpy(r->impulse, f->own_impulse, sizeof *r->impulse*n);
    for (int m = 0; m < f->touches; m++) {
        Touch* t = &f->touch[m];
        double above = touch_speed(r, t, v_new ? v_new : r->v) - t->least;
        // what presses stays a little below `least`; what is above it would have to pull
        bool acts = t->acts && v_new ? above <= 0 : above < 0;
        *changed = *changed || acts != t->acts;
        t->acts = acts;
        if (acts) add_to_system(r, t);
    }
    return MN_OK;
}

// ---- the engine ------------------------------------------------------------------------------------------------------------

static void begin_body(Rigid* r, int b, const RigidStep* s)
{
    FreeBodies* f = r->self;
    const FreeBody* own = &f->body[b];
    double I[3][3], twist[TWIST], L[3], gyro[3], M[TWIST][TWIST] = {{0}}, force[TWIST];
    int first = r->body[b].follower.first, n = f->per_body;
    world_inertia(I, r->body[b].rotation, own->inertia);
    rigid_twist(twist, r, b, r->v);
    for (int d = 0; d < 3; d++) L[d] = vec_dot(I[d], twist + 3);
    vec_cross(gyro, twist + 3, L);
    for (int d = 0; d < 3; d++) {
        M[d][d] = r->body[b].mass;
        for (int e = 0; e < 3; e++) M[3 + d][3 + e] = I[d][e];
        force[d] = r->body[b].mass*s->acceleration[d], force[3 + d] = -gyro[d];
    }
    for (int a = 0; a < n; a++) {
        int p = entry_of(f, a);
        double sum = s->dt*force[p];
        for (int c = 0; c < n; c++) {
            int q = entry_of(f, c);
            bool fixed = (own->fixed >> p | own->fixed >> q) & 1;
            f->own_inertia[(first + a)*r->nv + first + c] = fixed ? (a == c ? M[p][p] : 0) : M[p][q];
            sum += M[p][q]*twist[q];
        }
        f->own_impulse[first + a] = own->fixed >> p & 1 ? 0 : sum;
    }
}

static mn_status begin(Rigid* r, const RigidStep* s)
{
    FreeBodies* f = r->self;
    assert(s->dt > 0);
    f->touches = 0, f->weight = vec_norm(s->acceleration);
    for (int b = 0; b < r->bodies; b++) {
        begin_body(r, b, s);
        TRY(find_body_touches(r, b, s->dt));
    }
    return MN_OK;
}

static double energy(const Rigid* r, const double gravity[3], const double low[3])
{
    const FreeBodies* f = r->self;
    double sum = 0;
    for (int b = 0; b < r->bodies; b++) {
        double I[3][3], twist[TWIST];
        world_inertia(I, r->body[b].rotation, f->body[b].inertia);
        rigid_twist(twist, r, b, r->v);
        for (int d = 0; d < 3; d++)
            sum += 0.5*(r->body[b].mass*twist[d]*twist[d] + twist[3 + d]*vec_dot(I[d], twist + 3)) -
                   r->body[b].mass*gravity[d]*(r->body[b].center[d] - low[d]);
    }
    return sum;
}

// What walls do on bodies that they push out of the margin.
static double work(const Rigid* r, const double* v_new)
{
    const FreeBodies* f = r->self;
    double sum = 0;
    for (int m = 0; m < f->touches; m++) {
        const Touch* t = &f->touch[m];
        if (!t->acts) continue;
        double speed = touch_speed(r, t, v_new);
        sum += fmax(STIFF*r->body[t->body].mass*(t->least - speed)*speed, 0);
    }
    return sum;
}

static int touching(const Rigid* r, int body)
{
    const FreeBodies* f = r->self;
    int count = 0;
    for (int m = 0; m < f->touches; m++) count += f->touch[m].body == body && f->touch[m].acts;
    return count;
}

static const RigidEngine engine = {.name = "free bodies",
                                   .free = free_engine,
                                   .visit = visit,
                                   .place = place,
                                   .move = move,
                                   .begin = begin,
                                   .contacts = contacts,
                                   .energy = energy,
                                   .work = work,
                                   .touching = touching};

static void start_body(Rigid* r, const BodyPlan* plan, int b)
{
    FreeBodies* f = r->self;
    RigidBody* body = &r->body[b];
    *body = (RigidBody){.solid = plan->solid, .mass = plan->mass, .volume = plan->volume, .is_round = plan->is_round};
    memcpy(body->name, plan->name, sizeof body->name);
    rigid_thicken(body, plan, &r->tank);
    memcpy(body->rest, plan->center, sizeof body->rest), memcpy(body->center, plan->center, sizeof body->center);
    memcpy(body->inertia, plan->inertia, sizeof body->inertia);
    for (int d = 0; d < 3; d++) body->rotation[d][d] = 1;
    f->body[b] = (FreeBody){.skin = plan->skin, .skin_points = plan->skin_points, .fixed = plan->fixed};
    memcpy(f->body[b].inertia, plan->inertia, sizeof plan->inertia);
    for (int m = 0; m < plan->skin_points; m++) {
        double arm[3];
        vec_sub(arm, plan->skin + 3*m, plan->center);
        f->body[b].size = fmax(f->body[b].size, 2*vec_norm(arm));
    }
    for (int c = 0; c < f->per_body; c++) {
        int entry = entry_of(f, c);
        double start = entry < 3 ? plan->velocity[entry] : plan->spin[entry - 3];
        r->v[b*f->per_body + c] = plan->fixed >> entry & 1 ? 0 : start;
    }
}

static mn_status take_memory(Rigid* r, int count)
{
    FreeBodies* f = calloc(1, sizeof *f);
    TRY_MEMORY(f);
    r->engine = &engine, r->self = f, r->bodies = count;
    f->per_body = r->tank.dim == 2 ? 3 : 6;
    TRY_MEMORY(r->body = calloc((size_t)count, sizeof *r->body));
    TRY_MEMORY(f->body = calloc((size_t)count, sizeof *f->body));
    TRY(rigid_take(r, f->per_body*count));
    TRY_MEMORY(f->own_inertia = calloc((size_t)r->nv*(size_t)r->nv, sizeof *f->own_inertia));
    TRY_MEMORY(f->own_impulse = calloc((size_t)r->nv, sizeof *f->own_impulse));
    return MN_OK;
}

mn_status rigid_free_start(Rigid* r, const Tank* tank, const BodyPlan* plan, int count)
{
    assert(count > 0);
    *r = (Rigid){.tank = *tank};
    mn_status status = take_memory(r, count);
    for (int b = 0; b < count && status == MN_OK; b++) start_body(r, &plan[b], b);
    if (status == MN_OK) status = place(r);
    if (status != MN_OK) rigid_free_all(r);
    return status;
}

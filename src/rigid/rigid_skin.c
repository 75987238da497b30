#include "rigid/rigid_skin.h"

#include <math.h>
#include "base/vec.h"

// How many are chosen for being deep; the others for being far from those. Of cells: how far deep ones are apart, outer ones, and
// how much further from the solid these may be than the deepest.
enum { DEEPEST = 4 };
static const double APART = 1, OUTER_APART = 2, OUTER_HIGHER = 0.5;

static void place_of(double x[3], const RigidBody* body, int m)
{
    double local[3];
    vec_sub(local, body->skin + 3*m, body->rest);
    for (int d = 0; d < 3; d++) x[d] = body->center[d] + vec_dot(body->rotation[d], local);
}

double rigid_skin_size(const RigidBody* body)
{
    double size = 0;
    for (int m = 0; m < body->skin_points; m++) {
        double from[3];
        vec_sub(from, body->skin + 3*m, body->rest);
        size = fmax(size, vec_norm(from));
    }
    return size;
}

// m, to the nearest of those chosen already.
static double off_chosen(const SkinTouch* chosen, int count, const double x[3])
{
    double least = INFINITY, from[3];
    for (int k = 0; k < count; k++) {
        vec_sub(from, x, chosen[k].place);
        least = fmin(least, vec_norm(from));
    }
    return least;
}

// The deepest point not within `apart` of those chosen, nearer than reach; -1: none.
static int deepest(const SkinTouch* chosen, int count, const double* distance, const RigidBody* body, double reach, double apart)
{
    int best = -1;
    for (int m = 0; m < body->skin_points; m++) {
        double x[3];
        if (!(distance[m] < (best < 0 ? reach : distance[best]))) continue;
        place_of(x, body, m);
        if (off_chosen(chosen, count, x) > apart) best = m;
    }
    return best;
}

// The point nearer than `reach` that is farthest from those chosen, if by more than `apart`; -1: none.
static int outermost(const SkinTouch* chosen, int count, const double* distance, const RigidBody* body, double reach,
                     double apart)
{
    int best = -1;
    double most = apart;
    for (int m = 0; m < body->skin_points; m++) {
        double x[3];
        if (!(distance[m] < reach)) continue;
        place_of(x, body, m);
        double off = off_chosen(chosen, count, x);
        if (off > most) best = m, most = off;
    }
    return best;
}

// Between two points of its skin a ball is nearer than either: where its radius against the normal ends.
static void slip_on_ball(SkinTouch* touch, const Solid* s, const RigidBody* body)
{
    double arm[3], radius;
    vec_sub(arm, touch->place, body->center);
    radius = vec_norm(arm);
    for (int d = 0; d < 3; d++) touch->place[d] = body->center[d] - radius*touch->normal[d];
    touch->distance = solid_distance_to(s, touch->place);
}

static void choose(SkinTouch* out, const Solid* s, const RigidBody* body, int m, double distance, const Tank* tank)
{
    *out = (SkinTouch){.distance = distance};
    place_of(out->place, body, m);
    solid_normal_at(out->normal, s, out->place, tank->dx, tank->dim);
    if (body->is_round) slip_on_ball(out, s, body);
    solid_velocity_at(out->velocity, s, out->place);
}

int rigid_skin_touches(SkinTouch out[SKIN_TOUCHES], double* distance, const Rigid* r, int body, const Solid* s, double reach)
{
    const RigidBody* b = &r->body[body];
    double dx = r->tank.dx, nearest = INFINITY;
    int count = 0, m = 0;
    for (int k = 0; k < b->skin_points; k++) {
        double x[3];
        place_of(x, b, k);
        distance[k] = solid_distance_to(s, x);
        nearest = fmin(nearest, distance[k]);
    }
    while (count < DEEPEST && (m = deepest(out, count, distance, b, reach, APART*dx)) >= 0)
        choose(&out[count++], s, b, m, distance[m], &r->tank);
    double near = fmin(reach, nearest + OUTER_HIGHER*dx);
    while (count > 0 && count < SKIN_TOUCHES && (m = outermost(out, count, distance, b, near, OUTER_APART*dx)) >= 0)
        choose(&out[count++], s, b, m, distance[m], &r->tank);
    return count;
}

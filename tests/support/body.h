// Bodies built by hand for tests.
#pragma once
#include <stdlib.h>
#include <string.h>
#include "basin.h"
#include "rigid/rigid_free.h"
#include "rigid/rigid_partner.h"

enum { SKIN_MOST = 20000 };

// A disc (2D) or ball of radius R, or a box of half edges h, at a place.
typedef struct TestBody {
    bool is_box;
    double center[3], R, h[3];
    double density, angle, receding;      // kg/m^3; rad, 0: the liquid's own, and as `angle`
    double velocity[3], spin[3], turned;  // rad, about z, of a box at the start
    unsigned fixed;
    bool is_wire;  // its thickness is said
    int dim;
    double* skin;  // owned
} TestBody;

static inline double test_body_distance(const void* user, const double x[3])
{
    const TestBody* b = user;
    double r[3];
    vec_sub(r, x, b->center);
    if (b->dim == 2) r[2] = 0;
    if (!b->is_box) return vec_norm(r) - b->R;
    double c = cos(b->turned), s = sin(b->turned), q[3] = {c*r[0] + s*r[1], -s*r[0] + c*r[1], r[2]}, out[3] = {0, 0, 0};
    double inside = -INFINITY;
    for (int d = 0; d < b->dim; d++) {
        double away = fabs(q[d]) - b->h[d];
        out[d] = fmax(away, 0), inside = fmax(inside, away);
    }
    return inside > 0 ? vec_norm(out) : inside;
}

static inline double test_body_volume(const TestBody* b)
{
    if (b->is_box) return 4*b->h[0]*b->h[1]*(b->dim == 3 ? 2*b->h[2] : 1);
    return b->dim == 3 ? 4*PI/3*b->R*b->R*b->R : PI*b->R*b->R;
}

// Points of the skin: on a circle or sphere, or corners of a box.
static inline int test_body_skin(TestBody* b)
{
    int count = 0;
    b->skin = calloc(3*SKIN_MOST, sizeof *b->skin);
    assert_non_null(b->skin);
    if (b->is_box) {
        for (int c = 0; c < (b->dim == 3 ? 8 : 4); c++, count++) {
            double q[3] = {c & 1 ? b->h[0] : -b->h[0], c & 2 ? b->h[1] : -b->h[1], c & 4 ? b->h[2] : -b->h[2]};
            double e = cos(b->turned), s = sin(b->turned);
            double p[3] = {e*q[0] - s*q[1], s*q[0] + e*q[1], b->dim == 3 ? q[2] : 0};
            for (int d = 0; d < 3; d++) b->skin[3*count + d] = b->center[d] + p[d];
        }
        return count;
    }
    for (int m = 0; m < 400; m++, count++) {
        double z = b->dim == 3 ? 1 - (2*m + 1)/400.0 : 0, r = sqrt(1 - z*z);
        double a = b->dim == 3 ? m*PI*(3 - sqrt(5)) : 2*PI*m/400;
        double p[3] = {r*cos(a), r*sin(a), z};
        for (int d = 0; d < 3; d++) b->skin[3*count + d] = b->center[d] + b->R*p[d];
    }
    return count;
}

static inline BodyPlan test_body_plan(TestBody* b, int solid)
{
    BodyPlan p = {.solid = solid,
                  .mass = b->density*test_body_volume(b),
                  .volume = test_body_volume(b),
                  .is_round = !b->is_box,
                  .fixed = b->fixed,
                  .thickness = b->is_wire ? 2*b->R : 0};
    snprintf(p.name, sizeof p.name, "body %d", solid + 1);
    memcpy(p.center, b->center, sizeof p.center);
    memcpy(p.velocity, b->velocity, sizeof p.velocity), memcpy(p.spin, b->spin, sizeof p.spin);
    for (int d = 0; d < 3; d++) {
        double of_ball = b->dim == 3 ? 0.4*b->R*b->R : 0.5*b->R*b->R, u = b->h[(d + 1)%3], v = b->h[(d + 2)%3];
        p.inertia[d][d] = p.mass*(b->is_box ? (u*u + v*v)/3 : of_ball);
    }
    p.skin_points = test_body_skin(b), p.skin = b->skin;
    return p;
}

// The body becomes the last solid of the world; no engine moves it yet. Its index.
static inline int test_body_solid(Sim* sim, TestBody* body)
{
    Solids* s = &sim->world.solids;
    s->solid = realloc(s->solid, sizeof *s->solid*(size_t)(s->count + 1));
    assert_non_null(s->solid);
    body->dim = sim->model.tank.dim;
    s->solid[s->count] = (Solid){.distance = test_body_distance,
                                 .shape = body,
                                 .moving = true,
                                 .pivot = {body->center[0], body->center[1], body->center[2]},
                                 .reach = body->is_box ? vec_norm(body->h) : body->R,
                                 .contact_angle = {body->angle, body->receding > 0 ? body->receding : body->angle},
                                 .pose = pose_at((double[3]){0, 0, 0}, (double[3]){0, 0, 0})};
    return s->count++;
}

// The bodies become solids of the world and move in. They must outlive the simulation; free with test_bodies_free.
static inline void test_bodies_add(Sim* sim, TestBody* body, int count)
{
    BodyPlan* plan = calloc((size_t)count, sizeof *plan);
    assert_non_null(plan);
    for (int m = 0; m < count; m++) {
        int solid = test_body_solid(sim, &body[m]);
        plan[m] = test_body_plan(&body[m], solid);
    }
    Rigid rigid;
    CHECK_OK(rigid_free_start(&rigid, &sim->model.tank, plan, count));
    CHECK_OK(rigid_partner_add(&sim->world, &rigid));
    free(plan);
}

static inline void test_bodies_free(TestBody* body, int count)
{
    for (int m = 0; m < count; m++) free(body[m].skin), body[m].skin = NULL;
}

static inline const RigidBody* test_body(const Sim* sim, int m) { return &rigid_partner_of(&sim->world)->rigid.body[m]; }

static inline void test_body_twist(double twist[TWIST], const Sim* sim, int m)
{
    const Rigid* r = &rigid_partner_of(&sim->world)->rigid;
    rigid_twist(twist, r, m, r->v);
}

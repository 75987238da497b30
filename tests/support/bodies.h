// Bodies without liquid: plans of simple ones, and steps in which nothing but the engine acts.
#pragma once
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/vec.h"
#include "check.h"
#include "rigid/body_plan.h"

// A box of n cells; open: without walls.
static inline Tank bodies_tank(int dim, double dx, int n, bool open)
{
    Tank t = {.dim = dim, .dx = dx, .n = {n, n, dim == 3 ? n : 1}};
    for (int s = 0; s < 6; s++) t.side[s] = open ? SIDE_IS_OPEN : SIDE_IS_WALL;
    return t;
}

static const double BODIES_UPRIGHT[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

// A form, its 8 (2D: 4) corners as a skin, and the plan that uses them: a box of half edges h and density rho.
typedef struct BoxBody {
    BodyForm form;
    double skin[24];
    BodyPlan plan;
} BoxBody;

static inline void bodies_box(BoxBody* out, int dim, const double center[3], const double h[3], double rho)
{
    *out = (BoxBody){.form = {.kind = FORM_BOX}, .plan = {.name = "box", .solid = -1, .forms = 1}};
    double m = rho*4*h[0]*h[1]*(dim == 3 ? 2*h[2] : 1), s[3];
    for (int d = 0; d < 3; d++) s[d] = d < dim ? h[d]*h[d]/3 : 0;
    for (int d = 0; d < 3; d++) {
        out->form.center[d] = out->plan.center[d] = center[d];
        out->form.size[d] = d < dim ? h[d] : 0, out->form.rotation[d][d] = 1;
        out->plan.inertia[d][d] = m*(s[(d + 1)%3] + s[(d + 2)%3]);
    }
    int corners = dim == 3 ? 8 : 4;
    for (int c = 0; c < corners; c++)
        for (int d = 0; d < dim; d++) out->skin[3*c + d] = center[d] + (c >> d & 1 ? h[d] : -h[d]);
    out->plan.mass = m, out->plan.form = &out->form, out->plan.skin = out->skin, out->plan.skin_points = corners;
}

// The same as a ball of radius R; its skin is where it meets walls along the axes.
static inline void bodies_ball(BoxBody* out, int dim, const double center[3], double R, double rho)
{
    bodies_box(out, dim, center, (double[3]){R, R, R}, 1);
    double m = rho*(dim == 3 ? 4*PI/3*R*R*R : PI*R*R), inertia = m*R*R*(dim == 3 ? 0.4 : 0.5);
    out->form.kind = FORM_BALL, out->plan.mass = m, out->plan.is_round = true;
    memset(out->skin, 0, sizeof out->skin);
    for (int c = 0; c < 2*dim; c++) {
        memcpy(out->skin + 3*c, center, sizeof *center*3);
        out->skin[3*c + c/2] += c%2 ? R : -R;
    }
    out->plan.skin_points = 2*dim;
    for (int d = 0; d < 3; d++) out->plan.inertia[d][d] = inertia;
}

// One step of dt: the engine's own forces and contacts, found by rounds of the active set; then along the new velocities. How
// many rounds it took.
static inline int bodies_step(Rigid* r, const double a[3], double time, double dt)
{
    size_t n = (size_t)r->nv;
    double *M = malloc(sizeof *M*n*n), *v = malloc(sizeof *v*n);
    bool changed;
    int rounds = 0;
    CHECK_OK(r->engine->begin(r, &(RigidStep){.time = time, .dt = dt, .acceleration = {a[0], a[1], a[2]}}));
    CHECK_OK(r->engine->contacts(&changed, r, NULL));
    for (changed = true; changed && rounds < 30; rounds++) {
        memcpy(M, r->inertia, sizeof *M*n*n), memcpy(v, r->impulse, sizeof *v*n);
        CHECK_TRUE(dense_cholesky(M, r->nv));
        dense_solve(v, M, r->nv);
        CHECK_OK(r->engine->contacts(&changed, r, v));
    }
    assert_false(changed);
    memcpy(r->v, v, sizeof *v*n);
    free(M), free(v);
    CHECK_OK(r->engine->move(r, dt));
    CHECK_TRUE(rigid_is_valid(r));
    return rounds;
}

static inline double bodies_energy(const Rigid* r, const double a[3])
{
    static const double low[3];
    return r->engine->energy(r, a, low);
}

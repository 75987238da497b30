// Bodies on a pool whose surface is a membrane: dx = rho = sigma = 1, gravity by the capillary length, g = 1/l^2. Motion dies out
// by a friction that acts on all velocities alike, so that what comes to rest is where forces balance.
#pragma once
#include "body.h"
#include "membrane/makers.h"
#include "membrane/membrane_flow.h"
#include "membrane/remesh.h"

enum { POOL_BODIES = 2 };

typedef struct MembranePool {
    int dim;
    double width, depth, above, across;  // cells; across: along z, 3D
    double l;                            // capillary length
    double edge;                         // of the mesh
    double steps;                        // capillary steps per step
    double friction;                     // 1/s
    TestBody body[POOL_BODIES];          // centres from the middle of the level surface on
    int bodies;
    void (*lead)(Solids* s, double time, double dt);  // moves solids by a script; NULL: bodies are free
    // while it runs
    double level, time, middle[3];
    MembraneFlow flow;
    MembraneSettings settings;
    MembraneBodies view;
    Solids solids;
    Rigid rigid;
    Tank tank;
    Follower follower[POOL_BODIES];
    bool is_round[POOL_BODIES];
    double edges[POOL_BODIES];
    double acceleration[3];
    double wrench[POOL_BODIES][TWIST];
    Arena arena;
    MembraneStep report;
    int most_iterations, most_rounds;
    double deepest;
} MembranePool;

static inline mn_status pool_remesh(MembraneMesh* m, Arena* arena, void* user)
{
    (void)arena, (void)user;
    TRY(membrane_remesh(m, 3, NULL));
    membrane_restore_volume(m, 0.02);
    return MN_OK;
}

static inline void pool_lead_solids(MembranePool* p)
{
    for (int b = 0; b < p->rigid.bodies; b++) {
        const RigidBody* body = &p->rigid.body[b];
        Solid* s = &p->solids.solid[b];
        double twist[TWIST];
        rigid_twist(twist, &p->rigid, b, p->rigid.v);
        memcpy(s->pose.rotation, body->rotation, sizeof body->rotation);
        for (int d = 0; d < 3; d++) {
            s->pose.position[d] = body->center[d] - s->pivot[d];
            s->velocity[d] = twist[d], s->spin[d] = twist[3 + d];
        }
        p->follower[b] = body->follower, p->is_round[b] = body->is_round;
    }
}

static inline mn_status pool_move(void* user, double dt)
{
    MembranePool* p = user;
    TRY(p->rigid.engine->move(&p->rigid, dt));
    pool_lead_solids(p);
    return MN_OK;
}

static inline mn_status pool_begin(void* user, double dt)
{
    MembranePool* p = user;
    RigidStep step = {.time = p->time + dt, .dt = dt};
    memcpy(step.acceleration, p->acceleration, sizeof step.acceleration);
    return p->rigid.engine->begin(&p->rigid, &step);
}

static inline mn_status pool_contacts(bool* changed, void* user, const double* v_new)
{
    MembranePool* p = user;
    return p->rigid.engine->contacts(changed, &p->rigid, v_new);
}

static inline void pool_add_bodies(MembranePool* p)
{
    BodyPlan plan[POOL_BODIES];
    p->solids.solid = calloc(POOL_BODIES, sizeof *p->solids.solid), p->solids.count = p->bodies;
    assert_non_null(p->solids.solid);
    for (int m = 0; m < p->bodies; m++) {
        TestBody* b = &p->body[m];
        b->dim = p->dim;
        for (int d = 0; d < p->dim; d++) b->center[d] += p->middle[d];
        p->solids.solid[m] = (Solid){.distance = test_body_distance,
                                     .shape = b,
                                     .moving = true,
                                     .pivot = {b->center[0], b->center[1], b->center[2]},
                                     .reach = b->is_box ? vec_norm(b->h) : b->R,
                                     .body = p->lead ? 0 : m + 1,
                                     .pose = pose_at((double[3]){0, 0, 0}, (double[3]){0, 0, 0})};
        plan[m] = test_body_plan(b, m);
        if (!(p->edges[m] > 0)) p->edges[m] = p->edge;
    }
    p->view = (MembraneBodies){.solids = &p->solids, .edge = p->edges, .far_edge = p->edge, .wrench = p->wrench};
    p->settings.bodies = &p->view;
    if (p->lead) return;
    CHECK_OK(rigid_free_start(&p->rigid, &p->tank, plan, p->bodies));
    pool_lead_solids(p);
    p->view.nv = p->rigid.nv, p->view.v = p->rigid.v, p->view.inertia = p->rigid.inertia, p->view.impulse = p->rigid.impulse;
    p->view.follower = p->follower, p->view.is_round = p->is_round;
    p->view.move = pool_move, p->view.begin = pool_begin, p->view.contacts = pool_contacts, p->view.user = p;
}

static inline void pool_start(MembranePool* p)
{
    double high[3] = {p->width, p->depth + p->above, p->across};
    p->tank = (Tank){.dim = p->dim, .dx = 1, .n = {1, 1, 1}};
    for (int d = 0; d < p->dim; d++) p->tank.n[d] = (int)lround(high[d]);
    for (int s = 0; s < 6; s++) p->tank.side[s] = SIDE_IS_WALL;
    int up = p->dim - 1;  // pools are level across the last axis
    if (p->dim == 3) p->tank.n[1] = (int)lround(p->across), p->tank.n[2] = (int)lround(p->depth + p->above);
    p->level = p->depth + 0.137;
    MembraneMesh m = {.dim = p->dim};
    for (int d = 0; d < p->dim; d++) m.high[d] = p->tank.n[d], p->middle[d] = d == up ? p->level : 0.5*p->tank.n[d] + 0.21;
    CHECK_OK(membrane_add_pool(&m, p->level, p->edge));
    CHECK_OK(membrane_flow_init(&p->flow, &m, &p->tank));
    p->settings = (MembraneSettings){.remesh = pool_remesh,
                                     .rho = 1,
                                     .sigma = 1,
                                     .thickness = 0.05,
                                     .advection = ADVECT_SEMILAGRANGIAN,
                                     .options = {.tolerance = 1e-8, .max_iterations = 200}};
    p->settings.gravity[up] = p->acceleration[up] = -1/(p->l*p->l);
    pool_add_bodies(p);
    for (int turn = 0; turn < 8; turn++) {
        CHECK_OK(membrane_touch_sizes(&p->flow.mesh, &p->view, 1));
        CHECK_OK(membrane_remesh(&p->flow.mesh, 2, NULL));
    }
    CHECK_OK(membrane_flow_rebuild(&p->flow, &p->arena));
}

static inline void pool_end(MembranePool* p)
{
    membrane_flow_free(&p->flow);
    if (!p->lead) rigid_free_all(&p->rigid);
    solids_free(&p->solids);
    test_bodies_free(p->body, p->bodies);
    arena_free(&p->arena);
}

static inline void pool_rub(MembranePool* p, double dt)
{
    double keep = exp(-p->friction*dt);
    for (int d = 0; d < p->dim; d++)
        for (size_t q = 0; q < p->flow.w.count; q++) p->flow.u[d].block[q] *= keep;
    for (int q = 0; q < 3*p->flow.mesh.vertices; q++) p->flow.mesh.v[q] *= keep;
    for (int q = 0; q < p->rigid.nv && !p->lead; q++) p->rigid.v[q] *= keep;
}

static inline double pool_step(MembranePool* p)
{
    arena_reset(&p->arena);
    double dt = membrane_limit(&p->flow, &p->settings, p->steps);
    if (p->lead) p->lead(&p->solids, p->time, dt);
    CHECK_OK(membrane_step(&p->report, &p->flow, &p->settings, dt, &p->arena));
    CHECK_TRUE(p->report.solve.solve.converged);
    CHECK_LESS(p->report.leak, 1e-11);
    p->most_iterations = maxi(p->most_iterations, p->report.solve.solve.iterations);
    p->most_rounds = maxi(p->most_rounds, p->report.solve.rounds);
    p->deepest = fmax(p->deepest, membrane_deepest(&p->flow.mesh, &p->view, 3e-3));
    p->time += dt;
    if (p->friction > 0) pool_rub(p, dt);
    return dt;
}

// Mean height of the surface where it meets the walls.
static inline double pool_far(const MembranePool* p)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < p->flow.mesh.vertices; i++)
        if (p->flow.mesh.flag[i] & MEMBRANE_WALLS) sum += p->flow.mesh.x[3*i + p->dim - 1], count++;
    return sum/count;
}

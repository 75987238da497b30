// Bodies without liquid: what holds for every engine. What only MuJoCo does is in test_mujoco.c.
#include "bodies.h"
#include "rigid/rigid_free.h"
#include "rigid/rigid_mujoco.h"

typedef mn_status (*Starter)(Rigid* r, const Tank* tank, const BodyPlan* plan, int count);

static mn_status start_mujoco(Rigid* r, const Tank* tank, const BodyPlan* plan, int count)
{
    return rigid_mujoco_start(r, tank, plan, count, &(MjcfOptions){0});
}

typedef struct EngineTest {
    void (*test)(Starter start, int dim);
    Starter start;
    int dim;
} EngineTest;

static void run(void** state)
{
    const EngineTest* t = *state;
    if (t->start == start_mujoco && !rigid_mujoco_is_there()) skip();
    t->test(t->start, t->dim);
}

// ---- free motion -----------------------------------------------------------------------------------------------------------

// v = v0 + g t, and x = x0 + v0 t + g dt^2 n (n + 1)/2: the speed at the end of each step is what moves it. A tank of 10 m, one
// of 1 mm.
static void test_falls_freely(Starter start, int dim)
{
    for (int tiny = 0; tiny < 2; tiny++) {
        double L = tiny ? 1e-4 : 1, g[3] = {0.3, -9.81, 0}, dt = 0.01*sqrt(L);
        Tank tank = bodies_tank(dim, L/10, 100, true);
        BoxBody box;
        bodies_box(&box, dim, (double[3]){5*L, 5*L, dim == 3 ? 5*L : 0}, (double[3]){0.5*L, 0.3*L, 0.2*L}, 700);
        box.plan.velocity[0] = 2*sqrt(L), box.plan.spin[2] = 3/sqrt(L);
        Rigid r;
        CHECK_OK(start(&r, &tank, &box.plan, 1));
        double before = bodies_energy(&r, g);
        for (int n = 1; n <= 50; n++) {
            bodies_step(&r, g, n*dt, dt);
            double v[TWIST];
            rigid_twist(v, &r, 0, r.v);
            for (int d = 0; d < 2; d++) {
                double v0 = box.plan.velocity[d], x0 = box.plan.center[d];
                CHECK_WITHIN(v[d], v0 + g[d]*n*dt, 1e-12*sqrt(L));
                CHECK_WITHIN(r.body[0].center[d], x0 + v0*n*dt + g[d]*dt*dt*n*(n + 1)/2, 1e-11*L);
            }
            CHECK_WITHIN(v[5]*sqrt(L), 3, 1e-9);
        }
        CHECK_WITHIN(r.body[0].rotation[1][0], sin(50*dt*3/sqrt(L)), 1e-9);
        // a fall in steps is g dt^2/2 too deep in each of them
        double lost = 50*box.plan.mass*(g[0]*g[0] + g[1]*g[1])*dt*dt/2;
        CHECK_CLOSE(before - bodies_energy(&r, g), lost, 1e-6);
        rigid_free_all(&r);
    }
}

// I dw/dt = -w x I w: angular momentum stays in size and direction, and so does the energy, up to the order of the scheme
// (first): a tenth of the step, a tenth of the error.
static void spin_errors(double out[2], Starter start, double dt)
{
    Tank tank = bodies_tank(3, 0.1, 100, true);
    BoxBody box;
    bodies_box(&box, 3, (double[3]){5, 5, 5}, (double[3]){0.5, 0.3, 0.2}, 700);
    double spin[3] = {0.3, 2, 0.4}, zero[3] = {0}, L0[3], L[3];
    memcpy(box.plan.spin, spin, sizeof spin);
    Rigid r;
    CHECK_OK(start(&r, &tank, &box.plan, 1));
    for (int d = 0; d < 3; d++) L0[d] = box.plan.inertia[d][d]*spin[d];
    double before = bodies_energy(&r, zero);
    for (int n = 0; n*dt < 2 - dt/2; n++) bodies_step(&r, zero, n*dt, dt);
    double twist[TWIST], w[3];
    rigid_twist(twist, &r, 0, r.v);
    double(*R)[3] = r.body[0].rotation;
    for (int d = 0; d < 3; d++) w[d] = box.plan.inertia[d][d]*(R[0][d]*twist[3] + R[1][d]*twist[4] + R[2][d]*twist[5]);
    for (int d = 0; d < 3; d++) L[d] = vec_dot(R[d], w) - L0[d];
    out[0] = vec_norm(L)/vec_norm(L0), out[1] = fabs(bodies_energy(&r, zero)/before - 1);
    CHECK_LESS(vec_norm(twist), 1e-12);  // it stays where it is
    rigid_free_all(&r);
}

static void test_keeps_angular_momentum(Starter start, int dim)
{
    (void)dim;
    double coarse[2], fine[2];
    spin_errors(coarse, start, 0.01), spin_errors(fine, start, 0.001);
    for (int k = 0; k < 2; k++) {
        CHECK_LESS(coarse[k], 0.05);
        CHECK_LESS(fine[k], 0.12*coarse[k] + 1e-12);  // with MuJoCo the energy is exact
    }
}

// Where bodies go in a short time is what their Jacobian says: centre by the first rows, R by dR = [w] R dt.
static void test_jacobian_is_the_motion(Starter start, int dim)
{
    Tank tank = bodies_tank(dim, 0.1, 100, true);
    BoxBody box[2];
    bodies_box(&box[0], dim, (double[3]){2, 5, dim == 3 ? 5 : 0}, (double[3]){0.5, 0.3, 0.2}, 700);
    bodies_box(&box[1], dim, (double[3]){7, 5, dim == 3 ? 5 : 0}, (double[3]){0.2, 0.3, 0.2}, 700);
    BodyPlan plan[2] = {box[0].plan, box[1].plan};
    plan[1].fixed = dim == 3 ? FIXED_Y | FIXED_TURN_X : FIXED_Y;
    Rigid r;
    CHECK_OK(start(&r, &tank, plan, 2));
    for (int k = 0; k < r.nv; k++) r.v[k] = 0.3 + 0.1*k*k - 0.2*k;
    CHECK_OK(r.engine->move(&r, 0.7));  // somewhere, turned
    RigidBody before[2] = {r.body[0], r.body[1]};
    double twist[2][TWIST], h = 1e-7;
    for (int b = 0; b < 2; b++) rigid_twist(twist[b], &r, b, r.v);
    CHECK_OK(r.engine->move(&r, h));
    CHECK_WITHIN(twist[1][1], 0, 1e-15);
    for (int b = 0; b < 2; b++)
        for (int d = 0; d < 3; d++) {
            CHECK_WITHIN((r.body[b].center[d] - before[b].center[d])/h, twist[b][d], 1e-6);
            for (int k = 0; k < 3; k++) {
                double column[3] = {before[b].rotation[0][k], before[b].rotation[1][k], before[b].rotation[2][k]}, rate[3];
                vec_cross(rate, twist[b] + 3, column);
                CHECK_WITHIN((r.body[b].rotation[d][k] - before[b].rotation[d][k])/h, rate[d], 1e-5);
            }
        }
    rigid_free_all(&r);
}

// ---- walls -----------------------------------------------------------------------------------------------------------------

// A box let go above the floor comes to rest half a cell above it and stays; the floor gives it no energy. Bodies of 1 m and of
// 0.1 mm, light as foam and heavy as steel, in steps in which they fall up to a cell.
static void test_rests_on_the_floor(Starter start, int dim)
{
    for (int k = 0; k < 4; k++) {
        double L = k%2 ? 1e-4 : 1, g[3] = {0, -9.81, 0}, dx = L/5, dt = 0.02*sqrt(L);
        Tank tank = bodies_tank(dim, dx, 20, false);
        BoxBody box;
        bodies_box(&box, dim, (double[3]){2*L, L, dim == 3 ? 2*L : 0}, (double[3]){0.5*L, 0.3*L, 0.5*L},
                   k < 2 ? 8000 : 10);
        Rigid r;
        CHECK_OK(start(&r, &tank, &box.plan, 1));
        double most = bodies_energy(&r, g);
        for (int n = 0; n < 200; n++) {
            bodies_step(&r, g, n*dt, dt);
            double now = bodies_energy(&r, g);
            CHECK_LESS(now, most + 1e-6*box.plan.mass*9.81*L);
            most = now;
            CHECK_LESS(0.3*L + 0.499*dx, r.body[0].center[1]);
        }
        CHECK_WITHIN(r.body[0].center[1], 0.3*L + 0.5*dx, 0.002*dx);
        CHECK_WITHIN(r.body[0].center[0], 2*L, 1e-6*L);
        CHECK_TRUE(r.engine->touching(&r, 0) > 0);
        double twist[TWIST];
        rigid_twist(twist, &r, 0, r.v);
        for (int d = 0; d < 3; d++) {
            CHECK_WITHIN(twist[d], 0, 1e-4*sqrt(L));
            CHECK_WITHIN(twist[3 + d], 0, 1e-4/sqrt(L));
        }
        rigid_free_all(&r);
    }
}

// A ball thrown at a wall at 2 cells a step never gets through the margin, and does not come back faster than it is put back out
// of it.
static void test_stops_at_a_wall(Starter start, int dim)
{
    Tank tank = bodies_tank(dim, 0.1, 30, false);
    BoxBody ball;
    double zero[3] = {0}, dt = 0.01, push[3] = {30, 0, 0};
    bodies_ball(&ball, dim, (double[3]){1, 1.5, dim == 3 ? 1.5 : 0}, 0.4, 300);
    ball.plan.velocity[0] = 20;
    Rigid r;
    CHECK_OK(start(&r, &tank, &ball.plan, 1));
    for (int n = 0; n < 100; n++) {
        bodies_step(&r, n < 50 ? push : zero, n*dt, dt);
        CHECK_LESS(r.body[0].center[0], 2.55 + 1e-4);
        CHECK_LESS(-0.01, r.v[0]);
    }
    CHECK_WITHIN(r.body[0].center[0], 2.55, 1e-3);
    rigid_free_all(&r);
}

// ---- state -----------------------------------------------------------------------------------------------------------------

static uint64_t hash_of(Rigid* r)
{
    StateHash h = state_hash_begin();
    CHECK_OK(rigid_visit(r, &h.visitor));
    return h.value;
}

// Back to a copy, and the same steps give the same bits, contacts and all.
static void test_state_is_all(Starter start, int dim)
{
    Tank tank = bodies_tank(dim, 0.1, 20, false);
    BoxBody box;
    double g[3] = {1, -9.81, 0}, dt = 0.01;
    bodies_box(&box, dim, (double[3]){1, 0.7, dim == 3 ? 1 : 0}, (double[3]){0.3, 0.4, 0.2}, 500);
    box.plan.spin[2] = 2;
    Rigid r;
    CHECK_OK(start(&r, &tank, &box.plan, 1));
    for (int n = 0; n < 20; n++) bodies_step(&r, g, n*dt, dt);
    Arena arena = {0};
    StateCopy* copy = state_copy_begin(&arena);
    CHECK_OK(rigid_visit(&r, state_copy_saver(copy)));
    uint64_t before = hash_of(&r), after = 0;
    for (int again = 0; again < 2; again++) {
        for (int n = 20; n < 60; n++) bodies_step(&r, g, n*dt, dt);
        if (again) assert_true(hash_of(&r) == after);
        after = hash_of(&r);
        assert_true(after != before);
        CHECK_OK(rigid_visit(&r, state_copy_restorer(copy)));
        assert_true(hash_of(&r) == before);
    }
    arena_free(&arena);
    rigid_free_all(&r);
}

// A build without MuJoCo says what is missing.
static void test_absent_is_said(void** state)
{
    (void)state;
    if (rigid_mujoco_is_there()) skip();
    Rigid r;
    Tank tank = bodies_tank(2, 0.1, 10, true);
    BoxBody box;
    bodies_box(&box, 2, (double[3]){0.5, 0.5, 0}, (double[3]){0.1, 0.1, 0}, 500);
    assert_int_equal(start_mujoco(&r, &tank, &box.plan, 1), MN_UNSUPPORTED);
    assert_non_null(strstr(mn_last_error(), "libmujoco-dev"));
}

#define BOTH(test) FREE(test, 2), FREE(test, 3), MUJOCO(test, 2), MUJOCO(test, 3)
#define FREE(test, dim)                                                                                                          \
    {                                                                                                                            \
#test " free " #dim "D", run, NULL, NULL, &(EngineTest) { test, rigid_free_start, dim }                                  \
    }
#define MUJOCO(test, dim)                                                                                                        \
    {                                                                                                                            \
#test " MuJoCo " #dim "D", run, NULL, NULL, &(EngineTest) { test, start_mujoco, dim }                                    \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(test_falls_freely),           FREE(test_keeps_angular_momentum, 3),  MUJOCO(test_keeps_angular_momentum, 3),
        BOTH(test_jacobian_is_the_motion), BOTH(test_rests_on_the_floor),         BOTH(test_stops_at_a_wall),
        BOTH(test_state_is_all),           cmocka_unit_test(test_absent_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

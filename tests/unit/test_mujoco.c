// Joints, springs, drives and contacts: our use of MuJoCo against MuJoCo's own steps, and against formulas. Without liquid.
#include <threads.h>
#include "bodies.h"
#include "folder.h"
#include "rigid/rigid_mujoco_private.h"

static const double DOWN[3] = {0, -9.81, 0};

static void start(Rigid* r, const Tank* tank, const char* mjcf, MjcfOptions o)
{
    write_text("model.xml", mjcf);
    o.file = in("model.xml");
    CHECK_OK(rigid_mujoco_start(r, tank, NULL, 0, &o));
}

// MuJoCo alone: Euler steps, gravity along y, the solver run to its end.
static mjModel* alone(const char* mjcf, double dt)
{
    char error[500];
    write_text("alone.xml", mjcf);
    mjModel* m = mj_loadXML(in("alone.xml"), NULL, error, sizeof error);
    if (!m) print_error("%s\n", error);
    assert_non_null(m);
    m->opt.timestep = dt, m->opt.iterations = 200, m->opt.tolerance = 1e-14;
    m->opt.cone = mjCONE_PYRAMIDAL, m->opt.jacobian = mjJAC_DENSE, m->opt.solver = mjSOL_NEWTON;
    mju_copy3(m->opt.gravity, DOWN);
    return m;
}

static mjData* data_of(const Rigid* r) { return ((MujocoEngine*)r->self)->d; }

// ---- joints ----------------------------------------------------------------------------------------------------------------

static const char PAIR[] =
    "<mujoco><worldbody><body name='upper' pos='0.5 0.8 0'><joint name='a' type='hinge' axis='0 0 1' damping='%s'/>"
    "<geom type='capsule' fromto='0 0 0 0.2 0.05 0' size='0.02' density='900'/>"
    "<body name='lower' pos='0.2 0.05 0'><joint name='b' type='hinge' axis='0 0 1' stiffness='%s' springref='40'/>"
    "<geom type='box' pos='0.1 0 0' size='0.1 0.01 0.03' density='2000'/>"
    "</body></body></worldbody></mujoco>";

// Two rods on hinges in air, as MuJoCo swings them: the same scheme, so the same numbers, with damping (implicit in both) and
// without.
static void test_hinge_pair_swings_as_in_mujoco(void** state)
{
    (void)state;
    const char* const damping[] = {"0", "0.02"};
    for (int k = 0; k < 2; k++) {
        char text[1000];
        double dt = 1e-3;
        snprintf(text, sizeof text, PAIR, damping[k], "0");
        mjModel* m = alone(text, dt);
        mjData* d = mj_makeData(m);
        Rigid r;
        Tank tank = bodies_tank(2, 0.1, 10, true);
        start(&r, &tank, text, (MjcfOptions){0});
        assert_int_equal(r.bodies, 2);
        assert_int_equal(r.nv, 2);
        for (int n = 0; n < 1000; n++) {
            mj_step(m, d);
            bodies_step(&r, DOWN, n*dt, dt);
        }
        mj_forward(m, d);
        for (int b = 0; b < 2; b++) {
            CHECK_WITHIN(r.v[b], d->qvel[b], 1e-10);
            for (int c = 0; c < 3; c++) CHECK_WITHIN(r.body[b].center[c], d->xipos[3*(b + 1) + c], 1e-10);
        }
        mj_deleteData(d), mj_deleteModel(m);
        rigid_free_all(&r);
    }
}

// A free body that tumbles, as MuJoCo has it: the same scheme.
static void test_spins_as_in_mujoco(void** state)
{
    (void)state;
    static const char text[] = "<mujoco><worldbody><body pos='0.5 0.5 0.5'><freejoint/>"
                               "<geom type='box' size='0.05 0.03 0.02' density='700'/></body></worldbody></mujoco>";
    double dt = 1e-3;
    mjModel* m = alone(text, dt);
    mjData* d = mj_makeData(m);
    Rigid r;
    Tank tank = bodies_tank(3, 0.1, 10, true);
    start(&r, &tank, text, (MjcfOptions){0});
    for (int a = 0; a < 6; a++) d->qvel[a] = r.v[a] = 0.1 + 0.4*a;
    for (int n = 0; n < 1000; n++) {
        mj_step(m, d);
        bodies_step(&r, DOWN, n*dt, dt);
    }
    mj_forward(m, d);
    for (int a = 0; a < 6; a++) CHECK_WITHIN(r.v[a], d->qvel[a], 1e-10);
    for (int c = 0; c < 9; c++) CHECK_WITHIN(r.body[0].rotation[c/3][c%3], d->xmat[9 + c], 1e-10);
    mj_deleteData(d), mj_deleteModel(m);
    rigid_free_all(&r);
}

// Angle of a rod on a spring after t, by steps of dt: by us, where the spring is implicit, and by MuJoCo, where it is not.
static void spring_angles(double out[2], double dt, double t)
{
    char text[1000];
    snprintf(text, sizeof text, PAIR, "0", "3");
    mjModel* m = alone(text, dt);
    mjData* d = mj_makeData(m);
    Rigid r;
    Tank tank = bodies_tank(2, 0.1, 10, true);
    start(&r, &tank, text, (MjcfOptions){0});
    for (int n = 0; n*dt < t - dt/2; n++) {
        mj_step(m, d);
        bodies_step(&r, DOWN, n*dt, dt);
    }
    out[0] = data_of(&r)->qpos[1], out[1] = d->qpos[1];
    mj_deleteData(d), mj_deleteModel(m);
    rigid_free_all(&r);
}

// Two schemes, one motion: their difference goes as dt^2 (the implicit part is dt^2 K), both go to the same.
static void test_springs_converge_to_mujocos(void** state)
{
    (void)state;
    double coarse[2], fine[2];
    spring_angles(coarse, 2e-3, 0.5), spring_angles(fine, 1e-3, 0.5);
    CHECK_LESS(fabs(coarse[0] - coarse[1]), 0.02);
    CHECK_LESS(fabs(fine[0] - fine[1]), 0.3*fabs(coarse[0] - coarse[1]));
}

// A mass on a spring far too stiff for the step (w = omega dt = 20): x'' = -w^2/(1 + w^2) x per step, a swing of cos(theta) = 1 -
// w^2/(2 (1 + w^2)), which neither grows nor dies.
static void test_stiff_springs_are_stable(void** state)
{
    (void)state;
    Rigid r;
    Tank tank = bodies_tank(3, 0.1, 10, true);
    start(&r, &tank,
          "<mujoco><worldbody><body pos='0.5 0.5 0.5'><joint type='slide' axis='1 0 0' stiffness='40000' springref='0.01'/>"
          "<geom type='sphere' size='0.05' mass='1'/></body></worldbody></mujoco>",
          (MjcfOptions){0});
    double dt = 0.1, zero[3] = {0}, w2 = 40000*dt*dt, theta = acos(1 - w2/(2*(1 + w2)));
    for (int n = 1; n <= 2000; n++) {
        bodies_step(&r, zero, n*dt, dt);
        double wave = cos((n + 0.5)*theta)/cos(0.5*theta);  // starts with v = 0
        CHECK_WITHIN(r.body[0].center[0], 0.51 - 0.01*wave, 1e-6);
    }
    rigid_free_all(&r);
}

// A pendulum keeps its energy to the order of the scheme, and stops at the limit of its joint.
static void test_pendulum_energy_and_limit(void** state)
{
    (void)state;
    double drift[2];
    Tank tank = bodies_tank(3, 0.1, 10, true);
    for (int k = 0; k < 2; k++) {
        Rigid r;
        double dt = k ? 2.5e-4 : 1e-3, lowest = 0;
        start(&r, &tank,
              "<mujoco><worldbody><body pos='0.5 0.5 0.5'><joint type='hinge' axis='0 0 1'/>"
              "<geom type='box' pos='0.2 0 0' size='0.2 0.02 0.05' density='500'/></body></worldbody></mujoco>",
              (MjcfOptions){0});
        double before = bodies_energy(&r, DOWN);
        for (int n = 0; n*dt < 2; n++) {
            bodies_step(&r, DOWN, n*dt, dt);
            lowest = fmax(lowest, fabs(bodies_energy(&r, DOWN) - before));
        }
        drift[k] = lowest/(r.body[0].mass*9.81*0.2);
        rigid_free_all(&r);
    }
    CHECK_LESS(drift[0], 0.01);
    CHECK_LESS(drift[1], 0.3*drift[0]);
    Rigid r;
    start(&r, &tank,
          "<mujoco><worldbody><body pos='0.5 0.5 0.5'><joint type='hinge' axis='0 0 1' limited='true' range='-30 30'/>"
          "<geom type='box' pos='0.2 0 0' size='0.2 0.02 0.05' density='500'/></body></worldbody></mujoco>",
          (MjcfOptions){0});
    for (int n = 0; n < 2000; n++) bodies_step(&r, DOWN, n*1e-3, 1e-3);
    CHECK_WITHIN(data_of(&r)->qpos[0], -PI/6, 0.02);
    CHECK_WITHIN(r.v[0], 0, 1e-6);
    rigid_free_all(&r);
}

// ---- drives and actuators --------------------------------------------------------------------------------------------------

static mn_status swing(double* value, void* user, int which, double t)
{
    (void)which;
    *value = 0.5*sin(*(double*)user*t);
    return MN_OK;
}

// A driven pendulum is where it is told to be; the drive's work is the energy the whole thing gains, in a chain of which only one
// joint is driven.
static void test_drive_moves_and_works(void** state)
{
    (void)state;
    char text[1000];
    double omega = 6, errors[2];
    snprintf(text, sizeof text, PAIR, "0", "0");
    for (int k = 0; k < 2; k++) {
        Rigid r;
        Tank tank = bodies_tank(2, 0.1, 10, true);
        MjcfDrive drive = {"a", false};
        start(&r, &tank, text, (MjcfOptions){.drive = &drive, .drives = 1, .driven = swing, .user = &omega});
        double dt = k ? 2.5e-4 : 1e-3, sum = 0, before = bodies_energy(&r, DOWN);
        for (int n = 0; n*dt < 1.3 - dt/2; n++) {
            bodies_step(&r, DOWN, n*dt, dt);
            sum += r.engine->work(&r, r.v);
            CHECK_WITHIN(data_of(&r)->qpos[0], 0.5*sin(omega*(n + 1)*dt), 1e-8);
        }
        double gained = bodies_energy(&r, DOWN) - before;
        CHECK_LESS(0.05, fabs(gained));
        errors[k] = fabs(sum/gained - 1);
        rigid_free_all(&r);
    }
    CHECK_LESS(errors[0], 0.1);
    CHECK_LESS(errors[1], 0.3*errors[0]);
}

static mn_status steady(double* value, void* user, int which, double t)
{
    (void)t;
    *value = ((double*)user)[which];
    return MN_OK;
}

// A torque turns a disc at torque/inertia; a servo 1e4 times too stiff for the step goes where it is told; a filtered actuator's
// activation survives a step. Work of all is the energy gained.
static void test_actuators_act(void** state)
{
    (void)state;
    static const char text[] = "<mujoco><worldbody><body pos='0.3 0.5 0.5'><joint name='a' type='hinge' axis='0 0 1'/>"
                               "<geom type='cylinder' size='0.1 0.05' mass='2'/></body>"
                               "<body pos='0.7 0.5 0.5'><joint name='b' type='hinge' axis='0 0 1' damping='20000'/><geom "
                               "type='cylinder' size='0.1 0.05' mass='2'/></body>"
                               "<body pos='0.5 0.2 0.5'><joint name='c' type='slide' axis='1 0 0'/><geom type='sphere' "
                               "size='0.1' mass='2'/></body></worldbody>"
                               "<actuator><motor name='turn' joint='a'/><position name='hold' joint='b' kp='1000000'/>"
                               "<general name='slow' joint='c' dyntype='filter' dynprm='0.1' gainprm='1'/></actuator></mujoco>";
    double control[3] = {0.03, 0.4, 1}, zero[3] = {0}, dt = 0.01, sum = 0;
    Rigid r;
    Tank tank = bodies_tank(3, 0.1, 10, true);
    start(&r, &tank, text, (MjcfOptions){.control = steady, .user = control});
    for (int n = 0; n < 100; n++) {
        bodies_step(&r, zero, n*dt, dt);
        sum += r.engine->work(&r, r.v);
    }
    CHECK_CLOSE(r.v[0], 0.03/0.01, 1e-9);
    CHECK_WITHIN(data_of(&r)->qpos[1], 0.4, 1e-3);
    CHECK_CLOSE(data_of(&r)->act[0], 1 - pow(1 - dt/0.1, 100), 1e-9);
    Arena arena = {0};
    StateCopy* copy = state_copy_begin(&arena);
    CHECK_OK(rigid_visit(&r, state_copy_saver(copy)));
    double first[2];
    for (int again = 0; again < 2; again++) {
        for (int n = 0; n < 10; n++) bodies_step(&r, zero, n*dt, dt);
        first[again] = r.v[2];
        CHECK_OK(rigid_visit(&r, state_copy_restorer(copy)));
    }
    assert_true(first[0] == first[1]);
    arena_free(&arena);
    rigid_free_all(&r);
}

// ---- contacts --------------------------------------------------------------------------------------------------------------

// Five boxes, balls and capsules fall on a floor and on each other, with friction, dry friction of a hinge, a limit and an
// equality. At every step our active set and MuJoCo's solver find the same velocities from the same places.
static void test_active_set_is_mujocos_solution(void** state)
{
    (void)state;
    static const char text[] =
        "<mujoco><option timestep='0.002'/><default><geom friction='0.6' solref='0.01 1'/></default><worldbody>"
        "<geom type='plane' size='5 5 1' zaxis='0 1 0'/>"
        "<body pos='0 0.12 0'><freejoint/><geom type='box' size='0.1 0.1 0.1' density='700'/></body>"
        "<body pos='0.05 0.36 0.02'><freejoint/><geom type='box' size='0.12 0.1 0.08' density='300'/></body>"
        "<body pos='0.04 0.6 0.03'><freejoint/><geom type='sphere' size='0.1' density='2000'/></body>"
        "<body pos='-0.3 0.2 0'><freejoint/><geom type='capsule' size='0.05 0.15' density='900'/>"
        "<body pos='0 0 0.2'><joint type='hinge' axis='1 0 0' frictionloss='0.02' limited='true' range='-20 20'/>"
        "<geom type='capsule' size='0.04 0.1' pos='0 0 0.1'/></body></body>"
        "<body name='p' pos='0.5 0.3 0'><freejoint/><geom type='box' size='0.05 0.05 0.05'/></body>"
        "<body name='q' pos='0.62 0.3 0'><freejoint/><geom type='box' size='0.05 0.05 0.05'/></body>"
        "</worldbody><equality><connect body1='p' body2='q' anchor='0.06 0 0'/></equality></mujoco>";
    double dt = 0.002, worst = 0;
    int rows = 0, rounds = 0;
    mjModel* m = alone(text, dt);
    mjData* d = mj_makeData(m);
    Rigid r;
    Tank tank = bodies_tank(3, 0.1, 10, true);
    start(&r, &tank, text, (MjcfOptions){0});
    for (int n = 0; n < 400; n++) {
        mju_copy(d->qpos, data_of(&r)->qpos, m->nq), mju_copy(d->qvel, r.v, m->nv);
        mju_zero(d->qacc_warmstart, m->nv);
        mj_forward(m, d);
        int took = bodies_step(&r, DOWN, n*dt, dt);
        rounds = took > rounds ? took : rounds, rows = d->nefc > rows ? d->nefc : rows;
        for (int a = 0; a < m->nv; a++) worst = fmax(worst, fabs(r.v[a] - d->qvel[a] - dt*d->qacc[a]));
    }
    assert_true(rows >= 30);
    assert_true(rounds <= 6);
    CHECK_LESS(worst, 1e-8);
    mj_deleteData(d), mj_deleteModel(m);
    rigid_free_all(&r);
}

// Bodies that meet keep their momentum, stop on each other half a cell apart however fast they come (here 3 cells a step), and
// win no energy. 1 m and 0.1 mm; balls, boxes, hulls.
static void test_two_bodies_collide(void** state)
{
    (void)state;
    static const double corner[] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1};
    for (int k = 0; k < 12; k++) {
        int dim = k%2 ? 2 : 3, kind = k/2%3;
        double L = k < 6 ? 1 : 1e-4, dx = L/4, dt = 0.01*sqrt(L), zero[3] = {0}, z = dim == 3 ? 4*L : 0, point[24];
        Tank tank = bodies_tank(dim, dx, 32, true);
        BoxBody body[2];
        for (int c = 0; c < 24; c++) point[c] = corner[c]*0.5*L;
        for (int b = 0; b < 2; b++) {
            double at[3] = {b ? 5*L : 2*L, 4*L, z}, h[3] = {0.5*L, 0.5*L, 0.5*L};
            if (kind == 0) bodies_ball(&body[b], dim, at, 0.5*L, b ? 100 : 1000);
            else bodies_box(&body[b], dim, at, h, b ? 100 : 1000);
            if (kind == 2) body[b].form.kind = FORM_HULL, body[b].form.point = point, body[b].form.points = dim == 3 ? 8 : 4;
            body[b].plan.velocity[0] = (b ? -2 : 1)*dx/dt;
        }
        BodyPlan plan[2] = {body[0].plan, body[1].plan};
        Rigid r;
        CHECK_OK(rigid_mujoco_start(&r, &tank, plan, 2, &(MjcfOptions){0}));
        double energy = bodies_energy(&r, zero),
               momentum = plan[0].mass*plan[0].velocity[0] + plan[1].mass*plan[1].velocity[0];
        bool touched = false;
        for (int n = 0; n < 40; n++) {
            bodies_step(&r, zero, n*dt, dt);
            double now = bodies_energy(&r, zero), p = 0, twist[TWIST];
            CHECK_LESS(now, energy*(1 + 1e-3));
            energy = now;
            for (int b = 0; b < 2; b++) rigid_twist(twist, &r, b, r.v), p += plan[b].mass*twist[0];
            CHECK_CLOSE(p, momentum, 1e-9);
            touched = touched || r.engine->touching(&r, 1) > 0;
            double apart = r.body[1].center[0] - r.body[0].center[0];
            CHECK_LESS(L + 0.49*dx, apart);
        }
        assert_true(touched);
        rigid_free_all(&r);
    }
}

// A box that starts on the floor itself, in the margin, goes out of it at a fifth of the speed of a fall from there at most,
// however short the step: its energy would have no bound otherwise when steps are repeated with less time.
static void test_too_near_is_not_thrown(void** state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        double dt = (double[]){1e-2, 1e-4, 1e-7}[k], twist[TWIST];
        Tank tank = bodies_tank(3, 0.1, 20, false);
        BoxBody box;
        bodies_box(&box, 3, (double[3]){1, 0.2, 1}, (double[3]){0.2, 0.2, 0.2}, 500);
        Rigid r;
        CHECK_OK(rigid_mujoco_start(&r, &tank, &box.plan, 1, &(MjcfOptions){0}));
        for (int n = 0; n < 20; n++) {
            bodies_step(&r, DOWN, n*dt, dt);
            rigid_twist(twist, &r, 0, r.v);
            CHECK_LESS(0, twist[1]);
            CHECK_LESS(twist[1], 0.21*sqrt(9.81*0.05));
        }
        rigid_free_all(&r);
    }
}

// On a slope of tan = 0.3 a box with friction 0.5 stays, at 0.8 it slides at g (sin - 0.5 cos). The slope is in gravity.
static void test_friction_holds_and_slides(void** state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        int dim = k < 2 ? 2 : 3;
        double slope = k%2 ? 0.8 : 0.3, n = 9.81/sqrt(1 + slope*slope), a[3] = {n*slope, -n, 0}, dt = 2e-3, twist[TWIST];
        Tank tank = bodies_tank(dim, 0.1, 100, false);
        BoxBody box;
        bodies_box(&box, dim, (double[3]){2, 0.25, dim == 3 ? 5 : 0}, (double[3]){0.5, 0.2, 0.5}, 500);
        Rigid r;
        CHECK_OK(rigid_mujoco_start(&r, &tank, &box.plan, 1, &(MjcfOptions){.friction = 0.5}));
        for (int m = 0; m < 250; m++) bodies_step(&r, a, m*dt, dt);
        rigid_twist(twist, &r, 0, r.v);
        CHECK_WITHIN(twist[0], k%2 ? 0.5*(a[0] - 0.5*n) : 0, 0.02);
        CHECK_WITHIN(r.body[0].center[1], 0.25, 1e-3);
        rigid_free_all(&r);
    }
}

// Twelve boxes, balls and hulls, light and heavy, tumble in a box until they lie, pushed about by forces that nobody foresaw: two
// rounds find the contacts that act, seldom more. Without those forces their energy falls; putting back what is too near adds at
// most 1e-3.
static void test_pile(void** state)
{
    (void)state;
    enum { N = 12 };
    static BoxBody box[N];
    static BodyPlan plan[N];
    static double point[24];
    for (int c = 0; c < 24; c++) point[c] = (c/3 >> c%3 & 1 ? 1 : -1)*(double[]){0.1, 0.06, 0.08}[c%3];
    Tank tank = bodies_tank(3, 0.05, 16, false);
    for (int b = 0; b < N; b++) {
        double at[3] = {0.2 + 0.25*(b%3), 0.15 + 0.25*(b/6), 0.25 + 0.35*(b/3%2)};
        if (b%3 == 0) bodies_ball(&box[b], 3, at, 0.09, b%2 ? 1000 : 50);
        else bodies_box(&box[b], 3, at, point + 21, b%2 ? 1000 : 50);
        if (b%3 == 2) box[b].form.kind = FORM_HULL, box[b].form.point = point, box[b].form.points = 8;
        plan[b] = box[b].plan, plan[b].spin[b%3] = 3, plan[b].velocity[0] = b%5 - 2;
    }
    for (int pushed = 0; pushed < 2; pushed++) {
        Rigid r;
        CHECK_OK(rigid_mujoco_start(&r, &tank, plan, N, &(MjcfOptions){.friction = 0.3, .margin = 0.025}));
        double before = bodies_energy(&r, DOWN), last = before, dt = 0.004, v[6*N], M[36*N*N];
        long all = 0;
        for (int n = 0; n < 250; n++) {
            bool changed = true;
            int rounds = 0;
            CHECK_OK(r.engine->begin(&r, &(RigidStep){.time = n*dt, .dt = dt, .acceleration = {0, -9.81, 0}}));
            CHECK_OK(r.engine->contacts(&changed, &r, NULL));
            for (changed = true; changed && rounds < 20; rounds++) {
                memcpy(M, r.inertia, sizeof M);
                for (int a = 0; a < r.nv; a++)
                    v[a] = r.impulse[a] + (a%6 < 3 ? pushed*30*dt*plan[a/6].mass*sin(7*a + 13*n*n%101) : 0);
                CHECK_TRUE(dense_cholesky(M, r.nv));
                dense_solve(v, M, r.nv);
                CHECK_OK(r.engine->contacts(&changed, &r, v));
            }
            assert_false(changed);
            all += rounds;
            memcpy(r.v, v, sizeof v);
            CHECK_OK(r.engine->move(&r, dt));
            double now = bodies_energy(&r, DOWN);
            if (!pushed) CHECK_LESS(now, last + 1e-3*before);
            last = now;
            for (int b = 0; b < N; b++)
                for (int d = 0; d < 3; d++) {
                    CHECK_LESS(0.06, r.body[b].center[d]);
                    CHECK_LESS(r.body[b].center[d], 0.8 - 0.06);
                }
        }
        CHECK_LESS(all/250.0, pushed ? 2.3 : 1.3);
        rigid_free_all(&r);
    }
}

// A hundred boxes on a floor have more contacts than there was room for.
static void test_room_for_contacts_grows(void** state)
{
    (void)state;
    enum { N = 100 };
    static BoxBody box[N];
    static BodyPlan plan[N];
    Tank tank = bodies_tank(3, 0.05, 80, false);
    for (int b = 0; b < N; b++) {
        bodies_box(&box[b], 3, (double[3]){0.3 + 0.35*(b%10), 0.125, 0.3 + 0.35*(b/10)}, (double[3]){0.1, 0.1, 0.1}, 500);
        plan[b] = box[b].plan;
    }
    Rigid r;
    CHECK_OK(rigid_mujoco_start(&r, &tank, plan, N, &(MjcfOptions){.friction = 0.3}));
    for (int n = 0; n < 3; n++) bodies_step(&r, DOWN, n*1e-3, 1e-3);
    for (int b = 0; b < N; b++) {
        CHECK_WITHIN(r.body[b].center[1], 0.125, 1e-4);
        assert_int_equal(r.engine->touching(&r, b), 4);
    }
    assert_false(access("MUJOCO_LOG.TXT", F_OK) == 0);
    rigid_free_all(&r);
}

// ---- more than one ---------------------------------------------------------------------------------------------------------

static int tumble(void* hash)
{
    Tank tank = bodies_tank(3, 0.1, 20, false);
    BoxBody box[2];
    bodies_box(&box[0], 3, (double[3]){1, 0.7, 1}, (double[3]){0.3, 0.4, 0.2}, 500);
    bodies_ball(&box[1], 3, (double[3]){1.1, 1.4, 1}, 0.2, 900);
    BodyPlan plan[2] = {box[0].plan, box[1].plan};
    plan[0].spin[2] = 2;
    Rigid r;
    CHECK_OK(rigid_mujoco_start(&r, &tank, plan, 2, &(MjcfOptions){.friction = 0.3}));
    for (int n = 0; n < 200; n++) bodies_step(&r, DOWN, n*0.005, 0.005);
    StateHash h = state_hash_begin();
    CHECK_OK(rigid_visit(&r, &h.visitor));
    *(uint64_t*)hash = h.value;
    rigid_free_all(&r);
    return 0;
}

// Simulations share nothing: the same bits alone and beside another.
static void test_two_at_once(void** state)
{
    (void)state;
    uint64_t single, beside, here;
    tumble(&single);
    thrd_t other;
    assert_int_equal(thrd_create(&other, tumble, &beside), thrd_success);
    tumble(&here);
    thrd_join(other, NULL);
    assert_true(single == beside && single == here);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hinge_pair_swings_as_in_mujoco),
        cmocka_unit_test(test_spins_as_in_mujoco),
        cmocka_unit_test(test_springs_converge_to_mujocos),
        cmocka_unit_test(test_stiff_springs_are_stable),
        cmocka_unit_test(test_pendulum_energy_and_limit),
        cmocka_unit_test(test_drive_moves_and_works),
        cmocka_unit_test(test_actuators_act),
        cmocka_unit_test(test_active_set_is_mujocos_solution),
        cmocka_unit_test(test_two_bodies_collide),
        cmocka_unit_test(test_too_near_is_not_thrown),
        cmocka_unit_test(test_friction_holds_and_slides),
        cmocka_unit_test(test_pile),
        cmocka_unit_test(test_room_for_contacts_grows),
        cmocka_unit_test(test_two_at_once),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

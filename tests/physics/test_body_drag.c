// What the liquid's friction does to bodies: momentum, torque and drag in round vessels, light bodies in honey, energy.
#include "body.h"
#include "syrup.h"
#include "vessel.h"
#include "solve/viscous_build.h"

// ---- the viscous solve alone ----------------------------------------------------------------------------------------------

static const double AUDIT_CENTER[2][3] = {{0.47, 0.52, 0.43}, {0.58, 0.44, 0.55}};
static const double AUDIT_RADIUS[2] = {0.13, 0.08};
static int audit_dim;

static double distance_from(const double center[3], const double x[3], double R)
{
    double r[3];
    vec_sub(r, x, center);
    if (audit_dim == 2) r[2] = 0;
    return vec_norm(r) - R;
}

static double audit_drop(const double x[3]) { return distance_from((double[3]){0.5, 0.5, 0.5}, x, 0.31); }

static int audit_body(const void* user, const double x[3])
{
    (void)user;
    double a = distance_from(AUDIT_CENTER[0], x, AUDIT_RADIUS[0]), b = distance_from(AUDIT_CENTER[1], x, AUDIT_RADIUS[1]);
    return a < b ? 0 : 1;
}

static double audit_solid(const double x[3])
{
    return fmin(distance_from(AUDIT_CENTER[0], x, AUDIT_RADIUS[0]), distance_from(AUDIT_CENTER[1], x, AUDIT_RADIUS[1]));
}

static void audit_flow(double u[3], const double x[3])
{
    u[0] = sin(9*x[1]) + x[0]*x[0], u[1] = cos(7*x[0])*x[1] + 0.3,
    u[2] = audit_dim == 3 ? sin(5*x[0] + 8*x[1]) - x[2] : 0;
}

// Momentum and angular momentum about (1/2, 1/2, 1/2) of all faces, also of the wet parts of those inside bodies; energy.
static void audit_liquid(double sum[TWIST + 1], const Syrup* s)
{
    ViscousProblem p;
    Arena arena = {0};
    memset(sum, 0, sizeof *sum*(TWIST + 1));
    CHECK_OK(viscous_build(&p, &arena, &s->in, 1));
    SYRUP_FACES(s, d, i, j, k)
    {
        double x[3], e[3] = {0}, arm[3], turn[3];
        int in_window[3] = {i, j, k}, face[3];
        bool inside = true;
        for (int o = 0; o < 3; o++) {
            face[o] = in_window[o] - p.lo[o];
            inside = inside && face[o] >= 0 && face[o] <= p.grid.n[o];
        }
        if (!inside) continue;
        double m = p.grid.mass[d][viscous_at(&p.grid, face[0], face[1], face[2])]*s->in.rho*window_cell_volume(&s->w);
        double u = s->u[d].v[window_at(&s->w, i, j, k)];
        syrup_face_position(x, s, d, i, j, k);
        for (int o = 0; o < 3; o++) arm[o] = x[o] - 0.5;
        if (audit_dim == 2) arm[2] = 0;
        e[d] = m*u;
        vec_cross(turn, arm, e);
        for (int o = 0; o < 3; o++) sum[o] += e[o], sum[3 + o] += turn[o];
        sum[TWIST] += 0.5*m*u*u;
    }
    arena_free(&arena);
}

// Two bodies, nearly touching, in a free drop: what the liquid loses they get, momentum and angular momentum, to the
// tolerance of the solve, and all together only lose energy. E = sum m u^2/2 + sum (m v^2 + I w^2)/2.
static void audit(int dim, double density, double mu)
{
    Syrup s;
    int n = dim == 3 ? 20 : 40;
    audit_dim = dim;
    syrup_init(&s, syrup_tank(dim, n, n, n, 1.0/n), audit_drop, audit_solid);
    syrup_set(&s, audit_flow);
    s.in.mu = mu, s.tolerance = 1e-12;
    double jacobian[TWIST*TWIST] = {0}, inertia[144] = {0}, v[12], start[12], impulse[12] = {0}, center[2][3], off[TWIST] = {0};
    for (int k = 0; k < TWIST; k++) jacobian[7*k] = 1;
    for (int b = 0; b < 2; b++)
        for (int k = 0; k < TWIST; k++) {
            double R = AUDIT_RADIUS[b], mass = density*(dim == 3 ? 4*PI/3*R*R*R : PI*R*R),
                   of_turn = (dim == 3 ? 0.4 : 0.5)*R*R*mass;
            bool moves = dim == 3 || k < 2 || k == 5;
            inertia[13*(TWIST*b + k)] = k < 3 ? mass : of_turn;
            start[TWIST*b + k] = moves ? (k < 3 ? 0.5*k - b : 4 - 9*b) : 0;
        }
    for (int b = 0; b < 2; b++)
        for (int d = 0; d < 3; d++) center[b][d] = d < dim ? AUDIT_CENTER[b][d] : 0;
    Follower follower[2] = {{0, TWIST, jacobian}, {TWIST, TWIST, jacobian}};
    StickingBodies bodies = {.at = audit_body,
                             .body = follower,
                             .center = (const double(*)[3])center,
                             .bodies = 2,
                             .nv = 12,
                             .inertia = inertia,
                             .v = v,
                             .impulse = impulse};
    memcpy(v, start, sizeof v);
    s.in.bodies = &bodies;
    double before[TWIST + 1], after[TWIST + 1], energy = 0, size = 0;
    audit_liquid(before, &s);
    syrup_solve(&s);
    audit_liquid(after, &s);
    for (int b = 0; b < 2; b++) {
        double arm[3], turn[3];
        for (int d = 0; d < 3; d++) arm[d] = d < dim ? center[b][d] - 0.5 : 0;
        vec_cross(turn, arm, impulse + TWIST*b);
        for (int k = 0; k < TWIST; k++) {
            int m = TWIST*b + k;
            off[k] += impulse[m] + (k < 3 ? 0 : turn[k - 3]), size = fmax(size, fabs(impulse[m]));
            energy += 0.5*inertia[13*m]*(v[m]*v[m] - start[m]*start[m]);
            // the velocity is what the impulse made of it
            CHECK_WITHIN(inertia[13*m]*(v[m] - start[m]), impulse[m], 1e-12 + 1e-9*fabs(impulse[m]));
        }
    }
    for (int k = 0; k < TWIST; k++) {
        off[k] += after[k] - before[k];
        CHECK_LESS(fabs(off[k]), 1e-9*size + 1e-11*before[TWIST]);
    }
    print_message("%dD, density %g, mu %g: %d iterations; missing %.1e %.1e %.1e of %.1e; energy %.3e of %.3e\n", dim, density,
                  mu, s.report.iterations, off[0], off[1], off[5], size, energy + after[TWIST] - before[TWIST], before[TWIST]);
    CHECK_LESS(energy + after[TWIST] - before[TWIST], 0);
    syrup_free(&s);
}

static void test_what_the_liquid_loses(void** state)
{
    (void)state;
    static const double density[] = {1e-3, 1, 1000}, mu[] = {1e-5, 1e-2, 10};
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < 3; m++)
            for (int k = 0; k < 3; k++) audit(dim, density[m], mu[k]);
}

// ---- in round vessels -----------------------------------------------------------------------------------------------------

// A body of radius 1 that is so heavy that it hardly slows down, in a round vessel of radius R, mu = rho = 1, after time t: what
// the liquid pushes with against its motion, per speed (spin: N m s, else N s/m).
static double resistance(int dim, double R, double cells, double stiffness, double t, bool turns)
{
    Sim sim;
    TestBody vessel, body = {.density = 1e7, .R = 1};
    if (turns) body.spin[2] = 1e-3;
    else body.velocity[0] = 0.8e-3, body.velocity[1] = 0.6e-3;
    vessel_init(&sim, &vessel, &body, dim, R, cells, 1);
    sim.model.settings.max_dt = stiffness/(cells*cells);
    CHECK_OK(sim_start(&sim));
    while (sim.world.time < t) {
        CHECK_OK(sim_step(&sim, 1));
        assert_int_equal(sim.report.retries, 0);
    }
    const BodyReport* report = &rigid_partner_of(&sim.world)->report[0];
    double total[TWIST], twist[TWIST];
    test_body_twist(twist, &sim, 0);
    for (int k = 0; k < TWIST; k++) total[k] = report->pressure[k] + report->friction[k];
    double out = turns ? -total[5]/twist[5] : -(0.8*total[0] + 0.6*total[1])/1e-3;
    double aside = turns ? hypot(total[0], total[1])/1e-3 : fabs(0.6*total[0] - 0.8*total[1])/1e-3;
    CHECK_LESS(aside, 0.01*out);
    sim_free(&sim);
    test_bodies_free(&body, 1);
    return out;
}

// Flow between cylinders that turn [taylor1923]: torque 4 pi mu w a^2 b^2/(b^2 - a^2) per depth.
static void test_torque_on_a_disc(void** state)
{
    (void)state;
    double exact = 4*PI*4/(4 - 1);
    for (int m = 0; m < 3; m++) {
        static const double cells[] = {6, 6, 12}, stiffness[] = {0.5, 4, 4};
        double torque = resistance(2, 2, cells[m], stiffness[m], 0.6, true);
        print_message("disc of %g cells, nu dt/dx^2 = %g: torque %.4f, exact %.4f\n", cells[m], stiffness[m], torque, exact);
        CHECK_WITHIN(torque, exact, 0.01*exact);
    }
}

// Torque on a ball that turns within a still one: 8 pi mu w a^3/(1 - (a/b)^3) ([lamb1932], art. 334).
static void test_torque_on_a_ball(void** state)
{
    (void)state;
    double exact = 8*PI/(1 - 0.125), coarse = resistance(3, 2, 4, 1, 0.5, true), fine = resistance(3, 2, 8, 4, 0.5, true);
    print_message("ball of 4 and 8 cells: torque %.3f, %.3f, exact %.3f\n", coarse, fine, exact);
    CHECK_WITHIN(coarse, exact, 0.06*exact);
    CHECK_WITHIN(fine, exact, 0.02*exact);
}

// A cylinder that moves across the middle of a round vessel, b = k a: the flow of the stream function (A r + B/r + C r ln r +
// D r^3) sin theta has F = 4 pi mu U/(ln k - (k^2 - 1)/(k^2 + 1)) per depth. Half of it is pressure, which friction has to know
// of: with one round of friction and projection, 9 and 26 % were missing.
static void test_drag_of_a_cylinder(void** state)
{
    (void)state;
    double k = 3, exact = 4*PI/(log(k) - (k*k - 1)/(k*k + 1));
    static const double stiffness[] = {0.25, 1, 4};  // nu dt/a^2 = 0.007, 0.028, 0.11
    for (int m = 0; m < 3; m++) {
        double drag = resistance(2, k, 6, stiffness[m], 1.2, false);
        print_message("cylinder, nu dt/dx^2 = %g: drag %.3f, exact %.3f\n", stiffness[m], drag, exact);
        CHECK_WITHIN(drag, exact, 0.025*exact);
    }
}

// A ball in the middle of a round vessel, l = a/b: F = 6 pi mu a U (1 - l^5)/(1 - 9/4 l + 5/2 l^3 - 9/4 l^5 + l^6) [happel1983].
static void test_drag_of_a_ball(void** state)
{
    (void)state;
    double l = 0.5, exact = 6*PI*(1 - pow(l, 5))/(1 - 2.25*l + 2.5*pow(l, 3) - 2.25*pow(l, 5) + pow(l, 6));
    double longer = resistance(3, 2, 5, 0.25, 0.3, false), shorter = resistance(3, 2, 5, 0.0625, 0.3, false);
    print_message("ball: drag %.2f, %.2f, exact %.2f\n", longer, shorter, exact);
    CHECK_WITHIN(longer, exact, 0.05*exact);
    CHECK_WITHIN(shorter, exact, 0.03*exact);
}

// ---- a disc that slows down -----------------------------------------------------------------------------------------------

// Turning liquid of nu = 1 between a disc of radius 1 and a vessel of radius b, both slowing down as exp(-q t): its rate w(r) has
//     (r^3 w')' = - q r^3 w,    w(b) = 0,    - q I w(1) = 2 pi w'(1)           (I = pi density/2)
// w(b), from w(1) = 1 on, for some q.
static double rate_at_vessel(double q, double density, double b)
{
    enum { STEPS = 400 };
    double w = 1, flux = -q*density/4, h = (b - 1)/STEPS;  // flux = r^3 w'
    for (int m = 0; m < STEPS; m++) {
        double r = 1 + m*h, k[4], l[4];
        for (int s = 0; s < 4; s++) {
            double step = s == 0 ? 0 : s == 3 ? h : 0.5*h, at = r + step;
            double own = s == 0 ? w : w + step*k[s - 1], f = s == 0 ? flux : flux + step*l[s - 1];
            k[s] = f/(at*at*at), l[s] = -q*at*at*at*own;
        }
        w += h*(k[0] + 2*k[1] + 2*k[2] + k[3])/6, flux += h*(l[0] + 2*l[1] + 2*l[2] + l[3])/6;
    }
    return w;
}

static double slowest_rate(double density, double b)
{
    double low = 0, high = 0;
    while (rate_at_vessel(high, density, b) > 0) low = high, high += 0.05;
    for (int m = 0; m < 50; m++) {
        double q = 0.5*(low + high);
        if (rate_at_vessel(q, density, b) > 0) low = q;
        else high = q;
    }
    return low;
}

static void test_disc_slows_down(void** state)
{
    (void)state;
    static const double density[] = {0.001, 1, 10};
    for (int m = 0; m < 3; m++) {
        Sim sim;
        TestBody vessel;
        TestBody body = {.density = density[m], .R = 1, .spin = {0, 0, 1e-3}};
        double twist[TWIST], exact = slowest_rate(density[m], 2), early = 1/exact, late = 2/exact, spin[2];
        vessel_init(&sim, &vessel, &body, 2, 2, 8, 1);
        sim.model.settings.max_dt = 0.005/exact;
        CHECK_OK(sim_start(&sim));
        CHECK_OK(sim_advance(&sim, early));
        test_body_twist(twist, &sim, 0);
        spin[0] = twist[5];
        CHECK_OK(sim_advance(&sim, late));
        test_body_twist(twist, &sim, 0);
        spin[1] = twist[5];
        double rate = log(spin[0]/spin[1])/(late - early);
        print_message("density %g: slows down at %.4f, exact %.4f\n", density[m], rate, exact);
        CHECK_WITHIN(rate, exact, 0.02*exact);
        sim_free(&sim);
        test_bodies_free(&body, 1);
    }
}

// ---- a drop with a spinning body in it ------------------------------------------------------------------------------------

static double round_drop(const void* user, const double x[3])
{
    const double* center = user;
    return hypot(x[0] - center[0], x[1] - center[1]) - 1;
}

// Angular momentum of liquid and body about a point.
static double all_spin(const Sim* sim, const double about[2], const TestBody* body)
{
    const Liquid* q = &sim->world.liquid[0];
    const Window* w = &q->w;
    double sum = 0, twist[TWIST], mass = body->density*test_body_volume(body);
    const double* c = test_body(sim, 0)->center;
    for (int j = 0; j < w->n[1]; j++)
        for (int i = 0; i < w->n[0]; i++) {
            ptrdiff_t at = window_at(w, i, j, 0);
            double x[3], f = cutcells_fraction(&q->cells, at);
            if (!(f > 0)) continue;
            window_position(x, w, i + 0.5, j + 0.5, 0);
            sum += q->material.rho*f*w->dx*w->dx*0.5 *
                   ((x[0] - about[0])*(q->u[1].v[at] + q->u[1].v[at + w->sy]) -
                    (x[1] - about[1])*(q->u[0].v[at] + q->u[0].v[at + 1]));
        }
    test_body_twist(twist, sim, 0);
    return sum + mass*(0.5*body->R*body->R*twist[5] + (c[0] - about[0])*twist[1] - (c[1] - about[1])*twist[0]);
}

static void all_momentum(double P[2], Sim* sim, const TestBody* body)
{
    LiquidState s = liquid_state(&sim->world.liquid[0], &sim->scratch);
    double twist[TWIST];
    test_body_twist(twist, sim, 0);
    for (int d = 0; d < 2; d++) P[d] = s.momentum[d] + body->density*test_body_volume(body)*twist[d];
}

// A disc spins in the middle of a free drop, r = 0.5, R = 1, and takes it along: all turns at last as one, at I w/(I + J) with
// J = pi rho (R^4 - r^4)/2. Momentum stays, angular momentum as far as advection keeps it, and energy is only lost.
static void test_spinning_body_in_a_drop(void** state)
{
    (void)state;
    Sim sim;
    double center[2] = {1.52, 1.47}, twist[TWIST], most = -INFINITY;
    TestBody body = {.center = {1.52, 1.47}, .R = 0.5, .density = 3, .spin = {0, 0, 1}};
    basin_init(&sim, 2, 36, 36, 1, 1.0/12);
    sim.model.settings.gravity[1] = 0;
    basin_add(&sim, round_drop, center, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .mu = 0.3, .contact_angle = PI/2};
    test_bodies_add(&sim, &body, 1);
    CHECK_OK(sim_start(&sim));
    double I = 0.5*3*PI*pow(0.5, 4), J = 0.5*PI*(1 - pow(0.5, 4)), before = all_spin(&sim, center, &body);
    double end = 3, P[2], P_before[2];
    all_momentum(P_before, &sim, &body);
    while (sim.world.time < end) {
        CHECK_OK(sim_step(&sim, end - sim.world.time));
        most = fmax(most, sim.world.energy.gain);
    }
    double after = all_spin(&sim, center, &body);
    test_body_twist(twist, &sim, 0);
    all_momentum(P, &sim, &body);
    print_message("spin %.4f, all as one %.4f; angular momentum %.5f, was %.5f; momentum %.1e %.1e, was %.1e %.1e; gain %.1e, at "
                  "most %.1e\n",
                  twist[5], I/(I + J), after, before, P[0], P[1], P_before[0], P_before[1], sim.world.energy.gain, most);
    for (int d = 0; d < 2; d++) CHECK_WITHIN(P[d], P_before[d], 1e-9);
    CHECK_WITHIN(after, before, 0.025*before);
    CHECK_WITHIN(twist[5], I/(I + J), 0.02*I/(I + J));
    CHECK_LESS(most, 1e-3*0.5*I);
    sim_free(&sim);
    test_bodies_free(&body, 1);
}

// ---- light and heavy ones in honey ----------------------------------------------------------------------------------------

typedef struct Sinking {
    double v, overshoot;  // of the terminal speed: at the end; how far a later step fell back
    double gain;          // J, most of the energy from nowhere at any time
} Sinking;

// In a round vessel R = 3 of mu = 100, g = 1, from rest. nu dt/dx^2 = stiffness.
static Sinking sink(double density, double cells, double stiffness, double t)
{
    Sim sim;
    TestBody vessel, body = {.density = density, .R = 1};
    double mu = 100, k = 3, drag = 4*PI*mu/(log(k) - (k*k - 1)/(k*k + 1)), terminal = (1 - density)*PI/drag,
           most = -1e9;
    vessel_init(&sim, &vessel, &body, 2, k, cells, mu);
    sim.model.settings.gravity[1] = -1;
    sim.model.settings.max_dt = stiffness/(mu*cells*cells);
    CHECK_OK(sim_start(&sim));
    Sinking out = {0};
    while (sim.world.time < t) {
        double twist[TWIST];
        CHECK_OK(sim_step(&sim, 1));
        assert_int_equal(sim.report.retries, 0);
        test_body_twist(twist, &sim, 0);
        out.v = twist[1]/terminal, most = fmax(most, out.v), out.overshoot = fmax(out.overshoot, most - out.v);
        out.gain = fmax(out.gain, sim.world.energy.excess);
        CHECK_LESS(fabs(twist[0]/terminal), 0.02*fabs(out.v));
    }
    print_message("density %g, nu dt/dx^2 = %g, %d steps: %.4f of terminal speed, falls back by %.1e, gain %.2e, energy %.2e\n",
                  density, stiffness, (int)sim.world.step, out.v, out.overshoot, sim.world.energy.gain,
                  sim.report.energy.after.kinetic);
    sim_free(&sim);
    test_bodies_free(&body, 1);
    return out;
}

// A thousandth of the liquid's weight, or a hundred times it, at steps of any length: no step is taken back, the speed comes
// up to the terminal one and stays, energy is only lost. At short steps it is the exact one, (1 - density) pi g/drag.
static void test_light_and_heavy_in_honey(void** state)
{
    (void)state;
    Sinking light = sink(0.001, 6, 0.25, 0.02), heavy = sink(2, 6, 0.25, 0.03);
    CHECK_WITHIN(light.v, 1, 0.05);
    CHECK_WITHIN(heavy.v, 1, 0.02);
    static const double density[] = {0.001, 0.001, 2, 100}, stiffness[] = {10, 1000, 1000, 10}, most[] = {1.2, 1.2, 1.02, 1};
    for (int m = 0; m < 4; m++) {
        Sinking s = sink(density[m], 6, stiffness[m], 20*stiffness[m]/(100*36));
        CHECK_LESS(s.overshoot, 0.01*s.v);
        CHECK_LESS(s.gain, 1e-12);
        CHECK_LESS(s.v, most[m]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_the_liquid_loses),   cmocka_unit_test(test_torque_on_a_disc),
        cmocka_unit_test(test_torque_on_a_ball),        cmocka_unit_test(test_drag_of_a_cylinder),
        cmocka_unit_test(test_drag_of_a_ball),          cmocka_unit_test(test_disc_slows_down),
        cmocka_unit_test(test_spinning_body_in_a_drop), cmocka_unit_test(test_light_and_heavy_in_honey)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

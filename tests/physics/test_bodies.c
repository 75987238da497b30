// Bodies that the liquid carries, without surface tension: added mass, buoyancy, light and heavy ones.
#include "vessel.h"

// ---- a cylinder in a full, closed box --------------------------------------------------------------------------------------

// A box of side 1 full of liquid of density 1, g = 1, and a cylinder of radius 0.2 in the middle, off the grid by `shift` cells.
static void full_box(Sim* sim, TestBody* body, double cells, double density, const double shift[2], PressureKind op)
{
    int n = (int)lround(5*cells);
    basin_init(sim, 2, n, n, 1, 1.0/n);
    sim->model.settings.gravity[1] = -1, sim->model.settings.tolerance = 1e-8, sim->model.settings.op = op;
    basin_add(sim, all_wet, NULL, (double[3]){0, 0, 0});
    sim->world.liquid[0].material = (LiquidMaterial){.rho = 1, .contact_angle = PI/2};
    *body = (TestBody){.center = {0.5 + shift[0]/n, 0.5 + shift[1]/n}, .R = 0.2, .density = density};
    test_bodies_add(sim, body, 1);
    CHECK_OK(sim_start(sim));
}

// Released from rest, it falls at g (s - 1)/(s + C) with the added mass C of a cylinder R = 0.2 W in the middle of a square box
// W: C = 1.31888 by the flow of the stream function psi = y on the circle and 0 on the walls, series and collocation to 1e-5.
static const double ADDED_MASS = 1.31888;

static double first_acceleration(double cells, double density, const double shift[2], PressureKind op)
{
    Sim sim;
    TestBody body;
    double twist[TWIST], dt = 1e-3;
    full_box(&sim, &body, cells, density, shift, op);
    CHECK_OK(sim_step(&sim, dt));
    test_body_twist(twist, &sim, 0);
    double a = -twist[1]/sim.report.dt;
    assert_true(fabs(twist[0]) < 0.02*fabs(twist[1]));
    sim_free(&sim);
    test_bodies_free(&body, 1);
    return a;
}

static void test_added_mass_in_a_closed_box(void** state)
{
    (void)state;
    static const double density[] = {0.01, 0.5, 3}, place[][2] = {{0, 0}, {0.37, 0.21}, {0.5, 0.5}};
    for (int op = 0; op < 2; op++)
        for (int m = 0; m < 3; m++) {
            double exact = (density[m] - 1)/(density[m] + ADDED_MASS);
            for (int k = 0; k < 3; k++) {
                double coarse = first_acceleration(8, density[m], place[k], op ? PRESSURE_GHOST : PRESSURE_CUT);
                double fine = first_acceleration(16, density[m], place[k], op ? PRESSURE_GHOST : PRESSURE_CUT);
                print_message("density %g: a/g = %.4f, %.4f, exact %.4f\n", density[m], coarse, fine, exact);
                CHECK_WITHIN(coarse, exact, 0.015*fabs(exact));
                CHECK_WITHIN(fine, exact, 0.006*fabs(exact));
            }
        }
}

// A body of a thousandth of the liquid's weight rises to the lid and along it: no step fails, and the solver hardly notices it.
static void test_very_light_body(void** state)
{
    (void)state;
    Sim sim;
    TestBody body;
    int most = 0;
    full_box(&sim, &body, 8, 0.001, (double[2]){0.13, 0.07}, PRESSURE_AUTO);
    for (int step = 0; step < 1000; step++) {
        CHECK_OK(sim_step(&sim, 1));
        most = maxi(most, sim.report.iterations);
        assert_int_equal(sim.report.retries, 0);
    }
    print_message("most iterations %d; centre at %.3f %.3f\n", most, test_body(&sim, 0)->center[0],
                  test_body(&sim, 0)->center[1]);
    CHECK_LESS(most, 40);
    CHECK_LESS(test_body(&sim, 0)->center[1], 0.8);
    sim_free(&sim);
    test_bodies_free(&body, 1);
}

// ---- a ball in a round vessel ----------------------------------------------------------------------------------------------

// Of a body of radius a that starts in the middle of a round vessel of radius b full of liquid: [lamb1932], art. 93 for the ball,
// (b^3 + 2 a^3)/(2 (b^3 - a^3)); the cylinder likewise, (b^2 + a^2)/(b^2 - a^2).
static double vessel_added_mass(int dim, double a, double b)
{
    return dim == 3 ? 0.5*(b*b*b + 2*a*a*a)/(b*b*b - a*a*a) : (b*b + a*a)/(b*b - a*a);
}

static double acceleration_in_vessel(int dim, double cells, double density, PressureKind op, double turn)
{
    Sim sim;
    TestBody vessel, body = {.density = density};
    vessel_init(&sim, &vessel, &body, dim, 2, cells, 0);
    sim.model.settings.gravity[0] = sin(turn), sim.model.settings.gravity[1] = -cos(turn), sim.model.settings.op = op;
    CHECK_OK(sim_start(&sim));
    CHECK_OK(sim_step(&sim, 1e-3));
    double twist[TWIST];
    test_body_twist(twist, &sim, 0);
    double a = (twist[0]*sin(turn) - twist[1]*cos(turn))/sim.report.dt,
           across = twist[0]*cos(turn) + twist[1]*sin(turn);
    CHECK_LESS(fabs(across)/sim.report.dt, 0.01);
    CHECK_LESS(fabs(twist[2])/sim.report.dt, 0.01);
    sim_free(&sim);
    test_bodies_free(&body, 1);
    return a;
}

static void test_added_mass_in_a_round_vessel(void** state)
{
    (void)state;
    static const double density[] = {0.001, 0.5, 8};
    for (int dim = 2; dim <= 3; dim++)
        for (int m = 0; m < 3; m++) {
            double exact = (density[m] - 1)/(density[m] + vessel_added_mass(dim, 1, 2));
            for (int op = 0; op < 2; op++) {
                PressureKind kind = op ? PRESSURE_GHOST : PRESSURE_CUT;
                double coarse = acceleration_in_vessel(dim, 6, density[m], kind, 0.4);
                double fine = acceleration_in_vessel(dim, 12, density[m], kind, 0.4);
                print_message("%dD, density %g: a/g = %.4f, %.4f, exact %.4f\n", dim, density[m], coarse, fine, exact);
                CHECK_WITHIN(coarse, exact, 0.025*fabs(exact));
                CHECK_WITHIN(fine, exact, 0.01*fabs(exact));
            }
        }
}

// ---- a ball near a wall ----------------------------------------------------------------------------------------------------

// A ball of radius 1 in a closed box 6 x 5 x 6, full of liquid, its middle NEAR over the floor.
static const double BOX[] = {6, 5, 6}, NEAR = 1.5;

// What the images of a dipole along `axis`, of strength one, do along it where the ball is: (3 r_axis^2 - r^2)/r^5 over the
// mirror images in all six walls, turned round by those across it. (Images up to 12 boxes away; 24 change it by 1e-5.)
static double images(int axis)
{
    enum { FAR = 12 };
    double at[3] = {0.5*BOX[0], NEAR, 0.5*BOX[2]}, sum = 0;
    for (int box = 0; box < (2*FAR + 1)*(2*FAR + 1)*(2*FAR + 1); box++)
        for (int flip = 0; flip < 8; flip++) {
            int n[3] = {box%(2*FAR + 1) - FAR, box/(2*FAR + 1)%(2*FAR + 1) - FAR,
                        box/(2*FAR + 1)/(2*FAR + 1) - FAR};
            double r[3], square = 0;
            for (int d = 0; d < 3; d++)
                r[d] = 2*n[d]*BOX[d] + (flip >> d & 1 ? -at[d] : at[d]) - at[d], square += r[d]*r[d];
            if (!(square > 0)) continue;
            double along = (3*r[axis]*r[axis] - square)/(square*square*sqrt(square));
            sum += flip >> axis & 1 ? -along : along;
        }
    return sum;
}

// A ball that moves with U in a stream V along it is a dipole A = (U - V)/2 of the velocity A (3 x x - 1)/r^3, and has the added
// mass (1 - 3 V/U)/2 of its volume [lamb1932, art. 92 and 99]; V = A times the above. Beside one wall: 1 + 3/8 h^-3 of what it
// has far away, and 1 + 3/16 h^-3 along the wall.
static double added_mass_near(int axis)
{
    double k = images(axis), A = 0.5/(1 + 0.5*k);
    return 0.5*(1 - 3*k*A);
}

static double acceleration_near(int axis, double density, int cells)
{
    Sim sim;
    TestBody body = {.center = {0.5*BOX[0], NEAR, 0.5*BOX[2]}, .R = 1, .density = density, .dim = 3};
    double twist[TWIST];
    basin_init(&sim, 3, (int)BOX[0]*cells, (int)BOX[1]*cells, (int)BOX[2]*cells, 1.0/cells);
    sim.model.settings.gravity[1] = 0, sim.model.settings.gravity[axis] = -1, sim.model.settings.tolerance = 1e-8;
    basin_add(&sim, all_wet, NULL, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .contact_angle = PI/2};
    test_bodies_add(&sim, &body, 1);
    CHECK_OK(sim_start(&sim));
    CHECK_OK(sim_step(&sim, 1e-3));
    test_body_twist(twist, &sim, 0);
    double a = -twist[axis]/sim.report.dt;
    sim_free(&sim);
    test_bodies_free(&body, 1);
    return a;
}

static void test_ball_near_a_wall(void** state)
{
    (void)state;
    for (int axis = 0; axis < 2; axis++) {
        double C = added_mass_near(axis), density = 0.1, exact = (density - 1)/(density + C);
        double coarse = acceleration_near(axis, density, 4), fine = acceleration_near(axis, density, 8);
        print_message("%s the wall, added mass %.4f: a/g = %.4f, %.4f, exact %.4f\n", axis == 1 ? "off" : "along", C, coarse,
                      fine, exact);
        CHECK_WITHIN(coarse, exact, 0.04*fabs(exact));
        CHECK_WITHIN(fine, exact, 0.015*fabs(exact));
    }
}

// ---- at rest ---------------------------------------------------------------------------------------------------------------

// A body as heavy as its liquid stays where it is: after three seconds it moves by less than 1e-5 sqrt(g R).
static void test_neutral_body_stays(void** state)
{
    (void)state;
    Sim sim;
    TestBody body;
    double twist[TWIST];
    full_box(&sim, &body, 10, 1, (double[2]){0.13, 0.31}, PRESSURE_AUTO);
    sim.model.settings.max_dt = 0.02;
    CHECK_OK(sim_advance(&sim, 3));
    test_body_twist(twist, &sim, 0);
    CHECK_LESS(vec_norm(twist), 1e-5*sqrt(0.2));
    sim_free(&sim);
    test_bodies_free(&body, 1);
}

// ---- across a surface ------------------------------------------------------------------------------------------------------

static double below(const void* level, const double x[3]) { return x[1] - *(const double*)level; }

// A pool of rho = g = 1, without tension, and a body in it.
static void float_start(Sim* sim, const double* level, TestBody* body, double width, double height, double dx)
{
    basin_init(sim, 2, (int)lround(width/dx), (int)lround(height/dx), 1, dx);
    sim->model.settings.gravity[1] = -1;
    basin_add(sim, below, level, (double[3]){0, 0, 0});
    sim->world.liquid[0].material = (LiquidMaterial){.rho = 1, .contact_angle = PI/2};
    test_bodies_add(sim, body, 1);
    CHECK_OK(sim_start(sim));
}

// A square log of half the liquid's density cannot float upright: its metacentre lies below its centre of mass, GM = I/V - BG =
// (1/12 - 1/8) of its edge ([lamb1932], art. 12, and every book on ships). Tilted a little, it turns until it floats on an edge,
// pi/4.
static void test_square_log_turns(void** state)
{
    (void)state;
    static const double tilt[] = {0.01, 0.05, 0.2}, height[] = {5, 5, 5.05};
    for (int m = 0; m < 3; m++) {
        Sim sim;
        TestBody body = {.is_box = true, .center = {6.013, height[m]}, .h = {1, 1}, .density = 0.5, .turned = tilt[m]};
        float_start(&sim, &height[m], &body, 12, 8, 0.1);
        double turned = 0, work = 0, mean = 0;
        while (sim.world.time < 60) {
            CHECK_OK(sim_step(&sim, 1));
            double twist[TWIST];
            test_body_twist(twist, &sim, 0);
            turned = tilt[m] + atan2(test_body(&sim, 0)->rotation[1][0], test_body(&sim, 0)->rotation[0][0]);
            if (sim.world.time > 40) work += sim.report.dt, mean += sim.report.dt*turned;
        }
        print_message("tilt %g: turned to %.3f, %.3f in the mean; gain %.2e, taken %.2e\n", tilt[m], turned, mean/work,
                      sim.world.energy.gain, sim.world.energy.taken);
        CHECK_WITHIN(mean/work, PI/4, 0.03);
        sim_free(&sim);
        test_bodies_free(&body, 1);
    }
}

// ---- into a pool -----------------------------------------------------------------------------------------------------------

typedef struct Fall {
    double gain;  // from nowhere since any moment, relative to what the body's fall brings
    double end;   // height of its centre
    long retries;
    int iterations;
} Fall;

// A disc of radius 0.2 is dropped from `height` above a pool of depth 1 and width 2; rho = g = 1, no tension.
static Fall drop_into_pool(double density, double height)
{
    static const double level = 1, dx = 0.025;
    Sim sim;
    TestBody body = {.center = {0.97, 1.2 + height}, .R = 0.2, .density = density};
    Fall f = {0};
    double least = 0, scale = density*PI*0.04*(height + 0.2);
    float_start(&sim, &level, &body, 2, 2.4, dx);
    while (sim.world.time < 5) {
        CHECK_OK(sim_step(&sim, 1));
        f.retries += sim.report.retries, f.iterations = maxi(f.iterations, sim.report.iterations);
        least = fmin(least, sim.world.energy.gain);
        f.gain = fmax(f.gain, (sim.world.energy.gain - least)/scale);
    }
    f.end = test_body(&sim, 0)->center[1];
    print_message("density %g from %g: %ld steps, %ld retries, %d iterations, gain %.3f of its fall, taken %.3f, ends at %.3f\n",
                  density, height, sim.world.step, f.retries, f.iterations, f.gain, sim.world.energy.taken/scale, f.end);
    sim_free(&sim);
    test_bodies_free(&body, 1);
    return f;
}

// Bodies from a tenth to eight times the liquid's density fall into a pool, splash, go under and come up or sink: no step fails,
// and what is won from nowhere is less than a tenth of what the fall brings.
static void test_bodies_fall_into_a_pool(void** state)
{
    (void)state;
    static const double density[] = {0.1, 0.5, 0.9, 2, 8}, height[] = {0, 0.5};
    for (int m = 0; m < 5; m++)
        for (int k = 0; k < 2; k++) {
            Fall f = drop_into_pool(density[m], height[k]);
            CHECK_LESS(f.gain, 0.1);
            CHECK_LESS(f.iterations, 40);
            if (density[m] < 0.8) CHECK_WITHIN(f.end, 1, 0.25);
            if (density[m] > 1) CHECK_WITHIN(f.end, 0.2 + 0.5*0.025, 0.005);
        }
}

// ---- a drop with a body in it ----------------------------------------------------------------------------------------------

static double disc_of_liquid(const void* user, const double x[3])
{
    const double* center = user;
    return hypot(x[0] - center[0], x[1] - center[1]) - 1;
}

// A free drop with a body half in it wobbles, but drives itself nowhere: it has the momentum it had, and what gravity gave it.
static void test_drop_with_body_keeps_momentum(void** state)
{
    (void)state;
    static const double angle[] = {70, 120};
    for (int m = 0; m < 2; m++)
        for (int falls = 0; falls < 2; falls++) {
            Sim sim;
            double center[2] = {2.53, 2.41 + 3*falls}, dx = 1.0/12;
            TestBody body = {
                .center = {2.53 + 0.9, 2.41 + 0.5 + 3*falls}, .R = 0.4, .density = 2, .angle = angle[m]*PI/180};
            basin_init(&sim, 2, 60, 60 + 36*falls, 1, dx);
            sim.model.settings.gravity[1] = -0.2*falls;
            basin_add(&sim, disc_of_liquid, center, (double[3]){0, 0, 0});
            sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .contact_angle = PI/2};
            test_bodies_add(&sim, &body, 1);
            CHECK_OK(sim_start(&sim));
            CHECK_OK(sim_advance(&sim, 4));
            LiquidState s = liquid_state(&sim.world.liquid[0], &sim.scratch);
            double twist[TWIST], mass = s.volume + 2*PI*0.16, P[2];
            test_body_twist(twist, &sim, 0);
            for (int d = 0; d < 2; d++) P[d] = s.momentum[d] + 2*PI*0.16*twist[d];
            print_message("angle %g: momentum %.2e %.2e of %.3g; body moves at %.3f %.3f; gain %.2e\n", angle[m], P[0],
                          P[1] + 0.8*falls*mass, mass, twist[0], twist[1], sim.world.energy.gain);
            CHECK_LESS(fabs(P[0]), 1e-9*mass);
            CHECK_LESS(fabs(P[1] + 0.8*falls*mass), 1e-9*mass);
            sim_free(&sim);
            test_bodies_free(&body, 1);
        }
}

// ---- spray -----------------------------------------------------------------------------------------------------------------

static double low_pool(const void* user, const double x[3])
{
    (void)user;
    return x[1] - 0.3;
}

// A droplet that stops on a body which floats weightless in air: the two go on together with the momentum that it brought.
static void test_droplet_pushes_body(void** state)
{
    (void)state;
    Sim sim;
    TestBody body = {.center = {1, 1.2}, .R = 0.2, .density = 0.5};
    basin_init(&sim, 2, 40, 40, 1, 0.05);
    sim.model.settings.gravity[1] = 0;
    basin_add(&sim, low_pool, NULL, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .contact_angle = PI/2};
    test_bodies_add(&sim, &body, 1);
    CHECK_OK(sim_start(&sim));
    Droplet drop = {.x = {1, 1.5, 0}, .v = {0, -1, 0}, .volume = 1e-3, .material = sim.world.liquid[0].material};
    CHECK_OK(spray_add(&sim.world.spray, &drop));
    sim.model.settings.max_dt = 0.02;
    for (int step = 0; step < 12; step++) CHECK_OK(sim_step(&sim, 1));
    double twist[TWIST], mass = 0.5*PI*0.04;
    test_body_twist(twist, &sim, 0);
    assert_int_equal(sim.world.spray.count, 1);
    double momentum = mass*twist[1] + 1e-3*sim.world.spray.drop[0].v[1];
    CHECK_LESS(twist[1], -0.9e-3/mass);
    CHECK_CLOSE(momentum, -1e-3, 0.02);  // the droplet has its share of the step before
    sim_free(&sim);
    test_bodies_free(&body, 1);
}

// A droplet lies in the wedge between a wall and a disc that can turn only. It slides on the skin, which it pushes along its
// normal alone: the disc is not turned. (Where it took the velocity of the skin and gave its weight, it turned the disc for ever
// without getting lower itself.)
static void test_droplet_in_a_wedge(void** state)
{
    (void)state;
    Sim sim;
    TestBody body = {.center = {0.235, 1.2}, .R = 0.2, .density = 1, .fixed = 1 | 2};
    basin_init(&sim, 2, 40, 40, 1, 0.05);
    sim.model.settings.gravity[1] = -1;
    basin_add(&sim, low_pool, NULL, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .contact_angle = PI/2};
    test_bodies_add(&sim, &body, 1);
    CHECK_OK(sim_start(&sim));
    Droplet drop = {.x = {0.03, 1.3, 0}, .volume = 2e-3, .material = sim.world.liquid[0].material};
    CHECK_OK(spray_add(&sim.world.spray, &drop));
    sim.model.settings.max_dt = 0.02;
    double twist[TWIST];
    for (int step = 0; step < 50; step++) CHECK_OK(sim_step(&sim, 1));
    test_body_twist(twist, &sim, 0);
    assert_int_equal(sim.world.spray.count, 1);
    print_message("spin %.2e, droplet at %.3f %.3f\n", twist[5], sim.world.spray.drop[0].x[0], sim.world.spray.drop[0].x[1]);
    CHECK_LESS(fabs(twist[5]), 1e-6);
    sim_free(&sim);
    test_bodies_free(&body, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_added_mass_in_a_closed_box), cmocka_unit_test(test_added_mass_in_a_round_vessel),
        cmocka_unit_test(test_ball_near_a_wall),           cmocka_unit_test(test_neutral_body_stays),
        cmocka_unit_test(test_square_log_turns),           cmocka_unit_test(test_drop_with_body_keeps_momentum),
        cmocka_unit_test(test_bodies_fall_into_a_pool),    cmocka_unit_test(test_droplet_pushes_body),
        cmocka_unit_test(test_droplet_in_a_wedge),         cmocka_unit_test(test_very_light_body)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Bodies that the liquid carries, without surface tension: added mass, buoyancy, light and heavy ones.
#include "body.h"

static double all_wet(const void* user, const double x[3])
{
    (void)user, (void)x;
    return -1;
}

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
    print_message("most iterations %d; centre at %.3f %.3f\n", most, test_body(&sim, 0)->center[0], test_body(&sim, 0)->center[1]);
    CHECK_LESS(most, 40);
    CHECK_LESS(test_body(&sim, 0)->center[1], 0.8);
    sim_free(&sim);
    test_bodies_free(&body, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_added_mass_in_a_closed_box), cmocka_unit_test(test_very_light_body)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

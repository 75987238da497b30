// Viscosity within whole steps: advection, friction and pressure together.
#include "viscous_flow.h"
#include "step/flow_viscosity.h"
#include "tension/tension.h"

// ---- Taylor-Green ------------------------------------------------------------------------------------------------------------

static void test_taylor_green(void** state)
{
    (void)state;
    double coarse = vortex_rate_error(32), fine = vortex_rate_error(64);
    CHECK_LESS(coarse, 0.03);
    CHECK_LESS(fine, 0.6*coarse);
}

// ---- thick liquid at rest and on a slope --------------------------------------------------------------------------------------

static double pool(const void* user, const double x[3]) { return x[1] - *(const double*)user; }

// Honey in a glass stays still, with walls that it sticks to, and p = rho g depth: nothing of gravity is lost to friction
// before the pressure balances it.
static void check_honey_at_rest(int dim)
{
    Sim sim;
    int n = dim == 3 ? 16 : 32;
    double depth = 0.0613;
    basin_init(&sim, dim, n, n, n, 0.1/n);
    basin_add(&sim, pool, &depth, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1420, .sigma = 0.055, .mu = 10, .contact_angle = PI/2};
    CHECK_OK(sim_start(&sim));
    for (int s = 0; s < 10; s++) CHECK_OK(sim_step(&sim, 0.01));
    ptrdiff_t at = window_at(&sim.world.liquid[0].w, n/2, 0, dim == 3 ? n/2 : 0);
    double p = sim.world.liquid[0].p.v[at], exact = 1420*9.81*(depth - 0.05/n);
    print_message("%dD honey at rest: max |u| %.1e m/s, p on the floor %.6f Pa, exact %.6f\n", dim, sim.report.max_speed, p,
                  exact);
    CHECK_LESS(sim.report.max_speed, 1e-9);
    CHECK_CLOSE(p, exact, 1e-8);
    sim_free(&sim);
}

static void test_honey_at_rest(void** state)
{
    (void)state;
    check_honey_at_rest(2), check_honey_at_rest(3);
}

// ---- a turning drop -----------------------------------------------------------------------------------------------------------

// A disc whose layers turn at different rates becomes rigid and keeps its angular momentum: int r^2 (4 - 60 r^2) dA / int r^2
// dA = 4 - 40 R^2 = 1.5 rad/s for R = 0.25. One step of a very thick liquid.
static void test_disc_becomes_rigid(void** state)
{
    (void)state;
    Sim sim;
    basin_init(&sim, 2, 48, 48, 1, 1.0/48);
    sim.model.settings.gravity[1] = 0;
    basin_add(&sim, disc, NULL, (double[3]){0, 0, 0});
    sim.world.liquid[0].material.mu = 1e5;
    set_velocity(&sim.world.liquid[0], stirred);
    CHECK_OK(sim_start(&sim));
    double before = spin_of(&sim.world.liquid[0]);
    CHECK_OK(sim_step(&sim, 1e-2));
    const Liquid* q = &sim.world.liquid[0];
    double after = spin_of(q), worst = 0;
    for (int j = 0; j < q->w.n[1]; j++)
        for (int i = 0; i < q->w.n[0]; i++) {
            double x[3];
            window_position(x, &q->w, i + 0.5, j, 0);
            if (hypot(x[0] - 0.5, x[1] - 0.5) < 0.24)
                worst = fmax(worst, fabs(q->u[1].v[window_at(&q->w, i, j, 0)] - 1.5*(x[0] - 0.5)));
        }
    print_message("stirred disc: spin %.5f -> %.5f rad/s, exact 1.5; off rigid motion by %.1e m/s at most, %d iterations\n",
                  before, after, worst, sim.report.viscous_iterations);
    CHECK_CLOSE(after, 1.5, 0.01);
    CHECK_LESS(worst, 0.01);
    sim_free(&sim);
}

// ---- a swinging drop ----------------------------------------------------------------------------------------------------------

// The surface without traction sets the pace at which a drop comes to rest: the normal modes of a viscous drop (drop_decay).
static void test_swinging_drop(void** state)
{
    (void)state;
    double nu = 0.02, exact = drop_decay(2, 2, nu);
    static const char* names[] = {"cut cells", "ghost fluid"};
    for (int op = 0; op < 2; op++) {
        double rate = swing_decay(2, 12, op == 0 ? PRESSURE_CUT : PRESSURE_GHOST, nu, 1.3);
        print_message("2D drop, R = 12 cells, Oh = %g, %s: mode 2 decays at %.3f nu/R^2, exact %.3f: %+.1f %%\n", nu, names[op],
                      rate, exact, 100*(rate/exact - 1));
        CHECK_CLOSE(rate, exact, 0.05);
    }
}

// A wedge under the lid of a tank, thinner towards the open side at x = 1 and towards z = 0; `tip` cells: where it ends on that
// side.
static double wedge_distance(const void* user, const double x[3])
{
    const double* tip = user;
    double dx = 1.0/12, thick = 0.13*(x[2]/dx - *tip) + 0.1*(12 - x[0]/dx);
    return ((8*dx - x[1]) - thick*dx)/sqrt(1 + 0.13*0.13 + 0.1*0.1);
}

// The largest speed of its liquid after friction alone, in layers of 0.5 and 1 m/s.
static double speed_after_friction(double tip)
{
    Sim sim;
    basin_init(&sim, 3, 12, 8, 16, 1.0/12);
    sim.model.tank.side[1] = SIDE_IS_OPEN;
    sim.model.settings.gravity[1] = 0;
    sim.model.settings.op = PRESSURE_CUT;
    sim.model.settings.slip = true;
    basin_add(&sim, wedge_distance, &tip, (double[3]){0, 0, 0});
    Liquid* q = &sim.world.liquid[0];
    q->material = (LiquidMaterial){.rho = 1, .mu = 1, .contact_angle = PI/2};
    CHECK_OK(sim_start(&sim));
    for (int k = 0; k < 16; k++)
        for (int j = 0; j < 8; j++)
            for (int i = 0; i <= 12; i++) q->u[0].v[window_at(&q->w, i, j, k)] = k%2 ? 1 : 0.5;
    StepContext ctx = sim_context(&sim);
    ctx.dt = 0.05/144;  // nu dt = 0.05 dx^2
    CHECK_OK(tension_begin(&ctx));
    CHECK_OK(flow_add_viscosity(&ctx));
    double speed = liquid_max_speed(q);
    sim_free(&sim);
    return speed;
}

// Friction makes nothing faster, where the liquid is thinner than the grid can tell neither: on the side of this wedge two faces
// of little mass follow one another, and what goes straight on past them has ten times as much. (1.7 m/s; in random scene
// 173 that came again in every step, and to 400 m/s. A tenth is what changes of single faces are worth there.)
static void test_thin_tip_is_not_thrown(void** state)
{
    (void)state;
    double most = 0;
    for (double tip = 4.3; tip < 4.5; tip += 0.04) most = fmax(most, speed_after_friction(tip));
    print_message("wedge of 1 m/s: at most %.3f m/s after friction\n", most);
    CHECK_LESS(most, 1.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_thin_tip_is_not_thrown), cmocka_unit_test(test_taylor_green),
                                       cmocka_unit_test(test_honey_at_rest), cmocka_unit_test(test_disc_becomes_rigid),
                                       cmocka_unit_test(test_swinging_drop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// A wave on the film between two liquids that fill a sealed tank: no pressure is known anywhere.
//
// A thin closed film hands on all pressure and both surfaces move as one. The slowest standing wave between rigid lids, amplitude
// cos(k x), k = pi/L, layers H below and above of densities rho1 and rho2 ([lamb1932], art. 231 and 267), with the
// tension of both surfaces:
//     omega^2 = k ((rho1 - rho2) g + 2 sigma k^2)/(rho1 coth kH + rho2 coth kH).
#include "film/film_partner.h"
#include "bounce.h"

static const double LENGTH = 4e-3, DEPTH = 2e-3, GRAVITY = 9.81, SIGMA = 0.02, HEIGHT = 5e-5, GAP = 1e-6;
static const double RHO[2] = {1000, 700};

// Below the ridge (side 1) or above it (-1), half a gap away from it.
static double layer_distance(const void* side, const double x[3])
{
    double up = *(const double*)side;
    return up*(x[1] - DEPTH - HEIGHT*cos(PI*x[0]/LENGTH)) + 0.5*GAP;
}

static void start_layers(Sim* sim, int cells)
{
    const double up[2] = {1, -1};
    double dx = LENGTH/cells;
    basin_init(sim, 2, cells, cells, 1, dx);
    film_hold_all(sim);
    sim->model.settings.gravity[1] = -GRAVITY;
    sim->model.settings.cfl = 1, sim->model.settings.tolerance = 1e-8, sim->model.settings.advection = ADVECT_CUBIC,
    sim->model.settings.slip = true;
    for (int m = 0; m < 2; m++) {
        basin_add(sim, layer_distance, &up[m], (double[3]){0, 0, 0});
        sim->world.liquid[m].material = (LiquidMaterial){.rho = RHO[m], .sigma = SIGMA, .contact_angle = PI/2};
    }
    sim->model.settings.max_dt = sqrt(RHO[1]*dx*dx*dx/(4*PI*SIGMA));
    CHECK_OK(sim_start(sim));
}

static double exact_period(void)
{
    double k = PI/LENGTH, coth = 1/tanh(k*DEPTH);
    return 2*PI/sqrt(k*((RHO[0] - RHO[1])*GRAVITY + 2*SIGMA*k*k)/((RHO[0] + RHO[1])*coth));
}

static void test_wave(void** state)
{
    (void)state;
    Sim sim;
    Signal swing = {0};
    double exact = exact_period(), thinnest = INFINITY, air = 0;
    start_layers(&sim, 32);
    while (sim.world.time < 1.4*exact) {
        CHECK_OK(sim_step_towards(&sim, 1.4*exact));
        LiquidState s = liquid_state(&sim.world.liquid[0], &sim.scratch);
        arena_reset(&sim.scratch);
        signal_add(&swing, sim.world.time, s.center[0] - 0.5*LENGTH);
        thinnest = fmin(thinnest, film_of(&sim.world)->report.least_thickness);
        if (air == 0) air = film_of(&sim.world)->report.volume;
        CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-11);
    }
    assert_int_equal(sim.world.liquid_count, 2);
    double period = signal_period(&swing);
    print_message(
        "wave on a film in a sealed tank: period %.3f ms, exact %.3f ms (%+.2f %%); film %.2f um at least, air %+.1f %%\n",
        1e3*period, 1e3*exact, 100*(period/exact - 1), 1e6*thinnest,
        100*(film_of(&sim.world)->report.volume/air - 1));
    CHECK_LESS(fabs(period/exact - 1), 0.01);
    signal_free(&swing);
    sim_free(&sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

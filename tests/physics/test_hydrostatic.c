// A still tank stays still: p = rho g (H - y), u = 0 (docs/validation/targets.md, hydrostatic).
#include <stdlib.h>
#include "basin.h"

static double pool(const void* user, const double x[3]) { return x[1] - *(const double*)user; }

typedef struct Rest {
    double speed, pressure, volume;  // m/s; worst |p - p_exact|/(rho g H); relative
} Rest;

// One second of a tank 0.1 m wide, water `height` deep, n cells.
static Rest rest(int dim, int n, double height, double tolerance)
{
    Sim sim;
    double dx = 0.1/n;
    basin_init(&sim, dim, n, n, n, dx);
    sim.model.settings.tolerance = tolerance;
    basin_add(&sim, pool, &height, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    while (sim.world.time < 1 - 1e-9) CHECK_OK(sim_step(&sim, fmin(0.02, 1 - sim.world.time)));
    Rest out = {.speed = sim.report.max_speed, .volume = fabs(sim_ledger_error(&sim))};
    const Liquid* q = &sim.world.liquid[0];
    // the depth is what the liquid's own volume says
    height = q->cells.volume/(dim == 3 ? 0.01 : 0.1);
    for (int k = 0; k < q->w.n[2]; k++)
        for (int j = 0; j < q->w.n[1]; j++)
            for (int i = 0; i < q->w.n[0]; i++) {
                double x[3], p = q->p.v[window_at(&q->w, i, j, k)];
                window_position(x, &q->w, i + 0.5, j + 0.5, k + 0.5);
                if (x[1] > height - 0.011*dx) continue;  // the centre is dry, or too shallow for an unknown of its own
                out.pressure = fmax(out.pressure, fabs(p/(1000*9.81*height) - (1 - x[1]/height)));
            }
    sim_free(&sim);
    return out;
}

static void check_rest(int dim, int n, double cells)
{
    double height = cells*0.1/n;
    Rest loose = rest(dim, n, height, 1e-6), tight = rest(dim, n, height, 1e-10);
    print_message(
        "%dD %d, surface at %.4g cells: max |u| %.1e m/s (tolerance 1e-10: %.1e), target 1e-8; p %.1e (%.1e), target 1e-8; "
        "ledger %.1e\n",
        dim, n, cells, loose.speed, tight.speed, loose.pressure, tight.pressure, loose.volume);
    CHECK_LESS(tight.speed, 1e-8);
    CHECK_LESS(tight.pressure, 1e-8);
    CHECK_LESS(loose.speed, 1e-8);
    CHECK_LESS(loose.pressure, 1e-8);
    CHECK_LESS(loose.volume, 1e-10);
}

static void test_tank_2d(void** state)
{
    (void)state;
    check_rest(2, 64, 32);
    check_rest(2, 64, 32.5);
    check_rest(2, 64, 31.37);
}

static void test_tank_3d(void** state)
{
    (void)state;
    check_rest(3, 32, 16);
    check_rest(3, 32, 15.37);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tank_2d), cmocka_unit_test(test_tank_3d)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

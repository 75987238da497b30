// A thread of liquid that breaks: threads and sheets below two cells must not be thrown about by the grid.
#include "basin.h"
#include "tension/tension.h"

// rho = sigma = R = 1: speeds in sqrt(sigma/(rho R)). A thread along x, a little uneven, its axis off the grid's symmetry planes.
typedef struct Thread {
    double wave, amplitude, y, z;
} Thread;

static double thread_distance(const void* user, const double x[3])
{
    const Thread* t = user;
    double k = 2*PI/t->wave, r = 1 + t->amplitude*cos(k*x[0]), slope = -t->amplitude*k*sin(k*x[0]);
    return (hypot(x[1] - t->y, x[2] - t->z) - r)/sqrt(1 + slope*slope);
}

// One wavelength with k R = 0.7, where threads break fastest [rayleigh1879], between two walls; R = 3 dx.
static double fastest_of_thread(TensionSettings tension, double* end_volume_error, int* most_liquids)
{
    enum { CELLS = 27, ACROSS = 14 };
    double dx = 1.0/3;
    Thread t = {.wave = CELLS*dx, .amplitude = 0.3, .y = 7.12*dx, .z = 6.84*dx};
    Sim sim;
    basin_init(&sim, 3, CELLS, ACROSS, ACROSS, dx);
    sim.model.settings.gravity[1] = 0;
    sim.model.settings.advection = ADVECT_AUTO;
    sim.model.settings.cfl = 1.5;
    sim.model.settings.tension = tension;
    basin_add(&sim, thread_distance, &t, (double[3]){0, 0, 0});
    sim.world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .mu = 0.0043, .contact_angle = PI/2};
    CHECK_OK(sim_start(&sim));
    double fastest = 0;
    *most_liquids = 1;
    while (sim.world.time < 6.5) {
        CHECK_OK(sim_step(&sim, 1));
        fastest = fmax(fastest, sim.report.max_speed);
        *most_liquids = maxi(*most_liquids, sim.world.liquid_count + sim.world.spray.count);
    }
    *end_volume_error = sim_ledger_error(&sim);
    sim_free(&sim);
    return fastest;
}

// Nothing retracts faster than the edge of a sheet as thin as the grid can hold, sqrt(2 sigma/(rho h)) [taylor1959],
// [culick1960]. With h = dx, and twice that for what is thinner than a cell when it breaks. Without curvature_smooth_thin, and
// with pieces of surface that hang on links along the thread (LEAST_FACING), it was up to 20 times as much.
static void test_speeds_of_breaking_thread(void** state)
{
    (void)state;
    const struct {
        const char* name;
        TensionSettings tension;
    } scheme[] = {{"auto", {.scheme = TENSION_AUTO}},
                  {"auto, steps of 3", {.scheme = TENSION_AUTO, .most_steps = 3}},
                  {"explicit", {.scheme = TENSION_EXPLICIT}},
                  {"implicit", {.scheme = TENSION_IMPLICIT}},
                  {"implicit, theta = 1", {.scheme = TENSION_IMPLICIT, .theta = 1}},
                  {"implicit, steps of 10", {.scheme = TENSION_IMPLICIT, .most_steps = 10}},
                  {"split", {.scheme = TENSION_SPLIT}}};
    double dx = 1.0/3, bound = 2*sqrt(2/dx);
    for (size_t m = 0; m < sizeof scheme/sizeof *scheme; m++) {
        double ledger;
        int liquids;
        double fastest = fastest_of_thread(scheme[m].tension, &ledger, &liquids);
        print_message("%-20s breaks into %d; fastest %.2f of sqrt(2 sigma/(rho dx))\n", scheme[m].name, liquids,
                      fastest/(0.5*bound));
        CHECK_LESS(fastest, bound);
        CHECK_LESS(1, liquids);
        CHECK_LESS(fabs(ledger), 1e-10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_speeds_of_breaking_thread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

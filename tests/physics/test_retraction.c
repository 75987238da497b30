// A sheet with a free edge: tension pulls the edge in with 2 sigma per metre, both faces of it, and nothing else pushes the
// liquid as a whole. So its momentum is 2 sigma t whatever the shape of the rim [taylor1959; culick1960], and sigma t in the
// half of it above its middle plane.
#include "basin.h"

typedef struct Sheet {
    double end, middle, half;  // m: x of the edge, y of the middle plane, half the thickness
} Sheet;

static double sheet(const void* user, const double x[3])
{
    const Sheet* s = user;
    double past = x[0] - (s->end - s->half), across = x[1] - s->middle;
    return past > 0 ? hypot(past, across) - s->half : fabs(across) - s->half;
}

static const double THICKNESS = 4e-4, SIGMA = 0.0728, RHO = 1000;  // m, N/m, kg/m^3

typedef struct Retraction {
    const char* name;
    TensionScheme scheme;
    double most_steps;  // capillary times; 0: as the program picks them
    int cells;          // per thickness
    bool halved;        // between two mirrors: the middle plane, and the one far from the edge
} Retraction;

static void start(Sim* sim, const Retraction* r)
{
    double dx = THICKNESS/r->cells;
    int nx = 20*r->cells, ny = (r->halved ? 3 : 5)*r->cells;
    basin_init(sim, 2, nx, ny, 1, dx);
    sim->model.settings.gravity[1] = 0;
    sim->model.settings.advection = ADVECT_AUTO;
    sim->model.settings.tension = (TensionSettings){.scheme = r->scheme, .most_steps = r->most_steps};
    sim->model.tank.side[0] = SIDE_IS_MIRROR;
    if (r->halved) sim->model.tank.side[2] = SIDE_IS_MIRROR;
    Sheet s = {0.8*nx*dx, r->halved ? 0 : (0.5*ny + 0.37)*dx, 0.5*THICKNESS};
    basin_add(sim, sheet, &s, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(sim));
}

// Largest error of the momentum over 8 times e/V, V = sqrt(2 sigma/(rho e)): the rim has then swallowed 8 thicknesses.
static void check(const Retraction* r)
{
    Sim sim;
    start(&sim, r);
    double unit = THICKNESS/sqrt(2*SIGMA/(RHO*THICKNESS)), worst = 0;
    for (int k = 1; k <= 8; k++) {
        CHECK_OK(sim_advance(&sim, k*unit));
        assert_int_equal(sim.world.liquid_count, 1);
        const Liquid* q = &sim.world.liquid[0];
        double momentum = -RHO*q->target_volume*liquid_state(q, &sim.scratch).velocity[0];
        arena_reset(&sim.scratch);
        double error = momentum/((r->halved ? 1 : 2)*SIGMA*sim.world.time) - 1;
        if (fabs(error) > fabs(worst)) worst = error;
    }
    print_message("%s, e = %d dx%s: momentum off by %+.2f %% at most, %ld steps\n", r->name, r->cells, r->halved ? ", half" : "",
                  100*worst, sim.world.step);
    CHECK_LESS(fabs(worst), 0.02);
    sim_free(&sim);
}

// It was 10 % too much with steps as long as the program picks them, and 31 % too little with the band force: sums of curvatures
// and pressures on a grid pull a little beside, and carrying a velocity loses some of it.
static void test_momentum(void** state)
{
    (void)state;
    for (int half = 0; half < 2; half++) {
        check(&(Retraction){"explicit", TENSION_EXPLICIT, 0, 8, half});
        check(&(Retraction){"implicit", TENSION_IMPLICIT, 0, 8, half});
        check(&(Retraction){"split", TENSION_SPLIT, 0, 8, half});
        check(&(Retraction){"csf", TENSION_CSF, 0, 8, half});
        check(&(Retraction){"auto", TENSION_AUTO, 0, 8, half});
    }
    check(&(Retraction){"split, 10 capillary times", TENSION_SPLIT, 10, 8, false});
    check(&(Retraction){"auto", TENSION_AUTO, 0, 12, false});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_momentum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

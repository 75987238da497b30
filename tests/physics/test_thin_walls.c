// Liquid in a bowl whose wall is a few cells thick (liquid/backing.h): it moves as in a bowl cut into a block, nothing comes
// through.
//
// A bowl that is a circle or a ball of radius R, half full, sloshes at omega^2 R/g = 1.35573 (2D), 1.56016 (3D) in its first
// mode, from side to side: McIver, J. Fluid Mech. 201 (1989) 243. R = 1 m, g = 1 m/s^2, water as light as its tension: Bond
// number 1000. The wall is upright at the surface, so that with 90 degrees the surface at rest is flat; the frequency is then
// higher by about half of (omega^2 R/g)^2/1000 = 0.1 to 0.2 %.
#include <stdlib.h>
#include "basin.h"

typedef struct Bowl {
    double middle[3], radius, wall, tilt;
} Bowl;

// The wall ends half a radius above the middle.
static double bowl_distance(const void* user, const double x[3])
{
    const Bowl* b = user;
    double r = sqrt(pow(x[0] - b->middle[0], 2) + pow(x[1] - b->middle[1], 2) + pow(x[2] - b->middle[2], 2));
    return fmax(fabs(r - b->radius - 0.5*b->wall) - 0.5*b->wall, x[1] - b->middle[1] - 0.5*b->radius);
}

static double water_distance(const void* user, const double x[3])
{
    const Bowl* b = user;
    double r = sqrt(pow(x[0] - b->middle[0], 2) + pow(x[1] - b->middle[1], 2) + pow(x[2] - b->middle[2], 2));
    double above = (x[1] - b->middle[1] + b->tilt*(x[0] - b->middle[0]))/sqrt(1 + b->tilt*b->tilt);
    return fmax(r - b->radius - 0.5*fmin(b->wall, 0.1*b->radius), above);
}

static void bowl_init(Sim* sim, Bowl* b, int dim, double cells, double wall_cells, double tilt, TensionScheme scheme)
{
    double dx = 1/cells;
    int across = (int)ceil(2*cells + 2*fmin(wall_cells, 6) + 3), high = (int)ceil(1.6*cells + fmin(wall_cells, 6) + 2);
    // off the grid's planes
    *b = (Bowl){{0.5*across*dx + 0.013, (1 + (fmin(wall_cells, 6) + 1.3)*dx), dim == 3 ? 0.5*across*dx : 0},
                1,
                wall_cells*dx,
                tilt};
    basin_init(sim, dim, across, high, across, dx);
    sim->model.settings.gravity[1] = -1;
    sim->model.settings.tension.scheme = scheme;
    sim->model.settings.advection = ADVECT_AUTO;
    sim->world.solids = (Solids){.solid = calloc(1, sizeof(Solid)), .count = 1, .any_moving = false};
    sim->world.solids.solid[0] =
        (Solid){.distance = bowl_distance, .shape = b, .pose = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    basin_add(sim, water_distance, b, (double[3]){0, 0, 0});
    sim->world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1e-3, .contact_angle = 0.5*PI};
    CHECK_OK(sim_start(sim));
}

static double wet_below_rim(const Sim* sim) { return sim->world.liquid_count == 1 ? sim->world.liquid[0].cells.volume : 0; }

typedef struct Swing {
    double period;  // s
    double energy;  // of motion, the most at any time, over what the tilt gave
} Swing;

// From zero crossings of the centre's place.
static Swing swing(int dim, double cells, double wall_cells, TensionScheme scheme, double end)
{
    Sim sim;
    Bowl b;
    bowl_init(&sim, &b, dim, cells, wall_cells, 0.02, scheme);
    double first = 0, last = 0, before = 0, volume = wet_below_rim(&sim);
    double given = 0.5*b.tilt*b.tilt*(dim == 3 ? PI/4 : 2/3.0);  // integral of (tilt x)^2/2 over the surface
    int crossings = 0;
    Swing out = {0};
    while (sim.world.time < end) {
        double t = sim.world.time;
        CHECK_OK(sim_step(&sim, fmin(0.15, end - t + 1e-6)));
        LiquidState here = liquid_state(&sim.world.liquid[0], &sim.scratch);
        double now = here.center[0] - b.middle[0];
        out.energy = fmax(out.energy, here.kinetic_energy/given);
        arena_reset(&sim.scratch);
        if (t > 0 && (before > 0) != (now > 0)) {
            last = t + (sim.world.time - t)*before/(before - now);
            if (crossings++ == 0) first = last;
        }
        before = now;
    }
    CHECK_TRUE(crossings > 2);
    CHECK_WITHIN(wet_below_rim(&sim), volume, 1e-9*volume);
    CHECK_TRUE(sim.world.liquid_count == 1 && sim.world.spray.count == 0);
    out.period = 2*(last - first)/(crossings - 1);
    sim_free(&sim);
    return out;
}

enum { BLOCK = 30 };  // cells

// Period against the tables, energy of motion against that in a bowl cut into a block.
static void check_walls(int dim, double cells, const double* wall, const TensionScheme* scheme, int count, double end,
                        double within)
{
    double exact = 2*PI/sqrt(dim == 3 ? 1.56016 : 1.35573), in_block = 0;
    for (int m = 0; m < count; m++) {
        Swing s = swing(dim, cells, wall[m], scheme[m], end);
        print_message("%dD, R = %g dx, wall %g dx, scheme %d: period %+.2f %%, energy %.3f\n", dim, cells, wall[m], scheme[m],
                      100*(s.period/exact - 1), s.energy);
        CHECK_WITHIN(s.period/exact, 1, within);
        if (wall[m] == BLOCK) in_block = s.energy;
        CHECK_WITHIN(s.energy/in_block, 1, 0.03);
    }
}

static void test_period_2d(void** state)
{
    (void)state;
    const double wall[] = {BLOCK, 3, 2, 3, BLOCK, 3};
    const TensionScheme scheme[] = {TENSION_EXPLICIT, TENSION_EXPLICIT, TENSION_EXPLICIT,
                                    TENSION_SPLIT,    TENSION_IMPLICIT, TENSION_IMPLICIT};
    check_walls(2, 24, wall, scheme, 6, 17, 0.01);
}

static void test_period_3d(void** state)
{
    (void)state;
    const double wall[] = {BLOCK, 3};
    const TensionScheme scheme[] = {TENSION_EXPLICIT, TENSION_EXPLICIT};
    check_walls(3, 12, wall, scheme, 2, 7, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_period_2d), cmocka_unit_test(test_period_3d)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

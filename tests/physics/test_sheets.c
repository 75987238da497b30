// Liquid beside sheets of no thickness.
#include "basin.h"
#include "liquid/sides.h"
#include "sheets.h"

typedef struct Levels {
    double high[2];  // m, on the side of the sheet's normal and on the other
    double middle[2], normal[2];
} Levels;

static double two_pools(const void* user, const double x[3])
{
    const Levels* l = user;
    bool back = (x[0] - l->middle[0])*l->normal[0] + (x[1] - l->middle[1])*l->normal[1] < 0;
    return x[1] - l->high[back];
}

static void side_volumes(double volume[2], Sim* sim)
{
    double surface[2];
    CHECK_OK(sides_measure(volume, surface, &sim->scratch, &sim->world.liquid[0]));
    arena_reset(&sim->scratch);
}

typedef struct Split {
    int dim;
    double tilt, offset;  // rad; cells
    double high[2];       // cells
    double below;         // cells: the sheet ends so far above the floor; 0: it does not end in the tank
    PressureKind op;
} Split;

// A tank of 48 by 32 cells of 1 mm, parted by a sheet from below its floor to above its lid, with water of another depth on either
// side: nothing moves, and nothing gets through. Water without tension, which would curve the surface at a tilted sheet.
static void split_tank(const Split* c)
{
    Sim sim;
    double dx = 1e-3, middle[3] = {(24 + c->offset)*dx, 16*dx, c->dim == 3 ? 4*dx : 0};
    basin_init(&sim, c->dim, 48, 32, c->dim == 3 ? 8 : 1, dx);
    sim.model.settings.op = c->op, sim.model.settings.tolerance = 1e-10;
    if (c->below > 0) middle[1] = c->below*dx + 0.1*cos(c->tilt);
    Surface f = flat_sheet(c->dim, middle, c->tilt, 0.1);
    sim.world.solids.sheets = &f.s;
    Levels levels = {.high = {c->high[0]*dx, c->high[1]*dx}, .middle = {middle[0], middle[1]}, .normal = {cos(c->tilt), sin(c->tilt)}};
    basin_add(&sim, two_pools, &levels, (double[3]){0, 0, 0});
    Liquid* q = &sim.world.liquid[0];
    q->material.sigma = q->material.mu = 0;
    for (int k = 0; k < window_node_layers(&q->w); k++)  // each side its own distance, which no one side could tell
        for (int j = 0; j <= q->w.n[1]; j++)
            for (int i = 0; i <= q->w.n[0]; i++)
                q->phi.v[window_at(&q->w, i, j, k)] =
                    clamp(two_pools(&levels, (double[3]){i*dx, j*dx, k*dx}), -liquid_band(q), liquid_band(q));
    CHECK_OK(sim_start(&sim));
    double before[2], after[2], fastest = 0, scale = sqrt(9.81*c->high[0]*dx);
    side_volumes(before, &sim);
    while (sim.world.time < (c->dim == 3 ? 0.1 : 0.5)) {
        CHECK_OK(sim_step(&sim, 2e-3));
        fastest = fmax(fastest, liquid_max_speed(&sim.world.liquid[0]));
    }
    side_volumes(after, &sim);
    print_message("%dD, %s, tilt %+3.0f, offset %.2f, %g and %g deep%s: fastest %.1e of sqrt(gH); sides changed by %+.1e, %+.1e\n", c->dim,
                  c->op == PRESSURE_CUT ? "cut" : "ghost", c->tilt*180/PI, c->offset, c->high[0], c->high[1],
                  c->below > 0 ? ", open below" : "", fastest/scale, after[0]/before[0] - 1, after[1]/before[1] - 1);
    CHECK_LESS(fastest, 1e-6*scale);
    for (int m = 0; m < 2 && c->below == 0; m++) CHECK_WITHIN(after[m]/before[m], 1, 1e-7);
    sim_free(&sim), surface_free(&f);
}

static const double OFFSET[4] = {0.02, 0.25, 0.5, 0.75};

static void test_split_tank(void** state)
{
    (void)state;
    for (int op = 0; op < 2; op++)
        for (int go = 0; go < 8; go++)
            split_tank(&(Split){2, (int[]){0, 20}[go/4]*PI/180, OFFSET[go%4], {20, 8}, 0, op == 0 ? PRESSURE_CUT : PRESSURE_GHOST});
    for (int go = 0; go < 8; go++)  // levels off the planes of the grid
        split_tank(&(Split){2, (int[]){20, -35}[go/4]*PI/180, OFFSET[go%4], {20.3, 8.4}, 0, go%2 ? PRESSURE_CUT : PRESSURE_GHOST});
}

// With a way below the sheet, from one side to the other, equal levels stay.
static void test_equal_levels(void** state)
{
    (void)state;
    for (int go = 0; go < 8; go++)
        split_tank(&(Split){2, (int[]){0, 20}[go/4]*PI/180, OFFSET[go%4], {20.3, 20.3}, 6.3, go%2 ? PRESSURE_CUT : PRESSURE_GHOST});
}

static void test_split_tank_3d(void** state)
{
    (void)state;
    for (int go = 0; go < 4; go++)
        split_tank(&(Split){3, (int[]){0, 20}[go%2]*PI/180, OFFSET[go], {20.3, 8.4}, 0, go%2 ? PRESSURE_CUT : PRESSURE_GHOST});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_split_tank), cmocka_unit_test(test_equal_levels),
                                       cmocka_unit_test(test_split_tank_3d)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

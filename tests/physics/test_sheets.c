// Liquid beside sheets of no thickness.
#include "basin.h"
#include "liquid/energy.h"
#include "liquid/sides.h"
#include "sheets.h"
#include "sided.h"

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

static double fastest_of(const Sim* sim)
{
    double most = 0;
    for (int q = 0; q < sim->world.liquid_count; q++) most = fmax(most, liquid_max_speed(&sim->world.liquid[q]));
    return most;
}

typedef struct Split {
    int dim;
    double tilt, offset;  // rad; cells
    double high[2];       // cells
    double below;         // cells: the sheet ends so far above the floor; 0: it does not end in the tank
    PressureKind op;
} Split;

// A tank of 48 by 32 cells of 1 mm, parted by a sheet, with water of another depth on either side. Without tension, which would
// curve the surface at a tilted sheet.
static void fill(Sim* sim, Surface* f, const Split* c, double mu)
{
    double dx = 1e-3, half = 0.1, middle[3] = {(24 + c->offset)*dx, 16*dx, c->dim == 3 ? 4*dx : 0};
    basin_init(sim, c->dim, 48, 32, c->dim == 3 ? 8 : 1, dx);
    sim->model.settings.op = c->op, sim->model.settings.tolerance = 1e-10;
    if (c->below > 0) middle[0] -= half*sin(c->tilt), middle[1] = c->below*dx + half*cos(c->tilt);
    *f = flat_sheet(c->dim, middle, c->tilt, half);
    sim->world.solids.sheets = &f->s;
    Levels levels = {
        .high = {c->high[0]*dx, c->high[1]*dx}, .middle = {middle[0], middle[1]}, .normal = {cos(c->tilt), sin(c->tilt)}};
    basin_add(sim, two_pools, &levels, (double[3]){0, 0, 0});
    Liquid* q = &sim->world.liquid[0];
    q->material.sigma = 0, q->material.mu = mu;
    for (int k = 0; k < window_node_layers(&q->w); k++)  // each side its own distance, which no one side could tell
        for (int j = 0; j <= q->w.n[1]; j++)
            for (int i = 0; i <= q->w.n[0]; i++)
                q->phi.v[window_at(&q->w, i, j, k)] =
                    clamp(two_pools(&levels, (double[3]){i*dx, j*dx, k*dx}), -liquid_band(q), liquid_band(q));
    CHECK_OK(sim_start(sim));
}

// Nothing moves, and nothing gets through.
static void split_tank(const Split* c)
{
    Sim sim;
    Surface f;
    fill(&sim, &f, c, 0);
    double dx = sim.model.tank.dx;
    double before[2], after[2], fastest = 0, scale = sqrt(9.81*c->high[0]*dx);
    side_volumes(before, &sim);
    while (sim.world.time < (c->dim == 3 ? 0.02 : 0.1)) {
        CHECK_OK(sim_step(&sim, 2e-3));
        fastest = fmax(fastest, fastest_of(&sim));
    }
    side_volumes(after, &sim);
    print_message(
        "%dD, %s, tilt %+3.0f, offset %.2f, %g and %g deep%s: fastest %.1e of sqrt(gH); sides changed by %+.1e, %+.1e\n", c->dim,
        c->op == PRESSURE_CUT ? "cut" : "ghost", c->tilt*180/PI, c->offset, c->high[0], c->high[1],
        c->below > 0 ? ", open below" : "", fastest/scale, after[0]/before[0] - 1, after[1]/before[1] - 1);
    CHECK_LESS(fastest, 1e-6*scale);
    for (int m = 0; m < 2 && c->below == 0; m++) CHECK_WITHIN(after[m]/before[m], 1, 1e-9);
    assert_int_equal(sim.world.liquid_count, c->below > 0 ? 1 : 2);
    assert_int_equal(sim.world.spray.count, 0);
    sim_free(&sim), surface_free(&f);
}

static const double OFFSET[4] = {0.02, 0.25, 0.5, 0.75};

static void test_split_tank(void** state)
{
    (void)state;
    for (int op = 0; op < 2; op++)
        for (int go = 0; go < 8; go++)
            split_tank(&(Split){
                2, (int[]){0, 20}[go/4]*PI/180, OFFSET[go%4], {20, 8}, 0, op == 0 ? PRESSURE_CUT : PRESSURE_GHOST});
    for (int go = 0; go < 8; go++)  // levels off the planes of the grid
        split_tank(&(Split){
            2, (int[]){20, -35}[go/4]*PI/180, OFFSET[go%4], {20.3, 8.4}, 0, go%2 ? PRESSURE_CUT : PRESSURE_GHOST});
}

// With a way below the sheet, from one side to the other, equal levels stay.
static void test_equal_levels(void** state)
{
    (void)state;
    for (int go = 0; go < 8; go++)
        split_tank(&(Split){
            2, (int[]){0, 20}[go/4]*PI/180, OFFSET[go%4], {20.3, 20.3}, 6.3, go%2 ? PRESSURE_CUT : PRESSURE_GHOST});
}

static void test_split_tank_3d(void** state)
{
    (void)state;
    for (int go = 0; go < 4; go++)
        split_tank(
            &(Split){3, (int[]){0, 20}[go%2]*PI/180, OFFSET[go], {20.3, 8.4}, 0, go%2 ? PRESSURE_CUT : PRESSURE_GHOST});
}

static double energy_of(Sim* sim)
{
    Energy e = {0};
    CHECK_OK(liquid_energy(&e, &sim->world.liquid[0], &sim->model, &sim->world.solids, &sim->scratch));
    arena_reset(&sim->scratch);
    return energy_sum(&e);
}

// Water 20 deep behind a sheet goes through below its rim to where it is 12 deep, and to and fro: no step is taken back for
// energy, the water keeps its volume, and in the end it is deeper than before on the other side.
static void test_flow_below(void** state)
{
    (void)state;
    for (int go = 0; go < 4; go++) {
        Sim sim;
        double volume[2], after[2], tilt = (go%2)*20*PI/180;
        Surface f;
        fill(&sim, &f, &(Split){2, tilt, OFFSET[go], {20.3, 12.4}, 6.3, PRESSURE_AUTO}, go < 2 ? 0 : 1e-3);
        double start = energy_of(&sim), most = 0;  // J/m: of the energy that has come from nowhere
        side_volumes(volume, &sim);
        for (int frame = 1; frame <= 20; frame++) {
            CHECK_OK(sim_advance(&sim, 0.025*frame));
            most = fmax(most, sim.world.energy.excess - sim.world.energy.least);
        }
        side_volumes(after, &sim);
        print_message(
            "tilt %+3.0f, mu %g: energy %.4f of the start, at most %.1e of it from nowhere; %.1f mm^2 have changed sides\n",
            tilt*180/PI, sim.world.liquid[0].material.mu, energy_of(&sim)/start, most/start,
            1e6*(after[1] - volume[1]));
        CHECK_LESS(most, 2e-3*start);
        CHECK_LESS(20e-6, after[1] - volume[1]);
        CHECK_WITHIN(sim_ledger_error(&sim), 0, 1e-10);
        assert_int_equal((int)(sim.undone.gained + sim.undone.failed + sim.undone.calmed), 0);
        sim_free(&sim), surface_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_split_tank), cmocka_unit_test(test_equal_levels),
                                       cmocka_unit_test(test_split_tank_3d), cmocka_unit_test(test_flow_below)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

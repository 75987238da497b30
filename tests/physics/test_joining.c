// Droplets that fall on a liquid bring it mass, volume and momentum where they arrive, and no energy that they did not have.
#include <stdlib.h>
#include "basin.h"
#include "check.h"
#include "liquid/energy.h"
#include "liquid/momentum.h"
#include "step/topology_step.h"
#include "step/volumes.h"

static const double DX = 1e-3;  // m

// A pool, or a hill of liquid, with this level (cells) at x = 0 and slope.
typedef struct Slope {
    double high, slope;
} Slope;

static double below_level(const void* user, const double x[3])
{
    const Slope* l = user;
    return (x[1] - l->high*DX - l->slope*x[0])/hypot(1, l->slope);
}

// All there is of liquids and spray: mass, momentum, mass times place, and energy. Mass is what is measured, not what is on the
// books.
typedef struct Total {
    double mass, momentum[3], moment[3], energy, potential;
} Total;

static Total total_of(Sim* sim)
{
    Total t = {0};
    Energy e;
    for (int m = 0; m < sim->world.liquid_count; m++) {
        const Liquid* q = &sim->world.liquid[m];
        LiquidState is = liquid_state(q, &sim->scratch);
        double mass = q->material.rho*is.volume;
        t.mass += mass;
        for (int d = 0; d < 3; d++) t.momentum[d] += mass*is.velocity[d], t.moment[d] += mass*is.center[d];
    }
    for (int m = 0; m < sim->world.spray.count; m++) {
        const Droplet* p = &sim->world.spray.drop[m];
        double mass = p->material.rho*p->volume;
        t.mass += mass;
        for (int d = 0; d < 3; d++) t.momentum[d] += mass*p->v[d], t.moment[d] += mass*p->x[d];
    }
    arena_reset(&sim->scratch);
    CHECK_OK(world_energy(&e, &sim->model, &sim->world, &sim->scratch));
    t.energy = energy_sum(&e), t.potential = e.potential;
    return t;
}

// The stages of a step in which droplets join.
static void let_join(Sim* sim)
{
    StepContext ctx = sim_context(sim);
    sim->report.energy = (EnergyBalance){0};
    CHECK_OK(topology_update(&ctx, &sim->kept[sim->kept_now]));
    CHECK_OK(volumes_restore(&ctx));
}

static void pool_init(Sim* sim, int dim, const Slope* slope, double rho)
{
    basin_init(sim, dim, 32, 24, 32, DX);
    basin_add(sim, below_level, slope, (double[3]){0, 0, 0});
    sim->world.liquid[0].material.rho = rho;
    CHECK_OK(sim_start(sim));
}

static double cell_volume(int dim) { return pow(DX, dim); }

// A droplet with its centre `deep` cells below the surface, above x = 8 cells.
static Droplet droplet_at(const Sim* sim, const Slope* slope, double deep, double cells, const double v[3])
{
    int dim = sim->model.tank.dim;
    Droplet p = {.x = {8*DX, (slope->high - deep)*DX + slope->slope*8*DX, dim == 3 ? 15*DX : 0},
                 .v = {v[0], v[1], dim == 3 ? v[2] : 0},
                 .volume = cells*cell_volume(dim),
                 .material = sim->world.liquid[0].material,
                 .kind = sim->world.liquid[0].kind};
    return p;
}

static void add_droplet(Sim* sim, const Droplet* p)
{
    CHECK_OK(spray_add(&sim->world.spray, p));
    sim->world.ledger.input += p->volume;
}

// A droplet falls on the foot of a slope of liquid at rest. Momentum is kept to rounding; what the droplet was is where it fell,
// within a cell, so that height is won by no more than the droplet was sunk and is high itself; and the impact loses energy. (The
// volume came out all over the surface: the droplet was lifted by the slope.)
static void check_droplet_joins(int dim, double cells, double speed)
{
    Sim sim;
    Slope slope = {6.3, 0.3};
    double deep = 0.2, v[3] = {0.5*speed, -speed, 0.2*speed};
    pool_init(&sim, dim, &slope, 1000);
    Droplet p = droplet_at(&sim, &slope, deep, cells, v);
    add_droplet(&sim, &p);
    double mass = p.volume*p.material.rho, radius = droplet_radius(&p, dim);
    Total before = total_of(&sim);
    let_join(&sim);
    Total after = total_of(&sim);
    double lifted = (after.potential - before.potential)/(mass*9.81), aside = (after.moment[0] - before.moment[0])/mass;
    print_message(
        "%dD, %g cells at %g m/s: lifted by %.2f cells, aside %.2f; energy %+.2e of the droplet's %.2e J; momentum off by "
        "%.1e; ledger %.1e\n",
        dim, cells, speed, lifted/DX, aside/DX, after.energy - before.energy, 0.5*mass*vec_dot(v, v),
        fabs(after.momentum[1] - before.momentum[1])/(mass*fmax(speed, 1e-9)), sim_ledger_error(&sim));
    assert_int_equal(sim.world.spray.count, 0);
    CHECK_CLOSE(after.mass, before.mass, 1e-10);
    for (int d = 0; d < dim; d++) CHECK_WITHIN(after.momentum[d], before.momentum[d], 1e-9*mass*speed + 1e-20);
    CHECK_LESS(lifted, deep*DX + radius);
    CHECK_LESS(fabs(aside), DX);
    CHECK_LESS(after.energy, before.energy);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
}

static void test_droplet_joins_where_it_falls(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        check_droplet_joins(dim, 0.01, 2);
        check_droplet_joins(dim, 1, 2);
        check_droplet_joins(dim, dim == 3 ? 7 : 3, 2);
        check_droplet_joins(dim, 1, 0);
    }
}

// A droplet that weighs a two-hundredth of honey, as much as 3 of its cells, falls on it. Mass adds (it had become honey, and the
// pool heavier by 200 droplets), and so does momentum; the books have as work what it takes to mix them.
static void check_light_droplet_joins(int dim)
{
    Sim sim;
    Slope flat = {8.4, 0};
    double v[3] = {0.3, -1, 0};
    pool_init(&sim, dim, &flat, 1400);
    Droplet p = droplet_at(&sim, &flat, 0.2, 3, v);
    p.material.rho = 7, p.kind = 1;
    add_droplet(&sim, &p);
    double mass = p.volume*p.material.rho;
    Total before = total_of(&sim);
    let_join(&sim);
    Total after = total_of(&sim);
    double won = after.energy - before.energy - sim.report.energy.work;
    print_message(
        "%dD, light on heavy: mass off by %.1e of the droplet's, momentum by %.1e, energy %+.2e of the droplet's %.2e J\n", dim,
        (after.mass - before.mass)/mass, (after.momentum[1] - before.momentum[1])/mass, won, 0.5*mass*1.09);
    assert_int_equal(sim.world.spray.count, 0);
    CHECK_WITHIN(after.mass, before.mass, 1e-6*mass);
    for (int d = 0; d < dim; d++) CHECK_WITHIN(after.momentum[d], before.momentum[d], 1e-6*mass);
    // as much of the pool as the droplet is large comes to lie where it fell, half a bump above the surface
    CHECK_LESS(won, p.volume*1400*9.81*DX);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
}

static void test_light_droplet_stays_light(void** state)
{
    (void)state;
    check_light_droplet_joins(2);
    check_light_droplet_joins(3);
}

// A droplet on a pool that is held apart from it stays a droplet. One that is lighter lies on the pool: it loses its motion
// towards it, which the pool gets, keeps that along it, and in time presses with its weight. One that is heavier falls through.
static void check_held_droplet(int dim, double rho)
{
    Sim sim;
    Slope flat = {8.4, 0};
    double v[3] = {0.3, -1, 0.1};
    pool_init(&sim, dim, &flat, 1000);
    CHECK_OK(merge_table_init(&sim.model.merge, 2, (MergePolicy){.rule = MERGE_HOLD}));
    Droplet p = droplet_at(&sim, &flat, 0.2, 2, v);
    p.material.rho = rho, p.kind = 1;
    add_droplet(&sim, &p);
    double mass = p.volume*rho;
    Total before = total_of(&sim);
    let_join(&sim);
    Total after = total_of(&sim);
    const Droplet* is = &sim.world.spray.drop[0];
    assert_int_equal(sim.world.spray.count, 1);
    print_message(
        "%dD, held apart, %g of the pool's density: %.3f cells high, falls at %.3g m/s, along %.3g; momentum off by %.1e, "
        "energy %+.1e of %.1e J\n",
        dim, rho/1000, is->x[1]/DX, -is->v[1], is->v[0], (after.momentum[1] - before.momentum[1])/mass,
        after.energy - before.energy, 0.5*mass*vec_dot(p.v, p.v));
    for (int d = 0; d < dim; d++) CHECK_WITHIN(after.momentum[d], before.momentum[d], 1e-9*mass);
    CHECK_LESS(after.energy, before.energy + 1e-12*before.energy);
    if (rho > 1000) {
        CHECK_CLOSE(is->v[1], v[1], 1e-12);
    } else {
        CHECK_WITHIN(is->x[1], flat.high*DX, 1e-6*DX);
        CHECK_LESS(fabs(is->v[1]), 0.3);
        CHECK_WITHIN(is->v[0], v[0], 1e-9);
    }
    sim_free(&sim);
}

static void test_held_droplet_stays_a_droplet(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        check_held_droplet(dim, 10);
        check_held_droplet(dim, 1000);
        check_held_droplet(dim, 5000);
    }
}

// A block of solid with a cavity, m: 10 by 6 cells (3D: by 10) around its middle, and 1.8 by 0.9 (by 1.8) in it.
static double block_with_cavity(const void* user, const double x[3])
{
    int dim = *(const int*)user;
    double block = -INFINITY, cavity = -INFINITY;
    static const double middle[3] = {16.1, 5.1, 16.2}, half[3] = {5, 3, 5}, room[3] = {0.9, 0.45, 0.9};
    for (int d = 0; d < dim; d++) {
        double away = fabs(x[d]/DX - middle[d]);
        block = fmax(block, away - half[d]), cavity = fmax(cavity, away - room[d]);
    }
    return DX*fmax(block, -cavity);
}

// Liquid in a cavity of less than four cells, shut off from the pool above it, is a droplet for the grid. It stays in the cavity:
// what lies below the surface does not come out on top, and nothing moves. All that it wins is the surface of the ball that a
// droplet is.
static void check_submerged_sliver(int dim)
{
    Sim sim;
    Slope flat = {16.4, 0};
    basin_init(&sim, dim, 32, 24, 32, DX);
    sim.world.solids = (Solids){.solid = calloc(1, sizeof(Solid)), .count = 1};
    sim.world.solids.solid[0] =
        (Solid){.distance = block_with_cavity, .shape = &dim, .pose = {.rotation = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    basin_add(&sim, below_level, &flat, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    Total before = total_of(&sim);
    double sliver = 0;
    for (int step = 0; step < 20; step++) {
        CHECK_OK(sim_step(&sim, 1e-4));
        sliver = fmax(sliver, spray_volume(&sim.world.spray));
    }
    Total after = total_of(&sim);
    double mass = 1000*sliver, radius = dim == 3 ? cbrt(3*sliver/(4*PI)) : sqrt(sliver/PI);
    double surface = 0.0728*(dim == 3 ? 4*PI*radius*radius : 2*PI*radius);
    print_message(
        "%dD, a sliver of %.3g cells under %.3g of pool: %d droplet(s), at %.2f cells; lifted by %.2f cells, energy %+.2e J, "
        "its surface %.2e; ledger %.1e\n",
        dim, sliver/cell_volume(dim), (before.mass - mass)/1000/cell_volume(dim), sim.world.spray.count,
        sim.world.spray.count > 0 ? sim.world.spray.drop[0].x[1]/DX : NAN,
        (after.potential - before.potential)/(mass*9.81)/DX, after.energy - before.energy, surface, sim_ledger_error(&sim));
    assert_true(sliver > 0.5*cell_volume(dim));
    CHECK_CLOSE(spray_volume(&sim.world.spray), sliver, 1e-12);
    CHECK_LESS(fabs(after.potential - before.potential), mass*9.81*0.1*DX);
    CHECK_LESS(after.energy - before.energy, surface + mass*9.81*0.1*DX);
    CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
}

static void test_submerged_sliver_stays_below(void** state)
{
    (void)state;
    check_submerged_sliver(2);
    check_submerged_sliver(3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_droplet_joins_where_it_falls), cmocka_unit_test(test_light_droplet_stays_light),
        cmocka_unit_test(test_held_droplet_stays_a_droplet), cmocka_unit_test(test_submerged_sliver_stays_below)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

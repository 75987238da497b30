// Parts and mergers of liquids beside sheets of no thickness: what a sheet separates has nothing to do with each other.
#include "basin.h"
#include "dice.h"
#include "liquid/energy.h"
#include "liquid/sides.h"
#include "liquid/topology.h"
#include "sheets.h"
#include "step/topology_step.h"

// A closed sheet in a tank, filled up to one level within and to another outside.
typedef struct Bowl {
    Surface f;
    double center[3], wave, phase, within, outside;
} Bowl;

static bool is_within(const Bowl* b, int dim, const double x[3])
{
    double r[3] = {x[0] - b->center[0], x[1] - b->center[1], dim == 3 ? x[2] - b->center[2] : 0};
    return vec_norm(r) < (dim == 3 ? 0.3 : radius_at(atan2(r[1], r[0]), b->wave, b->phase));
}

static double flat(const void* user, const double x[3])
{
    const Bowl* b = user;
    return x[1] - b->outside;
}

// A random bowl, filled: each side has its own level at its own nodes, which goes on past the sheet.
static void fill_bowl(Sim* sim, Bowl* b, int dim, int n, Dice* dice)
{
    *b = (Bowl){.wave = dim == 3 ? 0 : dice_number(dice, 0, 0.15), .phase = dice_number(dice, 0, 6.28)};
    for (int d = 0; d < dim; d++) b->center[d] = 0.5 + dice_number(dice, -0.04, 0.04);
    b->within = dice_number(dice, 0.45, 0.65), b->outside = dice_number(dice, 0.3, 0.4);
    b->f = dim == 3 ? closed_surface(24, b->center, 0) : closed_curve(60, b->center, b->wave, b->phase);
    basin_init(sim, dim, n, n, dim == 3 ? n : 1, 1.0/n);
    sim->world.solids.sheets = &b->f.s;
    basin_add(sim, flat, b, (double[3]){0, 0, 0});
    Liquid* q = &sim->world.liquid[0];
    q->material.sigma = 0;
    SheetCut cut;
    CHECK_OK(liquid_add_far(q));
    CHECK_OK(sheetcut_build(&cut, &sim->scratch, &b->f.s, &q->w, 3*q->w.dx, 3*q->w.dx));
    for (int k = 0; k < window_node_layers(&q->w); k++)
        for (int j = 0; j <= q->w.n[1]; j++)
            for (int i = 0; i <= q->w.n[0]; i++) {
                ptrdiff_t at = window_at(&q->w, i, j, k);
                double x[3] = {i*q->w.dx, j*q->w.dx, k*q->w.dx};
                bool in = cut.node[at] & SHEET_NEAR ? cut.psi[at] < 0 : is_within(b, dim, x);
                q->phi.v[at] = clamp(x[1] - (in ? b->within : b->outside), -liquid_band(q), liquid_band(q));
                q->phi_far.v[at] = clamp(x[1] - (in ? b->outside : b->within), -liquid_band(q), liquid_band(q));
            }
    arena_reset(&sim->scratch);
    CHECK_OK(liquid_rebuild(q, &sim->kept[0], &sim->world.solids));
}

// m^3 on the side of the normals and on the other.
static void side_volumes(double volume[2], const Liquid* q, Arena* arena)
{
    Sides s;
    CHECK_OK(sides_cut(&s, arena, q));
    for (int m = 0; m < 2; m++) volume[m] = s.view[m].cells.volume;
}

// What is inside a closed sheet and what is outside are two parts, whose volumes are those of the two sides; as liquids of their
// own each has its volume, to rounding, and nothing of the other. Largest error, relative to the whole.
static double part_bowl(int dim, int n, Dice* dice)
{
    Sim sim;
    Bowl b;
    fill_bowl(&sim, &b, dim, n, dice);
    Liquid* q = &sim.world.liquid[0];
    Arena* arena = &sim.scratch;
    double sides[2], worst = 0, whole = q->cells.volume, is[2];
    Parts parts;
    side_volumes(sides, q, arena);
    CHECK_OK(parts_find(&parts, arena, q));
    assert_int_equal(parts.count, 2);
    int inner = fabs(parts.part[0].volume - sides[1]) < fabs(parts.part[0].volume - sides[0]) ? 0 : 1;
    worst = fmax(fabs(parts.part[inner].volume - sides[1]), fabs(parts.part[!inner].volume - sides[0]));
    Liquid out;
    CHECK_OK(part_extract(&out, arena, q, &parts, 1, &sim.model.tank, &b.f.s));
    CHECK_OK(liquid_rebuild(&out, arena, &sim.world.solids));
    CHECK_OK(part_keep(q, arena, &parts, 0));
    CHECK_OK(liquid_rebuild(q, arena, &sim.world.solids));
    for (int m = 0; m < 2; m++) {
        const Liquid* part = m == 0 ? q : &out;
        int side = m == inner;
        assert_true(liquid_is_valid(part));
        side_volumes(is, part, arena);
        worst = fmax(worst, fmax(fabs(is[side] - sides[side]), fabs(is[!side])));
        Parts again;
        CHECK_OK(parts_find(&again, arena, part));
        assert_int_equal(again.count, 1);
    }
    assert_false(liquids_touch(q, &out));
    liquid_free(&out), surface_free(&b.f), sim_free(&sim);
    return worst/whole;
}

static void test_closed_sheets_part(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        Dice dice = dice_for(5, dim);
        double worst = 0;
        for (int go = 0; go < (dim == 2 ? 40 : 6); go++) worst = fmax(worst, part_bowl(dim, dim == 2 ? 48 : 24, &dice));
        print_message("%dD: inside and outside of random closed sheets as two liquids: volumes off by %.1e\n", dim, worst);
        CHECK_LESS(worst, 1e-12);
    }
}

// Discs beside a flat sheet through `foot` with the normal n: one side of them is kept (+1, -1), or both (0).
typedef struct Disc {
    double foot[2], n[2], center[2], radius;
    int keeps;
} Disc;

static double disc(const void* user, const double x[3])
{
    const Disc* d = user;
    double above = (x[0] - d->foot[0])*d->n[0] + (x[1] - d->foot[1])*d->n[1];
    return d->keeps*above < 0 ? 1 : hypot(x[0] - d->center[0], x[1] - d->center[1]) - d->radius;
}

// A tank of 1 m, 64 cells wide, with a sheet that ends `half` (m) from its middle, and two discs: radius 0.12 m, centres `along`
// the sheet from its middle and `above` it (m), with a velocity v along it.
typedef struct Pair {
    double tilt, half, along[2], above[2], v[2];
    int keeps[2];
} Pair;

static void fill_pair(Sim* sim, Surface* f, const Pair* p)
{
    double n[2] = {cos(p->tilt), sin(p->tilt)}, middle[3] = {0.507, 0.512, 0};
    *f = flat_sheet(2, middle, p->tilt, p->half);
    basin_init(sim, 2, 64, 64, 1, 1.0/64);
    sim->world.solids.sheets = &f->s, sim->model.settings.gravity[1] = 0;
    for (int m = 0; m < 2; m++) {
        Disc d = {.foot = {middle[0], middle[1]}, .n = {n[0], n[1]}, .radius = 0.12, .keeps = p->keeps[m]};
        for (int k = 0; k < 2; k++) d.center[k] = middle[k] + p->above[m]*n[k] + p->along[m]*(k == 0 ? -n[1] : n[0]);
        basin_add(sim, disc, &d, (double[3]){-p->v[m]*n[1], p->v[m]*n[0], 0});
        Liquid* q = &sim->world.liquid[m];
        q->material.sigma = 0;
        for (int j = 0; j <= q->w.n[1]; j++)  // each side its own distance, which no one side could tell
            for (int i = 0; i <= q->w.n[0]; i++)
                q->phi.v[window_at(&q->w, i, j, 0)] =
                    clamp(disc(&d, (double[3]){i*q->w.dx, j*q->w.dx, 0}), -liquid_band(q), liquid_band(q));
    }
    CHECK_OK(sim_start(sim));
}

static const double TILT[4] = {0, 0.35, 1.1, 2.5};

// Half discs in the same cells, but on two sides of a sheet, stay two liquids; on one side they become one. Where the sheet ends
// before them, liquids on its two sides meet around the rim and become one as well.
static void test_sheets_decide_who_merges(void** state)
{
    (void)state;
    for (int go = 0; go < 12; go++) {
        Sim sim;
        Surface f;
        Pair p = {.tilt = TILT[go%4], .half = 1, .along = {-0.05, 0.05}, .keeps = {1, go < 4 ? -1 : 1}};
        if (go >= 8) p.half = 0.05, p.keeps[0] = p.keeps[1] = 0, p.above[0] = 0.08, p.above[1] = -0.08, p.along[0] = 0.1;
        fill_pair(&sim, &f, &p);
        double before = sim.world.liquid[0].target_volume + sim.world.liquid[1].target_volume;
        StepContext ctx = sim_context(&sim);
        CHECK_OK(topology_update(&ctx, &sim.kept[0]));
        int wanted = go < 4 ? 2 : 1;
        print_message("tilt %.2f, %s: %d liquid%s, wanted %d\n", p.tilt,
                      go < 4   ? "two sides"
                      : go < 8 ? "one side"
                               : "around the rim",
                      sim.world.liquid_count, sim.world.liquid_count > 1 ? "s" : "", wanted);
        assert_int_equal(sim.world.liquid_count, wanted);
        double after = 0;
        for (int m = 0; m < wanted; m++) after += sim.world.liquid[m].target_volume;
        CHECK_CLOSE(after, before, 1e-12);
        CHECK_OK(sim_step(&sim, 1e-4));
        assert_int_equal(sim.world.liquid_count, wanted);
        sim_free(&sim), surface_free(&f);
    }
}

// Two discs that meet beside a sheet, without touching it, have their momentum together, and no more energy than they had.
static void test_merger_keeps_momentum(void** state)
{
    (void)state;
    for (int go = 0; go < 4; go++) {
        Sim sim;
        Surface f;
        fill_pair(&sim, &f, &(Pair){.tilt = TILT[go], .half = 1, .along = {-0.1, 0.1}, .above = {0.16, 0.2}, .v = {2, -1}});
        double momentum[2] = {0}, energy[2] = {0}, mass = 0;
        for (int m = 0; m < 2; m++) {
            LiquidState is = liquid_state(&sim.world.liquid[m], &sim.scratch);
            for (int d = 0; d < 2; d++) momentum[d] += is.momentum[d];
            energy[0] += is.kinetic_energy, mass += 1000*is.volume;
            arena_reset(&sim.scratch);
        }
        StepContext ctx = sim_context(&sim);
        CHECK_OK(topology_update(&ctx, &sim.kept[0]));
        assert_int_equal(sim.world.liquid_count, 1);
        LiquidState one = liquid_state(&sim.world.liquid[0], &sim.scratch);
        energy[1] = one.kinetic_energy;
        print_message("tilt %.2f: momentum %.6g, %.6g before, %.6g, %.6g after; energy %.4g, %.4g\n", TILT[go], momentum[0],
                      momentum[1], mass*one.velocity[0], mass*one.velocity[1], energy[0], energy[1]);
        for (int d = 0; d < 2; d++) CHECK_WITHIN(mass*one.velocity[d], momentum[d], 1e-9*mass);
        CHECK_LESS(energy[1], 1.0001*energy[0]);
        sim_free(&sim), surface_free(&f);
    }
}

// Droplets close to a sheet between a deep pool and a shallow one. What is in the deep one joins it there, and its volume comes
// out on that side; what is as low on the other side, in the air, does not join.
static void test_droplets_join_on_their_side(void** state)
{
    (void)state;
    for (int go = 0; go < 8; go++) {
        Sim sim;
        double dx = 1.0/48, tilt = TILT[go%2], n[2] = {cos(tilt), sin(tilt)}, middle[3] = {0.503, 0.51, 0}, before[2],
               after[2];
        Surface f = flat_sheet(2, middle, tilt, 2);
        Bowl pools = {.outside = 0.5};
        basin_init(&sim, 2, 48, 48, 1, dx);
        sim.world.solids.sheets = &f.s;
        basin_add(&sim, flat, &pools, (double[3]){0, 0, 0});
        Liquid* q = &sim.world.liquid[0];
        q->material.sigma = 0;
        for (int j = 0; j <= 48; j++)
            for (int i = 0; i <= 48; i++) {
                bool back = (i*dx - middle[0])*n[0] + (j*dx - middle[1])*n[1] < 0;
                q->phi.v[window_at(&q->w, i, j, 0)] = clamp(j*dx - (back ? 0.22 : 0.72), -liquid_band(q), liquid_band(q));
            }
        CHECK_OK(sim_start(&sim));
        StepContext ctx = sim_context(&sim);
        CHECK_OK(topology_update(&ctx, &sim.kept[0]));
        assert_int_equal(sim.world.liquid_count, 2);
        bool joins = go < 4;
        double beside = (joins ? 1 : -1)*(go/2%2 ? 0.1 : 0.4)*dx;
        Droplet drop = {.x = {middle[0] + beside*n[0], middle[1] + beside*n[1], 0},
                        .v = {0.1, -0.2, 0},
                        .volume = 0.5*dx*dx,
                        .material = sim.world.liquid[0].material};
        CHECK_OK(spray_add(&sim.world.spray, &drop));
        side_volumes(before, &sim.world.liquid[0], &sim.scratch);
        arena_reset(&sim.scratch);
        CHECK_OK(topology_update(&ctx, &sim.kept[0]));
        side_volumes(after, &sim.world.liquid[0], &sim.scratch);
        print_message("tilt %.2f, %+.1f cells from the sheet: %s; deep pool %+.6f cells, behind the sheet %g\n", tilt,
                      beside/dx, sim.world.spray.count == 0 ? "joined" : "did not join", (after[0] - before[0])/(dx*dx),
                      after[1]/(dx*dx));
        assert_int_equal(sim.world.spray.count, joins ? 0 : 1);
        assert_int_equal(sim.world.liquid_count, 2);
        CHECK_WITHIN((after[0] - before[0])/(dx*dx), joins ? 0.5 : 0, 1e-6);
        CHECK_WITHIN(after[1], 0, 0);
        sim_free(&sim), surface_free(&f);
    }
}

// Droplets that have grown become liquids, on their side of a sheet alone: the ball that has its volume there.
static void test_droplets_grow_on_their_side(void** state)
{
    (void)state;
    for (int go = 0; go < 8; go++) {
        Sim sim;
        double dx = 1.0/48, tilt = TILT[go%4], n[2] = {cos(tilt), sin(tilt)}, middle[3] = {0.503, 0.51, 0}, sides[2];
        double beside = (go < 4 ? 1 : -1)*0.7*dx;
        Surface f = flat_sheet(2, middle, tilt, 2);
        basin_init(&sim, 2, 48, 48, 1, dx);
        sim.world.solids.sheets = &f.s;
        Droplet drop = {
            .x = {middle[0] + beside*n[0], middle[1] + beside*n[1], 0}, .volume = 12*dx*dx, .material.rho = 1000};
        CHECK_OK(spray_add(&sim.world.spray, &drop));
        StepContext ctx = sim_context(&sim);
        CHECK_OK(topology_update(&ctx, &sim.kept[0]));
        assert_int_equal(sim.world.liquid_count, 1);
        side_volumes(sides, &sim.world.liquid[0], &sim.scratch);
        print_message("tilt %.2f, %+.1f cells from the sheet: %.2f cells on its side, %g on the other\n", tilt, beside/dx,
                      sides[go >= 4]/(dx*dx), sides[go < 4]/(dx*dx));
        CHECK_CLOSE(sides[go >= 4], drop.volume, 0.03);
        CHECK_WITHIN(sides[go < 4], 0, 0);
        sim_free(&sim), surface_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed_sheets_part), cmocka_unit_test(test_sheets_decide_who_merges),
                                       cmocka_unit_test(test_merger_keeps_momentum),
                                       cmocka_unit_test(test_droplets_join_on_their_side),
                                       cmocka_unit_test(test_droplets_grow_on_their_side)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

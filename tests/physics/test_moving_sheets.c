// Sheets of no thickness that move by a script, and the liquid on their sides.
#include "basin.h"
#include "liquid/energy.h"
#include "liquid/sheet_motion.h"
#include "liquid/sides.h"
#include "sheets.h"
#include "sided.h"

// Where a sheet is at time t: x = v t + swing (1 - cos(omega t)), turned by spin t about the z axis.
typedef struct Way {
    double v[3], swing[3], omega, spin, pivot[3];
} Way;

static mn_status pose_on_way(Pose* pose, void* user, int mover, double t)
{
    const Way* way = user;
    double x[3], turn[3] = {0, 0, way->spin*t};
    (void)mover;
    for (int d = 0; d < 3; d++) x[d] = way->v[d]*t + way->swing[d]*(1 - cos(way->omega*t));
    *pose = pose_at(x, turn);
    return MN_OK;
}

static void set_moving(Sim* sim, const Surface* f, Way* way)
{
    Pose start, soon;
    SheetMover mover = {.count = f->s.vertices, .pivot = {way->pivot[0], way->pivot[1], way->pivot[2]}};
    CHECK_OK(pose_on_way(&start, way, 0, 0));
    CHECK_OK(pose_on_way(&soon, way, 0, 1e-6));
    sheet_mover_move(&mover, &start, &soon, 1e-6);
    CHECK_OK(sheets_set_moving(&sim->world.solids, &f->s, &mover, 1));
    sim->model.functions.sheet_pose = pose_on_way, sim->model.functions.user = way;
}

// Largest difference, m/s, of a wet face of either side from a velocity.
static double most_off(Sim* sim, const double v[3])
{
    double most = 0;
    for (int l = 0; l < sim->world.liquid_count; l++) {
        const Liquid* q = &sim->world.liquid[l];
        const Spans* spans = &q->spans;
        Sides s;
        CHECK_OK(sides_cut(&s, &sim->scratch, q));
        for (int m = 0; m < 2; m++)
            for (int r = 0; r < spans->rows; r++)
                SPAN_LOOP(spans, r, n)
                    for (int i = spans->span[n].i0; i < spans->span[n].i1; i++) {
                        ptrdiff_t at = window_at(&q->w, i, r%spans->rows_y, r/spans->rows_y);
                        bool last[3] = {i >= q->w.n[0], r%spans->rows_y >= q->w.n[1],
                                        q->w.dim == 3 && r/spans->rows_y >= q->w.n[2]};
                        for (int d = 0; d < q->w.dim; d++) {
                            bool is_face = true;
                            for (int e = 0; e < 3; e++) is_face = is_face && (e == d || !last[e]);
                            if (is_face && s.view[m].cells.area[d][at] > 0) most = fmax(most, fabs(s.view[m].u[d].v[at] - v[d]));
                        }
                    }
        arena_reset(&sim->scratch);
    }
    return most;
}

// ---- a piston --------------------------------------------------------------------------------------------------------------

typedef struct Slug {
    double middle[2], normal[2], front;  // m: of the piston, and the free surface
} Slug;

static double slug_phi(const void* user, const double x[3])
{
    const Slug* s = user;
    bool behind = (x[0] - s->middle[0])*s->normal[0] + (x[1] - s->middle[1])*s->normal[1] < 0;
    return behind ? 1 : x[0] - s->front;
}

// A sheet pushes water along a channel, without gravity: the water moves as the sheet does, in steps of any length, whatever the
// tilt of the sheet and wherever it crosses the planes of the grid.
static void push_slug(int dim, double cfl, double offset, double tilt, PressureKind op)
{
    Sim sim;
    double dx = 1e-3, dt = 0.95*cfl*dx/0.1, off, worst = 0;
    Way way = {.v = {0.1, 0, 0}};
    basin_init(&sim, dim, dim == 3 ? 48 : 96, dim == 3 ? 12 : 24, 8, dx);
    sim.model.settings.gravity[1] = 0, sim.model.settings.op = op, sim.model.settings.cfl = cfl;
    sim.model.settings.tolerance = 1e-10, sim.model.settings.max_dt = dt;
    double start = (dim == 3 ? 12 : 20) + offset, front = (dim == 3 ? 24.3 : 40.3)*dx;
    double middle[3] = {start*dx, (dim == 3 ? 6 : 12)*dx, dim == 3 ? 4*dx : 0};
    Surface f = flat_sheet(dim, middle, tilt, 0.1);
    set_moving(&sim, &f, &way);
    Slug slug = {{middle[0], middle[1]}, {cos(tilt), sin(tilt)}, front};
    fill_nodes(&sim, slug_phi, &slug, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    worst = most_off(&sim, way.v);  // pushed at once, all of it has the sheet's velocity
    while (sim.world.time < (dim == 3 ? 0.05 : 0.2)) {
        CHECK_OK(sim_step(&sim, dt));
        off = most_off(&sim, way.v), worst = fmax(worst, off);
    }
    LiquidState state = liquid_state(&sim.world.liquid[0], &sim.scratch);
    print_message("%dD, %s, cfl %.1f, offset %.2f, tilt %+3.0f: off by %.1e of the sheet's speed, front by %+.1e cells\n", dim,
                  op == PRESSURE_CUT ? "cut" : "ghost", cfl, offset, tilt*180/PI, worst/0.1,
                  (state.high[0] - front - 0.1*sim.world.time)/dx);
    CHECK_LESS(worst, 1e-7*0.1);
    CHECK_WITHIN(state.high[0], front + 0.1*sim.world.time, 1e-4*dx);
    CHECK_WITHIN(sim_ledger_error(&sim), 0, 1e-10);
    assert_int_equal(sim.world.liquid_count, 1);
    sim_free(&sim), surface_free(&f);
}

static void test_piston(void** state)
{
    (void)state;
    const double cfl[3] = {0.5, 1, 3}, offset[4] = {0.02, 0.25, 0.5, 0.75}, tilt[4] = {0, 20, -35, 45};
    for (int go = 0; go < 24; go++)
        push_slug(2, cfl[go%3], offset[go/3%4], tilt[(go + go/4)%4]*PI/180, go%2 ? PRESSURE_CUT : PRESSURE_GHOST);
    for (int go = 0; go < 3; go++)
        push_slug(3, cfl[go], offset[go + 1], tilt[go]*PI/180, go%2 ? PRESSURE_CUT : PRESSURE_GHOST);
}

// ---- a cup -----------------------------------------------------------------------------------------------------------------

typedef struct Cup {
    double middle[2], turn;   // m, rad
    double low, half, level;  // m: bottom below the middle, half the width, height of the water
} Cup;

static double coffee_phi(const void* user, const double x[3])
{
    const Cup* c = user;
    double a[2] = {x[0] - c->middle[0], x[1] - c->middle[1]};
    double across = cos(c->turn)*a[0] + sin(c->turn)*a[1], up = cos(c->turn)*a[1] - sin(c->turn)*a[0];
    return fabs(across) < c->half && up > -c->low ? x[1] - c->level : 1;
}

static Surface cup_sheet(const Cup* c, double high)
{
    double corner[4][2] = {{-c->half, high}, {-c->half, -c->low}, {c->half, -c->low}, {c->half, high}};
    for (int m = 0; m < 4; m++) {
        double a = corner[m][0], b = corner[m][1];
        corner[m][0] = c->middle[0] + cos(c->turn)*a - sin(c->turn)*b;
        corner[m][1] = c->middle[1] + sin(c->turn)*a + cos(c->turn)*b;
    }
    return open_curve((const double(*)[2])corner, 4);
}

static const double COFFEE = 12e-3;  // m, the scale of the speeds below: about its depth

// The cup with its coffee, at its start.
static Surface fill_cup(Sim* sim, const Cup* c, double cfl, PressureKind op, Way* way)
{
    double dx = 1e-3;
    basin_init(sim, 2, 96, 48, 1, dx);
    sim->model.settings.op = op, sim->model.settings.cfl = cfl, sim->model.settings.tolerance = 1e-10;
    Surface f = cup_sheet(c, 16*dx);
    set_moving(sim, &f, way);
    fill_nodes(sim, coffee_phi, c, way->v);
    return f;
}

// Coffee in a cup that moves with one velocity lies still in it (Galileo), and the cup's work is m g h.
static void carry_cup(double cfl, double turn, double vx, double vy, PressureKind op)
{
    Sim sim;
    double dx = 1e-3, worst = 0, speed = sqrt(9.81*COFFEE);
    Way way = {.v = {vx, vy, 0}};
    Cup cup = {{30*dx, 12*dx}, turn, 6.2*dx, 9.65*dx, 14.3*dx};
    Surface f = fill_cup(&sim, &cup, cfl, op, &way);
    CHECK_OK(sim_start(&sim));
    while (sim.world.time < 0.2) {
        CHECK_OK(sim_step(&sim, 0.2 - sim.world.time));
        worst = fmax(worst, most_off(&sim, way.v));
    }
    double lift = 1000*9.81*sim_volume(&sim)*vy*sim.world.time, work = sim.world.energy.work;
    print_message("%s, cfl %.1f, turned %+3.0f, %+.2f %+.2f m/s: off by %.1e of sqrt(gH); work %.4e J/m, m g h %.4e\n",
                  op == PRESSURE_CUT ? "cut" : "ghost", cfl, turn*180/PI, vx, vy, worst/speed, work, lift);
    CHECK_LESS(worst, 1e-5*speed);
    CHECK_WITHIN(sim_ledger_error(&sim), 0, 1e-10);
    if (vy > 0) CHECK_CLOSE(work, lift, 0.005);
    CHECK_LESS(sim.world.energy.excess - sim.world.energy.least, 0.01*sim.report.energy.after.potential);
    assert_int_equal((int)(sim.undone.gained + sim.undone.failed + sim.undone.calmed), 0);
    assert_int_equal(sim.world.liquid_count + sim.world.spray.count, 1);
    sim_free(&sim), surface_free(&f);
}

static void test_carried_cup(void** state)
{
    (void)state;
    const double cfl[3] = {0.5, 1.5, 3};
    for (int go = 0; go < 3; go++) {
        PressureKind op = go%2 ? PRESSURE_GHOST : PRESSURE_CUT;
        carry_cup(cfl[go], 0, 0.1, 0, op);
        carry_cup(cfl[go], 0, 0, 0.05, op);
        carry_cup(cfl[go], 15*PI/180, 0.1, 0.05, op);
    }
}

// A cup is tilted by 22 degrees, about a point in it: its coffee stays level and in it, and gains no energy from nowhere.
static void test_tilted_cup(void** state)
{
    (void)state;
    const double cfl[3] = {0.5, 1.5, 3};
    for (int go = 0; go < 3; go++) {
        Sim sim;
        double dx = 1e-3, most = 0;
        Way way = {.spin = -PI/4, .pivot = {30*dx, 12*dx}};
        Cup cup = {{30*dx, 12*dx}, 0, 6.2*dx, 9.65*dx, 14.3*dx};
        Surface f = fill_cup(&sim, &cup, cfl[go], go%2 ? PRESSURE_GHOST : PRESSURE_CUT, &way);
        CHECK_OK(sim_start(&sim));
        double start = sim.world.ledger.input;
        while (sim.world.time < 0.5) {
            CHECK_OK(sim_step(&sim, 0.5 - sim.world.time));
            most = fmax(most, sim.world.energy.excess - sim.world.energy.least);
        }
        LiquidState s = liquid_state(&sim.world.liquid[0], &sim.scratch);
        // a level surface over the turned cup: in its middle the depth along the cup's axis is V/(2 half)
        double depth = start/(2*cup.half) - cup.low, level = cup.middle[1] + depth*cos(-way.spin*0.5);
        print_message("cfl %.1f: level %.3f cells, by the area %.3f; from nowhere %.1e of the energy\n", cfl[go], s.high[1]/dx,
                      level/dx, most/sim.report.energy.after.potential);
        CHECK_WITHIN(s.high[1], level, 0.3*dx);
        CHECK_LESS(most, 0.01*sim.report.energy.after.potential);
        CHECK_WITHIN(sim_ledger_error(&sim), 0, 1e-10);
        assert_int_equal((int)(sim.undone.gained + sim.undone.failed), 0);
        assert_int_equal(sim.world.liquid_count + sim.world.spray.count, 1);
        sim_free(&sim), surface_free(&f);
    }
}

// ---- a paddle --------------------------------------------------------------------------------------------------------------

static double pool_phi(const void* user, const double x[3]) { return x[1] - *(const double*)user; }

// A wall of no thickness swings by 1.5 cells to either side, four times a second, between two pools: each keeps its volume.
static void swing_wall(double cfl, double tilt, PressureKind op)
{
    Sim sim;
    double dx = 1e-3, level = 14.3*dx, volume[2], sum = 0, most = 0;
    Way way = {.swing = {1.5*dx, 0, 0}, .omega = 2*PI*4};
    basin_init(&sim, 2, 48, 32, 1, dx);
    sim.model.settings.op = op, sim.model.settings.cfl = cfl;
    Surface f = flat_sheet(2, (double[3]){24.3*dx, level, 0}, tilt, 0.1);
    set_moving(&sim, &f, &way);
    fill_nodes(&sim, pool_phi, &level, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    volume[0] = volume[1] = 0;
    while (sim.world.time < 0.5) {
        CHECK_OK(sim_step(&sim, 0.5 - sim.world.time));
        sum += sim.report.volume_correction;
        most = fmax(most, sim.world.energy.excess - sim.world.energy.least);
        if (volume[0] == 0)
            for (int m = 0; m < 2; m++) volume[m] = sim.world.liquid[m].target_volume;
    }
    print_message("%s, cfl %.1f, tilt %+3.0f: corrections %.1e in all; work %.2e J/m, from nowhere %.1e of it\n",
                  op == PRESSURE_CUT ? "cut" : "ghost", cfl, tilt*180/PI, sum, sim.world.energy.work,
                  most/sim.world.energy.work);
    assert_int_equal(sim.world.liquid_count, 2);
    for (int m = 0; m < 2; m++) CHECK_WITHIN(sim.world.liquid[m].cells.volume/volume[m], 1, 1e-10);
    CHECK_WITHIN(volume[0] + volume[1], sim.world.ledger.input, 1e-12*sim.world.ledger.input);
    CHECK_LESS(0, sim.world.energy.work);
    CHECK_LESS(sum, 2e-2);
    CHECK_LESS(most, 0.1*sim.world.energy.work);
    sim_free(&sim), surface_free(&f);
}

static void test_swinging_wall(void** state)
{
    (void)state;
    const double cfl[3] = {0.5, 1.5, 3};
    for (int go = 0; go < 6; go++) swing_wall(cfl[go%3], go/3*15*PI/180, go%2 ? PRESSURE_GHOST : PRESSURE_CUT);
}

// A plate below the surface that starts to move across itself sets liquid in motion at once, with the energy of its added mass,
// rho pi a^2 per length for half its width a [lamb1932]. Past its rims the flow is singular, and the error of first order.
static void test_added_mass(void** state)
{
    (void)state;
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        Sim sim;
        int scale = fine ? 2 : 1;
        double dx = 1e-3/scale, level = 72.3e-3, half = 8e-3;
        Way way = {.v = {0.1, 0, 0}};
        basin_init(&sim, 2, 96*scale, 96*scale, 1, dx);
        sim.model.settings.op = PRESSURE_CUT, sim.model.settings.tolerance = 1e-8;
        Surface f = flat_sheet(2, (double[3]){48.3e-3, 40.2e-3, 0}, 0, half);
        set_moving(&sim, &f, &way);
        fill_nodes(&sim, pool_phi, &level, (double[3]){0, 0, 0});
        CHECK_OK(sim_start(&sim));
        double kinetic;
        CHECK_OK(liquid_kinetic(&kinetic, &sim.world.liquid[0], &sim.scratch));
        double mass = 2*kinetic/(0.1*0.1), exact = 1000*PI*half*half;
        error[fine] = mass/exact - 1;
        print_message("added mass of a plate of %d cells: %.4f of rho pi a^2\n", 16*scale, mass/exact);
        sim_free(&sim), surface_free(&f);
    }
    CHECK_WITHIN(error[1], 0, 0.06);
    CHECK_WITHIN(2*error[1] - error[0], 0, 0.02);
}

// A plate that turns below the surface for a turn: one liquid that keeps its volume, no step taken back.
static void test_stirring(void** state)
{
    (void)state;
    for (int go = 0; go < 2; go++) {
        Sim sim;
        double dx = 1e-3, level = 24.3*dx, sum = 0;
        Way way = {.spin = 2*PI, .pivot = {48.3*dx, 12*dx}};
        basin_init(&sim, 2, 96, 40, 1, dx);
        sim.model.settings.op = go ? PRESSURE_GHOST : PRESSURE_CUT;
        Surface f = flat_sheet(2, way.pivot, 0, 6*dx);
        set_moving(&sim, &f, &way);
        fill_nodes(&sim, pool_phi, &level, (double[3]){0, 0, 0});
        CHECK_OK(sim_start(&sim));
        while (sim.world.time < 1) {
            CHECK_OK(sim_step(&sim, 1 - sim.world.time));
            sum += sim.report.volume_correction;
        }
        print_message("corrections in a turn %.1e; work %.2e J/m, moving %.2e\n", sum, sim.world.energy.work,
                      sim.report.energy.after.kinetic);
        CHECK_LESS(sum, 1e-3);
        CHECK_LESS(sim.report.energy.after.kinetic, sim.world.energy.work + 1e-5);
        CHECK_WITHIN(sim_ledger_error(&sim), 0, 1e-10);
        assert_int_equal((int)(sim.undone.gained + sim.undone.failed + sim.undone.calmed), 0);
        assert_int_equal(sim.world.liquid_count + sim.world.spray.count, 1);
        sim_free(&sim), surface_free(&f);
    }
}

// ---- state -----------------------------------------------------------------------------------------------------------------

// A step that is taken back has left nothing behind: sheets, too, are where they were.
static void test_undo(void** state)
{
    (void)state;
    Sim sim;
    double dx = 1e-3;
    Way way = {.swing = {2*dx, dx, 0}, .omega = 2*PI*4, .spin = 1, .pivot = {30*dx, 12*dx}};
    Cup cup = {{30*dx, 12*dx}, 0, 6.2*dx, 9.65*dx, 14.3*dx};
    Surface f = fill_cup(&sim, &cup, 1.5, PRESSURE_AUTO, &way);
    CHECK_OK(sim_start(&sim));
    for (int n = 0; n < 5; n++) CHECK_OK(sim_step(&sim, 1e-2));
    uint64_t before = world_hash(&sim.world, &sim.model.tank), after[2];
    double x = sim.world.solids.sheets->x[0];
    CHECK_OK(sim_step(&sim, 1e-2));
    after[0] = world_hash(&sim.world, &sim.model.tank);
    assert_true(after[0] != before && sim.world.solids.sheets->x[0] != x);
    CHECK_OK(sim_undo_step(&sim));
    assert_true(world_hash(&sim.world, &sim.model.tank) == before && sim.world.solids.sheets->x[0] == x);
    CHECK_OK(sim_step(&sim, 1e-2));
    after[1] = world_hash(&sim.world, &sim.model.tank);
    assert_true(after[0] == after[1]);
    sim_free(&sim), surface_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_piston),     cmocka_unit_test(test_carried_cup),
                                       cmocka_unit_test(test_tilted_cup), cmocka_unit_test(test_swinging_wall),
                                       cmocka_unit_test(test_added_mass), cmocka_unit_test(test_stirring),
                                       cmocka_unit_test(test_undo)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

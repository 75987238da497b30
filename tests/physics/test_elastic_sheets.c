// Elastic sheets and the liquid on their sides.
#include "basin.h"
#include "liquid/energy.h"
#include "liquid/sheet_motion.h"
#include "liquid/sides.h"
#include "sheets.h"
#include "sided.h"
#include "thin/sheet_partner.h"
#include "thin/thin_shapes.h"

// A chain becomes the sheet of a simulation. held: per vertex; NULL: none is.
static Surface add_chain(Sim* sim, const double (*point)[2], int n, const SheetMaterial* material, const unsigned char* held,
                         const ThinForces* f)
{
    Surface s = open_curve(point, n);
    ThinMesh mesh = {.dim = 2};
    CHECK_OK(thin_add_chain(&mesh, s.x, n, material));
    for (int m = 0; held && m < n; m++) mesh.held[m] |= held[m];
    CHECK_OK(sheets_set_moving(&sim->world.solids, &s.s, NULL, 0));
    CHECK_OK(sheet_partner_add(&sim->world, &mesh, NULL, f));
    return s;
}

// ---- a column on a hammock -------------------------------------------------------------------------------------------------

typedef struct Hammock {
    int dim;
    double offset, high;  // cells: of the sheet from a plane of the grid, of the water on it
    double density;       // kg/m^2
    double cfl;
    PressureKind op;
} Hammock;

static double column_phi(const void* user, const double x[3])
{
    const double* level = user;  // top, bottom
    return x[1] < level[1] ? 1 : x[1] - level[0];
}

static Surface hang_2d(Sim* sim, double y, const SheetMaterial* stuff, const ThinForces* f)
{
    enum { N = 25 };
    double point[N][2], dx = sim->model.tank.dx;
    unsigned char held[N] = {[0] = HELD, [N - 1] = HELD};
    for (int m = 0; m < N; m++) point[m][0] = m*dx, point[m][1] = y;
    return add_chain(sim, point, N, stuff, held, f);
}

// The same in 3D, held along its whole rim.
static Surface hang_3d(Sim* sim, double y, const SheetMaterial* stuff, const ThinForces* f)
{
    double dx = sim->model.tank.dx, a = sim->model.tank.n[0]*dx, b = sim->model.tank.n[2]*dx;
    SheetShape shape;
    ThinMesh mesh = {.dim = 3};
    CHECK_OK(sheet_rectangle(&shape, (double[3]){0, y, 0}, (double[3]){0, 0, b}, (double[3]){a, 0, 0}, dx));
    CHECK_OK(thin_add_sheet(&mesh, shape.x, shape.vertices, (const int(*)[3])shape.triangle, shape.triangles, stuff));
    for (int m = 0; m < mesh.vertices; m++) {
        const double* x = mesh.x + 3*m;
        if (fmin(fmin(x[0], a - x[0]), fmin(x[2], b - x[2])) < 0.01*dx) mesh.held[m] = HELD;
    }
    Surface s = {
        shape.x, &shape.triangle[0][0], {3, shape.x, shape.vertices, &shape.triangle[0][0], shape.triangles, NULL, NULL}};
    CHECK_OK(sheets_set_moving(&sim->world.solids, &s.s, NULL, 0));
    CHECK_OK(sheet_partner_add(&sim->world, &mesh, NULL, f));
    return s;
}

// Water stands on a sheet from wall to wall: what holds the sheet bears its weight, and no water is below.
static void hold_column(const Hammock* h)
{
    Sim sim;
    bool flat = h->dim == 2;
    double dx = 1e-3, y = (12 + h->offset)*dx, level[2] = {y + h->high*dx, y}, volume[2];
    basin_init(&sim, h->dim, flat ? 24 : 12, flat ? 64 : 32, 10, dx);
    sim.model.settings.op = h->op, sim.model.settings.tolerance = 1e-8, sim.model.settings.cfl = h->cfl;
    SheetMaterial stuff = {.density = h->density/1e-4, .young = 2e6, .poisson = 0, .thickness = 1e-4};
    ThinForces f = {.damp_mass = flat ? 40 : 20};
    Surface s = flat ? hang_2d(&sim, y, &stuff, &f) : hang_3d(&sim, y, &stuff, &f);
    fill_nodes(&sim, column_phi, level, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    SheetPartner* p = sheet_partner_of(&sim.world);
    double mean = 0, time = 0, end = flat ? 0.6 : 0.12, mass = 0, below = 0;
    int solves = 0;
    while (sim.world.time < end) {
        CHECK_OK(sim_step(&sim, end - sim.world.time));
        solves += p->report.rounds;
        if (sim.world.time > 0.5*end) mean += sim.report.dt*p->report.thin.reaction[1], time += sim.report.dt;
        side_volumes(volume, &sim);
        below = fmax(below, volume[1]);
    }
    for (int m = 0; m < p->mesh.vertices; m++) mass += p->mesh.mass[m];
    double weight = 9.81*(1000*sim.world.ledger.input + mass), borne = -mean/time/weight;
    print_message("%dD, %s, cfl %.1f, %2.0f cells, offset %.2f, %.4f kg/m^2: held by %.5f of the weight; below %.1e; %ld steps, "
                  "%.2f solves each; taken back %ld %ld %ld\n",
                  h->dim, h->op == PRESSURE_CUT ? "cut" : "ghost", h->cfl, h->high, h->offset, h->density, borne, below,
                  sim.world.step, (double)solves/(double)sim.world.step, sim.undone.gained, sim.undone.failed,
                  sim.undone.too_far);
    CHECK_WITHIN(borne, 1, 2e-3);
    assert_true(below == 0);
    CHECK_WITHIN(sim_ledger_error(&sim), 0, 1e-10);
    CHECK_LESS(solves, 2*sim.world.step);
    assert_int_equal((int)sim.undone.calmed, 0);
    sim_free(&sim), surface_free(&s);
}

static void test_column(void** state)
{
    (void)state;
    const Hammock h[] = {{2, 0.30, 8, 0.1, 1.5, PRESSURE_CUT},
                         {2, 0.02, 16, 0.1, 0.5, PRESSURE_GHOST},
                         {2, 0.55, 32, 1e-4, 3, PRESSURE_CUT},
                         {2, 0.75, 16, 1e-2, 1, PRESSURE_GHOST},
                         {3, 0.30, 8, 0.1, 1.5, PRESSURE_GHOST}};
    for (size_t m = 0; m < sizeof h/sizeof *h; m++) hold_column(&h[m]);
}

// ---- a wall between two levels ---------------------------------------------------------------------------------------------

typedef struct Levels {
    double x, high[2];  // m: of the wall; of the water left and right of it
} Levels;

static double two_pools(const void* user, const double x[3])
{
    const Levels* l = user;
    return x[1] - l->high[x[0] > l->x];
}

// Of a beam clamped at y = foot with a load q(y) on it: w(L) = int q s^2 (3 L - s)/(6 D) ds, s = y - foot.
static double tip_by_theory(double foot, double length, double stiffness, const double high[2])
{
    double sum = 0;
    int pieces = 2000;
    for (int m = 0; m < pieces; m++) {
        double y = (m + 0.5)*length/pieces, q = 9810*(fmax(high[0] - foot - y, 0) - fmax(high[1] - foot - y, 0));
        sum += q*y*y*(3*length - y)/(6*stiffness)*length/pieces;
    }
    return sum;
}

// A wall clamped at its foot between two levels of water bends as a beam.
static void test_wall_between_levels(void** state)
{
    (void)state;
    for (int go = 0; go < 2; go++) {
        enum { N = 57 };
        Sim sim;
        double dx = 1e-3, point[N][2], volume[2], offset = go ? 0.55 : 0.2;
        unsigned char held[N] = {HELD, HELD};
        basin_init(&sim, 2, 48, 32, 1, dx);
        sim.model.settings.op = go ? PRESSURE_GHOST : PRESSURE_CUT, sim.model.settings.tolerance = 1e-8;
        Levels levels = {(24 + offset)*dx, {20.3*dx, 8.4*dx}};
        for (int m = 0; m < N; m++) point[m][0] = levels.x, point[m][1] = 28.0*dx*(m - 0.5)/(N - 1.5);
        double thickness = 1e-3, young = 2e7, stiffness = young*pow(thickness, 3)/12;
        SheetMaterial stuff = {.density = 100, .young = young, .poisson = 0, .thickness = thickness};
        point[0][1] = 0, point[1][1] = 28.0*dx*0.5/(N - 1.5);
        Surface s = add_chain(&sim, point, N, &stuff, held, &(ThinForces){.damp_mass = 200});
        fill_nodes(&sim, two_pools, &levels, (double[3]){0, 0, 0});
        CHECK_OK(sim_start(&sim));
        CHECK_OK(sim_step(&sim, 1));  // in which they become two liquids
        for (int m = 0; m < 2; m++) volume[m] = sim.world.liquid[m].cells.volume;
        SheetPartner* p = sheet_partner_of(&sim.world);
        double tip = 0, time = 0, high[2];
        while (sim.world.time < 1) {
            CHECK_OK(sim_step(&sim, 1 - sim.world.time));
            if (sim.world.time < 0.4) continue;  // the water still swings a little afterwards
            tip += sim.report.dt*(p->mesh.x[3*(N - 1)] - levels.x), time += sim.report.dt;
        }
        tip /= time;
        // the levels now: what the wall has swept below them is no longer there
        for (int m = 0; m < 2; m++) {
            double width = m == 0 ? levels.x : 48*dx - levels.x, swept = 0;
            for (int v = 0; v + 1 < N; v++) {
                double mid = 0.5*(p->mesh.x[3*v + 1] + p->mesh.x[3*v + 4]);
                if (mid < levels.high[m])
                    swept += (0.5*(p->mesh.x[3*v] + p->mesh.x[3*v + 3]) - levels.x) *
                             (p->mesh.x[3*v + 4] - p->mesh.x[3*v + 1]);
            }
            high[m] = levels.high[m] + (m == 0 ? -swept : swept)/width;
        }
        // the first piece is stiff, and half of it belongs to the bend at its end
        double foot = 0.5*point[1][1], theory = tip_by_theory(foot, 28*dx - foot, stiffness, high);
        print_message("%s, offset %.2f: the wall's tip gives way by %.4f cells, a beam by %.4f\n", go ? "ghost" : "cut", offset,
                      tip/dx, theory/dx);
        assert_int_equal(sim.world.liquid_count, 2);
        for (int m = 0; m < 2; m++) CHECK_WITHIN(sim.world.liquid[m].cells.volume/volume[m], 1, 1e-10);
        CHECK_WITHIN(tip/theory, 1, 0.01);
        sim_free(&sim), surface_free(&s);
    }
}

// ---- a plate that swings ---------------------------------------------------------------------------------------------------

static double pool_phi(const void* user, const double x[3]) { return x[1] - *(const double*)user; }

// A heavy plate, stiff, below the surface of water, hangs by one end: it swings as slowly as its added mass has it. A plate of
// width 2 a that turns about its end has (9/8) rho pi a^4 of inertia in liquid beside its own, m (2 a)^2/3 [newman1977].
static void test_swinging_plate(void** state)
{
    (void)state;
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
        enum { N = 33 };
        Sim sim;
        int scale = fine ? 2 : 1, n = 16*scale + 1;
        double dx = 1e-3/scale, level = 80.3e-3, a = 8e-3, tilt = 0.05, point[N][2], dt = 1e-3/scale,
               pivot[2] = {48.2e-3, 56.3e-3};
        unsigned char held[N] = {HELD};
        basin_init(&sim, 2, 96*scale, 96*scale, 1, dx);
        sim.model.settings.op = PRESSURE_CUT, sim.model.settings.max_dt = dt;
        for (int m = 0; m < n; m++) {
            double r = 2*a*m/(n - 1);
            point[m][0] = pivot[0] + r*sin(tilt), point[m][1] = pivot[1] - r*cos(tilt);
        }
        SheetMaterial steel = {.density = 8000, .young = 1e9, .poisson = 0, .thickness = 2.5e-3};
        Surface s = add_chain(&sim, point, n, &steel, held, &(ThinForces){0});
        fill_nodes(&sim, pool_phi, &level, (double[3]){0, 0, 0});
        CHECK_OK(sim_start(&sim));
        SheetPartner* p = sheet_partner_of(&sim.world);
        double before = tilt, angle = tilt, crossed = 0, mass = 8000*2.5e-3*2*a;
        while (angle > 0 && sim.world.time < 0.2) {
            before = angle;
            CHECK_OK(sim_step(&sim, dt));
            angle = atan2(p->mesh.x[3*(n - 1)] - pivot[0], pivot[1] - p->mesh.x[3*(n - 1) + 1]);
            crossed = sim.world.time - sim.report.dt*(0 - angle)/(before - angle);
        }
        double inertia = mass*4*a*a/3 + 9*PI*1000*pow(a, 4)/8, omega = sqrt(mass*9.81*a/inertia);
        // places are those of the start of a step: what moves is dt behind
        double quarter = 0.5*PI/omega*(1 + tilt*tilt/16), dry = 0.5*PI*sqrt(4*a/3/9.81);
        error[fine] = (crossed - sim.report.dt)/quarter - 1;
        print_message("%d cells: hangs upright after %.4f s, by theory %.4f s, in air %.4f s: %+.4f; %.2f solves\n", 16*scale,
                      crossed - sim.report.dt, quarter, dry, error[fine], (double)p->report.rounds);
        sim_free(&sim), surface_free(&s);
    }
    CHECK_WITHIN(error[1], 0, 0.03);
    CHECK_LESS(fabs(error[1]), fabs(error[0]));
}

// ---- a drop and a free sheet -----------------------------------------------------------------------------------------------

typedef struct Ball {
    double x[2], r;
} Ball;

static double ball_phi(const void* user, const double x[3])
{
    const Ball* b = user;
    return hypot(x[0] - b->x[0], x[1] - b->x[1]) - b->r;
}

static void test_drop_hits_free_sheet(void** state)
{
    (void)state;
    for (int go = 0; go < 3; go++) {
        enum { N = 41 };
        Sim sim;
        double dx = 1e-3, point[N][2], speed = 0.2, y = (20 + 0.3*go)*dx;
        basin_init(&sim, 2, 64, 64, 1, dx);
        sim.model.settings.gravity[1] = 0, sim.model.settings.op = go%2 ? PRESSURE_GHOST : PRESSURE_CUT;
        sim.model.settings.cfl = go == 2 ? 0.5 : 1.5;
        for (int m = 0; m < N; m++) point[m][0] = (12 + m)*dx, point[m][1] = y;
        SheetMaterial stuff = {.density = 1000, .young = 1e6, .poisson = 0, .thickness = 1e-3};
        Surface s = add_chain(&sim, point, N, &stuff, NULL, &(ThinForces){0});
        Ball ball = {{32.2*dx, y + 11.4*dx}, 8*dx};
        basin_add(&sim, ball_phi, &ball, (double[3]){0, -speed, 0});
        sim.world.liquid[0].material.sigma = sim.world.liquid[0].material.mu = 0;
        CHECK_OK(sim_start(&sim));
        SheetPartner* p = sheet_partner_of(&sim.world);
        double start = 1000*sim.world.ledger.input*speed, sheet = 0, total = 0, volume[2];
        while (sim.world.time < 0.06) { CHECK_OK(sim_step(&sim, 0.06 - sim.world.time)); }
        for (int m = 0; m < N; m++) sheet += p->mesh.mass[m]*p->mesh.v[3*m + 1];
        total = -sim.report.energy.after.momentum[1];
        side_volumes(volume, &sim);
        print_message("%s: momentum %+.4f of the drop's; the sheet has %.3f of it; energy %.4f, from nowhere %.1e; below %.1e\n",
                      go%2 ? "ghost" : "cut", total/start - 1, -sheet/start,
                      (sim.report.energy.after.kinetic + sim.report.energy.after.stored)/(0.5*start*speed),
                      sim.world.energy.excess - sim.world.energy.least, volume[1]);
        CHECK_WITHIN(total, start, 0.02*fabs(sheet));
        sim_free(&sim), surface_free(&s);
    }
}

// ---- a drop with tension ---------------------------------------------------------------------------------------------------

// A drop at rest on a hammock, with the angle of the walls: what holds the hammock bears its weight, though the pressure in the
// drop pushes with several times as much; tension at the lines pulls the rest up again.
static void test_sessile_drop(void** state)
{
    (void)state;
    for (int go = 0; go < 2; go++) {
        enum { N = 61 };
        Sim sim;
        double dx = 0.2e-3, point[N][2], y = 20.3*dx, tension = 0.0728;
        unsigned char held[N] = {[0] = HELD, [N - 1] = HELD};
        basin_init(&sim, 2, 64, 48, 1, dx);
        for (int m = 0; m < N; m++) point[m][0] = (2 + m)*dx, point[m][1] = y;
        SheetMaterial stuff = {.density = 1000, .young = 1e6, .poisson = 0, .thickness = 1e-4};
        Surface s = add_chain(&sim, point, N, &stuff, held, &(ThinForces){.damp_mass = 100});
        Ball ball = {{32.2*dx, y + (go ? 5 : 0)*dx}, 10*dx};
        sim.model.settings.wall_angle = (ContactAngle){go ? 120*PI/180 : PI/2, go ? 120*PI/180 : PI/2};
        basin_add(&sim, ball_phi, &ball, (double[3]){0, 0, 0});
        Liquid* q = &sim.world.liquid[0];
        q->material.sigma = tension, q->material.mu = 0.02;
        // only what is above the sheet
        for (int j = 0; j <= q->w.n[1]; j++)
            for (int i = 0; i <= q->w.n[0]; i++)
                if (j*dx < y) q->phi.v[window_at(&q->w, i, j, 0)] = liquid_band(q);
        CHECK_OK(sim_start(&sim));
        SheetPartner* p = sheet_partner_of(&sim.world);
        double mean = 0, time = 0, end = go ? 0.3 : 0.15, mass = 0, volume[2];
        while (sim.world.time < end) {
            CHECK_OK(sim_step(&sim, end - sim.world.time));
            if (sim.world.time > 0.6*end) mean += sim.report.dt*p->report.thin.reaction[1], time += sim.report.dt;
        }
        side_volumes(volume, &sim);
        for (int m = 0; m < p->mesh.vertices; m++) mass += p->mesh.mass[m];
        double weight = 9.81*(1000*sim.world.ledger.input + mass);
        print_message("%d degrees: held by %.4f of the weight; still %.1e m/s of %.1e; sag %.2f cells; below %.1e\n",
                      go ? 120 : 90, -mean/time/weight, sim.report.max_speed, sqrt(tension/(1000*10*dx)),
                      (y - p->mesh.x[3*30 + 1])/dx, volume[1]);
        CHECK_WITHIN(-mean/time/weight, 1, 0.01);
        sim_free(&sim), surface_free(&s);
    }
}

// ---- state -----------------------------------------------------------------------------------------------------------------

// A step that is taken back has left nothing behind.
static void test_undo(void** state)
{
    (void)state;
    Sim sim;
    double dx = 1e-3, level[2] = {20.3*dx, 12.3*dx};
    basin_init(&sim, 2, 24, 64, 1, dx);
    SheetMaterial stuff = {.density = 1000, .young = 2e6, .poisson = 0, .thickness = 1e-4};
    Surface s = hang_2d(&sim, level[1], &stuff, &(ThinForces){0});
    fill_nodes(&sim, column_phi, level, (double[3]){0, 0, 0});
    CHECK_OK(sim_start(&sim));
    for (int n = 0; n < 5; n++) CHECK_OK(sim_step(&sim, 5e-3));
    uint64_t before = world_hash(&sim.world, &sim.model.tank), after[2];
    double x = sim.world.solids.sheets->x[3*12 + 1];
    for (int go = 0; go < 2; go++) {
        CHECK_OK(sim_step(&sim, 5e-3));
        after[go] = world_hash(&sim.world, &sim.model.tank);
        assert_true(after[go] != before && sim.world.solids.sheets->x[3*12 + 1] != x);
        if (go == 0) CHECK_OK(sim_undo_step(&sim));
        if (go == 0)
            assert_true(world_hash(&sim.world, &sim.model.tank) == before && sim.world.solids.sheets->x[3*12 + 1] == x);
    }
    assert_true(after[0] == after[1]);
    sim_free(&sim), surface_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_column),         cmocka_unit_test(test_wall_between_levels),
                                       cmocka_unit_test(test_swinging_plate), cmocka_unit_test(test_drop_hits_free_sheet),
                                       cmocka_unit_test(test_sessile_drop),   cmocka_unit_test(test_undo)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

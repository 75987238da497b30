// Elastic sheets and the liquid on their sides.
#include "basin.h"
#include "liquid/energy.h"
#include "liquid/sheet_motion.h"
#include "liquid/sides.h"
#include "sheets.h"
#include "thin/sheet_partner.h"

typedef double (*Phi)(const void* user, const double x[3]);

// A liquid without tension whose level set is given node by node: each side its own.
static Liquid* fill_nodes(Sim* sim, Phi phi, const void* user)
{
    static const double still[3] = {0, 0, 0};
    basin_add(sim, phi, user, still);
    Liquid* q = &sim->world.liquid[0];
    q->material.sigma = q->material.mu = 0;
    double dx = q->w.dx, band = liquid_band(q);
    for (int k = 0; k < window_node_layers(&q->w); k++)
        for (int j = 0; j <= q->w.n[1]; j++)
            for (int i = 0; i <= q->w.n[0]; i++)
                q->phi.v[window_at(&q->w, i, j, k)] = clamp(phi(user, (double[3]){i*dx, j*dx, k*dx}), -band, band);
    return q;
}

// A chain becomes the sheet of a simulation, its ends held.
static Surface add_chain(Sim* sim, const double (*point)[2], int n, const SheetMaterial* material, const ThinForces* f)
{
    Surface s = open_curve(point, n);
    ThinMesh mesh = {.dim = 2};
    CHECK_OK(thin_add_chain(&mesh, s.x, n, material));
    mesh.held[0] = mesh.held[n - 1] = HELD;
    CHECK_OK(sheets_set_moving(&sim->world.solids, &s.s, NULL, 0));
    CHECK_OK(sheet_partner_add(&sim->world, &mesh, 0, f));
    return s;
}

// ---- a column on a hammock -------------------------------------------------------------------------------------------------

static double column_phi(const void* user, const double x[3])
{
    const double* level = user;  // top, bottom
    return x[1] < level[1] ? 1 : x[1] - level[0];
}

// Water stands on a sheet from wall to wall: what holds the sheet bears its weight, and no water is below.
static void hold_column(double high, double density, PressureKind op)
{
    enum { N = 25 };
    Sim sim;
    double dx = 1e-3, point[N][2], level[2] = {(8.3 + high)*dx, 8.3*dx};
    basin_init(&sim, 2, 24, 64, 1, dx);
    sim.model.settings.op = op, sim.model.settings.tolerance = 1e-8;
    for (int m = 0; m < N; m++) point[m][0] = m*dx, point[m][1] = 8.3*dx;
    if (getenv("MAXDT")) sim.model.settings.max_dt = atof(getenv("MAXDT"));
    SheetMaterial stuff = {.density = density/1e-4, .young = 2e6, .poisson = 0, .thickness = 1e-4};
    Surface f = add_chain(&sim, point, N, &stuff, &(ThinForces){.damp_mass = 40});
    fill_nodes(&sim, column_phi, level);
    CHECK_OK(sim_start(&sim));
    SheetPartner* p = sheet_partner_of(&sim.world);
    double mean = 0, time = 0, end = 0.6;
    int solves = 0, most = 0;
    while (sim.world.time < end) {
        CHECK_OK(sim_step(&sim, end - sim.world.time));
        solves += p->report.rounds, most = p->report.rounds > most ? p->report.rounds : most;
        if (getenv("SHOW")) printf("t %.4f dt %.2e y %.4f speed %.3g pins %.4f rounds %d off %.2e it %d/%d exc %.2e\n", sim.world.time, sim.report.dt, p->mesh.x[3*(N/2)+1]/dx, sim.report.max_speed, p->report.thin.reaction[1], p->report.rounds, p->report.off, p->report.thin.iterations, sim.report.iterations, sim.report.energy.excess);
        if (getenv("SHAPE")) { for (int m = 0; m < N; m++) printf(" %.2f,%.2f(%.2f,%.2f)", p->mesh.x[3*m]/dx - m, p->mesh.x[3*m+1]/dx, p->mesh.v[3*m], p->mesh.v[3*m+1]); printf("\n"); }
        if (sim.world.time > 0.5*end) mean += sim.report.dt*p->report.thin.reaction[1], time += sim.report.dt;
    }
    double weight = 9.81*(1000*sim.world.ledger.input + density*24*dx);
    print_message("%s, %.0f cells, %.4f kg/m^2: held by %.5f of the weight; %ld steps, %d solves, %d at most; sag %.2f cells\n",
                  op == PRESSURE_CUT ? "cut" : "ghost", high, density, -mean/time/weight, sim.world.step, solves, most,
                  8.3 - p->mesh.x[3*(N/2) + 1]/dx);
    sim_free(&sim), surface_free(&f);
}

static void test_column(void** state)
{
    (void)state;
    hold_column(8, 0.1, PRESSURE_CUT);
    hold_column(16, 0.1, PRESSURE_GHOST);
    hold_column(32, 1e-4, PRESSURE_CUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_column)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

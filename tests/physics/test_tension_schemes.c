// Each scheme of tension at a step of its own against numbers from theory. sigma = rho = R = 1 unless said otherwise.
#include <omp.h>
#include <string.h>
#include "basin.h"
#include "tension/tension.h"
#include "tension/tension_band.h"

typedef struct Shape {
    double center[3], amplitude;  // of mode 2
    double depth;                 // of a pool with waves of length 1
} Shape;

static double drop(const void* user, const double x[3])
{
    const Shape* s = user;
    double r[3] = {x[0] - s->center[0], x[1] - s->center[1], 0}, turn = atan2(r[1], r[0]);
    return hypot(r[0], r[1]) - 1 - s->amplitude*cos(2*turn);
}

static double pool(const void* user, const double x[3])
{
    const Shape* s = user;
    return x[1] - s->depth - s->amplitude*cos(2*PI*x[0]);
}

typedef struct Scheme {
    const char* name;
    TensionScheme scheme;
    double steps;  // dt in capillary times
} Scheme;

static const Scheme EXPLICIT = {"explicit", TENSION_EXPLICIT, 2}, IMPLICIT = {"implicit", TENSION_IMPLICIT, 5},
                    CSF = {"csf", TENSION_CSF, 5}, SPLIT_4 = {"split", TENSION_SPLIT, 8}, SPLIT_8 = {"split", TENSION_SPLIT, 16},
                    SPLIT_16 = {"split", TENSION_SPLIT, 32};

static void start(Sim* sim, const Scheme* s, int nx, int ny, double dx, BasinShape shape, const Shape* user, double speed)
{
    basin_init(sim, 2, nx, ny, 1, dx);
    sim->model.settings.gravity[1] = 0;
    sim->model.settings.advection = ADVECT_CUBIC;
    sim->model.settings.cfl = 1;
    sim->model.settings.tolerance = 1e-8;
    sim->model.settings.tension = (TensionSettings){.scheme = s->scheme, .most_steps = 100};
    basin_add(sim, shape, user, (double[3]){speed, 0, 0});
    sim->world.liquid[0].material = (LiquidMaterial){.rho = 1, .sigma = 1, .contact_angle = PI/2};
    sim->model.settings.max_dt = s->steps*tension_time(&sim->world.liquid[0]);
}

static void start_drop(Sim* sim, const Scheme* s, double amplitude, double speed)
{
    double dx = 1.0/16;
    Shape shape = {.center = {(32 + 0.37)*dx, (32 + 0.74)*dx}, .amplitude = amplitude};
    start(sim, s, 64, 64, dx, drop, &shape, speed);
    CHECK_OK(sim_start(sim));
}

// ---- Laplace: p inside a round drop is sigma/R ---------------------------------------------------------------------------

static double pressure_deep_inside(const Liquid* q)
{
    double sum = 0;
    int count = 0;
    for (int j = 0; j < q->w.n[1]; j++)
        for (int i = 0; i < q->w.n[0]; i++) {
            ptrdiff_t at = window_at(&q->w, i, j, 0);
            if (q->phi.v[at] < -4.9*q->w.dx) sum += q->p.v[at], count++;
        }
    return sum/count;
}

static void check_laplace(const Scheme* s, double tolerance)
{
    Sim sim;
    start_drop(&sim, s, 0, 0);
    CHECK_OK(sim_step(&sim, 1));
    double p = pressure_deep_inside(&sim.world.liquid[0]);
    print_message("%s, dt = %g capillary times: p R/sigma = %.5f\n", s->name, s->steps, p);
    CHECK_WITHIN(p, 1, tolerance);
    sim_free(&sim);
}

// docs/validation/targets.md: 0.2 % in 2D. The band force: 1.0042 was measured at 10 cells radius, falling.
static void test_laplace(void** state)
{
    (void)state;
    check_laplace(&EXPLICIT, 0.002);
    check_laplace(&IMPLICIT, 0.002);
    check_laplace(&SPLIT_4, 0.002);
    check_laplace(&SPLIT_16, 0.002);
    check_laplace(&CSF, 0.01);
}

// ---- a drop swings in mode 2 at w^2 = 6 sigma/(rho R^3) (2D: n (n^2 - 1); [lamb1932], art. 275) -------------------------------

// Integral of x^2 - y^2 over the drop, which swings with it.
static double stretch(const Liquid* q, const double center[3])
{
    double sum = 0;
    for (int j = 0; j < q->w.n[1]; j++)
        for (int i = 0; i < q->w.n[0]; i++) {
            ptrdiff_t at = window_at(&q->w, i, j, 0);
            if (!(q->phi.v[at] < liquid_band(q))) continue;
            double x[3];
            window_position(x, &q->w, i + 0.5, j + 0.5, 0);
            x[0] -= center[0], x[1] -= center[1];
            sum += cutcells_fraction(&q->cells, at)*(x[0]*x[0] - x[1]*x[1]);
        }
    return sum;
}

// Error of the period over 1.5 of them.
static double drop_error(const Scheme* s, double* kept)
{
    Sim sim;
    start_drop(&sim, s, 0.05, 0);
    double period = 2*PI/sqrt(6), center[3] = {32.37/16, 32.74/16, 0}, first = stretch(&sim.world.liquid[0], center),
           before = first;
    double cross[8], last = 0;
    int count = 0;
    while (sim.world.time < 1.5*period) {
        double t = sim.world.time;
        CHECK_OK(sim_step(&sim, 1));
        double now = stretch(&sim.world.liquid[0], center);
        if ((before > 0) != (now > 0) && count < 8) cross[count++] = t + (sim.world.time - t)*before/(before - now);
        if (t > 0.7*period && t < 1.3*period) last = fmax(last, now);
        before = now;
    }
    CHECK_TRUE(count >= 3);
    *kept = last/first;
    double error = (cross[2] - cross[0])/period - 1;
    print_message("%s, dt = %g capillary times, %ld steps: period %+.2f %%, amplitude kept over it %.3f\n", s->name, s->steps,
                  sim.world.step, 100*error, *kept);
    sim_free(&sim);
    return error;
}

// docs/validation/targets.md: 2 % explicit, 4 % the others. Split must be as good as explicit, to a tenth of a percent.
static void test_drop_period(void** state)
{
    (void)state;
    double kept, explicit_error = fabs(drop_error(&EXPLICIT, &kept));
    CHECK_LESS(explicit_error, 0.02);
    CHECK_LESS(fabs(drop_error(&IMPLICIT, &kept)), 0.02);
    CHECK_LESS(0.85, kept);
    const Scheme* split[] = {&SPLIT_4, &SPLIT_8, &SPLIT_16};
    for (int m = 0; m < 3; m++) {
        CHECK_LESS(fabs(drop_error(split[m], &kept)), explicit_error + 1e-3);
        CHECK_LESS(0.95, kept);
        CHECK_LESS(kept, 1.02);
    }
    // docs/validation/targets.md: the band force is slow, by 13 % at a wavelength of 40 cells; this one is 50 long
    double csf = drop_error(&CSF, &kept);
    CHECK_LESS(0.05, csf);
    CHECK_LESS(csf, 0.15);
}

// ---- nothing grows ---------------------------------------------------------------------------------------------------------

// A round drop at rest stays at rest: what is left, |u| sqrt(rho R/sigma), is the drop finding the shape whose discrete curvature
// is constant. Ratio 16 is where the shortest waves swing just once per step, the resonance a split scheme has to survive.
static void test_split_is_quiet(void** state)
{
    (void)state;
    const Scheme* split[] = {&SPLIT_4, &SPLIT_8, &SPLIT_16};
    for (int m = 0; m < 3; m++) {
        Sim sim;
        start_drop(&sim, split[m], 0, 0);
        double most = 0;
        while (sim.world.time < 5*2*PI/sqrt(6)) {
            CHECK_OK(sim_step(&sim, 1));
            most = fmax(most, sim.report.max_speed);
        }
        print_message("split, dt = %g capillary times, 5 periods at rest: largest speed %.2e\n", split[m]->steps, most);
        CHECK_LESS(most, 5e-3);
        sim_free(&sim);
    }
}

// A drop that flies by keeps its speed, however long the step: cycles on a frozen surface must not pull at a moving one.
static void test_split_flies(void** state)
{
    (void)state;
    Sim sim;
    start_drop(&sim, &SPLIT_16, 0, 0.2);
    for (int m = 0; m < 10; m++) CHECK_OK(sim_step(&sim, 1));
    LiquidState now = liquid_state(&sim.world.liquid[0], &sim.scratch);
    double moved = now.center[0] - 32.37/16;
    print_message("flies %.2f cells per step: moved %.5f of %.5f; fastest %.5f\n", 0.2*sim.report.dt*16, moved,
                  0.2*sim.world.time, sim.report.max_speed);
    CHECK_CLOSE(moved, 0.2*sim.world.time, 2e-3);
    CHECK_LESS(sim.report.max_speed, 0.2 + 5e-3);
    sim_free(&sim);
}

// ---- waves: w^2 = (g k + sigma k^3/rho) tanh(k h) ([lamb1932], art. 267), 32 cells long, half of one between walls ------------

static double height(const Liquid* q)
{
    double sum = 0;
    for (int j = 0; j < q->w.n[1]; j++)
        for (int i = 0; i < q->w.n[0]; i++) {
            ptrdiff_t at = window_at(&q->w, i, j, 0);
            if (q->phi.v[at] < liquid_band(q)) sum += cutcells_fraction(&q->cells, at)*cos(2*PI*(i + 0.5)*q->w.dx);
        }
    return sum;
}

static void check_wave(const Scheme* s, double depth, double gravity, double tolerance)
{
    double k = 2*PI, g = gravity*k*k, period = 2*PI/sqrt((g*k + k*k*k)*tanh(k*depth));
    Shape shape = {.amplitude = 0.01, .depth = depth};
    Sim sim;
    start(&sim, s, 16, (int)(32*depth) + 16, 1.0/32, pool, &shape, 0);
    sim.model.settings.gravity[1] = -g;
    CHECK_OK(sim_start(&sim));
    double first = height(&sim.world.liquid[0]), before = first, cross[8], last = 0;
    int count = 0;
    while (sim.world.time < 2.3*period) {
        double t = sim.world.time;
        CHECK_OK(sim_step(&sim, 1));
        double now = height(&sim.world.liquid[0]);
        if ((before > 0) != (now > 0) && count < 8) cross[count++] = t + (sim.world.time - t)*before/(before - now);
        if (t > 1.7*period) last = fmax(last, now);
        before = now;
    }
    CHECK_TRUE(count >= 5);
    double error = (cross[4] - cross[0])/(2*period) - 1;
    print_message(
        "%s, depth %.3f, g = %g sigma k^2/rho, %ld steps of at most %.1f capillary times: period %+.2f %%, after two %.3f\n",
        s->name, depth, gravity, sim.world.step, s->steps, 100*error, last/first);
    CHECK_LESS(fabs(error), tolerance);
    CHECK_LESS(0.8, last/first);
    CHECK_LESS(last/first, 1.02);
    sim_free(&sim);
}

// docs/validation/targets.md: 5 % for split at 8 capillary times, amplitude after two periods > 0.8. Explicit itself is at 2.1 %.
static void test_split_waves(void** state)
{
    (void)state;
    check_wave(&EXPLICIT, 1.0116, 0, 0.025);
    check_wave(&SPLIT_4, 1.0116, 0, 0.025);
    check_wave(&SPLIT_16, 1.0116, 0, 0.025);
    check_wave(&SPLIT_8, 0.2616, 0, 0.025);
    check_wave(&SPLIT_8, 1.0116, 1, 0.025);
    check_wave(&SPLIT_4, 0.2616, 4, 0.025);
}

// ---- the band force -------------------------------------------------------------------------------------------------------

// Where phi is nearly flat, between two surfaces, the place whose curvature pushes a face is still no further than the band is
// wide: beyond it no curvature is known. Here phi rises by 0.15 dx per cell.
static void test_band_asks_near_places(void** state)
{
    (void)state;
    Sim sim;
    start_drop(&sim, &CSF, 0.05, 0);
    Liquid* q = &sim.world.liquid[0];
    for (int j = 0; j <= q->w.n[1]; j++)
        for (int i = 0; i <= q->w.n[0]; i++) q->phi.v[window_at(&q->w, i, j, 0)] = (0.15*(i - 0.5*q->w.n[0]) - 1.5)*q->w.dx;
    Band b;
    CHECK_OK(band_build(&b, &sim.scratch, q->phi.v, &q->spans, &q->w, 0));
    double furthest = 0;
    for (int m = 0; m < b.count[0]; m++) {
        int i = (int)(b.face[0][m].at - window_at(&q->w, 0, (int)floor(b.face[0][m].foot[1]), 0));
        furthest = fmax(furthest, fabs(b.face[0][m].foot[0] - i));
    }
    print_message("%d faces, pushed by places up to %g cells off\n", b.count[0], furthest);
    CHECK_LESS(10, b.count[0]);
    CHECK_LESS(furthest, 3 + 1e-9);
    sim_free(&sim);
}

// Uniform motion passes through the smoothing unchanged: no end of the band may hold it back.
static void test_band_passes_uniform_motion(void** state)
{
    (void)state;
    Sim sim;
    start_drop(&sim, &CSF, 0.05, 0);
    Liquid* q = &sim.world.liquid[0];
    double* u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    field_fill(&q->u[0], &q->w, 0.3);
    field_fill(&q->u[1], &q->w, -0.7);
    Band b;
    int iterations;
    CHECK_OK(band_build(&b, &sim.scratch, q->phi.v, &q->spans, &q->w, 0));
    CHECK_OK(band_smooth(u, &iterations, &sim.scratch, &b, 1, &q->w));
    CHECK_LESS(100, b.count[0]);
    for (int m = 0; m < b.count[0]; m++) CHECK_WITHIN(u[0][b.face[0][m].at], 0.3, 1e-10);
    for (int m = 0; m < b.count[1]; m++) CHECK_WITHIN(u[1][b.face[1][m].at], -0.7, 1e-10);
    // a bump is smoothed and no momentum is lost
    double before = 0, after = 0;
    for (int m = 0; m < b.count[0]; m++) before += u[0][b.face[0][m].at] = m%7 == 0;
    CHECK_OK(band_smooth(u, &iterations, &sim.scratch, &b, 1, &q->w));
    for (int m = 0; m < b.count[0]; m++) after += u[0][b.face[0][m].at];
    CHECK_CLOSE(after, before, 1e-8);
    CHECK_LESS(1, iterations);
    sim_free(&sim);
}

// [cohen2004] as printed runs, slowly but surely: its waves are late by the band's depth (docs/tension.md).
static void test_paper_variant(void** state)
{
    (void)state;
    Sim sim;
    start_drop(&sim, &SPLIT_4, 0, 0);
    sim.model.settings.tension.variant = SPLIT_PAPER;
    sim.model.settings.tension.balance = sim.model.settings.tension.provisional = true;
    for (int m = 0; m < 20; m++) CHECK_OK(sim_step(&sim, 1));
    CHECK_LESS(sim.report.max_speed, 1e-2);
    sim_free(&sim);
}

// ---- a splash, on any number of threads ---------------------------------------------------------------------------------------

static double bath(const void* user, const double x[3])
{
    (void)user;
    return x[1] - 0.003;
}

static double ball(const void* user, const double x[3])
{
    double r[3];
    vec_sub(r, x, user);
    return vec_norm(r) - 0.0015;
}

// A drop of water of 3 mm falls into a bath at 0.5 m/s and becomes one with it.
static void splash(Sim* sim, int dim, int n, int steps, int threads)
{
    omp_set_num_threads(threads);
    basin_init(sim, dim, n, n, n, 0.01/n);
    sim->model.settings.advection = ADVECT_CUBIC;
    sim->model.settings.tension.scheme = TENSION_SPLIT;
    double center[3] = {0.0051, 0.0048, dim == 3 ? 0.00507 : 0};
    basin_add(sim, bath, NULL, (double[3]){0, 0, 0});
    basin_add(sim, ball, center, (double[3]){0.05, -0.5, 0});
    CHECK_OK(sim_start(sim));
    for (int m = 0; m < steps; m++) {
        CHECK_OK(sim_step(sim, 1));
        CHECK_LESS(sim->report.max_speed, 3);
    }
    CHECK_LESS(fabs(sim_ledger_error(sim)), 1e-10);
}

static void test_split_splash(void** state)
{
    (void)state;
    Sim sim;
    splash(&sim, 2, 96, 150, 1);
    print_message("splash: t = %.4f s, dt = %.1f capillary times, %d liquid(s), speed %.2f\n", sim.world.time,
                  sim.report.dt/tension_time(&sim.world.liquid[0]), sim.world.liquid_count, sim.report.max_speed);
    sim_free(&sim);
}

static void test_split_threads(void** state)
{
    (void)state;
    Sim a, b;
    splash(&a, 3, 40, 4, 1);
    splash(&b, 3, 40, 4, 3);
    assert_int_equal(a.world.liquid_count, b.world.liquid_count);
    CHECK_TRUE(a.world.time == b.world.time);
    for (int m = 0; m < a.world.liquid_count; m++) {
        size_t bytes = sizeof(double)*a.world.liquid[m].w.count;
        assert_memory_equal(a.world.liquid[m].phi.block, b.world.liquid[m].phi.block, bytes);
        for (int d = 0; d < 3; d++) assert_memory_equal(a.world.liquid[m].u[d].block, b.world.liquid[m].u[d].block, bytes);
    }
    sim_free(&a);
    sim_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_laplace),
                                       cmocka_unit_test(test_drop_period),
                                       cmocka_unit_test(test_split_is_quiet),
                                       cmocka_unit_test(test_split_flies),
                                       cmocka_unit_test(test_split_waves),
                                       cmocka_unit_test(test_band_passes_uniform_motion),
                                       cmocka_unit_test(test_band_asks_near_places),
                                       cmocka_unit_test(test_paper_variant),
                                       cmocka_unit_test(test_split_splash),
                                       cmocka_unit_test(test_split_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

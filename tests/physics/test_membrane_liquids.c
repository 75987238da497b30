// Liquids of scenes whose surface is a mesh, beside the same ones with a level set: modes of a drop [rayleigh1879] [lamb1932] and
// standing waves. The membrane's own mass, of a layer of thickness h, slows waves: on a drop of radius R by sqrt(1 + n h/R), on a
// pool of depth H by sqrt(1 + h k tanh kH). The lines that this prints are the table of docs/membrane_results.md.
#include "oscillation.h"
#include "scene_text.h"

#include <time.h>
#include "base/vec.h"
#include "scene/scene_sim.h"
#include "step/sim.h"

typedef struct Measured {
    double period;   // s
    double kept;     // amplitude after a period, of the first
    double seconds;  // of processor time per step
    long steps;
    int iterations;  // most of any step
    double volume;   // largest error of the ledger
} Measured;

typedef double (*Amplitude)(const Liquid* q);

static double processor_seconds(void) { return (double)clock()/CLOCKS_PER_SEC; }

// Steps of one length, `samples` of them in a period, for `periods`.
static Measured swing(const char* domain, const char* liquid, const char* surface, const char* top, Amplitude amplitude,
                      double end)
{
    Scene scene;
    Sim sim;
    Signal signal = {0};
    Measured out = {0};
    char text[8000];
    snprintf(text, sizeof text, "%s, surface = \"%s\" }", liquid, surface);
    CHECK_OK(load_parts(&scene, domain, text, top));
    CHECK_OK(scene_build(&sim, &scene));
    CHECK_OK(sim_start(&sim));
    signal_add(&signal, 0, amplitude(&sim.world.liquid[0]));
    double start = processor_seconds();
    while (sim.world.time < end) {
        CHECK_OK(sim_step_towards(&sim, end));
        signal_add(&signal, sim.world.time, amplitude(&sim.world.liquid[0]));
        out.iterations = maxi(out.iterations, sim.report.iterations);
        out.volume = fmax(out.volume, fabs(sim_ledger_error(&sim)));
    }
    out.steps = sim.world.step, out.seconds = (processor_seconds() - start)/(double)out.steps;
    out.period = signal_period(&signal), out.kept = signal_kept(&signal, 1);
    CHECK_TRUE(sim.world.liquid[0].meshed == (strcmp(surface, "membrane") == 0));
    signal_free(&signal);
    sim_free(&sim);
    scene_free(&scene);
    return out;
}

// exact: s, without the membrane's mass; slower: by which factor that makes it longer.
static void compare(const char* name, const char* domain, const char* liquid, const char* top, Amplitude amplitude, double exact,
                    double slower, double within)
{
    const char* const surface[] = {"membrane", "levelset"};
    for (int m = 0; m < 2; m++) {
        double wanted = m == 0 ? exact*slower : exact;
        Measured got = swing(domain, liquid, surface[m], top, amplitude, 2.3*wanted);
        print_message("%-12s %-9s period %.4f of %.5g s, amplitude kept %.4f, %ld steps of %.2g ms, %d iterations, ledger %.1g\n",
                      name, surface[m], got.period/wanted, wanted, got.kept, got.steps, 1e3*got.seconds, got.iterations,
                      got.volume);
        if (m == 1) continue;  // here to compare with; its own tests are elsewhere
        CHECK_CLOSE(got.period, wanted, within);
        CHECK_LESS(0.88, got.kept);
        CHECK_LESS(got.kept, 1.005);
        CHECK_LESS(got.iterations, 30);
        CHECK_LESS(got.volume, 1e-6);
    }
}

// Long and short way across, m.
static double stretch_of(const Liquid* q)
{
    Arena arena = {0};
    LiquidState s = liquid_state(q, &arena);
    arena_free(&arena);
    return (s.high[0] - s.low[0]) - (s.high[1] - s.low[1]);
}

// A ball of 0.25 m of water in a box of 1 m, its surface stretched by 5 %. 2D: w^2 = n (n^2 - 1) sigma/(rho R^3), 3D: n (n - 1)
// (n + 2) sigma/(rho R^3), n = 2.
static void test_drops(void** state)
{
    (void)state;
    double R = 0.25, sigma = 0.0728, rho = 998.2;
    double flat = 2*PI/sqrt(6*sigma/(rho*R*R*R)), ball = 2*PI/sqrt(8*sigma/(rho*R*R*R));
    compare("drop 2D", "size = { 1, 1 }, cells = 64", "ellipsoid { center = { 0.5, 0.5 }, radii = { 0.25*1.05, 0.25/1.05 }",
            "gravity = { 0, 0 }", stretch_of, flat, sqrt(1 + 2*0.05/16), 0.01);
    compare("drop 3D", "size = { 1, 1, 1 }, cells = 32",
            "ellipsoid { center = { 0.5, 0.5, 0.5 }, radii = { 0.25*1.05, 0.25/1.05^0.5, 0.25/1.05^0.5 }",
            "gravity = { 0, 0, 0 }", stretch_of, ball, sqrt(1 + 2*0.05/8), 0.02);
}

// Height of the surface at the wall x = 0 over the mean level, m.
static double height_at_wall(const Liquid* q)
{
    for (int j = 0; j < q->w.n[1]; j++) {
        double a = q->phi.v[window_at(&q->w, 0, j, 0)], b = q->phi.v[window_at(&q->w, 0, j + 1, 0)];
        if (a < 0 && b >= 0) return (q->w.lo[1] + j + a/(a - b))*q->w.dx - 0.4;
    }
    return 0;
}

// w^2 = (g k + sigma k^3/rho) tanh kH: one wave in a tank of 1 m of 64 cells, 0.4 m deep, with as much weight as tension: g =
// sigma k^2/rho. Its amplitude is a hundredth of the wave's length.
static void test_standing_wave(void** state)
{
    (void)state;
    double sigma = 0.0728, rho = 998.2, k = 2*PI, depth = 0.4, g = sigma*k*k/rho;
    double period = 2*PI/sqrt(2*g*k*tanh(k*depth));
    char liquid[7000] = "union { pool { depth = 0.38 }", top[100];
    for (int i = 0; i < 32; i++) {
        double a = i/32.0, b = (i + 1)/32.0, low = 0.4 + 0.01*cos(k*a), high = 0.4 + 0.01*cos(k*b);
        size_t used = strlen(liquid);
        // straight pieces that overlap a little
        snprintf(liquid + used, sizeof liquid - used,
                 ", intersection { box { low = { %.4f, 0 }, high = { %.4f, 0.5 } }, halfspace { point = { %.4f, %.7f }, normal = "
                 "{ %.7f, "
                 "1 } } }",
                 a - 0.004, b + 0.004, 0.5*(a + b), 0.5*(low + high), 32*(low - high));
    }
    snprintf(top, sizeof top, "gravity = { 0, %.8g }, numerics = { slip = true }", -g);
    compare("wave 2D", "size = { 1, 0.75 }, cells = 64", liquid, top, height_at_wall, period,
            sqrt(1 + 0.05/64*k*tanh(k*depth)), 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_drops), cmocka_unit_test(test_standing_wave)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Rods and webs in scenes: alone against the theory of strings and beams, in liquid against what threads carry.
#include <stdlib.h>
#include <string.h>
#include "scene_text.h"

#include "base/vec.h"
#include "liquid/energy.h"
#include "scene/scene_sim.h"
#include "thin/rod_partner.h"

typedef struct Run {
    Scene scene;
    Sim sim;
    RodPartner* rods;
} Run;

static void begin(Run* r, const char* text)
{
    CHECK_OK(scene_load_text(&r->scene, "dir/x.lua", text));
    CHECK_OK(scene_build(&r->sim, &r->scene));
    CHECK_OK(sim_start(&r->sim));
    r->rods = rod_partner_of(&r->sim.world);
}

static void end(Run* r)
{
    sim_free(&r->sim);
    scene_free(&r->scene);
}

// A drop far from the rods, that a scene cannot do without.
#define ASIDE                                                                                                                    \
    "sphere { center = { 0.0012, 0.001, 0.001 }, radius = 0.0005, material = material { rho = 1000, sigma = 0, mu = 0 } }"

// ---- alone -----------------------------------------------------------------------------------------------------------------

// Time between two upward passes of a vertex through `rest`, mean of those in `time`, with steps of dt.
static double period_of(Run* r, int vertex, int axis, double rest, double time, double dt)
{
    double first = -1, last = -1;
    int passes = 0;
    while (r->sim.world.time < time) {
        double before = r->rods->rods.mesh.x[3*vertex + axis] - rest, t = r->sim.world.time;
        CHECK_OK(sim_step(&r->sim, dt));
        double after = r->rods->rods.mesh.x[3*vertex + axis] - rest;
        if (before >= 0 || after < 0) continue;
        last = t + (r->sim.world.time - t)*before/(before - after);
        if (first < 0) first = last;
        else passes++;
    }
    assert_true(passes > 0);
    return (last - first)/passes;
}

// A string of length L under the tension T: f = sqrt(T/(rho A))/(2 L) [rayleigh1877]. It bends by little: EI pi^2/(T L^2) = 1e-5.
static void test_string_sounds(void** state)
{
    (void)state;
    Run r;
    begin(&r,
          "return scene { domain = { size = { 0.02, 0.004, 0.004 }, cells = 40 }, gravity = { 0, 0, 0 }, frames = { rate = 100, "
          "count = 1 }, liquids = { " ASIDE " }, rods = { { from = { 0.002, 0.0021, 0.002 }, to = { 0.018, 0.0021, 0.002 }, "
          "radius = 5e-5, density = 1000, young = 1e7, taut = 0.1, held = 'both', velocity = { 0, 0.002, 0 } } } }");
    double L = 0.016, speed = sqrt(1e7*(0.1/1.1*1.1)/1000), expected = 2*L/speed;
    int middle = r.rods->rods.mesh.vertices/2;
    double got = period_of(&r, middle, 1, 0.0021, 5*expected, expected/400);
    print_message("string: period %.5g s, 2 L/c = %.5g\n", got, expected);
    CHECK_CLOSE(got, expected, 0.01);
    end(&r);
}

// A rod clamped at one end swings with f = 1.8751^2 sqrt(EI/(rho A L^4))/(2 pi) [rayleigh1877]. Clamped by a held piece it is
// clamped in that piece's middle (test_thin_solids.c).
static void test_reed_swings(void** state)
{
    (void)state;
    Run r;
    begin(&r,
          "return scene { domain = { size = { 0.02, 0.004, 0.004 }, cells = 60 }, gravity = { 0, 0, 0 }, frames = { rate = 100, "
          "count = 1 }, liquids = { " ASIDE " }, rods = { { from = { 0.002, 0.0021, 0.002 }, to = { 0.018, 0.0021, 0.002 }, "
          "radius = 1e-4, density = 1000, young = 1e9, held = 'from', clamped = true, velocity = { 0, 0.002, 0 } } } }");
    double L = 0.016*(1 - 0.5/96), k = 1.87510407, expected = 2*PI/(k*k*sqrt(1e9*1e-8/(4*1000))/(L*L));
    double got = period_of(&r, 1, 1, 0.0021, 4*expected, expected/300);
    print_message("reed: period %.5g s, theory %.5g\n", got, expected);
    CHECK_CLOSE(got, expected, 0.01);
    end(&r);
}

// A web under its weight hangs where its forces balance: what holds the rim bears all of it, and the more the softer it is.
static void test_web_droops(void** state)
{
    (void)state;
    double sag[2];
    for (int m = 0; m < 2; m++) {
        Run r;
        char text[1000];
        snprintf(text, sizeof text,
                 "return scene { domain = { size = { 0.02, 0.02, 0.02 }, cells = 20 }, frames = { rate = 100, count = 1 }, "
                 "liquids = { " ASIDE " }, webs = { { center = { 0.01, 0.012, 0.01 }, normal = { 0, 1, 0 }, size = 0.008, spokes "
                 "= 8, turns = 2, radius = 5e-5, density = 1200, young = %g, damping = { mass = 60 } } } }",
                 m == 0 ? 1e6 : 1e5);
        begin(&r, text);
        while (r.sim.world.time < 0.3) CHECK_OK(sim_step(&r.sim, 4e-3));
        const ThinMesh* t = &r.rods->rods.mesh;
        double weight = 0, lowest = 1;
        for (int v = 0; v < t->vertices; v++) weight += 9.81*t->mass[v], lowest = fmin(lowest, t->x[3*v + 1]);
        sag[m] = 0.012 - lowest;
        print_message("web of %d vertices: sags by %.3g mm, holds %.6g of its weight\n", t->vertices, 1e3*sag[m],
                      -r.rods->report.step.reaction[1]/weight);
        CHECK_CLOSE(-r.rods->report.step.reaction[1], weight, 1e-3);
        CHECK_LESS(fabs(r.rods->report.step.reaction[0]), 1e-4*weight);
        end(&r);
    }
    // threads that are straight at rest stretch by half the square of the slope: the sag goes as (weight/EA)^(1/3)
    CHECK_CLOSE(sag[1]/sag[0], cbrt(10), 0.03);
}

// What holds a rod moves, and the rod with it; the work that this takes is in the books.
static void test_led_rod(void** state)
{
    (void)state;
    Run r;
    begin(&r,
          "return scene { domain = { size = { 0.02, 0.004, 0.004 }, cells = 40 }, gravity = { 0, 0, 0 }, frames = { rate = 100, "
          "count = 1 }, liquids = { " ASIDE " }, rods = { { from = { 0.002, 0.0021, 0.002 }, to = { 0.018, 0.0021, 0.002 }, "
          "radius = 1e-4, density = 1000, young = 1e9, held = 'both', position = function(t) return { 0, 0, 0.02*t*t/0.1 } end, "
          "damping = { mass = 50 } } } }");
    while (r.sim.world.time < 0.03) CHECK_OK(sim_step(&r.sim, 1e-3));
    const ThinMesh* t = &r.rods->rods.mesh;
    CHECK_WITHIN(t->x[2], 0.002 + 0.2*0.03*0.03, 1e-12);
    CHECK_WITHIN(t->x[5], 0.002 + 0.2*0.03*0.03, 1e-12);
    double stored = thin_kinetic_energy(t) + thin_strain_energy(t, t->x);
    print_message("led rod: work %.4g J, motion and strain %.4g J\n", r.sim.world.energy.work, stored);
    assert_true(r.sim.world.energy.work >= stored && stored > 0);
    end(&r);
}

// ---- in liquid -------------------------------------------------------------------------------------------------------------

// A thread that dips into a bath is pulled down by 2 pi r sigma cos(angle) [wilhelmy1863]; as it reaches the floor's middle, by
// nothing else. In steps of a ninth of sqrt(rho dx^4/K); longer ones make the liquid beside the line stir (rod_partner.c).
static void test_dipped_thread(void** state)
{
    (void)state;
    static const double angle[] = {0, 60};
    for (int m = 0; m < 2; m++) {
        Run r;
        char text[1000];
        snprintf(text, sizeof text,
                 "return scene { domain = { size = { 0.004, 0.008, 0.004 }, cells = 12, contact_angle = degrees(90) }, numerics "
                 "= { max_dt = 1e-4 }, frames = { "
                 "rate = 100, count = 1 }, liquids = { pool { depth = 0.0041, material = material { rho = 1000, sigma = 0.05, mu "
                 "= 0.05 } } }, rods = { { from = { 0.00204, 0.0076, 0.00202 }, to = { 0.00204, 0.002, 0.00202 }, radius = 5e-5, "
                 "density = 1200, young = 1e9, held = 'from', contact_angle = degrees(%g) } } }",
                 angle[m]);
        begin(&r, text);
        double weight = 0, K = 2*PI*5e-5*0.05*cos(angle[m]*PI/180);
        for (int v = 0; v < r.rods->rods.mesh.vertices; v++) weight += 9.81*r.rods->rods.mesh.mass[v];
        for (int k = 0; k < 100; k++) CHECK_OK(sim_step(&r.sim, 1e-3));
        double pull = -r.rods->report.step.reaction[1] - weight;
        print_message("dipped thread, %g degrees: pulled by %.4g N, 2 pi r sigma cos(angle) = %.4g; lost %.2g\n", angle[m], pull,
                      K, r.rods->report.push.lost);
        CHECK_CLOSE(pull, K, 0.01);
        end(&r);
    }
}

// A drop that hangs on a thread and has come to rest: what holds the thread bears both, and the drop is where it was.
static void test_drop_hangs(void** state)
{
    (void)state;
    Run r;
    begin(&r,
          "return scene { domain = { size = { 0.008, 0.006, 0.006 }, cells = 28 }, frames = { rate = 100, count = 1 }, liquids = "
          "{ sphere { center = { 0.004, 0.0032, 0.003 }, radius = 0.0009, material = material { rho = 1000, sigma = 0.06, mu = "
          "0.1 } } }, rods = { { from = { 0.001, 0.0035, 0.00301 }, to = { 0.007, 0.0035, 0.00301 }, radius = 1e-4, density = "
          "1200, young = 2e9, taut = 0.001, held = 'both', contact_angle = 0, damping = { mass = 20 } } } }");
    double weight = 0, mean = 0, time = 0;
    for (int v = 0; v < r.rods->rods.mesh.vertices; v++) weight += 9.81*r.rods->rods.mesh.mass[v];
    double heavy = 9.81*1000*r.sim.world.liquid[0].target_volume;
    while (r.sim.world.time < 0.06) {
        CHECK_OK(sim_step(&r.sim, 1e-3));
        if (r.sim.world.time < 0.04) continue;
        mean -= r.sim.report.dt*r.rods->report.step.reaction[1], time += r.sim.report.dt;
    }
    LiquidState q = liquid_state(&r.sim.world.liquid[0], &r.sim.scratch);
    mean /= time;
    print_message("hanging drop: holds bear %.5g of %.5g N (drop %.5g), drop's speed %.2g m/s, middle %.3g mm below the thread; "
                  "energy from nowhere %.2g J of %.2g J of surface\n",
                  mean, weight + heavy, heavy, vec_norm(q.velocity), 1e3*(0.0035 - q.center[1]), r.sim.world.energy.excess,
                  0.06*q.area);
    CHECK_CLOSE(mean, weight + heavy, 0.01);
    CHECK_LESS(vec_norm(q.velocity), 5e-3);
    CHECK_LESS(r.sim.world.energy.excess, 1e-3*0.06*q.area);
    end(&r);
}

// A drop hits a rod that nothing holds, without gravity: what one loses the other has, and no energy comes from nowhere.
static void test_drop_hits_free_rod(void** state)
{
    (void)state;
    Run r;
    begin(&r,
          "return scene { domain = { size = { 0.01, 0.008, 0.006 }, cells = 40 }, gravity = { 0, 0, 0 }, frames = { rate = 100, "
          "count = 1 }, liquids = { sphere { center = { 0.005, 0.0055, 0.003 }, radius = 0.001, velocity = { 0, -0.3, 0 } } }, "
          "rods = { { from = { 0.001, 0.004, 0.00312 }, to = { 0.009, 0.004, 0.00312 }, radius = 1e-4, density = 4000, young = "
          "2e9, contact_angle = 0.7 } } }");
    double before[3] = {0}, after[3] = {0}, kinetic = 0, exchanged = 0;
    LiquidState q = liquid_state(&r.sim.world.liquid[0], &r.sim.scratch);
    memcpy(before, q.momentum, sizeof before);
    while (r.sim.world.time < 0.008) CHECK_OK(sim_step(&r.sim, 1e-3));
    partners_motion(after, &kinetic, &r.sim.world);
    exchanged = fabs(after[1]);
    arena_reset(&r.sim.scratch);
    for (int m = 0; m < r.sim.world.liquid_count; m++) {
        q = liquid_state(&r.sim.world.liquid[m], &r.sim.scratch);
        for (int d = 0; d < 3; d++) after[d] += q.momentum[d];
        arena_reset(&r.sim.scratch);
    }
    double off[3];
    vec_sub(off, after, before);
    print_message("free rod: momentum %.6g to %.6g kg m/s, exchanged %.3g, off by %.2g %%; excess %.2g J of %.2g J\n", before[1],
                  after[1], exchanged, 100*vec_norm(off)/exchanged, r.sim.world.energy.excess, 0.5*0.3*fabs(before[1]));
    CHECK_LESS(0.1*fabs(before[1]), exchanged);
    CHECK_LESS(vec_norm(off), 0.02*exchanged);
    CHECK_LESS(r.sim.world.energy.excess, 0.01*0.5*0.3*fabs(before[1]));
    end(&r);
}

// A step taken back and made again leaves the same state.
static void test_undo(void** state)
{
    (void)state;
    Run r;
    begin(&r,
          "return scene { domain = { size = { 0.006, 0.006, 0.006 }, cells = 24 }, frames = { rate = 100, count = 1 }, liquids = "
          "{ sphere { center = { 0.003, 0.0035, 0.003 }, radius = 0.0009, velocity = { 0, -0.2, 0 } } }, rods = { { from = { "
          "0.001, 0.003, 0.0031 }, to = { 0.005, 0.003, 0.0031 }, radius = 1e-4, density = 1200, young = 2e9, held = 'from', "
          "contact_angle = 0.5 } } }");
    for (int m = 0; m < 5; m++) CHECK_OK(sim_step(&r.sim, 1e-3));
    uint64_t before = world_hash(&r.sim.world, &r.sim.model.tank);
    CHECK_OK(sim_step(&r.sim, 1e-4));
    uint64_t after = world_hash(&r.sim.world, &r.sim.model.tank);
    CHECK_OK(sim_undo_step(&r.sim));
    assert_true(world_hash(&r.sim.world, &r.sim.model.tank) == before && before != after);
    CHECK_OK(sim_step(&r.sim, 1e-4));
    assert_true(world_hash(&r.sim.world, &r.sim.model.tank) == after);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_string_sounds),      cmocka_unit_test(test_reed_swings),
        cmocka_unit_test(test_web_droops),         cmocka_unit_test(test_led_rod),
        cmocka_unit_test(test_dipped_thread),      cmocka_unit_test(test_drop_hangs),
        cmocka_unit_test(test_drop_hits_free_rod), cmocka_unit_test(test_undo),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

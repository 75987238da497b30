// Piles of many bodies in a pool, by MuJoCo: densities from 0.3 to 8 times the liquid's, discs and boxes, with and without
// tension and friction, thrown in. No run fails, and nothing wins more energy from nowhere than its books allow.
#include "scene_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include "base/vec.h"
#include "dice.h"
#include "rigid/rigid_mujoco.h"
#include "scene/scene_sim.h"

enum { BODIES = 24, COLUMNS = 6 };

typedef struct Pile {
    Scene scene;
    Sim sim;
} Pile;

typedef struct PileText {
    char text[300*BODIES];
    int length;
} PileText;

static void add_text(PileText* t, const char* format, ...) __attribute__((format(printf, 2, 3)));
static void add_text(PileText* t, const char* format, ...)
{
    va_list list;
    int room = (int)sizeof t->text - t->length;
    va_start(list, format);
    int more = vsnprintf(t->text + t->length, (size_t)room, format, list);
    va_end(list);
    assert_true(more >= 0 && more < room);
    t->length += more;
}

// A disc of about 3 to 5 cells in radius, or a box as wide, in its place of a grid of bodies.
static void add_body(PileText* t, Dice* d, int m, double boxes, double friction)
{
    double x = 0.13 + 0.15*(m%COLUMNS) + dice_number(d, -0.015, 0.015), density = 1000*dice_log(d, 0.3, 8);
    double y = 0.12 + 0.15*(m/COLUMNS) + dice_number(d, -0.015, 0.015), R = dice_number(d, 0.035, 0.055);
    double u = dice_number(d, -0.5, 0.5), v = dice_number(d, -2, 0.2);
    if (dice_chance(d, boxes))
        add_text(t, "box { low = { %.4f, %.4f }, high = { %.4f, %.4f }", x - R, y - 0.7*R, x + R, y + 0.7*R);
    else add_text(t, "sphere { center = { %.4f, %.4f }, radius = %.4f", x, y, R);
    add_text(t, ", density = %.0f, friction = %.1f, velocity = { %.3f, %.3f } },", density, friction, u, v);
}

typedef struct PilePlan {
    int cells;
    double depth, sigma, mu, boxes, friction;
} PilePlan;

static void start(Pile* p, const PilePlan* plan, uint64_t seed)
{
    static PileText t;
    Dice d = dice_for(seed, 0);
    t.length = 0;
    add_text(&t,
             "return scene { domain = { size = { 1, 1.2 }, cells = %d }, frames = { rate = 10, count = 10 },"
             "liquids = { pool { depth = %.3f, material = material { rho = 1000, sigma = %.4g, mu = %.4g } } }, bodies = {",
             plan->cells, plan->depth, plan->sigma, plan->mu);
    for (int m = 0; m < BODIES; m++) add_body(&t, &d, m, plan->boxes, plan->friction);
    add_text(&t, "} }");
    CHECK_OK(scene_load_text(&p->scene, "dir/x.lua", t.text));
    CHECK_OK(scene_build(&p->sim, &p->scene));
    CHECK_OK(sim_start(&p->sim));
}

// Relative to the most that moved, was in surfaces or was done as work.
typedef struct PileSum {
    double gain, taken;
    double most;   // J
    double moves;  // at the end
} PileSum;

static PileSum run(Pile* p, double time)
{
    Sim* sim = &p->sim;
    PileSum s = {0};
    double least = 0, gain = 0;
    long steps = 0;
    int iterations = 0;
    while (sim->world.time < time) {
        CHECK_OK(sim_step(sim, 0.05));
        const Energy* e = &sim->report.energy.after;
        least = fmin(least, sim->world.energy.gain), gain = fmax(gain, sim->world.energy.gain - least);
        s.most = fmax(s.most, e->kinetic + e->stored_motion + fabs(e->surface) + fabs(sim->world.energy.work));
        s.moves = (e->kinetic + e->stored_motion)/s.most;
        iterations = maxi(iterations, sim->report.iterations), steps++;
        CHECK_LESS(fabs(sim_ledger_error(sim)), 1e-9);
    }
    s.gain = gain/s.most, s.taken = sim->world.energy.taken/s.most;
    const Undone* u = &sim->undone;
    print_message("%ld steps, taken back: %ld too far, %ld gained, %ld failed; %ld calmed, gain %.3f, taken %.3f, moves %.3f, %d "
                  "iterations\n",
                  steps, u->too_far, u->gained, u->failed, u->calmed, s.gain, s.taken, s.moves, iterations);
    return s;
}

static void end(Pile* p)
{
    sim_free(&p->sim);
    scene_free(&p->scene);
}

// 24 discs settle in a pool that is viscous enough to bring them to rest: what is heavy lies on the floor, what is light floats.
static void test_discs_settle(void** state)
{
    (void)state;
    Pile p;
    if (!rigid_mujoco_is_there()) skip();
    start(&p, &(PilePlan){.cells = 50, .depth = 0.6, .mu = 2, .friction = 0.3}, 5);
    PileSum s = run(&p, 2);
    CHECK_LESS(s.gain, 0.1);  // RESERVE of docs/energy.md
    CHECK_LESS(s.taken, 0.01);
    CHECK_LESS(s.moves, 0.02);
    end(&p);
}

static long first_seed = 23, seeds = 2;
static double duration = 0.8;

// Piles as they come.
static void test_random_piles(void** state)
{
    (void)state;
    if (!rigid_mujoco_is_there()) skip();
    for (long seed = first_seed; seed < first_seed + seeds; seed++) {
        Pile p;
        Dice d = dice_for((uint64_t)seed, 1);
        PilePlan plan = {.cells = 5*dice_whole(&d, 10, seeds > 2 ? 18 : 12),
                         .depth = dice_number(&d, 0.3, 0.7),
                         .sigma = seed/2%2 ? dice_log(&d, 0.1, 10) : 0,
                         .mu = dice_chance(&d, 0.5) ? 0 : dice_log(&d, 0.001, 1),
                         .boxes = seed%2 ? 0.5 : 0,
                         .friction = dice_chance(&d, 0.3) ? 0 : 0.4};
        print_message("%ld: %d cells, sigma %.2g, mu %.2g: ", seed, plan.cells, plan.sigma, plan.mu);
        start(&p, &plan, (uint64_t)seed);
        PileSum s = run(&p, duration);
        CHECK_LESS(s.gain, 0.15);
        end(&p);
    }
}

// FIRST COUNT TIME: other ones.
int main(int argc, char** argv)
{
    if (argc == 4) first_seed = atol(argv[1]), seeds = atol(argv[2]), duration = atof(argv[3]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_discs_settle), cmocka_unit_test(test_random_piles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Bodies at random: any density from 0.001 to 20, any angle, with and without tension, above, in and under the surface, thrown
// and turning. No run fails, no step is longer than asked for, nothing wins more energy from nowhere than its books allow.
#include "body.h"

typedef struct Chance {
    uint64_t state;
} Chance;

// xorshift64*: the same numbers on every machine.
static double draw(Chance* c, double low, double high)
{
    c->state ^= c->state >> 12, c->state ^= c->state << 25, c->state ^= c->state >> 27;
    return low + (high - low)*(double)((c->state*2685821657736338717ull) >> 11)/9007199254740992.0;
}

static double below(const void* level, const double x[3]) { return x[1] - *(const double*)level; }

typedef struct Outcome {
    double gain,
        speed;  // relative to all that moved, was in surfaces and was done as work; m/s over what the scene's motion explains
    long retries;
    int iterations;
} Outcome;

// Lengths in units of 1 m = 10 to 20 cells, g = 1, rho = 1. Gains are relative to what moves, but for a hundredth of what it
// takes to push the body under: one of a thousandth of the liquid's density floats a tenth of a cell deep, and trembles.
static Outcome run_one(uint64_t seed, long steps)
{
    Chance c = {seed*0x9e3779b97f4a7c15ull + 1};
    for (int m = 0; m < 8; m++) draw(&c, 0, 1);
    Sim sim;
    double cells = draw(&c, 10, 20), level = draw(&c, 1.2, 2.5);
    basin_init(&sim, 2, (int)(4*cells), (int)(4*cells), 1, 1/cells);
    sim.model.settings.gravity[1] = -1, sim.model.settings.slip = draw(&c, 0, 1) < 0.5;
    basin_add(&sim, below, &level, (double[3]){0, 0, 0});
    bool tense = draw(&c, 0, 1) < 0.6;
    double sigma = tense ? pow(10, draw(&c, -3, 0.3)) : 0;
    sim.world.liquid[0].material = (LiquidMaterial){
        .rho = 1, .sigma = sigma, .mu = draw(&c, 0, 1) < 0.5 ? 0 : pow(10, draw(&c, -4, -1)), .contact_angle = PI/2};
    TestBody body = {.is_box = draw(&c, 0, 1) < 0.5,
                     .R = draw(&c, 0.2, 0.6),
                     .h = {draw(&c, 0.2, 0.5), draw(&c, 0.2, 0.5), 0},
                     .density = pow(10, draw(&c, -3, 1.3)),
                     .angle = draw(&c, 20, 155)*PI/180,
                     .turned = draw(&c, 0, PI),
                     .center = {draw(&c, 1, 3), draw(&c, 0.8, 3.2), 0},
                     .velocity = {draw(&c, -1, 1), draw(&c, -1.5, 0.5), 0},
                     .spin = {0, 0, draw(&c, -2, 2)}};
    double fastest = 2 + 2*fabs(body.velocity[1]) + sqrt(8*fmax(sigma, 0.01)*cells) + 2.5*fmin(1/body.density, 3);
    test_bodies_add(&sim, &body, 1);
    CHECK_OK(sim_start(&sim));
    Outcome o = {0};
    double least = 0, energy = 0;
    for (long m = 0; m < steps; m++) {
        CHECK_OK(sim_step(&sim, 1));
        const Energy* e = &sim.report.energy.after;
        least = fmin(least, sim.world.energy.gain);
        energy = fmax(energy, e->kinetic + e->stored_motion + fabs(e->surface) + fabs(sim.world.energy.work) +
                                  0.01*fmax(body.density, 1)*test_body_volume(&body));
        o.gain = fmax(o.gain, (sim.world.energy.gain - least)/energy);
        o.speed = fmax(o.speed, sim.report.max_speed/fastest);
        o.retries += sim.report.retries, o.iterations = maxi(o.iterations, sim.report.iterations);
    }
    print_message("%4llu: density %8.3g, %s, angle %3.0f, sigma %8.2g, mu %8.2g: t %.2f, gain %.3f, taken %.2g, speed %.2f, ",
                  (unsigned long long)seed, body.density, body.is_box ? "box " : "disc", body.angle*180/PI, sigma,
                  sim.world.liquid[0].material.mu, sim.world.time, o.gain, sim.world.energy.taken, o.speed);
    print_message("%ld retries (%ld too far, %ld gained), %d iterations\n", o.retries, sim.undone.too_far, sim.undone.gained,
                  o.iterations);
    sim_free(&sim);
    test_bodies_free(&body, 1);
    return o;
}

static long first_seed = 1, seeds = 24, steps = 60;

static void test_random_bodies(void** state)
{
    (void)state;
    for (long seed = first_seed; seed < first_seed + seeds; seed++) {
        Outcome o = run_one((uint64_t)seed, steps);
        CHECK_LESS(o.gain, 0.25);
        CHECK_LESS(o.speed, 3);
    }
}

// Boxes of 1.5 to 6 thousandths of the liquid's density under strong tension. Their lines threw them to and fro, and lines on
// edges were let go whenever that was fast: 116 steps were taken back for 180 that were kept. Now 35; 40 is chosen.
static void test_light_boxes(void** state)
{
    (void)state;
    static const uint64_t light[] = {2, 3, 6};
    long retries = 0;
    for (size_t m = 0; m < sizeof light/sizeof *light; m++) retries += run_one(light[m], 60).retries;
    CHECK_TRUE(retries < 40);
}

// FIRST COUNT STEPS: other ones.
int main(int argc, char** argv)
{
    if (argc == 4) first_seed = atol(argv[1]), seeds = atol(argv[2]), steps = atol(argv[3]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_bodies), cmocka_unit_test(test_light_boxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

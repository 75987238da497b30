// Solids let go of liquid that would have to be pulled, where air can come in beside it; nowhere else.
#include <stdlib.h>
#include <string.h>
#include "grid/interpolate.h"
#include "sessile.h"

// A box, still or lifted at a constant speed.
typedef struct Slab {
    double low[2], high[2], speed;
} Slab;

static double slab_distance(const void* shape, const double x[3])
{
    const Slab* b = shape;
    double q[2], r[3] = {0, 0, 0};
    for (int d = 0; d < 2; d++) q[d] = fmax(b->low[d] - x[d], x[d] - b->high[d]), r[d] = fmax(q[d], 0);
    return vec_norm(r) + fmin(fmax(q[0], q[1]), 0);
}

static mn_status slab_pose(Pose* pose, void* user, int solid, double t)
{
    (void)solid;
    *pose = pose_at((double[3]){0, ((const Slab*)user)->speed*t, 0}, (double[3]){0, 0, 0});
    return MN_OK;
}

static void add_slab(Sim* sim, Slab* b, double angle)
{
    sim->world.solids = (Solids){calloc(1, sizeof(Solid)), 1, b->speed != 0};
    assert_non_null(sim->world.solids.solid);
    Solid* s = sim->world.solids.solid;
    *s = (Solid){.distance = slab_distance, .shape = b, .moving = b->speed != 0, .contact_angle = {angle, angle}};
    sim->model.functions = (TimeFunctions){.pose = slab_pose, .user = b};
    CHECK_OK(slab_pose(&s->pose, b, 0, 0));
}

// A unit box of 64 cells with water that has neither tension nor viscosity.
static Liquid* water(Sim* sim, BasinShape shape, const void* user)
{
    basin_init(sim, 2, 64, 64, 1, 1.0/64);
    basin_add(sim, shape, user, (double[3]){0, 0, 0});
    sim->world.liquid[0].material.sigma = 0, sim->world.liquid[0].material.mu = 0;
    return &sim->world.liquid[0];
}

static double half_disc(const void* user, const double x[3])
{
    const double* c = user;  // height, radius
    double r[3] = {x[0] - 0.503, x[1] - c[0], 0};
    return vec_norm(r) - c[1];
}

// Under a solid that does not hold it half a disc falls at g, wherever in its cell the skin lies.
static void test_half_disc_falls(void** state)
{
    (void)state;
    for (int m = 0; m < 10; m++) {
        static const double offset[] = {0, 0.1, 0.4, 0.5, 0.9};
        PressureKind op = m & 1 ? PRESSURE_GHOST : PRESSURE_CUT;
        double dx = 1.0/64, height = (54 + offset[m/2])*dx, time = 0.2;
        Slab slab = {.low = {-1, height}, .high = {2, 2}};
        Sim sim;
        water(&sim, half_disc, (double[2]){height, 0.2});
        add_slab(&sim, &slab, -1);
        sim.model.settings.op = op, sim.model.settings.unilateral = true;
        CHECK_OK(sim_start(&sim));
        double correction = 0;
        int retries = 0;
        while (sim.world.time < time - 1e-12) {
            CHECK_OK(sim_step(&sim, fmin(0.005, time - sim.world.time)));
            retries += sim.report.retries;
            correction = fmax(correction, sim.report.volume_correction);
        }
        LiquidState s = liquid_state(&sim.world.liquid[0], &sim.scratch);
        print_message("half a disc under a solid %.1f dx into its cell, %s: speed %.4f, g t = %.4f, top at %.4f of %.4f, volume corrected by %.1e, %d retries, %d liquids\n",
                      offset[m/2], op == PRESSURE_GHOST ? "ghost" : "cut", -s.velocity[1], 9.81*time, s.high[1], height, correction,
                      retries, sim.world.liquid_count);
        sim_free(&sim);
    }
}

static double pool(const void* user, const double x[3]) { return x[1] - *(const double*)user; }

// Height of the liquid on the vertical x: the highest point of the surface below `most`.
static double height_at(const Sim* sim, double x, double most)
{
    const Liquid* q = &sim->world.liquid[0];
    double dx = q->w.dx, y = most;
    while (y > 0 && node_value(q->phi.v, &q->w, (double[3]){x/dx - q->w.lo[0], y/dx - q->w.lo[1], 0}) > 0) y -= 0.01*dx;
    return y;
}

// Without tension nothing bears a column under a plate that is lifted out of a bath: it parts as soon as it is above the level.
static void test_plate_parts_at_once(void** state)
{
    (void)state;
    for (int m = 0; m < 4; m++) {
        bool holds = m & 1;
        Sim sim;
        double dx = 1.0/64, level = 25.3*dx, time = 0.3;
        Slab slab = {.low = {0.25, level - 0.6*dx}, .high = {0.75, level + 6*dx}, .speed = 0.5};
        water(&sim, pool, &level);
        add_slab(&sim, &slab, -1);
        sim.model.settings.op = m & 2 ? PRESSURE_GHOST : PRESSURE_CUT, sim.model.settings.unilateral = !holds;
        CHECK_OK(sim_start(&sim));
        double correction = 0;
        int retries = 0;
        while (sim.world.time < time - 1e-12) {
            CHECK_OK(sim_step(&sim, fmin(0.005, time - sim.world.time)));
            retries += sim.report.retries;
            correction = fmax(correction, sim.report.volume_correction);
        }
        double under = slab.low[1] + slab.speed*time, highest = 0, middle = height_at(&sim, 0.5, under);
        for (double x = 0.27; x < 0.73; x += dx) highest = fmax(highest, height_at(&sim, x, under));
        print_message("plate lifted to %.2f dx over the level, %s, %s: liquid under it at most %.2f dx over the level, in the middle %.2f, at the side %.2f, corr %.1e, ret %d, gain %.3g\n",
                      (under - level)/dx, m & 2 ? "ghost" : "cut", holds ? "holds" : "lets go", (highest - level)/dx,
                      (middle - level)/dx, (height_at(&sim, 0.1, 0.9) - level)/dx, correction, retries, sim.world.energy.gain);
        sim_free(&sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_half_disc_falls), cmocka_unit_test(test_plate_parts_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Drops at rest on a plate, or on the tank's floor: a cap that meets it at its contact angle stays where it is (Young's law),
// wherever the plate lies between the planes of the grid, with the scheme and steps that the program picks by itself.
#include <stdlib.h>
#include "basin.h"

typedef struct Cap {
    double plate, center, radius;  // m: heights
    double middle;                 // m, along the tank
} Cap;

static const double DX = 1e-4, SIGMA = 0.0728, RHO = 1000, MIDDLE = 32e-4;

static double above_plate(const void* user, const double x[3]) { return x[1] - ((const Cap*)user)->plate; }

static double disc(const void* user, const double x[3])
{
    const Cap* c = user;
    return hypot(x[0] - c->middle, x[1] - c->center) - c->radius;
}

typedef struct RestingCap {
    double R, offset, angle;  // cells; cells; degrees
} RestingCap;

// Fastest speed within 8 times R/scale, of the capillary speed scale = sqrt(sigma/(rho R)). offset: of the plate above a plane of
// the grid, or along the floor.
static double fastest(const RestingCap* p, bool on_floor)
{
    Sim sim;
    double R = p->R*DX, angle = p->angle*PI/180, scale = sqrt(SIGMA/(RHO*R)), most = 0,
           plate = on_floor ? 0 : (20 + p->offset)*DX;
    Cap c = {.plate = plate, .center = plate - R*cos(angle), .radius = R, .middle = MIDDLE + (on_floor ? p->offset*DX : 0)};
    basin_init(&sim, 2, 64, 56, 1, DX);
    sim.model.settings.gravity[1] = 0, sim.model.settings.tension.scheme = TENSION_AUTO;
    if (!on_floor) {
        Solid* s = sim.world.solids.solid = calloc(1, sizeof *s);
        *s = (Solid){.distance = above_plate, .shape = &c, .pose = pose_at((double[3]){0}, (double[3]){0})};
        sim.world.solids.count = 1;
        solids_moved(&sim.world.solids);
    }
    basin_add(&sim, disc, &c, (double[3]){0, 0, 0});
    sim.world.liquid[0].material.contact_angle = angle;
    CHECK_OK(sim_start(&sim));
    for (int part = 1; part <= 16; part++) {
        CHECK_OK(sim_advance(&sim, 0.5*part*R/scale));
        most = fmax(most, liquid_max_speed(&sim.world.liquid[0]));
    }
    assert_int_equal((int)(sim.undone.gained + sim.undone.failed), 0);
    sim_free(&sim);
    return most/scale;
}

// Of the first six all but that of 60 degrees went off at 0.03 to 1.1 of the capillary speed; the seventh was kicked to 0.3 when
// its surface passed a node beside the line; the last five went off at 0.01 to 0.12 (without friction, at up to 1).
static void test_caps_at_rest(void** state)
{
    (void)state;
    static const RestingCap cap[] = {{9.172, 0, 75},      {9.172, 0, 92},       {11.3, 0, 60},        {8.6, 0, 110},
                                     {10.002, 0.969, 79}, {9.085, 0.965, 88},   {8.009, 0.871, 120},  {10.328, 0.902, 99},
                                     {9.19, 0.544, 81},   {10.364, 0.719, 137}, {11.02, 0.626, 47},   {12.394, 0.097, 55},
                                     {9.029, 0.196, 139}, {9.547, 0.443, 140},  {11.619, 0.196, 146}, {12.016, 0.14, 151},
                                     {8.484, 0.293, 152}};
    for (size_t m = 0; m < sizeof cap/sizeof *cap; m++) {
        double speed = fastest(&cap[m], false);
        print_message("R = %.3f dx, plate %.3f above a plane, %3.0f degrees: %.1e of the capillary speed\n", cap[m].R,
                      cap[m].offset, cap[m].angle, speed);
        CHECK_LESS(speed, 0.01);
    }
}

// 0.02 to 0.1 where their shapes were mirrored at the floor before the angle was known.
static void test_caps_on_the_floor(void** state)
{
    (void)state;
    static const RestingCap cap[] = {{9.547, 0.443, 129},  {12.508, 0.268, 132}, {8.101, 0.002, 120},
                                     {11.619, 0.196, 140}, {10.679, 0.521, 60},  {9.138, 0.737, 80}};
    for (size_t m = 0; m < sizeof cap/sizeof *cap; m++) {
        double speed = fastest(&cap[m], true);
        print_message("R = %.3f dx on the floor, %.3f off a node, %3.0f degrees: %.1e of the capillary speed\n", cap[m].R,
                      cap[m].offset, cap[m].angle, speed);
        CHECK_LESS(speed, 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_caps_at_rest), cmocka_unit_test(test_caps_on_the_floor)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

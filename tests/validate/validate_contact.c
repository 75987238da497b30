// Drops in three dimensions on walls of a given contact angle, and how the errors fall with resolution: the tables of docs/contact.md.
#include "sessile.h"

typedef struct Rest {
    double base[2], height;  // relative errors; base along x and along z
} Rest;

// A half ball of radius 1 = `cells` dx relaxes on the floor at theta, rho = sigma = 1, Ohnesorge 0.3.
static Rest relax(int dim, double cells, double theta, double time)
{
    double width = 4, middle = 0.5*width + 0.013;
    DropShape s = {.foot = {middle, 0, dim == 3 ? middle : 0}, .up = {0, 1, 0}, .radius = 1, .dim = dim};
    Sim sim;
    sessile_init(&sim, &s, (int)(width*cells), (int)(1.75*cells), 1/cells, theta, 0.3);
    CHECK_OK(sim_start(&sim));
    double radius = cap_radius(dim, sim.liquid[0].target_volume, theta);
    CHECK_OK(sim_advance(&sim, time));
    const Liquid* q = &sim.liquid[0];
    int along = (int)(middle*cells + 0.5);
    double left, right;
    Rest out = {.height = column_top(q, s.foot[0], s.foot[2])/(radius*(1 - cos(theta))) - 1};
    line_ends(&left, &right, q, -q->w.lo[1], dim == 3 ? along - q->w.lo[2] : 0);
    out.base[0] = 0.5*(right - left)/(radius*sin(theta)) - 1;
    if (dim == 3) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < q->w.n[2]; k++) {
            double a = q->phi.v[window_at(&q->w, along - q->w.lo[0], -q->w.lo[1], k)];
            double b = q->phi.v[window_at(&q->w, along - q->w.lo[0], -q->w.lo[1], k + 1)];
            if ((a < 0) == (b < 0)) continue;
            low = fmin(low, k + a/(a - b)), high = fmax(high, k + a/(a - b));
        }
        out.base[1] = 0.5*(high - low)*q->w.dx/(radius*sin(theta)) - 1;
    }
    sim_free(&sim);
    return out;
}

static void test_caps(void** state)
{
    (void)state;
    print_message(
        "| angle | 3D R = 8 dx: base x, z, height | R = 12 dx | 2D R = 32 dx: base, height |\n| --- | --- | --- | --- |\n");
    for (int degrees = 60; degrees <= 150; degrees += 30) {
        double theta = degrees*PI/180, time = degrees == 60 ? 6 : 4;
        Rest a = relax(3, 8, theta, time), b = relax(3, 12, theta, time), c = relax(2, 32, theta, 2*time);
        print_message("| %d | %+.2f %+.2f %+.2f %% | %+.2f %+.2f %+.2f %% | %+.2f %+.2f %% |\n", degrees, 100*a.base[0],
                      100*a.base[1], 100*a.height, 100*b.base[0], 100*b.base[1], 100*b.height, 100*c.base[0],
                      100*c.height);
        CHECK_WITHIN(b.base[0], 0, 0.03);
        CHECK_WITHIN(b.base[1], 0, 0.03);
        CHECK_WITHIN(b.height, 0, 0.03);
        CHECK_WITHIN(c.base[0], 0, 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_caps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

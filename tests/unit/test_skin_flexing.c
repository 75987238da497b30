// A body that bends carries water: a capsule whose axis is an arc, wagging, wet and under weight.
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "check.h"
#include "skin/skin_deform.h"
#include "skin/skin_step.h"

enum { ALONG = 40, AROUND = 16, MARKS = ALONG*AROUND };

// Its axis, at rest from -length to length along x, is an arc of curvature bend in the x-y plane through the origin.
typedef struct Wag {
    double length, radius, bend, bend_before, dt;
} Wag;

// Where a point of the body at rest is: along the axis by x, off it by y and z.
static void bent(double out[3], double bend, const double x[3])
{
    if (fabs(bend) < 1e-9) {
        memcpy(out, x, 3*sizeof *x);
        return;
    }
    double angle = x[0]*bend, r = 1/bend + x[1];
    out[0] = r*sin(angle), out[1] = r*cos(angle) - 1/bend, out[2] = x[2];
}

// The other way, near the axis.
static void straight(double out[3], double bend, const double x[3])
{
    if (fabs(bend) < 1e-9) {
        memcpy(out, x, 3*sizeof *x);
        return;
    }
    double up = x[1] + 1/bend, side = bend > 0 ? 1 : -1;
    out[0] = atan2(side*x[0], side*up)/bend, out[1] = side*hypot(x[0], up) - 1/bend, out[2] = x[2];
}

static double wag_distance(const void* self, const double x[3])
{
    const Wag* w = self;
    double rest[3], axis[3], end[3] = {0};
    straight(rest, w->bend, x);
    end[0] = clamp(rest[0], -w->length, w->length);
    bent(axis, w->bend, end);
    vec_sub(axis, x, axis);
    return vec_norm(axis) - w->radius;
}

static void wag_velocity(double u[3], const void* self, const double x[3])
{
    const Wag* w = self;
    double rest[3], before[3];
    straight(rest, w->bend, x);
    bent(before, w->bend_before, rest);
    for (int d = 0; d < 3; d++) u[d] = (x[d] - before[d])/w->dt;
}

static void rest_marks(double mark[MARKS][3], double area[MARKS], const Wag* w)
{
    for (int m = 0; m < MARKS; m++) {
        double s = (2*(m/AROUND + 0.5)/ALONG - 1)*(w->length + w->radius), angle = 2*PI*(m%AROUND)/AROUND;
        double end = s - clamp(s, -w->length, w->length), r = sqrt(w->radius*w->radius - end*end);
        mark[m][0] = s, mark[m][1] = r*cos(angle), mark[m][2] = r*sin(angle), area[m] = r;
    }
}

static void wet_all_around(SkinWater* s, double reach)
{
    for (int tet = 0; tet < skin_fine_count(s->lattice); tet++) {
        int64_t room = skin_room(s, &s->now, tet);
        if (room > 0 && skin_order_key(&s->now, tet) < reach) CHECK_OK(skin_water_pour(s, tet, room, (const double[3]){0, 0, 0}));
    }
    CHECK_OK(skin_list_active(s));
}

// Nothing is lost, and what momentum the water has is its weight's less what the body, or adhesion to it, has taken. Bent far
// enough, tetrahedra break.
static void wag(double most_bend, double adhesion, int steps, bool breaks)
{
    Wag w = {.length = 0.06, .radius = 0.02, .dt = 4e-3};
    SkinLattice l;
    SkinLatticeOptions lo = {
        .spacing = 0.005, .level = 2, .inner = 0.01, .outer = 0.015, .low = {-0.08, -0.02, -0.02}, .high = {0.08, 0.02, 0.02}};
    CHECK_OK(skin_lattice_init(&l, &lo, wag_distance, &w));
    static double mark[MARKS][3], area[MARKS], now[MARKS][3];
    rest_marks(mark, area, &w);
    SkinDeform deform;
    CHECK_OK(skin_deform_init(&deform, &l, (const double(*)[3])mark, area, MARKS, wag_distance, &w));
    SkinOptions o = skin_options();
    o.adhesion = adhesion, o.adhesion_reach = 0.01;
    SkinWater s;
    CHECK_OK(skin_water_init(&s, &l, &(SkinBody){.self = &w, .distance = wag_distance, .velocity = wag_velocity}, &o));
    wet_all_around(&s, 0.002);
    const double g[3] = {0, -9.81, 0};
    double(*x)[3] = malloc(sizeof *x*(size_t)l.nodes), total = (double)skin_water_held(&s), due[3] = {0}, momentum[3];
    memcpy(x, l.rest, sizeof *x*(size_t)l.nodes);
    int broken = 0;
    for (int step = 1; step <= steps; step++) {
        w.bend_before = w.bend, w.bend = most_bend*sin(2*PI*step/40);
        for (int m = 0; m < MARKS; m++) bent(now[m], w.bend, mark[m]);
        SkinDeformReport report;
        CHECK_OK(skin_deform_follow(x, &report, &deform, (const double(*)[3])now, 4));
        CHECK_OK(skin_water_move(&s, (const double(*)[3])x));
        CHECK_OK(skin_step(&s, g, w.dt));
        CHECK_TRUE(skin_water_is_valid(&s));
        assert_int_equal(skin_water_lost(&s), 0);
        assert_int_equal(s.now.broken_count, report.broken);
        broken = report.broken > broken ? report.broken : broken;
        for (int d = 0; d < 3; d++) due[d] += total*w.dt*g[d] - s.pushed[d];
        skin_water_momentum(momentum, &s);
        for (int d = 0; d < 3; d++) CHECK_WITHIN(momentum[d], due[d], 1e-9*total);
    }
    print_message("bent by up to %g/m: %d of %d broken, %.3f of the water still on the skin, %d drops, %.2g trapped\n", most_bend,
                  broken, l.tets, (double)skin_water_held(&s)/total, s.drops.count, (double)s.trapped/total);
    CHECK_TRUE(breaks == (broken > 0));
    free(x);
    skin_water_free(&s), skin_deform_free(&deform), skin_lattice_free(&l);
}

static void test_wagging(void** state)
{
    (void)state;
    wag(8, 40, 30, false);
}

static void test_bent_too_far(void** state)
{
    (void)state;
    wag(30, 20, 14, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wagging), cmocka_unit_test(test_bent_too_far)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

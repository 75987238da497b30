// The nearest of many solids, as the balls around them tell, against asking every one of them.
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "dice.h"
#include "base/vec.h"
#include "liquid/solid.h"

static Dice dice_of_test = {7};
static double dice(void) { return dice_number(&dice_of_test, 0, 1); }

enum { SOLIDS = 150 };  // more than are looked at in one go

// A rod along x of half length a and radius b: nothing near a ball.
typedef struct Rod {
    double a, b;
} Rod;

static double rod_distance(const void* shape, const double x[3])
{
    const Rod* rod = shape;
    double y[3] = {x[0] - clamp(x[0], -rod->a, rod->a), x[1], x[2]};
    return vec_norm(y) - rod->b;
}

// Rods at random; some stand still, some keep liquids off, of some nobody knows how far they reach, and two are the same.
static void rods_init(Solids* s, Rod rod[SOLIDS], int count)
{
    *s = (Solids){.solid = calloc(SOLIDS, sizeof(Solid)), .count = count, .any_moving = true};
    assert_non_null(s->solid);
    for (int m = 0; m < count; m++) {
        rod[m] = (Rod){0.1*dice(), 0.01 + 0.03*dice()};
        s->solid[m] = (Solid){.distance = rod_distance,
                              .shape = &rod[m],
                              .moving = m%3 > 0,
                              .keeps_off = m%7 == 3,
                              .reach = m%50 == 20 ? 0 : rod[m].a + rod[m].b,
                              .pose = pose_at((double[3]){dice(), dice(), dice()}, (double[3]){3*dice(), 3*dice(), 0})};
    }
    if (count > 6) rod[6] = rod[5], s->solid[6].pose = s->solid[5].pose, s->solid[6].reach = s->solid[5].reach;
}

static double nearest_by_all(const Solids* s, const double x[3], int* which)
{
    double nearest = INFINITY;
    for (int m = 0; m < s->count; m++) {
        double distance = solid_distance_to(&s->solid[m], x);
        if (distance < nearest) nearest = distance, *which = m;
    }
    return nearest;
}

static void check_points(const Solids* s, int points)
{
    for (int n = 0; n < points; n++) {
        double x[3] = {1.4*dice() - 0.2, 1.4*dice() - 0.2, 1.4*dice() - 0.2};
        int found = -1, right = -1, within = -1;
        double distance = nearest_by_all(s, x, &right);
        assert_true(solids_distance(s, x, &found) == distance);
        assert_int_equal(found, right);
        // asked only for what is nearer than it is, there is none; a little further away there is
        assert_true(solids_distance_within(s, x, distance, &within) == INFINITY && within == -1);
        assert_true(solids_distance_within(s, x, distance + 1e-9, &within) == distance && within == right);
    }
}

// Places that have not been told, that have been, and that have changed since: always the same solid and the same bits.
static void test_nearest_of_many(void** state)
{
    (void)state;
    static Rod rod[SOLIDS];
    Solids s;
    rods_init(&s, rod, SOLIDS);
    check_points(&s, 200);
    solids_moved(&s);
    check_points(&s, 2000);
    for (int m = 0; m < s.count; m++) s.solid[m].pose.position[m%3] += 0.2*(dice() - 0.5);
    assert_false(solids_balls_agree(&s));
    solids_moved(&s);
    check_points(&s, 2000);
    solids_free(&s);
}

static void sample(double* out, double* still, const double* before, const Solids* s, const Spans* spans, const Window* w)
{
    memset(out - w->origin, 0, sizeof *out*w->count);
    solids_sample(out, still, before, s, spans, w);
}

// On nodes: the same bits with and without balls, and with what was sampled on other spans.
static void test_samples(void** state)
{
    (void)state;
    static Rod rod[SOLIDS];
    Solids s;
    Arena arena = {0};
    Tank tank = {.dim = 3, .dx = 1.0/24, .n = {24, 24, 24}};
    Window w = window_whole(&tank);
    double* field[5];
    for (int m = 0; m < 5; m++) {
        assert_non_null(field[m] = ARENA_ZERO(&arena, double, w.count));
        field[m] += w.origin;
    }
    Spans all, some;
    for (int k = 0; k <= 24; k++)
        for (int j = 0; j <= 24; j++)
            for (int i = 0; i <= 24; i++) field[0][window_at(&w, i, j, k)] = (j - 9)*w.dx;
    CHECK_OK(spans_build(&all, &arena, field[0], &w, 8*w.dx, 2));
    CHECK_OK(spans_build(&some, &arena, field[0], &w, 2*w.dx, 0));
    rods_init(&s, rod, SOLIDS);
    sample(field[1], field[2], NULL, &s, &all, &w);
    solids_moved(&s);
    sample(field[3], field[4], NULL, &s, &all, &w);
    assert_memory_equal(field[1] - w.origin, field[3] - w.origin, sizeof(double)*w.count);
    assert_memory_equal(field[2] - w.origin, field[4] - w.origin, sizeof(double)*w.count);
    sample(field[3], field[4], NULL, &s, &some, &w);
    sample(field[2], field[4], field[3], &s, &all, &w);
    assert_memory_equal(field[1] - w.origin, field[2] - w.origin, sizeof(double)*w.count);
    solids_free(&s);
    arena_free(&arena);
}

// How near solids come to a plane: never nearer than is said.
static void test_room_beside_a_plane(void** state)
{
    (void)state;
    static Rod rod[SOLIDS];
    Solids s;
    rods_init(&s, rod, 5);
    assert_true(solids_room_beside(&s, 0, -1) == -INFINITY);  // nobody has told the places
    solids_moved(&s);
    for (int axis = 0; axis < 3; axis++) {
        double room = solids_room_beside(&s, axis, -0.5);
        CHECK_LESS(0.2, room);
        for (int n = 0; n < 500; n++) {
            double x[3] = {2*dice() - 0.5, 2*dice() - 0.5, 2*dice() - 0.5};
            x[axis] = -0.5;
            CHECK_LESS(room, solids_distance(&s, x, NULL));
        }
    }
    solids_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nearest_of_many), cmocka_unit_test(test_samples),
                                       cmocka_unit_test(test_room_beside_a_plane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Water on a skin is counted: none is lost or made, it moves as fast as it says, and what is too much goes outwards.
#include <omp.h>
#include "dice.h"
#include "skin/skin_advect.h"
#include "skin/skin_settle.h"
#include "skin_ball.h"

static const double NONE[3] = {0, 0, 0};

// A ball that tumbles through its own splashes: after every part of every step the books are closed to the last quantum.
static void tumble(SkinBall* b, int steps)
{
    const double g[3] = {0, -9.81, 0}, dt = 2e-3;
    Dice dice = dice_for(1, 0);
    for (int step = 0; step < steps; step++) {
        if (step%30 == 0) {
            double middle[3], u[3];
            for (int d = 0; d < 3; d++)
                middle[d] = b->centre[d] + dice_number(&dice, -0.03, 0.03), u[d] = dice_number(&dice, -2, 2);
            skin_ball_pour(b, middle, 0.014, dice_number(&dice, 0.1, 2), u);
        }
        b->velocity[0] = 0.5*sin(0.1*step), b->velocity[1] = 0.3*cos(0.07*step), b->spin = 20*sin(0.05*step);
        skin_ball_move(b, dt);
        CHECK_OK(skin_step(&b->water, g, dt));
        CHECK_TRUE(skin_water_is_valid(&b->water));
        assert_int_equal(skin_water_lost(&b->water), 0);
    }
}

static void test_nothing_is_lost(void** state)
{
    (void)state;
    SkinOptions o = skin_options();
    for (int request = SKIN_BY_CONTENT; request <= SKIN_ONLY_FORWARD; request++) {
        o.request = (SkinRequest)request;
        SkinBall* b = skin_ball_new(0.03, 0.006, 2, 0.015, &o);
        tumble(b, request == SKIN_BY_CONTENT ? 200 : 40);
        CHECK_TRUE(b->water.drops.count > 10);
        print_message("request %d: %d drops, %d wet\n", request, b->water.drops.count, skin_ball_state(b).wet);
        skin_ball_free(b);
    }
}

static void test_threads(void** state)
{
    (void)state;
    SkinOptions o = skin_options();
    uint64_t hash[2];
    int threads = omp_get_max_threads();
    for (int go = 0; go < 2; go++) {
        omp_set_num_threads(go ? 4 : 1);
        SkinBall* b = skin_ball_new(0.03, 0.006, 2, 0.015, &o);
        tumble(b, 40);
        StateHash h = state_hash_begin();
        CHECK_OK(skin_water_visit(&b->water, &h.visitor));
        hash[go] = h.value;
        skin_ball_free(b);
    }
    omp_set_num_threads(threads);
    CHECK_TRUE(hash[0] == hash[1]);
}

// A step that is undone and done again leaves the same bytes.
static void test_undo(void** state)
{
    (void)state;
    SkinOptions o = skin_options();
    SkinBall* b = skin_ball_new(0.03, 0.006, 2, 0.015, &o);
    tumble(b, 30);
    Arena arena = {0};
    StateCopy* copy = state_copy_begin(&arena);
    CHECK_OK(skin_water_visit(&b->water, state_copy_saver(copy)));
    uint64_t hash[2];
    for (int go = 0; go < 2; go++) {
        double angle = b->angle, centre[3] = {b->centre[0], b->centre[1], b->centre[2]};
        for (int step = 0; step < 5; step++) {
            skin_ball_move(b, 1e-3);
            CHECK_OK(skin_step(&b->water, (const double[3]){0, -9.81, 0}, 1e-3));
        }
        StateHash h = state_hash_begin();
        CHECK_OK(skin_water_visit(&b->water, &h.visitor));
        hash[go] = h.value;
        b->angle = angle, memcpy(b->centre, centre, sizeof centre);
        CHECK_OK(skin_water_visit(&b->water, state_copy_restorer(copy)));
    }
    CHECK_TRUE(hash[0] == hash[1]);
    arena_free(&arena);
    skin_ball_free(b);
}

// Far from the body, without weight: momentum stays, in tetrahedra, crumbs, overfull ones and drops.
static void test_momentum_in_free_flight(void** state)
{
    (void)state;
    SkinOptions o = skin_options();
    SkinBall* b = skin_ball_new(0.01, 0.005, 2, 0.06, &o);
    const double u[3] = {0.3, 0.1, -0.2}, v[3] = {-0.1, 0.4, 0.3};
    skin_ball_pour(b, (const double[3]){0.035, 0.01, 0}, 0.013, 1.5, u);
    skin_ball_pour(b, (const double[3]){0.035, 0.03, 0.01}, 0.013, 0.4, v);
    double before[3], after[3];
    skin_water_momentum(before, &b->water);
    for (int step = 0; step < 100; step++) {
        skin_ball_move(b, 2e-3);
        CHECK_OK(skin_step(&b->water, NONE, 2e-3));
    }
    skin_water_momentum(after, &b->water);
    CHECK_TRUE(vec_norm(b->water.pushed) == 0 && b->water.drops.count > 0);
    for (int d = 0; d < 3; d++) CHECK_CLOSE(after[d], before[d], 1e-12);
    skin_ball_free(b);
}

// How far the centre of a blob has come over how far it should have, at so many fine edges per step. Isolated: one tetrahedron in
// 60 is wet.
static double progress(SkinRequest request, bool still, bool isolated, double cfl)
{
    SkinOptions o = skin_options();
    o.request = request, o.still_points = still, o.crumb = 0;
    const double a = 0.004, u[3] = {0.6, 0.64, 0.48}, dt = cfl*a;  // |u| = 1
    SkinBall* b = skin_ball_new(0.005, a, 2, 0.07, &o);
    if (isolated)
        for (int tet = 0; tet < skin_fine_count(&b->lattice); tet++) {
            double x[4][3], gap[3], middle[3] = {-0.02, -0.03, 0.01};
            skin_corners(x, &b->water.now, tet);
            vec_sub(gap, x[0], middle);
            if (vec_norm(gap) < 0.02 && tet%23 == 0) CHECK_OK(skin_water_pour(&b->water, tet, 1 << 28, u));
        }
    else skin_ball_pour(b, (const double[3]){-0.02, -0.03, 0.01}, 0.013, 0.3, u);
    SkinBallState begin = skin_ball_state(b);
    const int steps = 20;
    for (int step = 0; step < steps; step++) {
        skin_ball_move(b, dt);
        CHECK_OK(skin_advect(&b->water, dt));
        b->water.step++;
    }
    SkinBallState end = skin_ball_state(b);
    assert_int_equal(b->water.drops.count, 0);
    double way = 0;
    for (int d = 0; d < 3; d++) way += (end.centre[d] - begin.centre[d])*u[d];
    skin_ball_free(b);
    return way/(steps*dt);
}

static void test_slow_and_thin_water_moves(void** state)
{
    (void)state;
    static const double cfl[] = {0.05, 0.1, 0.4};
    for (int isolated = 0; isolated < 2; isolated++)
        for (int m = 0; m < 3; m++) {
            double content = progress(SKIN_BY_CONTENT, false, isolated, cfl[m]);
            double forward = progress(SKIN_ONLY_FORWARD, false, isolated, cfl[m]);
            double paper = m > 0 ? NAN : progress(SKIN_BY_VOLUME, false, isolated, cfl[m]);  // for comparison
            print_message("%s, %.2f edges per step: content %.3f, by volume %.3f, forward %.3f of the way\n",
                          isolated ? "isolated" : "a blob", cfl[m], content, paper, forward);
            CHECK_WITHIN(content, 1, 0.05);
            CHECK_WITHIN(forward, 1, 0.02);
        }
    // points that lie still do not let slow water go: that is why ours move
    double still = progress(SKIN_BY_VOLUME, true, true, 0.05);
    print_message("still points, isolated, 0.05 edges per step: %.3f of the way\n", still);
    CHECK_LESS(still, 0.1);
}

// Full water in uniform motion, 0.4 of the short edge in a step: points are a rough measure of volume, and some tetrahedra get
// too much.
static void test_excess_of_uniform_motion(void** state)
{
    (void)state;
    SkinOptions o = skin_options();
    for (int request = SKIN_BY_CONTENT; request <= SKIN_ONLY_FORWARD; request += 2) {
        o.request = (SkinRequest)request, o.crumb = 0;
        const double a = 0.004, u[3] = {0.6, 0.64, 0.48}, dt = 0.4*sqrt(0.75)*a;
        SkinBall* b = skin_ball_new(0.005, a, 2, 0.06, &o);
        skin_ball_pour(b, (const double[3]){-0.02, -0.03, 0.01}, 0.02, 1, u);
        skin_ball_move(b, dt);
        CHECK_OK(skin_advect(&b->water, dt));
        double excess = skin_ball_state(b).excess;
        print_message("request %d: %.3f too much after a step\n", request, excess);
        if (request == SKIN_BY_CONTENT) CHECK_LESS(excess, 0.03);
        skin_ball_free(b);
    }
}

// Water at rest on a lattice that moves with it stays in its tetrahedra: only points on faces could change.
static void test_water_rides_on_its_lattice(void** state)
{
    (void)state;
    SkinOptions o = skin_options();
    SkinBall* b = skin_ball_new(0.03, 0.004, 2, 0.02, &o);
    const double u[3] = {0.7, -0.4, 0.2};
    memcpy(b->velocity, u, sizeof u);
    skin_ball_pour(b, (const double[3]){0.03, 0.01, 0}, 0.02, 0.7, u);
    int fine = skin_fine_count(&b->lattice);
    int64_t *was = malloc(sizeof *was*(size_t)fine), moved = 0;
    for (int t = 0; t < fine; t++) was[t] = skin_w(&b->water, t);
    for (int step = 0; step < 10; step++) {
        skin_ball_move(b, 3e-3);
        CHECK_OK(skin_advect(&b->water, 3e-3));
        b->water.step++;
    }
    for (int t = 0; t < fine; t++) moved += llabs(was[t] - skin_w(&b->water, t));
    CHECK_LESS((double)moved, 1e-9*(double)skin_water_held(&b->water) + 1);
    free(was);
    skin_ball_free(b);
}

// A shell filled up to twenty times: afterwards nothing holds more than fits, and all of it is still there.
static void test_push_out(void** state)
{
    (void)state;
    SkinOptions o = skin_options();
    SkinBall* b = skin_ball_new(0.03, 0.003, 2, 0.02, &o);
    Dice dice = dice_for(2, 0);
    int over = 0;
    for (int tet = 0; tet < skin_fine_count(&b->lattice); tet++) {
        double key = skin_order_key(&b->water.now, tet);
        int64_t room = skin_room(&b->water, &b->water.now, tet);
        if (room == 0 || key > 0.003 || !dice_chance(&dice, 0.3)) continue;
        CHECK_OK(skin_water_pour(&b->water, tet, (int64_t)(dice_number(&dice, 0, 20)*(double)room), NONE));
        over++;
    }
    CHECK_OK(skin_list_active(&b->water));
    CHECK_OK(skin_push_out(&b->water));
    assert_int_equal(skin_water_lost(&b->water), 0);
    assert_int_equal(b->water.trapped, 0);
    print_message("%d overfull, %ld visits\n", over, b->water.visits);
    CHECK_LESS(skin_ball_state(b).fullest, 1 + 1e-12);
    CHECK_LESS((double)b->water.visits, 50.0*over);
    skin_ball_free(b);
}

// Two balls with a narrow gap: in its middle no neighbour is farther from the skin, and water finds the way out along it.
typedef struct Pair {
    double apart, radius;
} Pair;

static double pair_distance(const void* self, const double x[3])
{
    const Pair* p = self;
    double y[3] = {fabs(x[0]) - p->apart, x[1], x[2]};
    return vec_norm(y) - p->radius;
}

static void pair_velocity(double u[3], const void* self, const double x[3])
{
    (void)self, (void)x;
    u[0] = u[1] = u[2] = 0;
}

static void test_push_out_of_a_gap(void** state)
{
    (void)state;
    Pair pair = {.apart = 0.035, .radius = 0.03};
    SkinLatticeOptions lo = {
        .spacing = 0.002, .level = 2, .inner = 0.004, .outer = 0.008, .low = {-0.065, -0.03, -0.03}, .high = {0.065, 0.03, 0.03}};
    SkinLattice l;
    CHECK_OK(skin_lattice_init(&l, &lo, pair_distance, &pair));
    SkinWater s;
    SkinOptions o = skin_options();
    SkinBody body = {.self = &pair, .distance = pair_distance, .velocity = pair_velocity, .keeps_form = true};
    CHECK_OK(skin_water_init(&s, &l, &body, &o));
    int64_t most = 0;
    for (int tet = 0; tet < skin_fine_count(&l); tet++) {
        double x[4][3], r2 = 0;
        skin_corners(x, &s.now, tet);
        for (int d = 0; d < 3; d++) r2 += pow(0.25*(x[0][d] + x[1][d] + x[2][d] + x[3][d]), 2);
        int64_t room = skin_room(&s, &s.now, tet);
        if (sqrt(r2) < 0.008 && room > 0) CHECK_OK(skin_water_pour(&s, tet, 5*room, NONE));
    }
    CHECK_OK(skin_list_active(&s));
    CHECK_OK(skin_push_out(&s));
    assert_int_equal(skin_water_lost(&s), 0);
    assert_int_equal(s.trapped, 0);
    for (int tet = 0; tet < skin_fine_count(&l); tet++) {
        int64_t over = skin_w(&s, tet) - skin_room(&s, &s.now, tet);
        if (over > most) most = over;
    }
    assert_int_equal(most, 0);
    skin_water_free(&s), skin_lattice_free(&l);
}

// After a step no water is in closed tetrahedra, and none that was stopped runs into the body.
static void test_body_stops_water(void** state)
{
    (void)state;
    SkinOptions o = skin_options();
    SkinBall* b = skin_ball_new(0.03, 0.003, 2, 0.015, &o);
    skin_ball_pour(b, (const double[3]){0, 0.038, 0}, 0.008, 1, (const double[3]){0, -1, 0});
    b->velocity[1] = 0.5;
    double momentum[3], after[3], pushed = 0;
    skin_water_momentum(momentum, &b->water);
    int stopped = 0;
    for (int step = 0; step < 20; step++) {
        skin_ball_move(b, 1e-3);
        CHECK_OK(skin_step(&b->water, NONE, 1e-3));
        pushed += b->water.pushed[1];
        for (int m = 0; m < b->water.active_count; m++) {
            const SkinBlock* q = b->water.block[b->water.active[m]];
            for (int f = 0; f < b->lattice.fine.fine; f++) {
                int tet = q->coarse << 3*b->lattice.fine.level | f;
                double n[3], away = 0;
                if (q->w[f] > 0) CHECK_TRUE(q->room[f] > 0);
                if (!q->stopped[f]) continue;
                skin_depth_gradient(n, &b->water.now, tet);
                for (int d = 0; d < 3; d++) away += (q->u[f][d] - b->velocity[d])*n[d];
                CHECK_TRUE(away > -1e-12);
                stopped++;
            }
        }
    }
    skin_water_momentum(after, &b->water);
    CHECK_TRUE(stopped > 100);
    CHECK_CLOSE(momentum[1] - after[1], pushed, 1e-9);  // the body has taken what the water lacks
    skin_ball_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_is_lost),
                                       cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_undo),
                                       cmocka_unit_test(test_momentum_in_free_flight),
                                       cmocka_unit_test(test_slow_and_thin_water_moves),
                                       cmocka_unit_test(test_excess_of_uniform_motion),
                                       cmocka_unit_test(test_water_rides_on_its_lattice),
                                       cmocka_unit_test(test_push_out),
                                       cmocka_unit_test(test_push_out_of_a_gap),
                                       cmocka_unit_test(test_body_stops_water)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

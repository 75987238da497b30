// The lattice around a skin: fine tetrahedra follow from tables, fill space once, and know their neighbours.
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "check.h"
#include "dice.h"
#include "skin/skin_pose.h"
#include "skin/skin_samples.h"

static double ball_distance(const void* radius, const double x[3]) { return vec_norm(x) - *(const double*)radius; }

static void ball_lattice(SkinLattice* l, const double* radius, double a, int level, double outer)
{
    double r = *radius;
    SkinLatticeOptions o = {
        .spacing = a, .level = level, .inner = 0.5*a*(1 << level), .outer = outer, .low = {-r, -r, -r}, .high = {r, r, r}};
    CHECK_OK(skin_lattice_init(l, &o, ball_distance, radius));
}

static double six_volumes(const double x[4][3])
{
    double e[3][3], n[3];
    for (int k = 0; k < 3; k++) vec_sub(e[k], x[k + 1], x[0]);
    vec_cross(n, e[0], e[1]);
    return vec_dot(n, e[2]);
}

// Corners of a fine tetrahedron of a coarse one with these.
static void corners(double x[4][3], const SkinTemplate* t, const double coarse[4][3], int fine)
{
    memset(x, 0, 12*sizeof(double));
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 4; c++)
            for (int d = 0; d < 3; d++) x[k][d] += t->bary[t->corner[fine][k]][c]*coarse[c][d]/(1 << t->level);
}

static const double UNIT[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.5, 0.5, -0.5}, {0.5, 0.5, 0.5}};  // of the lattice: long (0,1), (2,3)

static void test_template_fills_its_tetrahedron(void** state)
{
    (void)state;
    for (int level = 1; level <= SKIN_LEVEL_MOST; level++) {
        SkinTemplate t;
        CHECK_OK(skin_template_init(&t, level));
        double h = 1.0/(1 << level);
        for (int f = 0; f < t.fine; f++) {
            double x[4][3], edge[3];
            corners(x, &t, UNIT, f);
            CHECK_CLOSE(six_volumes(x), six_volumes(UNIT)/t.fine, 1e-12);  // each is as large as any other, and not turned over
            for (int i = 0; i < 4; i++)
                for (int j = i + 1; j < 4; j++) {
                    vec_sub(edge, x[i], x[j]);
                    CHECK_CLOSE(vec_norm(edge), i + j == 1 || i + j == 5 ? h : sqrt(0.75)*h, 1e-12);  // and has their form
                }
        }
        skin_template_free(&t);
    }
}

static void test_neighbours_in_the_template(void** state)
{
    (void)state;
    for (int level = 1; level <= SKIN_LEVEL_MOST; level++) {
        SkinTemplate t;
        CHECK_OK(skin_template_init(&t, level));
        int rim[4] = {0};
        for (int f = 0; f < t.fine; f++)
            for (int face = 0; face < 4; face++) {
                int other = t.next[f][face], back = 0;
                if (other < 0) {
                    int big = -1 - other;
                    rim[big]++;
                    assert_int_equal(t.behind[t.cell[f][face]][big], f);
                    assert_int_equal(t.behind_face[t.cell[f][face]][big], face);
                    continue;
                }
                for (int g = 0; g < 4; g++) back += t.next[other][g] == f;
                assert_int_equal(back, 1);
            }
        for (int big = 0; big < 4; big++) assert_int_equal(rim[big], t.rim);
        skin_template_free(&t);
    }
}

// By arithmetic, against the corners themselves: a neighbour across a face has its three corners.
static void test_neighbours_across_blocks(void** state)
{
    (void)state;
    double radius = 0.1;
    bool turns[SKIN_TURNS] = {false};
    for (int level = 1; level <= 3; level++) {
        SkinLattice l;
        SkinPose p;
        ball_lattice(&l, &radius, 0.06/(1 << level), level, 0.04);
        CHECK_TRUE(skin_lattice_is_valid(&l));
        CHECK_OK(skin_pose_init(&p, &l));
        CHECK_OK(skin_pose_set(&p, (const double(*)[3])l.rest));
        long across = 0;
        for (int tet = 0; tet < skin_fine_count(&l); tet++)
            for (int face = 0; face < 4; face++) {
                int other = skin_next(&l, tet, face), back = 0, shared = 0;
                if (other < 0) continue;
                for (int g = 0; g < 4; g++) back += skin_next(&l, other, g) == tet;
                assert_int_equal(back, 1);
                if (skin_coarse_of(&l, tet) == skin_coarse_of(&l, other)) continue;
                across++;
                double x[4][3], y[4][3], gap[3];
                skin_corners(x, &p, tet), skin_corners(y, &p, other);
                for (int i = 0; i < 4; i++)
                    for (int j = 0; j < 4; j++) vec_sub(gap, x[i], y[j]), shared += i != face && vec_norm(gap) < 1e-12;
                assert_int_equal(shared, 3);
            }
        for (int t = 0; t < l.tets; t++)
            for (int f = 0; f < 4; f++)
                if (l.next[t][f] >= 0) turns[l.turn[t][f]] = true;
        CHECK_TRUE(across > 100);
        skin_pose_free(&p), skin_lattice_free(&l);
    }
    int seen = 0;
    for (int turn = 0; turn < SKIN_TURNS; turn++) seen += turns[turn];
    print_message("turns that occur: %d\n", seen);
    CHECK_TRUE(seen >= 2);
}

// Every turn, those that this lattice happens not to use as well: a triangle counted by the neighbour and back is itself.
static void test_turns(void** state)
{
    (void)state;
    SkinTemplate t;
    CHECK_OK(skin_template_init(&t, 3));
    for (int turn = 0; turn < SKIN_TURNS; turn++) {
        int inverse = -1;
        for (int other = 0; other < SKIN_TURNS; other++) {
            bool is = true;
            for (int k = 0; k < 3; k++) is &= skin_turn[other][skin_turn[turn][k]] == k;
            if (is) inverse = other;
        }
        CHECK_TRUE(inverse >= 0);
        for (int c = 0; c < t.rim; c++) assert_int_equal(t.turned[t.turned[c][turn]][inverse], c);
    }
    skin_template_free(&t);
}

static void test_descent(void** state)
{
    (void)state;
    Dice dice = dice_for(7, 0);
    for (int level = 1; level <= SKIN_LEVEL_MOST; level++) {
        SkinTemplate t;
        CHECK_OK(skin_template_init(&t, level));
        for (int go = 0; go < 50000; go++) {
            SkinShift shift = skin_shift(go, level, SKIN_BACKWARD);
            double b[4], was[4], sum = 0;
            skin_moving_sample(b, &shift, 0);
            if (go%3 == 0) {  // on faces, edges and corners of fine tetrahedra: to exactly one of them
                int n = 1 << level, left = n;
                for (int k = 0; k < 3; k++) {
                    int part = dice_whole(&dice, 0, left);
                    b[k] = (double)part/n, left -= part;
                }
                b[3] = (double)left/n;
            }
            memcpy(was, b, sizeof b);
            int fine = skin_descend(b, &t);
            double back[4] = {0};
            for (int k = 0; k < 4; k++) {
                CHECK_TRUE(b[k] >= -1e-12);
                sum += b[k];
                for (int c = 0; c < 4; c++) back[c] += b[k]*t.bary[t.corner[fine][k]][c]/(1 << level);
            }
            CHECK_WITHIN(sum, 1, 1e-12);
            for (int c = 0; c < 4; c++) CHECK_WITHIN(back[c], was[c], 1e-13);  // in the tetrahedron, at the same point
        }
        skin_template_free(&t);
    }
}

static void test_location(void** state)
{
    (void)state;
    double radius = 0.1;
    SkinLattice l;
    SkinPose p;
    ball_lattice(&l, &radius, 0.008, 2, 0.03);
    CHECK_OK(skin_pose_init(&p, &l));
    double(*x)[3] = malloc(sizeof *x*(size_t)l.nodes);
    for (int m = 0; m < l.nodes; m++) {  // turned by 0.5 about z, bent, and moved
        double c = cos(0.5), s = sin(0.5), *r = l.rest[m];
        x[m][0] = c*r[0] - s*r[1] + 0.3, x[m][1] = s*r[0] + c*r[1] - 0.2 + r[0]*r[0],
        x[m][2] = r[2] + 0.4*r[1]*r[0];
    }
    CHECK_OK(skin_pose_set(&p, (const double(*)[3])x));
    assert_int_equal(p.broken_count, 0);
    Dice dice = dice_for(3, 0);
    for (int go = 0; go < 20000; go++) {
        int tet = dice_whole(&dice, 0, skin_fine_count(&l) - 1);
        SkinShift shift = skin_shift(go, 0, SKIN_FORWARD);
        double corner[4][3], b[4], found[4], at[3] = {0};
        skin_corners(corner, &p, tet);
        skin_moving_sample(b, &shift, 1);
        for (int k = 0; k < 4; k++)
            for (int d = 0; d < 3; d++) at[d] += b[k]*corner[k][d];
        assert_int_equal(skin_locate(found, &p, at, -1), tet);
        assert_int_equal(skin_locate(found, &p, at, skin_coarse_of(&l, tet)), tet);
        for (int k = 0; k < 4; k++) CHECK_WITHIN(found[k], b[k], 1e-9);
    }
    assert_int_equal(skin_locate((double[4]){0}, &p, (const double[3]){0.3, -0.2, 0}, -1), -1);  // deep in the ball
    assert_int_equal(skin_locate((double[4]){0}, &p, (const double[3]){9, 9, 9}, -1), -1);
    free(x);
    skin_pose_free(&p), skin_lattice_free(&l);
}

// E b = 1/4, E b^2 = 1/10, E b^4 = 1/35: b^k over a tetrahedron is 6 k!/(k + 3)!.
static void test_moving_samples_are_even(void** state)
{
    (void)state;
    const int n = 2000000;
    double mean[4] = {0}, square = 0, fourth = 0;
    for (int m = 0; m < n; m++) {
        SkinShift shift = skin_shift(m/11, 5, SKIN_BACKWARD);
        double b[4];
        skin_moving_sample(b, &shift, m%11);
        for (int k = 0; k < 4; k++) {
            CHECK_TRUE(b[k] >= -1e-15);
            mean[k] += b[k]/n, square += b[k]*b[k]/(4.0*n), fourth += pow(b[k], 4)/(4.0*n);
        }
    }
    for (int k = 0; k < 4; k++) CHECK_WITHIN(mean[k], 0.25, 6e-4);  // four deviations, if all were independent
    CHECK_WITHIN(square, 0.1, 3e-4);
    CHECK_WITHIN(fourth, 1.0/35, 3e-4);
}

// Integral of b0^i b1^j b2^k over a tetrahedron of volume 1: 6 i! j! k!/(i + j + k + 3)!.
static void test_fixed_samples_are_exact(void** state)
{
    (void)state;
    static const int counts[] = {4, 5, 8, 10, 11, 20};
    static const double factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040};
    for (int m = 0; m < 6; m++) {
        double b[SKIN_SAMPLES_MOST][4];
        int degree = skin_fixed_samples(b, counts[m]);
        CHECK_TRUE(degree >= 2);
        for (int i = 0; i <= degree; i++)
            for (int j = 0; i + j <= degree; j++)
                for (int k = 0; i + j + k <= degree; k++) {
                    double sum = 0;
                    for (int s = 0; s < counts[m]; s++) sum += pow(b[s][0], i)*pow(b[s][1], j)*pow(b[s][2], k)/counts[m];
                    CHECK_WITHIN(sum, 6*factorial[i]*factorial[j]*factorial[k]/factorial[i + j + k + 3], 1e-14);
                }
    }
    assert_int_equal(skin_fixed_samples((double[SKIN_SAMPLES_MOST][4]){{0}}, 7), 0);
}

static void test_open_fraction(void** state)
{
    (void)state;
    Dice dice = dice_for(11, 0);
    for (int go = 0; go < 60; go++) {
        double phi[4], turned[4];
        for (int k = 0; k < 4; k++) phi[k] = dice_number(&dice, -1, 1), turned[k] = -phi[k];
        double open = skin_open_fraction(phi);
        CHECK_WITHIN(open + skin_open_fraction(turned), 1, 1e-14);
        int inside = 0;
        const int n = 40000;
        for (int m = 0; m < n; m++) {
            SkinShift shift = skin_shift(m, go, SKIN_JITTER);
            double b[4];
            skin_moving_sample(b, &shift, 0);
            inside += b[0]*phi[0] + b[1]*phi[1] + b[2]*phi[2] + b[3]*phi[3] > 0;
        }
        CHECK_WITHIN(open, (double)inside/n, 0.012);  // five deviations
    }
}

// The open volume of all tetrahedra is that of the lattice less the ball's part in it: what is cut off is the ball, but for the
// curvature within fine tetrahedra, which goes with a^2.
static double ball_error(double a, int level)
{
    double radius = 0.1, open = 0, all = 0;
    SkinLattice l;
    SkinPose p;
    ball_lattice(&l, &radius, a, level, 0.02);
    CHECK_OK(skin_pose_init(&p, &l));
    CHECK_OK(skin_pose_set(&p, (const double(*)[3])l.rest));
    CHECK_OK(skin_pose_measure(&p, ball_distance, &radius));
    for (int tet = 0; tet < skin_fine_count(&l); tet++) {
        double phi[4];
        skin_depth_corners(phi, &p, tet);
        all += skin_volume_of(&p, tet), open += skin_volume_of(&p, tet)*skin_open_fraction(phi);
    }
    // the lattice has a hole inside the ball: its surface is closed, and its volume by the divergence theorem is missing
    double hole = 0;
    for (int t = 0; t < l.tets; t++)
        for (int f = 0; f < 4; f++) {
            const double* v[3];
            double n[3], middle[3];
            for (int k = 0; k < 3; k++) v[k] = l.rest[l.node[t][skin_face_corner[f][k]]];
            for (int d = 0; d < 3; d++) middle[d] = (v[0][d] + v[1][d] + v[2][d])/3;
            if (l.next[t][f] >= 0 || vec_norm(middle) > radius) continue;
            vec_cross(n, v[1], v[2]);
            hole += fabs(vec_dot(v[0], n))/6;
        }
    CHECK_CLOSE(all, l.tets*pow(l.spacing, 3)/12, 1e-10);  // a sum of 1e5 terms
    double error = (all - open + hole)/(4*PI/3*pow(radius, 3)) - 1;
    print_message("a = R/%.0f: volume of the ball off by %.2g\n", radius/a, error);
    skin_pose_free(&p), skin_lattice_free(&l);
    return fabs(error);
}

static void test_capacity_around_a_ball(void** state)
{
    (void)state;
    double coarse = ball_error(0.01, 2), fine = ball_error(0.005, 2);
    CHECK_LESS(coarse, 0.006);
    CHECK_LESS(fine, 0.3*coarse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_template_fills_its_tetrahedron),
                                       cmocka_unit_test(test_neighbours_in_the_template),
                                       cmocka_unit_test(test_neighbours_across_blocks),
                                       cmocka_unit_test(test_turns),
                                       cmocka_unit_test(test_descent),
                                       cmocka_unit_test(test_location),
                                       cmocka_unit_test(test_moving_samples_are_even),
                                       cmocka_unit_test(test_fixed_samples_are_exact),
                                       cmocka_unit_test(test_open_fraction),
                                       cmocka_unit_test(test_capacity_around_a_ball)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

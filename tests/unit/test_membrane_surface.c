// The surface of a liquid as a mesh: its measures, its neighbours, its faults.
#include <stdlib.h>
#include <string.h>
#include "membranes.h"

static double ball_volume(int dim, double r) { return dim == 3 ? 4*PI*r*r*r/3 : PI*r*r; }
static double ball_area(int dim, double r) { return dim == 3 ? 4*PI*r*r : 2*PI*r; }

// Area and volume of a ball are those of the formulas, to second order in the edge length.
static void test_ball_measures(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        double volume[2], area[2];
        for (int fine = 0; fine < 2; fine++) {
            MembraneMesh m = ball_in_tank(dim, 0.3, fine ? 0.0275 : 0.055);
            check_valid(&m);
            volume[fine] = 1 - membrane_volume(&m)/ball_volume(dim, 0.3);
            area[fine] = 1 - membrane_area(&m)/ball_area(dim, 0.3);
            CHECK_CLOSE(m.target_volume, membrane_volume(&m), 1e-14);
            membrane_free(&m);
        }
        CHECK_LESS(volume[0], 0.02);
        CHECK_TRUE(volume[1] > 0);
        CHECK_WITHIN(volume[0]/volume[1], 4, 0.5);
        CHECK_WITHIN(area[0]/area[1], 4, 0.5);
    }
}

// Triangles of an icosahedron's division are nearly equilateral.
static void test_ball_angles(void** state)
{
    (void)state;
    MembraneMesh m = ball_in_tank(3, 0.4, 0.03);
    double least, most;
    membrane_angles(&least, &most, &m);
    CHECK_LESS(50, least);
    CHECK_LESS(most, 73);
    membrane_free(&m);
}

// A pool holds level times the floor, whatever its mesh; 90 degrees at most.
static void test_pool_measures(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        MembraneMesh m = pool_in_tank(dim, 0.37, 0.07);
        check_valid(&m);
        CHECK_CLOSE(membrane_volume(&m), 0.37, 1e-14);
        CHECK_CLOSE(membrane_area(&m), 1, 1e-14);
        Arena arena = {0};
        int* part;
        CHECK_TRUE(membrane_parts(&part, &arena, &m) == 1);
        // a drop above it is a second part
        CHECK_OK(membrane_add_ball(&m, (double[]){0.5, 0.5, dim == 3 ? 0.7 : 0}, dim == 3 ? 0.2 : 0.1, 0.05));
        CHECK_TRUE(membrane_parts(&part, &arena, &m) == 2);
        CHECK_CLOSE(membrane_volume(&m), m.target_volume, 1e-14);
        arena_free(&arena);
        membrane_free(&m);
    }
}

// A triangle across a corner of the tank cuts off a b c/6 (2D: a b/2), on whichever side of it the liquid is.
static void test_corners_of_the_tank(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int corner = 0; corner < 1 << dim; corner++)
            for (int turned = 0; turned < 2; turned++) {
                MembraneMesh m = unit_tank(dim);
                m.low[0] = -0.3, m.high[1] = 1.7;
                double cut[3] = {0.3, 0.25, 0.4}, volume = 1, box = 1;
                int vertex[3] = {0, 1, 2}, odd = 0;
                for (int d = 0; d < dim; d++) {
                    double x[3] = {0, 0, 0};
                    for (int o = 0; o < dim; o++) x[o] = corner >> o & 1 ? m.high[o] : m.low[o];
                    x[d] += corner >> d & 1 ? -cut[d] : cut[d];
                    CHECK_OK(membrane_add_vertex(&m, x, 0.3));
                    volume *= cut[d]/(d + 1), box *= m.high[d] - m.low[d], odd ^= corner >> d & 1;
                }
                // seen from the far side of the low corner x, y, z go round counter-clockwise: out of liquid in the corner
                if (odd != turned) vertex[0] = 1, vertex[1] = 0;
                CHECK_OK(membrane_add_element(&m, vertex));
                m.corner_is_wet = (corner == 0) != turned;
                check_valid(&m);
                CHECK_CLOSE(membrane_volume(&m), turned ? box - volume : volume, 1e-13);
                membrane_free(&m);
            }
}

// The gradient of the volume is that of finite differences, wall vertices within their walls; closed meshes have none in sum.
static void test_volume_gradient(void** state)
{
    (void)state;
    Dice dice = dice_for(17, 1);
    for (int go = 0; go < 4; go++) {
        int dim = 2 + go%2;
        MembraneMesh m = go < 2 ? ball_in_tank(dim, 0.3, 0.15) : pool_in_tank(dim, 0.5, 0.2);
        Waves w = random_waves(&dice, 6);
        displace(&m, &w, 0.2);
        check_valid(&m);
        double* g = malloc(3*sizeof *g*(size_t)m.vertices);
        membrane_volume_gradient(g, &m);
        for (int i = 0; i < m.vertices; i++)
            for (int d = 0; d < dim; d++) {
                double step = m.flag[i] >> d & 1 ? 0 : 1e-3, x = m.x[3*i + d];
                m.x[3*i + d] = x + step;
                double more = membrane_volume(&m);
                m.x[3*i + d] = x - step;
                double less = membrane_volume(&m);
                m.x[3*i + d] = x;
                CHECK_WITHIN(g[3*i + d], step > 0 ? (more - less)/(2*step) : 0, 1e-11);  // linear: no error but rounding
            }
        free(g);
        membrane_free(&m);
    }
}

// Planted faults are found.
static void test_faults(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int fault = 0; fault < 8; fault++) {
            MembraneMesh m = fault == 7 ? pool_in_tank(dim, 0.5, 0.2) : ball_in_tank(dim, 0.3, 0.1);
            if (fault == 0) m.x[4] = NAN;
            if (fault == 1) m.element[3] = m.vertices;
            if (fault == 2) m.element[0] = m.element[1];
            if (fault == 3) m.elements--;  // a hole
            if (fault == 4) {
                int swap = m.element[0];
                m.element[0] = m.element[1], m.element[1] = swap;
            }
            if (fault == 5) m.flag[3] |= MEMBRANE_CONTACT;
            if (fault == 6) CHECK_OK(membrane_add_vertex(&m, (double[]){0.1, 0.1, 0}, 0.1));
            if (fault == 7) m.x[0] += 1e-9;  // off its wall
            CHECK_TRUE(!membrane_is_valid(&m));
            membrane_free(&m);
        }
}

// A copy is undone to the last bit, and two copies have one hash.
static void test_state(void** state)
{
    (void)state;
    MembraneMesh m = ball_in_tank(3, 0.3, 0.1), other = {0};
    CHECK_OK(membrane_copy(&other, &m));
    StateHash a = state_hash_begin(), b = state_hash_begin(), c = state_hash_begin();
    CHECK_OK(membrane_visit(&m, &a.visitor));
    Arena arena = {0};
    StateCopy* copy = state_copy_begin(&arena);
    CHECK_OK(membrane_visit(&m, state_copy_saver(copy)));
    membrane_free(&m);
    CHECK_OK(membrane_add_ball(&m, (double[]){0.5, 0.5, 0.5}, 0.2, 0.2));
    CHECK_OK(membrane_visit(&m, state_copy_restorer(copy)));
    CHECK_OK(membrane_visit(&m, &b.visitor));
    CHECK_OK(membrane_visit(&other, &c.visitor));
    CHECK_TRUE(a.value == b.value && a.value == c.value);
    check_valid(&m);
    arena_free(&arena);
    membrane_free(&m), membrane_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ball_measures),
                                       cmocka_unit_test(test_ball_angles),
                                       cmocka_unit_test(test_pool_measures),
                                       cmocka_unit_test(test_corners_of_the_tank),
                                       cmocka_unit_test(test_volume_gradient),
                                       cmocka_unit_test(test_faults),
                                       cmocka_unit_test(test_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

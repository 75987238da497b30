// Shapes as signed distances, against closed forms.
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "scene/shape.h"

#define V(x, y, z)                                                                                                               \
    (const double[3]) { x, y, z }

static double at(const Shape* s, double x, double y, double z) { return shape_distance(s, V(x, y, z)); }

// A repeatable point in [-1, 1]^3.
static void scatter(double x[3], unsigned* seed)
{
    for (int d = 0; d < 3; d++) x[d] = 2.0*rand_r(seed)/RAND_MAX - 1;
}

// From any point, walking the distance against the gradient lands on the surface, and nothing nearer was overlooked: an
// exact distance has slope 1 away from its ridges. `ridge`: points where the slope is not 1 are fewer than this share.
static void check_exact(const Shape* s, int dim, double ridge)
{
    unsigned seed = 7;
    int bad = 0, n = 2000;
    for (int i = 0; i < n; i++) {
        double x[3], g[3] = {0, 0, 0}, e = 1e-5;
        scatter(x, &seed);
        if (dim == 2) x[2] = 0;
        for (int d = 0; d < dim; d++) {
            double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
            a[d] -= e, b[d] += e;
            g[d] = (shape_distance(s, b) - shape_distance(s, a))/(2*e);
        }
        double value = shape_distance(s, x), foot[3];
        for (int d = 0; d < 3; d++) foot[d] = x[d] - value*g[d];
        if (fabs(vec_norm(g) - 1) > 1e-4 || fabs(shape_distance(s, foot)) > 1e-4) bad++;
    }
    CHECK_LESS(bad, ridge*n + 1);
}

static void check_bounds(const Shape* s, const double low[3], const double high[3])
{
    double a[3], b[3];
    shape_bounds(a, b, s);
    for (int d = 0; d < 3; d++) {
        if (isfinite(low[d])) CHECK_WITHIN(a[d], low[d], 1e-12);
        else assert_true(a[d] == low[d]);
        if (isfinite(high[d])) CHECK_WITHIN(b[d], high[d], 1e-12);
        else assert_true(b[d] == high[d]);
    }
}

static void test_sphere(void** state)
{
    (void)state;
    Shape* s = shape_sphere(3, V(1, 2, 3), 0.5);
    CHECK_WITHIN(at(s, 1, 2, 3), -0.5, 1e-15);
    CHECK_WITHIN(at(s, 4, 6, 3), 4.5, 1e-15);
    check_bounds(s, V(0.5, 1.5, 2.5), V(1.5, 2.5, 3.5));
    shape_free(s);
}

// Corners, sides and faces of a box are nearest from different places; inside, the nearest face counts.
static void test_box(void** state)
{
    (void)state;
    Shape* s = shape_box(3, V(0, 0, 0), V(2, 1, 1), 0);
    CHECK_WITHIN(at(s, 5, 5, 1), 5, 1e-15);
    CHECK_WITHIN(at(s, 1, 0.9, 0.5), -0.1, 1e-15);
    CHECK_WITHIN(at(s, 3, 2, 2), sqrt(3), 1e-15);
    check_bounds(s, V(0, 0, 0), V(2, 1, 1));
    shape_free(s);
    s = shape_box(3, V(0, 0, 0), V(2, 1, 1), 0.25);  // rounded: the corner is a sphere of radius 0.25 about 0.25 inside
    CHECK_WITHIN(at(s, 3, 2, 2), sqrt(3)*1.25 - 0.25, 1e-15);
    CHECK_WITHIN(at(s, 1, 2, 0.5), 1, 1e-15);
    check_bounds(s, V(0, 0, 0), V(2, 1, 1));
    shape_free(s);
}

// In two dimensions the third coordinate does not exist: a box is a rectangle, deep inside is not near its "back".
static void test_two_dimensions(void** state)
{
    (void)state;
    Shape* s = shape_box(2, V(0, 0, 0), V(2, 1, 0), 0);
    CHECK_WITHIN(at(s, 1, 0.5, 0), -0.5, 1e-15);
    CHECK_WITHIN(at(s, 3, 2, 0), sqrt(2), 1e-15);
    check_bounds(s, V(0, 0, 0), V(2, 1, 0));
    shape_free(s);
    s = shape_place(shape_sphere(2, V(0, 0, 0), 1), V(0, 0, 0), V(1, 0, 0), V(0, 0, 1), 1, 2);
    CHECK_WITHIN(at(s, 1, 0, 5), -2, 1e-15);
    shape_free(s);
    s = shape_torus(2, V(0, 0, 0), V(0, 0, 1), 1, 0.25);
    CHECK_WITHIN(at(s, 0, 0, 0), 0.75, 1e-15);
    CHECK_WITHIN(at(s, 0, 1, 0), -0.25, 1e-15);
    shape_free(s);
    s = shape_ellipsoid(2, V(0, 0, 0), V(0.8, 0.3, 0));
    CHECK_WITHIN(at(s, 0, 0, 0), -0.3, 1e-15);
    CHECK_WITHIN(at(s, 2, 0, 0), 1.2, 1e-12);
    check_exact(s, 2, 0.01);
    shape_free(s);
    s = shape_cylinder(2, V(0, 0, 0), V(0, 0.5, 0), 0.3);
    CHECK_WITHIN(at(s, 0.6, 0.9, 0), 0.5, 1e-15);
    check_exact(s, 2, 0.01);
    shape_free(s);
}

// Seen from a focus-like inner point the nearest point of an ellipse is where the normal passes through it:
// inside on the long axis, |x| < (a^2 - b^2)/a, the distance is b sqrt(1 - x^2/(a^2 - b^2)).
static void test_ellipsoid(void** state)
{
    (void)state;
    double a = 0.8, b = 0.5, c = 0.3;
    Shape* s = shape_ellipsoid(3, V(0, 0, 0), V(a, b, c));
    CHECK_WITHIN(at(s, 0, 0, 0), -c, 1e-12);
    CHECK_WITHIN(at(s, 0.4, 0, 0), -c*sqrt(1 - 0.16/(a*a - c*c)), 1e-12);
    CHECK_WITHIN(at(s, 0.79, 0, 0), -0.01, 1e-12);
    CHECK_WITHIN(at(s, 0, 0.9, 0), 0.4, 1e-12);
    CHECK_WITHIN(at(s, 0, 0, 1e-14), -c, 1e-12);
    CHECK_WITHIN(at(s, a, 0, 0), 0, 1e-12);
    check_exact(s, 3, 0.01);
    check_bounds(s, V(-a, -b, -c), V(a, b, c));
    // every point of the surface is at distance 0, and a step along its normal changes the distance by the step
    for (int i = 0; i < 100; i++) {
        double u = 0.0628*i, v = 0.031*i, p[3] = {a*cos(u)*cos(v), b*sin(u)*cos(v), c*sin(v)};
        double n[3] = {p[0]/(a*a), p[1]/(b*b), p[2]/(c*c)}, l = vec_norm(n);
        CHECK_WITHIN(shape_distance(s, p), 0, 1e-12);
        CHECK_WITHIN(at(s, p[0] + 0.7*n[0]/l, p[1] + 0.7*n[1]/l, p[2] + 0.7*n[2]/l), 0.7, 1e-12);
    }
    shape_free(s);
    s = shape_ellipsoid(3, V(0, 0, 0), V(0.5, 0.5, 0.5));  // equal radii: a sphere, where the formula is degenerate
    CHECK_WITHIN(at(s, 0.1, 0.2, 0.2), -0.2, 1e-12);
    CHECK_WITHIN(at(s, 0, 0, 0), -0.5, 1e-12);
    shape_free(s);
}

static void test_capsule_cylinder_torus(void** state)
{
    (void)state;
    Shape* s = shape_capsule(3, V(0, 0, 0), V(0, 2, 0), 0.5);
    CHECK_WITHIN(at(s, 0, 3, 0), 0.5, 1e-15);
    CHECK_WITHIN(at(s, 0, 1, 0.2), -0.3, 1e-15);
    check_bounds(s, V(-0.5, -0.5, -0.5), V(0.5, 2.5, 0.5));
    check_exact(s, 3, 0.01);
    shape_free(s);
    s = shape_cylinder(3, V(0, 0, 0), V(0, 2, 0), 0.5);
    CHECK_WITHIN(at(s, 0, 3, 0), 1, 1e-15);
    CHECK_WITHIN(at(s, 3.5, 6, 0), 5, 1e-15);
    CHECK_WITHIN(at(s, 0.1, 1, 0), -0.4, 1e-15);
    check_bounds(s, V(-0.5, 0, -0.5), V(0.5, 2, 0.5));
    check_exact(s, 3, 0.01);
    shape_free(s);
    s = shape_cylinder(3, V(-0.3, -0.4, 0.1), V(0.4, 0.2, 0.3), 0.35);
    check_exact(s, 3, 0.01);
    shape_free(s);
    s = shape_torus(3, V(0, 0, 0), V(0, 3, 0), 1, 0.25);
    CHECK_WITHIN(at(s, 0, 0, 0), 0.75, 1e-15);
    CHECK_WITHIN(at(s, 1, 0, 0), -0.25, 1e-15);
    CHECK_WITHIN(at(s, 4, 4, 0), 4.75, 1e-15);
    check_bounds(s, V(-1.25, -0.25, -1.25), V(1.25, 0.25, 1.25));
    shape_free(s);
}

static void test_halfspace(void** state)
{
    (void)state;
    Shape* s = shape_halfspace(3, V(0, 0.5, 0), V(0, 2, 0));
    CHECK_WITHIN(at(s, 7, 2, 9), 1.5, 1e-15);
    CHECK_WITHIN(at(s, 7, 0, 9), -0.5, 1e-15);
    check_bounds(s, V(-INFINITY, -INFINITY, -INFINITY), V(INFINITY, 0.5, INFINITY));
    shape_free(s);
}

// Turning a shape and the point together changes nothing; a scaled shape's distances scale.
static void test_placed(void** state)
{
    (void)state;
    Shape* s = shape_place(shape_box(3, V(0, 0, 0), V(2, 1, 1), 0), V(0, 0, 0), V(5, 0, 0), V(0, 0, 1), PI/2, 2);
    // (x, y) -> (5 - 2 y, 2 x): the box spans x 3..5, y 0..4, z 0..2
    check_bounds(s, V(3, 0, 0), V(5, 4, 2));
    CHECK_WITHIN(at(s, 4, 2, 1), -1, 1e-12);
    CHECK_WITHIN(at(s, 8, 8, 1), 5, 1e-12);
    shape_free(s);
    s = shape_place(shape_cylinder(3, V(0, 0, 0), V(1, 0, 0), 0.2), V(0.5, 0, 0), V(-0.5, 0, 0), V(1, 2, 3), 0.8, 0.7);
    check_exact(s, 3, 0.01);
    shape_free(s);
    // a pool turned by a quarter is bounded on its side
    s = shape_place(shape_halfspace(3, V(0, 1, 0), V(0, 1, 0)), V(0, 0, 0), V(0, 0, 0), V(0, 0, 1), -PI/2, 1);
    double low[3], high[3];
    shape_bounds(low, high, s);
    CHECK_WITHIN(high[0], 1, 1e-12);
    CHECK_WITHIN(at(s, 3, 0, 0), 2, 1e-12);
    shape_free(s);
}

static void test_combined(void** state)
{
    (void)state;
    Shape* two[2] = {shape_sphere(3, V(0, 0, 0), 1), shape_sphere(3, V(3, 0, 0), 1)};
    Shape* s = shape_union(two, 2);
    CHECK_WITHIN(at(s, 1.5, 0, 0), 0.5, 1e-15);
    CHECK_WITHIN(at(s, 3, 0, 0), -1, 1e-15);
    check_bounds(s, V(-1, -1, -1), V(4, 1, 1));
    shape_free(s);
    Shape* shell[2] = {shape_sphere(3, V(0, 0, 0), 1), shape_sphere(3, V(0, 0, 0), 0.8)};
    s = shape_difference(shell, 2);
    CHECK_WITHIN(at(s, 0, 0, 0), 0.8, 1e-15);
    CHECK_WITHIN(at(s, 0.9, 0, 0), -0.1, 1e-15);
    shape_free(s);
    Shape* lens[2] = {shape_sphere(3, V(0, 0, 0), 1), shape_sphere(3, V(1.5, 0, 0), 1)};
    s = shape_intersection(lens, 2);
    CHECK_WITHIN(at(s, 0.75, 0, 0), -0.25, 1e-15);
    check_bounds(s, V(0.5, -1, -1), V(1, 1, 1));
    shape_free(s);
}

// Looking for liquid in a box finds a thin shell, and does not find one that is not there.
static void test_reaches(void** state)
{
    (void)state;
    Shape* shell[2] = {shape_sphere(3, V(0.5, 0.5, 0.5), 0.4), shape_sphere(3, V(0.5, 0.5, 0.5), 0.39)};
    Shape* s = shape_difference(shell, 2);
    assert_true(shape_reaches(s, NULL, V(0, 0, 0), V(1, 1, 1), 0, 0.01));
    assert_false(shape_reaches(s, NULL, V(0.4, 0.4, 0.4), V(0.6, 0.6, 0.6), 0, 0.01));
    assert_false(shape_reaches(s, NULL, V(0.9, 0.9, 0.9), V(1, 1, 1), 0, 0.01));
    Shape* drop = shape_sphere(3, V(1.0, 0.5, 0.5), 0.0999);  // ends just short of the shell
    assert_false(shape_reaches(s, drop, V(0, 0, 0), V(1, 1, 1), 0, 0.001));
    shape_free(drop);
    drop = shape_sphere(3, V(1.0, 0.5, 0.5), 0.105);
    assert_true(shape_reaches(s, drop, V(0, 0, 0), V(1, 1, 1), 0, 0.001));
    shape_free(drop);
    shape_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_two_dimensions),
        cmocka_unit_test(test_ellipsoid),
        cmocka_unit_test(test_capsule_cylinder_torus),
        cmocka_unit_test(test_halfspace),
        cmocka_unit_test(test_placed),
        cmocka_unit_test(test_combined),
        cmocka_unit_test(test_reaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

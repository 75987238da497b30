// Shapes by formula and polygons, initial velocities by functions: distances and volumes against those known in closed form, and
// what wrong functions are told.
#include <math.h>
#include "dice.h"
#include "scene/formula.h"
#include "scene/scene_sim.h"
#include "scene_text.h"
#include "step/sim.h"

#define BOX64 "size = { 2, 1 }, cells = 64"

// Worst error of the liquid's distance, in cells, against that of another liquid of the scene's language, within `reach` cells.
static double worst_error(const char* box, const char* liquid, const char* known, double reach)
{
    Scene a, b;
    CHECK_OK(load_parts(&a, box, liquid, ""));
    CHECK_OK(load_parts(&b, box, known, ""));
    Dice dice = dice_for(1, 0);
    double worst = 0;
    for (int n = 0; n < 20000; n++) {
        double x[3];
        for (int d = 0; d < 3; d++) x[d] = d < a.dim ? dice_number(&dice, 0, a.size[d]) : 0;
        double exact = shape_distance(b.liquids[0].shape, x);
        if (fabs(exact) > reach*a.dx) continue;
        worst = fmax(worst, fabs(shape_distance(a.liquids[0].shape, x) - exact)/a.dx);
    }
    scene_free(&a), scene_free(&b);
    return worst;
}

// Linear interpolation between nodes misses dx^2 kappa/8 of a distance of curvature kappa, per direction in which it bends; what
// relaxes the table may miss as much. In cells, for a ball of so many cells, 3 cells inside it, where it is bent most.
static double allowed(double radius, int dim) { return (dim - 1)*2/(8*(radius - 3)); }

// The square of the distance, less R^2, is no distance; its table is one, whatever the units of the function, in 2D and 3D.
static void test_ball(void** state)
{
    (void)state;
    const char* two = "shape { phi = function(x, y) return (x - 0.9)^2 + (y - 0.5)^2 - 0.3^2 end }";
    const char* loud = "shape { phi = function(x, y) return 1e6*((x - 0.9)^2 + (y - 0.5)^2 - 0.3^2) end }";
    const char* three = "shape { phi = function(x, y, z) return (x - 0.5)^2 + (y - 0.5)^2 + (z - 0.4)^2 - 0.25^2 end }";
    CHECK_LESS(worst_error(BOX64, two, "sphere { center = { 0.9, 0.5 }, radius = 0.3 }", 3), allowed(9.6, 2));
    CHECK_LESS(worst_error(BOX64, loud, "sphere { center = { 0.9, 0.5 }, radius = 0.3 }", 3), allowed(9.6, 2));
    CHECK_LESS(worst_error("size = { 1, 1, 1 }, cells = 32", three, "sphere { center = { 0.5, 0.5, 0.4 }, radius = 0.25 }", 3),
               allowed(8, 3));
}

// A slope: its height is no distance either. And a formula inside other shapes, moved and turned.
static void test_heights(void** state)
{
    (void)state;
    const char* slope = "shape { heights = function(x) return 0.3 + 0.2*x end }";
    CHECK_LESS(worst_error(BOX64, slope, "halfspace { point = { 0, 0.3 }, normal = { -0.2, 1 } }", 3), 1e-3);
    CHECK_LESS(worst_error("size = { 1, 1, 1 }, cells = 24", "shape { heights = function(x, z) return 0.3 + 0.2*x - 0.1*z end }",
                           "halfspace { point = { 0, 0.3, 0 }, normal = { -0.2, 1, 0.1 } }", 3),
               1e-3);
    CHECK_LESS(
        worst_error(
            BOX64,
            "move { shape { phi = function(x, y) return math.sqrt((x - 0.9)^2 + (y - 0.5)^2) - 0.2 end }, by = { 0.4, 0.1 } }",
            "sphere { center = { 1.3, 0.6 }, radius = 0.2 }", 3),
        allowed(6.4, 2));
}

static double start_volume(const char* box, const char* liquid)
{
    Scene scene;
    Sim sim;
    CHECK_OK(load_parts(&scene, box, liquid, ""));
    CHECK_OK(scene_build(&sim, &scene));
    CHECK_OK(sim_start(&sim));
    double volume = sim_volume(&sim);
    sim_free(&sim), scene_free(&scene);
    return volume;
}

// |x/a|^4 + |y/b|^4 = 1 encloses 4 a b Gamma(5/4)^2/Gamma(3/2); the sum of 1/2 + cos(2 pi x)/10 over a box of length 2 is 1.
static void test_volumes(void** state)
{
    (void)state;
    double exact = 4*0.5*0.3*pow(tgamma(1.25), 2)/tgamma(1.5);
    const char* text = "shape { phi = function(x, y) return ((x - 1)/0.5)^4 + ((y - 0.5)/0.3)^4 - 1 end }";
    double coarse = fabs(start_volume("size = { 2, 1 }, cells = 48", text)/exact - 1);
    double fine = fabs(start_volume("size = { 2, 1 }, cells = 96", text)/exact - 1);
    CHECK_LESS(coarse, 0.01);
    CHECK_LESS(fine, 0.4*coarse);
    CHECK_CLOSE(start_volume(BOX64, "shape { heights = function(x) return 0.5 + 0.1*math.cos(2*math.pi*x) end }"), 1, 2e-3);
}

// Distances to random polygons that are stars about their middle: the nearest point of finely divided sides, and the sign by the
// angle. Either way round; a square is a box.
static void test_polygons(void** state)
{
    (void)state;
    enum { CORNERS = 9, PIECES = 2000 };
    for (uint64_t seed = 1; seed <= 20; seed++) {
        Dice dice = dice_for(seed, 0);
        double point[CORNERS][2], back[CORNERS][2], x[3] = {dice_number(&dice, -2, 2), dice_number(&dice, -2, 2), 0};
        for (int m = 0; m < CORNERS; m++) {
            double r = dice_number(&dice, 0.5, 1.5);
            point[m][0] = r*cos(2*M_PI*m/CORNERS), point[m][1] = r*sin(2*M_PI*m/CORNERS);
            back[CORNERS - 1 - m][0] = point[m][0], back[CORNERS - 1 - m][1] = point[m][1];
        }
        int sides[2];
        assert_false(polygon_crosses(sides, (const double(*)[2])point, CORNERS));
        double nearest = INFINITY, angle = atan2(x[1], x[0]), around = angle < 0 ? angle + 2*M_PI : angle;
        int m = (int)(around/(2*M_PI)*CORNERS)%CORNERS, next = (m + 1)%CORNERS;
        double *a = point[m], *b = point[next];
        bool inside = (b[0] - a[0])*(x[1] - a[1]) - (b[1] - a[1])*(x[0] - a[0]) > 0;
        for (int k = 0; k < CORNERS; k++)
            for (int p = 0; p <= PIECES; p++) {
                double t = (double)p/PIECES, *from = point[k], *to = point[(k + 1)%CORNERS];
                nearest = fmin(nearest, hypot(from[0] + t*(to[0] - from[0]) - x[0], from[1] + t*(to[1] - from[1]) - x[1]));
            }
        double exact = inside ? -nearest : nearest;
        CHECK_WITHIN(polygon_distance((const double(*)[2])point, CORNERS, x), exact, 2e-3);
        CHECK_WITHIN(polygon_distance((const double(*)[2])back, CORNERS, x), exact, 2e-3);
    }
    const char* square = "polygon { points = { { 0.5, 0.2 }, { 1.3, 0.2 }, { 1.3, 0.7 }, { 0.5, 0.7 } } }";
    CHECK_LESS(worst_error(BOX64, square, "box { low = { 0.5, 0.2 }, high = { 1.3, 0.7 } }", 5), 1e-12);
    CHECK_CLOSE(start_volume(BOX64, square), start_volume(BOX64, "box { low = { 0.5, 0.2 }, high = { 1.3, 0.7 } }"), 1e-7);
}

// A swirl u = w x (x - c), given as a function, is the spin of a scene; what is divergence-free stays as it is given.
static void test_velocity(void** state)
{
    (void)state;
    Scene scene;
    Sim sim;
    CHECK_OK(load_parts(&scene, "size = { 2, 1 }, cells = 64",
                        "sphere { center = { 0.9, 0.5 }, radius = 0.3, material = water { sigma = 0 }, "
                        "velocity = function(x, y) return 0.2 - 3*(y - 0.5), 3*(x - 0.9) end }",
                        ""));
    CHECK_OK(scene_build(&sim, &scene));
    CHECK_OK(sim_start(&sim));
    const Liquid* q = &sim.world.liquid[0];
    const Window* w = &q->w;
    for (int j = 0; j < w->n[1]; j++)
        for (int i = 0; i < w->n[0]; i++) {
            double x[3];
            window_position(x, w, i, j + 0.5, 0);
            if (q->phi.v[window_at(w, i, j, 0)] > -2*w->dx) continue;
            CHECK_WITHIN(q->u[0].v[window_at(w, i, j, 0)], 0.2 - 3*(x[1] - 0.5), 2e-3);
        }
    sim_free(&sim), scene_free(&scene);
}

static void test_mistakes(void** state)
{
    (void)state;
    bad_liquid("shape { }", "liquids[1]: expected phi = function(x, y, z) or heights = function(x, z)");
    bad_liquid("shape { phi = 3 }", "liquids[1].phi: expected a function of the place");
    bad_liquid("shape { phi = function(x, y, z) return end }", "phi: at (");
    bad_liquid("shape { phi = function(x, y, z) return 0/0 end }", "must return one finite number, < 0 inside");
    bad_liquid("shape { phi = function(x, y, z) return {} end }", "must return one finite number");
    bad_liquid("shape { phi = function(x, y, z) error('no') end }", "no");
    bad_liquid("shape { phi = function(x, y, z) while true do end end }", "too long");
    bad_liquid("shape { heights = function(x, z) return 'high' end }", "must return a height in metres");
    bad_liquid("shape { phi = function(x, y, z) return 1 end }", "liquids[1]");  // nowhere
    bad_liquid(
        BALL3
        ", sphere { center = { 0.2, 0.2, 0.2 }, radius = 0.1, velocity = function() return 1, 2, 3 end, spin = { 0, 1, 0 } }",
        "spin: not beside a velocity");
    Scene s;
    check_message(load_parts(&s, BOX3, "polygon { points = { { 0, 0 }, { 1, 0 }, { 0, 1 } } }", ""), MN_UNSUPPORTED,
                  "two dimensions");
    const struct {
        const char *points, *words;
    } wrong[] = {{"{ 0, 0 }, { 1, 0 }", "three points or more, got 2"},
                 {"{ 0, 0 }, { 1, 0 }, { 1, 0 }, { 0, 1 }", "point 3 is where its neighbour is"},
                 {"{ 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 0 }", "point 4 is where its neighbour is"},
                 {"{ 0, 0 }, { 1, 1 }, { 1, 0 }, { 0, 1 }", "the sides after points 1 and 3 meet"},
                 {"{ 0, 0 }, { 1, 0 }, { 2, 0 }, { 0.5, 0 }", "meet"}};
    for (size_t n = 0; n < sizeof wrong/sizeof *wrong; n++) {
        char liquid[200];
        snprintf(liquid, sizeof liquid, "polygon { points = { %s } }", wrong[n].points);
        check_message(load_parts(&s, "size = { 2, 1 }, cells = 16", liquid, ""), MN_BAD_SCENE, wrong[n].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),     cmocka_unit_test(test_heights),  cmocka_unit_test(test_volumes),
        cmocka_unit_test(test_polygons), cmocka_unit_test(test_velocity), cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Surface tension that varies along the surface pulls the liquid along.
#include "base/status.h"
#include "check.h"
#include "grid/interpolate.h"
#include "scene/scene_sim.h"

// Sum of squares of u_x against theory on a vertical line in the middle, relative to that of theory, after 60 ms.
static double layer_error(int cells_deep)
{
    double h = 1.013e-3, mu = 0.05, slope = 0.02;
    char text[700];
    snprintf(text, sizeof text,
             "return scene { domain = { size = { mm(8), mm(2) }, cells = %d }, gravity = { 0, -400 }, numerics = { max_dt = 5e-4 },"
             " liquids = { pool { depth = %g, material = material { rho = 1000, mu = %g,"
             "   sigma = function(x, y) return 0.02 + %g*x end } } }, frames = { rate = 100, count = 6 } }",
             8*cells_deep, h, mu, slope);
    Scene scene;
    Sim sim;
    CHECK_OK(scene_load_text(&scene, "layer.lua", text));
    CHECK_OK(scene_build(&sim, &scene));
    CHECK_OK(sim_start(&sim));
    CHECK_OK(sim_advance(&sim, 0.06));
    const Liquid* q = &sim.liquid[0];
    double sum = 0, exact = 0, top = 0;
    for (int m = 1; m <= 10; m++) {
        double y = 0.1*m*h, theory = slope/mu*(3*y*y/(4*h) - y/2);
        double x = 4e-3/q->w.dx - q->w.lo[0];  // on a face
        double u = interpolate_at(q->u[0].v, &q->w, x, y/q->w.dx - 0.5 - q->w.lo[1], 0);
        sum += (u - theory)*(u - theory), exact += theory*theory, top = u;
    }
    print_message("layer of %d cells: u on the surface %.4g m/s, h sigma'/(4 mu) = %.4g; error of the profile %.2f %%\n", cells_deep,
                  top, h*slope/(4*mu), 100*sqrt(sum/exact));
    sim_free(&sim);
    scene_free(&scene);
    return sqrt(sum/exact);
}

// A layer of depth h in a long closed trough with sigma growing along it at sigma': the surface is pulled that way and the bottom
// flows back, u = sigma'/mu (3 y^2/(4 h) - y/2); on the surface h sigma'/(4 mu) [Levich 1962; Sen & Davis 1982].
static void test_layer(void** state)
{
    (void)state;
    double coarse = layer_error(6), fine = layer_error(12);
    CHECK_LESS(coarse, 0.12);
    CHECK_LESS(fine, 0.6*coarse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_layer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Surface tension that varies along the surface pulls the liquid along.
#include "base/status.h"
#include "drop.h"
#include "grid/interpolate.h"
#include "scene/scene_sim.h"

// Sum of squares of u_x against theory on a vertical line in the middle, relative to that of theory, after 60 ms.
static double layer_error(int cells_deep)
{
    double h = 1.013e-3, mu = 0.05, slope = 0.02;
    char text[700];
    snprintf(
        text, sizeof text,
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
    const Liquid* q = &sim.world.liquid[0];
    double sum = 0, exact = 0, top = 0;
    for (int m = 1; m <= 10; m++) {
        double y = 0.1*m*h, theory = slope/mu*(3*y*y/(4*h) - y/2);
        double x = 4e-3/q->w.dx - q->w.lo[0];  // on a face
        double u = interpolate_at(q->u[0].v, &q->w, x, y/q->w.dx - 0.5 - q->w.lo[1], 0);
        sum += (u - theory)*(u - theory), exact += theory*theory, top = u;
    }
    print_message("layer of %d cells: u on the surface %.4g m/s, h sigma'/(4 mu) = %.4g; error of the profile %.2f %%\n",
                  cells_deep, top, h*slope/(4*mu), 100*sqrt(sum/exact));
    sim_free(&sim);
    scene_free(&scene);
    return sqrt(sum/exact);
}

// A layer of depth h in a long closed trough with sigma growing along it at sigma': the surface is pulled that way and the bottom
// flows back, u = sigma'/mu (3 y^2/(4 h) - y/2); on the surface h sigma'/(4 mu) [levich1962, sen1982].
static void test_layer(void** state)
{
    (void)state;
    double coarse = layer_error(6), fine = layer_error(12);
    CHECK_LESS(coarse, 0.12);
    CHECK_LESS(fine, 0.6*coarse);
}

static const double drop_slope = 0.1;

static mn_status drop_sigma(double* sigma, void* user, const double x[3])
{
    *sigma = 1 + drop_slope*(x[0] - *(const double*)user);
    return MN_OK;
}

// Velocity along x in the middle of a drop of radius 1 (rho = sigma = mu = 1) in its own frame, after 0.6 R^2/nu from rest.
// Steps in capillary times.
static double drop_center_velocity(double steps)
{
    Drop d = {.dim = 3, .cells = 6, .mode = 2, .mu = 1, .box = 2.6};
    Sim sim;
    drop_start(&sim, &d, &SCHEMES[0], steps);
    sim.model.functions.sigma = drop_sigma, sim.model.functions.user = &d.center[0];
    while (sim.world.time < 0.6) CHECK_OK(sim_step(&sim, 0.6 - sim.world.time));
    LiquidState state = drop_state(&sim);
    const Liquid* q = &sim.world.liquid[0];
    double x[3], v[3], *u[3] = {q->u[0].v, q->u[1].v, q->u[2].v};
    for (int a = 0; a < 3; a++) x[a] = state.center[a]/q->w.dx - q->w.lo[a];
    face_velocity(v, u, &q->w, x);
    double mean = state.momentum[0]/(q->material.rho*q->cells.volume);
    sim_free(&sim);
    return v[0] - mean;
}

// A free drop whose sigma grows along x at sigma': Hill's vortex inside, u_r = A (1 - r^2/R^2) cos(theta), u_theta = -A (1 - 2
// r^2/R^2) sin(theta). The shear 3 mu A sin(theta)/R on the surface must be sigma' times -sin(theta), so A = -sigma' R/(3 mu);
// the normal stress 6 mu A/R cos(theta) is then what 2 sigma/R varies by, and the drop stays round and where it is.
// Friction and pressure act one after the other: the normal stress is balanced a layer of sqrt(nu dt) late, so the error falls
// with the root of the step (2, 0.5, 0.125 capillary times: 33, 16, 6 %).
static void test_drop(void** state)
{
    (void)state;
    double exact = -drop_slope/3, longer = drop_center_velocity(0.5)/exact - 1,
           error = drop_center_velocity(0.125)/exact - 1;
    print_message(
        "drop pulled along its surface, R = 6 dx: velocity in the middle %+.1f %% at dt = 0.5 t_s, %+.1f %% at 0.125 t_s\n",
        100*longer, 100*error);
    CHECK_LESS(fabs(error), 0.1);
    CHECK_LESS(fabs(error), 0.6*fabs(longer));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_layer), cmocka_unit_test(test_drop)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// 3D deformation field [leveque1996, enright2002]: a sphere r = 0.15 at (0.35,0.35,0.35)
// is pressed into a thin sheet and comes back at T = 3. Published volume after T at 100^3 [enright2002]: level set -80 %,
// particle level set -2.6 %.
#include <stdlib.h>
#include "stir.h"

static double ball(const void* user, const double x[3])
{
    (void)user;
    double r[3];
    vec_sub(r, x, (double[3]){0.35, 0.35, 0.35});
    return vec_norm(r) - 0.15;
}

static double sin2(double x) { return sin(PI*x)*sin(PI*x); }

static void set_velocity(Stir* s, double factor)
{
    const Window* w = &s->q.w;
    for (int k = -GHOST; k < w->n[2] + GHOST; k++)
        for (int j = -GHOST; j < w->n[1] + GHOST; j++)
            for (int i = -GHOST; i < w->n[0] + GHOST; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                double x = i*w->dx, y = j*w->dx, z = k*w->dx, h = 0.5*w->dx;
                s->q.u[0].v[at] = 2*factor*sin2(x)*sin(2*PI*(y + h))*sin(2*PI*(z + h));
                s->q.u[1].v[at] = -factor*sin(2*PI*(x + h))*sin2(y)*sin(2*PI*(z + h));
                s->q.u[2].v[at] = -factor*sin(2*PI*(x + h))*sin(2*PI*(y + h))*sin2(z);
            }
}

// Cubics and steps of 1.5 cells, as liquids with tension move unless a scene says otherwise.
static double run(int n, bool restore)
{
    Stir s;
    stir_init(&s, 3, n, 1.0/n, ball);
    s.restore = restore;
    s.scheme = ADVECT_CUBIC;
    int steps = 4*n;  // largest speed 2: CFL 1.5
    for (int m = 0; m < steps; m++) {
        set_velocity(&s, cos(PI*(m + 0.5)/steps));
        CHECK_OK(stir_step(&s, 3.0/steps));
    }
    double shape = stir_shape_error(&s), volume = stir_volume_error(&s);
    print_message("%d^3, volume step %s: volume %+.3e, symmetric difference/volume %.4f\n", n, restore ? "on" : "off", volume,
                  shape);
    if (restore) CHECK_LESS(fabs(volume), 1e-10);
    else CHECK_LESS(fabs(volume), 0.8);
    stir_free(&s);
    return shape;
}

static void test_50(void** state)
{
    (void)state;
    run(50, true);
}

static void test_100(void** state)
{
    (void)state;
    run(100, false);
    // docs/validation/targets.md asks 0.3 of the 2D vortex; the 3D case has no tolerance of its own.
    CHECK_LESS(run(100, true), 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_50), cmocka_unit_test(test_100)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

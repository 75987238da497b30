// Advection and extrapolation of velocities.
#include <stdlib.h>
#include "ball.h"
#include "grid/advect.h"
#include "grid/extrapolate.h"
#include "grid/levelset.h"

// Smooth and without an extremum: at an extremum the limiter falls back to first order on purpose.
static double hill(double x, double y) { return exp(2*x)*cos(3*y - 0.7); }

// The level set as a passive field in a solid rotation: after a turn by 1 rad about the box's centre it must equal the turned
// hill. MacCormack is second order [selle2008].
static double rotate_error(int n, Advection scheme)
{
    Ball b;
    ball_init(&b, 2, n, 0.3);
    const Window* w = &b.w;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++) b.phi.v[window_at(w, i, j, 0)] = hill(i*w->dx, j*w->dx);
    for (int j = -GHOST; j <= n + GHOST; j++)
        for (int i = -GHOST; i <= n + GHOST; i++) {
            ptrdiff_t at = window_at(w, i, j, 0);
            b.u[0].v[at] = -((j + 0.5)*w->dx - 0.5), b.u[1].v[at] = (i + 0.5)*w->dx - 0.5;
        }
    CHECK_OK(spans_build(&b.spans, &b.arena, b.phi.v, w, 10, 2));
    double* u[3] = {b.u[0].v, b.u[1].v, b.u[2].v};
    for (int m = 0; m < n; m++) CHECK_OK(advect_levelset(b.phi.v, &b.arena, u, &b.spans, w, 10, 1.0/n, scheme));
    double worst = 0, c = cos(1), s = sin(1);
    for (int j = n/4; j <= 3*n/4; j++)
        for (int i = n/4; i <= 3*n/4; i++) {
            double x = i*w->dx - 0.5, y = j*w->dx - 0.5;
            worst = fmax(worst, fabs(b.phi.v[window_at(w, i, j, 0)] - hill(0.5 + c*x + s*y, 0.5 + c*y - s*x)));
        }
    ball_free(&b);
    return worst;
}

static void test_rotation_order(void** state)
{
    (void)state;
    double a = rotate_error(64, ADVECT_MACCORMACK), b = rotate_error(128, ADVECT_MACCORMACK);
    double c = rotate_error(64, ADVECT_SEMILAGRANGIAN), d = rotate_error(128, ADVECT_SEMILAGRANGIAN);
    print_message("hill turned by 1 rad, n 64, 128: MacCormack %.2e, %.2e, order %.2f; semi-Lagrangian %.2e, %.2e, order %.2f\n",
                  a, b, log2(a/b), c, d, log2(c/d));
    CHECK_LESS(b, d);
    CHECK_LESS(1.8, log2(a/b));
}

// A uniform velocity stays what it is, to rounding.
static void test_uniform_velocity(void** state)
{
    (void)state;
    Ball b;
    ball_init(&b, 3, 24, 0.3);
    for (size_t i = 0; i < b.w.count; i++) b.u[0].block[i] = 0.3, b.u[1].block[i] = -0.2, b.u[2].block[i] = 0.1;
    for (int s = 0; s < 6; s++) b.w.side[s] = SIDE_INSIDE;  // no reflections
    double* u[3] = {b.u[0].v, b.u[1].v, b.u[2].v};
    CHECK_OK(advect_velocity(u, &b.arena, b.phi.v, &b.spans, &b.w, 1.5*b.w.dx, 0.1, ADVECT_MACCORMACK));
    double worst = 0;
    for (size_t i = 0; i < b.w.count; i++)
        worst = fmax(worst, fmax(fabs(b.u[0].block[i] - 0.3), fmax(fabs(b.u[1].block[i] + 0.2), fabs(b.u[2].block[i] - 0.1))));
    print_message("uniform velocity after a step: off by %.1e\n", worst);
    CHECK_LESS(worst, 1e-15);
    ball_free(&b);
}

// Around a disc, u = cos(theta) is constant along the normal; carried from r < R over 3 layers it must converge with the grid.
static double extend_error(int n)
{
    Ball b;
    ball_init(&b, 2, n, 0.25);
    const Window* w = &b.w;
    unsigned char* valid[3] = {0};
    double exact[2], worst = 0;
    for (int d = 0; d < 2; d++) valid[d] = ARENA_ZERO(&b.arena, unsigned char, w->count) + w->origin;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                for (int d = 0; d < 2; d++) {
                    double x = (i + (d != 0)*0.5)*w->dx - b.center[0], y = (j + (d != 1)*0.5)*w->dx - b.center[1],
                           r = hypot(x, y);
                    exact[d] = (d ? y : x)/fmax(r, 1e-9);
                    ptrdiff_t at = window_at(w, i, j, 0);
                    if (pass == 0) {
                        valid[d][at] = r < b.radius;
                        b.u[d].v[at] = r < b.radius ? exact[d] : 99;
                    } else if (r < b.radius + 2*w->dx) {
                        worst = fmax(worst, fabs(b.u[d].v[at] - exact[d]));
                    }
                }
        double* u[3] = {b.u[0].v, b.u[1].v, b.u[2].v};
        if (pass == 0) CHECK_OK(extrapolate_velocity(u, &b.arena, valid, b.phi.v, (Skins){0}, &b.spans, w, 5));
    }
    ball_free(&b);
    return worst;
}

static void test_extension_order(void** state)
{
    (void)state;
    double a = extend_error(64), b = extend_error(128);
    print_message("cos(theta) carried out of a disc, n 64, 128: off by %.3e, %.3e, order %.2f\n", a, b, log2(a/b));
    CHECK_LESS(0.8, log2(a/b));
}

// A sheet of liquid, `cells` thick and as long as a third of the box, lies at an angle; 2D.
static void lay_sheet(Ball* b, double angle, double cells)
{
    const Window* w = &b->w;
    for (int j = 0; j <= w->n[1]; j++)
        for (int i = 0; i <= w->n[0]; i++) {
            double x = i*w->dx - 0.4, y = j*w->dx - 0.4, along = cos(angle)*x + sin(angle)*y,
                   across = cos(angle)*y - sin(angle)*x;
            double past = fmax(fabs(along) - 1.0/6, 0), band = 5*w->dx;
            b->phi.v[window_at(w, i, j, 0)] = fmax(fmin(hypot(past, across) - 0.5*cells*w->dx, band), -band);
        }
    nodes_exchange(b->phi.v, w, EVERY_LAYER);
}

// It flies along itself at 0.8 cells per step and is drawn out to 1.2 times its length in 40 steps: rate `along`, in steps.
static void draw_out(Ball* b, double angle)
{
    const Window* w = &b->w;
    double c = cos(angle), s = sin(angle), rate = log(1.2)/40, fly = 0.8*w->dx;
    for (int j = -GHOST; j <= w->n[1] + GHOST; j++)
        for (int i = -GHOST; i <= w->n[0] + GHOST; i++)
            for (int d = 0; d < 2; d++) {
                double x = (i + (d == 1)*0.5)*w->dx - 0.5, y = (j + (d == 0)*0.5)*w->dx - 0.5;
                double along = rate*(c*x + s*y) + fly, across = -rate*(c*y - s*x);
                b->u[d].v[window_at(w, i, j, 0)] = d == 0 ? c*along - s*across : s*along + c*across;
            }
}

// Relative change of its volume in 40 steps of advection and redistancing, nothing restored.
static double sheet_gain(double degrees, double cells, Advection scheme)
{
    Ball b;
    ball_init(&b, 2, 128, 0.3);
    double *u[3] = {b.u[0].v, b.u[1].v, b.u[2].v}, angle = degrees*PI/180, band = 5*b.w.dx, volume[2] = {0};
    lay_sheet(&b, angle, cells);
    draw_out(&b, angle);
    for (int m = 0; m <= 40; m++) {
        CHECK_OK(spans_build(&b.spans, &b.arena, b.phi.v, &b.w, band, 3));
        if (m > 0) CHECK_OK(levelset_redistance_direct(b.phi.v, &b.arena, &b.spans, &b.w, band, 3, NULL));
        volume[m > 0] = cutcells_volume(&b.spans, b.phi.v, NULL, &b.w, NULL, &b.arena);
        if (m < 40) CHECK_OK(advect_levelset(b.phi.v, &b.arena, u, &b.spans, &b.w, band, 1, scheme));
    }
    ball_free(&b);
    return volume[1]/volume[0] - 1;
}

// A sheet of a few cells that is drawn out keeps its volume.
static void test_sheet_keeps_its_volume(void** state)
{
    (void)state;
    for (double cells = 2; cells <= 4; cells += 1)
        for (double degrees = 0; degrees <= 45; degrees += 15) {
            double gain = sheet_gain(degrees, cells, ADVECT_CUBIC);
            print_message("sheet of %g cells at %g degrees: volume changes by %+.4f\n", cells, degrees, gain);
            CHECK_LESS(fabs(gain), 0.05);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rotation_order), cmocka_unit_test(test_uniform_velocity),
                                       cmocka_unit_test(test_extension_order), cmocka_unit_test(test_sheet_keeps_its_volume)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

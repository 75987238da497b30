// Viscous solves against formulas, without advection and pressure: shear flows, turning flows, what must not change.
#include <omp.h>
#include <string.h>
#include "shear.h"
#include "solve/viscous_build.h"

// ---- a free liquid ---------------------------------------------------------------------------------------------------------

static const double ball_center[3] = {0.503, 0.497, 0.511};
static int ball_dim;

static double ball(const double x[3])
{
    double r[3];
    vec_sub(r, x, ball_center);
    if (ball_dim == 2) r[2] = 0;
    return vec_norm(r) - 0.31;
}

// Translation and turning about a slanted axis (2D: about z).
static void rigid(double u[3], const double x[3])
{
    double r[3], spin[3] = {ball_dim == 3 ? 1.1 : 0, ball_dim == 3 ? -0.7 : 0, 2.3};
    vec_sub(r, x, ball_center);
    if (ball_dim == 2) r[2] = 0;
    vec_cross(u, spin, r);
    u[0] += 0.4, u[1] -= 1.3, u[2] += 0.2;
}

// A rigid motion has no strain: however stiff the liquid, a free drop keeps it. The faces read lie one past the surface at
// most.
static void check_rigid(int dim, double stiffness)
{
    ball_dim = dim;
    int n = dim == 3 ? 24 : 48;
    Syrup s;
    syrup_init(&s, syrup_tank(dim, n, n, n, 1.0/n), ball, NULL);
    s.in.mu = stiffness/(n*n);
    syrup_set(&s, rigid);
    syrup_solve(&s);
    double worst = 0;
    SYRUP_FACES(&s, d, i, j, k)
    {
        double x[3], v[3];
        syrup_face_position(x, &s, d, i, j, k);
        rigid(v, x);
        worst = fmax(worst, fabs(s.u[d].v[window_at(&s.w, i, j, k)] - v[d]));
    }
    print_message("%dD, nu dt/dx^2 = %g: rigid motion changed by %.1e m/s, %d iterations\n", dim, stiffness, worst,
                  s.report.iterations);
    CHECK_LESS(worst, 1e-11);
    syrup_free(&s);
}

static void test_rigid_motion(void** state)
{
    (void)state;
    check_rigid(2, 1), check_rigid(2, 1e4), check_rigid(3, 1), check_rigid(3, 1e4);
}

static void stirred(double u[3], const double x[3])
{
    u[0] = sin(9*x[1]) + 0.3*cos(17*x[0]) + 0.2, u[1] = cos(7*x[0]) - x[1]*x[0];
    u[2] = ball_dim == 3 ? sin(5*x[0])*x[1] : 0;
}

// Newton's third law: inner forces change neither momentum nor angular momentum, here with the masses the solver gives its
// faces; and those add up to the liquid's volume for every component.
static void check_momentum(int dim, double stiffness)
{
    ball_dim = dim;
    int n = dim == 3 ? 24 : 48;
    Syrup s;
    syrup_init(&s, syrup_tank(dim, n, n, n, 1.0/n), ball, NULL);
    s.in.mu = stiffness/(n*n);
    ViscousProblem p;
    CHECK_OK(viscous_build(&p, &s.kept, &s.in, 1));
    double change[3] = {0}, turned[3] = {0}, volume[3] = {0};
    for (int after = 0; after < 2; after++) {
        if (after) syrup_solve(&s);
        else syrup_set(&s, stirred);
        SYRUP_FACES(&s, d, i, j, k)
        {
            double x[3], r[3], v[3] = {0, 0, 0}, l[3];
            syrup_face_position(x, &s, d, i, j, k);
            if (!(ball(x) < 3*s.w.dx)) continue;
            double mass = p.grid.mass[d][viscous_at(&p.grid, i - p.lo[0], j - p.lo[1], k - p.lo[2])]*window_cell_volume(&s.w);
            v[d] = (after ? 1 : -1)*mass*s.u[d].v[window_at(&s.w, i, j, k)];
            vec_sub(r, x, ball_center);
            vec_cross(l, r, v);
            change[d] += v[d];
            for (int o = 0; o < 3; o++) turned[o] += dim == 3 || o == 2 ? l[o] : 0;
            if (after) volume[d] += mass;
        }
    }
    double velocity = vec_norm(change)/volume[0], turning_speed = vec_norm(turned)/(0.31*volume[0]);
    print_message("%dD, nu dt/dx^2 = %g: mean velocity changed by %.1e m/s, turning by %.1e m/s, of 1 m/s; volume off by %.1e, "
                  "%.1e; %d iterations\n",
                  dim, stiffness, velocity, turning_speed, volume[0]/s.cells.volume - 1, volume[1]/s.cells.volume - 1,
                  s.report.iterations);
    CHECK_LESS(velocity, 1e-9);
    CHECK_LESS(turning_speed, 1e-9);
    for (int d = 0; d < dim; d++) CHECK_CLOSE(volume[d], s.cells.volume, 2e-3);
    syrup_free(&s);
}

static void test_momentum(void** state)
{
    (void)state;
    check_momentum(2, 1), check_momentum(2, 1e4), check_momentum(3, 1), check_momentum(3, 1e4);
}

// Pulled out along x, in from the other axes: grad of a harmonic function, without vorticity.
static void straining(double u[3], const double x[3])
{
    double r[3];
    vec_sub(r, x, ball_center);
    u[0] = (ball_dim - 1)*r[0], u[1] = -r[1], u[2] = ball_dim == 3 ? -r[2] : 0;
}

// A free drop that is strained loses 2 mu int D:D of its energy: D:D = 2 (2D), 6 (3D) all over, the energy is rho/2 int u^2 = rho
// V R^2/4 (2D), 3 rho V R^2/5 (3D), so the rate is 16 nu/R^2 and 20 nu/R^2. Inside nothing pulls; all of it is done by the
// surface without traction. One short step; relative error.
static double strain_error(int dim, int n)
{
    ball_dim = dim;
    Syrup s;
    syrup_init(&s, syrup_tank(dim, n, n, n, 1.0/n), ball, NULL);
    s.in.mu = 1e-4/(n*n);
    ViscousProblem p;
    CHECK_OK(viscous_build(&p, &s.kept, &s.in, 1));
    double energy[2] = {0}, rate;
    for (int after = 0; after < 2; after++) {
        if (after) syrup_solve(&s);
        else syrup_set(&s, straining);
        SYRUP_FACES(&s, d, i, j, k)
        {
            double x[3], before[3];
            syrup_face_position(x, &s, d, i, j, k);
            if (!(ball(x) < 3*s.w.dx)) continue;
            straining(before, x);
            double mass = p.grid.mass[d][viscous_at(&p.grid, i - p.lo[0], j - p.lo[1], k - p.lo[2])];
            // work on the old motion, so that one backward step of slivers, quick to relax, is the exact rate
            energy[after] += mass*before[d]*s.u[d].v[window_at(&s.w, i, j, k)];
        }
    }
    rate = 2*(1 - energy[1]/energy[0])/(s.in.mu*s.in.dt)*0.31*0.31;
    double exact = dim == 2 ? 16 : 20;
    print_message("%dD drop strained, R = %.1f cells: energy falls at %.3f nu/R^2, exact %g\n", dim, 0.31*n, rate, exact);
    syrup_free(&s);
    return fabs(rate/exact - 1);
}

static void test_strained_drop(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        double coarse = strain_error(dim, 24), fine = strain_error(dim, 48);
        CHECK_LESS(fine, 0.02);
        CHECK_LESS(fine, 0.6*coarse);
    }
}

// ---- shear flows -----------------------------------------------------------------------------------------------------------

static void test_film(void** state)
{
    (void)state;
    double coarse = film_error(8, 0.737), middle = film_error(16, 0.737), fine = film_error(32, 0.737);
    CHECK_LESS(coarse, 0.01);
    CHECK_LESS(1.7, log2(coarse/middle));  // the surface lies at another height in its cell each time
    CHECK_LESS(1.7, log2(middle/fine));
}

// Backward Euler: the error halves with the step; the grid's share at these sizes is smaller.
static void test_startup(void** state)
{
    (void)state;
    double c1 = startup_error(16, true, 20), c2 = startup_error(32, true, 80);
    CHECK_LESS(c1, 0.02);
    CHECK_LESS(c2, 0.35*c1);
    double p1 = startup_error(16, false, 20), p2 = startup_error(32, false, 80);
    CHECK_LESS(p1, 0.002);
    CHECK_LESS(p2, 0.35*p1);
}

// ---- turning flows ---------------------------------------------------------------------------------------------------------

static void test_cylinders(void** state)
{
    (void)state;
    double m1, m2, m3, e1 = ring_error(32, &m1), e2 = ring_error(64, &m2), e3 = ring_error(128, &m3);
    (void)e1, (void)e2;
    CHECK_LESS(e3, 0.02);
    CHECK_LESS(1.0, log2(m1/m3)/2);
}

// A solid and a liquid that turn together feel nothing of each other.
static double core(const double x[3]) { return hypot(x[0] - ring_axis[0], x[1] - ring_axis[1]) - 0.14; }
static double disc(const double x[3]) { return hypot(x[0] - ring_axis[0], x[1] - ring_axis[1]) - 0.4; }

static void turning(double out[3], const double x[3]) { out[0] = ring_axis[1] - x[1], out[1] = x[0] - ring_axis[0], out[2] = 0; }
static void turning_velocity(double out[3], const void* user, const double x[3])
{
    (void)user;
    turning(out, x);
}

static void test_turning_together(void** state)
{
    (void)state;
    Syrup s;
    syrup_init(&s, syrup_tank(2, 48, 48, 1, 1.0/48), disc, core);
    s.in.solid.velocity = turning_velocity;
    s.in.dt = 1e2;
    syrup_set(&s, turning);
    syrup_solve(&s);
    double worst = 0;
    SYRUP_FACES(&s, d, i, j, k)
    {
        double x[3], v[3];
        syrup_face_position(x, &s, d, i, j, k);
        turning(v, x);
        if (disc(x) > 2.0/48) continue;  // walls of the tank, far off, are still
        worst = fmax(worst, fabs(s.u[d].v[window_at(&s.w, i, j, k)] - v[d]));
    }
    print_message("disc turning with its core: changed by %.1e m/s, %d iterations\n", worst, s.report.iterations);
    CHECK_LESS(worst, 1e-10);
    syrup_free(&s);
}

// ---- the whole box, scaling, dimensions, threads ------------------------------------------------------------------------------

static void vortex(double u[3], const double x[3])
{
    u[0] = sin(PI*x[0])*cos(PI*x[1]), u[1] = -cos(PI*x[0])*sin(PI*x[1]), u[2] = 0;
}

// Taylor-Green in a full box with walls it slips on: amplitude exp(-2 nu k^2 t), k = pi/L [taylorgreen1937]. One implicit
// step must divide by 1 + 2 nu k^2 dt; on the grid k is (2/dx) sin(k dx/2).
static double vortex_rate_error(int dim, int n)
{
    Syrup s;
    syrup_init(&s, syrup_tank(dim, n, n, 4, 1.0/n), everywhere, NULL);
    s.in.slip_walls = true;
    s.in.mu = 0.3, s.in.dt = 0.1, s.in.rho = 2;
    syrup_set(&s, vortex);
    syrup_solve(&s);
    ptrdiff_t at = window_at(&s.w, n/2, n/4, 0);
    double before[3], x[3];
    syrup_face_position(x, &s, 0, n/2, n/4, 0);
    vortex(before, x);
    double rate = (before[0]/s.u[0].v[at] - 1)/(2*0.15*0.1), k = 2*n*sin(PI/(2*n));
    print_message("%dD vortex in a full box, %d cells: rate/(2 nu k^2) = %.6f\n", dim, n, rate/(PI*PI));
    CHECK_CLOSE(rate, k*k, 1e-8);
    syrup_free(&s);
    return fabs(rate/(PI*PI) - 1);
}

static void test_vortex_in_full_box(void** state)
{
    (void)state;
    double coarse = vortex_rate_error(2, 16), fine = vortex_rate_error(2, 32);
    CHECK_LESS(fine, 0.26*coarse);
    CHECK_CLOSE(vortex_rate_error(3, 16), coarse, 1e-5);
}

static double tilted(const double x[3]) { return 0.8*(x[1] - 0.55) + 0.6*(x[0] - 0.48); }

static void planar(double u[3], const double x[3]) { u[0] = sin(5*x[1])*(1 + x[0]), u[1] = cos(4*x[0]) - x[1], u[2] = 0; }

// A planar flow is the same in 2D and in a slice of a 3D tank whose z walls let it slip.
static void test_planar_in_3d(void** state)
{
    (void)state;
    Syrup a, b;
    int n = 16;
    syrup_init(&a, syrup_tank(2, n, n, 1, 1.0/n), tilted, NULL);
    syrup_init(&b, syrup_tank(3, n, n, 4, 1.0/n), tilted, NULL);
    Syrup* both[2] = {&a, &b};
    for (int m = 0; m < 2; m++) {
        both[m]->in.slip_walls = true;
        syrup_set(both[m], planar);
        syrup_solve(both[m]);
    }
    double worst = 0;
    SYRUP_FACES(&a, d, i, j, k)
    {
        double x[3];
        syrup_face_position(x, &a, d, i, j, k);
        if (tilted(x) < 0) worst = fmax(worst, fabs(a.u[d].v[window_at(&a.w, i, j, 0)] - b.u[d].v[window_at(&b.w, i, j, 2)]));
    }
    print_message("planar flow, 2D against 3D: %.1e m/s apart\n", worst);
    CHECK_LESS(worst, 1e-5);  // tiny slopes are raised to 1e-4 in 3D's fractions
    syrup_free(&a);
    syrup_free(&b);
}

// Only nu dt/dx^2 counts: ten times the density and the viscosity, or a tenth of the step and ten times the viscosity, is the
// same.
static void test_scaling(void** state)
{
    (void)state;
    ball_dim = 2;
    double center[3];
    for (int m = 0; m < 3; m++) {
        Syrup s;
        syrup_init(&s, syrup_tank(2, 32, 32, 1, 1.0/32), ball, NULL);
        s.in.rho = m == 1 ? 10 : 1, s.in.mu = m == 0 ? 0.02 : 0.2, s.in.dt = m == 2 ? 0.1 : 1;
        syrup_set(&s, stirred);
        syrup_solve(&s);
        center[m] = s.u[0].v[window_at(&s.w, 16, 13, 0)];
        syrup_free(&s);
    }
    CHECK_CLOSE(center[1], center[0], 1e-9);
    CHECK_CLOSE(center[2], center[0], 1e-9);
}

static double pool_with_core(const double x[3]) { return x[1] - 0.6371; }

static void test_threads(void** state)
{
    (void)state;
    ball_dim = 3;
    Syrup s[2];
    for (int m = 0; m < 2; m++) {
        omp_set_num_threads(m + 1);
        syrup_init(&s[m], syrup_tank(3, 36, 40, 33, 1.0/40), pool_with_core, core);
        s[m].in.solid.velocity = turning_velocity;
        s[m].in.mu = 0.02, s[m].tolerance = 1e-5;
        syrup_set(&s[m], stirred);
        syrup_solve(&s[m]);
    }
    omp_set_num_threads(1);
    for (int d = 0; d < 3; d++) assert_memory_equal(s[0].u[d].block, s[1].u[d].block, sizeof(double)*s[0].w.count);
    print_message("1 and 2 threads: the same bytes, %ld unknowns, %d iterations\n", s[0].report.unknowns, s[0].report.iterations);
    for (int m = 0; m < 2; m++) syrup_free(&s[m]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rigid_motion),     cmocka_unit_test(test_momentum),
                                       cmocka_unit_test(test_strained_drop),    cmocka_unit_test(test_film),
                                       cmocka_unit_test(test_startup),          cmocka_unit_test(test_cylinders),
                                       cmocka_unit_test(test_turning_together), cmocka_unit_test(test_vortex_in_full_box),
                                       cmocka_unit_test(test_planar_in_3d),     cmocka_unit_test(test_scaling),
                                       cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

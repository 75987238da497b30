// Shear flows and turning flows of a viscous liquid against formulas, without advection and pressure (syrup.h). Each returns its
// error.
#pragma once
#include "syrup.h"

static inline double everywhere(const double x[3])
{
    (void)x;
    return -1;
}

// ---- shear flows -----------------------------------------------------------------------------------------------------------

// A strip along y, open at both ends. Without a pressure to hold them the ends pull in; that dies off as exp(-pi y/(2 h)) or
// faster, so 10 h from the ends nothing of it is left.
static inline Tank strip(int dim, int across, double dx, int aspect)
{
    Tank t = syrup_tank(dim, across, aspect*across, 4, dx);
    t.side[2] = t.side[3] = SIDE_IS_OPEN;
    return t;
}

static double film_thickness;

static inline double film(const double x[3]) { return x[0] - film_thickness; }

// Viscous film of thickness h running down a vertical wall: nu u'' = -g, u(0) = 0, u'(h) = 0 gives u = g (h x - x^2/2)/nu,
// g h^2/(2 nu) at the surface (Batchelor, An Introduction to Fluid Dynamics, section 4.2). One step of 1e6 h^2/nu from
// rest is steady. Largest error of the wet faces half way down, of u_max. In 3D the z walls are a film's too: slip.
static inline double film_error(int n, double h)
{
    film_thickness = h;
    Syrup s;
    syrup_init(&s, strip(2, n, 1.0/n, 16), film, NULL);
    double g = 9.81, nu = 0.01;
    s.in.mu = nu, s.in.dt = 1e6*h*h/nu;
    syrup_add(&s, (double[3]){0, -g*s.in.dt, 0});
    syrup_solve(&s);
    double worst = 0, top = g*h*h/(2*nu);
    for (int i = 0; (i + 0.5)*s.w.dx < h; i++) {
        double x = (i + 0.5)*s.w.dx, u = -s.u[1].v[window_at(&s.w, i, 8*n, 0)];
        worst = fmax(worst, fabs(u - g*(h*x - 0.5*x*x)/nu)/top);
    }
    print_message("film on a wall, %.2f cells thick: error %.2e of u_max, %d iterations\n", h*n, worst, s.report.iterations);
    syrup_free(&s);
    return worst;
}

// Solid plates at x < 0.2 and x > 0.8 of a strip of unit width; the second may move.
static double plate_speed;
static const double plate_low = 0.2, plate_high = 0.8;

static inline double plates(const double x[3]) { return fmin(x[0] - plate_low, plate_high - x[0]); }

static inline void plate_velocity(double out[3], const void* user, const double x[3])
{
    (void)user;
    out[0] = out[2] = 0, out[1] = x[0] > 0.5 ? plate_speed : 0;
}

// Start-up between plates h apart (Batchelor, section 4.3), X = (x - low)/h, T = nu t/h^2:
//     Couette:    u/U = X + sum (2/(m pi)) (-1)^m exp(-m^2 pi^2 T) sin(m pi X)
//     Poiseuille: u/(G h^2/nu) = X (1 - X)/2 - sum over odd m (4/(m pi)^3) exp(-m^2 pi^2 T) sin(m pi X)
static inline double startup(double X, double T, bool couette)
{
    double sum = couette ? X : 0.5*X*(1 - X);
    for (int m = 1; m < 60; m++) {
        double decay = exp(-m*m*PI*PI*T)*sin(m*PI*X);
        if (couette) sum += 2/(m*PI)*(m%2 ? -1 : 1)*decay;
        else if (m%2) sum -= 4/pow(m*PI, 3)*decay;
    }
    return sum;
}

static inline double startup_error(int n, bool couette, int steps)
{
    Syrup s;
    syrup_init(&s, strip(2, n, 1.0/n, 10), everywhere, plates);
    double h = plate_high - plate_low, nu = 1, T = 0.08, worst = 0;
    plate_speed = couette ? 1 : 0;
    s.in.solid.velocity = plate_velocity;
    s.in.mu = nu, s.in.dt = T*h*h/nu/steps;
    double scale = couette ? 1 : h*h/nu;
    for (int m = 0; m < steps; m++) {
        if (!couette) syrup_add(&s, (double[3]){0, s.in.dt, 0});
        syrup_solve(&s);
    }
    for (int i = 0; i < n; i++) {
        double X = ((i + 0.5)*s.w.dx - plate_low)/h;
        if (X < 0 || X > 1) continue;
        worst = fmax(worst, fabs(s.u[1].v[window_at(&s.w, i, 5*n, 0)]/scale - startup(X, T, couette)));
    }
    print_message("%s start-up, plates %.1f cells apart, %d steps: error %.2e, %d iterations\n",
                  couette ? "Couette" : "Poiseuille", h*n, steps, worst, s.report.iterations);
    syrup_free(&s);
    return worst;
}

// ---- turning flows ---------------------------------------------------------------------------------------------------------

static const double ring_axis[3] = {0.503, 0.497, 0}, inner = 0.17, outer = 0.43;

static inline double ring(const double x[3])
{
    double r = hypot(x[0] - ring_axis[0], x[1] - ring_axis[1]);
    return fmin(r - inner, outer - r);
}

static inline void ring_velocity(double out[3], const void* user, const double x[3])
{
    (void)user;
    double turning = hypot(x[0] - ring_axis[0], x[1] - ring_axis[1]) < 0.5*(inner + outer) ? 1 : 0;
    out[0] = -turning*(x[1] - ring_axis[1]), out[1] = turning*(x[0] - ring_axis[0]), out[2] = 0;
}

// Steady flow between a turning and a still cylinder: u = A r + B/r with u(inner) = inner, u(outer) = 0 (Batchelor, section
// 4.5). Velocity error in the liquid, of the inner wall's speed: largest and mean.
static inline double ring_error(int n, double* mean)
{
    Syrup s;
    syrup_init(&s, syrup_tank(2, n, n, 1, 1.0/n), everywhere, ring);
    s.in.solid.velocity = ring_velocity;
    s.in.dt = 1e6;
    syrup_solve(&s);
    double A = -inner*inner/(outer*outer - inner*inner), B = -A*outer*outer, worst = 0, sum = 0;
    int count = 0;
    SYRUP_FACES(&s, d, i, j, k)
    {
        double x[3];
        syrup_face_position(x, &s, d, i, j, k);
        double r = hypot(x[0] - ring_axis[0], x[1] - ring_axis[1]), turn = A + B/(r*r);
        if (ring(x) < 0) continue;
        double exact = d == 0 ? -turn*(x[1] - ring_axis[1]) : turn*(x[0] - ring_axis[0]);
        double error = fabs(s.u[d].v[window_at(&s.w, i, j, k)] - exact)/inner;
        worst = fmax(worst, error), sum += error*error, count++;
    }
    *mean = sqrt(sum/count);
    print_message("between cylinders, gap %.1f cells: largest error %.2e, mean %.2e, %d iterations\n", (outer - inner)*n, worst,
                  *mean, s.report.iterations);
    syrup_free(&s);
    return worst;
}

// A ball that floats in the middle of a round vessel of liquid, by shooting.
//
// The surface of revolution, z over the level of no pressure, psi its slope: dr/ds = cos(psi), dz/ds = sin(psi), dpsi/ds = z/l^2
// - sin(psi)/r (Young and Laplace). It starts level at the wall (90 degrees), z_w high, and runs inwards until it meets a ball at
// the contact angle: there the wetted angle is a = psi - theta + pi, and r = R sin(a). That ball carries, in rho g,
//     2 pi l^2 r sin(psi) + pi R^3 (2/3 - cos(a) + cos(a)^3/3) - pi r^2 z
// lines, the cap below them, and the depth of the lines. z_w is the one that makes it D times the ball's volume.
#pragma once
#include <math.h>

typedef struct FloatingBall {
    double theta, R, l, vessel;  // rad, m, m, m
    double load;                 // in rho g
    double center;               // m over the surface at the wall
    double line;                 // m: radius of the contact line
} FloatingBall;

// Derivatives along -s: r, z, psi.
static inline void floating_ball_slope(double out[3], const double at[3], double l)
{
    out[0] = -cos(at[2]), out[1] = -sin(at[2]), out[2] = -(at[1]/(l*l) - sin(at[2])/at[0]);
}

static inline void floating_ball_step(double at[3], double h, double l)
{
    double k[4][3], y[3];
    floating_ball_slope(k[0], at, l);
    for (int m = 1; m < 4; m++) {
        for (int d = 0; d < 3; d++) y[d] = at[d] + h*(m == 3 ? 1 : 0.5)*k[m - 1][d];
        floating_ball_slope(k[m], y, l);
    }
    for (int d = 0; d < 3; d++) at[d] += h/6*(k[0][d] + 2*k[1][d] + 2*k[2][d] + k[3][d]);
}

// The surface from a height z_w at the wall on; trace (may be NULL): r and z of each step. False: it meets no such ball.
static inline int floating_ball_shoot(FloatingBall* f, double z_w, double* trace, int most)
{
    const double pi = 3.14159265358979323846;
    double at[3] = {f->vessel, z_w, 0}, h = 2e-3*f->R;
    for (int n = 0; n < most; n++) {
        if (trace) trace[2*n] = at[0], trace[2*n + 1] = at[1];
        double a = at[2] - f->theta + pi, c = cos(a);
        if (at[0] <= f->R*sin(a)) {
            f->line = at[0], f->center = at[1] + f->R*c - z_w;
            f->load = 2*pi*f->l*f->l*at[0]*sin(at[2]) + pi*pow(f->R, 3)*(2.0/3 - c + c*c*c/3) -
                      pi*at[0]*at[0]*at[1];
            return n + 1;
        }
        if (!(at[0] > 0.01*f->R) || !(a > 0 && a < pi)) return 0;
        floating_ball_step(at, h, f->l);
    }
    return 0;
}

// By the highest of the places at which it carries D. False: it sinks.
static inline int floating_ball_solve(FloatingBall* f, double D, double* trace, int most)
{
    const double pi = 3.14159265358979323846;
    double weight = D*4*pi/3*pow(f->R, 3), before = NAN, high = 0.3*f->R, step = 1e-3*f->R;
    for (double z = high; z > -f->R; z -= step) {
        if (!floating_ball_shoot(f, z, NULL, most)) continue;
        if (before < weight && f->load >= weight) {
            double low = z, top = z + step;
            for (int n = 0; n < 50; n++) {
                double middle = 0.5*(low + top);
                if (floating_ball_shoot(f, middle, NULL, most) && f->load < weight) top = middle;
                else low = middle;
            }
            return floating_ball_shoot(f, 0.5*(low + top), trace, most);
        }
        before = f->load;
    }
    return 0;
}

// ---- the heaviest that floats ----------------------------------------------------------------------------------------------

// The same from the ball outwards, for a line at `z` over the level of no pressure and the wetted angle a: the slope at the wall,
// or -1 where the surface has come level before it; *wall: its height there.
static inline double floating_ball_outwards(double* wall, const FloatingBall* f, double a, double z)
{
    double at[3] = {f->R*sin(a), z, a + f->theta - 3.14159265358979323846}, h = -2e-3*f->R;
    while (at[0] < f->vessel) {
        if (at[2] < 0) return -1;
        if (at[1] > f->R || at[0] < 1e-3*f->R) return 1;
        floating_ball_step(at, h, f->l);
    }
    *wall = at[1];
    return at[2];
}

// What a ball with the wetted angle a carries, and where it lies; a > pi - theta: its lines lie deeper than the wall's surface.
// Of each load there are two such places, the lower one unstable. NAN: no surface ends so.
static inline double floating_ball_at(FloatingBall* f, double a)
{
    const double pi = 3.14159265358979323846;
    double low = -4*f->l, high = f->R, wall = 0, r = f->R*sin(a), c = cos(a);
    for (int n = 0; n < 60; n++) {
        double z = 0.5*(low + high);
        if (floating_ball_outwards(&wall, f, a, z) > 0) high = z;
        else low = z;
    }
    if (!(floating_ball_outwards(&wall, f, a, high) >= 0) || high > 0.9*f->R) return NAN;
    f->line = r, f->center = high + f->R*c - wall;
    return f->load = 2*pi*f->l*f->l*r*sin(a + f->theta - pi) + pi*pow(f->R, 3)*(2.0/3 - c + c*c*c/3) -
                     pi*r*r*high;
}

// The largest density that floats; f: as it floats.
static inline double floating_ball_most(FloatingBall* f)
{
    const double pi = 3.14159265358979323846;
    FloatingBall best = *f;
    best.load = 0;
    for (int m = 1; m < 200; m++) {
        double load = floating_ball_at(f, pi - f->theta + m*f->theta/200);
        if (load > best.load) best = *f;
    }
    *f = best;
    return best.load/(4*pi/3*pow(f->R, 3));
}

// ---- two of them -----------------------------------------------------------------------------------------------------------

// Modified Bessel functions of order n: K_n(x) = int_0^inf exp(-x cosh t) cosh(n t) dt, I_n(x) = int_0^pi exp(x cos t) cos(n t)
// dt/pi.
static inline double bessel_k(int n, double x)
{
    double sum = 0, end = acosh(1 + 40/x), h = end/2000;
    for (int m = 0; m < 2000; m++) sum += h*exp(-x*cosh((m + 0.5)*h))*cosh(n*(m + 0.5)*h);
    return sum;
}

static inline double bessel_i(int n, double x)
{
    const double pi = 3.14159265358979323846;
    double sum = 0;
    for (int m = 0; m < 400; m++) sum += exp(x*cos((m + 0.5)*pi/400))*cos(n*(m + 0.5)*pi/400)/400;
    return sum;
}

// Far from a ball alone in open water the surface is Q K0(r/l) deep; in its vessel, level at the wall, Q (K0 + I0 K1/I1 (at the
// wall)). z_w: height of the surface there.
static inline double floating_ball_charge(const FloatingBall* f, double z_w)
{
    double x = f->vessel/f->l;
    return -z_w/(bessel_k(0, x) + bessel_i(0, x)*bessel_k(1, x)/bessel_i(1, x));
}

// Pull on the left one of two balls, `apart` between them, in the middle of a box that mirrors them: where menisci that are not
// steep add up, each meniscus pulls with 2 pi sigma Q^2/l K1(d/l) [vella2005]. Over sigma.
static inline double floating_balls_pull(double Q, double l, double apart, const double box[2])
{
    const double pi = 3.14159265358979323846;
    double sum = 0, own = 0.5*(box[0] - apart), other = 0.5*(box[0] + apart);
    for (int k = -3; k <= 3; k++)
        for (int m = -3; m <= 3; m++)
            for (int c = 0; c < 4; c++) {
                double x = 2*k*box[0] + (c & 1 ? -1 : 1)*(c & 2 ? other : own) - own, z = m*box[1], d = hypot(x, z);
                if (d > 0 && d < 12*l) sum += 2*pi*Q*Q/l*bessel_k(1, d/l)*x/d;
            }
    return sum;
}

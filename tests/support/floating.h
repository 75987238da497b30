// A long cylinder that floats across a flat surface, held up by buoyancy and by tension: exact, 2D.
//
// With theta the contact angle and 2 a the wetted angle of the section, the surface leaves the skin with slope psi = a + theta -
// pi (> 0: up and away from a line that lies deep). Far away it is flat, so that the line's depth is h = 2 l sin(psi/2), l^2 =
// sigma/(rho g) (first integral of Young and Laplace's equation). Weight, in units of rho g:
//     D pi R^2 = 2 l^2 sin(psi) + R^2 (a - sin a cos a) + 2 R sin(a) h
// tension on both lines, Archimedes, and the pressure at the line's depth on the width of the wetted part. The centre lies at
// R cos(a) - h.
#pragma once
#include <math.h>

static inline double floating_load(double* center, double a, double theta, double R, double l)
{
    double psi = a + theta - 3.14159265358979323846, h = 2*l*sin(0.5*psi);
    *center = R*cos(a) - h;
    return 2*l*l*sin(psi) + R*R*(a - sin(a)*cos(a)) + 2*R*sin(a)*h;
}

// Height of the centre over the far surface for a density D of the liquid's; NAN if it cannot float. Of two places with the same
// load the higher one is stable: a is the smallest.
static inline double floating_center(double D, double theta, double R, double l)
{
    const double pi = 3.14159265358979323846;
    double before = floating_load(&(double){0}, 1e-9, theta, R, l) - D*pi*R*R;
    for (int m = 1; m <= 4000; m++) {
        double low = (m - 1)*pi/4000, high = m*pi/4000, center;
        double now = floating_load(&center, high, theta, R, l) - D*pi*R*R;
        if (before < 0 && now >= 0) {
            for (int n = 0; n < 60; n++) {
                double middle = 0.5*(low + high);
                if (floating_load(&center, middle, theta, R, l) < D*pi*R*R) low = middle;
                else high = middle;
            }
            floating_load(&center, 0.5*(low + high), theta, R, l);
            return center;
        }
        before = now;
    }
    return NAN;
}

// The largest density that floats.
static inline double floating_most(double theta, double R, double l)
{
    const double pi = 3.14159265358979323846;
    double most = 0, center;
    for (int m = 1; m < 40000; m++) most = fmax(most, floating_load(&center, m*pi/40000, theta, R, l)/(pi*R*R));
    return most;
}

// ---- the surface beside it -------------------------------------------------------------------------------------------------

// Half the wetted angle where the surface is flat far away: R cos(a) - 2 l sin(psi/2), the centre's height, falls with a.
static inline double floating_wetted(double center, double theta, double R, double l)
{
    const double pi = 3.14159265358979323846;
    double low = 1e-6, high = pi - 1e-6;
    for (int n = 0; n < 60; n++) {
        double a = 0.5*(low + high);
        if (R*cos(a) - 2*l*sin(0.5*(a + theta - pi)) > center) low = a;
        else high = a;
    }
    return 0.5*(low + high);
}

// How far out the surface is h deep, less a constant: between two depths it runs by the difference of the two.
static inline double floating_run(double h, double l) { return l*(acosh(2*l/h) - 2*sqrt(1 - 0.25*h*h/(l*l))); }

// Depth (< 0: height) of the surface at the distance x from the middle of a cylinder whose centre lies at `center`.
static inline double floating_depth(double x, double center, double theta, double R, double l)
{
    const double pi = 3.14159265358979323846;
    double a = floating_wetted(center, theta, R, l), at_line = 2*l*sin(0.5*(a + theta - pi)), away = fabs(x) - R*sin(a);
    if (away <= 0 || fabs(at_line) < 1e-9*l) return at_line;
    double shallow = 0, deep = fabs(at_line), from = floating_run(deep, l);
    for (int n = 0; n < 60; n++) {
        double h = 0.5*(shallow + deep);
        if (floating_run(h, l) - from > away) shallow = h;
        else deep = h;
    }
    return copysign(0.5*(shallow + deep), at_line);
}

// ---- two of them -----------------------------------------------------------------------------------------------------------

// Two cylinders side by side, `apart` between their middles, free to go up and down only. Half-way between them the surface is
// level and h_m deep; with cos(psi) = 1 - (h^2 - h_m^2)/(2 l^2) on the way to the inner lines, the balance of a body and half the
// gap along x leaves sigma h_m^2/(2 l^2) of pull. h = h_m cosh(t) gives sin(psi/2) = h_m sinh(t)/(2 l), dx = l
// cos(psi)/cos(psi/2) dt.
typedef struct FloatingPair {
    double theta, R, l, apart;
    double center, inner, middle;  // height of the centres, wetted angle inside, h_m
} FloatingPair;

// Distance between the middles for an inner wetted angle a; INFINITY where the surface would be level before.
static inline double floating_apart(FloatingPair* p, double a)
{
    enum { STEPS = 400 };
    double psi = a + p->theta - 3.14159265358979323846, h = p->R*cos(a) - p->center;
    double square = h*h - 2*p->l*p->l*(1 - cos(psi)), run = 0;
    if (!(square > 0)) return INFINITY;
    p->middle = sqrt(square);
    double end = acosh(h/p->middle);
    for (int m = 0; m < STEPS; m++) {
        double half = asin(p->middle*sinh((m + 0.5)*end/STEPS)/(2*p->l));
        run += end/STEPS*p->l*cos(2*half)/cos(half);
    }
    return 2*(p->R*sin(a) + run);
}

// What carries one of them at this height, in rho g: both lines, and the depth below the far surface over the wetted arc.
static inline double floating_pair_load(FloatingPair* p)
{
    const double pi = 3.14159265358979323846;
    double outer = floating_wetted(p->center, p->theta, p->R, p->l);
    double low = pi - p->theta, high = outer;  // of a level surface, and of the outer one
    for (int n = 0; n < 60; n++) {
        double a = 0.5*(low + high);
        if (floating_apart(p, a) < p->apart) low = a;
        else high = a;
    }
    p->inner = low;
    floating_apart(p, low);
    double sum = 0, a[2] = {outer, p->inner};
    for (int k = 0; k < 2; k++)
        sum += p->l*p->l*sin(a[k] + p->theta - pi) +
               p->R*(0.5*p->R*(a[k] + sin(a[k])*cos(a[k])) - p->center*sin(a[k]));
    return sum;
}

// Pull over sigma. Heavier than what floats level, and D not near the most.
static inline double floating_pair_pull(double* center, double D, double theta, double R, double l, double apart)
{
    const double pi = 3.14159265358979323846;
    FloatingPair p = {.theta = theta, .R = R, .l = l, .apart = apart};
    double alone = floating_center(D, theta, R, l), low = alone - 0.5*R, high = alone + 0.2*R;
    for (int n = 0; n < 50; n++) {
        p.center = 0.5*(low + high);
        if (floating_pair_load(&p) > D*pi*R*R) low = p.center;
        else high = p.center;
    }
    *center = p.center;
    return p.middle*p.middle/(2*l*l);
}

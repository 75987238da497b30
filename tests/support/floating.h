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

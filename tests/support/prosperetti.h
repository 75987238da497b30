// A small standing wave on a deep viscous liquid, from rest [prosperetti1976, prosperetti1981].
#pragma once
#include <complex.h>
#include <math.h>
#include "base/vec.h"

// w(z) = exp(-z^2) erfc(-i z) for Im z >= 0, by the rational series of [weideman1994], 40 terms: 1e-12.
static inline double complex faddeeva(double complex z)
{
    enum { N = 40, M = 2*N };
    static double a[N];
    const double scale = sqrt(N/sqrt(2));
    if (a[0] == 0)
        for (int n = 1; n <= N; n++) {
            double sum = 0;
            for (int k = -M + 1; k < M; k++) {
                double theta = k*PI/M, t = scale*tan(0.5*theta);
                sum += exp(-t*t)*(scale*scale + t*t)*cos(n*theta);
            }
            a[n - 1] = sum/(2*M);
        }
    double complex below = scale - I*z, ratio = (scale + I*z)/below, p = 0;
    for (int n = N; n > 0; n--) p = p*ratio + a[n - 1];
    return 2*p/(below*below) + 1/sqrt(PI)/below;
}

// exp(z^2) erfc(z)
static inline double complex erfcx_complex(double complex z)
{
    return creal(z) >= 0 ? faddeeva(I*z) : 2*cexp(z*z) - faddeeva(-I*z);
}

// a(t)/a(0) for one liquid under air that weighs nothing, infinitely deep: omega0 of the wave without viscosity, damping = nu
// k^2. With z_i the roots of z^4 + 2 e z^2 + 4 e^(3/2) z + e^2 + omega0^2 = 0, e = nu k^2, and Z_i the product of z_j - z_i,
//     a/a0 = 4 e^2/(8 e^2 + omega0^2) erfc(sqrt(e t)) + sum_i z_i/Z_i omega0^2/(z_i^2 - e) exp((z_i^2 - e) t) erfc(z_i sqrt t).
static inline double prosperetti(double omega0, double damping, double t)
{
    double e = damping, w2 = omega0*omega0;
    double complex z[4];
    // roots by Durand and Kerner's iteration; the scale is sqrt(omega0)
    for (int m = 0; m < 4; m++) z[m] = sqrt(omega0)*cpow(0.4 + 0.9*I, m);
    for (int sweep = 0; sweep < 200; sweep++)
        for (int m = 0; m < 4; m++) {
            double complex value = z[m]*z[m]*z[m]*z[m] + 2*e*z[m]*z[m] + 4*e*sqrt(e)*z[m] + e*e + w2;
            for (int l = 0; l < 4; l++)
                if (l != m) value /= z[m] - z[l];
            z[m] -= value;
        }
    double complex a = 4*e*e/(8*e*e + w2)*erfc(sqrt(e*t));
    for (int m = 0; m < 4; m++) {
        double complex product = 1;
        for (int l = 0; l < 4; l++)
            if (l != m) product *= z[l] - z[m];
        a += z[m]/product*w2/(z[m]*z[m] - e)*exp(-e*t)*erfcx_complex(z[m]*sqrt(t));
    }
    return creal(a);
}

#include "thin/thin_psd.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

enum { MOST = 12, SWEEPS = 30 };

static double off_diagonal(const double* a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) sum += a[n*i + j]*a[n*i + j];
    return sum;
}

// Turns rows and columns p and q of a so that a_pq = 0, and the columns of v along.
static void rotate(double* a, double* v, int n, int p, int q)
{
    double theta = (a[n*q + q] - a[n*p + p])/(2*a[n*p + q]);
    double t = copysign(1, theta)/(fabs(theta) + sqrt(theta*theta + 1)), c = 1/sqrt(t*t + 1), s = t*c;
    for (int k = 0; k < n; k++) {
        double kp = a[n*k + p], kq = a[n*k + q];
        a[n*k + p] = c*kp - s*kq, a[n*k + q] = s*kp + c*kq;
    }
    for (int k = 0; k < n; k++) {
        double pk = a[n*p + k], qk = a[n*q + k];
        a[n*p + k] = c*pk - s*qk, a[n*q + k] = s*pk + c*qk;
    }
    for (int k = 0; k < n; k++) {
        double kp = v[n*k + p], kq = v[n*k + q];
        v[n*k + p] = c*kp - s*kq, v[n*k + q] = s*kp + c*kq;
    }
}

void psd_clamp(double* a, int n)
{
    assert(n > 0 && n <= MOST);
    double d[MOST*MOST], v[MOST*MOST] = {0}, size = 0;
    for (int m = 0; m < n*n; m++) d[m] = a[m], size += a[m]*a[m];
    for (int k = 0; k < n; k++) v[n*k + k] = 1;
    for (int sweep = 0; sweep < SWEEPS && off_diagonal(d, n) > 1e-26*size; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (d[n*p + q] != 0) rotate(d, v, n, p, q);
    bool negative = false;
    for (int k = 0; k < n; k++) negative = negative || d[n*k + k] < 0;
    if (!negative) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[n*i + j] = 0;
            for (int k = 0; k < n; k++) a[n*i + j] += fmax(d[n*k + k], 0)*v[n*i + k]*v[n*j + k];
        }
}

#include "base/dense.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

bool dense_cholesky(double* a, int n)
{
    assert(n >= 0);
    size_t width = (size_t)n, first[width + 1];  // per row: its first column that is not 0, here and in the factor
    for (size_t i = 0; i < width; i++) {
        for (first[i] = 0; first[i] < i && a[i*width + first[i]] == 0;) first[i]++;
        for (size_t j = first[i]; j <= i; j++) {
            double sum = a[i*width + j];
            for (size_t k = first[i] > first[j] ? first[i] : first[j]; k < j; k++) sum -= a[i*width + k]*a[j*width + k];
            if (i == j && !(sum > 0)) return false;
            a[i*width + j] = i == j ? sqrt(sum) : sum/a[j*width + j];
        }
    }
    return true;
}

void dense_solve(double* x, const double* l, int n)
{
    size_t width = (size_t)n;
    for (size_t i = 0; i < width; i++) {
        for (size_t k = 0; k < i; k++) x[i] -= l[i*width + k]*x[k];
        x[i] /= l[i*width + i];
    }
    for (size_t i = width; i-- > 0;) {
        for (size_t k = i + 1; k < width; k++) x[i] -= l[k*width + i]*x[k];
        x[i] /= l[i*width + i];
    }
}

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

void dense_diagonalise(double* a, double* v, int n)
{
    enum { SWEEPS = 30 };
    double size = 0;
    for (int m = 0; m < n*n; m++) v[m] = 0, size += a[m]*a[m];
    for (int k = 0; k < n; k++) v[n*k + k] = 1;
    for (int sweep = 0; sweep < SWEEPS && off_diagonal(a, n) > 1e-26*size; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                if (a[n*p + q] != 0) rotate(a, v, n, p, q);
}

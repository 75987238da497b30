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

#include "thin/thin_psd.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "base/dense.h"

enum { MOST = 12 };

void psd_clamp(double* a, int n)
{
    assert(n > 0 && n <= MOST);
    double d[MOST*MOST], v[MOST*MOST];
    memcpy(d, a, sizeof *a*(size_t)(n*n));
    dense_diagonalise(d, v, n);
    bool negative = false;
    for (int k = 0; k < n; k++) negative = negative || d[n*k + k] < 0;
    if (!negative) return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[n*i + j] = 0;
            for (int k = 0; k < n; k++) a[n*i + j] += fmax(d[n*k + k], 0)*v[n*i + k]*v[n*j + k];
        }
}

// Sums in a fixed order: the same bytes from any number of threads, and little rounding [neumaier1974].
#pragma once
#include <math.h>

static inline double sum_fixed(const double* v, long n)
{
    double sum = 0, lost = 0;
    for (long i = 0; i < n; i++) {
        double t = sum + v[i];
        lost += fabs(sum) >= fabs(v[i]) ? (sum - t) + v[i] : (v[i] - t) + sum;
        sum = t;
    }
    return sum + lost;
}

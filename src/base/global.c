// One machine: what it has found is the answer.
#include "base/global.h"

#include <assert.h>
#include <math.h>

double global_sum(const double* rows, long n)
{
    assert(rows || n == 0);
    double sum = 0, lost = 0;
    for (long i = 0; i < n; i++) {
        double t = sum + rows[i];
        lost += fabs(sum) >= fabs(rows[i]) ? (sum - t) + rows[i] : (rows[i] - t) + sum;
        sum = t;
    }
    return sum + lost;
}

double global_max(double own) { return own; }
double global_min(double own) { return own; }
bool global_any(bool own) { return own; }

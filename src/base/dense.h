// Small dense symmetric positive definite systems; matrices row by row.
#pragma once
#include <stdbool.h>

// a = L L^T in place, lower triangle; what stands above the diagonal is left. False: it is not positive definite, and a is
// spoilt.
bool dense_cholesky(double* a, int n);
// L L^T x = b; in: b, out: x.
void dense_solve(double* x, const double* l, int n);

// A sparse symmetric positive definite matrix and its Cholesky factor (CHOLMOD), for the small blocks beside the grid.
#pragma once
#include "base/status.h"

typedef struct Triplet {
    int row, column;  // row >= column: the lower triangle; equal places add up
    double value;
} Triplet;

typedef struct Factor Factor;

// MN_NO_CONVERGENCE if the matrix is not positive definite. *f is owned by the caller, NULL on failure.
mn_status factor_new(Factor** f, int n, const Triplet* entry, int count);
void factor_free(Factor* f);                                          // fine on NULL
mn_status factor_solve(const Factor* f, double* x, const double* b);  // x may be b

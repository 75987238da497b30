// A sparse symmetric positive definite matrix and its Cholesky factor (CHOLMOD), for the small blocks beside the grid.
#pragma once
#include "base/status.h"
#include "solve/sparse.h"

typedef struct Triplet {
    int row, column;  // row >= column: the lower triangle; equal places add up
    double value;
} Triplet;

typedef struct Factor Factor;

// MN_NO_CONVERGENCE if the matrix is not positive definite. *f is owned by the caller, NULL on failure.
mn_status factor_new(Factor** f, int n, const Triplet* entry, int count);
// The same of a quasi-definite matrix: symmetric, its leading block positive and the other one negative definite, in any order of
// the unknowns. It has a factor L D L^T for every order, with signs in D and without pivoting [vanderbei1995].
mn_status factor_quasi(Factor** f, int n, const Triplet* entry, int count);
// Other values in the same places: entry has the rows and columns that factor_new was given, in its order. Keeps the ordering of
// the unknowns, which is half the work. A failed call leaves a factor that can only be freed.
mn_status factor_again(Factor* f, const Triplet* entry, int count);
// The same for a matrix that stands; it is read and not kept.
mn_status factor_of_sparse(Factor** f, const Sparse* matrix);
mn_status factor_sparse_again(Factor* f, const Sparse* matrix);
void factor_free(Factor* f);                                          // fine on NULL
mn_status factor_solve(const Factor* f, double* x, const double* b);  // x may be b

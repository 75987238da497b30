// Small dense symmetric matrices, row by row: positive definite systems, eigenvalues.
#pragma once
#include <stdbool.h>

// a = L L^T in place, lower triangle; what stands above the diagonal is left. False: it is not positive definite, and a is
// spoilt.
bool dense_cholesky(double* a, int n);
// L L^T x = b; in: b, out: x.
void dense_solve(double* x, const double* l, int n);
// Symmetric a becomes V^T a V, diagonal: its eigenvalues. Columns of v are the eigenvectors. By rotations [jacobi1846].
void dense_diagonalise(double* a, double* v, int n);

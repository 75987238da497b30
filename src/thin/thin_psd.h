// The part of a small symmetric matrix that is not negative.
#pragma once

// a, n x n, row by row, n at most 12: negative eigenvalues become 0. By rotations [jacobi1846].
void psd_clamp(double* a, int n);

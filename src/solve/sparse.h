// A sparse symmetric matrix whose places stay the same while its numbers change: stiffness of sheets and rods.
#pragma once
#include "base/status.h"

// Lower triangle by columns. All zeros is a valid empty matrix. Owns its arrays.
typedef struct Sparse {
    int n, count;   // unknowns; places
    int* start;     // n + 1: column j is start[j] .. start[j + 1] - 1
    int* row;       // >= column, rising within a column
    double* value;  // 0 at first
} Sparse;

// The matrix with these places (row >= column), each as often as it likes; slot[m] tells where place m has come to stand.
// Every diagonal must be among them. MN_NO_MEMORY leaves it empty.
mn_status sparse_init(Sparse* a, int n, const int (*place)[2], int places, int* slot);
void sparse_free(Sparse* a);
void sparse_clear(Sparse* a);                                       // all numbers become 0
void sparse_multiply(double* y, const Sparse* a, const double* x);  // y = a x, both triangles

// Numbers that belong to a whole liquid and not to a place in it: one answer for all threads, and later for all machines that
// share the liquid. Everything that adds up, compares or votes over rows or parts goes through here.
#pragma once
#include <stdbool.h>

// Sum of one number per row, in a fixed order: the same bytes from any number of threads, and little rounding [neumaier1974].
double global_sum(const double* rows, long n);
// The largest and smallest of one number per part that this machine has found.
double global_max(double own);
double global_min(double own);
// Did it happen anywhere?
bool global_any(bool own);

// Sums over the cells of a liquid, row by row: the same bits for any number of threads.
#pragma once
#include "liquid/liquid.h"

enum { ROW_SUMS = 7 };

// Sums over one row of cells, given by what of the row lies in the spans. `r` counts rows as Spans does.
typedef void RowSum(double sum[ROW_SUMS], const Liquid* q, int r);

// Sums of all rows.
mn_status rowsums(double sum[ROW_SUMS], const Liquid* q, RowSum* of_row, Arena* arena);

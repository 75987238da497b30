#include "liquid/rowsums.h"

#include <assert.h>
#include "base/global.h"

mn_status rowsums(double sum[ROW_SUMS], const Liquid* q, RowSum* of_row, Arena* arena)
{
    assert(q->spans.first && q->cells.index);
    const Spans* s = &q->spans;
    double(*row)[ROW_SUMS] = arena_take(arena, sizeof *row*(size_t)s->rows);
    double* line = ARENA_NEW(arena, double, s->rows);
    TRY_MEMORY(row);
    TRY_MEMORY(line);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) of_row(row[r], q, r);
    for (int m = 0; m < ROW_SUMS; m++) {
        for (int r = 0; r < s->rows; r++) line[r] = row[r][m];
        sum[m] = global_sum(line, s->rows);
    }
    return MN_OK;
}

#include "liquid/rowsums.h"

#include <assert.h>
#include "base/global.h"
#include "liquid/sides.h"

mn_status rowsums(double sum[ROW_SUMS], const Liquid* q, RowSum* of_row, Arena* arena)
{
    assert(q->spans.first && q->cells.index);
    if (q->sheet) {
        Sides sides;
        double other[ROW_SUMS];
        TRY(sides_cut(&sides, arena, q));
        TRY(rowsums(sum, &sides.view[0], of_row, arena));
        TRY(rowsums(other, &sides.view[1], of_row, arena));
        for (int m = 0; m < ROW_SUMS; m++) sum[m] += other[m];
        return MN_OK;
    }
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

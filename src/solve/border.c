#include "solve/border.h"

#include <stdlib.h>
#include <string.h>

static int by_cell(const void* a, const void* b)
{
    const BorderEntry *p = a, *q = b;
    if (p->cell != q->cell) return p->cell < q->cell ? -1 : 1;
    return (p->unknown > q->unknown) - (p->unknown < q->unknown);
}

// out = -B C^-1 B^T in, on the linked cells.
static void eliminated(double* out, const double* in, void* user)
{
    Border* b = user;
    memset(b->work, 0, sizeof *b->work*(size_t)b->count);
    for (int m = 0; m < b->entries; m++) b->work[b->entry[m].unknown] += b->entry[m].value*in[b->entry_cell[m]];
    // a failure to get memory shows as a direction without curvature: the solve stops and reports that it did not converge
    if (factor_solve(b->factor, b->work, b->work) != MN_OK) memset(b->work, 0, sizeof *b->work*(size_t)b->count);
    for (int m = 0; m < b->cells; m++) out[m] = 0;
    for (int m = 0; m < b->entries; m++) out[b->entry_cell[m]] -= b->entry[m].value*b->work[b->entry[m].unknown];
}

mn_status border_begin(Border* b, Poisson* problem, Arena* arena)
{
    if (b->count == 0) return MN_OK;
    qsort(b->entry, (size_t)b->entries, sizeof *b->entry, by_cell);
    TRY_MEMORY(b->cell = ARENA_NEW(arena, ptrdiff_t, b->entries));
    TRY_MEMORY(b->entry_cell = ARENA_NEW(arena, int, b->entries));
    TRY_MEMORY(b->work = ARENA_NEW(arena, double, b->count));
    b->cells = 0;
    for (int m = 0; m < b->entries; m++) {
        if (m == 0 || b->entry[m].cell != b->entry[m - 1].cell) b->cell[b->cells++] = b->entry[m].cell;
        b->entry_cell[m] = b->cells - 1;
    }
    TRY(factor_new(&b->factor, b->count, b->block, b->block_entries));
    mn_status status = factor_solve(b->factor, b->work, b->d);
    if (status != MN_OK) return border_end(b, NULL, NULL), status;
    for (int m = 0; m < b->entries; m++) problem->b[b->entry[m].cell] -= b->entry[m].value*b->work[b->entry[m].unknown];
    problem->extra = (PoissonExtra){b->cells, b->cell, eliminated, b};
    return MN_OK;
}

mn_status border_end(Border* b, double* s, const double* p)
{
    mn_status status = MN_OK;
    if (p && b->count > 0) {
        memcpy(s, b->d, sizeof *s*(size_t)b->count);
        for (int m = 0; m < b->entries; m++) s[b->entry[m].unknown] -= b->entry[m].value*p[b->entry[m].cell];
        status = factor_solve(b->factor, s, s);
    }
    factor_free(b->factor);
    b->factor = NULL;
    return status;
}

#include "solve/border.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static int by_cell(const void* a, const void* b)
{
    const BorderEntry *p = a, *q = b;
    if (p->part != q->part) return p->part < q->part ? -1 : 1;
    if (p->cell != q->cell) return p->cell < q->cell ? -1 : 1;
    return (p->unknown > q->unknown) - (p->unknown < q->unknown);
}

// out = -+ B C^-1 B^T in, on the linked cells.
static void eliminated(double* out, const double* in, void* user)
{
    Border* b = user;
    memset(b->work, 0, sizeof *b->work*(size_t)b->count);
    for (int m = 0; m < b->entries; m++) b->work[b->entry[m].unknown] += b->entry[m].value*in[b->entry_cell[m]];
    // a failure to get memory shows as a direction without curvature: the solve stops and reports that it did not converge
    if (factor_solve(b->factor, b->work, b->work) != MN_OK) memset(b->work, 0, sizeof *b->work*(size_t)b->count);
    for (int m = 0; m < b->cells; m++) out[m] = 0;
    double sign = b->adds ? -1 : 1;
    for (int m = 0; m < b->entries; m++) out[b->entry_cell[m]] -= sign*b->entry[m].value*b->work[b->entry[m].unknown];
}

// Lists the linked cells, each once, in the order of the sorted entries.
static mn_status list_cells(Border* b, Arena* arena)
{
    qsort(b->entry, (size_t)b->entries, sizeof *b->entry, by_cell);
    TRY_MEMORY(b->cell = ARENA_NEW(arena, ptrdiff_t, b->entries));
    TRY_MEMORY(b->part = ARENA_NEW(arena, int, b->entries));
    TRY_MEMORY(b->entry_cell = ARENA_NEW(arena, int, b->entries));
    b->cells = 0;
    for (int m = 0; m < b->entries; m++) {
        const BorderEntry* e = &b->entry[m];
        assert(e->unknown >= 0 && e->unknown < b->count);
        if (m == 0 || e->part != e[-1].part || e->cell != e[-1].cell)
            b->part[b->cells] = e->part, b->cell[b->cells] = e->cell, b->cells++;
        b->entry_cell[m] = b->cells - 1;
    }
    return MN_OK;
}

static mn_status estimate_diagonal(Border* b, Arena* arena)
{
    double* own = ARENA_ZERO(arena, double, b->count);
    TRY_MEMORY(own);
    TRY_MEMORY(b->diagonal = ARENA_ZERO(arena, double, b->cells));
    for (int m = 0; m < b->block_entries; m++)
        if (b->block[m].row == b->block[m].column) own[b->block[m].row] += b->block[m].value;
    for (int m = 0; m < b->entries; m++) {
        const BorderEntry* e = &b->entry[m];
        assert(own[e->unknown] > 0);  // C is positive definite
        b->diagonal[b->entry_cell[m]] += e->value*e->value/own[e->unknown];
    }
    return MN_OK;
}

mn_status border_load(Border* b, const PoissonGroup* group)
{
    if (b->count == 0) return MN_OK;
    TRY(factor_solve(b->factor, b->work, b->d));
    for (int m = 0; m < b->entries; m++) {
        const BorderEntry* e = &b->entry[m];
        const PoissonPart* part = &group->part[e->part];
        part->problem->b[e->cell] -= e->value/part->weight*b->work[e->unknown];
    }
    return MN_OK;
}

mn_status border_begin(Border* b, PoissonOperator* op, const PoissonGroup* group, Arena* arena)
{
    *op = (PoissonOperator){0};
    if (b->count == 0) return MN_OK;
    TRY(list_cells(b, arena));
    TRY_MEMORY(b->work = ARENA_NEW(arena, double, b->count));
    if (b->adds) TRY(estimate_diagonal(b, arena));
    assert(!b->mixes || !b->adds);
    mn_status (*first)(Factor**, int, const Triplet*, int) = b->mixes ? factor_quasi : factor_new;
    mn_status status =
        b->factor ? factor_again(b->factor, b->block, b->block_entries) : first(&b->factor, b->count, b->block, b->block_entries);
    if (status == MN_OK) status = border_load(b, group);
    if (status != MN_OK) return border_end(b), status;
    *op = (PoissonOperator){.count = b->cells,
                            .part = b->part,
                            .cell = b->cell,
                            .apply = eliminated,
                            .user = b,
                            .diagonal = b->diagonal,
                            .border = b->adds ? NULL : b};
    return MN_OK;
}

mn_status border_solution(const Border* b, double* s, const PoissonGroup* group)
{
    if (b->count == 0) return MN_OK;
    assert(b->factor);  // after border_begin, before border_end
    double sign = b->adds ? -1 : 1;
    memcpy(s, b->d, sizeof *s*(size_t)b->count);
    for (int m = 0; m < b->entries; m++) {
        const BorderEntry* e = &b->entry[m];
        s[e->unknown] -= sign*e->value*group->part[e->part].p[e->cell];
    }
    return factor_solve(b->factor, s, s);
}

void border_end(Border* b)
{
    factor_free(b->factor);
    b->factor = NULL;
}

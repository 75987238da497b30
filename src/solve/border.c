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

// out = -B C^-1 B^T in, on the linked cells.
static void eliminated(double* out, const double* in, void* user)
{
    assert(((Border*)user)->factor && out != in);
    Border* b = user;
    memset(b->work, 0, sizeof *b->work*(size_t)b->count);
    for (int m = 0; m < b->entries; m++) b->work[b->entry[m].unknown] += b->entry[m].value*in[b->entry_cell[m]];
    // a failure to get memory shows as a direction without curvature: the solve stops and reports that it did not converge
    if (factor_solve(b->factor, b->work, b->work) != MN_OK) memset(b->work, 0, sizeof *b->work*(size_t)b->count);
    for (int m = 0; m < b->cells; m++) out[m] = 0;
    for (int m = 0; m < b->entries; m++) out[b->entry_cell[m]] -= b->entry[m].value*b->work[b->entry[m].unknown];
}

// Lists the linked cells, each once, in the order of the sorted entries.
static mn_status list_cells(Border* b, PoissonGroup* group, Arena* arena)
{
    assert(b->entry || b->entries == 0);
    qsort(b->entry, (size_t)b->entries, sizeof *b->entry, by_cell);
    TRY_MEMORY(b->cell = ARENA_NEW(arena, ptrdiff_t, b->entries));
    TRY_MEMORY(b->entry_cell = ARENA_NEW(arena, int, b->entries));
    b->cells = 0;
    for (int q = 0, m = 0; q < group->count; q++) {
        int first = b->cells;
        for (int start = m; m < b->entries && b->entry[m].part == q; m++) {
            assert(b->entry[m].unknown >= 0 && b->entry[m].unknown < b->count);
            if (m == start || b->entry[m].cell != b->entry[m - 1].cell) b->cell[b->cells++] = b->entry[m].cell;
            b->entry_cell[m] = b->cells - 1;
        }
        group->part[q].problem->extra = (PoissonExtra){b->cells - first, b->cell + first, eliminated, b};
    }
    return MN_OK;
}

mn_status border_load_group(Border* b, const PoissonGroup* group)
{
    if (b->count == 0) return MN_OK;
    assert(b->factor && b->d);
    TRY(factor_solve(b->factor, b->work, b->d));
    for (int m = 0; m < b->entries; m++) {
        const BorderEntry* e = &b->entry[m];
        const PoissonPart* part = &group->part[e->part];
        part->problem->b[e->cell] -= e->value/part->weight*b->work[e->unknown];
    }
    return MN_OK;
}

mn_status border_begin_group(Border* b, PoissonGroup* group, Arena* arena)
{
    if (b->count == 0) return MN_OK;
    TRY(list_cells(b, group, arena));
    TRY_MEMORY(b->work = ARENA_NEW(arena, double, b->count));
    mn_status status = b->factor ? factor_again(b->factor, b->block, b->block_entries)
                                 : factor_new(&b->factor, b->count, b->block, b->block_entries);
    if (status == MN_OK) status = border_load_group(b, group);
    if (status != MN_OK) return border_end_group(b, NULL, group), status;
    group->apply = eliminated, group->user = b;
    return MN_OK;
}

mn_status border_solution_group(const Border* b, double* s, const PoissonGroup* group)
{
    if (b->count == 0) return MN_OK;
    assert(b->factor && s);
    memcpy(s, b->d, sizeof *s*(size_t)b->count);
    for (int m = 0; m < b->entries; m++) {
        const BorderEntry* e = &b->entry[m];
        s[e->unknown] -= e->value*group->part[e->part].p[e->cell];
    }
    return factor_solve(b->factor, s, s);
}

mn_status border_end_group(Border* b, double* s, const PoissonGroup* group)
{
    mn_status status = s ? border_solution_group(b, s, group) : MN_OK;
    factor_free(b->factor);
    b->factor = NULL;
    return status;
}

mn_status border_begin(Border* b, Poisson* problem, Arena* arena)
{
    PoissonPart part = {.problem = problem, .weight = 1};
    return border_begin_group(b, &(PoissonGroup){.part = &part, .count = 1}, arena);
}

mn_status border_end(Border* b, double* s, const double* p)
{
    PoissonPart part = {.p = (double*)p, .weight = 1};
    return border_end_group(b, p ? s : NULL, &(PoissonGroup){.part = &part, .count = 1});
}

// A factor of the whole matrix of a small group, as a preconditioner. Multigrid sees every problem of a group alone, held where
// an operator acts: a pressure that is the same on both sides of a film is hardly held there, and twenty drops with films
// between them took 60 iterations for 500 unknowns.
#include <assert.h>
#include <string.h>
#include "solve/border.h"
#include "solve/poisson_private.h"

// Cells up to which the factor is cheap beside iterations that do not end (a chosen number; in 3D it fills up sooner).
enum { MOST_IN_2D = 10000, MOST_IN_3D = 3000 };

// Sealed liquid leaves the matrix singular; so much more on the diagonal, relative, makes it definite and is no more than
// rounding to the iteration.
static const double MORE = 1e-11;

bool direct_is_fit(const PoissonSolver* g)
{
    long cells = 0;
    bool flat = true;
    for (int o = 0; o < g->besides; o++)
        if (!g->beside[o].op->border) return false;
    FOR_PARTS(g, s) cells += s->mg.level[0].unknowns, flat = flat && s->mg.level[0].dim == 2;
    return g->besides > 0 && g->dense.rank == 0 && cells <= (flat ? MOST_IN_2D : MOST_IN_3D);
}

#define FOR_ROW_CELLS(l, r, i)                                                                                                   \
    SPAN_LOOP(l, r, q_)                                                                                                          \
        for (int i = (l)->span[q_].i0; i < (l)->span[q_].i1; i++)

static mn_status number_cells(DirectSolver* d, const PoissonSolver* g, Arena* arena)
{
    TRY_MEMORY(d->number = ARENA_ZERO(arena, int*, g->count));
    d->unknowns = 0;
    for (int part = 0; part < g->count; part++) {
        const Level* l = &g->part[part].mg.level[0];
        if (g->part[part].empty) continue;
        TRY_MEMORY(d->number[part] = ARENA_NEW(arena, int, l->count));
        d->number[part] += l->origin;
        for (int r = 0; r < l->rows; r++) FOR_ROW_CELLS(l, r, i) d->number[part][level_row(l, r) + i] = d->unknowns++;
    }
    return MN_OK;
}

typedef struct Triplets {
    Triplet* entry;
    int count;
} Triplets;

static void add_entry(Triplets* t, int row, int column, double value)
{
    assert(row >= column);
    t->entry[t->count++] = (Triplet){row, column, value};
}

// The rows of one problem, times its weight: the diagonal, and the links to the cells after each.
static void add_part(Triplets* t, const Part* s, const int* number)
{
    const Level* l = &s->mg.level[0];
    const ptrdiff_t stride[3] = {1, l->sy, l->sz};
    for (int r = 0; r < l->rows; r++) {
        const SpecialCell* c = s->problem->special + s->problem->first[r];
        FOR_ROW_CELLS(l, r, i)
        {
            ptrdiff_t at = level_row(l, r) + i;
            bool regular = l->kind[at] == CELL_IS_REGULAR;
            while (!regular && c->i < i) c++;
            double diagonal = regular ? 2*l->dim : c->excess;
            for (int f = 0; f < 2*l->dim; f++) {
                double link = regular ? 1 : c->link[f];
                if (!regular) diagonal += link;
                if ((f & 1) && link > 0) add_entry(t, number[at + stride[f/2]], number[at], -s->weight*link);
            }
            add_entry(t, number[at], number[at], (1 + MORE)*s->weight*diagonal);
        }
    }
}

static void add_border(Triplets* t, const Border* b, int first, int* const* number)
{
    for (int m = 0; m < b->entries; m++)
        add_entry(t, first + b->entry[m].unknown, number[b->entry[m].part][b->entry[m].cell], b->entry[m].value);
    for (int m = 0; m < b->block_entries; m++)
        add_entry(t, first + b->block[m].row, first + b->block[m].column, b->block[m].value);
}

mn_status direct_begin(DirectSolver* d, const PoissonSolver* g)
{
    Arena* arena = g->arena;
    assert(direct_is_fit(g));
    *d = (DirectSolver){0};
    TRY(number_cells(d, g, arena));
    int room = 4*d->unknowns;
    for (int o = 0; o < g->besides; o++) room += g->beside[o].op->border->entries + g->beside[o].op->border->block_entries;
    Triplets t = {ARENA_NEW(arena, Triplet, room), 0};
    TRY_MEMORY(t.entry);
    for (int part = 0; part < g->count; part++)
        if (!g->part[part].empty) add_part(&t, &g->part[part], d->number[part]);
    for (int o = 0; o < g->besides; o++) {
        add_border(&t, g->beside[o].op->border, d->unknowns, d->number);
        d->unknowns += g->beside[o].op->border->count;
    }
    assert(t.count <= room);
    TRY_MEMORY(d->v = ARENA_NEW(arena, double, d->unknowns));
    bool mixes = false;
    for (int o = 0; o < g->besides; o++) mixes = mixes || g->beside[o].op->border->mixes;
    return (mixes ? factor_quasi : factor_new)(&d->factor, d->unknowns, t.entry, t.count);
}

double direct_apply(DirectSolver* d, PoissonSolver* g, double scale)
{
    double product = 0;
    memset(d->v, 0, sizeof *d->v*(size_t)d->unknowns);
    for (int part = 0; part < g->count; part++) {
        const Part* s = &g->part[part];
        const Level* l = &s->mg.level[0];
        for (int r = 0; !s->empty && r < l->rows; r++) FOR_ROW_CELLS(l, r, i)
            {
                ptrdiff_t at = level_row(l, r) + i;
                d->v[d->number[part][at]] = s->weight*s->r[at]/scale;
            }
    }
    // a failure to get memory leaves no direction: the solve stops and reports that it did not converge
    if (factor_solve(d->factor, d->v, d->v) != MN_OK) memset(d->v, 0, sizeof *d->v*(size_t)d->unknowns);
    for (int part = 0; part < g->count; part++) {
        Part* s = &g->part[part];
        const Level* l = &s->mg.level[0];
        for (int r = 0; !s->empty && r < l->rows; r++) FOR_ROW_CELLS(l, r, i)
            {
                ptrdiff_t at = level_row(l, r) + i;
                l->x[at] = (float)d->v[d->number[part][at]];
            }
        if (s->empty) continue;
        components_project_float(&s->sealed, l->x);
        for (int r = 0; r < l->rows; r++)
            FOR_ROW_CELLS(l, r, i) product += s->weight*s->r[level_row(l, r) + i]*(double)l->x[level_row(l, r) + i];
    }
    return product*scale;
}

void direct_end(DirectSolver* d)
{
    factor_free(d->factor);
    d->factor = NULL;
}

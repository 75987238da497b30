#include "solve/factor.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

struct Factor {
    int n;
    cholmod_common common;
    cholmod_factor* factor;
    cholmod_dense *x, *y, *e;  // kept between solves
};

static cholmod_sparse* sparse_of(Factor* f, const Triplet* entry, int count)
{
    for (int m = 0; m < count; m++) assert(entry[m].column >= 0 && entry[m].row >= entry[m].column && entry[m].row < f->n);
    size_t n = (size_t)f->n;
    cholmod_triplet* t = cholmod_allocate_triplet(n, n, (size_t)count, -1, CHOLMOD_REAL, &f->common);
    if (!t) return NULL;
    for (int m = 0; m < count; m++)
        ((int*)t->i)[m] = entry[m].row, ((int*)t->j)[m] = entry[m].column, ((double*)t->x)[m] = entry[m].value;
    t->nnz = (size_t)count;
    cholmod_sparse* matrix = cholmod_triplet_to_sparse(t, (size_t)count, &f->common);
    cholmod_free_triplet(&t, &f->common);
    return matrix;
}

// matrix: NULL when memory was out.
static mn_status factorize(Factor* f, cholmod_sparse* matrix)
{
    if (matrix && !f->factor) f->factor = cholmod_analyze(matrix, &f->common);
    if (matrix && f->factor) cholmod_factorize(matrix, f->factor, &f->common);
    if (!matrix || !f->factor || f->common.status < 0)
        return mn_fail(MN_NO_MEMORY, "out of memory: a factor of %d unknowns", f->n);
    if (f->factor->minor < (size_t)f->n)
        return mn_fail(MN_NO_CONVERGENCE, "a block of %d unknowns is not positive definite at unknown %zu", f->n,
                       f->factor->minor);
    return MN_OK;
}

mn_status factor_again(Factor* f, const Triplet* entry, int count)
{
    cholmod_sparse* matrix = sparse_of(f, entry, count);
    mn_status status = factorize(f, matrix);
    cholmod_free_sparse(&matrix, &f->common);
    return status;
}

mn_status factor_sparse_again(Factor* f, const Sparse* a)
{
    assert(a->n == f->n);
    cholmod_sparse matrix = {.nrow = (size_t)a->n,
                             .ncol = (size_t)a->n,
                             .nzmax = (size_t)a->count,
                             .p = a->start,
                             .i = a->row,
                             .x = a->value,
                             .stype = -1,
                             .itype = CHOLMOD_INT,
                             .xtype = CHOLMOD_REAL,
                             .dtype = CHOLMOD_DOUBLE,
                             .sorted = 1,
                             .packed = 1};
    return factorize(f, &matrix);
}

// An empty factor of n unknowns; NULL with mn_last_error set when memory is out.
static Factor* start(int n)
{
    Factor* f = calloc(1, sizeof *f);
    if (!f) return mn_fail(MN_NO_MEMORY, "out of memory: a factor of %d unknowns", n), NULL;
    f->n = n;
    cholmod_start(&f->common);
    f->common.print = 0;
    f->common.nmethods = 1;
    f->common.method[0].ordering = n < 20000 ? CHOLMOD_AMD : CHOLMOD_METIS;
    f->common.final_ll = 1;
    return f;
}

// What came of it: the caller's on success, freed otherwise.
static mn_status hand_over(Factor** out, Factor* f, mn_status status)
{
    if (status != MN_OK) return factor_free(f), status;
    *out = f;
    return MN_OK;
}

mn_status factor_new(Factor** out, int n, const Triplet* entry, int count)
{
    assert(n > 0 && entry && count >= n);
    *out = NULL;
    Factor* f = start(n);
    return f ? hand_over(out, f, factor_again(f, entry, count)) : MN_NO_MEMORY;
}

mn_status factor_quasi(Factor** out, int n, const Triplet* entry, int count)
{
    assert(n > 0 && entry && count >= n);
    *out = NULL;
    Factor* f = start(n);
    if (!f) return MN_NO_MEMORY;
    f->common.supernodal = CHOLMOD_SIMPLICIAL, f->common.final_ll = 0;
    return hand_over(out, f, factor_again(f, entry, count));
}

mn_status factor_of_sparse(Factor** out, const Sparse* a)
{
    *out = NULL;
    Factor* f = start(a->n);
    return f ? hand_over(out, f, factor_sparse_again(f, a)) : MN_NO_MEMORY;
}

void factor_free(Factor* f)
{
    if (!f) return;
    cholmod_free_dense(&f->x, &f->common);
    cholmod_free_dense(&f->y, &f->common);
    cholmod_free_dense(&f->e, &f->common);
    cholmod_free_factor(&f->factor, &f->common);
    cholmod_finish(&f->common);
    free(f);
}

mn_status factor_solve(const Factor* f, double* x, const double* b)
{
    assert(f && f->factor && x && b);
    Factor* mutable = (Factor*)f;  // the workspace inside changes, not the factor
    cholmod_dense rhs = {.nrow = (size_t)f->n,
                         .ncol = 1,
                         .nzmax = (size_t)f->n,
                         .d = (size_t)f->n,
                         .x = (double*)b,
                         .xtype = CHOLMOD_REAL,
                         .dtype = CHOLMOD_DOUBLE};
    if (!cholmod_solve2(CHOLMOD_A, f->factor, &rhs, NULL, &mutable->x, NULL, &mutable->y, &mutable->e, &mutable->common))
        return mn_fail(MN_NO_MEMORY, "out of memory: solving for %d unknowns", f->n);
    memcpy(x, f->x->x, sizeof *x*(size_t)f->n);
    return MN_OK;
}

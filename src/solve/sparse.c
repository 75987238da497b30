#include "solve/sparse.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void sparse_free(Sparse* a)
{
    free(a->start), free(a->row), free(a->value);
    *a = (Sparse){0};
}

void sparse_clear(Sparse* a) { memset(a->value, 0, sizeof *a->value*(size_t)a->count); }

// Places sorted by column, then by row: two passes of counting, the second keeps the order of the first.
static void sort_by(int* order, const int* from, const int (*place)[2], int places, int which, int* begin, int n)
{
    memset(begin, 0, sizeof *begin*(size_t)(n + 1));
    for (int m = 0; m < places; m++) begin[place[m][which] + 1]++;
    for (int k = 0; k < n; k++) begin[k + 1] += begin[k];
    for (int m = 0; m < places; m++) {
        int p = from ? from[m] : m;
        order[begin[place[p][which]]++] = p;
    }
}

// Equal places follow each other in `order`; gives how many different ones there are.
static int number_places(int* slot, const int* order, const int (*place)[2], int places)
{
    int count = 0;
    for (int m = 0; m < places; m++) {
        const int *now = place[order[m]], *last = m > 0 ? place[order[m - 1]] : NULL;
        if (!last || now[0] != last[0] || now[1] != last[1]) count++;
        slot[order[m]] = count - 1;
    }
    return count;
}

mn_status sparse_init(Sparse* a, int n, const int (*place)[2], int places, int* slot)
{
    assert(n > 0 && places >= n);
    *a = (Sparse){.n = n};
    int *by_row = malloc(sizeof *by_row*(size_t)places), *order = malloc(sizeof *order*(size_t)places);
    int* begin = malloc(sizeof *begin*(size_t)(n + 1));
    a->start = calloc((size_t)n + 1, sizeof *a->start);
    if (by_row && order && begin && a->start) {
        sort_by(by_row, NULL, place, places, 0, begin, n);
        sort_by(order, by_row, place, places, 1, begin, n);
        a->count = number_places(slot, order, place, places);
        a->row = malloc(sizeof *a->row*(size_t)a->count), a->value = calloc((size_t)a->count, sizeof *a->value);
    }
    bool enough = a->row && a->value;
    for (int m = 0; enough && m < places; m++) {
        assert(place[m][1] >= 0 && place[m][0] >= place[m][1] && place[m][0] < n);
        int* end = &a->start[place[m][1] + 1];
        a->row[slot[m]] = place[m][0];
        if (*end < slot[m] + 1) *end = slot[m] + 1;
    }
    for (int k = 0; enough && k < n; k++)
        if (a->start[k + 1] == 0) a->start[k + 1] = a->start[k];
    free(by_row), free(order), free(begin);
    if (enough) return MN_OK;
    sparse_free(a);
    return mn_fail(MN_NO_MEMORY, "out of memory: a matrix of %d unknowns", n);
}

void sparse_multiply(double* y, const Sparse* a, const double* x)
{
    memset(y, 0, sizeof *y*(size_t)a->n);
    for (int j = 0; j < a->n; j++)
        for (int m = a->start[j]; m < a->start[j + 1]; m++) {
            int i = a->row[m];
            y[i] += a->value[m]*x[j];
            if (i != j) y[j] += a->value[m]*x[i];
        }
}

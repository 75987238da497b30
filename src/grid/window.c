#include "grid/window.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/pages.h"
#include "base/vec.h"

Window window_make(const Tank* tank, const int lo[3], const int n[3])
{
    assert(tank->dim == 2 || (tank->dim == 3 && tank->n[2] > 0));
    Window w = {.dim = tank->dim, .dx = tank->dx, .wider = tank->wider, .ghost = GHOST};
    for (int d = 0; d < 3; d++) {
        int first = maxi(lo[d], 0), last = mini(lo[d] + n[d], tank->n[d]);
        assert(first < last);
        w.lo[d] = first;
        w.n[d] = last - first;
        w.side[2*d] = first == 0 ? tank->side[2*d] : SIDE_INSIDE;
        w.side[2*d + 1] = last == tank->n[d] ? tank->side[2*d + 1] : SIDE_INSIDE;
    }
    w.sy = w.n[0] + 1 + 2*w.ghost;
    w.sz = w.sy*(w.n[1] + 1 + 2*w.ghost);
    bool deep = w.dim == 3;
    w.origin = w.ghost*(1 + w.sy + (deep ? w.sz : 0));
    w.count = (size_t)w.sz*(size_t)(deep ? w.n[2] + 1 + 2*w.ghost : 1);
    assert(window_is_valid(&w));
    return w;
}

Window window_whole(const Tank* tank) { return window_make(tank, (int[3]){0, 0, 0}, tank->n); }

bool window_same(const Window* a, const Window* b)
{
    return memcmp(a->lo, b->lo, sizeof a->lo) == 0 && memcmp(a->n, b->n, sizeof a->n) == 0;
}

bool window_is_valid(const Window* w)
{
    if (!w || (w->dim != 2 && w->dim != 3) || !(w->dx > 0) || !isfinite(w->dx) || w->wider < 0 || w->ghost < 0) return false;
    for (int d = 0; d < 3; d++)
        if (w->n[d] < 1 || w->lo[d] < 0) return false;
    for (int s = 0; s < 6; s++)
        if (w->side[s] > SIDE_IS_MIRROR) return false;
    bool deep = w->dim == 3;
    ptrdiff_t layers = deep ? w->n[2] + 1 + 2*w->ghost : 1;
    return (deep || w->n[2] == 1) && w->sy == w->n[0] + 1 + 2*w->ghost && w->sz == w->sy*(w->n[1] + 1 + 2*w->ghost) &&
           w->origin == window_at(w, w->ghost, w->ghost, deep ? w->ghost : 0) && w->count == (size_t)(w->sz*layers);
}

mn_status field_init(Field* f, const Window* w)
{
    assert(window_is_valid(w));
    f->block = calloc(w->count, sizeof *f->block);
    f->v = f->block ? f->block + w->origin : NULL;
    if (f->block) pages_prefer_large(f->block, w->count*sizeof *f->block);
    return f->block ? MN_OK : mn_fail(MN_NO_MEMORY, "out of memory: a field of %zu values", w->count);
}

void field_free(Field* f)
{
    free(f->block);
    *f = (Field){0};
}

void field_fill(Field* f, const Window* w, double value)
{
    assert(f->block);
    for (size_t i = 0; i < w->count; i++) f->block[i] = value;
}

void field_copy_window(Field* to, const Window* wto, const Field* from, const Window* wfrom)
{
    assert(to->v && from->v && wto->dim == wfrom->dim && wto->dx == wfrom->dx);
    int a[3], b[3];  // shared range in indices of `from`
    for (int d = 0; d < 3; d++) {
        int extra = wto->dim == 2 && d == 2 ? 0 : 1, shift = wto->lo[d] - wfrom->lo[d];
        a[d] = maxi(0, shift);
        b[d] = mini(wfrom->n[d] + extra, shift + wto->n[d] + extra);
        if (a[d] >= b[d]) return;
    }
    ptrdiff_t shift = 0;
    for (int d = 0; d < wto->dim; d++) shift += (wfrom->lo[d] - wto->lo[d])*window_stride(wto, d);
    for (int k = a[2]; k < b[2]; k++)
        for (int j = a[1]; j < b[1]; j++)
            memcpy(to->v + window_at(wto, a[0], j, k) + shift, from->v + window_at(wfrom, a[0], j, k),
                   (size_t)(b[0] - a[0])*sizeof(double));
}

void window_copy_to(double* to, const double* from, const Window* w)
{
    assert(to && from && to != from);
    enum { PIECE = 1 << 16 };
    double* a = to - w->origin;
    const double* b = from - w->origin;
    long pieces = (long)((w->count + PIECE - 1)/PIECE);
#pragma omp parallel for schedule(static) if (window_is_large(w))
    for (long p = 0; p < pieces; p++) {
        size_t first = (size_t)p*PIECE, count = w->count - first < PIECE ? w->count - first : PIECE;
        memcpy(a + first, b + first, count*sizeof *a);
    }
}

double* window_copy(Arena* arena, const double* v, const Window* w)
{
    double* block = ARENA_NEW(arena, double, w->count);
    if (!block) return NULL;
    window_copy_to(block + w->origin, v, w);
    return block + w->origin;
}

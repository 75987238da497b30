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
    Window w = {.dim = tank->dim, .dx = tank->dx, .wider = tank->wider};
    for (int d = 0; d < 3; d++) {
        int first = maxi(lo[d], 0), last = mini(lo[d] + n[d], tank->n[d]);
        assert(first < last);
        w.lo[d] = first;
        w.n[d] = last - first;
        w.side[2*d] = first == 0 ? tank->side[2*d] : SIDE_INSIDE;
        w.side[2*d + 1] = last == tank->n[d] ? tank->side[2*d + 1] : SIDE_INSIDE;
    }
    w.sy = w.n[0] + 1 + 2*GHOST;
    w.sz = w.sy*(w.n[1] + 1 + 2*GHOST);
    bool deep = w.dim == 3;
    w.origin = GHOST + GHOST*w.sy + (deep ? GHOST*w.sz : 0);
    w.count = (size_t)w.sz*(size_t)(deep ? w.n[2] + 1 + 2*GHOST : 1);
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
    if (!w || (w->dim != 2 && w->dim != 3) || !(w->dx > 0) || !isfinite(w->dx) || w->wider < 0) return false;
    for (int d = 0; d < 3; d++)
        if (w->n[d] < 1 || w->lo[d] < 0) return false;
    for (int s = 0; s < 6; s++)
        if (w->side[s] > SIDE_IS_MIRROR) return false;
    bool deep = w->dim == 3;
    ptrdiff_t layers = deep ? w->n[2] + 1 + 2*GHOST : 1;
    return (deep || w->n[2] == 1) && w->sy == w->n[0] + 1 + 2*GHOST && w->sz == w->sy*(w->n[1] + 1 + 2*GHOST) &&
           w->origin == window_at(w, GHOST, GHOST, deep ? GHOST : 0) && w->count == (size_t)(w->sz*layers);
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

// Below this many values one thread is enough.
static bool worth_sharing(const Window* w) { return w->count > 200000; }

void window_copy_to(double* to, const double* from, const Window* w)
{
    assert(to && from && to != from);
    enum { PIECE = 1 << 16 };
    double* a = to - w->origin;
    const double* b = from - w->origin;
    long pieces = (long)((w->count + PIECE - 1)/PIECE);
#pragma omp parallel for schedule(static) if (worth_sharing(w))
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

// One axis of the reflections below. Nodes and faces across `axis` lie on the side: ghost -m mirrors m. The other faces lie
// half a cell off: ghost -m mirrors m - 1.
static void reflect_axis(double* v, const Window* w, int axis, bool on_side, double low_sign, double high_sign)
{
    assert(v && axis >= 0 && axis < w->dim);
    int a[3], b[3];
    for (int d = 0; d < 3; d++) {
        bool flat = w->dim == 2 && d == 2;
        a[d] = flat ? 0 : -GHOST;
        b[d] = flat ? 1 : w->n[d] + 1 + GHOST;
    }
    bool low = w->side[2*axis] != SIDE_INSIDE, high = w->side[2*axis + 1] != SIDE_INSIDE;
    ptrdiff_t s = window_stride(w, axis);
    int n = w->n[axis];
    a[axis] = 0, b[axis] = 1;
    int half = on_side ? 0 : 1;
    if (!low && !high) return;
#pragma omp parallel for collapse(2) schedule(static) if (worth_sharing(w))
    for (int k = a[2]; k < b[2]; k++)
        for (int j = a[1]; j < b[1]; j++)
            for (int i = a[0]; i < b[0]; i++) {
                double* q = v + window_at(w, i, j, k);
                for (int m = 1; m <= GHOST; m++) {
                    if (low) q[-m*s] = low_sign*q[mini(m - half, n)*s];
                    // values half a cell off end at n - 1, so their ghosts start one earlier, at n
                    if (high) q[(n + m - half)*s] = high_sign*q[maxi(n - m, 0)*s];
                }
            }
}

void nodes_reflect(double* v, const Window* w)
{
    for (int axis = 0; axis < w->dim; axis++) reflect_axis(v, w, axis, true, 1, 1);
}

void faces_reflect(double* const u[3], const Window* w)
{
    for (int component = 0; component < w->dim; component++)
        for (int axis = 0; axis < w->dim; axis++) {
            bool across = axis == component;
            double low = across && side_is_closed(w->side[2*axis]) ? -1 : 1;
            double high = across && side_is_closed(w->side[2*axis + 1]) ? -1 : 1;
            reflect_axis(u[component], w, axis, across, low, high);
        }
}

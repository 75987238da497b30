#include "grid/facelayers.h"

#include <assert.h>
#include <string.h>

mn_status facelayers_init(FaceLayers* f, Arena* arena, const double* phi, const Spans* spans, const Window* w)
{
    assert(phi && spans_is_valid(spans, w));
    *f = (FaceLayers){.phi = phi, .spans = spans, .w = w};
    TRY_MEMORY(f->layer = ARENA_NEW(arena, unsigned char, w->count));
    f->layer += w->origin;
    return MN_OK;
}

void facelayers_begin(FaceLayers* f, int axis)
{
    assert(axis >= 0 && axis < f->w->dim);
    f->axis = axis;
    for (int d = 0; d < 3; d++) f->end[d] = f->w->n[d] + (d == axis);
    memset(f->layer - f->w->origin, FACE_UNREACHED, f->w->count);
}

// Counts the faces of a row to be reached; lists them where there is a list.
static int start_row(int32_t* list, const FaceLayers* f, const unsigned char* kind, double reach, int r)
{
    int j, k, count = 0;
    if (!facelayers_row(f, r, &j, &k)) return 0;
    SPAN_LOOP(f->spans, r, q)
        for (int i = f->spans->span[q].i0, last = mini(f->spans->span[q].i1, f->end[0]); i < last; i++) {
            ptrdiff_t at = window_at(f->w, i, j, k);
            f->layer[at] = kind[at] ? 0 : FACE_UNREACHED;
            if (kind[at] || !(face_mean(f->phi, f->w, f->axis, at) < reach)) continue;
            if (list) list[count] = (int32_t)at;
            count++;
        }
    return count;
}

mn_status facelayers_start(int32_t** list, int* count, Arena* arena, const FaceLayers* f, const unsigned char* kind, double reach)
{
    const Spans* s = f->spans;
    int* first = ARENA_NEW(arena, int, s->rows + 1);
    TRY_MEMORY(first);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) first[r + 1] = start_row(NULL, f, kind, reach, r);
    first[0] = 0;
    for (int r = 0; r < s->rows; r++) first[r + 1] += first[r];
    *count = first[s->rows];
    TRY_MEMORY(*list = ARENA_NEW(arena, int32_t, *count));
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) start_row(*list + first[r], f, kind, reach, r);
    return MN_OK;
}

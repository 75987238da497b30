#include "grid/extend.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/interpolate.h"

enum { UNREACHED = 255 };

typedef struct Job {
    unsigned char* layer;
    const double* phi;
    const Window* w;
    int axis;
} Job;

static bool beside(const Job* t, ptrdiff_t at, int layer)
{
    for (int d = 0; d < t->w->dim; d++) {
        ptrdiff_t s = window_stride(t->w, d);
        if (t->layer[at - s] == layer || t->layer[at + s] == layer) return true;
    }
    return false;
}

// n.grad u = 0 upwind, as in extrapolate.c. The first layer goes on changing as the known faces behind it do: 3 u - 3 u' + u'',
// or 2 u - u' where there are only two.
static void make_stencil(ExtendFace* f, const Job* t, ptrdiff_t at, int now)
{
    assert(now >= 1 && t->layer[at] == UNREACHED);
    *f = (ExtendFace){.face = (int32_t)at};
    double here = face_mean(t->phi, t->w, t->axis, at), weight[6], total = 0;
    ptrdiff_t from[6], outward[6];
    int count = 0;
    for (int d = 0; d < t->w->dim; d++)
        for (int side = -1; side <= 1; side += 2) {
            ptrdiff_t s = side*window_stride(t->w, d);
            if (t->layer[at + s] >= now) continue;
            from[count] = at + s, outward[count] = s;
            weight[count] = fmax(here - face_mean(t->phi, t->w, t->axis, at + s), 0);
            total += weight[count++];
        }
    bool plain = !(total > 1e-3*t->w->dx);
    static const double from_behind[3][3] = {{1, 0, 0}, {2, -1, 0}, {3, -3, 1}};
    for (int m = 0; m < count; m++) {
        double part = plain ? 1.0/count : weight[m]/total;
        int known = 1;
        while (now == 1 && known < 3 && t->layer[from[m] + known*outward[m]] == 0) known++;
        if (part == 0 || f->count + known > EXTEND_MOST) continue;
        for (int n = 0; n < known; n++) {
            f->from[f->count] = (int32_t)(from[m] + n*outward[m]);
            f->weight[f->count++] = part*from_behind[known - 1][n];
        }
    }
}

// Lists the faces that are not known and near the surface. Returns their number; list may be NULL.
static int unknown_faces(int32_t* list, const Job* t, const Spans* s, const unsigned char* valid, int layers)
{
    const Window* w = t->w;
    int count = 0, end[3];
    for (int d = 0; d < 3; d++) end[d] = w->n[d] + (d == t->axis);
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        if (j >= end[1] || k >= end[2]) continue;
        SPAN_LOOP(s, r, q)
            for (int i = s->span[q].i0, last = mini(s->span[q].i1, end[0]); i < last; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                t->layer[at] = valid[at] ? 0 : UNREACHED;
                if (valid[at] || !(face_mean(t->phi, w, t->axis, at) < (layers + 1)*w->dx)) continue;
                if (list) list[count] = (int32_t)at;
                count++;
            }
    }
    return count;
}

static mn_status build_axis(Extend* e, Arena* arena, Job* t, const Spans* s, const unsigned char* valid)
{
    int count = unknown_faces(NULL, t, s, valid, e->layers), total = 0;
    int32_t* list = ARENA_NEW(arena, int32_t, count);
    TRY_MEMORY(list);
    TRY_MEMORY(e->first[t->axis] = ARENA_NEW(arena, int, e->layers + 1));
    TRY_MEMORY(e->face[t->axis] = ARENA_NEW(arena, ExtendFace, count));
    unknown_faces(list, t, s, valid, e->layers);
    e->first[t->axis][0] = 0;
    for (int now = 1; now <= e->layers; now++) {
        int start = total;
        for (int m = 0; m < count; m++)
            if (t->layer[list[m]] == UNREACHED && beside(t, list[m], now - 1))
                make_stencil(&e->face[t->axis][total++], t, list[m], now);
        for (int m = start; m < total; m++) t->layer[e->face[t->axis][m].face] = (unsigned char)now;
        e->first[t->axis][now] = total;
    }
    return MN_OK;
}

mn_status extend_build(Extend* e, Arena* arena, unsigned char* const valid[3], const double* phi, const Spans* spans,
                       const Window* w, int layers)
{
    assert(phi && layers >= 0 && layers < UNREACHED && spans_is_valid(spans, w));
    *e = (Extend){.layers = layers};
    unsigned char* layer = ARENA_NEW(arena, unsigned char, w->count);
    TRY_MEMORY(layer);
    for (int axis = 0; axis < w->dim; axis++) {
        memset(layer, UNREACHED, w->count);
        Job t = {.layer = layer + w->origin, .phi = phi, .w = w, .axis = axis};
        TRY(build_axis(e, arena, &t, spans, valid[axis]));
    }
    return MN_OK;
}

void extend_apply(double* const u[3], const Extend* e, const Window* w)
{
    assert(e->first[0] && e->first[w->dim - 1]);
    for (int axis = 0; axis < w->dim; axis++) {
        double* v = u[axis];
        for (int m = 0; m < e->first[axis][e->layers]; m++) {
            const ExtendFace* f = &e->face[axis][m];
            double sum = 0;
            for (int n = 0; n < f->count; n++) sum += f->weight[n]*v[f->from[n]];
            v[f->face] = sum;
        }
    }
}

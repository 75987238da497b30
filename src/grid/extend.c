#include "grid/extend.h"

#include <assert.h>
#include "grid/facelayers.h"

// n.grad u = 0 upwind, as in extrapolate.c. The first layer goes on changing as the known faces behind it do: 3 u - 3 u' + u'',
// or 2 u - u' where there are only two.
static void make_stencil(ExtendFace* f, const FaceLayers* t, ptrdiff_t at, int now)
{
    assert(now >= 1 && t->layer[at] == FACE_UNREACHED);
    *f = (ExtendFace){.face = (int32_t)at};
    double here = face_mean(t->phi, t->w, t->axis, at), weight[6], total = 0;
    ptrdiff_t from[6], outward[6];
    int count = 0;
    for (int d = 0; d < t->w->dim; d++)
        for (int side = -1; side <= 1; side += 2) {
            ptrdiff_t s = side*window_stride(t->w, d);
            if (t->layer[at + s] >= now) continue;
            from[count] = at + s, outward[count] = s;
            weight[count] = facelayers_weight(t, here, at + s);
            total += weight[count++];
        }
    bool plain = !(total > facelayers_flat(t));
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

static mn_status build_axis(Extend* e, Arena* arena, FaceLayers* t, const unsigned char* kind)
{
    int32_t* list;
    int count, total = 0;
    TRY(facelayers_start(&list, &count, arena, t, kind, (e->layers + 1)*t->w->dx));
    TRY_MEMORY(e->first[t->axis] = ARENA_NEW(arena, int, e->layers + 1));
    TRY_MEMORY(e->face[t->axis] = ARENA_NEW(arena, ExtendFace, count));
    e->first[t->axis][0] = 0;
    for (int now = 1; now <= e->layers; now++) {
        int start = total;
        for (int m = 0; m < count; m++)
            if (t->layer[list[m]] == FACE_UNREACHED && facelayers_beside(t, list[m], now - 1))
                make_stencil(&e->face[t->axis][total++], t, list[m], now);
        for (int m = start; m < total; m++) t->layer[e->face[t->axis][m].face] = (unsigned char)now;
        e->first[t->axis][now] = total;
    }
    return MN_OK;
}

mn_status extend_build(Extend* e, Arena* arena, unsigned char* const kind[3], const double* phi, const Spans* spans,
                       const Window* w, int layers)
{
    assert(layers >= 0 && layers < FACE_UNREACHED);
    *e = (Extend){.layers = layers};
    FaceLayers t;
    TRY(facelayers_init(&t, arena, phi, spans, w));
    for (int axis = 0; axis < w->dim; axis++) {
        facelayers_begin(&t, axis);
        TRY(build_axis(e, arena, &t, kind[axis]));
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

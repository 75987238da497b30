// The faces of one velocity component, sorted by how far they are from those whose value is known: layer 0 is known, layer m lies
// beside layer m - 1. What extrapolate.c and extend.c share.
#pragma once
#include <math.h>
#include "base/arena.h"
#include "grid/interpolate.h"
#include "grid/spans.h"

enum { FACE_UNREACHED = 255 };  // layer of the other faces, also of those off the spans

typedef struct FaceLayers {
    unsigned char* layer;
    const double* phi;  // m, nodes
    const Spans* spans;
    const Window* w;
    int axis;    // of the component at hand
    int end[3];  // faces per axis
} FaceLayers;

mn_status facelayers_init(FaceLayers* f, Arena* arena, const double* phi, const Spans* spans, const Window* w);
// From here on the component along `axis`: no face is reached.
void facelayers_begin(FaceLayers* f, int axis);
// Known faces (kind not 0) become layer 0. Lists the others that are nearer to the liquid than `reach` (m), in the order of the
// rows. Arena memory.
mn_status facelayers_start(int32_t** list, int* count, Arena* arena, const FaceLayers* f, const unsigned char* kind,
                           double reach);

// Has row r of the spans faces of this component? They are (0 .. end[0] - 1, j, k).
static inline bool facelayers_row(const FaceLayers* f, int r, int* j, int* k)
{
    *j = r%f->spans->rows_y, *k = r/f->spans->rows_y;
    return *j < f->end[1] && *k < f->end[2];
}

static inline bool facelayers_beside(const FaceLayers* f, ptrdiff_t at, int layer)
{
    for (int d = 0; d < f->w->dim; d++) {
        ptrdiff_t s = window_stride(f->w, d);
        if (f->layer[at - s] == layer || f->layer[at + s] == layer) return true;
    }
    return false;
}

// Weight (m) by which a face, with phi = `here` in its middle, is continued from its neighbour `from`: n.grad u = 0, upwind, so
// the slope of phi towards it. Where the weights of all its neighbours together are not more than facelayers_flat, phi has no
// slope and all count alike.
static inline double facelayers_weight(const FaceLayers* f, double here, ptrdiff_t from)
{
    return fmax(here - face_mean(f->phi, f->w, f->axis, from), 0);
}
static inline double facelayers_flat(const FaceLayers* f) { return 1e-3*f->w->dx; }

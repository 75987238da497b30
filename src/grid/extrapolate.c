#include "grid/extrapolate.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/exchange.h"
#include "grid/interpolate.h"

// A face's layer: 0 = known, then the layer it was reached in, UNREACHED otherwise. Faces off the window read as UNREACHED.
enum { UNREACHED = 255 };

typedef struct Job {
    double* u;             // of the component at hand
    unsigned char* layer;  // of its faces
    const double *phi, *phi_solid;
    const Spans* spans;
    const Window* w;
    int axis;
    int end[3];  // faces per axis
} Job;

static void begin_component(Job* t, double* u, int axis)
{
    assert(u && axis >= 0 && axis < t->w->dim);
    t->u = u, t->axis = axis;
    for (int d = 0; d < 3; d++) t->end[d] = t->w->n[d] + (d == axis);
    memset(t->layer - t->w->origin, UNREACHED, t->w->count);
}

// Past a mirror, layers and values are those of the image: two faces deep, which is what limited_slope reads.
static void mirror_axis(const Job* t, int axis, bool high)
{
    enum { DEEP = 2 };
    const Window* w = t->w;
    ptrdiff_t s = high ? -window_stride(w, axis) : window_stride(w, axis);
    bool across = axis == t->axis;
    int b[3] = {t->end[0], t->end[1], t->end[2]}, first = high ? t->end[axis] - 1 : 0;
    b[axis] = 1;
    for (int k = 0; k < b[2]; k++)
        for (int j = 0; j < b[1]; j++)
            for (int i = 0; i < b[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k) + first*window_stride(w, axis);
                for (int m = 1; m <= DEEP && m < t->end[axis]; m++) {
                    ptrdiff_t image = at + (across ? m : m - 1)*s;  // faces across the mirror lie on it
                    t->layer[at - m*s] = t->layer[image];
                    t->u[at - m*s] = across ? -t->u[image] : t->u[image];
                }
            }
}

static void mirror_ghosts(const Job* t)
{
    for (int side = 0; side < 2*t->w->dim; side++)
        if (t->w->side[side] == SIDE_IS_MIRROR) mirror_axis(t, side/2, side & 1);
}

static bool row_exists(const Job* t, int r, int* j, int* k)
{
    *j = r%t->spans->rows_y, *k = r/t->spans->rows_y;
    return *j < t->end[1] && *k < t->end[2];
}

// Change of u from known face `nb` to the next face outward, from the two known faces behind it: it goes on changing as they did,
// but stays within twice the smaller of the two differences; none where they disagree. With it the surface moves with the
// velocity at the surface; with the copied value of half a cell below, sloshing at 64 cells was 1.4 % slow, and with the smaller
// difference alone the surface lagged by up to (k dx)^2: capillary waves of 32 cells were 0.1 to 0.6 % slow, depending on where
// in its cell the surface lay. Without the limit, splashes pick up noise.
static double limited_slope(const Job* t, ptrdiff_t nb, ptrdiff_t outward)
{
    if (t->layer[nb + outward] != 0 || t->layer[nb + 2*outward] != 0) return 0;
    double near = t->u[nb] - t->u[nb + outward], far = t->u[nb + outward] - t->u[nb + 2*outward];
    if (near*far <= 0) return 0;
    return copysign(clamp(2*fabs(near) - fabs(far), 0, 2*fmin(fabs(near), fabs(far))), near);
}

// Beside solids the value next to it is taken as it is: along a line that goes down a wall faster and faster, what is continued
// would be carried back into the liquid and continued again, a third larger in every step.
static const double BESIDE_SOLID = 2;  // cells

static bool beside_solid(const Job* t, ptrdiff_t at)
{
    return t->phi_solid && face_mean(t->phi_solid, t->w, t->axis, at) < BESIDE_SOLID*t->w->dx;
}

// Value of a face of layer `now` from its neighbours of earlier layers: upwind solution of n.grad u = 0, i.e. the mean of the
// nearer neighbours weighted by the slope of phi towards them; the plain mean where phi has no slope. There must be one.
static double from_neighbours(const Job* t, ptrdiff_t at, int now)
{
    double weights = 0, sum = 0, plain = 0, here = face_mean(t->phi, t->w, t->axis, at);
    int count = 0;
    bool goes_on = now == 1 && !beside_solid(t, at);
    for (int d = 0; d < t->w->dim; d++) {
        ptrdiff_t s = window_stride(t->w, d);
        for (int side = -1; side <= 1; side += 2) {
            ptrdiff_t nb = at + side*s;
            if (t->layer[nb] >= now) continue;
            double weight = fmax(here - face_mean(t->phi, t->w, t->axis, nb), 0);
            weights += weight;
            sum += weight*(t->u[nb] + (goes_on ? limited_slope(t, nb, side*s) : 0));
            plain += t->u[nb];
            count++;
        }
    }
    assert(count > 0);
    return weights > 1e-3*t->w->dx ? sum/weights : plain/count;
}

// Known faces are layer 0; unknown ones start from zero. Counts (list NULL) or lists the faces of a row to be reached.
static int start_row(const Job* t, int32_t* list, const unsigned char* valid, double reach, int r)
{
    int j, k, count = 0;
    if (!row_exists(t, r, &j, &k)) return 0;
    SPAN_LOOP(t->spans, r, q)
        for (int i = t->spans->span[q].i0, last = mini(t->spans->span[q].i1, t->end[0]); i < last; i++) {
            ptrdiff_t at = window_at(t->w, i, j, k);
            t->layer[at] = valid[at] ? 0 : UNREACHED;
            if (valid[at]) continue;
            t->u[at] = 0;
            if (!(face_mean(t->phi, t->w, t->axis, at) < reach)) continue;
            if (list) list[count] = (int32_t)at;
            count++;
        }
    return count;
}

static bool beside_layer(const Job* t, ptrdiff_t at, int layer)
{
    for (int d = 0; d < t->w->dim; d++) {
        ptrdiff_t s = window_stride(t->w, d);
        if (t->layer[at - s] == layer || t->layer[at + s] == layer) return true;
    }
    return false;
}

// Faces just reached stand in the list as ~face: they get their layer, the others stay in the list. Returns how many do.
static int mark_reached(int32_t* list, int count, unsigned char* layer, int now)
{
    int kept = 0;
    for (int q = 0; q < count; q++)
        if (list[q] < 0) layer[~list[q]] = (unsigned char)now;
        else list[kept++] = list[q];
    return kept;
}

static mn_status extrapolate_component(Job* t, Arena* arena, const unsigned char* valid, int layers)
{
    const Spans* s = t->spans;
    double reach = (layers + 2)*t->w->dx;
    int* first = ARENA_NEW(arena, int, s->rows + 1);
    TRY_MEMORY(first);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) first[r + 1] = start_row(t, NULL, valid, reach, r);
    first[0] = 0;
    for (int r = 0; r < s->rows; r++) first[r + 1] += first[r];
    int count = first[s->rows];
    int32_t* list = ARENA_NEW(arena, int32_t, count);
    TRY_MEMORY(list);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) start_row(t, list + first[r], valid, reach, r);
    mirror_ghosts(t);
    for (int now = 1, before = -1; now <= layers && count != before; now++) {
        // values first, from earlier layers alone; marks afterwards, so that the order of faces does not matter
#pragma omp parallel for schedule(static) if (spans_parallel(s))
        for (int q = 0; q < count; q++) {
            ptrdiff_t at = list[q];
            if (!beside_layer(t, at, now - 1)) continue;
            t->u[at] = from_neighbours(t, at, now);
            list[q] = ~list[q];
        }
        before = count;
        count = mark_reached(list, count, t->layer, now);
        mirror_ghosts(t);
    }
    return MN_OK;
}

mn_status extrapolate_velocity(double* const u[3], Arena* arena, unsigned char* const valid[3], const double* phi,
                               const double* phi_solid, const Spans* spans, const Window* w, int layers)
{
    assert(phi && layers >= 0 && layers < UNREACHED && spans_is_valid(spans, w));
    Job t = {.phi = phi, .phi_solid = phi_solid, .spans = spans, .w = w};
    TRY_MEMORY(t.layer = ARENA_NEW(arena, unsigned char, w->count));
    t.layer += w->origin;
    for (int axis = 0; axis < w->dim; axis++) {
        begin_component(&t, u[axis], axis);
        TRY(extrapolate_component(&t, arena, valid[axis], layers));
    }
    faces_exchange(u, w, EVERY_LAYER);
    return MN_OK;
}

// ---- known faces on and past the surface ---------------------------------------------------------------------------------

static void mark_inner_row(const Job* t, const unsigned char* valid, const double* area, int r)
{
    int j, k;
    if (!row_exists(t, r, &j, &k)) return;
    SPAN_LOOP(t->spans, r, q)
        for (int i = t->spans->span[q].i0, last = mini(t->spans->span[q].i1, t->end[0]); i < last; i++) {
            ptrdiff_t at = window_at(t->w, i, j, k);
            t->layer[at] = valid[at] && area[at] > 0.5 ? 0 : UNREACHED;
        }
}

// Only inner faces are read and only outer ones written, so the order of rows does not matter.
static void settle_row(const Job* t, const unsigned char* valid, double rate, int r)
{
    int j, k;
    if (!row_exists(t, r, &j, &k)) return;
    SPAN_LOOP(t->spans, r, q)
        for (int i = t->spans->span[q].i0, last = mini(t->spans->span[q].i1, t->end[0]); i < last; i++) {
            ptrdiff_t at = window_at(t->w, i, j, k);
            if (valid[at] && t->layer[at] != 0 && beside_layer(t, at, 0))
                t->u[at] += rate*(from_neighbours(t, at, 1) - t->u[at]);
        }
}

mn_status extrapolate_settle(double* const u[3], Arena* arena, unsigned char* const valid[3], double* const area[3],
                             const double* phi, const Spans* spans, const Window* w, double rate)
{
    assert(phi && rate >= 0 && rate <= 1 && spans_is_valid(spans, w));
    Job t = {.phi = phi, .spans = spans, .w = w};
    TRY_MEMORY(t.layer = ARENA_NEW(arena, unsigned char, w->count));
    t.layer += w->origin;
    for (int axis = 0; axis < w->dim; axis++) {
        begin_component(&t, u[axis], axis);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
        for (int r = 0; r < spans->rows; r++) mark_inner_row(&t, valid[axis], area[axis], r);
        mirror_ghosts(&t);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
        for (int r = 0; r < spans->rows; r++) settle_row(&t, valid[axis], rate, r);
    }
    return MN_OK;
}

// ---- dry faces of cut cells ----------------------------------------------------------------------------------------------

// What cut cells ask of the dry faces around them; a face between two of them takes the mean.
typedef struct FaceChange {
    double sum;
    int count;
} FaceChange;

// Each face in the direction of the surface takes part by the square of the surface's area along it.
static void balance_cell(FaceChange* const change[3], double* const u[3], unsigned char* const valid[3], const CutCells* cells,
                         const CutCell* c, const Window* w)
{
    double outflow = 0, weight[3] = {0, 0, 0}, weights = 0;
    ptrdiff_t face[3];
    for (int d = 0; d < w->dim; d++) {
        ptrdiff_t high = c->at + window_stride(w, d);
        outflow += u[d][high] - u[d][c->at];
        face[d] = c->patch[d] > 0 ? high : c->at;
        if (!valid[d][face[d]] && !(cells->area[d][face[d]] > 0)) weight[d] = c->patch[d]*c->patch[d];
        weights += weight[d];
    }
    for (int d = 0; d < w->dim; d++) {
        if (!(weight[d] > 0)) continue;
        FaceChange* f = &change[d][face[d]];
        f->sum -= (c->patch[d] > 0 ? 1 : -1)*outflow*weight[d]/weights;
        f->count++;
    }
}

mn_status extrapolate_balance(double* const u[3], Arena* arena, unsigned char* const valid[3], const CutCells* cells,
                              const int* chosen, const Window* w)
{
    assert(cells->index && (chosen || cells->count == 0));
    FaceChange* change[3] = {NULL, NULL, NULL};
    for (int d = 0; d < w->dim; d++) {
        TRY_MEMORY(change[d] = ARENA_ZERO(arena, FaceChange, w->count));
        change[d] += w->origin;
    }
    for (int c = 0; c < cells->count; c++)
        if (chosen[c] >= 0) balance_cell(change, u, valid, cells, &cells->cut[c], w);
    for (int c = 0; c < cells->count; c++)
        for (int d = 0; d < w->dim; d++)
            for (int high = 0; high < 2; high++) {
                ptrdiff_t at = cells->cut[c].at + high*window_stride(w, d);
                FaceChange* f = &change[d][at];
                if (f->count == 0) continue;
                u[d][at] += f->sum/f->count;
                valid[d][at] = 1;
                f->count = 0;
            }
    return MN_OK;
}

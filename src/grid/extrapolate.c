#include "grid/extrapolate.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/exchange.h"
#include "grid/facelayers.h"
#include "grid/past_surface.h"

enum { SLOPE_READS = 2 };  // faces past a mirror that limited_slope looks at

typedef struct Job {
    FaceLayers f;
    double* u;                  // of the component at hand
    const unsigned char* kind;  // the same
    Skins skins;
} Job;

static void begin_component(Job* t, double* u, const unsigned char* kind, int axis)
{
    assert(u && kind);
    t->u = u, t->kind = kind;
    facelayers_begin(&t->f, axis);
}

static void exchange_layers(const Job* t) { marked_faces_exchange(t->u, t->f.layer, t->f.w, t->f.axis, SLOPE_READS); }

// Cells past the surface. Faces beside a cell whose centre is wet are no further out; those that the pressure sets further out
// close cells of layers thinner than half a cell (orphans). Between such a face and the liquid there is too little to tell how
// the velocity goes on changing: in a sheet of 0.2 cells pressed flat (or half of it, on a mirror), with -1 through the top of
// its cells, it was -2 a cell higher; carried down by the flow it was on top in the next step, and the layer sprayed out
// sideways twice as fast.
static const double PAST_LAYER = 0.5;

static bool closes_thin_layer(const Job* t, ptrdiff_t at)
{
    bool is_set = t->kind[at] == FACE_KEPT || t->kind[at] == FACE_SETTLED;
    return is_set && face_mean(t->f.phi, t->f.w, t->f.axis, at) > PAST_LAYER*t->f.w->dx;
}

// Change of u from known face `nb` to the next face outward, from the two known faces behind it: it goes on changing as they did,
// but stays within twice the smaller of the two differences; none where they disagree. With it the surface moves with the
// velocity at the surface; with the copied value of half a cell below, sloshing at 64 cells was 1.4 % slow, and with the smaller
// difference alone the surface lagged by up to (k dx)^2: capillary waves of 32 cells were 0.1 to 0.6 % slow, depending on where
// in its cell the surface lay. Without the limit, splashes pick up noise.
static double limited_slope(const Job* t, ptrdiff_t nb, ptrdiff_t outward)
{
    if (t->f.layer[nb + outward] != 0 || t->f.layer[nb + 2*outward] != 0 || closes_thin_layer(t, nb)) return 0;
    double near = t->u[nb] - t->u[nb + outward], far = t->u[nb + outward] - t->u[nb + 2*outward];
    if (near*far <= 0) return 0;
    return copysign(clamp(2*fabs(near) - fabs(far), 0, 2*fmin(fabs(near), fabs(far))), near);
}

// Is the middle of a face of this axis within NEAR_SOLID cells of a wall of the tank?
static bool is_near_wall(const Window* w, int axis, ptrdiff_t at)
{
    assert(at >= 0);  // no ghost: its place follows from its number
    for (int d = w->dim - 1; d >= 0; d--) {
        ptrdiff_t s = window_stride(w, d);
        double x = (double)(at/s) + (d == axis ? 0 : 0.5);
        if (w->side[2*d] == SIDE_IS_WALL && x < NEAR_SOLID) return true;
        if (w->side[2*d + 1] == SIDE_IS_WALL && w->n[d] - x < NEAR_SOLID) return true;
        at %= s;
    }
    return false;
}

static bool is_near_skin(const Job* t, ptrdiff_t at)
{
    const Window* w = t->f.w;
    if (t->skins.walls && is_near_wall(w, t->f.axis, at)) return true;
    return t->skins.phi_solid && face_mean(t->skins.phi_solid, w, t->f.axis, at) < NEAR_SOLID*w->dx;
}

// Does a face of the first layer go on changing as those behind it do?
static bool goes_on(const Job* t, ptrdiff_t at)
{
    FaceFacts facts = {.near_solid = is_near_skin(t, at)};
    return past_surface_continued(&facts) == FACE_CONTINUED;
}

// Of grad phi along an axis. Past a smooth surface one axis has more: 0.71 in 2D, 0.58 in 3D.
static const double LEAST_OUTWARD = 0.5;

// Does the way from a known face to this one, past the surface, lead along the liquid and not out of it? So it does in a film on
// a wall, thinner than the pressure knows. What goes on changing along a film is carried back by one that flows down and is
// continued again: one of 0.05 cells on its way into a pool went from 8 to 72 m/s, in steps of any length, and took the pool
// along. Faces in the liquid, as those behind skins, go on changing.
static bool is_in_film(const Job* t, ptrdiff_t at, double here)
{
    const FaceLayers* f = &t->f;
    if (!(here > 0)) return false;
    for (int d = 0; d < f->w->dim; d++)
        for (int side = -1; side <= 1; side += 2) {
            ptrdiff_t nb = at + side*window_stride(f->w, d);
            if (f->layer[nb] == 0 && facelayers_weight(f, here, nb) > LEAST_OUTWARD*f->w->dx) return false;
        }
    return true;
}

// Value of a face of layer `now` from its neighbours of earlier layers: upwind solution of n.grad u = 0, i.e. the mean of the
// nearer neighbours weighted by the slope of phi towards them; the plain mean where phi has no slope. There must be one.
static double from_neighbours(const Job* t, ptrdiff_t at, int now)
{
    const FaceLayers* f = &t->f;
    double weights = 0, sum = 0, plain = 0, here = face_mean(f->phi, f->w, f->axis, at);
    int count = 0;
    bool with_slope = now == 1 && goes_on(t, at) && !is_in_film(t, at, here);
    for (int d = 0; d < f->w->dim; d++) {
        ptrdiff_t s = window_stride(f->w, d);
        for (int side = -1; side <= 1; side += 2) {
            ptrdiff_t nb = at + side*s;
            if (f->layer[nb] >= now) continue;
            double weight = facelayers_weight(f, here, nb);
            weights += weight;
            sum += weight*(t->u[nb] + (with_slope ? limited_slope(t, nb, side*s) : 0));
            plain += t->u[nb];
            count++;
        }
    }
    assert(count > 0);
    return weights > facelayers_flat(f) ? sum/weights : plain/count;
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

static void clear_row(const Job* t, const unsigned char* kind, int r)
{
    int j, k;
    if (!facelayers_row(&t->f, r, &j, &k)) return;
    SPAN_LOOP(t->f.spans, r, q)
        for (int i = t->f.spans->span[q].i0, last = mini(t->f.spans->span[q].i1, t->f.end[0]); i < last; i++) {
            ptrdiff_t at = window_at(t->f.w, i, j, k);
            if (!kind[at]) t->u[at] = 0;
        }
}

static mn_status extrapolate_component(Job* t, Arena* arena, const unsigned char* kind, int layers)
{
    const Spans* s = t->f.spans;
    int32_t* list;
    int count;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) clear_row(t, kind, r);
    TRY(facelayers_start(&list, &count, arena, &t->f, kind, (layers + 2)*t->f.w->dx));
    exchange_layers(t);
    for (int now = 1, before = -1; now <= layers && count != before; now++) {
        // values first, from earlier layers alone; marks afterwards, so that the order of faces does not matter
#pragma omp parallel for schedule(static) if (spans_parallel(s))
        for (int q = 0; q < count; q++) {
            ptrdiff_t at = list[q];
            if (!facelayers_beside(&t->f, at, now - 1)) continue;
            t->u[at] = from_neighbours(t, at, now);
            list[q] = ~list[q];
        }
        before = count;
        count = mark_reached(list, count, t->f.layer, now);
        exchange_layers(t);
    }
    return MN_OK;
}

mn_status extrapolate_velocity(double* const u[3], Arena* arena, unsigned char* const kind[3], const double* phi, Skins skins,
                               const Spans* spans, const Window* w, int layers)
{
    assert(layers >= 0 && layers < FACE_UNREACHED);
    Job t = {.skins = skins};
    TRY(facelayers_init(&t.f, arena, phi, spans, w));
    for (int axis = 0; axis < w->dim; axis++) {
        begin_component(&t, u[axis], kind[axis], axis);
        TRY(extrapolate_component(&t, arena, kind[axis], layers));
    }
    faces_exchange(u, w, EVERY_LAYER);
    return MN_OK;
}

// ---- faces that settle ---------------------------------------------------------------------------------------------------

// Settled faces read kept ones only.
static void mark_kept_row(const Job* t, const unsigned char* kind, int r)
{
    int j, k;
    if (!facelayers_row(&t->f, r, &j, &k)) return;
    SPAN_LOOP(t->f.spans, r, q)
        for (int i = t->f.spans->span[q].i0, last = mini(t->f.spans->span[q].i1, t->f.end[0]); i < last; i++) {
            ptrdiff_t at = window_at(t->f.w, i, j, k);
            t->f.layer[at] = kind[at] == FACE_KEPT ? 0 : FACE_UNREACHED;
        }
}

// Only kept faces are read and only settled ones written, so the order of rows does not matter.
static void settle_row(const Job* t, const unsigned char* kind, double part, int r)
{
    int j, k;
    if (!facelayers_row(&t->f, r, &j, &k)) return;
    SPAN_LOOP(t->f.spans, r, q)
        for (int i = t->f.spans->span[q].i0, last = mini(t->f.spans->span[q].i1, t->f.end[0]); i < last; i++) {
            ptrdiff_t at = window_at(t->f.w, i, j, k);
            if (kind[at] == FACE_SETTLED && facelayers_beside(&t->f, at, 0))
                t->u[at] += part*(from_neighbours(t, at, 1) - t->u[at]);
        }
}

mn_status extrapolate_settle(double* const u[3], Arena* arena, unsigned char* const kind[3], const double* phi,
                             const Spans* spans, const Window* w, double part)
{
    assert(part >= 0 && part <= 1);
    Job t = {0};
    TRY(facelayers_init(&t.f, arena, phi, spans, w));
    for (int axis = 0; axis < w->dim; axis++) {
        begin_component(&t, u[axis], kind[axis], axis);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
        for (int r = 0; r < spans->rows; r++) mark_kept_row(&t, kind[axis], r);
        exchange_layers(&t);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
        for (int r = 0; r < spans->rows; r++) settle_row(&t, kind[axis], part, r);
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
static void balance_cell(FaceChange* const change[3], double* const u[3], unsigned char* const kind[3], const CutCells* cells,
                         const CutCell* c, const Window* w)
{
    double outflow = 0, weight[3] = {0, 0, 0}, weights = 0;
    ptrdiff_t face[3];
    for (int d = 0; d < w->dim; d++) {
        ptrdiff_t high = c->at + window_stride(w, d);
        outflow += u[d][high] - u[d][c->at];
        face[d] = c->patch[d] > 0 ? high : c->at;
        FaceFacts facts = {.wet = cells->area[d][face[d]], .is_pressed = true};
        if (!kind[d][face[d]] && past_surface_continued(&facts) == FACE_BALANCED) weight[d] = c->patch[d]*c->patch[d];
        weights += weight[d];
    }
    for (int d = 0; d < w->dim; d++) {
        if (!(weight[d] > 0)) continue;
        FaceChange* f = &change[d][face[d]];
        f->sum -= (c->patch[d] > 0 ? 1 : -1)*outflow*weight[d]/weights;
        f->count++;
    }
}

mn_status extrapolate_balance(double* const u[3], Arena* arena, unsigned char* const kind[3], const CutCells* cells,
                              const int* pressed, const Window* w)
{
    assert(cells->index && (pressed || cells->count == 0));
    FaceChange* change[3] = {NULL, NULL, NULL};
    for (int d = 0; d < w->dim; d++) {
        TRY_MEMORY(change[d] = ARENA_ZERO(arena, FaceChange, w->count));
        change[d] += w->origin;
    }
    // Of a cell that a solid cuts, not all is there to flow through: its whole faces need not balance. Closed by a face half in
    // the solid, the dry faces of a film beside a wetted ball grew by a sixth in every step, however short, to 60 m/s.
    for (int c = 0; c < cells->count; c++)
        if (pressed[c] >= 0 && !(vec_norm(cells->cut[c].solid) > 0)) balance_cell(change, u, kind, cells, &cells->cut[c], w);
    for (int c = 0; c < cells->count; c++)
        for (int d = 0; d < w->dim; d++)
            for (int high = 0; high < 2; high++) {
                ptrdiff_t at = cells->cut[c].at + high*window_stride(w, d);
                FaceChange* f = &change[d][at];
                if (f->count == 0) continue;
                u[d][at] += f->sum/f->count;
                kind[d][at] = FACE_BALANCED;
                f->count = 0;
            }
    return MN_OK;
}

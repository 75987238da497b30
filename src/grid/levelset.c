#include "grid/levelset.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"

// Distance, in cells, from a node to the surface towards its neighbour, where the values f (node) and g (neighbour) have
// opposite signs and `bend` is the second difference: root of f + (g - f) s + bend/2 s (s - 1) [min2007], in the form
// that does not cancel when the bend is slight.
static double crossing(double f, double g, double bend)
{
    assert((f < 0) != (g < 0));
    double b = g - f - 0.5*bend, root = b*b - 2*bend*f;
    double s = root >= 0 ? 2*f/(-b + copysign(sqrt(root), -b)) : -1;
    return s > 0 && s < 1 ? s : f/(f - g);
}

// One-sided derivatives of phi along one axis, m per cell, second-order ENO.
typedef struct OneSided {
    double minus, plus, bend_minus, bend_plus;
} OneSided;

static inline OneSided one_sided(const double* phi, ptrdiff_t s)
{
    double f = phi[0], bend = phi[s] - 2*f + phi[-s];
    OneSided d = {.bend_plus = minmod(bend, phi[2*s] - 2*phi[s] + f),
                  .bend_minus = minmod(bend, f - 2*phi[-s] + phi[-2*s])};
    d.plus = phi[s] - f - 0.5*d.bend_plus;
    d.minus = f - phi[-s] + 0.5*d.bend_minus;
    return d;
}

// Where the surface crosses the axis within a cell, the difference goes to the surface instead of across it; `start` holds the
// values that define the surface. *nearest: distance to the surface along this axis, at most 1.
static inline void meet_surface(OneSided* d, double* nearest, double f, const double* start, ptrdiff_t s)
{
    double f0 = start[0];
    for (int side = -1; side <= 1; side += 2) {
        double g0 = start[side*s];
        if ((f0 < 0) == (g0 < 0)) continue;
        double curve = start[s] - 2*f0 + start[-s];
        double b0 = minmod(curve, start[2*side*s] - 2*g0 + f0);
        double x = max2(crossing(f0, g0, b0), 1e-6);
        double slope = (0 - f)/x - 0.5*x*(side > 0 ? d->bend_plus : d->bend_minus);
        if (side > 0) d->plus = slope;
        else d->minus = -slope;
        *nearest = min2(*nearest, x);
    }
}

// Change of phi, m, in one local pseudo-time step of sign(start)(1 - |grad phi|).
static inline double relax(const double* phi, const double* start, const Window* w, const bool beside, const int dim)
{
    double sum = 0, nearest = 1, sign = start[0] < 0 ? -1 : 1;
    for (int d = 0; d < dim; d++) {
        ptrdiff_t s = window_stride(w, d);
        OneSided slope = one_sided(phi, s);
        if (beside) meet_surface(&slope, &nearest, phi[0], start, s);
        // Godunov: information leaves the surface
        double a = max2(sign*slope.minus, 0), b = min2(sign*slope.plus, 0);
        sum += max2(a*a, b*b);
    }
    return 0.45*nearest*sign*(w->dx - sqrt(sum));
}

// Does an edge of the grid from this node cross the surface? Such nodes alone decide where the surface lies.
static bool beside_surface(const double* start, const Window* w)
{
    bool wet = start[0] < 0, beside = false;
    for (int d = 0; d < w->dim; d++) {
        ptrdiff_t s = window_stride(w, d);
        beside = beside || (start[s] < 0) != wet || (start[-s] < 0) != wet;
    }
    return beside;
}

// Nodes of a row that are in the band or beside it (the band's edge may move into those). Counts them when list is NULL.
static int list_row(int32_t* list, const double* phi, const Spans* s, const Window* w, int r, double band)
{
    ptrdiff_t row = window_at(w, 0, r%s->rows_y, r/s->rows_y);
    int count = 0;
    SPAN_LOOP(s, r, q)
        for (int i = s->span[q].i0; i < s->span[q].i1; i++) {
            const double* f = phi + row + i;
            bool active = levelset_in_band(f[0], band) || levelset_in_band(f[-1], band) || levelset_in_band(f[1], band);
            for (int d = 1; d < w->dim && !active; d++) {
                ptrdiff_t t = window_stride(w, d);
                active = levelset_in_band(f[-t], band) || levelset_in_band(f[t], band);
            }
            if (active && list) list[count] = (int32_t)(row + i);
            count += active;
        }
    return count;
}

static mn_status list_nodes(int32_t** list, int* count, Arena* arena, const double* phi, const Spans* s, const Window* w,
                            double band)
{
    assert(band > 0);
    int* first = ARENA_NEW(arena, int, s->rows + 1);
    TRY_MEMORY(first);
    first[0] = 0;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) first[r + 1] = list_row(NULL, phi, s, w, r, band);
    for (int r = 0; r < s->rows; r++) first[r + 1] += first[r];
    *count = first[s->rows];
    TRY_MEMORY(*list = ARENA_NEW(arena, int32_t, *count));
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) list_row(*list + first[r], phi, s, w, r, band);
    return MN_OK;
}

// ---- distance to the surface of the cubic interpolant --------------------------------------------------------------------

// Nodes this near the surface (cells) are put at their distance to it directly where phi is smooth.
static const double DIRECT_REACH = 3;

// Distance to the surface over |phi| at node `at`: Newton's method for the foot of the perpendicular on the zero set of the cubic
// interpolant [chopp2001]. It starts on the node, where the interpolant has a slope on either side: there it takes their mean.
// False when there is no such foot near.
static inline bool distance_ratio(double* ratio, const double* phi, const Window* w, const double node[3], ptrdiff_t at,
                                  const int dim)
{
    double x[3] = {node[0], node[1], node[2]}, f = phi[at], g[3], square = 0, distance = 0;
    node_gradient_cubic(g, phi, w, dim, at);
    for (int step = 0;; step++) {
        double move = 0, along = 0;
        if (step > 0) f = interpolate_cubic(g, phi, w, dim, x);
        square = vec_dot(g, g);
        if (step == 8 || !(square > 0.2*w->dx*w->dx)) return false;
        for (int d = 0; d < dim; d++) along += (node[d] - x[d])*g[d];
        distance = 0;
        for (int d = 0; d < dim; d++) {
            // onto the surface along the gradient, and along the surface towards the node
            double step_d = node[d] - x[d] - (along + f)/square*g[d];
            x[d] += step_d;
            move += step_d*step_d;
            distance += (x[d] - node[d])*(x[d] - node[d]);
        }
        if (!(distance < 25)) return false;
        if (move < 1e-10) break;
    }
    double cells = fabs(phi[at])/w->dx;
    *ratio = cells > 0.02 ? sqrt(distance)/cells : w->dx/sqrt(square);
    return *ratio > 0.4 && *ratio < 2.5;
}

typedef struct Relaxation {
    const int32_t* list;    // nodes to relax
    unsigned char* kept;    // of each: already at its distance
    unsigned char* beside;  // of each: an edge of the grid crosses the surface there
    int count;
    const double* start;  // the values that define the surface
    const Window* w;
    const Contact* contact;
    WallColumns* columns;
    double band;
    bool hold, parallel;
} Relaxation;

// Ghosts were filled last of `from`, and are about to be of `to`.
static void note_changes(const Relaxation* t, const double* to, const double* from)
{
    for (int q = 0; t->columns && q < t->count; q++)
        if (!(to[t->list[q]] == from[t->list[q]])) wallcolumns_note_change(t->columns, t->list[q]);
}

// to = from + relax(from) (stage 1) or to = (phi + from + relax(from))/2 (stage 2 of Heun's method).
static inline void relax_nodes(double* to, const double* from, const double* phi, const Relaxation* t, const bool second,
                               const int dim)
{
#pragma omp parallel for schedule(static) if (t->parallel)
    for (int q = 0; q < t->count; q++) {
        ptrdiff_t at = t->list[q];
        const double* start = t->start + at;
        double next = from[at];
        if (t->beside[q] && !t->kept[q] && !t->hold) next += relax(from + at, start, t->w, true, dim);
        else if (!t->beside[q] && !t->kept[q]) next += relax(from + at, start, t->w, false, dim);
        if (second) next = 0.5*(phi[at] + next);
        // the surface stays between the same nodes
        to[at] = start[0] < 0 ? clamp(next, -t->band, -1e-12*t->w->dx) : clamp(next, 0, t->band);
    }
    note_changes(t, to, from);
    // the first stage is read by the second alone
    levelset_exchange_again(to, t->w, t->contact, t->columns, second ? EVERY_LAYER : REDISTANCE_READS);
}

static void relax_all(double* to, const double* from, const double* phi, const Relaxation* t, bool second)
{
    if (t->w->dim == 3 && second) relax_nodes(to, from, phi, t, true, 3);
    else if (t->w->dim == 3) relax_nodes(to, from, phi, t, false, 3);
    else relax_nodes(to, from, phi, t, second, 2);
}

// Brings the nodes near the surface closer to their distance by `fraction` of what is missing, and marks them as kept. The change
// is a factor on phi that varies smoothly, so the zero set stays. Each time the interpolant's error (fourth order) is written
// into phi, so less is better for a surface at rest; but a small fraction lets the curvature, which is read off the level sets
// around the surface too, lag behind the surface, and with surface tension waves of 4 to 5 dx then grow (docs/curvature.md).
static inline void set_distances(double* to, const double* phi, const unsigned char* clear, const Relaxation* t, double fraction,
                                 const int dim)
{
    const Window* w = t->w;
#pragma omp parallel for schedule(dynamic, 256) if (t->parallel)
    for (int q = 0; q < t->count; q++) {
        ptrdiff_t at = t->list[q], from_block = at + w->origin;
        t->kept[q] = 0;
        if (!(fabs(phi[at]) < DIRECT_REACH*w->dx) || !clear[at]) continue;
        double node[3] = {(double)(from_block%w->sy - w->ghost), (double)(from_block/w->sy%(w->sz/w->sy) - w->ghost),
                          dim == 3 ? (double)(from_block/w->sz - w->ghost) : 0},
               ratio;
        if (!distance_ratio(&ratio, phi, w, node, at, dim)) continue;
        to[at] = clamp(phi[at]*(1 + fraction*(ratio - 1)), -t->band, t->band);
        t->kept[q] = 1;
    }
    note_changes(t, to, phi);
    levelset_exchange_again(to, w, t->contact, t->columns, EVERY_LAYER);
}

static mn_status redistance(double* phi, Arena* arena, const Spans* spans, const Window* w, double band, int sweeps, bool hold,
                            bool direct, const Contact* contact)
{
    assert(phi && band > 0 && sweeps > 0 && spans_is_valid(spans, w));
    assert(REDISTANCE_READS <= w->ghost);
    WallColumns* columns;
    TRY(wallcolumns_new(&columns, arena, w, contact));
    levelset_exchange_again(phi, w, contact, columns, direct ? REDISTANCE_DIRECT_READS : REDISTANCE_READS);
    double* start = window_copy(arena, phi, w);
    double* stage = window_copy(arena, phi, w);
    double* next = window_copy(arena, phi, w);
    TRY_MEMORY(start);
    TRY_MEMORY(stage);
    TRY_MEMORY(next);
    Relaxation t = {.start = start,
                    .w = w,
                    .band = band,
                    .contact = contact,
                    .columns = columns,
                    .hold = hold,
                    .parallel = spans_parallel(spans)};
    int32_t* list;
    TRY(list_nodes(&list, &t.count, arena, phi, spans, w, band));
    t.list = list;
    TRY_MEMORY(t.kept = ARENA_ZERO(arena, unsigned char, t.count));
    if (direct) {
        double fraction = min2(0.35*sweeps, 1);
        unsigned char* clear;
        TRY(levelset_clear(&clear, arena, start, spans, w));
        if (w->dim == 3) set_distances(phi, start, clear, &t, fraction, 3);
        else set_distances(phi, start, clear, &t, fraction, 2);
        window_copy_to(start, phi, w);
    }
    TRY_MEMORY(t.beside = ARENA_NEW(arena, unsigned char, t.count));
#pragma omp parallel for schedule(static) if (t.parallel)
    for (int q = 0; q < t.count; q++) t.beside[q] = beside_surface(start + list[q], w);
    double* now = phi;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        relax_all(stage, now, now, &t, false);
        relax_all(next, stage, now, &t, true);
        double* swap = now;
        now = next, next = swap;
    }
    assert(spans_field_is_finite(spans, now, w));
    if (now != phi) window_copy_to(phi, now, w);
    return MN_OK;
}

mn_status levelset_redistance(double* phi, Arena* arena, const Spans* spans, const Window* w, double band, int sweeps, bool hold)
{
    return redistance(phi, arena, spans, w, band, sweeps, hold, false, NULL);
}

mn_status levelset_redistance_direct(double* phi, Arena* arena, const Spans* spans, const Window* w, double band, int sweeps,
                                     const Contact* contact)
{
    return redistance(phi, arena, spans, w, band, sweeps, false, true, contact);
}

double levelset_slope_error(const double* phi, const Spans* spans, const Window* w)
{
    double worst = 0;
    for (int r = 0; r < spans->rows; r++)
        SPAN_LOOP(spans, r, q)
            for (int i = spans->span[q].i0; i < spans->span[q].i1; i++) {
                ptrdiff_t at = window_at(w, i, r%spans->rows_y, r/spans->rows_y);
                if (fabs(phi[at]) > w->dx) continue;
                double g[3];
                node_gradient(g, phi, w, at);
                worst = max2(worst, fabs(vec_norm(g)/w->dx - 1));
            }
    return worst;
}

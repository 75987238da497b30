#include "grid/advect.h"

#include <assert.h>
#include <math.h>
#include "base/global.h"
#include "grid/interpolate.h"
#include "grid/levelset.h"

// A step moves nothing farther than this (cells); traces that go farther come from velocities past the surface that mean nothing.
static const double MOST_CELLS = 3;

#ifndef NDEBUG
// Positions are clamped one cell outside the window (interpolate.h). That is meant for the sides of the tank; elsewhere windows
// reach so far past the band that no trace gets there. (A velocity that is no number is the world's mistake, not ours.)
static bool clamped_at_tank_only(const double x[3], const Window* w, const int dim)
{
    for (int d = 0; d < dim; d++) {
        bool low = w->side[2*d] == SIDE_INSIDE && x[d] < -1, high = w->side[2*d + 1] == SIDE_INSIDE && x[d] > w->n[d] + 1;
        if (low || high) return false;
    }
    return true;
}
#endif

// Where the liquid that is at x (cells), moving with v, at the end of a step was at its start; `cells` = dt/dx, negative to
// look ahead. Midpoint rule.
static inline void trace_rk2(double out[3], double* const u[3], const Window* w, const int dim, const double x[3],
                             const double v[3], double cells)
{
    double mid[3], k[3];
    for (int d = 0; d < 3; d++) mid[d] = x[d] - 0.5*cells*v[d];
    face_velocity_dim(k, u, w, dim, mid);
    for (int d = 0; d < 3; d++) out[d] = x[d] - cells*k[d];
    assert(clamped_at_tank_only(out, w, dim));
}

// Ralston's third-order rule: k1 at x, k2 at 1/2, k3 at 3/4; x - h (2 k1 + 3 k2 + 4 k3)/9.
static inline void trace_rk3(double out[3], double* const u[3], const Window* w, const int dim, const double x[3],
                             const double k1[3], double cells)
{
    double k2[3], k3[3], y[3];
    for (int d = 0; d < 3; d++) y[d] = x[d] - 0.5*cells*k1[d];
    face_velocity_dim(k2, u, w, dim, y);
    for (int d = 0; d < 3; d++) y[d] = x[d] - 0.75*cells*k2[d];
    face_velocity_dim(k3, u, w, dim, y);
    for (int d = 0; d < 3; d++) out[d] = x[d] - cells*(2*k1[d] + 3*k2[d] + 4*k3[d])/9;
    assert(clamped_at_tank_only(out, w, dim));
}

// MacCormack [selle2008]: f1 = back(f), f0 = forward(f1); half the round trip's error is taken off, and where that
// leaves the range of the values the first trace read, f1 stays.
static double correct(double f1, double f, double f0, double low, double high)
{
    double better = f1 + 0.5*(f - f0);
    return better < low || better > high ? f1 : better;
}

// ---- level set -----------------------------------------------------------------------------------------------------------

typedef struct LevelTask {
    const double *phi, *first;  // values before the step; after the first trace
    double* out;
    double* const* u;
    const Spans* spans;
    const Window* w;
    double band, cells;
    int farthest;                 // nodes per axis that a trace may go, and one for the cell that is read where it ends
    const unsigned char* clear;   // nodes with smooth phi around (levelset_clear); NULL: no cubics
    const unsigned char* middle;  // nodes in the middle of a sheet (levelset_middles); goes with clear
} LevelTask;

static int farthest_trace(double* const u[3], const Spans* s, const Window* w, double cells)
{
    assert(cells > 0);
    double fastest = 0;
#pragma omp parallel for schedule(static) reduction(max : fastest) if (spans_parallel(s))
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(w, 0, r%s->rows_y, r/s->rows_y);
        for (int d = 0; d < w->dim; d++)
            SPAN_LOOP(s, r, q)
                for (int i = s->span[q].i0; i < s->span[q].i1; i++) fastest = max2(fastest, fabs(u[d][row + i]));
    }
    return (int)min2(cells*global_max(fastest), MOST_CELLS) + 1;
}

static bool in_band(const LevelTask* t, double phi) { return levelset_in_band(phi, t->band); }

// The band moves with the surface: a node beside it, whose value is clamped, may lie in it at the end of the step. Told by the
// nodes as far away as a trace may go along all axes at once: where the band is flat over that length, the one in the direction
// of the surface is in it if any node so near is. (With nodes in the band alone, what lies in front of a surface faster than a
// cell per step stays clamped, and soon the surface runs into it: a disc of 7 cells came to be 4 cells too short in 16 steps.)
static inline bool may_be_in_band(const LevelTask* t, const int node[3], ptrdiff_t at, const int dim)
{
    assert(t->farthest >= 1);
    if (in_band(t, t->phi[at])) return true;
    ptrdiff_t low[3], high[3];
    for (int d = 0; d < dim; d++) {
        ptrdiff_t s = window_stride(t->w, d);
        low[d] = -s*mini(t->farthest, node[d]), high[d] = s*mini(t->farthest, t->w->n[d] - node[d]);
    }
    for (int c = 0; c < 1 << dim; c++) {
        ptrdiff_t away = 0;
        for (int d = 0; d < dim; d++) away += c >> d & 1 ? high[d] : low[d];
        if (in_band(t, t->phi[at + away])) return true;
    }
    return false;
}

// Past some sides of the tank there is air: behind a wall that lets go, and past an open side.
static inline bool lets_air_in(Side side) { return side == SIDE_IS_WALL || side == SIDE_IS_OPEN; }

// Air comes in where liquid moves away by more than this (cells per step): less is rounding in a velocity that is none.
static const double LEAST_PAST = 1e-6;

// phi (m) of air that a trace ending at y comes from: it started past such a side, and the velocity where it crosses the side
// points away from it. Further from the liquid the deeper; where the liquid reaches an open side its surface is the side itself,
// while walls hold on to what is wet. NaN: it started in the tank, or past a wall without velocity; what a long step overshoots
// such walls by is their ghosts' business.
static inline double air_past_side(const double y[3], const LevelTask* t, const int dim)
{
    double past = 0, foot[3] = {y[0], y[1], y[2]};
    bool open = false;
    for (int d = 0; d < dim; d++) {
        double side = clamp(y[d], 0, t->w->n[d]), beyond = y[d] - side;
        Side kind = t->w->side[2*d + (beyond > 0)];
        if (!(fabs(beyond) > LEAST_PAST) || !lets_air_in(kind)) continue;
        foot[d] = side;
        if (!(beyond*face_value(t->u[d], t->w, d, foot) < 0)) foot[d] = y[d];
        else past += fabs(beyond), open = open || kind == SIDE_IS_OPEN;
    }
    if (!(past > 0)) return NAN;
    double phi = interpolate_dim(t->phi, t->w, dim, foot[0], foot[1], foot[2]);
    return min2((open ? max2(phi, 0) : phi) + past*t->w->dx, t->band);
}

// Can a trace from this node have crossed a side of the tank past which there may be air?
static inline bool near_side(const LevelTask* t, const int node[3], const int dim)
{
    double reach = 4;  // cells: cfl is at most 3
    for (int d = 0; d < dim; d++)
        if ((lets_air_in(t->w->side[2*d]) && node[d] < reach) ||
            (lets_air_in(t->w->side[2*d + 1]) && node[d] > t->w->n[d] - reach))
            return true;
    return false;
}

static inline void level_first_row(const LevelTask* t, int r, const int dim)
{
    int j = r%t->spans->rows_y, k = r/t->spans->rows_y;
    SPAN_LOOP(t->spans, r, q)
        for (int i = t->spans->span[q].i0; i < t->spans->span[q].i1; i++) {
            ptrdiff_t at = window_at(t->w, i, j, k);
            if (!may_be_in_band(t, (int[3]){i, j, k}, at, dim)) continue;
            double x[3] = {i, j, k}, v[3], y[3];
            velocity_on_node(v, t->u, t->w, dim, at);
            trace_rk3(y, t->u, t->w, dim, x, v, t->cells);
            double air = air_past_side(y, t, dim);
            t->out[at] = isnan(air) ? interpolate_dim(t->phi, t->w, dim, y[0], y[1], y[2]) : air;
        }
}

// Where the trace of a node ends, with what linear reading takes from a wave put back; what it takes varies little over a trace.
static inline void trace_smooth(double out[3], const LevelTask* t, const double x[3], const double linear[3], ptrdiff_t at,
                                const int dim)
{
    double v[3];
    velocity_on_node_cubic(v, t->u, t->w, dim, at);
    trace_rk3(out, t->u, t->w, dim, x, linear, t->cells);
    for (int d = 0; d < dim; d++) out[d] -= t->cells*(v[d] - linear[d]);
}

// Is phi smooth around the node nearest to x, where a trace from a node ends?
static inline bool ends_clear(const LevelTask* t, const int node[3], const double x[3], const int dim)
{
    ptrdiff_t at = 0;
    for (int d = 0; d < dim; d++) at += window_stride(t->w, d)*clampi(nearest_point(node[d], x[d]), 0, t->w->n[d]);
    return in_band(t, t->phi[at]) && t->clear[at];
}

// Does a trace from a node end within two nodes of the middle of a sheet?
static inline bool ends_in_sheet(const LevelTask* t, const int from[3], const double x[3], const int dim)
{
    ptrdiff_t lo[3] = {0}, hi[3] = {0}, at = 0;
    for (int d = 0; d < dim; d++) {
        int node = clampi(nearest_point(from[d], x[d]), 0, t->w->n[d]);
        at += window_stride(t->w, d)*node;
        lo[d] = maxi(-2, -node), hi[d] = mini(2, t->w->n[d] - node);
    }
    for (ptrdiff_t c = lo[2]; c <= hi[2]; c++)
        for (ptrdiff_t b = lo[1]; b <= hi[1]; b++)
            for (ptrdiff_t a = lo[0]; a <= hi[0]; a++)
                if (t->middle[at + a + b*t->w->sy + c*t->w->sz]) return true;
    return false;
}

// MacCormack's correction needs distances around both ends of its traces: behind, around the value that the node gets; ahead,
// around the one it had, which has moved there. The corners of a cell are up to sqrt(3) cells apart; a little more keeps off the
// rough edge of the band.
static inline bool is_inner(const LevelTask* t, ptrdiff_t at)
{
    double most = t->band - 2.5*t->w->dx;
    return fabs(t->first[at]) < most && fabs(t->phi[at]) < most;
}

static inline void level_second_row(const LevelTask* t, int r, const int dim)
{
    int j = r%t->spans->rows_y, k = r/t->spans->rows_y;
    SPAN_LOOP(t->spans, r, q)
        for (int i = t->spans->span[q].i0; i < t->spans->span[q].i1; i++) {
            ptrdiff_t at = window_at(t->w, i, j, k);
            bool inner = is_inner(t, at);
            if (!inner && !(t->clear && in_band(t, t->first[at]))) continue;
            double x[3] = {i, j, k}, v[3], back[3], ahead[3], low, high;
            velocity_on_node(v, t->u, t->w, dim, at);
            if (near_side(t, (int[3]){i, j, k}, dim)) {
                trace_rk3(back, t->u, t->w, dim, x, v, t->cells);
                if (!isnan(air_past_side(back, t, dim))) continue;
            }
            if (t->clear) {
                trace_smooth(back, t, x, v, at, dim);
                if (ends_clear(t, (int[3]){i, j, k}, back, dim)) {
                    t->out[at] = clamp(interpolate_cubic(NULL, t->phi, t->w, dim, back), -t->band, t->band);
                    continue;
                }
            }
            if (!inner) continue;
            trace_rk3(back, t->u, t->w, dim, x, v, t->cells);
            if (t->clear && ends_in_sheet(t, (int[3]){i, j, k}, back, dim)) {
                t->out[at] = clamp(interpolate_edged(t->phi, t->w, dim, back), -t->band, t->band);
                continue;
            }
            trace_rk3(ahead, t->u, t->w, dim, x, v, -t->cells);
            interpolate_range(&low, &high, t->phi, t->w, dim, back[0], back[1], back[2]);
            double f0 = interpolate_dim(t->first, t->w, dim, ahead[0], ahead[1], ahead[2]);
            t->out[at] = correct(t->first[at], t->phi[at], f0, low, high);
        }
}

mn_status advect_levelset(double* phi, Arena* arena, double* const u[3], const Spans* spans, const Window* w, double band,
                          double dt, Advection scheme)
{
    levelset_exchange(phi, w, NULL, ADVECT_READS(MOST_CELLS));
    return advect_levelset_contact(phi, arena, u, spans, w, band, dt, scheme, NULL, NULL);
}

mn_status advect_levelset_contact(double* phi, Arena* arena, double* const u[3], const Spans* spans, const Window* w, double band,
                                  double dt, Advection scheme, const Contact* contact, const double* solid)
{
    assert(phi && band > 0 && dt > 0 && scheme != ADVECT_AUTO && spans_is_valid(spans, w));
    double* old = window_copy(arena, phi, w);
    TRY_MEMORY(old);
    LevelTask t = {.phi = old, .out = phi, .u = u, .spans = spans, .w = w, .band = band, .cells = dt/w->dx};
    t.farthest = farthest_trace(u, spans, w, t.cells);
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++)
        if (w->dim == 3) level_first_row(&t, r, 3);
        else level_first_row(&t, r, 2);
    bool ends = scheme == ADVECT_SEMILAGRANGIAN;
    levelset_exchange(phi, w, contact, ends ? EVERY_LAYER : ADVECT_FIRST_READS(MOST_CELLS));
    if (ends) return MN_OK;
    double* first = window_copy(arena, phi, w);
    TRY_MEMORY(first);
    t.first = first;
    unsigned char *clear = NULL, *middle = NULL;
    if (scheme == ADVECT_CUBIC) {
        TRY(levelset_clear(&clear, arena, old, spans, w));
        TRY(levelset_middles(&middle, arena, old, solid, spans, w));
    }
    t.clear = clear, t.middle = middle;
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++)
        if (w->dim == 3) level_second_row(&t, r, 3);
        else level_second_row(&t, r, 2);
    levelset_exchange(phi, w, contact, EVERY_LAYER);
    return MN_OK;
}

// ---- velocity ------------------------------------------------------------------------------------------------------------

// Smallest and largest of the values a first trace read, kept for the second pass; rounded outwards to single precision.
typedef struct ValueRange {
    float low, high;
} ValueRange;

typedef struct FaceTask {
    double* const* u;  // before the step
    double* const* carrier;
    double* first[3];      // after the first trace
    ValueRange* range[3];  // NULL: not wanted
    double* const* out;
    const double* phi;
    const Spans* spans;
    const Window* w;
    double reach, cells;
} FaceTask;

static inline ValueRange range_of(double low, double high)
{
    const float wider = 1.2e-7f;
    float a = (float)low, b = (float)high;
    return (ValueRange){a - wider*fabsf(a), b + wider*fabsf(b)};
}

// u of one face after a trace back from (i,j,k); then, looking ahead, MacCormack's correction.
static inline void face_first(const FaceTask* t, const double x[3], const double v[3], ptrdiff_t at, const int axis,
                              const int dim)
{
    double back[3], from[3], low, high;
    trace_rk2(back, t->carrier, t->w, dim, x, v, t->cells);
    among_faces(from, t->w, axis, back);
    t->first[axis][at] = interpolate_range(&low, &high, t->u[axis], t->w, dim, from[0], from[1], from[2]);
    if (t->range[axis]) t->range[axis][at] = range_of(low, high);
}

static inline void face_second(const FaceTask* t, const double x[3], const double v[3], ptrdiff_t at, const int axis,
                               const int dim)
{
    assert(t->range[axis]);
    double ahead[3], to[3];
    trace_rk2(ahead, t->carrier, t->w, dim, x, v, -t->cells);
    among_faces(to, t->w, axis, ahead);
    double f0 = interpolate_dim(t->first[axis], t->w, dim, to[0], to[1], to[2]);
    ValueRange range = t->range[axis][at];
    t->out[axis][at] = correct(t->first[axis][at], t->u[axis][at], f0, (double)range.low, (double)range.high);
}

static inline void face_row(const FaceTask* t, int r, const int axis, const bool second, const int dim)
{
    const Window* w = t->w;
    int j = r%t->spans->rows_y, k = r/t->spans->rows_y;
    if ((axis != 1 && j >= w->n[1]) || (w->dim == 3 && axis != 2 && k >= w->n[2])) return;
    int end = axis == 0 ? w->n[0] + 1 : w->n[0];
    SPAN_LOOP(t->spans, r, q)
        for (int i = t->spans->span[q].i0, last = mini(t->spans->span[q].i1, end); i < last; i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            if (!(face_mean(t->phi, w, axis, at) < t->reach)) continue;
            double x[3] = {i + (axis != 0)*0.5, j + (axis != 1)*0.5, k + (axis != 2)*0.5}, v[3];
            velocity_on_face(v, t->carrier, w, dim, axis, at);
            if (second) face_second(t, x, v, at, axis, dim);
            else face_first(t, x, v, at, axis, dim);
        }
}

static void run_faces(const FaceTask* t, const bool second)
{
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(t->spans))
    for (int r = 0; r < t->spans->rows; r++) {
        if (t->w->dim == 2) {
            face_row(t, r, 0, second, 2);
            face_row(t, r, 1, second, 2);
        } else {
            face_row(t, r, 0, second, 3);
            face_row(t, r, 1, second, 3);
            face_row(t, r, 2, second, 3);
        }
    }
}

mn_status advect_velocity(double* const u[3], Arena* arena, const double* phi, const Spans* spans, const Window* w, double reach,
                          double dt, Advection scheme)
{
    return advect_velocity_by(u, arena, NULL, phi, spans, w, reach, dt, scheme);
}

mn_status advect_velocity_by(double* const u[3], Arena* arena, double* const carrier[3], const double* phi, const Spans* spans,
                             const Window* w, double reach, double dt, Advection scheme)
{
    assert(phi && dt > 0 && scheme != ADVECT_AUTO && spans_is_valid(spans, w));
    assert(!carrier || carrier[0] != u[0]);
    FaceTask t = {.phi = phi, .spans = spans, .w = w, .reach = reach, .cells = dt/w->dx};
    double* old[3] = {NULL, NULL, NULL};
    for (int d = 0; d < w->dim; d++) {
        TRY_MEMORY(old[d] = window_copy(arena, u[d], w));
        TRY_MEMORY(t.first[d] = window_copy(arena, u[d], w));
        if (scheme == ADVECT_SEMILAGRANGIAN) continue;
        TRY_MEMORY(t.range[d] = ARENA_NEW(arena, ValueRange, w->count));
        t.range[d] += w->origin;
    }
    t.u = old;
    t.carrier = carrier ? carrier : old;
    run_faces(&t, false);
    faces_exchange(t.first, w, scheme == ADVECT_SEMILAGRANGIAN ? EVERY_LAYER : ADVECT_FIRST_READS(MOST_CELLS));
    if (scheme == ADVECT_SEMILAGRANGIAN) {
        for (int d = 0; d < w->dim; d++) window_copy_to(u[d], t.first[d], w);
        return MN_OK;
    }
    t.out = u;
    run_faces(&t, true);
    faces_exchange(u, w, EVERY_LAYER);
    return MN_OK;
}

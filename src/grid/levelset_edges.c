// Where phi has edges: clear of them, and in the middle of sheets.
#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"
#include "grid/levelset.h"

// An edge of phi shows in its second differences, per cell: 1/r on a smooth surface, r cells from its centre of curvature, up to
// 2 across the middle of a sheet.
static inline double sharpest_bend(const double* phi, const Window* w, const int dim)
{
    double bend = 0;
    for (int d = 0; d < dim; d++) {
        ptrdiff_t s = window_stride(w, d);
        bend = max2(bend, fabs(phi[s] - 2*phi[0] + phi[-s]));
    }
    return bend/w->dx;
}

// Beyond SHARP it is an edge; beyond BENT it may be the middle of a small drop.
static const double SHARP = 1, BENT = 0.4;

static const double CLEAR_REACH = 3.5;  // cells

// In the middle of a small drop phi comes to a point, which nodes at its surface need not know of: where they did, a ball of R =
// 5 dx at rest lost 1e-3 of its volume in every step. So bends that are not sharp harm only nodes that lie at most this much less
// deep (cells).
static const double BENT_REACH = 1.5;

// Depths |phi| of nodes with an edge, in 32nds of a cell.
enum { DEPTHS_PER_CELL = 32, NO_EDGE = 255 };

static inline int depth_of(double phi, const Window* w) { return (int)(DEPTHS_PER_CELL*fabs(phi)/w->dx); }

// A sharp edge counts as if it lay at the surface. phi that is clamped at the sides of the band does not count.
static inline unsigned char edge_depth(const double* phi, const Window* w, const int dim)
{
    if (!(fabs(*phi) < (CLEAR_REACH + 0.5)*w->dx)) return NO_EDGE;
    double bend = sharpest_bend(phi, w, dim);
    assert(depth_of(*phi, w) < NO_EDGE);
    return bend > SHARP ? 0 : bend > BENT ? (unsigned char)depth_of(*phi, w) : NO_EDGE;
}

// Depth of the least deep edge within two nodes of a node.
static inline int nearest_edge(const unsigned char* edge, const Window* w, int i, int j, int k, const int dim)
{
    int lo[3], hi[3], at[3] = {i, j, k}, least = NO_EDGE;
    for (int d = 0; d < 3; d++) {
        lo[d] = d < dim ? maxi(-2, -at[d]) : 0;
        hi[d] = d < dim ? mini(2, w->n[d] - at[d]) : 0;
    }
    const unsigned char* here = edge + window_at(w, i, j, k);
    for (int c = lo[2]; c <= hi[2]; c++)
        for (int b = lo[1]; b <= hi[1]; b++)
            for (int a = lo[0]; a <= hi[0]; a++) least = mini(least, here[window_at(w, a, b, c)]);
    return least;
}

static inline bool is_clear(const unsigned char* edge, double phi, const Window* w, int i, int j, int k, const int dim)
{
    if (!(fabs(phi) < CLEAR_REACH*w->dx)) return false;
    int least = nearest_edge(edge, w, i, j, k, dim);
    return least == NO_EDGE || least >= depth_of(phi, w) + (int)(DEPTHS_PER_CELL*BENT_REACH);
}

static inline void clear_row(unsigned char* clear, unsigned char* edge, const double* phi, const Spans* s, const Window* w, int r,
                             const bool second, const int dim)
{
    int j = r%s->rows_y, k = r/s->rows_y;
    SPAN_LOOP(s, r, q)
        for (int i = s->span[q].i0; i < s->span[q].i1; i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            if (second) clear[at] = is_clear(edge, phi[at], w, i, j, k, dim);
            else edge[at] = edge_depth(phi + at, w, dim);
        }
}

mn_status levelset_clear(unsigned char** clear, Arena* arena, const double* phi, const Spans* spans, const Window* w)
{
    assert(phi && spans_is_valid(spans, w));
    unsigned char* edge = ARENA_NEW(arena, unsigned char, w->count);
    TRY_MEMORY(edge);
    TRY_MEMORY(*clear = ARENA_NEW(arena, unsigned char, w->count));
    *clear += w->origin, edge += w->origin;
    for (int second = 0; second < 2; second++) {
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
        for (int r = 0; r < spans->rows; r++)
            if (w->dim == 3) clear_row(*clear, edge, phi, spans, w, r, second == 1, 3);
            else clear_row(*clear, edge, phi, spans, w, r, second == 1, 2);
    }
    return MN_OK;
}

// Largest slope of a distance, by central differences, in the middle of a sheet: 0.5 where that lies halfway between two nodes.
// Along the edge of a right angle it is 0.7.
static const double MIDDLE_SLOPE = 0.6;

// Second differences of phi at a node, mixed ones included (m).
static inline void node_bends(double h[3][3], const double* phi, const Window* w, const int dim)
{
    for (int d = 0; d < dim; d++) {
        ptrdiff_t s = window_stride(w, d);
        h[d][d] = (phi[s] + phi[-s]) - 2*phi[0];
        for (int e = 0; e < d; e++) {
            ptrdiff_t t = window_stride(w, e);
            h[d][e] = h[e][d] = 0.25*((phi[s + t] + phi[-s - t]) - (phi[s - t] + phi[t - s]));
        }
    }
}

// The second largest of a symmetric matrix's eigenvalues over the largest, by size, not by sign. From the angle whose cosine is
// half the determinant of what is left of the matrix without its mean, scaled [smith1961].
static double second_of_largest(const double h[3][3])
{
    double mean = (h[0][0] + h[1][1] + h[2][2])/3, a = h[0][0] - mean, b = h[1][1] - mean, c = h[2][2] - mean;
    double p = h[0][1]*h[0][1], q = h[0][2]*h[0][2], r = h[1][2]*h[1][2];
    double spread = sqrt((a*a + b*b + c*c + 2*(p + q + r))/6);
    double det = a*b*c + 2*h[0][1]*h[0][2]*h[1][2] - a*r - b*q - c*p;
    double angle = spread > 0 ? acos(clamp(0.5*det/(spread*spread*spread), -1, 1))/3 : 0;
    double one = fabs(mean + 2*spread*cos(angle)), two = fabs(mean + 2*spread*cos(angle + 2*PI/3)),
           three = fabs(mean + 2*spread*cos(angle - 2*PI/3));
    double most = max2(one, max2(two, three)), middle = max2(min2(one, two), min2(max2(one, two), three));
    return most > 0 ? middle/most : 0;
}

// A sheet is bent across its middle and nowhere else: the second largest principal bend of its distance over the largest, as
// differences find it, is at most 0.40 there, and 0.698 along its rim. On the axis of a thread and in the middle of a drop, where
// phi comes to a point, it is at least 0.701 (all of nodes that are bent and have no slope, over all angles and places between
// the nodes).
static const double BENT_ACROSS = 0.7;

static inline bool is_middle(const double* phi, const Window* w, const int dim)
{
    if (!(fabs(*phi) < CLEAR_REACH*w->dx) || !(sharpest_bend(phi, w, dim) > BENT)) return false;
    double g[3];
    node_gradient(g, phi, w, 0);
    if (!(vec_dot(g, g) < MIDDLE_SLOPE*MIDDLE_SLOPE*w->dx*w->dx)) return false;
    double bends[3][3] = {{0}};
    node_bends(bends, phi, w, dim);
    return second_of_largest(bends) < BENT_ACROSS;
}

mn_status levelset_middles(unsigned char** middle, Arena* arena, const double* phi, const double* solid, const Spans* spans,
                           const Window* w)
{
    assert(phi && spans_is_valid(spans, w));
    TRY_MEMORY(*middle = ARENA_ZERO(arena, unsigned char, w->count));
    *middle += w->origin;
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++) {
        ptrdiff_t row = window_at(w, 0, r%spans->rows_y, r/spans->rows_y);
        SPAN_LOOP(spans, r, q)
            for (ptrdiff_t at = row + spans->span[q].i0; at < row + spans->span[q].i1; at++)
                if (!solid || solid[at] > 0) (*middle)[at] = w->dim == 3 ? is_middle(phi + at, w, 3) : is_middle(phi + at, w, 2);
    }
    return MN_OK;
}

#include "liquid/backing.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/exchange.h"
#include "grid/interpolate.h"

// Nodes this many steps through open space from the liquid are on its side of a wall. Steps go along the axes: the band ends
// nearer, also across the diagonal.
enum { SAME_SIDE = 12 };
// Around the rim of a wall that side and the dry one meet. So many steps between them stay as they are: nothing of the liquid's
// side may read what is filled.
enum { APART = 3 };
// Walls up to this thick (cells) are backed, and so far out on their dry side.
static const double THIN = 6, BEHIND = 5;
static const double OUTSIDE = 0.75;  // cells off the skin: where the other side of a wall is asked for liquid
// Open nodes so near to a skin tell which side is behind it: one of the cell around a point OUTSIDE of it is no further off, half
// a diagonal, sqrt(3)/2, more.
static const double AT_SKIN = 1.75;

// Which side of the walls a node belongs to: an open one that of the liquid if it is near it through open space, a solid one
// that of its nearest open node. OPEN and SOLID nodes have no side yet.
enum { PAST_SPANS, OPEN, SOLID, WET_SIDE, BETWEEN, DRY_SIDE };

typedef struct Backing {
    double* backed;
    const double* phi_s;
    const unsigned char* near;  // open nodes that are SAME_SIDE steps or less from the liquid
    unsigned char* side;
    const Window* w;
    int32_t* queue;
    long count;
} Backing;

static void enqueue(Backing* b, ptrdiff_t at, int side)
{
    assert(b->side[at] == OPEN || b->side[at] == SOLID);  // no node twice: the queue has room for each once
    b->side[at] = (unsigned char)side, b->queue[b->count++] = (int32_t)at;
}

// One more layer of OPEN or of SOLID nodes around those of the queue from `first` on; returns where that layer begins.
static long grow(Backing* b, long first, int kind)
{
    long end = b->count;
    for (long m = first; m < end; m++)
        for (int d = 0; d < 2*b->w->dim; d++) {
            ptrdiff_t at = b->queue[m], next = at + (d & 1 ? 1 : -1)*window_stride(b->w, d/2);
            if (b->side[next] == kind) enqueue(b, next, b->side[at]);
        }
    return end;
}

// Can a layer begin at a node: is a neighbour of it OPEN or SOLID?
static bool is_at_rim(const Backing* b, ptrdiff_t at)
{
    for (int d = 0; d < b->w->dim; d++)
        for (int step = -1; step <= 1; step += 2) {
            int beside = b->side[at + step*window_stride(b->w, d)];
            if (beside == OPEN || beside == SOLID) return true;
        }
    return false;
}

// Of the nodes on the liquid's side only those are queued that have others beside them.
static void mark_kinds(Backing* b, const Spans* spans)
{
    for (int r = 0; r < spans->rows; r++) {
        ptrdiff_t row = window_at(b->w, 0, r%spans->rows_y, r/spans->rows_y);
        SPAN_LOOP(spans, r, q)
            for (ptrdiff_t at = row + spans->span[q].i0; at < row + spans->span[q].i1; at++)
                b->side[at] = b->phi_s[at] > 0 ? b->near[at] ? WET_SIDE : OPEN : SOLID;
    }
    for (int r = 0; r < spans->rows; r++) {
        ptrdiff_t row = window_at(b->w, 0, r%spans->rows_y, r/spans->rows_y);
        SPAN_LOOP(spans, r, q)
            for (ptrdiff_t at = row + spans->span[q].i0; at < row + spans->span[q].i1; at++)
                if (b->side[at] == WET_SIDE && is_at_rim(b, at)) b->queue[b->count++] = (int32_t)at;
    }
}

static void mark_rest(Backing* b, const Spans* spans)
{
    for (int r = 0; r < spans->rows; r++) {
        ptrdiff_t row = window_at(b->w, 0, r%spans->rows_y, r/spans->rows_y);
        SPAN_LOOP(spans, r, q)
            for (ptrdiff_t at = row + spans->span[q].i0; at < row + spans->span[q].i1; at++)
                if (b->side[at] == OPEN) enqueue(b, at, DRY_SIDE);
    }
}

// Open nodes first: those of the liquid's side, then the others.
static void mark_open(Backing* b, const Spans* spans)
{
    long layer = 0;
    mark_kinds(b, spans);
    for (int step = 0; step < APART; step++) {
        layer = grow(b, layer, OPEN);
        for (long m = layer; m < b->count; m++) b->side[b->queue[m]] = BETWEEN;
    }
    mark_rest(b, spans);
}

// Open nodes that are near (1) and that are not (0), and all nodes of the spans that are open.
typedef struct Near {
    unsigned char *open, *now, *next;
    unsigned char* asked;  // open nodes at skins
    unsigned char* done;   // rows: 1 once all that is open is near in `next`, 2 once it is in both
} Near;

// What is left of a run: open nodes that are not near yet, and those of them that are asked for.
typedef struct Left {
    bool open, asked;
} Left;

static Left start_run(const Near* n, const double* phi, const double* phi_s, ptrdiff_t at, int count, double dx)
{
    unsigned char left = 0, asked = 0;
    for (int i = 0; i < count; i++) {
        n->open[at + i] = phi_s[at + i] > 0, n->next[at + i] = phi_s[at + i] > 0 && phi[at + i] < 0;
        n->asked[at + i] = phi_s[at + i] > 0 && phi_s[at + i] < AT_SKIN*dx;
        left |= n->open[at + i] ^ n->next[at + i], asked |= n->asked[at + i] & (1 ^ n->next[at + i]);
    }
    return (Left){left, asked};
}

// One more layer of open nodes around those that are near.
static Left spread_run(const Near* n, const Window* w, ptrdiff_t at, int count)
{
    unsigned char* restrict out = n->next + at, left = 0, still = 0;
    const unsigned char* restrict now = n->now + at, * restrict open = n->open + at, * restrict asked = n->asked + at;
    ptrdiff_t sy = w->sy, sz = w->dim == 3 ? w->sz : 0;
    for (int i = 0; i < count; i++) {
        unsigned char near = now[i - 1] | now[i + 1] | now[i - sy] | now[i + sy] | now[i - sz] | now[i + sz];
        out[i] = now[i] | (open[i] & near);
        left |= open[i] ^ out[i], still |= asked[i] & (1 ^ out[i]);
    }
    return (Left){left, still};
}

// Is any open node at a skin further than SAME_SIDE steps from the liquid? Seldom: the queues above are for those times. Then
// *near has those that are not. (Air some cells above a ball that stands out of a pool is that far, and hidden by nothing.)
static mn_status has_other_sides(bool* others, const unsigned char** near, const double* phi, const double* phi_s,
                                 const Spans* spans, const Window* w, Arena* arena)
{
    unsigned char* block = arena_take_zero(arena, 4*w->count + (size_t)spans->rows);
    TRY_MEMORY(block);
    Near n = {block + w->origin, block + w->count + w->origin, block + 2*w->count + w->origin, block + 3*w->count + w->origin,
              block + 4*w->count};
    *others = true;
    for (int step = 0; step <= SAME_SIDE && *others; step++) {
        bool asked = false;
#pragma omp parallel for schedule(static) reduction(|| : asked) if (spans_parallel(spans))
        for (int r = 0; r < spans->rows; r++) {
            ptrdiff_t row = window_at(w, 0, r%spans->rows_y, r/spans->rows_y);
            bool here = false;
            if (n.done[r] == 2) continue;
            SPAN_LOOP(spans, r, q) {
                int count = spans->span[q].i1 - spans->span[q].i0;
                ptrdiff_t at = row + spans->span[q].i0;
                Left left = step == 0 ? start_run(&n, phi, phi_s, at, count, w->dx) : spread_run(&n, w, at, count);
                here = here || left.open, asked = asked || left.asked;
            }
            if (!here) n.done[r]++;
        }
        unsigned char* swap = n.now;
        n.now = n.next, n.next = swap, *others = asked;
    }
    *near = n.now;
    return MN_OK;
}

// Then the solid nodes, up to the middle of the thickest wall that is thin.
static void mark_solid(Backing* b)
{
    long first = 0;
    for (int step = 0; step < (int)(0.5*THIN) + 1; step++) first = grow(b, first, SOLID);
}

// The side of the open nodes around a point; the liquid's before others. SOLID: none is open.
static int side_at(const Backing* b, const double x[3])
{
    const Window* w = b->w;
    double f;
    int found = SOLID;
    ptrdiff_t at = grid_floor(&f, x[0], w->n[0]) + grid_floor(&f, x[1], w->n[1])*w->sy;
    if (w->dim == 3) at += grid_floor(&f, x[2], w->n[2])*w->sz;
    for (int c = 0; c < 1 << w->dim; c++) {
        ptrdiff_t node = at + window_corner(w, c);
        if (!(b->phi_s[node] > 0) || b->side[node] == PAST_SPANS) continue;
        if (b->side[node] == WET_SIDE) return WET_SIDE;
        found = b->side[node];
    }
    return found;
}

static void along(double out[3], const double x[3], double t, const double n[3])
{
    for (int d = 0; d < 3; d++) out[d] = x[d] + t*n[d];
}

// One-sided at the sides of the tank: between a wall and the tank the solid's ghosts are its mirror image.
static bool unit_gradient(double n[3], const Backing* b, const double x[3])
{
    double norm = 0;
    n[2] = 0;
    for (int d = 0; d < b->w->dim; d++) {
        double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
        low[d] = max2(x[d] - 0.5, 0), high[d] = min2(x[d] + 0.5, b->w->n[d]);
        n[d] = (node_value(b->phi_s, b->w, high) - node_value(b->phi_s, b->w, low))/max2(high[d] - low[d], 0.5);
        norm += n[d]*n[d];
    }
    norm = sqrt(norm);
    for (int d = 0; d < 3; d++) n[d] = norm > 0 ? n[d]/norm : 0;
    return norm > 0;
}

// Steps along the axes are a rough distance: where the nearest skin is clear, the side it faces decides. Near the middle of a
// wall it is not.
static void settle_row(Backing* b, const Spans* spans, int r)
{
    const Window* w = b->w;
    int j = r%spans->rows_y, k = r/spans->rows_y;
    SPAN_LOOP(spans, r, q)
        for (int i = spans->span[q].i0; i < spans->span[q].i1; i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            double off = b->phi_s[at]/w->dx, g[3], y[3];
            if (off > 0 || off < -THIN) continue;
            node_gradient(g, b->phi_s, w, at);
            double norm = vec_norm(g);
            if (!(norm > 0.7*w->dx)) continue;
            along(y, (double[3]){i, j, k}, (OUTSIDE - off)/norm, g);
            int side = side_at(b, y);
            if (side != SOLID) b->side[at] = (unsigned char)side;
        }
}

// Unit vector out of the wall on the side of a node, from neighbours of that side alone: phi_s has a crease in the middle of
// the wall.
static bool outward(double n[3], const Backing* b, ptrdiff_t at)
{
    double norm = 0;
    n[2] = 0;
    for (int d = 0; d < b->w->dim; d++) {
        ptrdiff_t s = window_stride(b->w, d);
        bool low = b->side[at - s] == b->side[at], high = b->side[at + s] == b->side[at];
        n[d] = (low ? b->phi_s[at] - b->phi_s[at - s] : 0) + (high ? b->phi_s[at + s] - b->phi_s[at] : 0);
        if (low && high) n[d] *= 0.5;
        norm += n[d]*n[d];
    }
    norm = sqrt(norm);
    for (int d = 0; d < 3; d++) n[d] = norm > 0 ? n[d]/norm : 0;
    return norm > 0;
}

// Cells from x along the unit vector m, through the wall, to its other skin; < 0 if that is not within THIN + BEHIND cells.
static double through_wall(const Backing* b, const double x[3], double start, const double m[3])
{
    double before = 0, t_before = start, y[3];
    for (double t = start; t < THIN + BEHIND;) {
        along(y, x, t, m);
        double s = node_value(b->phi_s, b->w, y)/b->w->dx;
        if (s > 0) return t == start ? -1 : t_before + (t - t_before)*before/(before - s);
        before = s, t_before = t;
        t += max2(-s, 0.25);
    }
    return -1;
}

// Distance (cells) from x to the skin of the wall's other side, where there is liquid; < 0: the wall is not thin, or dry there
// too. Away from the near skin first, then along that of the skin found.
static double distance_to_wet_skin(const Backing* b, ptrdiff_t at, const double x[3], double off)
{
    double n[3], m[3], y[3], N[3];
    if (!outward(n, b, at)) return -1;
    for (int d = 0; d < 3; d++) m[d] = -n[d];
    double t = through_wall(b, x, max2(off, 0) + 0.25, m);
    if (t < 0 || t - off > THIN) return -1;
    along(y, x, t + OUTSIDE, m);
    if (side_at(b, y) != WET_SIDE) return -1;
    for (int step = 0; step < 2; step++) {
        along(y, x, t, m);
        if (!unit_gradient(N, b, y) || !(vec_dot(N, m) > 0.5)) break;
        along(y, x, t, N);
        double miss = node_value(b->phi_s, b->w, y)/b->w->dx;
        if (!(fabs(miss) < 0.5)) break;
        t -= miss;
        for (int d = 0; d < 3; d++) m[d] = N[d];
    }
    return t;
}

static bool is_behind_wall(const Backing* b, ptrdiff_t at)
{
    return (b->side[at] == BETWEEN || b->side[at] == DRY_SIDE) && !(b->phi_s[at]/b->w->dx > BEHIND);
}

static void back_row(Backing* b, const Spans* spans, int r)
{
    const Window* w = b->w;
    int j = r%spans->rows_y, k = r/spans->rows_y;
    SPAN_LOOP(spans, r, q)
        for (int i = spans->span[q].i0; i < spans->span[q].i1; i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            double off = b->phi_s[at]/w->dx;
            if (!is_behind_wall(b, at)) continue;
            double depth = b->side[at] == DRY_SIDE ? distance_to_wet_skin(b, at, (double[3]){i, j, k}, off) : -1;
            // not thin, dry on all sides, or between: as it is, but no liquid may come up here either
            if (depth >= 0) b->backed[at] = -depth*w->dx;
        }
}

// What readers ask for, in place of the kinds above.
static void store_sides(Backing* b, const Spans* spans)
{
    for (int r = 0; r < spans->rows; r++) {
        ptrdiff_t row = window_at(b->w, 0, r%spans->rows_y, r/spans->rows_y);
        SPAN_LOOP(spans, r, q)
            for (ptrdiff_t at = row + spans->span[q].i0; at < row + spans->span[q].i1; at++)
                b->side[at] = is_behind_wall(b, at) ? BACKED_BEHIND : b->side[at] == WET_SIDE ? BACKED_WET : BACKED_NEITHER;
    }
}

mn_status solid_back(Backed* backed, Arena* arena, const double* phi, double* phi_s, const Spans* spans, const Window* w)
{
    assert(phi != phi_s && spans_is_valid(spans, w));
    Backing b = {.phi_s = phi_s, .w = w};
    *backed = (Backed){.v = phi_s};
    bool others;
    TRY(has_other_sides(&others, &b.near, phi, phi_s, spans, w, arena));
    if (!others) return MN_OK;
    unsigned char* side = ARENA_ZERO(arena, unsigned char, w->count);
    TRY_MEMORY(side);
    b.side = side + w->origin;
    TRY_MEMORY(b.queue = ARENA_NEW(arena, int32_t, spans->covered + 1));
    mark_open(&b, spans);
    mark_solid(&b);
    nodes_exchange(phi_s, w, LINEAR_READS);
    for (int r = 0; r < spans->rows; r++) settle_row(&b, spans, r);
    TRY_MEMORY(b.backed = window_copy(arena, phi_s, w));
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++) back_row(&b, spans, r);
    nodes_exchange(b.backed, w, GRADIENT_READS);
    store_sides(&b, spans);
    *backed = (Backed){b.backed, b.side};
    return MN_OK;
}

// The sides of a wall of thickness T meet in its middle, T/2 from either skin: (phi_s - backed)/2 from there. Outside, in walls
// thinner than two cells, the zero between this node and the liquid's must not come out on the dry side.
void solid_cut_behind(double* phi, const Backed* backed, const double* phi_s, const Spans* spans, const Window* w)
{
    if (!backed_hides(backed)) return;
    for (int r = 0; r < spans->rows; r++) {
        ptrdiff_t row = window_at(w, 0, r%spans->rows_y, r/spans->rows_y);
        SPAN_LOOP(spans, r, q)
            for (ptrdiff_t at = row + spans->span[q].i0; at < row + spans->span[q].i1; at++) {
                if (!backed_is_behind(backed, at)) continue;
                double least = phi_s[at] > 0 ? BAND*w->dx : 0.1*w->dx;
                phi[at] = max2(phi[at], max2(0.5*(phi_s[at] - backed->v[at]), least));
            }
    }
    nodes_exchange(phi, w, EVERY_LAYER);
}

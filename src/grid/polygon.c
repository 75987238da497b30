#include "grid/polygon.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

// A loop under way: corners in a ring; bridges visit some of them twice.
typedef struct Ring {
    const double (*point)[2];
    int *corner, *next, *last;  // per place
    int places, start, count;
} Ring;

static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0])*(c[1] - a[1]) - (b[1] - a[1])*(c[0] - a[0]);
}

static const double* at(const Ring* r, int place) { return r->point[r->corner[place]]; }

static int append(Ring* r, int corner, int last)
{
    int place = r->places++;
    r->corner[place] = corner;
    if (last < 0) r->next[place] = r->last[place] = place;
    else {
        r->last[place] = last, r->next[place] = r->next[last];
        r->last[r->next[last]] = place, r->next[last] = place;
    }
    return place;
}

static double area_of(const Region* r, int loop)
{
    double sum = 0;
    for (int k = r->first[loop]; k < r->first[loop + 1]; k++) {
        const double *a = r->point[r->corner[k]], *b = r->point[r->corner[k + 1 < r->first[loop + 1] ? k + 1 : r->first[loop]]];
        sum += 0.5*(a[0]*b[1] - a[1]*b[0]);
    }
    return sum;
}

// ---- holes -----------------------------------------------------------------------------------------------------------------

// The corner of a loop furthest along x.
static int rightmost(const Region* r, int loop)
{
    int best = r->first[loop];
    for (int k = best; k < r->first[loop + 1]; k++)
        if (r->point[r->corner[k]][0] > r->point[r->corner[best]][0]) best = k;
    return best;
}

// Along x from m: the side of the ring that is met first; -1: none. x: where.
static int side_met(double* x, const Ring* r, const double m[2])
{
    int best = -1, place = r->start;
    *x = INFINITY;
    for (int k = 0; k < r->count; k++, place = r->next[place]) {
        const double *a = at(r, place), *b = at(r, r->next[place]);
        // with the region to its left a side that ends it goes up
        if (!(a[1] <= m[1] && b[1] >= m[1] && b[1] > a[1])) continue;
        double meets = a[0] + (b[0] - a[0])*(m[1] - a[1])/(b[1] - a[1]);
        if (meets >= m[0] && meets < *x) *x = meets, best = place;
    }
    return best;
}

static bool is_within(const double p[2], const double a[2], const double b[2], const double c[2])
{
    return turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0;
}

// A place of the ring that sees m: an end of the side met along x, or a corner that hides it, the one closest to that direction.
static int seen_from(const Ring* r, const double m[2])
{
    double x, steepest = INFINITY;
    int side = side_met(&x, r, m);
    if (side < 0) return -1;
    int best = at(r, side)[0] > at(r, r->next[side])[0] ? side : r->next[side], place = r->start;
    const double met[2] = {x, m[1]}, *end = at(r, best);
    bool above = end[1] > m[1];
    for (int k = 0; k < r->count; k++, place = r->next[place]) {
        const double* p = at(r, place);
        if (p == end || !(p[0] > m[0])) continue;
        if (!(above ? is_within(p, m, met, end) : is_within(p, m, end, met))) continue;
        double slope = fabs(p[1] - m[1])/(p[0] - m[0]);
        if (slope < steepest) steepest = slope, best = place;
    }
    return best;
}

// A bridge to the hole, around it, and back.
static void join_hole(Ring* r, const Region* in, int loop)
{
    int from = rightmost(in, loop), length = in->first[loop + 1] - in->first[loop];
    int outer = seen_from(r, in->point[in->corner[from]]);
    if (outer < 0) return;
    int again = r->corner[outer], place = outer;
    for (int k = 0; k <= length; k++)
        place = append(r, in->corner[in->first[loop] + (from - in->first[loop] + k)%length], place);
    append(r, again, place);
    r->count += length + 2;
}

// ---- ears ------------------------------------------------------------------------------------------------------------------

static bool is_ear(const Ring* r, int place)
{
    const double *a = at(r, r->last[place]), *b = at(r, place), *c = at(r, r->next[place]);
    if (!(turn(a, b, c) > 0)) return false;
    for (int p = r->next[r->next[place]]; p != r->last[place]; p = r->next[p]) {
        const double* x = at(r, p);
        if (x != a && x != b && x != c && is_within(x, a, b, c)) return false;
    }
    return true;
}

static void cut(Ring* r, int place)
{
    r->next[r->last[place]] = r->next[place], r->last[r->next[place]] = r->last[place];
    r->start = r->next[place], r->count--;
}

// Where no ear is left (corners on a line, loops that touch) the flattest corner goes without a triangle.
static int least_corner(const Ring* r)
{
    int best = r->start, place = r->start;
    double least = INFINITY;
    for (int k = 0; k < r->count; k++, place = r->next[place]) {
        double size = fabs(turn(at(r, r->last[place]), at(r, place), at(r, r->next[place])));
        if (size < least) least = size, best = place;
    }
    return best;
}

static void cut_ears(int (*triangle)[3], int* count, Ring* r)
{
    while (r->count >= 3) {
        int place = r->start, k = 0;
        while (k < r->count && !is_ear(r, place)) place = r->next[place], k++;
        if (k < r->count) {
            const int corner[3] = {r->corner[r->last[place]], r->corner[place], r->corner[r->next[place]]};
            memcpy(triangle[(*count)++], corner, sizeof corner);
            int next = r->next[r->next[place]];
            cut(r, place);
            r->start = next;  // not the same corner again: fans of slivers
        } else cut(r, least_corner(r));
    }
}

// ---- all of it -------------------------------------------------------------------------------------------------------------

static bool contains(const Region* r, int loop, const double p[2])
{
    bool inside = false;
    for (int k = r->first[loop]; k < r->first[loop + 1]; k++) {
        const double *a = r->point[r->corner[k]], *b = r->point[r->corner[k + 1 < r->first[loop + 1] ? k + 1 : r->first[loop]]];
        if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (b[0] - a[0])*(p[1] - a[1])/(b[1] - a[1])) inside = !inside;
    }
    return inside;
}

// Holes of an outer loop are joined from right to left: each then sees what is around it or another one that is joined.
static void join_holes(Ring* ring, const Region* r, int outer, bool* done)
{
    for (;;) {
        int best = -1;
        for (int h = 0; h < r->loops; h++) {
            if (done[h] || area_of(r, h) > 0 || !contains(r, outer, r->point[r->corner[r->first[h]]])) continue;
            if (best < 0 || r->point[r->corner[rightmost(r, h)]][0] > r->point[r->corner[rightmost(r, best)]][0]) best = h;
        }
        if (best < 0) return;
        done[best] = true;
        join_hole(ring, r, best);
    }
}

mn_status region_triangles(int (**triangle)[3], int* count, const Region* r, Arena* arena)
{
    int corners = r->first[r->loops], room = 3*corners + 4*r->loops + 1;
    Ring ring = {.point = r->point,
                 .corner = ARENA_NEW(arena, int, room),
                 .next = ARENA_NEW(arena, int, room),
                 .last = ARENA_NEW(arena, int, room)};
    bool* done = ARENA_ZERO(arena, bool, r->loops + 1);
    *count = 0;
    TRY_MEMORY(*triangle = arena_take(arena, sizeof **triangle*(size_t)room));
    TRY_MEMORY(ring.corner && ring.next && ring.last && done);
    for (int l = 0; l < r->loops; l++) {
        if (!(area_of(r, l) > 0)) continue;
        ring.places = 0;
        int place = -1;
        for (int k = r->first[l]; k < r->first[l + 1]; k++) place = append(&ring, r->corner[k], place);
        ring.start = 0, ring.count = r->first[l + 1] - r->first[l];
        join_holes(&ring, r, l, done);
        cut_ears(*triangle, count, &ring);
    }
    return MN_OK;
}

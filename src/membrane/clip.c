#include "membrane/clip.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

// Planes lie at whole numbers: coordinates are in half cells. Whatever lies on a plane belongs to what is above it.
enum { MOST_CORNERS = 3 + 6 + 3 };  // a triangle gains at most one by each of six planes; some to spare

typedef struct Corner {
    double x[3];
    double share[3];  // of the element's own corners
} Corner;

// A convex polygon, or with `is_line` two points and the line between them.
typedef struct Polygon {
    int count;
    bool is_line;
    Corner corner[MOST_CORNERS];
} Polygon;

// Pieces smaller than this part of their element are left out.
static const double LEAST_SHARE = 1e-17;

// Always from the lower end to the upper one: both elements of an edge then get the same bits.
static Corner cut_point(const Corner* a, const Corner* b, int axis, double plane)
{
    const Corner *low = a->x[axis] < b->x[axis] ? a : b, *high = low == a ? b : a;
    double t = (plane - low->x[axis])/(high->x[axis] - low->x[axis]);
    Corner cut;
    for (int d = 0; d < 3; d++) {
        cut.x[d] = low->x[d] + t*(high->x[d] - low->x[d]);
        cut.share[d] = low->share[d] + t*(high->share[d] - low->share[d]);
    }
    cut.x[axis] = plane;
    return cut;
}

static void put(Polygon* p, const Corner* c)
{
    assert(p->count < MOST_CORNERS);
    p->corner[p->count++] = *c;
}

static void split(Polygon* below, Polygon* above, const Polygon* p, int axis, double plane)
{
    below->count = above->count = 0, below->is_line = above->is_line = p->is_line;
    int edges = p->is_line ? p->count - 1 : p->count;
    for (int q = 0; q < p->count; q++) {
        const Corner *a = &p->corner[q], *b = &p->corner[(q + 1)%p->count];
        bool a_above = a->x[axis] >= plane;
        put(a_above ? above : below, a);
        if (q == edges || a_above == (b->x[axis] >= plane)) continue;
        Corner cut = cut_point(a, b, axis, plane);
        put(below, &cut), put(above, &cut);
    }
}

// What is made of a polygon that lies between neighbouring planes of every axis. index: of its half cell.
typedef struct Receiver {
    void (*take)(void* user, const Polygon* p, const int index[3]);
    void* user;
    int dim;
    int halves[3];  // per axis
} Receiver;

static void slice(const Polygon* p, int axis, int index[3], const Receiver* to)
{
    if (axis == to->dim) {
        to->take(to->user, p, index);
        return;
    }
    double least = INFINITY, most = -INFINITY;
    for (int q = 0; q < p->count; q++) least = min2(least, p->corner[q].x[axis]), most = max2(most, p->corner[q].x[axis]);
    int low = clampi((int)floor(least), 0, to->halves[axis] - 1), high = clampi((int)floor(most), 0, to->halves[axis] - 1);
    Polygon rest = *p, below, above;
    for (int plane = low + 1; plane <= high; plane++) {
        split(&below, &above, &rest, axis, plane);
        index[axis] = plane - 1;
        if (below.count > 1) slice(&below, axis + 1, index, to);
        rest = above;
    }
    index[axis] = high;
    if (rest.count > 1) slice(&rest, axis + 1, index, to);
}

static Receiver receiver(const Window* w, void (*take)(void*, const Polygon*, const int[3]), void* user)
{
    Receiver r = {.take = take, .user = user, .dim = w->dim};
    for (int d = 0; d < 3; d++) r.halves[d] = 2*w->n[d];
    return r;
}

// Size of a polygon as a part of its element, and the shares of its centroid. A triangle has the area 1/2 in the plane of its
// last two shares.
static double measure(double share[3], const Polygon* p)
{
    double mean[3] = {0}, sum = 0, moment[3] = {0};
    for (int q = 0; q < p->count; q++)
        for (int d = 0; d < 3; d++) mean[d] += p->corner[q].share[d]/p->count;
    memcpy(share, mean, sizeof mean);
    if (p->is_line) return fabs(p->corner[p->count - 1].share[1] - p->corner[0].share[1]);
    const double* o = p->corner[0].share;
    for (int q = 1; q + 1 < p->count; q++) {
        const double *a = p->corner[q].share, *b = p->corner[q + 1].share;
        double part = (a[1] - o[1])*(b[2] - o[2]) - (a[2] - o[2])*(b[1] - o[1]);
        sum += part;
        for (int d = 0; d < 3; d++) moment[d] += part*(o[d] + a[d] + b[d])/3;
    }
    // of slivers the mean of the corners is as good a centroid, and always lies within
    if (sum > 1e-12)
        for (int d = 0; d < 3; d++) share[d] = moment[d]/sum;
    return sum;
}

// ---- the surface ---------------------------------------------------------------------------------------------------------

typedef struct Clipping {
    const MembraneMesh* m;
    const Window* w;
    Piece* list;
    int count, room;
    bool failed;
    // of the element at hand
    int element;
    double area[3];
    double corner[3][3];  // cells
} Clipping;

static Piece* next_piece(Clipping* c)
{
    if (c->count == c->room) {
        int room = 2*c->room + 64;
        Piece* list = realloc(c->list, sizeof *list*(size_t)room);
        if (!list) {
            c->failed = true;
            return NULL;
        }
        c->list = list, c->room = room;
    }
    return &c->list[c->count++];
}

static void take_piece(void* user, const Polygon* p, const int index[3])
{
    Clipping* c = user;
    double share[3], part = measure(share, p);
    if (!(part > LEAST_SHARE)) return;
    Piece* out = next_piece(c);
    if (!out) return;
    *out = (Piece){.element = c->element};
    for (int d = 0; d < 3; d++) {
        out->cell[d] = d < c->w->dim ? index[d]/2 : 0, out->upper[d] = d < c->w->dim ? index[d]%2 : 0;
        out->area[d] = part*c->area[d], out->share[d] = share[d];
        for (int q = 0; q < c->w->dim; q++) out->center[d] += share[q]*c->corner[q][d];
    }
}

static void clip_element(Clipping* c, int element)
{
    c->element = element;
    Polygon p = {.count = c->w->dim, .is_line = c->w->dim == 2};
    membrane_area_vector(c->area, c->m, element);
    for (int d = 0; d < 3; d++) c->area[d] /= window_face_area(c->w);
    for (int q = 0; q < c->w->dim; q++) {
        const double* x = c->m->x + 3*membrane_element(c->m, element)[q];
        for (int d = 0; d < c->w->dim; d++) {
            c->corner[q][d] = x[d]/c->w->dx - c->w->lo[d];
            p.corner[q].x[d] = 2*c->corner[q][d];
        }
        p.corner[q].share[q] = 1;
    }
    int index[3] = {0};
    Receiver to = receiver(c->w, take_piece, c);
    slice(&p, 0, index, &to);
}

mn_status clip_surface(Pieces* pieces, const MembraneMesh* m, const Window* w, Arena* arena)
{
    assert(m->dim == w->dim);
    *pieces = (Pieces){0};
    Clipping c = {.m = m, .w = w};
    for (int e = 0; e < m->elements && !c.failed; e++) clip_element(&c, e);
    if (!c.failed) pieces->piece = ARENA_NEW(arena, Piece, c.count + 1);
    if (pieces->piece && c.count > 0) memcpy(pieces->piece, c.list, sizeof *c.list*(size_t)c.count);
    pieces->count = c.count;
    free(c.list);
    return pieces->piece ? MN_OK : mn_fail(MN_NO_MEMORY, "out of memory: a surface of %d elements", m->elements);
}

// ---- lines ---------------------------------------------------------------------------------------------------------------

typedef struct LineClipping {
    ClippedLine tell;
    void* user;
    const double *a, *b;
} LineClipping;

static void take_line(void* user, const Polygon* p, const int index[3])
{
    const LineClipping* c = user;
    double share[3], part = measure(share, p), center[3];
    if (!(part > LEAST_SHARE)) return;
    for (int d = 0; d < 3; d++) center[d] = share[0]*c->a[d] + share[1]*c->b[d];
    c->tell(c->user, (int[3]){index[0]/2, index[1]/2, index[2]/2}, part, center);
}

void clip_line(const double a[3], const double b[3], const Window* w, ClippedLine tell, void* user)
{
    LineClipping c = {tell, user, a, b};
    Polygon p = {.count = 2, .is_line = true};
    for (int d = 0; d < 3; d++) p.corner[0].x[d] = 2*a[d], p.corner[1].x[d] = 2*b[d];
    p.corner[0].share[0] = p.corner[1].share[1] = 1;
    int index[3] = {0};
    Receiver to = receiver(w, take_line, &c);
    slice(&p, 0, index, &to);
}

// Which pieces can come close: boxes around what they sweep, sorted into cells of a grid.
#include "thin/thin_contact.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

typedef struct Box {
    double lo[3], hi[3];
} Box;

static int by_ends(const void* a, const void* b)
{
    const int *p = a, *q = b;
    return p[0] != q[0] ? (p[0] > q[0]) - (p[0] < q[0]) : (p[1] > q[1]) - (p[1] < q[1]);
}

// Edges of triangles and segments, each once.
mn_status contact_skin_init(ContactSkin* s, const ThinMesh* t)
{
    int most = 3*t->triangles + t->segments, count = 0;
    *s = (ContactSkin){.edge = malloc(sizeof *s->edge*(size_t)(most + 1))};
    if (!s->edge) return mn_fail(MN_NO_MEMORY, "out of memory: %d edges", most);
    for (int m = 0; m < most; m++) {
        const int* v = m < 3*t->triangles ? t->triangle[m/3].v : t->segment[m - 3*t->triangles].v;
        int corner = m < 3*t->triangles ? m%3 : 0, a = v[corner], b = m < 3*t->triangles ? v[(corner + 1)%3] : v[1];
        s->edge[m][0] = mini(a, b), s->edge[m][1] = maxi(a, b);
    }
    qsort(s->edge, (size_t)most, sizeof *s->edge, by_ends);
    for (int m = 0; m < most; m++)
        if (m == 0 || by_ends(s->edge[m], s->edge[m - 1]) != 0) memmove(s->edge[count++], s->edge[m], sizeof *s->edge);
    s->edges = count;
    return MN_OK;
}

void contact_skin_free(ContactSkin* s)
{
    free(s->edge);
    *s = (ContactSkin){0};
}

// ---- the grid -----------------------------------------------------------------------------------------------------------------

// Pieces of one sort: points, edges or triangles.
typedef struct Pieces {
    const int* v;  // of the first; NULL: piece m is vertex m
    size_t bytes;  // from one to the next
    int corners, count;
    Box* box;
} Pieces;

static void corners_of(int out[3], const Pieces* p, int m)
{
    const int* v = p->v ? (const int*)((const char*)p->v + p->bytes*(size_t)m) : &m;
    for (int c = 0; c < p->corners; c++) out[c] = v[c];
}

static mn_status make_boxes(Pieces* p, Arena* arena, const double* x, const double* way, double reach)
{
    TRY_MEMORY(p->box = ARENA_NEW(arena, Box, p->count + 1));
    for (int m = 0; m < p->count; m++) {
        Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        int v[3];
        corners_of(v, p, m);
        for (int c = 0; c < p->corners; c++)
            for (int k = 0; k < 3; k++) {
                double from = x[3*v[c] + k], to = from + (way ? way[3*v[c] + k] : 0);
                box.lo[k] = min2(box.lo[k], min2(from, to) - 0.5*reach),
                box.hi[k] = max2(box.hi[k], max2(from, to) + 0.5*reach);
            }
        p->box[m] = box;
    }
    return MN_OK;
}

typedef struct GridEntry {
    int cell[3], piece;
} GridEntry;

typedef struct Grid {
    double size;  // m, of a cell
    int buckets;
    int* first;  // entries of bucket b are first[b] .. first[b + 1] - 1
    GridEntry* entry;
} Grid;

static int cell_of(const Grid* g, double x) { return (int)floor(clamp(x/g->size, -1e9, 1e9)); }

static int bucket_of(const Grid* g, const int c[3])
{
    uint64_t key =
        (uint64_t)(uint32_t)c[0]*73856093u ^ (uint64_t)(uint32_t)c[1]*19349663u ^ (uint64_t)(uint32_t)c[2]*83492791u;
    return (int)(key%(uint64_t)g->buckets);
}

#define FOR_CELLS_OF(g, box, c)                                                                                                  \
    for (int c[3] = {0, 0, cell_of(g, (box)->lo[2])}; c[2] <= cell_of(g, (box)->hi[2]); c[2]++)                                  \
        for (c[1] = cell_of(g, (box)->lo[1]); c[1] <= cell_of(g, (box)->hi[1]); c[1]++)                                          \
            for (c[0] = cell_of(g, (box)->lo[0]); c[0] <= cell_of(g, (box)->hi[0]); c[0]++)

// Cells about as large as the mean box, and no box lies in too many.
static mn_status make_grid(Grid* g, Arena* arena, const Pieces* p)
{
    enum { MOST_CELLS = 32 };  // of a box, along an axis
    double sum = 0, largest = 0;
    for (int m = 0; m < p->count; m++)
        for (int k = 0; k < 3; k++) {
            double size = p->box[m].hi[k] - p->box[m].lo[k];
            sum += size/3, largest = fmax(largest, size);
        }
    *g = (Grid){.size = fmax(sum/maxi(p->count, 1), largest/MOST_CELLS), .buckets = 2*p->count + 1};
    TRY_MEMORY(g->first = ARENA_ZERO(arena, int, g->buckets + 2));
    for (int m = 0; m < p->count; m++) FOR_CELLS_OF(g, &p->box[m], c) g->first[bucket_of(g, c) + 2]++;
    for (int b = 0; b < g->buckets; b++) g->first[b + 2] += g->first[b + 1];
    TRY_MEMORY(g->entry = ARENA_NEW(arena, GridEntry, g->first[g->buckets + 1] + 1));
    for (int m = 0; m < p->count; m++)
        FOR_CELLS_OF(g, &p->box[m], c) g->entry[g->first[bucket_of(g, c) + 1]++] = (GridEntry){{c[0], c[1], c[2]}, m};
    return MN_OK;
}

// ---- pairs ------------------------------------------------------------------------------------------------------------------

// A pair is reported in the cell of the higher of the two boxes' low corners, and so once.
static bool is_home(const Grid* g, const Box* a, const Box* b, const int c[3])
{
    for (int k = 0; k < 3; k++)
        if (cell_of(g, max2(a->lo[k], b->lo[k])) != c[k] || a->lo[k] > b->hi[k] || b->lo[k] > a->hi[k]) return false;
    return true;
}

static bool make_pair(ContactPair* out, PairKind kind, const Pieces* a, int m, const Pieces* b, int n)
{
    int v[3], w[3];
    corners_of(v, a, m);
    corners_of(w, b, n);
    for (int c = 0; c < a->corners; c++)
        for (int d = 0; d < b->corners; d++)
            if (v[c] == w[d]) return false;
    *out = (ContactPair){.kind = kind};
    for (int c = 0; c < a->corners; c++) out->v[c] = v[c];
    for (int d = 0; d < b->corners; d++) out->v[a->corners + d] = w[d];
    return true;
}

// Pairs of a piece of `a` and one of `b`; of edges with edges each once. out NULL: counts only.
static int collect(ContactPair* out, PairKind kind, const Pieces* a, const Pieces* b, const Grid* g)
{
    int count = 0;
    for (int m = 0; m < a->count && b->count > 0; m++) FOR_CELLS_OF(g, &a->box[m], c)
        {
            int bucket = bucket_of(g, c);
            for (int e = g->first[bucket]; e < g->first[bucket + 1]; e++) {
                const GridEntry* entry = &g->entry[e];
                ContactPair pair;
                if (memcmp(entry->cell, c, sizeof entry->cell) != 0 || !is_home(g, &a->box[m], &b->box[entry->piece], c))
                    continue;
                if (kind == PAIR_EDGE_EDGE && entry->piece <= m) continue;
                if (!make_pair(&pair, kind, a, m, b, entry->piece)) continue;
                if (out) out[count] = pair;
                count++;
            }
        }
    return count;
}

mn_status contact_candidates(Candidates* c, Arena* arena, const ThinMesh* t, const ContactSkin* s, const double* x,
                             const double* way, double reach)
{
    assert(reach > 0);
    Pieces point = {.corners = 1, .count = t->vertices};
    Pieces edge = {s->edge ? s->edge[0] : NULL, sizeof *s->edge, 2, s->edges, NULL};
    Pieces triangle = {t->triangle ? t->triangle[0].v : NULL, sizeof *t->triangle, 3, t->triangles, NULL};
    Grid edges, triangles;
    TRY(make_boxes(&point, arena, x, way, reach));
    TRY(make_boxes(&edge, arena, x, way, reach));
    TRY(make_boxes(&triangle, arena, x, way, reach));
    TRY(make_grid(&edges, arena, &edge));
    TRY(make_grid(&triangles, arena, &triangle));
    PairKind kind = t->dim == 3 ? PAIR_EDGE_EDGE : PAIR_POINT_EDGE;
    const Pieces* first = t->dim == 3 ? &edge : &point;
    int on_edges = collect(NULL, kind, first, &edge, &edges);
    int on_triangles = collect(NULL, PAIR_POINT_TRIANGLE, &point, &triangle, &triangles);
    c->count = on_edges + on_triangles;
    TRY_MEMORY(c->pair = ARENA_NEW(arena, ContactPair, c->count + 1));
    collect(c->pair, kind, first, &edge, &edges);
    collect(c->pair + on_edges, PAIR_POINT_TRIANGLE, &point, &triangle, &triangles);
    return MN_OK;
}

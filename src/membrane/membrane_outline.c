#include "membrane/membrane_outline.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/polygon.h"
#include "membrane/boundary.h"

// A side of the tank (in 2D the tank itself) with axes u, v such that what is wet lies to the left of its outline: u x v points
// out of the tank. Names of points: vertices of the mesh, then the four corners of the side, counter-clockwise from (0, 0).
typedef struct Sheet {
    const MembraneMesh* m;
    int axis, high;  // across which it lies, and on which side; axis -1 in 2D
    int u, v;
    double low[2], size[2];  // m
    int* next;               // per vertex: the one after it on the outline, along the mesh's end (2D: the mesh); -1: none
    bool *comes, *seen;      // per vertex: is it the one after another; is it in a loop
    int *loop, *first;       // names, loop after loop
    int loops, names;
} Sheet;

typedef struct Outline {
    SurfaceMesh* out;
    const MembraneMesh* m;
    const Liquid* q;
    int base;       // of the mesh's vertices in `out`
    int corner[8];  // of the tank in `out`; -1: not there yet
} Outline;

// ---- the mesh itself -------------------------------------------------------------------------------------------------------

static mn_status add_vertices(Outline* o, Arena* scratch)
{
    const MembraneMesh* m = o->m;
    double(*normal)[3] = arena_take_zero(scratch, sizeof *normal*(size_t)(m->vertices + 1));
    TRY_MEMORY(normal);
    for (int e = 0; e < m->elements; e++) {
        double area[3];
        membrane_area_vector(area, m, e);
        for (int c = 0; c < m->dim; c++)
            for (int d = 0; d < 3; d++) normal[membrane_element(m, e)[c]][d] += area[d];
    }
    o->base = o->out->vertex_count;
    for (int i = 0; i < m->vertices; i++) {
        int id = surfacemesh_add_vertex(o->out, m->x + 3*i, o->q->id);
        TRY_MEMORY(id >= 0);
        for (int d = 0; d < 3; d++) {
            if (m->flag[i] >> d & 1) normal[i][d] = 0;  // it goes on past the wall as its mirror image
            o->out->velocity[id][d] = m->v[3*i + d];
        }
        double size = vec_norm(normal[i]);
        for (int d = 0; d < 3 && size > 0; d++) o->out->normal[id][d] = normal[i][d]/size;
    }
    return MN_OK;
}

static mn_status add_elements(Outline* o)
{
    for (int e = 0; e < o->m->elements; e++) {
        int corner[3];
        for (int c = 0; c < o->m->dim; c++) corner[c] = o->base + membrane_element(o->m, e)[c];
        TRY_MEMORY(surfacemesh_add_face(o->out, corner, FACE_IS_FREE));
    }
    return MN_OK;
}

// ---- the outline of a side's wet part ---------------------------------------------------------------------------------------

static bool is_on(const Sheet* s, int vertex)
{
    if (s->axis < 0) return true;
    double wall = s->high ? s->m->high[s->axis] : s->m->low[s->axis];
    return s->m->flag[vertex] >> s->axis & 1 && s->m->x[3*vertex + s->axis] == wall;
}

// Seen from outside the liquid, what is wet lies across the mesh's end: the outline runs along it the other way.
static void link_ends(Sheet* s, const SurfaceBoundary* ends)
{
    int vertices = s->m->vertices;
    memset(s->comes, 0, sizeof *s->comes*(size_t)vertices), memset(s->seen, 0, sizeof *s->seen*(size_t)vertices);
    for (int i = 0; i < vertices; i++) s->next[i] = -1;
    for (int q = 0; q < ends->count; q++) {
        int from = ends->edge[q][s->axis < 0 ? 0 : 1], to = ends->edge[q][s->axis < 0 ? 1 : 0];
        if (is_on(s, from) && is_on(s, to)) s->next[from] = to, s->comes[to] = true;
    }
}

// Way around the side, counter-clockwise from (0, 0), m.
static double way_to(const Sheet* s, int vertex)
{
    double a = s->m->x[3*vertex + s->u] - s->low[0], b = s->m->x[3*vertex + s->v] - s->low[1];
    if (b == 0) return a;
    if (a == s->size[0]) return a + b;
    return b == s->size[1] ? 2*s->size[0] + b - a : 2*(s->size[0] + s->size[1]) - b;
}

static double way_to_corner(const Sheet* s, int corner)
{
    return (corner > 0)*s->size[0] + (corner > 1)*s->size[1] + (corner > 2)*s->size[0];
}

// From the end of a stretch along the sides' edges to the start of the next, past corners.
static int walk_edges(Sheet* s, int end)
{
    double around = 2*(s->size[0] + s->size[1]), from = way_to(s, end), least = INFINITY;
    int best = -1;
    for (int i = 0; i < s->m->vertices; i++) {
        if (s->next[i] < 0 || s->comes[i]) continue;
        double way = way_to(s, i) - from;
        if (way <= 0) way += around;
        if (way < least) least = way, best = i;
    }
    for (int k = 0; k < 8; k++) {
        double way = way_to_corner(s, k%4) + (k/4)*around - from;
        if (way > 0 && way < least) s->loop[s->names++] = s->m->vertices + k%4;
    }
    return best;
}

static void trace(Sheet* s, int start)
{
    for (int i = start; i >= 0 && !s->seen[i];) {
        for (;; i = s->next[i]) {
            s->seen[i] = true;
            s->loop[s->names++] = i;
            if (s->next[i] < 0 || s->seen[s->next[i]]) break;
        }
        i = s->next[i] < 0 ? walk_edges(s, i) : -1;
    }
    s->first[++s->loops] = s->names;
}

// Is the side wet where the mesh does not end on its edges: at its corner (0, 0)?
static bool corner_is_wet(const Sheet* s, const Liquid* q)
{
    int node[3] = {0, 0, 0};
    for (int d = 0; d < s->m->dim; d++) {
        bool high = d == s->axis ? s->high : false;
        if (q->w.side[2*d + high] == SIDE_INSIDE) return false;
        node[d] = high ? q->w.n[d] : 0;
    }
    return q->phi.v[window_at(&q->w, node[0], node[1], node[2])] < 0;
}

static void trace_all(Sheet* s, const Liquid* q)
{
    s->loops = s->names = s->first[0] = 0;
    for (int i = 0; i < s->m->vertices; i++)
        if (s->next[i] >= 0 && !s->comes[i] && !s->seen[i]) trace(s, i);
    if (s->loops == 0 && corner_is_wet(s, q)) {
        for (int k = 0; k < 4; k++) s->loop[s->names++] = s->m->vertices + k;
        s->first[++s->loops] = s->names;
    }
    for (int i = 0; i < s->m->vertices; i++)
        if (s->next[i] >= 0 && !s->seen[i]) trace(s, i);
}

// ---- its faces --------------------------------------------------------------------------------------------------------------

static void corner_place(double x[3], const Sheet* s, int corner)
{
    x[0] = x[1] = x[2] = 0;
    if (s->axis >= 0) x[s->axis] = s->high ? s->m->high[s->axis] : s->m->low[s->axis];
    x[s->u] = s->low[0] + (corner == 1 || corner == 2 ? s->size[0] : 0);
    x[s->v] = s->low[1] + (corner >= 2 ? s->size[1] : 0);
}

// The vertex of a name in `out`; -1: out of memory. Corners of the tank are made once.
static int vertex_of(Outline* o, const Sheet* s, int name)
{
    if (name < o->m->vertices) return o->base + name;
    double x[3];
    int which = 0;
    corner_place(x, s, name - o->m->vertices);
    for (int d = 0; d < o->m->dim; d++) which |= (x[d] == o->m->high[d]) << d;
    if (o->corner[which] < 0) {
        int id = o->corner[which] = surfacemesh_add_vertex(o->out, x, o->q->id);
        double unit = 1/sqrt(o->m->dim);
        for (int d = 0; d < o->m->dim && id >= 0; d++) o->out->normal[id][d] = which >> d & 1 ? unit : -unit;
    }
    return o->corner[which];
}

static mn_status add_wet(Outline* o, const Sheet* s, const int* name)
{
    int corner[3];
    for (int c = 0; c < o->m->dim; c++) TRY_MEMORY((corner[c] = vertex_of(o, s, name[c])) >= 0);
    TRY_MEMORY(surfacemesh_add_face(o->out, corner, FACE_IS_WET));
    return MN_OK;
}

// 2D: what of the outline is not the mesh.
static mn_status add_segments(Outline* o, const Sheet* s)
{
    for (int l = 0; l < s->loops; l++)
        for (int k = s->first[l]; k < s->first[l + 1]; k++) {
            int name[2] = {s->loop[k], s->loop[k + 1 < s->first[l + 1] ? k + 1 : s->first[l]]};
            bool free = name[0] < s->m->vertices && s->next[name[0]] == name[1];
            if (!free) TRY(add_wet(o, s, name));
        }
    return MN_OK;
}

static mn_status add_triangles(Outline* o, const Sheet* s, Arena* scratch)
{
    double(*point)[2] = arena_take(scratch, sizeof *point*(size_t)(s->m->vertices + 4));
    TRY_MEMORY(point);
    for (int i = 0; i < s->m->vertices + 4; i++) {
        double x[3];
        if (i < s->m->vertices) memcpy(x, s->m->x + 3*i, sizeof x);
        else corner_place(x, s, i - s->m->vertices);
        point[i][0] = x[s->u], point[i][1] = x[s->v];
    }
    Region region = {(const double(*)[2])point, s->loops, s->first, s->loop};
    int(*triangle)[3], count;
    TRY(region_triangles(&triangle, &count, &region, scratch));
    for (int t = 0; t < count; t++) TRY(add_wet(o, s, triangle[t]));
    return MN_OK;
}

static mn_status add_side(Outline* o, Sheet* s, const SurfaceBoundary* ends, Arena* scratch)
{
    s->low[0] = s->m->low[s->u], s->low[1] = s->m->low[s->v];
    s->size[0] = s->m->high[s->u] - s->low[0], s->size[1] = s->m->high[s->v] - s->low[1];
    link_ends(s, ends);
    trace_all(s, o->q);
    return s->axis < 0 ? add_segments(o, s) : add_triangles(o, s, scratch);
}

mn_status membrane_add_outline(SurfaceMesh* out, const MembraneMesh* m, const Liquid* q, Arena* scratch)
{
    assert(out->corners == m->dim && m->dim == q->w.dim);
    Outline o = {.out = out, .m = m, .q = q, .corner = {-1, -1, -1, -1, -1, -1, -1, -1}};
    size_t names = (size_t)m->vertices + 4;
    Sheet s = {.m = m,
               .axis = -1,
               .u = 0,
               .v = 1,
               .next = arena_take(scratch, sizeof *s.next*names),
               .comes = arena_take(scratch, names),
               .seen = arena_take(scratch, names),
               .loop = arena_take(scratch, 6*sizeof *s.loop*names),
               .first = arena_take(scratch, sizeof *s.first*names)};
    TRY_MEMORY(s.next && s.comes && s.seen && s.loop && s.first);
    SurfaceBoundary ends;
    TRY(boundary_find(&ends, m, scratch));
    TRY(add_vertices(&o, scratch));
    TRY(add_elements(&o));
    if (m->dim == 2) return add_side(&o, &s, &ends, scratch);
    for (int side = 0; side < 6; side++) {
        s.axis = side/2, s.high = side & 1;
        s.u = (s.axis + (s.high ? 1 : 2))%3, s.v = (s.axis + (s.high ? 2 : 1))%3;
        TRY(add_side(&o, &s, &ends, scratch));
    }
    return MN_OK;
}

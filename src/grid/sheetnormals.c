#include "grid/sheetnormals.h"

#include <math.h>
#include <stdlib.h>
#include "base/closest.h"
#include "base/vec.h"

static void unit_normal(double n[3], const SheetSurface* s, int element)
{
    const int* v = s->element + s->dim*element;
    double a[3], b[3];
    vec_sub(a, s->x + 3*v[1], s->x + 3*v[0]);
    if (s->dim == 2) n[0] = -a[1], n[1] = a[0], n[2] = 0;
    else {
        vec_sub(b, s->x + 3*v[2], s->x + 3*v[0]);
        vec_cross(n, a, b);
    }
    double length = vec_norm(n);
    for (int d = 0; d < 3; d++) n[d] = length > 0 ? n[d]/length : 0;
}

static double corner_angle(const SheetSurface* s, int element, int corner)
{
    const int* v = s->element + 3*element;
    double a[3], b[3], n[3];
    vec_sub(a, s->x + 3*v[(corner + 1)%3], s->x + 3*v[corner]);
    vec_sub(b, s->x + 3*v[(corner + 2)%3], s->x + 3*v[corner]);
    vec_cross(n, a, b);
    return atan2(vec_norm(n), vec_dot(a, b));
}

static void add(double* sum, const double* v, double weight)
{
    for (int d = 0; d < 3; d++) sum[d] += weight*v[d];
}

// An edge of a triangle, named by its ends in rising order.
typedef struct SheetEdge {
    int low, high, place;  // 3*element + corner
} SheetEdge;

static int by_ends(const void* a, const void* b)
{
    const SheetEdge *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return (p->place > q->place) - (p->place < q->place);
}

static mn_status edges_of_triangles(SheetNormals* n, Arena* arena, const SheetSurface* s)
{
    int count = 3*s->elements;
    SheetEdge* edge = ARENA_NEW(arena, SheetEdge, count);
    TRY_MEMORY(edge);
    TRY_MEMORY(n->edge = ARENA_ZERO(arena, double, 3*count));
    TRY_MEMORY(n->rim_edge = ARENA_ZERO(arena, bool, count));
    for (int m = 0; m < count; m++) {
        int a = s->element[m], b = s->element[m - m%3 + (m + 1)%3];
        edge[m] = (SheetEdge){mini(a, b), maxi(a, b), m};
    }
    qsort(edge, (size_t)count, sizeof *edge, by_ends);
    for (int m = 0; m < count;) {
        int same = 1;
        double sum[3] = {0, 0, 0};
        while (m + same < count && edge[m + same].low == edge[m].low && edge[m + same].high == edge[m].high) same++;
        for (int k = 0; k < same; k++) add(sum, n->face + 3*(edge[m + k].place/3), 1);
        for (int k = 0; k < same; k++) {
            add(n->edge + 3*edge[m + k].place, sum, 1);
            n->rim_edge[edge[m + k].place] = same == 1;
            if (same == 1) n->rim[edge[m].low] = n->rim[edge[m].high] = true;
        }
        m += same;
    }
    return MN_OK;
}

static mn_status elements_around(SheetNormals* n, Arena* arena, const SheetSurface* s)
{
    int corners = s->dim*s->elements;
    TRY_MEMORY(n->first = ARENA_ZERO(arena, int, s->vertices + 2));
    TRY_MEMORY(n->around = ARENA_NEW(arena, int, corners));
    for (int m = 0; m < corners; m++) n->first[s->element[m] + 2]++;
    for (int v = 0; v < s->vertices; v++) n->first[v + 2] += n->first[v + 1];
    for (int m = 0; m < corners; m++) n->around[n->first[s->element[m] + 1]++] = m/s->dim;
    return MN_OK;
}

mn_status sheet_normals(SheetNormals* n, Arena* arena, const SheetSurface* s)
{
    *n = (SheetNormals){0};
    TRY(elements_around(n, arena, s));
    TRY_MEMORY(n->face = ARENA_NEW(arena, double, 3*s->elements));
    TRY_MEMORY(n->vertex = ARENA_ZERO(arena, double, 3*s->vertices));
    TRY_MEMORY(n->rim = ARENA_ZERO(arena, bool, s->vertices));
    for (int e = 0; e < s->elements; e++) {
        unit_normal(n->face + 3*e, s, e);
        for (int c = 0; c < s->dim; c++) {
            int v = s->element[s->dim*e + c];
            add(n->vertex + 3*v, n->face + 3*e, s->dim == 3 ? corner_angle(s, e, c) : 1);
        }
    }
    if (s->dim == 3) return edges_of_triangles(n, arena, s);
    for (int v = 0; v < s->vertices; v++) n->rim[v] = n->first[v + 1] - n->first[v] == 1;
    return MN_OK;
}

// ---- walls ------------------------------------------------------------------------------------------------------------------

// Of the window's length along an axis, cells from its corner: does a vertex lie within half a cell of the side?
static bool is_at_side(const SheetSurface* s, int vertex, const Window* w, int side)
{
    int axis = side/2;
    double place = s->x[3*vertex + axis]/w->dx - w->lo[axis];
    return fabs(place - (side%2 ? w->n[axis] : 0)) <= 0.5;
}

// A surface that grows: its arrays, for writing.
typedef struct Growing {
    double *x, *v;  // v: NULL where it stands still
    int* element;
    int* of;     // per vertex, of the sheets as they were given
    int* image;  // per vertex: its image past the side; 0: none yet
} Growing;

// A surface with room for more, which it is copied to.
static mn_status copy_with_room(SheetSurface* out, Growing* g, Arena* arena, const SheetSurface* s, int more)
{
    TRY_MEMORY(g->x = ARENA_NEW(arena, double, 3*(s->vertices + 2*more)));
    if (s->v) TRY_MEMORY(g->v = ARENA_NEW(arena, double, 3*(s->vertices + 2*more)));
    TRY_MEMORY(g->element = ARENA_NEW(arena, int, s->dim*(s->elements + 2*more)));
    TRY_MEMORY(g->of = ARENA_NEW(arena, int, s->vertices + 2*more));
    for (int m = 0; m < 3*s->vertices; m++) g->x[m] = s->x[m];
    for (int m = 0; m < s->vertices; m++) g->of[m] = s->of ? s->of[m] : m;
    for (int m = 0; m < 3*s->vertices && s->v; m++) g->v[m] = s->v[m];
    for (int m = 0; m < s->dim*s->elements; m++) g->element[m] = s->element[m];
    *out = (SheetSurface){s->dim, g->x, s->vertices, g->element, s->elements, g->v, g->of};
    return MN_OK;
}

// The image of a vertex far past the side, which moves as it does; made once.
static int image_of(Growing* g, SheetSurface* out, int vertex, const Window* w, int side)
{
    if (g->image[vertex] > 0) return g->image[vertex];
    int made = out->vertices++, axis = side/2;
    for (int d = 0; d < 3; d++) g->x[3*made + d] = g->x[3*vertex + d];
    for (int d = 0; d < 3 && g->v; d++) g->v[3*made + d] = g->v[3*vertex + d];
    g->of[made] = g->of[vertex];
    g->x[3*made + axis] += (side%2 ? 1 : -1)*(w->ghost + 2)*w->dx;
    return g->image[vertex] = made;
}

static mn_status past_side(SheetSurface* out, Arena* arena, const SheetSurface* s, const Window* w, int side)
{
    SheetNormals n;
    Growing g = {.image = ARENA_ZERO(arena, int, s->vertices)};
    int rims = 0, edges = s->dim == 3 ? 3*s->elements : 2*s->elements;
    TRY_MEMORY(g.image);
    TRY(sheet_normals(&n, arena, s));
    for (int m = 0; m < edges; m++) rims += s->dim == 3 ? n.rim_edge[m] : n.rim[s->element[m]];
    TRY(copy_with_room(out, &g, arena, s, rims));
    for (int m = 0; m < edges; m++) {
        int a = s->element[m], b = s->dim == 3 ? s->element[m - m%3 + (m + 1)%3] : a;
        bool rim = s->dim == 3 ? n.rim_edge[m] : n.rim[a];
        if (!rim || !is_at_side(s, a, w, side) || !is_at_side(s, b, w, side)) continue;
        int *e = g.element + s->dim*out->elements, far = image_of(&g, out, a, w, side);
        if (s->dim == 2) {
            e[m%2] = far, e[1 - m%2] = a;  // goes on from where the segment ends, or comes to where it begins
            out->elements++;
        } else {
            int other = image_of(&g, out, b, w, side);
            e[0] = b, e[1] = a, e[2] = far, e[3] = b, e[4] = far, e[5] = other;
            out->elements += 2;
        }
    }
    return MN_OK;
}

mn_status sheet_past_walls(SheetSurface* out, Arena* arena, const SheetSurface* s, const Window* w)
{
    *out = *s;
    for (int side = 0; side < 2*w->dim; side++) {
        SheetSurface before = *out;
        if (side_is_closed(w->side[side])) TRY(past_side(out, arena, &before, w, side));
    }
    return MN_OK;
}

// ---- the nearest point ------------------------------------------------------------------------------------------------------

double sheet_nearest(double weight[3], const SheetSurface* s, int element, const double x[3])
{
    const int* v = s->element + s->dim*(ptrdiff_t)element;
    const double *a = s->x + 3*(ptrdiff_t)v[0], *b = s->x + 3*(ptrdiff_t)v[1];
    if (s->dim == 3) return sqrt(closest_on_triangle(weight, x, a, b, s->x + 3*(ptrdiff_t)v[2]));
    double away[3];
    weight[1] = closest_on_edge(x, a, b), weight[0] = 1 - weight[1], weight[2] = 0;
    for (int d = 0; d < 3; d++) away[d] = x[d] - weight[0]*a[d] - weight[1]*b[d];
    return vec_norm(away);
}

void sheet_foot(SheetFoot* f, const SheetSurface* s, const SheetNormals* n, int element, const double x[3])
{
    const int* v = s->element + s->dim*element;
    const double* corner[3] = {s->x + 3*v[0], s->x + 3*v[1], s->dim == 3 ? s->x + 3*v[2] : NULL};
    f->weight[2] = 0;
    if (s->dim == 3) closest_on_triangle(f->weight, x, corner[0], corner[1], corner[2]);
    else f->weight[1] = closest_on_edge(x, corner[0], corner[1]), f->weight[0] = 1 - f->weight[1];
    int touched = 0, last = 0, missing = 0;
    for (int d = 0; d < 3; d++) f->x[d] = 0;
    for (int c = 0; c < s->dim; c++) {
        add(f->x, corner[c], f->weight[c]);
        if (f->weight[c] > 0) touched++, last = c;
        else missing = c;
    }
    const double* normal = n->face + 3*element;
    f->on_rim = false;
    if (touched == 1) normal = n->vertex + 3*v[last], f->on_rim = n->rim[v[last]];
    else if (touched == 2 && s->dim == 3) {
        int edge = 3*element + (missing + 1)%3;  // from the corner after the missing one to the next
        normal = n->edge + 3*edge, f->on_rim = n->rim_edge[edge];
    }
    double away[3];
    vec_sub(away, x, f->x);
    f->distance = vec_norm(away);
    for (int d = 0; d < 3; d++) f->n[d] = normal[d];
}

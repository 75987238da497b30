// Built-in forms of sheets as meshes.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "scene/sheets.h"

// ---- the mesh --------------------------------------------------------------------------------------------------------------

void sheets_free(SceneSheets* s)
{
    free(s->sheet), free(s->x), free(s->element), free(s->held);
    *s = (SceneSheets){0};
}

int sheets_owner(const SceneSheets* s, int element)
{
    int m = 0;
    while (m + 1 < s->count && element >= s->sheet[m + 1].first_element) m++;
    return m;
}

// Of all sheets together: so that no scene asks for more than memory has.
enum { MOST_PIECES = 5000000 };

// Doubles the room when it is full.
static mn_status make_room(void** array, int* room, int count, size_t size)
{
    if (count < *room) return MN_OK;
    if (count >= MOST_PIECES) return mn_fail(MN_BAD_SCENE, "sheets of more than %d vertices or elements", MOST_PIECES);
    int larger = maxi(256, 2*count);
    void* grown = realloc(*array, (size_t)larger*size);
    if (!grown) return mn_fail(MN_NO_MEMORY, "no memory for sheets of %d vertices or elements", larger);
    *array = grown, *room = larger;
    return MN_OK;
}

mn_status sheet_add_vertex(SceneSheets* s, const double x[3])
{
    SheetSurface* f = &s->surface;
    TRY(make_room((void**)&s->x, &s->vertex_room, f->vertices, 3*sizeof *s->x));
    TRY(make_room((void**)&s->held, &s->held_room, f->vertices, sizeof *s->held));
    s->held[f->vertices] = 0;
    memcpy(s->x + 3*(ptrdiff_t)f->vertices++, x, 3*sizeof *s->x);
    f->x = s->x;
    s->sheet[s->count - 1].vertices++;
    return MN_OK;
}

mn_status sheet_add_element(SceneSheets* s, int a, int b, int c)
{
    SheetSurface* f = &s->surface;
    SceneSheet* sheet = &s->sheet[s->count - 1];
    assert(f->dim == 2 || f->dim == 3);
    TRY(make_room((void**)&s->element, &s->element_room, f->elements, (size_t)f->dim*sizeof *s->element));
    const int corner[3] = {sheet->first_vertex + a, sheet->first_vertex + b, sheet->first_vertex + c};
    memcpy(s->element + f->dim*(ptrdiff_t)f->elements++, corner, (size_t)f->dim*sizeof *corner);
    f->element = s->element;
    sheet->elements++;
    return MN_OK;
}

// ---- curved things ---------------------------------------------------------------------------------------------------------

// Pieces for an arc: of at most this length, and at least 32 for a whole turn.
static int pieces_of(double angle, double radius, double piece)
{
    double most = 1e6, count = ceil(fmax(angle*radius/piece, 16*angle/PI) - 1e-9);
    return (int)clamp(count, 1, most);
}

void sheet_directions(double u[3], double v[3], const double axis[3])
{
    double n[3], length = vec_norm(axis);
    int least = 0;
    for (int d = 0; d < 3; d++) n[d] = axis[d]/length;
    for (int d = 1; d < 3; d++)
        if (fabs(n[d]) < fabs(n[least])) least = d;
    vec_cross(u, n, (double[3]){least == 0, least == 1, least == 2});
    length = vec_norm(u);
    for (int d = 0; d < 3; d++) u[d] /= length;
    vec_cross(v, n, u);
}

// `count` vertices around an axis.
static mn_status add_ring(SceneSheets* s, const double center[3], const double axis[3], double radius, int count)
{
    double u[3], v[3], x[3];
    sheet_directions(u, v, axis);
    for (int m = 0; m < count; m++) {
        double a = 2*PI*m/count;
        for (int d = 0; d < 3; d++) x[d] = center[d] + radius*(cos(a)*u[d] + sin(a)*v[d]);
        TRY(sheet_add_vertex(s, x));
    }
    return MN_OK;
}

// Triangles from a point to a ring of vertices; the normal along the axis that the ring goes round by the right hand, or against
// it.
static mn_status add_fan(SceneSheets* s, int point, int ring, int count, bool along)
{
    for (int m = 0; m < count; m++) {
        int a = ring + m, b = ring + (m + 1)%count;
        TRY(sheet_add_element(s, point, along ? a : b, along ? b : a));
    }
    return MN_OK;
}

// Triangles between two rings, `up` further along the axis; the normal towards the axis.
static mn_status add_belt(SceneSheets* s, int low, int up, int count)
{
    for (int m = 0; m < count; m++) {
        int next = (m + 1)%count;
        TRY(sheet_add_element(s, low + m, up + m, low + next));
        TRY(sheet_add_element(s, low + next, up + m, up + next));
    }
    return MN_OK;
}

// ---- forms -----------------------------------------------------------------------------------------------------------------

mn_status sheet_add_curve(SceneSheets* s, const double (*point)[3], int points, bool closed)
{
    for (int m = 0; m < points; m++) TRY(sheet_add_vertex(s, point[m]));
    for (int m = 0; m < points - !closed; m++) TRY(sheet_add_element(s, m, (m + 1)%points, 0));
    return MN_OK;
}

mn_status sheet_add_arc(SceneSheets* s, const double center[3], double radius, double from, double to, double piece)
{
    assert(to > from);
    bool closed = to - from > 2*PI*(1 - 1e-9);
    int n = pieces_of(to - from, radius, piece);
    for (int m = 0; m < n + !closed; m++) {
        double a = from + (to - from)*m/n;
        TRY(sheet_add_vertex(s, (double[3]){center[0] + radius*cos(a), center[1] + radius*sin(a), 0}));
    }
    for (int m = 0; m < n; m++) TRY(sheet_add_element(s, m, closed ? (m + 1)%n : m + 1, 0));
    return MN_OK;
}

mn_status sheet_add_rectangle(SceneSheets* s, const double corner[3], const double along[3], const double across[3])
{
    for (int m = 0; m < 4; m++) {
        double x[3];
        for (int d = 0; d < 3; d++) x[d] = corner[d] + (m == 1 || m == 2 ? along[d] : 0) + (m >= 2 ? across[d] : 0);
        TRY(sheet_add_vertex(s, x));
    }
    TRY(sheet_add_element(s, 0, 1, 2));
    return sheet_add_element(s, 0, 2, 3);
}

mn_status sheet_add_disc(SceneSheets* s, const double center[3], const double normal[3], double radius, double piece)
{
    int n = pieces_of(2*PI, radius, piece);
    TRY(sheet_add_vertex(s, center));
    TRY(add_ring(s, center, normal, radius, n));
    return add_fan(s, 0, 1, n, true);
}

// Bottom and sides of a cup in the plane, from the one on the left of the way up to the other: the inside is on the left of the
// curve.
static mn_status add_flat_cup(SceneSheets* s, const double from[3], const double to[3], double radius)
{
    double way[3], x[4][3];
    vec_sub(way, to, from);
    double length = vec_norm(way), left[3] = {-way[1]/length, way[0]/length, 0};
    for (int m = 0; m < 4; m++)
        for (int d = 0; d < 3; d++) x[m][d] = (m == 0 || m == 3 ? to[d] : from[d]) + (m < 2 ? radius : -radius)*left[d];
    return sheet_add_curve(s, x, 4, false);
}

mn_status sheet_add_tube(SceneSheets* s, const double from[3], const double to[3], double radius, bool bottom, double piece)
{
    if (s->surface.dim == 2) return add_flat_cup(s, from, to, radius);
    double axis[3];
    vec_sub(axis, to, from);
    int n = pieces_of(2*PI, radius, piece);
    TRY(add_ring(s, from, axis, radius, n));
    TRY(add_ring(s, to, axis, radius, n));
    TRY(add_belt(s, 0, n, n));
    if (!bottom) return MN_OK;
    TRY(sheet_add_vertex(s, from));
    return add_fan(s, 2*n, 0, n, true);
}

mn_status sheet_add_dome(SceneSheets* s, const double center[3], const double axis[3], double radius, double angle, double piece)
{
    bool closed = angle > PI*(1 - 1e-9);
    int rings = pieces_of(angle, radius, piece), n = pieces_of(2*PI, radius*sin(fmin(angle, PI/2)), piece);
    double length = vec_norm(axis), x[3];
    if (closed) rings = maxi(rings, 2);
    for (int d = 0; d < 3; d++) x[d] = center[d] + radius*axis[d]/length;
    TRY(sheet_add_vertex(s, x));
    for (int r = 1; r <= rings - closed; r++) {
        double theta = angle*r/rings, middle[3];
        for (int d = 0; d < 3; d++) middle[d] = center[d] + radius*cos(theta)*axis[d]/length;
        TRY(add_ring(s, middle, axis, radius*sin(theta), n));
        // rings go against the axis, away from the first point
        if (r == 1) TRY(add_fan(s, 0, 1, n, false));
        else TRY(add_belt(s, 1 + (r - 1)*n, 1 + (r - 2)*n, n));
    }
    if (!closed) return MN_OK;
    for (int d = 0; d < 3; d++) x[d] = center[d] - radius*axis[d]/length;
    TRY(sheet_add_vertex(s, x));
    int last = 1 + (rings - 1)*n;
    return add_fan(s, last, last - n, n, true);
}

#include "grid/marching.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "grid/cutcell.h"
#include "grid/interpolate.h"

// ---- the mesh ------------------------------------------------------------------------------------------------------------

void surfacemesh_free(SurfaceMesh* mesh)
{
    free(mesh->position);
    free(mesh->normal);
    free(mesh->velocity);
    free(mesh->owner);
    free(mesh->face);
    free(mesh->kind);
    *mesh = (SurfaceMesh){.corners = mesh->corners};
}

// An array that could not grow keeps its old contents, so the mesh stays valid.
static bool grow(void* array, size_t size, int room)
{
    void** p = array;
    void* more = realloc(*p, size*(size_t)room);
    if (more) *p = more;
    return more != NULL;
}

static bool make_room(SurfaceMesh* m)
{
    if (m->vertex_count > INT_MAX/4 || m->face_count > INT_MAX/4) return false;
    if (m->vertex_count == m->vertex_room) {
        int room = maxi(1024, 2*m->vertex_room);
        if (!grow(&m->position, sizeof *m->position, room) || !grow(&m->normal, sizeof *m->normal, room) ||
            !grow(&m->velocity, sizeof *m->velocity, room) || !grow(&m->owner, sizeof *m->owner, room))
            return false;
        m->vertex_room = room;
    }
    if (m->face_count == m->face_room) {
        int room = maxi(1024, 2*m->face_room);
        if (!grow(&m->face, sizeof(int)*(size_t)m->corners, room) || !grow(&m->kind, 1, room)) return false;
        m->face_room = room;
    }
    return true;
}

int surfacemesh_add_vertex(SurfaceMesh* m, const double position[3], int owner)
{
    if (!make_room(m)) return -1;
    int id = m->vertex_count++;
    for (int d = 0; d < 3; d++) m->position[id][d] = position[d], m->normal[id][d] = 0, m->velocity[id][d] = 0;
    m->owner[id] = owner;
    return id;
}

bool surfacemesh_add_face(SurfaceMesh* m, const int* corner, int kind)
{
    if (!make_room(m)) return false;
    memcpy(m->face + (ptrdiff_t)m->corners*m->face_count, corner, sizeof(int)*(size_t)m->corners);
    m->kind[m->face_count++] = (unsigned char)kind;
    return true;
}

double surfacemesh_volume(const SurfaceMesh* m)
{
    double sum = 0;
    for (int f = 0; f < m->face_count; f++) {
        const int* c = m->face + (ptrdiff_t)m->corners*f;
        const double *origin = m->position[0], *a = m->position[c[0]], *b = m->position[c[1]];
        double oa[3], ob[3], oc[3] = {0, 0, 0}, n[3];
        vec_sub(oa, a, origin), vec_sub(ob, b, origin);
        vec_cross(n, oa, ob);
        if (m->corners == 3) vec_sub(oc, m->position[c[2]], origin);
        sum += m->corners == 2 ? n[2]/2 : vec_dot(n, oc)/6;
    }
    return sum;
}

double surfacemesh_area(const SurfaceMesh* m, int kind)
{
    double sum = 0;
    for (int f = 0; f < m->face_count; f++) {
        if (m->kind[f] != kind) continue;
        const int* c = m->face + (ptrdiff_t)m->corners*f;
        double ab[3], ac[3], n[3] = {0, 0, 0};
        vec_sub(ab, m->position[c[1]], m->position[c[0]]);
        if (m->corners == 3) {
            vec_sub(ac, m->position[c[2]], m->position[c[0]]);
            vec_cross(n, ab, ac);
        }
        sum += m->corners == 2 ? vec_norm(ab) : 0.5*vec_norm(n);
    }
    return sum;
}

// ---- vertices ------------------------------------------------------------------------------------------------------------

// Tables of the vertices made so far, by the grid edge or node they lie on: 0 is none, else index + 1. From calloc, so that
// pages far from the surface are never touched.
typedef struct March {
    SurfaceMesh* mesh;
    const MarchingInput* in;
    const Window* w;
    double scale;  // 1/dx
    int* edge[3];  // by the edge's low node
    int* node;
    bool failed;  // memory is out; the mesh is put back at the end
} March;

// What is meshed, in cells: phi and the complement of the solid, moved off zero. phi alone decides that a node is dry, so
// solid values far from the liquid do no harm.
static double level(const March* m, ptrdiff_t at)
{
    double v = m->in->phi[at];
    if (m->in->solid) v = fmax(v, -m->in->solid[at]);
    return cut_snap(v*m->scale);
}

// Is this point (in cells) nearer to the solid than to the free surface?
static bool at_solid(const March* m, const double x[3])
{
    if (!m->in->solid) return false;
    double y[3] = {0, 0, 0};  // off the high sides, where interpolation would read a ghost
    for (int d = 0; d < m->w->dim; d++) y[d] = clamp(x[d], 0, m->w->n[d] - 1e-9);
    return -node_value(m->in->solid, m->w, y) > node_value(m->in->phi, m->w, y);
}

// Adds weight times the gradient of a node field: central inside, one-sided at the sides of the window.
static void add_gradient(double out[3], const March* m, const double* v, const int node[3], double weight)
{
    ptrdiff_t at = window_at(m->w, node[0], node[1], node[2]);
    for (int d = 0; d < m->w->dim; d++) {
        ptrdiff_t s = window_stride(m->w, d);
        int low = node[d] > 0, high = node[d] < m->w->n[d];
        out[d] += weight*(v[at + high*s] - v[at - low*s])/(low + high);
    }
}

// A vertex at a place given in cells; its normal is `n` made a unit vector.
static int add_vertex(March* m, const double x[3], const double n[3])
{
    double position[3], norm = vec_norm(n);
    window_position(position, m->w, x[0], x[1], x[2]);
    int id = surfacemesh_add_vertex(m->mesh, position, m->in->owner);
    if (id < 0) {
        m->failed = true;
        return 0;
    }
    for (int d = 0; d < 3; d++) m->mesh->normal[id][d] = norm > 0 ? n[d]/norm : 0;
    if (m->in->u) face_velocity(m->mesh->velocity[id], m->in->u, m->w, x);
    return id;
}

static int edge_low_corner(int edge)
{
    int axis = edge/4, q = edge%4;
    return axis == 0 ? q << 1 : axis == 1 ? (q & 1) + (q >> 1)*4 : q;
}

// The vertex where the surface crosses an edge of a cell (edges as in cutcell.h). Its place is computed from the low end of
// the edge, so every cell finds the same one.
static int edge_vertex(March* m, const int cell[3], int edge)
{
    int c = edge_low_corner(edge), axis = edge/4;
    int a[3] = {cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)}, b[3] = {a[0], a[1], a[2]};
    b[axis]++;
    ptrdiff_t at = window_at(m->w, a[0], a[1], a[2]);
    int* known = &m->edge[axis][at];
    if (*known) return *known - 1;
    double va = level(m, at), vb = level(m, at + window_stride(m->w, axis)), t = va/(va - vb);
    double x[3] = {a[0], a[1], a[2]}, n[3] = {0, 0, 0};
    x[axis] += t;
    bool solid = at_solid(m, x);
    const double* field = solid ? m->in->solid : m->in->phi;
    double sign = solid ? -1 : 1;
    add_gradient(n, m, field, a, sign*(1 - t));
    add_gradient(n, m, field, b, sign*t);
    if (!(vec_norm(n) > 0)) n[axis] = va < 0 ? 1 : -1;  // a sheet of one node: the edge at least points out of the liquid
    int id = add_vertex(m, x, n);
    *known = id + 1;
    return id;
}

// A wet node on a side of the window; its normal is that of the side, or between those of several.
static int node_vertex(March* m, const int cell[3], int corner)
{
    int a[3] = {cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2)};
    int* known = &m->node[window_at(m->w, a[0], a[1], a[2])];
    if (*known) return *known - 1;
    double x[3] = {a[0], a[1], a[2]}, n[3] = {0, 0, 0};
    for (int d = 0; d < m->w->dim; d++) n[d] = (a[d] == m->w->n[d]) - (a[d] == 0);
    int id = add_vertex(m, x, n);
    *known = id + 1;
    return id;
}

// ---- faces ---------------------------------------------------------------------------------------------------------------

static void add_wet_face(March* m, const int* corner)
{
    if (!m->failed && !surfacemesh_add_face(m->mesh, corner, FACE_IS_WET)) m->failed = true;
}

static void add_surface_face(March* m, const int* corner)
{
    if (m->failed) return;
    double x[3] = {0, 0, 0};
    int corners = m->mesh->corners;
    for (int c = 0; c < corners; c++)
        for (int d = 0; d < m->w->dim; d++) x[d] += m->mesh->position[corner[c]][d]/corners;
    for (int d = 0; d < m->w->dim; d++) x[d] = x[d]*m->scale - m->w->lo[d];
    if (!surfacemesh_add_face(m->mesh, corner, at_solid(m, x) ? FACE_IS_WET : FACE_IS_FREE)) m->failed = true;
}

// A vertex in the middle of a loop, where the patch of cutcell.c has it.
static int loop_middle(March* m, const int* loop, int n)
{
    double x[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
    for (int a = 0; a < n; a++)
        for (int d = 0; d < 3; d++) {
            x[d] += m->mesh->position[loop[a]][d]/n;
            normal[d] += m->mesh->normal[loop[a]][d];
        }
    for (int d = 0; d < 3; d++) x[d] = x[d]*m->scale - m->w->lo[d];
    return add_vertex(m, x, normal);
}

// Loops longer than a triangle become fans around their middle.
static void add_loop(March* m, const int* loop, int n)
{
    if (n == 3) {
        add_surface_face(m, loop);
        return;
    }
    int middle = loop_middle(m, loop, n);
    for (int a = 0; a < n; a++) add_surface_face(m, (int[3]){middle, loop[a], loop[(a + 1)%n]});
}

// Corner values of a cell; returns how many are wet.
static int cell_levels(double v[8], const March* m, const int cell[3])
{
    const Window* w = m->w;
    ptrdiff_t at = window_at(w, cell[0], cell[1], cell[2]);
    int corners = w->dim == 3 ? 8 : 4, wet = 0;
    for (int c = 0; c < corners; c++) wet += m->in->phi[at + (c & 1) + (c >> 1 & 1)*w->sy + (c >> 2)*w->sz] < 0;
    if (wet == 0 || (wet == corners && !m->in->solid)) {
        for (int c = 0; c < corners; c++) v[c] = wet ? -1 : 1;
        return wet;
    }
    wet = 0;
    for (int c = 0; c < corners; c++) {
        v[c] = level(m, at + (c & 1) + (c >> 1 & 1)*w->sy + (c >> 2)*w->sz);
        wet += v[c] < 0;
    }
    return wet;
}

static void surface_of_cell_3d(March* m, const int cell[3], const double v[8])
{
    signed char next[12];
    cut_loops_3d(next, v);
    for (int e = 0; e < 12; e++) {
        int loop[CUT_LOOP_MAX], n = 0;
        for (int q = e; next[q] >= 0 && !m->failed;) {
            loop[n++] = edge_vertex(m, cell, q);
            int after = next[q];
            next[q] = -1;  // consumed
            q = after;
        }
        if (n > 0 && !m->failed) add_loop(m, loop, n);
    }
}

static void surface_of_cell_2d(March* m, const int cell[3], const double v[4])
{
    signed char segment[2][2];
    int segments = cut_segments_2d(segment, v);
    for (int s = 0; s < segments; s++) {
        // cut segments have the liquid on their right
        int ends[2] = {edge_vertex(m, cell, segment[s][1]), edge_vertex(m, cell, segment[s][0])};
        add_surface_face(m, ends);
    }
}

// ---- sides ---------------------------------------------------------------------------------------------------------------

// Corners of the six faces, counter-clockwise seen from outside the cell, as in cutcell.c; in 2D of the four sides, with the
// cell to the left.
static const unsigned char side_corner[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
static const unsigned char side_ends_2d[4][2] = {{2, 0}, {1, 3}, {0, 1}, {3, 2}};

static int edge_between(int a, int b)
{
    int low = a & b, axis = (a ^ b) >> 1;  // 1, 2, 4 -> 0, 1, 2
    if (axis == 0) return low >> 1;
    if (axis == 1) return 4 + (low & 1) + (low >> 2)*2;
    return 8 + low;
}

// Two opposite wet corners: are they one piece? The cell's own loops decide, so that both fit together whatever rounding does:
// a piece of its own is cut off by a segment from where the walk enters it to where it leaves.
static bool pieces_are_joined(const signed char next[12], const unsigned char corner[4], int wet)
{
    int enter = edge_between(corner[(wet + 3) & 3], corner[wet]), leave = edge_between(corner[wet], corner[(wet + 1) & 3]);
    return next[enter] != leave;
}

// The wet part of one face of a cell, as fans.
static void close_face_3d(March* m, const int cell[3], const double v[8], int side)
{
    const unsigned char* corner = side_corner[side];
    bool wet[4];
    int count = 0;
    for (int c = 0; c < 4; c++) count += wet[c] = v[corner[c]] < 0;
    if (count == 0) return;
    bool joined = true;
    int start = 0;
    if (count == 2 && wet[0] == wet[2]) {
        signed char next[12];
        cut_loops_3d(next, v);
        joined = pieces_are_joined(next, corner, wet[0] ? 0 : 1);
        if (!joined && wet[0]) start = 3;  // so that no piece is cut by the walk's start
    }
    int polygon[8], n = 0;
    for (int q = 0; q < 4 && !m->failed; q++) {
        int a = (start + q) & 3, b = (a + 1) & 3;
        if (wet[a]) polygon[n++] = node_vertex(m, cell, corner[a]);
        if (wet[a] != wet[b]) polygon[n++] = edge_vertex(m, cell, edge_between(corner[a], corner[b]));
        bool ends = q == 3 || (!joined && wet[a]);
        if (!ends) continue;
        for (int c = 2; c < n; c++) add_wet_face(m, (int[3]){polygon[0], polygon[c - 1], polygon[c]});
        n = 0;
    }
}

static void close_face_2d(March* m, const int cell[3], const double v[4], int side)
{
    int a = side_ends_2d[side][0], b = side_ends_2d[side][1];
    if (v[a] >= 0 && v[b] >= 0) return;
    int from = v[a] < 0 ? node_vertex(m, cell, a) : edge_vertex(m, cell, edge_between(a, b));
    int to = v[b] < 0 ? node_vertex(m, cell, b) : edge_vertex(m, cell, edge_between(a, b));
    add_wet_face(m, (int[2]){from, to});
}

static void close_side(March* m, int side)
{
    const Window* w = m->w;
    int axis = side/2, a[3] = {0, 0, 0}, b[3] = {w->n[0], w->n[1], w->n[2]};
    a[axis] = side & 1 ? w->n[axis] - 1 : 0;
    b[axis] = a[axis] + 1;
    for (int k = a[2]; k < b[2]; k++)
        for (int j = a[1]; j < b[1]; j++)
            for (int i = a[0]; i < b[0] && !m->failed; i++) {
                int cell[3] = {i, j, k};
                double v[8];
                if (cell_levels(v, m, cell) == 0) continue;
                if (w->dim == 3) close_face_3d(m, cell, v, side);
                else close_face_2d(m, cell, v, side);
            }
}

// ---- all of it -----------------------------------------------------------------------------------------------------------

static void march(March* m)
{
    const Window* w = m->w;
    int corners = w->dim == 3 ? 8 : 4;
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0] && !m->failed; i++) {
                int cell[3] = {i, j, k};
                double v[8];
                int wet = cell_levels(v, m, cell);
                if (wet == 0 || wet == corners) continue;
                if (w->dim == 3) surface_of_cell_3d(m, cell, v);
                else surface_of_cell_2d(m, cell, v);
            }
    for (int side = 0; side < 2*w->dim; side++) close_side(m, side);
}

mn_status marching_add(SurfaceMesh* mesh, const MarchingInput* in)
{
    const Window* w = in->w;
    mesh->corners = w->dim == 3 ? 3 : 2;
    int vertices = mesh->vertex_count, faces = mesh->face_count;
    March m = {.mesh = mesh, .in = in, .w = w, .scale = 1/w->dx};
    int* table[4];
    for (int t = 0; t < 4; t++) {
        table[t] = t == 2 && w->dim == 2 ? NULL : calloc(w->count, sizeof(int));
        m.failed = m.failed || (!table[t] && !(t == 2 && w->dim == 2));
        if (t < 3) m.edge[t] = table[t] ? table[t] + w->origin : NULL;
        else m.node = table[t] ? table[t] + w->origin : NULL;
    }
    if (!m.failed) march(&m);
    for (int t = 0; t < 4; t++) free(table[t]);
    if (!m.failed) return MN_OK;
    mesh->vertex_count = vertices, mesh->face_count = faces;
    return mn_fail(MN_NO_MEMORY, "out of memory: the surface of liquid %d", in->owner);
}

#include "grid/marching.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "grid/cutcell.h"
#include "grid/interpolate.h"

// ---- vertices ------------------------------------------------------------------------------------------------------------

// A triangle (corner, a, b) whose corner lies on the contact line and whose side a to b, on a face of its cell, reaches over it.
typedef struct Crossing {
    int corner, a, b;
} Crossing;

// Tables of the vertices made so far, by the grid edge or node they lie on: 0 is none, else index + 1. From calloc, so that
// pages far from the surface are never touched.
typedef struct March {
    SurfaceMesh* mesh;
    const MarchingInput* in;
    const Window* w;
    double scale;  // 1/dx
    int* edge[3];  // by the edge's low node
    int* node;
    Crossing* crossing;  // faces that reach over the contact line, kept until all cells are done
    int crossings, crossing_room;
    bool failed;  // memory is out; the mesh is put back at the end
} March;

// What is meshed, in cells: phi and the complement of the solid, moved off zero. phi alone decides that a node is dry, so
// solid values far from the liquid do no harm.
static double level(const March* m, ptrdiff_t at)
{
    double v = m->in->phi[at];
    if (m->in->solid) v = fmax(v, -m->in->solid[at]);
    return cut_snap(v * m->scale);
}

// How far along an edge of the grid the surface lies, from its end `at` on. Both fields are linear there: from the wet end on the
// liquid ends where the first of them does. One crossing of the larger of both would cut the corner between them.
static double crossing_on_edge(const March* m, ptrdiff_t at, ptrdiff_t step)
{
    bool low_is_wet = level(m, at) < 0;
    ptrdiff_t wet = low_is_wet ? at : at + step, dry = low_is_wet ? at + step : at;
    double end = 1;
    for (int f = 0; f < (m->in->solid ? 2 : 1); f++) {
        const double* field = f == 0 ? m->in->phi : m->in->solid;
        double sign = f == 0 ? m->scale : -m->scale, a = cut_snap(sign * field[wet]), b = cut_snap(sign * field[dry]);
        if (b >= 0) end = fmin(end, a / (a - b));
    }
    return low_is_wet ? end : 1 - end;
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
        out[d] += weight * (v[at + high * s] - v[at - low * s]) / (low + high);
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
    for (int d = 0; d < 3; d++) m->mesh->normal[id][d] = norm > 0 ? n[d] / norm : 0;
    if (m->in->u) face_velocity(m->mesh->velocity[id], m->in->u, m->w, x);
    return id;
}

static int edge_low_corner(int edge)
{
    int axis = edge / 4, q = edge % 4;
    return axis == 0 ? q << 1 : axis == 1 ? (q & 1) + (q >> 1) * 4 : q;
}

// The vertex where the surface crosses an edge of a cell (edges as in cutcell.h). Its place is computed from the low end of
// the edge, so every cell finds the same one.
static int edge_vertex(March* m, const int cell[3], int edge)
{
    int c = edge_low_corner(edge), axis = edge / 4;
    int a[3] = {cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)}, b[3] = {a[0], a[1], a[2]};
    b[axis]++;
    ptrdiff_t at = window_at(m->w, a[0], a[1], a[2]);
    int* known = &m->edge[axis][at];
    if (*known) return *known - 1;
    double t = crossing_on_edge(m, at, window_stride(m->w, axis)), x[3] = {a[0], a[1], a[2]}, n[3] = {0, 0, 0};
    x[axis] += t;
    bool solid = at_solid(m, x);
    const double* field = solid ? m->in->solid : m->in->phi;
    double sign = solid ? -1 : 1;
    add_gradient(n, m, field, a, sign * (1 - t));
    add_gradient(n, m, field, b, sign * t);
    if (!(vec_norm(n) > 0))
        n[axis] = level(m, at) < 0 ? 1 : -1;  // a sheet of one node: the edge at least points out of the liquid
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
        for (int d = 0; d < m->w->dim; d++) x[d] += m->mesh->position[corner[c]][d] / corners;
    for (int d = 0; d < m->w->dim; d++) x[d] = x[d] * m->scale - m->w->lo[d];
    if (!surfacemesh_add_face(m->mesh, corner, at_solid(m, x) ? FACE_IS_WET : FACE_IS_FREE)) m->failed = true;
}

// A mesh vertex's place, in cells of the window.
static void place_in_cells(double x[3], const March* m, int vertex)
{
    for (int d = 0; d < 3; d++) x[d] = m->mesh->position[vertex][d] * m->scale - m->w->lo[d];
}

static bool vertex_at_solid(const March* m, int vertex)
{
    double x[3];
    place_in_cells(x, m, vertex);
    if (m->w->dim == 2) x[2] = 0;
    return at_solid(m, x);
}

// A node field, in cells, and its gradient at a point in or near a cell: multilinear in it, so that differences across are exact, and
// carried on linearly.
static double value_in_cell(double gradient[3], const March* m, const double* field, const int cell[3], const double x[3])
{
    const double width = 1 - 1e-9;  // off the high side, where interpolation would read a ghost
    double y[3] = {0, 0, 0}, beyond = 0;
    for (int d = 0; d < m->w->dim; d++) y[d] = clamp(x[d], cell[d], cell[d] + width);
    for (int d = 0; d < m->w->dim; d++) {
        double low[3] = {y[0], y[1], y[2]}, high[3] = {y[0], y[1], y[2]};
        low[d] = cell[d], high[d] = cell[d] + width;
        gradient[d] = m->scale * (node_value(field, m->w, high) - node_value(field, m->w, low)) / width;
        beyond += gradient[d] * (x[d] - y[d]);
    }
    return m->scale * node_value(field, m->w, y) + beyond;
}

// Moves x (cells) to the nearest point in or just outside the cell where both surfaces meet, phi = solid = 0: Newton's steps of least
// length, x -= J^T (J J^T)^-1 (phi, solid). False where the surfaces are nearly parallel or meet elsewhere.
// n: outward normal of the free surface there.
static bool find_contact_line(double x[3], double n[3], const March* m, const int cell[3])
{
    const int rounds = 5;
    const double least_sine2 = 0.03, near = 0.02, margin = 0.25;
    double p = 1, q = 1;
    for (int r = 0; r <= rounds; r++) {
        double g[3] = {0, 0, 0};
        n[0] = n[1] = n[2] = 0;
        p = value_in_cell(n, m, m->in->phi, cell, x), q = value_in_cell(g, m, m->in->solid, cell, x);
        double pp = vec_dot(n, n), pq = vec_dot(n, g), qq = vec_dot(g, g), det = pp * qq - pq * pq;
        if (!(det > least_sine2 * pp * qq)) return false;
        if (r == rounds) break;
        double a = (qq * p - pq * q) / det, b = (pp * q - pq * p) / det;
        for (int d = 0; d < m->w->dim; d++)
            x[d] = clamp(x[d] - a * n[d] - b * g[d], fmax(0, cell[d] - margin), fmin(m->w->n[d], cell[d] + 1 + margin));
    }
    return fabs(p) < near && fabs(q) < near;
}

// Does the loop have vertices on the free surface and others on the solid?
static bool loop_is_mixed(const March* m, const int* loop, int n)
{
    if (!m->in->solid) return false;
    int wet = 0;
    for (int a = 0; a < n; a++) wet += vertex_at_solid(m, loop[a]);
    return wet > 0 && wet < n;
}

// A vertex inside a loop (or a 2D segment): on the contact line if the loop has one (*corner), else in its middle, where the patch of
// cutcell.c has it.
static int loop_middle(March* m, const int cell[3], const int* loop, int n, bool* corner)
{
    double x[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
    for (int a = 0; a < n; a++) {
        double y[3];
        place_in_cells(y, m, loop[a]);
        for (int d = 0; d < m->w->dim; d++) x[d] += y[d] / n;
        for (int d = 0; d < 3; d++) normal[d] += m->mesh->normal[loop[a]][d];
    }
    if (*corner) {
        double on_line[3] = {x[0], x[1], x[2]}, out[3];
        *corner = find_contact_line(on_line, out, m, cell);
        if (*corner) return add_vertex(m, on_line, out);
    }
    return add_vertex(m, x, normal);
}

static void keep_crossing(March* m, int corner, int a, int b)
{
    if (m->crossings == m->crossing_room) {
        int room = maxi(256, 2 * m->crossing_room);
        Crossing* more = realloc(m->crossing, sizeof *more * (size_t)room);
        if (!more) {
            m->failed = true;
            return;
        }
        m->crossing = more, m->crossing_room = room;
    }
    m->crossing[m->crossings++] = (Crossing){corner, a, b};
}

// Loops longer than a triangle, and those over the contact line, become fans around a vertex inside.
static void add_loop(March* m, const int cell[3], const int* loop, int n)
{
    bool corner = loop_is_mixed(m, loop, n);
    if (n == 3 && !corner) {
        add_surface_face(m, loop);
        return;
    }
    int middle = loop_middle(m, cell, loop, n, &corner);
    for (int a = 0; a < n && !m->failed; a++) {
        int from = loop[a], to = loop[(a + 1) % n];
        if (corner && vertex_at_solid(m, from) != vertex_at_solid(m, to)) keep_crossing(m, middle, from, to);
        else add_surface_face(m, (int[3]){middle, from, to});
    }
}

// Corner values of a cell; returns how many are wet.
static int cell_levels(double v[8], const March* m, const int cell[3])
{
    const Window* w = m->w;
    ptrdiff_t at = window_at(w, cell[0], cell[1], cell[2]);
    int corners = w->dim == 3 ? 8 : 4, wet = 0;
    for (int c = 0; c < corners; c++) wet += m->in->phi[at + (c & 1) + (c >> 1 & 1) * w->sy + (c >> 2) * w->sz] < 0;
    if (wet == 0 || (wet == corners && !m->in->solid)) {
        for (int c = 0; c < corners; c++) v[c] = wet ? -1 : 1;
        return wet;
    }
    wet = 0;
    for (int c = 0; c < corners; c++) {
        v[c] = level(m, at + (c & 1) + (c >> 1 & 1) * w->sy + (c >> 2) * w->sz);
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
        if (n > 0 && !m->failed) add_loop(m, cell, loop, n);
    }
}

static void surface_of_cell_2d(March* m, const int cell[3], const double v[4])
{
    signed char segment[2][2];
    int segments = cut_segments_2d(segment, v);
    for (int s = 0; s < segments; s++) {
        // cut segments have the liquid on their right
        int ends[2] = {edge_vertex(m, cell, segment[s][1]), edge_vertex(m, cell, segment[s][0])};
        if (m->failed) return;
        bool corner = loop_is_mixed(m, ends, 2);
        int middle = corner ? loop_middle(m, cell, ends, 2, &corner) : -1;
        if (middle < 0) {
            add_surface_face(m, ends);
        } else {
            add_surface_face(m, (int[2]){ends[0], middle});
            add_surface_face(m, (int[2]){middle, ends[1]});
        }
    }
}

// ---- the contact line ----------------------------------------------------------------------------------------------------

static int compare_sides(const void* one, const void* other)
{
    const Crossing *p = one, *q = other;
    int low[2] = {mini(p->a, p->b), mini(q->a, q->b)}, high[2] = {maxi(p->a, p->b), maxi(q->a, q->b)};
    if (low[0] != low[1]) return low[0] < low[1] ? -1 : 1;
    if (high[0] != high[1]) return high[0] < high[1] ? -1 : 1;
    return (p->corner > q->corner) - (p->corner < q->corner);
}

typedef struct Flip {
    Crossing one;
    int other;  // corner on the far side of one.a to one.b
} Flip;

static int compare_flips(const void* one, const void* other)
{
    const Flip *p = one, *q = other;
    int low[2] = {mini(p->one.corner, p->other), mini(q->one.corner, q->other)};
    int high[2] = {maxi(p->one.corner, p->other), maxi(q->one.corner, q->other)};
    if (low[0] != low[1]) return low[0] < low[1] ? -1 : 1;
    if (high[0] != high[1]) return high[0] < high[1] ? -1 : 1;
    return compare_sides(&p->one, &q->one);
}

static void add_crossing(March* m, const Crossing* c) { add_surface_face(m, (int[3]){c->corner, c->a, c->b}); }

// Two triangles on both sides of a -> b become two that share the edge along the contact line, from corner to corner.
static void add_flipped(March* m, const Flip* f)
{
    add_surface_face(m, (int[3]){f->one.corner, f->one.a, f->other});
    add_surface_face(m, (int[3]){f->one.corner, f->other, f->one.b});
}

// Flips the edges that cross the contact line as [kobbelt2001] does along sharp features. Where two cells share
// two of them only the plain triangles are left: an edge between the same corners twice would not be a surface.
static void join_corners(March* m)
{
    Crossing* c = m->crossing;
    qsort(c, (size_t)m->crossings, sizeof *c, compare_sides);
    Flip* flip = malloc(sizeof *flip * (size_t)(m->crossings / 2 + 1));
    int flips = 0;
    m->failed = m->failed || !flip;
    for (int i = 0; i < m->crossings && !m->failed; i++) {
        bool pair = i + 1 < m->crossings && c[i].a == c[i + 1].b && c[i].b == c[i + 1].a && c[i].corner != c[i + 1].corner;
        if (pair) flip[flips++] = (Flip){c[i], c[i + 1].corner}, i++;
        else add_crossing(m, &c[i]);
    }
    if (!m->failed) qsort(flip, (size_t)flips, sizeof *flip, compare_flips);
    for (int i = 0; i < flips && !m->failed; i++) {
        const Flip* f = &flip[i];
        bool again = false;
        for (int o = i - 1; o <= i + 1; o += 2)
            again = again || (o >= 0 && o < flips && mini(flip[o].one.corner, flip[o].other) == mini(f->one.corner, f->other) &&
                              maxi(flip[o].one.corner, flip[o].other) == maxi(f->one.corner, f->other));
        if (!again) {
            add_flipped(m, f);
        } else {
            add_crossing(m, &f->one);
            add_crossing(m, &(Crossing){f->other, f->one.b, f->one.a});
        }
    }
    free(flip);
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
    if (axis == 1) return 4 + (low & 1) + (low >> 2) * 2;
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
    int axis = side / 2, a[3] = {0, 0, 0}, b[3] = {w->n[0], w->n[1], w->n[2]};
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
    join_corners(m);
    for (int side = 0; side < 2 * w->dim; side++) close_side(m, side);
}

mn_status marching_add(SurfaceMesh* mesh, const MarchingInput* in)
{
    const Window* w = in->w;
    mesh->corners = w->dim == 3 ? 3 : 2;
    int vertices = mesh->vertex_count, faces = mesh->face_count;
    March m = {.mesh = mesh, .in = in, .w = w, .scale = 1 / w->dx};
    int* table[4];
    for (int t = 0; t < 4; t++) {
        table[t] = t == 2 && w->dim == 2 ? NULL : calloc(w->count, sizeof(int));
        m.failed = m.failed || (!table[t] && !(t == 2 && w->dim == 2));
        if (t < 3) m.edge[t] = table[t] ? table[t] + w->origin : NULL;
        else m.node = table[t] ? table[t] + w->origin : NULL;
    }
    if (!m.failed) march(&m);
    for (int t = 0; t < 4; t++) free(table[t]);
    free(m.crossing);
    if (!m.failed) return MN_OK;
    mesh->vertex_count = vertices, mesh->face_count = faces;
    return mn_fail(MN_NO_MEMORY, "out of memory: the surface of liquid %d", in->owner);
}

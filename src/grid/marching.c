#include "grid/marching.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/vec.h"
#include "grid/cutcell.h"
#include "grid/marching_private.h"

// ---- faces ---------------------------------------------------------------------------------------------------------------

static void add_wet_face(March* m, const int* corner)
{
    if (!m->failed && !surfacemesh_add_face(m->mesh, corner, FACE_IS_WET)) m->failed = true;
}

void march_add_surface_face(March* m, const int* corner)
{
    if (m->failed) return;
    double x[3] = {0, 0, 0};
    int corners = m->mesh->corners;
    for (int c = 0; c < corners; c++)
        for (int d = 0; d < m->w->dim; d++) x[d] += m->mesh->position[corner[c]][d]/corners;
    for (int d = 0; d < m->w->dim; d++) x[d] = x[d]*m->scale - m->w->lo[d];
    if (!surfacemesh_add_face(m->mesh, corner, march_at_solid(m, x) ? FACE_IS_WET : FACE_IS_FREE)) m->failed = true;
}

// A vertex inside a loop (or a 2D segment): on a sharp line if the loop reaches over one (*corner), else in its middle, where the
// patch of cutcell.c has it.
static int loop_middle(March* m, const int cell[3], const int* loop, int n, bool* corner)
{
    double x[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
    for (int a = 0; a < n; a++) {
        double y[3];
        march_place_in_cells(y, m, loop[a]);
        for (int d = 0; d < m->w->dim; d++) x[d] += y[d]/n;
        for (int d = 0; d < 3; d++) normal[d] += m->mesh->normal[loop[a]][d];
    }
    if (*corner) {
        double on_line[3] = {x[0], x[1], x[2]}, out[3];
        *corner = march_find_corner(on_line, out, m, cell, loop, n);
        if (*corner) return march_add_vertex(m, on_line, out);
    }
    return march_add_vertex(m, x, normal);
}

// Loops longer than a triangle, and those over a sharp line, become fans around a vertex inside.
static void add_loop(March* m, const int cell[3], const int* loop, int n)
{
    bool corner = march_loop_is_mixed(m, loop, n);
    if (n == 3 && !corner) {
        march_add_surface_face(m, loop);
        return;
    }
    int middle = loop_middle(m, cell, loop, n, &corner);
    for (int a = 0; a < n && !m->failed; a++) {
        int from = loop[a], to = loop[(a + 1)%n];
        if (corner && march_vertices_differ(m, from, to)) march_keep_crossing(m, middle, from, to);
        else march_add_surface_face(m, (int[3]){middle, from, to});
    }
}

// Corner values of a cell; returns how many are wet.
static int cell_levels(double v[8], const March* m, const int cell[3])
{
    const Window* w = m->w;
    ptrdiff_t at = window_at(w, cell[0], cell[1], cell[2]);
    int corners = w->dim == 3 ? 8 : 4, wet = 0;
    if (m->in->cells && !m->in->cells[at]) return 0;
    for (int c = 0; c < corners; c++) wet += m->in->phi[at + window_corner(w, c)] < 0;
    if (wet == 0 || (wet == corners && !m->in->solid)) {
        for (int c = 0; c < corners; c++) v[c] = wet ? -1 : 1;
        return wet;
    }
    wet = 0;
    for (int c = 0; c < corners; c++) {
        v[c] = march_level(m, at + window_corner(w, c));
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
            loop[n++] = march_edge_vertex(m, cell, q);
            int after = next[q];
            next[q] = -1;  // consumed
            q = after;
        }
        assert(n <= CUT_LOOP_MAX);
        if (n > 0 && !m->failed) add_loop(m, cell, loop, n);
    }
}

static void surface_of_cell_2d(March* m, const int cell[3], const double v[4])
{
    signed char segment[2][2];
    int segments = cut_segments_2d(segment, v);
    for (int s = 0; s < segments; s++) {
        // cut segments have the liquid on their right
        int ends[2] = {march_edge_vertex(m, cell, segment[s][1]), march_edge_vertex(m, cell, segment[s][0])};
        if (m->failed) return;
        bool corner = march_loop_is_mixed(m, ends, 2);
        int middle = corner ? loop_middle(m, cell, ends, 2, &corner) : -1;
        if (middle < 0) {
            march_add_surface_face(m, ends);
        } else {
            march_add_surface_face(m, (int[2]){ends[0], middle});
            march_add_surface_face(m, (int[2]){middle, ends[1]});
        }
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
        if (wet[a]) polygon[n++] = march_node_vertex(m, cell, corner[a]);
        if (wet[a] != wet[b]) polygon[n++] = march_edge_vertex(m, cell, edge_between(corner[a], corner[b]));
        bool ends = q == 3 || (!joined && wet[a]);
        if (!ends) continue;
        assert(n <= 8);
        for (int c = 2; c < n; c++) add_wet_face(m, (int[3]){polygon[0], polygon[c - 1], polygon[c]});
        n = 0;
    }
}

static void close_face_2d(March* m, const int cell[3], const double v[4], int side)
{
    int a = side_ends_2d[side][0], b = side_ends_2d[side][1];
    if (v[a] >= 0 && v[b] >= 0) return;
    int from = v[a] < 0 ? march_node_vertex(m, cell, a) : march_edge_vertex(m, cell, edge_between(a, b));
    int to = v[b] < 0 ? march_node_vertex(m, cell, b) : march_edge_vertex(m, cell, edge_between(a, b));
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
    march_join_corners(m);
    for (int side = 0; side < 2*w->dim; side++) close_side(m, side);
}

mn_status marching_add(SurfaceMesh* mesh, const MarchingInput* in)
{
    assert(in->phi && window_is_valid(in->w) && !(in->solid && in->distance));
    assert(mesh->vertex_count == 0 || mesh->corners == (in->w->dim == 3 ? 3 : 2));
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
    free(m.crossing);
    if (!m.failed) return MN_OK;
    mesh->vertex_count = vertices, mesh->face_count = faces;
    return mn_fail(MN_NO_MEMORY, "out of memory: the surface of liquid %d", in->owner);
}

// Vertices of a marched surface: where it crosses edges of the grid, and wet nodes on the sides.
#include "grid/marching_private.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include "base/vec.h"
#include "grid/cutcell.h"
#include "grid/interpolate.h"

// What is meshed, in cells: phi and the complement of the solid, moved off zero. phi alone decides that a node is dry, so
// solid values far from the liquid do no harm.
double march_level(const March* m, ptrdiff_t at)
{
    double v = m->in->phi[at];
    if (m->in->solid) v = fmax(v, -m->in->solid[at]);
    return cut_snap(v*m->scale);
}

// How far along an edge of the grid the surface lies, from its end `at` on. Both fields are linear there: from the wet end on the
// liquid ends where the first of them does. One crossing of the larger of both would cut the corner between them.
static double crossing_on_edge(const March* m, ptrdiff_t at, ptrdiff_t step)
{
    assert((march_level(m, at) < 0) != (march_level(m, at + step) < 0));
    bool low_is_wet = march_level(m, at) < 0;
    ptrdiff_t wet = low_is_wet ? at : at + step, dry = low_is_wet ? at + step : at;
    double end = 1;
    for (int f = 0; f < (m->in->solid ? 2 : 1); f++) {
        const double* field = f == 0 ? m->in->phi : m->in->solid;
        double sign = f == 0 ? m->scale : -m->scale, a = cut_snap(sign*field[wet]), b = cut_snap(sign*field[dry]);
        if (b >= 0) end = fmin(end, a/(a - b));
    }
    return low_is_wet ? end : 1 - end;
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

// Is this point (in cells) nearer to the solid than to the free surface?
bool march_at_solid(const March* m, const double x[3])
{
    if (!m->in->solid) return false;
    double y[3] = {0, 0, 0};  // off the high sides, where interpolation would read a ghost
    for (int d = 0; d < m->w->dim; d++) y[d] = clamp(x[d], 0, m->w->n[d] - 1e-9);
    return -node_value(m->in->solid, m->w, y) > node_value(m->in->phi, m->w, y);
}

// The exact distance of the shape at a place in cells, m.
static double exact_distance(const March* m, const double x[3])
{
    double position[3];
    window_position(position, m->w, x[0], x[1], x[2]);
    return m->in->distance(m->in->user, position);
}

// Where an exact shape crosses the edge from node a on, as a part of the edge: bisection.
static double exact_crossing(const March* m, const int a[3], int axis)
{
    double low = 0, high = 1, x[3] = {a[0], a[1], a[2]};
    bool low_is_inside = exact_distance(m, x) < 0;
    for (int round = 0; round < 24; round++) {
        double middle = 0.5*(low + high);
        x[axis] = a[axis] + middle;
        if ((exact_distance(m, x) < 0) == low_is_inside) low = middle;
        else high = middle;
    }
    return 0.5*(low + high);
}

static void exact_gradient(double n[3], const March* m, const double x[3])
{
    const double step = 1e-3;  // cells: a sharp edge further away does not blunt it
    for (int d = 0; d < m->w->dim; d++) {
        double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
        low[d] -= step, high[d] += step;
        n[d] = exact_distance(m, high) - exact_distance(m, low);
    }
}

// A vertex at a place given in cells; its normal is `n` made a unit vector.
int march_add_vertex(March* m, const double x[3], const double n[3])
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
int march_edge_vertex(March* m, const int cell[3], int edge)
{
    assert(edge >= 0 && edge < 12);
    int c = edge_low_corner(edge), axis = edge/4;
    int a[3] = {cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)}, b[3] = {a[0], a[1], a[2]};
    b[axis]++;
    ptrdiff_t at = window_at(m->w, a[0], a[1], a[2]);
    int* known = &m->edge[axis][at];
    if (*known) return *known - 1;
    double t = m->in->distance ? exact_crossing(m, a, axis) : crossing_on_edge(m, at, window_stride(m->w, axis)),
           x[3] = {a[0], a[1], a[2]}, n[3] = {0, 0, 0};
    x[axis] += t;
    if (m->in->distance) {
        exact_gradient(n, m, x);
    } else {
        bool solid = march_at_solid(m, x);
        const double* field = solid ? m->in->solid : m->in->phi;
        double sign = solid ? -1 : 1;
        add_gradient(n, m, field, a, sign*(1 - t));
        add_gradient(n, m, field, b, sign*t);
    }
    if (!(vec_norm(n) > 0))
        n[axis] = march_level(m, at) < 0 ? 1 : -1;  // a sheet of one node: the edge at least points out of the liquid
    int id = march_add_vertex(m, x, n);
    *known = id + 1;
    return id;
}

// A wet node on a side of the window; its normal is that of the side, or between those of several.
int march_node_vertex(March* m, const int cell[3], int corner)
{
    assert(corner >= 0 && corner < 8);
    int a[3] = {cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2)};
    int* known = &m->node[window_at(m->w, a[0], a[1], a[2])];
    if (*known) return *known - 1;
    double x[3] = {a[0], a[1], a[2]}, n[3] = {0, 0, 0};
    for (int d = 0; d < m->w->dim; d++) n[d] = (a[d] == m->w->n[d]) - (a[d] == 0);
    int id = march_add_vertex(m, x, n);
    *known = id + 1;
    return id;
}

// A mesh vertex's place, in cells of the window.
void march_place_in_cells(double x[3], const March* m, int vertex)
{
    for (int d = 0; d < 3; d++) x[d] = m->mesh->position[vertex][d]*m->scale - m->w->lo[d];
}

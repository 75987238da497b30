// Areas, volume and its gradient.
#include "base/vec.h"
#include "membrane/surface.h"

void membrane_area_vector(double out[3], const MembraneMesh* m, int element)
{
    const int* e = membrane_element(m, element);
    double ab[3], ac[3];
    vec_sub(ab, m->x + 3*e[1], m->x + 3*e[0]);
    if (m->dim == 2) {
        out[0] = ab[1], out[1] = -ab[0], out[2] = 0;
        return;
    }
    vec_sub(ac, m->x + 3*e[2], m->x + 3*e[0]);
    vec_cross(out, ab, ac);
    for (int d = 0; d < 3; d++) out[d] *= 0.5;
}

double membrane_area(const MembraneMesh* m)
{
    double sum = 0;
    for (int e = 0; e < m->elements; e++) {
        double n[3];
        membrane_area_vector(n, m, e);
        sum += vec_norm(n);
    }
    return sum;
}

void membrane_vertex_areas(double* area, const MembraneMesh* m)
{
    for (int i = 0; i < m->vertices; i++) area[i] = 0;
    for (int e = 0; e < m->elements; e++) {
        double n[3];
        membrane_area_vector(n, m, e);
        double share = vec_norm(n)/m->dim;
        for (int c = 0; c < m->dim; c++) area[membrane_element(m, e)[c]] += share;
    }
}

void membrane_volume_gradient(double* g, const MembraneMesh* m)
{
    for (int k = 0; k < 3*m->vertices; k++) g[k] = 0;
    for (int e = 0; e < m->elements; e++) {
        double n[3];
        membrane_area_vector(n, m, e);
        for (int c = 0; c < m->dim; c++)
            for (int d = 0; d < m->dim; d++) g[3*membrane_element(m, e)[c] + d] += n[d]/m->dim;
    }
    for (int i = 0; i < m->vertices; i++)
        for (int d = 0; d < 3; d++)
            if (m->flag[i] >> d & 1) g[3*i + d] = 0;
}

// ---- volume -----------------------------------------------------------------------------------------------------------------
//
// By the divergence theorem for the field (h - h_low) e_h, h the last axis: V = sum over elements of n_h A (h - h_low) + H
// times the wetted area of the ceiling; other walls, and the floor, add nothing. The wetted part of the ceiling is bounded by
// border edges of the mesh, and its area follows in the same way one dimension lower, from its outline and the wetted length
// of one edge of the tank, and that from the vertices on this edge and from whether its far corner is wet. Edges and vertices
// inside the mesh come twice with opposite signs and cancel, so nobody has to know the border.

// One edge of the tank: along axis `along`, at these ends of the others.
typedef struct TankEdge {
    int along;
    bool high[3];  // of the other axes
} TankEdge;

static double wall_of(const MembraneMesh* m, int axis, bool high) { return high ? m->high[axis] : m->low[axis]; }

static bool is_on(const MembraneMesh* m, int vertex, int axis, bool high)
{
    return m->x[3*vertex + axis] == wall_of(m, axis, high);
}

// Direction out of the liquid along the tank's edge, +1 or -1, at the end of a line of border on one of its walls: n_w x n_e
// for the end of a line that runs into wall e within wall w; 2D: the normal of a segment that runs into wall w.
static int way_out(const MembraneMesh* m, const TankEdge* t)
{
    int f = t->along, w = (f + 1)%m->dim, e = (f + 2)%3;
    if (m->dim == 2) return (t->high[w] ? 1 : -1)*(w == 1 ? 1 : -1);
    return (t->high[w] ? 1 : -1)*(t->high[e] ? 1 : -1);  // e_w x e_e = e_f: f, w, e are in cyclic order
}

// Over the vertices on the tank's edge: sum of the ways out (`count`) and of them times the place along it (m).
static void sum_crossings(double* count, double* place, const MembraneMesh* m, const TankEdge* t)
{
    int f = t->along, w = (f + 1)%m->dim, e = (f + 2)%3, out = way_out(m, t);
    *count = *place = 0;
    for (int k = 0; k < m->dim*m->elements; k++) {
        int a = m->element[k], b = m->element[k - k%m->dim + (k + 1)%m->dim];
        if (m->dim == 2) {
            if (!is_on(m, a, w, t->high[w])) continue;
            int s = k%2 == 1 ? out : -out;
            *count += s, *place += s*(m->x[3*a + f] - m->low[f]);
            continue;
        }
        if (!is_on(m, a, w, t->high[w]) || !is_on(m, b, w, t->high[w])) continue;
        if (is_on(m, b, e, t->high[e])) *count += out, *place += out*(m->x[3*b + f] - m->low[f]);
        if (is_on(m, a, e, t->high[e])) *count -= out, *place -= out*(m->x[3*a + f] - m->low[f]);
    }
}

// Is there liquid in the corner `high`? From the one that is known along edges of the tank; each vertex there is a way in or
// out.
static double far_corner(const MembraneMesh* m)
{
    double wet = m->corner_is_wet, count, place;
    for (int d = 0; d < m->dim; d++) {
        TankEdge t = {.along = d};
        for (int o = 0; o < d; o++) t.high[o] = true;
        sum_crossings(&count, &place, m, &t);
        wet -= count;
    }
    return wet;
}

// Of the tank's edge at the high ends of all axes but x, m.
static double wet_length(const MembraneMesh* m)
{
    double count, place;
    sum_crossings(&count, &place, m, &(TankEdge){0, {true, true, true}});
    return place + (m->high[0] - m->low[0])*far_corner(m);
}

// Of the wall across z at its high end, m^2. An edge a b of the border has the normal (a - b) x e_z out of the liquid.
static double wet_ceiling(const MembraneMesh* m)
{
    double sum = (m->high[1] - m->low[1])*wet_length(m);
    for (int k = 0; k < 3*m->elements; k++) {
        int i = m->element[k], j = m->element[k - k%3 + (k + 1)%3];
        const double *a = m->x + 3*i, *b = m->x + 3*j;
        if (is_on(m, i, 2, true) && is_on(m, j, 2, true)) sum += (b[0] - a[0])*(0.5*(a[1] + b[1]) - m->low[1]);
    }
    return sum;
}

double membrane_volume(const MembraneMesh* m)
{
    int h = m->dim - 1;
    double sum = (m->high[h] - m->low[h])*(m->dim == 3 ? wet_ceiling(m) : wet_length(m));
    for (int e = 0; e < m->elements; e++) {
        double n[3], height = 0;
        membrane_area_vector(n, m, e);
        for (int c = 0; c < m->dim; c++) height += m->x[3*membrane_element(m, e)[c] + h] - m->low[h];
        sum += n[h]*height/m->dim;
    }
    return sum;
}

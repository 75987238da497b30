#include "membrane/surface.h"

#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

void membrane_free(MembraneMesh* m)
{
    free(m->x), free(m->v), free(m->size), free(m->flag), free(m->body), free(m->element);
    m->x = m->v = m->size = NULL, m->flag = NULL, m->body = m->element = NULL;
    m->vertices = m->elements = m->vertex_room = m->element_room = 0;
}

void membrane_area_vector(double out[3], const MembraneMesh* m, int element)
{
    const int* c = membrane_element(m, element);
    double a[3], b[3];
    vec_sub(a, m->x + 3*c[1], m->x + 3*c[0]);
    if (m->dim == 2) {
        out[0] = a[1], out[1] = -a[0], out[2] = 0;
        return;
    }
    vec_sub(b, m->x + 3*c[2], m->x + 3*c[0]);
    vec_cross(out, a, b);
    for (int d = 0; d < 3; d++) out[d] *= 0.5;
}

unsigned char membrane_walls_at(const MembraneMesh* m, const double x[3])
{
    unsigned char walls = 0;
    for (int d = 0; d < m->dim; d++)
        if (x[d] == m->low[d] || x[d] == m->high[d]) walls |= (unsigned char)(1 << d);
    return walls;
}

void membrane_vertex_areas(double* area, const MembraneMesh* m)
{
    memset(area, 0, sizeof *area*(size_t)m->vertices);
    for (int e = 0; e < m->elements; e++) {
        double vector[3];
        membrane_area_vector(vector, m, e);
        for (int c = 0; c < m->dim; c++) area[membrane_element(m, e)[c]] += vec_norm(vector)/m->dim;
    }
}

void membrane_volume_gradient(double* g, const MembraneMesh* m)
{
    memset(g, 0, sizeof *g*3*(size_t)m->vertices);
    for (int e = 0; e < m->elements; e++) {
        double vector[3];
        membrane_area_vector(vector, m, e);
        for (int c = 0; c < m->dim; c++)
            for (int d = 0; d < m->dim; d++) g[3*membrane_element(m, e)[c] + d] += vector[d]/m->dim;
    }
    for (int i = 0; i < m->vertices; i++)
        for (int d = 0; d < m->dim; d++)
            if (m->flag[i] >> d & 1) g[3*i + d] = 0;
}

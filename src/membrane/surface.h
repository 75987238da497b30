// A free surface as a mesh: triangles in 3D, segments in 2D.
#pragma once
#include <stdbool.h>
#include "base/vec.h"

typedef struct MembraneMesh {
    int dim;
    int vertices;
    double (*x)[3];  // m
    double (*v)[3];  // m/s
    int elements;
    int (*element)[3];
} MembraneMesh;

static inline void surface_area_vector(double area[3], const MembraneMesh* m, int e)
{
    const int* c = m->element[e];
    double a[3], b[3];
    vec_sub(a, m->x[c[1]], m->x[c[0]]);
    if (m->dim == 2) {
        area[0] = a[1], area[1] = -a[0], area[2] = 0;
        return;
    }
    vec_sub(b, m->x[c[2]], m->x[c[0]]);
    vec_cross(area, a, b);
    for (int d = 0; d < 3; d++) area[d] *= 0.5;
}

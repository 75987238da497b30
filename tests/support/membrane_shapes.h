// Surfaces as meshes for tests: round drops and pools, waved or not.
#pragma once
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "check.h"
#include "membrane/surface.h"

static inline void shape_take(MembraneMesh* m, int dim, int vertices, int elements)
{
    *m = (MembraneMesh){.dim = dim, .vertices = vertices, .elements = elements};
    m->vertex_room = vertices, m->element_room = elements;
    m->x = calloc((size_t)vertices, sizeof *m->x*3), m->v = calloc((size_t)vertices, sizeof *m->v*3);
    m->size = calloc((size_t)vertices, sizeof *m->size), m->flag = calloc((size_t)vertices, sizeof *m->flag);
    m->body = malloc(sizeof *m->body*(size_t)vertices), m->element = calloc((size_t)elements, sizeof *m->element*(size_t)dim);
    assert_true(m->x && m->v && m->size && m->flag && m->body && m->element);
    for (int i = 0; i < vertices; i++) m->body[i] = NO_BODY;
}

// The tank it lies in, from the origin to `high`; vertices on its walls are told so.
static inline void shape_in_tank(MembraneMesh* m, const double high[3], bool corner_is_wet)
{
    for (int d = 0; d < m->dim; d++) m->high[d] = high[d];
    for (int i = 0; i < m->vertices; i++) m->flag[i] = membrane_walls_at(m, m->x + 3*i);
    m->corner_is_wet = corner_is_wet;
}

static inline void shape_set(MembraneMesh* m, int element, int a, int b, int c)
{
    int* e = m->element + m->dim*element;
    e[0] = a, e[1] = b;
    if (m->dim == 3) e[2] = c;
}

// A point of a shape on the unit circle or sphere is put where this says.
typedef void (*ShapeMap)(double out[3], const void* user, const double unit[3]);

static inline void shape_map(MembraneMesh* m, ShapeMap map, const void* user)
{
    for (int i = 0; i < m->vertices; i++) {
        double at[3] = {m->x[3*i], m->x[3*i + 1], m->x[3*i + 2]};
        map(m->x + 3*i, user, at);
    }
}

// ---- round ---------------------------------------------------------------------------------------------------------------

static inline int shape_middle(MembraneMesh* m, int* key, int* value, int room, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a, slot = (int)(((long)low*7919 + high)%room);
    for (;; slot = (slot + 1)%room) {
        if (key[2*slot] == -1) break;
        if (key[2*slot] == low && key[2*slot + 1] == high) return value[slot];
    }
    key[2*slot] = low, key[2*slot + 1] = high, value[slot] = m->vertices;
    double mid[3], norm;
    for (int d = 0; d < 3; d++) mid[d] = m->x[3*a + d] + m->x[3*b + d];
    norm = vec_norm(mid);
    for (int d = 0; d < 3; d++) m->x[3*m->vertices + d] = mid[d]/norm;
    return m->vertices++;
}

// Each triangle of a mesh on the unit sphere cut into four, `levels` times. There must be room for what comes out.
static inline void shape_subdivide(MembraneMesh* m, int levels, int vertices)
{
    int room = 8*vertices, *key = malloc(sizeof *key*2*(size_t)room), *value = malloc(sizeof *value*(size_t)room);
    assert_non_null(key), assert_non_null(value);
    for (int level = 0; level < levels; level++) {
        int old = m->elements;
        memset(key, 0xff, sizeof *key*2*(size_t)room);
        for (int e = 0; e < old; e++) {
            const int c[3] = {m->element[3*e], m->element[3*e + 1], m->element[3*e + 2]};
            int a = shape_middle(m, key, value, room, c[0], c[1]), b = shape_middle(m, key, value, room, c[1], c[2]),
                d = shape_middle(m, key, value, room, c[2], c[0]);
            shape_set(m, e, a, b, d);
            shape_set(m, m->elements++, c[0], a, d);
            shape_set(m, m->elements++, c[1], b, a);
            shape_set(m, m->elements++, c[2], d, b);
        }
    }
    free(key), free(value);
}

// From the icosahedron: 10 4^levels + 2 vertices.
static inline void shape_sphere(MembraneMesh* m, int levels)
{
    const double t = (1 + sqrt(5))/2;
    const double corner[12][3] = {{-1, t, 0},  {1, t, 0},  {-1, -t, 0}, {1, -t, 0}, {0, -1, t},  {0, 1, t},
                                  {0, -1, -t}, {0, 1, -t}, {t, 0, -1},  {t, 0, 1},  {-t, 0, -1}, {-t, 0, 1}};
    const int face[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                             {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                             {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    int vertices = (10 << 2*levels) + 2;
    shape_take(m, 3, vertices, 20 << 2*levels);
    m->vertices = 12, m->elements = 20;
    for (int i = 0; i < 12; i++)
        for (int d = 0; d < 3; d++) m->x[3*i + d] = corner[i][d]/sqrt(1 + t*t);
    memcpy(m->element, face, sizeof face);
    shape_subdivide(m, levels, vertices);
}

// From the octahedron, 4 4^levels + 2 vertices: no triangle crosses the planes of the axes.
static inline void shape_sphere_in_octants(MembraneMesh* m, int levels)
{
    const double corner[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const int face[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    int vertices = (4 << 2*levels) + 2;
    shape_take(m, 3, vertices, 8 << 2*levels);
    m->vertices = 6, m->elements = 8;
    memcpy(m->x, corner, sizeof corner);
    memcpy(m->element, face, sizeof face);
    shape_subdivide(m, levels, vertices);
}

// A regular polygon on the unit circle.
static inline void shape_circle(MembraneMesh* m, int corners)
{
    shape_take(m, 2, corners, corners);
    for (int i = 0; i < corners; i++) {
        m->x[3*i] = cos(2*PI*i/corners), m->x[3*i + 1] = sin(2*PI*i/corners);
        shape_set(m, i, i, (i + 1)%corners, 0);
    }
}

static inline void shape_round(MembraneMesh* m, int dim, int size)
{
    if (dim == 3) shape_sphere(m, size);
    else shape_circle(m, size);
}

// ---- pools ---------------------------------------------------------------------------------------------------------------

// Height (m) of a pool's surface over (x, z).
typedef double (*ShapeHeight)(const void* user, double x, double z);

// The surface of a pool in a tank of width lx (and lz in 3D), y up, with nx and nz edges along the walls. On walls vertices lie
// there to the last bit.
static inline void shape_pool(MembraneMesh* m, int dim, double lx, double lz, int nx, int nz, ShapeHeight height,
                              const void* user)
{
    int rows = dim == 3 ? nz + 1 : 1;
    shape_take(m, dim, (nx + 1)*rows, dim == 3 ? 2*nx*nz : nx);
    for (int k = 0; k < rows; k++)
        for (int i = 0; i <= nx; i++) {
            double* x = m->x + 3*(i + (nx + 1)*k);
            x[0] = i == nx ? lx : lx*i/nx, x[2] = dim == 2 ? 0 : k == nz ? lz : lz*k/nz;
            x[1] = height(user, x[0], x[2]);
        }
    for (int i = 0; i < nx && dim == 2; i++) shape_set(m, i, i + 1, i, 0);
    for (int k = 0; k < nz && dim == 3; k++)
        for (int i = 0; i < nx; i++) {
            int a = i + (nx + 1)*k, b = a + 1, c = a + nx + 1, d = c + 1, e = 2*(i + nx*k);
            // neighbouring squares are cut along different diagonals
            if ((i + k)%2) shape_set(m, e, a, c, b), shape_set(m, e + 1, b, c, d);
            else shape_set(m, e, a, c, d), shape_set(m, e + 1, a, d, b);
        }
}

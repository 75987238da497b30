#include "output/orient.h"

#include <assert.h>
#include <stdlib.h>
#include "base/arena.h"
#include "base/v3.h"

static V3 corner(const Layer* m, int f, int c) { return v3_load(m->position + 3*m->element[3*f + c]); }

static V3 area_vector(const Layer* m, int f)
{
    return v3_cross(corner(m, f, 1) - corner(m, f, 0), corner(m, f, 2) - corner(m, f, 0));
}

// Six times the volume, by the divergence theorem; about the first vertex, to keep the numbers small.
static double signed_volume(const Layer* m)
{
    double sum = 0;
    for (int f = 0; f < m->elements; f++) sum += v3_dot(corner(m, f, 0) - v3_load(m->position), area_vector(m, f));
    return sum;
}

// The mean of the free faces about each point, weighted by area; not of unit length.
static void add_means(float* mean, const Layer* m, const int* kind)
{
    for (int f = 0; f < m->elements; f++) {
        if (kind && kind[f]) continue;
        V3 a = area_vector(m, f);
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 3; d++) mean[3*m->element[3*f + c] + d] += a[d];
    }
}

mn_status orient_layer(Layer* m)
{
    assert(m->kind == LAYER_TRIANGLES);
    Attribute* normal = layer_attribute(m, "normal", ATTRIBUTE_VECTOR, ON_POINTS);
    TRY_MEMORY(normal);
    if (m->elements == 0) return MN_OK;
    if (signed_volume(m) < 0)
        for (int f = 0; f < m->elements; f++) {
            int swap = m->element[3*f + 1];
            m->element[3*f + 1] = m->element[3*f + 2], m->element[3*f + 2] = swap;
        }
    float* mean = calloc(3*(size_t)m->points + 1, sizeof(float));
    if (!mean) return mn_fail(MN_NO_MEMORY, "out of memory");
    add_means(mean, m, layer_wholes(m, "kind", ON_ELEMENTS));
    double agree = 0;
    for (int i = 0; i < m->points; i++) agree += v3_dot(v3_load(normal->real + 3*i), v3_unit(v3_load(mean + 3*i)));
    for (int i = 0; i < m->points; i++) {
        V3 n = v3_load(normal->real + 3*i)*(agree < 0 ? -1.0f : 1.0f);
        n = v3_unit(v3_dot(n, n) > 0.01f ? n : v3_load(mean + 3*i));
        for (int d = 0; d < 3; d++) normal->real[3*i + d] = n[d];
    }
    free(mean);
    return MN_OK;
}

#include "thin/rod_show.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/vec.h"

enum { SIDES = 6 };

// Two unit vectors across e, unit; they depend on e alone, so that a rod that lies still has the same mesh in every frame.
static void across(double a[3], double b[3], const double e[3])
{
    int least = fabs(e[0]) < fabs(e[1]) ? 0 : 1;
    if (fabs(e[2]) < fabs(e[least])) least = 2;
    double axis[3] = {least == 0, least == 1, least == 2};
    vec_cross(a, e, axis);
    double norm = vec_norm(a);
    for (int d = 0; d < 3; d++) a[d] /= norm;
    vec_cross(b, e, a);
}

typedef struct Tubes {
    Layer* layer;
    Attribute *normal, *velocity;
    int points, elements;
} Tubes;

static void add_point(Tubes* t, const double x[3], const double n[3], double radius, const double v[3])
{
    for (int d = 0; d < 3; d++) {
        t->layer->position[3*t->points + d] = (float)(x[d] + radius*n[d]);
        t->normal->real[3*t->points + d] = (float)n[d], t->velocity->real[3*t->points + d] = (float)v[d];
    }
    t->points++;
}

static void add_triangle(Tubes* t, int a, int b, int c)
{
    int* e = t->layer->element + 3*t->elements++;
    e[0] = a, e[1] = b, e[2] = c;
}

// A segment: a ring round each end, and caps of its own. Neighbours overlap where a strand bends.
static void add_segment(Tubes* t, const Rods* r, const ThinSegment* s, double radius)
{
    double e[3], a[3], b[3], back[3];
    const double* x[2] = {r->mesh.x + 3*s->v[0], r->mesh.x + 3*s->v[1]};
    vec_sub(e, x[1], x[0]);
    double length = vec_norm(e);
    for (int d = 0; d < 3; d++) e[d] = length > 0 ? e[d]/length : d == 0, back[d] = -e[d];
    across(a, b, e);
    int first = t->points;
    for (int end = 0; end < 2; end++) {
        const double* v = r->mesh.v + 3*s->v[end];
        for (int k = 0; k < SIDES; k++) {
            double n[3], turn = 2*PI*k/SIDES;
            for (int d = 0; d < 3; d++) n[d] = cos(turn)*a[d] + sin(turn)*b[d];
            add_point(t, x[end], n, radius, v);
        }
        // half a radius further out, where the next one begins at an angle
        add_point(t, x[end], end ? e : back, 0.5*radius, v);
    }
    for (int k = 0; k < SIDES; k++) {
        int low = first + k, low2 = first + (k + 1)%SIDES, high = low + SIDES + 1, high2 = low2 + SIDES + 1;
        add_triangle(t, low, low2, high2), add_triangle(t, low, high2, high);
        add_triangle(t, low2, low, first + SIDES), add_triangle(t, high, high2, first + 2*SIDES + 1);
    }
}

static mn_status show_part(Layers* layers, const Rods* r, const RodPart* part)
{
    char name[LAYER_NAME];
    snprintf(name, sizeof name, "rod_%s", part->name);
    Layer* layer = layers_add(layers, name, LAYER_TRIANGLES, 2*(SIDES + 1)*part->segments, 4*SIDES*part->segments);
    TRY_MEMORY(layer);
    Tubes t = {.layer = layer,
               .normal = layer_attribute(layer, "normal", ATTRIBUTE_VECTOR, ON_POINTS),
               .velocity = layer_attribute(layer, "velocity", ATTRIBUTE_VECTOR, ON_POINTS)};
    if (!t.normal || !t.velocity) return MN_NO_MEMORY;
    for (int m = part->first_segment; m < part->first_segment + part->segments; m++)
        add_segment(&t, r, &r->mesh.segment[m], part->radius);
    assert(t.points == layer->points && t.elements == layer->elements);
    return MN_OK;
}

mn_status rods_show(Layers* layers, const Rods* rods)
{
    for (int p = 0; p < rods->parts; p++) TRY(show_part(layers, rods, &rods->part[p]));
    return MN_OK;
}

#include "output/mirror.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"

void mirror_tank(RunFiles* run, const bool is_mirror[6])
{
    for (int d = 0; d < run->dim; d++) {
        bool low = is_mirror[2*d], high = is_mirror[2*d + 1];
        run->mirror[d] = low ? MIRROR_LOW : high ? MIRROR_HIGH : MIRROR_NONE;
        if (low) run->wall[2*d] = run->wall[2*d + 1];
        else if (high) run->wall[2*d + 1] = run->wall[2*d];
        if (low || high) run->size[d] *= 2;
    }
}

// Where the plane lies in the whole tank, and where the part that was computed begins, m.
static double plane_of(const RunFiles* run, int d) { return 0.5*run->size[d]; }
static double start_of(const RunFiles* run, int d) { return run->mirror[d] == MIRROR_LOW ? plane_of(run, d) : 0; }

static void shift(Layer* layer, const RunFiles* run)
{
    for (int i = 0; i < layer->points; i++)
        for (int d = 0; d < 3; d++) layer->position[3*(ptrdiff_t)i + d] += (float)start_of(run, d);
}

// Where a body ends on the mirror there is a wall in the part's files, and nothing in the whole. Its points stay, without an
// element.
static mn_status drop_elements_on(Layer* layer, int d, double plane, double near)
{
    int kept = 0, corners = (int)layer->kind;
    for (int e = 0; e < layer->elements; e++) {
        const int* c = layer->element + corners*e;
        bool on = true;
        for (int k = 0; k < corners; k++) on = on && fabs(layer->position[3*(ptrdiff_t)c[k] + d] - plane) < near;
        if (!on) layer_move_element(layer, kept++, e);
    }
    return layer_resize(layer, layer->points, kept);
}

// The second half of what is on `count` sites becomes a copy of the first.
static void copy_half(void* values, int lanes, int count)
{
    size_t bytes = 4*(size_t)lanes*(size_t)count;
    memcpy((char*)values + bytes, values, bytes);
}

static void copy_attributes(Layer* layer, int points, int elements)
{
    for (int m = 0; m < layer->attributes; m++) {
        Attribute* a = &layer->attribute[m];
        copy_half(a->whole ? (void*)a->whole : (void*)a->real, attribute_lanes(a->type),
                  a->site == ON_POINTS ? points : elements);
    }
}

// An image turns the other way: vectors across the plane, and the order of corners.
static void turn_half(Layer* layer, int points, int elements, int d, double plane)
{
    int corners = (int)layer->kind;
    for (ptrdiff_t i = points; i < layer->points; i++)
        layer->position[3*i + d] = (float)(2*plane - layer->position[3*i + d]);
    for (int e = elements; e < layer->elements; e++) {
        int* c = layer->element + corners*e;
        for (int k = 0; k < corners; k++) c[k] += points;
        int last = corners - 1, swap = c[last];
        c[last] = c[last - 1], c[last - 1] = swap;
    }
    for (int m = 0; m < layer->attributes; m++) {
        Attribute* a = &layer->attribute[m];
        ptrdiff_t from = a->site == ON_POINTS ? points : elements, to = a->site == ON_POINTS ? layer->points : layer->elements;
        for (ptrdiff_t i = from; i < to && a->type == ATTRIBUTE_VECTOR; i++) a->real[3*i + d] *= -1;
    }
}

static mn_status add_image(Layer* layer, int d, double plane)
{
    int points = layer->points, elements = layer->elements;
    TRY(layer_resize(layer, 2*points, 2*elements));
    copy_half(layer->position, 3, points);
    copy_half(layer->element, (int)layer->kind, elements);
    copy_attributes(layer, points, elements);
    turn_half(layer, points, elements, d, plane);
    return MN_OK;
}

mn_status mirror_layer(Layer* layer, const RunFiles* run)
{
    double near = 1e-5*run->size[0];
    bool body = layer->kind != LAYER_POINTS && !layer_reals(layer, "radius");
    shift(layer, run);
    for (int d = 0; d < run->dim; d++) {
        if (run->mirror[d] == MIRROR_NONE) continue;
        if (body) TRY(drop_elements_on(layer, d, plane_of(run, d), near));
        TRY(add_image(layer, d, plane_of(run, d)));
    }
    return MN_OK;
}

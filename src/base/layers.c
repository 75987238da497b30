#include "base/layers.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int attribute_lanes(AttributeType type) { return type == ATTRIBUTE_VECTOR ? 3 : 1; }

static size_t site_count(const Layer* layer, AttributeSite site)
{
    return (size_t)(site == ON_POINTS ? layer->points : layer->elements);
}

// ---- one layer -----------------------------------------------------------------------------------------------------------

// Room for `count` numbers of 4 bytes and one more, zeros past the first `filled`. False: *values is as it was.
static bool resize_numbers(void** values, size_t filled, size_t count)
{
    _Static_assert(sizeof(int) == 4 && sizeof(float) == 4, "attributes are numbers of 4 bytes");
    char* more = realloc(*values, 4*(count + 1));
    if (!more) return false;
    if (count + 1 > filled) memset(more + 4*filled, 0, 4*(count + 1 - filled));
    *values = more;
    return true;
}

static bool resize_attribute(Attribute* a, size_t filled, size_t count)
{
    size_t lanes = (size_t)attribute_lanes(a->type);
    void** values = a->type == ATTRIBUTE_WHOLE ? (void**)&a->whole : (void**)&a->real;
    return resize_numbers(values, lanes*filled, lanes*count);
}

// Room is made everywhere before the counts change, so that a failure leaves a layer with too much room here and there, and
// valid.
static bool make_room(Layer* layer, int points, int elements)
{
    size_t kind = (size_t)layer->kind, from[2] = {(size_t)layer->points, (size_t)layer->elements};
    size_t to[2] = {(size_t)points, (size_t)elements};
    bool done = resize_numbers((void**)&layer->position, 3*from[0], 3*to[0]) &&
                resize_numbers((void**)&layer->element, kind*from[1], kind*to[1]);
    for (int m = 0; m < layer->attributes && done; m++) {
        AttributeSite site = layer->attribute[m].site;
        done = resize_attribute(&layer->attribute[m], from[site], to[site]);
    }
    return done;
}

mn_status layer_resize(Layer* layer, int points, int elements)
{
    assert(points >= 0 && elements >= 0 && (layer->kind != LAYER_POINTS || elements == 0));
    // growing first: a layer that becomes smaller in one and larger in the other must not lose what a failure would need
    int most_points = points > layer->points ? points : layer->points;
    int most_elements = elements > layer->elements ? elements : layer->elements;
    if (!make_room(layer, most_points, most_elements))
        return mn_fail(MN_NO_MEMORY, "out of memory: %d points of %s", points, layer->name);
    layer->points = points, layer->elements = elements;
    return MN_OK;
}

mn_status layer_init(Layer* layer, const char* name, LayerKind kind, int points, int elements)
{
    assert(name[0] && kind >= LAYER_POINTS && kind <= LAYER_TRIANGLES);
    *layer = (Layer){.kind = kind};
    snprintf(layer->name, sizeof layer->name, "%s", name);
    mn_status status = layer_resize(layer, points, elements);
    if (status != MN_OK) layer_free(layer);
    return status;
}

void layer_free(Layer* layer)
{
    free(layer->position);
    free(layer->element);
    for (int m = 0; m < layer->attributes; m++) free(layer->attribute[m].real), free(layer->attribute[m].whole);
    layer->position = NULL, layer->element = NULL;
    layer->points = layer->elements = layer->attributes = 0;
}

void layer_move_element(Layer* layer, int to, int from)
{
    assert(to >= 0 && to < layer->elements && from >= 0 && from < layer->elements);
    size_t corners = (size_t)layer->kind;
    memmove(layer->element + corners*(size_t)to, layer->element + corners*(size_t)from, corners*sizeof(int));
    for (int m = 0; m < layer->attributes; m++) {
        Attribute* a = &layer->attribute[m];
        if (a->site != ON_ELEMENTS) continue;
        size_t lanes = (size_t)attribute_lanes(a->type);
        if (a->whole) a->whole[to] = a->whole[from];
        else memmove(a->real + lanes*(size_t)to, a->real + lanes*(size_t)from, lanes*sizeof(float));
    }
}

bool layer_is_valid(const Layer* layer)
{
    if (!layer->name[0] || layer->points < 0 || layer->elements < 0) return false;
    if (layer->kind < LAYER_POINTS || layer->kind > LAYER_TRIANGLES) return false;
    if (layer->kind == LAYER_POINTS && layer->elements > 0) return false;
    for (size_t i = 0; i < 3*(size_t)layer->points; i++)
        if (!isfinite(layer->position[i])) return false;
    for (size_t c = 0; c < (size_t)layer->kind*(size_t)layer->elements; c++)
        if (layer->element[c] < 0 || layer->element[c] >= layer->points) return false;
    for (int m = 0; m < layer->attributes; m++)
        for (int n = 0; n < m; n++)
            if (!strcmp(layer->attribute[m].name, layer->attribute[n].name)) return false;
    return true;
}

// ---- attributes ------------------------------------------------------------------------------------------------------------

const Attribute* layer_find(const Layer* layer, const char* name)
{
    for (int m = 0; m < layer->attributes; m++)
        if (!strcmp(layer->attribute[m].name, name)) return &layer->attribute[m];
    return NULL;
}

Attribute* layer_attribute(Layer* layer, const char* name, AttributeType type, AttributeSite site)
{
    Attribute* found = (Attribute*)layer_find(layer, name);
    assert(name[0] && strlen(name) < ATTRIBUTE_NAME && (!found || (found->type == type && found->site == site)));
    if (found) return found;
    if (layer->attributes == LAYER_ATTRIBUTES) {
        mn_fail(MN_UNSUPPORTED, "%s: a layer has at most %d attributes", layer->name, LAYER_ATTRIBUTES);
        return NULL;
    }
    Attribute a = {.type = type, .site = site};
    snprintf(a.name, sizeof a.name, "%s", name);
    if (!resize_attribute(&a, 0, site_count(layer, site))) {
        mn_fail(MN_NO_MEMORY, "out of memory: %s of %s", name, layer->name);
        return NULL;
    }
    layer->attribute[layer->attributes] = a;
    return &layer->attribute[layer->attributes++];
}

const float* layer_reals(const Layer* layer, const char* name)
{
    const Attribute* a = layer_find(layer, name);
    return a && a->site == ON_POINTS ? a->real : NULL;
}

const int* layer_wholes(const Layer* layer, const char* name, AttributeSite site)
{
    const Attribute* a = layer_find(layer, name);
    return a && a->site == site ? a->whole : NULL;
}

// ---- the list --------------------------------------------------------------------------------------------------------------

void layers_free(Layers* l)
{
    for (int m = 0; m < l->count; m++) layer_free(l->layer[m]), free(l->layer[m]);
    free(l->layer);
    *l = (Layers){0};
}

Layer* layers_find(const Layers* l, const char* name)
{
    for (int m = 0; m < l->count; m++)
        if (!strcmp(l->layer[m]->name, name)) return l->layer[m];
    return NULL;
}

static bool list_grow(Layers* l)
{
    if (l->count < l->room) return true;
    int room = l->room ? 2*l->room : 8;
    Layer** more = realloc(l->layer, sizeof *more*(size_t)room);
    if (!more) return false;
    l->layer = more, l->room = room;
    return true;
}

Layer* layers_take(Layers* l, Layer* layer)
{
    assert(!layers_find(l, layer->name));
    Layer* place = list_grow(l) ? malloc(sizeof *place) : NULL;
    if (place) *place = *layer, *layer = (Layer){.kind = layer->kind};
    else mn_fail(MN_NO_MEMORY, "out of memory: %s", layer->name);
    layer_free(layer);
    return place ? l->layer[l->count++] = place : NULL;
}

Layer* layers_add(Layers* l, const char* name, LayerKind kind, int points, int elements)
{
    Layer layer;
    return layer_init(&layer, name, kind, points, elements) == MN_OK ? layers_take(l, &layer) : NULL;
}

bool layers_is_valid(const Layers* l)
{
    for (int m = 0; m < l->count; m++)
        if (!layer_is_valid(l->layer[m]) || layers_find(l, l->layer[m]->name) != l->layer[m]) return false;
    return true;
}

// What a frame shows: named layers of points, curves and meshes with named numbers on them. Whoever has something to show adds a
// layer; files, exports, mirrors and pictures go through the list and need not know who it was.
//
// Coordinates are metres, y up, z = 0 in 2D. Numbers are floats: that is what the files of a frame hold (docs/output.md).
#pragma once
#include <stdbool.h>
#include "base/status.h"

enum { LAYER_NAME = 80, ATTRIBUTE_NAME = 32, LAYER_ATTRIBUTES = 16 };

// The value is the number of points that make an element.
typedef enum LayerKind {
    LAYER_POINTS = 1,  // no elements. With an attribute "radius" (m) they are balls
    LAYER_EDGES =
        2,  // the outline of a body in 2D, the body on the left; with a "radius" (m) on points, curves of that thickness
    LAYER_TRIANGLES = 3  // counterclockwise seen from outside
} LayerKind;

typedef enum AttributeType {
    ATTRIBUTE_REAL,    // one float
    ATTRIBUTE_VECTOR,  // three floats that turn with the scene: a mirror turns the one across it round (velocity, normal)
    ATTRIBUTE_WHOLE    // one int: ids and kinds
} AttributeType;

typedef enum AttributeSite { ON_POINTS, ON_ELEMENTS } AttributeSite;

typedef struct Attribute {
    char name[ATTRIBUTE_NAME];
    AttributeType type;
    AttributeSite site;
    float* real;  // owned; one or three per site, as type says; NULL for ATTRIBUTE_WHOLE
    int* whole;   // owned; NULL for the other types
} Attribute;

typedef struct Layer {
    char name[LAYER_NAME];  // of its file: NAME_0000.ply
    LayerKind kind;
    bool still;  // the same in every frame: one file NAME.ply
    int points, elements;
    float* position;                        // m, 3 per point; owned. One float more is there: rays read 16 bytes
    int* element;                           // `kind` points per element; owned
    Attribute attribute[LAYER_ATTRIBUTES];  // in the order of their columns in files
    int attributes;
} Layer;

// All zeros is a valid empty list.
typedef struct Layers {
    Layer** layer;  // owned; a layer stays where it is while others are added
    int count, room;
} Layers;

void layers_free(Layers* l);  // fine on an empty list; leaves it empty
// A new layer, all zeros, at the end of the list; no other may have its name. NULL with mn_last_error set when memory is out.
Layer* layers_add(Layers* l, const char* name, LayerKind kind, int points, int elements);
// Moves *layer to the end of the list and leaves it empty, also on failure. Returns its place; NULL when memory is out.
Layer* layers_take(Layers* l, Layer* layer);
Layer* layers_find(const Layers* l, const char* name);  // NULL if there is none
// Every layer's name is its own, elements name points that are there, all coordinates are finite.
bool layers_is_valid(const Layers* l);

// A layer that is in no list. MN_NO_MEMORY leaves it empty.
mn_status layer_init(Layer* layer, const char* name, LayerKind kind, int points, int elements);
void layer_free(Layer* layer);  // leaves it empty, with its name and kind
// Points, elements and attributes past the old ends are zero. MN_NO_MEMORY leaves counts and values as they were.
mn_status layer_resize(Layer* layer, int points, int elements);
void layer_move_element(Layer* layer, int to, int from);  // with its attributes; what was at `to` is lost
bool layer_is_valid(const Layer* layer);

// The attribute of this name, added with zeros if it is not there yet; one that is there must be of the same type and site.
// NULL with mn_last_error set when memory is out or LAYER_ATTRIBUTES are there. It stays valid until the layer is freed, its
// arrays until the layer is resized.
Attribute* layer_attribute(Layer* layer, const char* name, AttributeType type, AttributeSite site);
const Attribute* layer_find(const Layer* layer, const char* name);  // NULL if there is none
const float* layer_reals(const Layer* layer, const char* name);  // of a real or vector attribute on points; NULL if there is none
const int* layer_wholes(const Layer* layer, const char* name, AttributeSite site);  // NULL if there is none
int attribute_lanes(AttributeType type);                                            // numbers per site: 1 or 3

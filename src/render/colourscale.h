// What the colours of a coloured liquid stand for: which quantity, from what, between which ends.
#pragma once
#include "render/gridfield.h"

typedef struct ColourScale {
    bool on;
    const GridField* field;  // borrowed for one picture; NULL: speeds, from those on the surface
    double low, high;        // of the colours
    const char* unit;        // "m/s" or "Pa"
} ColourScale;

static inline double colourscale_part(const ColourScale* s, double value) { return (value - s->low)/(s->high - s->low); }

// What the colours of a coloured liquid stand for: which quantity, from what, between which ends.
#pragma once
#include <math.h>
#include "render/colours.h"
#include "render/gridfield.h"

typedef struct ColourScale {
    bool on;
    const GridField* field;  // borrowed for one picture; NULL: speeds, from those on the surface
    double low, high;        // of the colours
    bool log;                // equal factors are equal steps of colour
    bool film;               // the colours of air films
    const char* unit;        // "m/s" or "Pa"
} ColourScale;

static inline double colourscale_part(const ColourScale* s, double value)
{
    if (s->log) return log(fmax(value, s->low)/s->low)/log(s->high/s->low);
    return (value - s->low)/(s->high - s->low);
}

static inline V3 colourscale_colour(const ColourScale* s, double part)
{
    return s->film ? colour_of_film(part) : colour_of_speed(part);
}

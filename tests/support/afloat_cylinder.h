// A cylinder, 2D, that starts where theory has it, with the surface that belongs to it.
#pragma once
#include "afloat.h"
#include "floating.h"

typedef struct AfloatCylinder {
    double theta, density, l;
    double start;  // height of the centre
} AfloatCylinder;

static inline double afloat_meniscus(const void* user, const double x[3])
{
    const Afloat* f = user;
    const AfloatCylinder* c = f->user;
    return x[1] - f->level + floating_depth(x[0] - f->middle[0], c->start, c->theta, 1, c->l);
}

// A pool for it that is wide enough for the surface to be flat at the sides within e^-6 of the line's depth.
static inline Afloat afloat_cylinder(const AfloatCylinder* c, double cells, double time)
{
    double deep = 2.5 + fmax(-c->start, 0);
    Afloat f = {.dim = 2, .cells = cells, .width = ceil(12*c->l), .depth = fmax(deep, 2.5 + 6/cells), .above = 2 + fmax(c->start, 0) + 6/cells,
                .l = c->l, .mu = 2*c->l, .time = time, .shift = {0.21, 0.137}, .surface = afloat_meniscus, .bodies = 1, .user = c};
    f.body[0] = (TestBody){.R = 1, .density = c->density, .angle = c->theta, .center = {0, c->start}};
    return f;
}

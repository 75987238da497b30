// A cylinder, 2D, of radius 1 that starts where theory has it, with the surface that belongs to it.
#pragma once
#include "afloat.h"
#include "floating.h"

typedef struct AfloatCylinder {
    double theta, density, l;
    double start;  // height of the centre
    double seen;   // radius as the liquid sees it; 0: its own
} AfloatCylinder;

static inline double afloat_seen(const AfloatCylinder* c) { return c->seen > 0 ? c->seen : 1; }

// Height of its centre at rest. Of one that the liquid sees thicker the lines lie as deep, so that the centre lies higher.
static inline double afloat_exact(const AfloatCylinder* c)
{
    double center = floating_center(c->density, c->theta, 1, c->l);
    return center + (afloat_seen(c) - 1)*cos(floating_wetted(center, c->theta, 1, c->l));
}

static inline double afloat_depth(const AfloatCylinder* c, double x)
{
    return floating_depth(x, c->start, c->theta, afloat_seen(c), c->l);
}

static inline double afloat_meniscus(const void* user, const double x[3])
{
    const Afloat* f = user;
    return x[1] - f->level + afloat_depth(f->user, x[0] - f->middle[0]);
}

// A pool for it that is wide enough for the surface to be flat at the sides within e^-5 of the line's depth. Viscous: it comes to
// rest.
static inline Afloat afloat_cylinder(const AfloatCylinder* c, double cells, double time)
{
    double air = 6/cells, deep = fmax(-c->start, 0);
    Afloat f = {.dim = 2,
                .cells = cells,
                .width = ceil(10*c->l),
                .depth = 2.5 + fmax(deep, air),
                .above = 2 + fmax(c->start, 0) + air,
                .l = c->l,
                .mu = 2*c->l,
                .time = time,
                .shift = {0.21, 0.137},
                .surface = afloat_meniscus,
                .bodies = 1,
                .user = c};
    f.body[0] = (TestBody){.R = 1, .density = c->density, .angle = c->theta, .center = {0, c->start}, .is_wire = c->seen > 1};
    return f;
}

// Cells from the exact height. The sides mirror the surface: there it is twice as deep as it would be in open water.
static inline double afloat_off(const AtRest* r, const Afloat* f)
{
    const AfloatCylinder* c = f->user;
    return (r->height[0] - afloat_exact(c) - 2*afloat_depth(c, 0.5*f->width))*f->cells;
}

// ---- two of them, held sideways --------------------------------------------------------------------------------------------

typedef struct AfloatPair {
    AfloatCylinder one;
    double half;          // of the distance between them
    double pull, center;  // exact: over sigma; height of the centres
} AfloatPair;

// Two menisci, one on the other.
static inline double afloat_pair_surface(const void* user, const double x[3])
{
    const Afloat* f = user;
    const AfloatPair* p = f->user;
    double away = x[0] - f->middle[0];
    return x[1] - f->level + afloat_depth(&p->one, away - p->half) + afloat_depth(&p->one, away + p->half);
}

static inline AfloatPair afloat_pair_of(double theta, double density, double l, double apart)
{
    AfloatPair p = {{.theta = theta, .density = density, .l = l}, .half = 0.5*apart};
    p.one.start = afloat_exact(&p.one);
    p.pull = floating_pair_pull(&p.center, density, theta, 1, l, apart);
    return p;
}

static inline Afloat afloat_pair(const AfloatPair* p, double cells, double time)
{
    Afloat f = afloat_cylinder(&p->one, cells, time);
    f.width += ceil(2*p->half), f.bodies = 2, f.surface = afloat_pair_surface, f.user = p;
    f.body[0].fixed = FIXED_X, f.body[0].center[1] = p->center, f.body[1] = f.body[0];
    f.body[0].center[0] = -p->half, f.body[1].center[0] = p->half;
    return f;
}

// Of the mean pull, over the exact one.
static inline double afloat_pair_excess(const AtRest* r, const AfloatPair* p)
{
    return 0.5*(r->force[0] - r->force[1])/(p->one.l*p->one.l)/p->pull - 1;
}

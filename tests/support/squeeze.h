// The squeeze film between two round bodies, and the force on them by lubrication theory.
#pragma once
#include "flat_film.h"

// Gap h = h0 + x^2/R between two cylinders (spheres) of radius R that close at speed V, out to h_rim.
typedef struct Squeeze {
    double h0, radius, speed, dx;
    int cells;  // from one rim to the other; round: from the axis to the rim
    bool round;
    FilmConduct conduct;
    double slip;
    bool drops;  // the gap of drops, 2 sqrt(R^2 + x^2) - 2 R + h0 half way between them, R from their middles to there
} Squeeze;

static inline double squeeze_gap(const Squeeze* s, double x)
{
    return s->drops ? 2*(hypot(s->radius, x) - s->radius) + s->h0 : s->h0 + x*x/s->radius;
}

// q = V x between cylinders, V x/2 between spheres, so that p = 12 mu integral q dx/h^3 from x to the rim; in a parabola 3 mu V R
// (1/h^2 - 1/h_rim^2) between cylinders, half of it between spheres [reynolds1886]. Integrated over the film.
static inline double squeeze_exact(const Squeeze* s)
{
    enum { STEPS = 200000 };
    double end = s->dx*s->cells*(s->round ? 1 : 0.5), p = 0, sum = 0;
    for (int m = STEPS - 1; m >= 0; m--) {
        double x = (m + 0.5)*end/STEPS, h = squeeze_gap(s, x),
               fall = (s->round ? 6 : 12)*FILM_MU*s->speed*x/(h*h*h)*end/STEPS;
        sum += (p + 0.5*fall)*(s->round ? 2*PI*x : 2)*end/STEPS;
        p += fall;
    }
    return sum;
}

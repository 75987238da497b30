// What a liquid is at a place between its grid points: its distance and its velocity.
#pragma once
#include "liquid/liquid.h"

// Is the place (m) in the liquid's window?
bool rod_is_within(const Liquid* q, const double x[3]);
// m: distance to its surface, < 0 inside, smoothed; gradient: per metre. The place must be in the window.
double rod_phi(double gradient[3], const Liquid* q, const double x[3]);

// The eight faces of an axis around a place, linear weights, and how much of each is liquid: the mean of its two cells.
typedef struct RodFaces {
    ptrdiff_t at[8];
    double weight[8], wet[8];
    double total;  // sum of weight wet: 0 where no liquid is near
} RodFaces;

RodFaces rod_faces(const Liquid* q, int axis, const double x[3]);
// m/s: of what is liquid there; 0 where nothing is. u: of the axis.
double rod_velocity(const RodFaces* f, const double* u);
// Less than this of the kernel in liquid is none: a force on a splinter of a cell would throw it.
#define ROD_LEAST_WET 0.05

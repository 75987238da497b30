// Volume, centre and moments of a shape, from its signed distance.
#pragma once
#include "base/status.h"
#include "scene/shape.h"

// Of density 1. In 2D per metre of depth, and only about z does it turn: the other entries of inertia are 0.
typedef struct BodyMass {
    double volume;         // m^3 (2D: m^2)
    double center[3];      // m
    double inertia[3][3];  // m^5 (2D: m^4), about the centre: integral of r^2 1 - r r^T
} BodyMass;

// The shape must be bounded (shape_bounds). Primitives and meshes, also moved, rotated and scaled, have formulas; anything else
// is summed over its distances. A spent budget (base/budget.h) ends that: the numbers then mean nothing. Volume 0: the shape is
// empty.
BodyMass body_mass(const Shape* shape, int dim);
bool body_mass_by_formula(BodyMass* m, const Shape* shape);  // false: there is none
// Smooth shapes and boxes that are 50 cells across in a grid of 256 cells (2D: 4096) along their longest side come out right to
// 1e-4; what is thinner than a cell of that may be missed.
BodyMass body_mass_by_grid(const Shape* shape, int dim);

// Integrals of 1, x and x x^T over the inside, with x from `middle`; for the two above.
typedef struct BodyMoments {
    double volume, first[3], second[3][3];
    double middle[3];  // m
} BodyMoments;
BodyMass body_mass_of_moments(const BodyMoments* moments, int dim);  // all zeros without volume

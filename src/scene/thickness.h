// How thin a body is at its thinnest part.
#pragma once
#include "scene/shape.h"

typedef struct Thinnest {
    double thickness;  // m; INFINITY: nothing is thinner than `most`
    double at[3];      // a point of the surface there
} Thinnest;

// Looks at the surface of the shape within the box [low, high] (m, finite; in 2D low[2] = high[2] = 0) at steps of `dx`, from
// every place straight through the body to its other side. Parts thicker than `most` are not told apart; `enough` is the
// thickness at which a tapering part ends to be thin (thickness.c). Meshes are asked by their triangles.
Thinnest shape_thinnest(const Shape* shape, const double low[3], const double high[3], double dx, double enough, double most);

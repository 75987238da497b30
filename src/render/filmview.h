// The air films of a frame as pictures and profiles read them: the layer "film" with its attributes at hand (docs/output.md).
#pragma once
#include "base/layers.h"

typedef struct FilmPoint {
    double x[3];       // m, centroid of an air cell
    double normal[3];  // unit, across the film, from liquid[0] to liquid[1]
    double area;       // m^2 (2D: m)
    double thickness;  // m
    double pressure;   // Pa above the air around
    int liquid[2];     // ids; 0: a solid
} FilmPoint;

// Borrows the layer's arrays. All zeros is a valid empty one.
typedef struct FilmView {
    int count;
    const float *x, *normal, *area, *thickness, *pressure;
    const int* liquid[2];
} FilmView;

// layer may be NULL, or have no points: no film. MN_IO when it has not what a film has.
mn_status filmview_of(FilmView* film, const Layer* layer);
FilmPoint filmview_at(const FilmView* film, int m);

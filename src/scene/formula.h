// Shapes by formula: a function of the place that is negative inside, as a table of signed distances over the tank and a margin
// around it, whose nodes are those of the grid.
#pragma once
#include "scene/shape.h"

// How a table is filled: f at (x, y, z), any length scale, < 0 inside.
typedef mn_status (*FormulaValue)(double* value, void* user, const double x[3]);

// The cells of the scene's tank: its corner is at 0.
typedef struct FormulaGrid {
    int dim;
    int cells[3];
    double dx;  // m
} FormulaGrid;

// Samples f and makes it a distance in a band of cells about its surface, beyond which it is that wide: f/|grad f|, then relaxed as
// liquids are (grid/levelset.h). What spends its budget (base/budget.h) ends with MN_BAD_SCENE.
mn_status formula_make(Formula** out, const FormulaGrid* grid, FormulaValue value, void* user);
void formula_free(Formula* f);  // fine on NULL
double formula_distance(const Formula* f, const double x[3]);
// Box of the nodes inside, a cell wider; low > high: the function is nowhere negative.
void formula_bounds(double low[3], double high[3], const Formula* f);

// Signed distance to the closed polygon through `count` points (x, y) in the plane, < 0 inside: the nearest of its sides, and
// whether a ray crosses an odd number of them. Points may go round either way.
double polygon_distance(const double (*point)[2], int count, const double x[3]);
// The first two sides that cross or touch where they are not neighbours, as numbers of their first points; false: there are none.
bool polygon_crosses(int sides[2], const double (*point)[2], int count);

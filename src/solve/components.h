// Connected parts of a problem's unknown cells: those that hang together by links. On a part that touches no known value (sealed
// liquid) the constant is in the null space of the matrix: right-hand sides must have zero sum there and solutions are fixed to
// zero mean.
#pragma once
#include "base/arena.h"
#include "solve/poisson.h"

// Cells of one row, each linked to the next.
typedef struct ComponentRun {
    ptrdiff_t at;  // the first, in the layout of the window
    int length, part;
} ComponentRun;

typedef struct Components {
    ComponentRun* run;  // in order of their cells
    int runs;
    int parts;            // numbered by their lowest cells, z before y before x, wherever the window begins
    double *sum, *cells;  // per part, scratch
} Components;

// All parts there are.
mn_status components_find(Components* c, Arena* arena, const Poisson* f);
// Those without excess or any of the `held` cells.
mn_status components_sealed(Components* c, Arena* arena, const Poisson* f, const ptrdiff_t* held, int count);
// The part an unknown cell belongs to; -1: none of these.
int components_at(const Components* c, ptrdiff_t at);
// Subtracts the mean of v over each part. Returns the root of the sum of squares of what was removed.
double components_project(const Components* c, double* v);
void components_project_float(const Components* c, float* v);

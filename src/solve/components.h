// Connected parts of the unknown cells that touch no known value (sealed liquid). On each, the constant is in the null space of
// the matrix: right-hand sides must have zero sum there and solutions are fixed to zero mean.
#pragma once
#include "base/arena.h"
#include "solve/level.h"

typedef struct ComponentRun {
    int row, i0, i1, part;
} ComponentRun;

typedef struct Components {
    ComponentRun* run;  // runs of cells of the sealed parts only
    int runs;
    int parts;            // 0: nothing is sealed
    double *sum, *cells;  // per part, scratch
} Components;

mn_status components_sealed(Components* c, Arena* arena, const Level* l);
// Subtracts the mean of v over each sealed part. Returns the root of the sum of squares of what was removed.
double components_project(const Components* c, const Level* l, double* v);
void components_project_float(const Components* c, const Level* l, float* v);

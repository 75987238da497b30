// What a run computed inside its liquids, where it wrote volumes (volume_0000.hdf: VTK's HDF5 layout for images).
#pragma once
#include <stdbool.h>
#include "output/runfiles.h"

typedef enum GridQuantity { GRID_SPEED, GRID_PRESSURE } GridQuantity;

// One number per node. Owns value; all zeros is a valid empty one.
typedef struct GridField {
    int n[3];         // samples; n[2] is 1 in 2D
    double first[3];  // m, place of sample (0, 0, 0)
    double spacing[3];
    float* value;  // m/s or Pa, x fastest; NAN outside the liquids
} GridField;

bool gridfield_exists(const RunFiles* run, int frame);
// MN_IO with one line that names the file leaves the field empty.
mn_status gridfield_read(GridField* field, const RunFiles* run, int frame, GridQuantity quantity);
void gridfield_free(GridField* field);

// Linear between the samples about x (m) that are in a liquid; 0 if none is.
double gridfield_at(const GridField* field, const double x[3]);

// Round ends for the colours of a whole run, from a few frames: 99 % of the values lie between. low <= 0 < high.
mn_status gridfield_range(double* low, double* high, const RunFiles* run, GridQuantity quantity);

// A whole run as one USD text file, run.usda: its layers with a time sample per frame (docs/output.md).
#pragma once
#include "output/runlayers.h"

typedef struct UsdaRun {
    const RunFiles* files;
    const RunLayers* layers;
    int first, last;     // frames
    double (*place)[3];  // m, of the box in the laboratory, per frame: all of the run moves with it; NULL: none
} UsdaRun;

// From the PLY files of a run in 3D. Frames are read one at a time, once for each property.
mn_status usda_write(const char* to, const UsdaRun* run);

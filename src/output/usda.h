// A whole run as one USD text file, run.usda: surface, solids and spray with a time sample per frame (docs/output.md).
#pragma once
#include "output/runfiles.h"

// From the PLY files of frames first to last of a run in 3D. Frames are read one at a time, once for each property.
// place (NULL: none): of the box in the laboratory, per frame, m; all of the run moves with it.
mn_status usda_write(const char* to, const RunFiles* run, int first, int last, double (*place)[3]);

// Where the box of a run stood in the laboratory: frame_x, frame_y, frame_z of its liquids.csv (`frame_position` of the scene).
#pragma once
#include "output/runfiles.h"

// place[frame], m, of the run->frames frames; zero in a frame without liquids. The caller's to free; NULL after a failure.
mn_status labframe_read(double (**place)[3], const RunFiles* run);

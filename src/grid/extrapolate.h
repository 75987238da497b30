// Carries face velocities out of the liquid, constant along the normal, layer by layer.
#pragma once
#include "base/arena.h"
#include "grid/spans.h"

// valid: per face, on the spans, 1 where u is known; not changed. Fills `layers` layers of faces around the known ones; faces of
// the spans beyond get zero. Ghosts are reflected at the end.
mn_status extrapolate_velocity(double* const u[3], Arena* arena, unsigned char* const valid[3], const double* phi,
                               const Spans* spans, const Window* w, int layers);

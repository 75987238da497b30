// The section: the liquid cut by the upright plane through the middle of the tank that faces the camera most, the half in
// front taken away, the cut coloured by speed or pressure.
#pragma once
#include "render/trace.h"

mn_status section_build(Stage* stage, int threads);  // does nothing for another style

// Like trace_nearest; for the section style a ray is stopped by the cut, and what lies before it is passed by. `from_eye`
// tells rays of the camera, which alone see the cut.
bool section_nearest(TraceSurface* surface, const Stage* stage, Ray ray, bool from_eye);

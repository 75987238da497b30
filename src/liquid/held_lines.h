// Lines that hysteresis holds on solids that move: they go with the skin they are on.
#pragma once
#include "liquid/world.h"

// phi of `before` (as the step found it, ghosts filled) carried along with the nearest skins over the step to come, near skins;
// elsewhere as it is. A line that is held is where this is zero on the skin. *out is NULL where no solid moves. Arena memory.
mn_status held_with_skins(double** out, Arena* arena, const double* before, const Liquid* q, const StepContext* ctx);

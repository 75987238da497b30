// The volume of a liquid, put right by moving its surface.
#pragma once
#include "liquid/liquid.h"

// Shifts phi so that the wet volume is the target (to 1e-12).
// MN_STEP_FAILED when no small shift does it. A liquid without a free surface is left as it is. Spans and cut cells are those of
// before: rebuild them. freedom (may be NULL: 1 everywhere): per node, the share of the shift that it takes.
mn_status liquid_reach_volume(Liquid* q, Arena* scratch, const float* freedom);
// The same of one with a free surface, as far as it goes: *error (m^3) is what is left, where the volume jumps as the surface
// moves.
mn_status liquid_approach_volume(double* error, Liquid* q, Arena* scratch, const float* freedom);
// Surface that such a shift moves, m^2.
double liquid_movable_area(const Liquid* q, const float* freedom);
// Has this volume, measured after a step, nothing to do with the target? A liquid of many cells must not change by a tenth in one
// step; one of a few cells may, and is put right like the rest.
bool liquid_is_out_of_hand(const Liquid* q, double volume);
// The same at the end of a step, within which a liquid must not change out of hand; reports (volume - target)/target before the
// shift, and what is left of the difference after it (m^3): all of it where there is no free surface.
mn_status liquid_restore_volume(Liquid* q, Arena* scratch, const float* freedom, double* relative_error, double* left);

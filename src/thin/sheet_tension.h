// What the surface of a liquid pulls at elastic sheets with, where it ends on them.
//
// A surface with tension sigma pulls at its rim with sigma per length, along itself and away from the rim: at the line on a sheet
// with -sigma nu, nu out of the surface at its rim. On the grid tension is a pressure p_s on the surface, and the force that it
// has on the liquid, sum of -p_s A over the surface's links, is known to the last bit. Whoever ends on nothing but sheets pushes
// them with minus that; what the lines' forces differ from it they get in shares by their lengths. So a drop at rest weighs on a
// sheet with its weight and no more.
#pragma once
#include "thin/sheet_couple.h"

// Adds the forces, N (2D: N/m), 3 per vertex.
mn_status sheet_tension_add(double* force, const SheetCoupling* s, StepContext* ctx);

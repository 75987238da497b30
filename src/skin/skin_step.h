// A step of the water on a skin by itself, with no liquid of the grid beside it.
#pragma once
#include "skin/skin_water.h"

// The lattice has been moved over dt (skin_water_move), from rest or where it was. Water and drops are carried, `acceleration`
// (m/s^2) acts, excess goes outwards, the body stops what runs into it.
mn_status skin_step(SkinWater* s, const double acceleration[3], double dt);

// The longest step, s: no water moves more than `edges` fine edges relative to its tetrahedron, nor more than that by
// acceleration.
double skin_longest_step(const SkinWater* s, const double acceleration[3], double edges, double most);

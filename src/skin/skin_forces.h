// What acts on the water of a skin within its tetrahedra.
#pragma once
#include "skin/skin_water.h"

// Weight, adhesion towards the skin, drag of hair. What adhesion and hair do on the water is in s->pushed.
void skin_act(SkinWater* s, const double acceleration[3], double dt);

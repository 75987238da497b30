// Runs of a part of a symmetric problem (sides = { left = "mirror" }, docs/scenes.md) shown whole: what is on the far side of
// each mirror is what is on this side, turned round.
#pragma once
#include "output/runfiles.h"

// Makes the tank that of the whole; `is_mirror` per side. Of two mirrors along one axis the second stays a wall.
void mirror_tank(RunFiles* run, const bool is_mirror[6]);
// Adds the other parts to what one part's file holds. On failure what was there is still valid.
mn_status mirror_layer(Layer* layer, const RunFiles* run);

// The bright patterns that water throws on the floor. A path from the eye finds them only by luck, so light is followed the
// other way: rays from the key light that meet water leave their power where they land on the floor.
#pragma once
#include "render/stage.h"

// Fills stage->floor from about `photons` rays. Needs everything else of the stage.
mn_status caustic_build(Stage* stage, int photons, int threads);
V3 caustic_at(const FloorLight* floor, V3 point);  // irradiance at a point of the floor

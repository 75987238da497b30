// The rods and webs of a scene, as a simulation has them.
#pragma once
#include "scene/scene.h"
#include "step/sim.h"
#include "thin/rods.h"

// What is made of them; scene_rods NULL-safe: none gives an empty one. MN_BAD_MESH names the rod or web.
mn_status rods_build(Rods* rods, const Scene* scene);
// Moves them into the world, where there are any.
mn_status rods_start(Sim* sim, const Scene* scene);

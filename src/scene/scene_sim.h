// From a scene to a simulation at time 0.
#pragma once
#include "scene/scene.h"
#include "step/sim.h"

// Fills *sim (which must be empty): tank, settings, solids in their first pose, liquids with their velocities, sources. The
// scene must outlive it. sim_start is still to be called.
mn_status scene_build(Sim* sim, const Scene* scene);
// The tank alone; films may make its bands wider.
Tank scene_tank(const Scene* scene);

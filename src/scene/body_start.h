// From the bodies of a scene to the engine that moves them.
#pragma once
#include "scene/scene.h"
#include "step/sim.h"

// The world's solids are there. Nothing where there are no bodies.
mn_status bodies_start(Sim* sim, const Scene* scene);

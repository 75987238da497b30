// The sheets of a scene, if some are elastic, as a mesh with forces (thin/sheet_partner.h).
#pragma once
#include "scene/scene.h"
#include "step/sim.h"

// After the sheets have become those of the simulation (sheets_set_moving).
mn_status elastic_build(Sim* sim, const Scene* scene);

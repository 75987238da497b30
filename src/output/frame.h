// What a frame of a simulation shows, as layers: solids, spray, what partners show, and the surface of all liquids.
#pragma once
#include "base/layers.h"
#include "grid/surfacemesh.h"
#include "scene/scene.h"
#include "step/sim.h"

// Adds the layers of this moment; those that stand still only if `still`. The surface comes last.
mn_status frame_show(Layers* layers, const Scene* scene, const Sim* sim, bool still);

// A mesh as a layer: velocity, normal and owner ("liquid") on points, "kind" on elements. NULL when memory is out.
Layer* frame_add_mesh(Layers* layers, const char* name, const SurfaceMesh* mesh);

// The surface of a liquid as files and pictures have it: its mesh, closed by the wet parts of the tank's sides.
#pragma once
#include "grid/surfacemesh.h"
#include "liquid/liquid.h"
#include "membrane/surface.h"

// Adds both to `out`, with the velocities of the membrane; walls are cut where the mesh ends, at its own vertices. MN_NO_MEMORY
// may leave part of it. Scratch memory.
mn_status membrane_add_outline(SurfaceMesh* out, const MembraneMesh* m, const Liquid* q, Arena* scratch);

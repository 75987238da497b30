// The mesh of a liquid that has a level set: at the start of a run, and where a liquid gets a mesh again.
#pragma once
#include "liquid/liquid.h"
#include "membrane/surface.h"

// The surface of q->phi against air as a mesh in the tank, with edges of about `edge` (m), its velocity that of the liquid and
// its target volume its own. Vertices come to lie on the zero of `distance` where that is not NULL: marched ones lie on chords,
// and a ball of 8 cells would be 0.9 % too small and ring. MN_BAD_MESH: no mesh could be made of it, and why; *mesh is empty
// then.
mn_status membrane_from_levels(MembraneMesh* mesh, const Liquid* q, const Tank* tank, double edge, ShapeDistance distance,
                               const void* user);

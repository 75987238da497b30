// What the rest of the library reads of a liquid whose surface is a mesh: its level set and its cut cells. Both follow from the
// mesh and are never fed back to it.
#pragma once
#include "grid/cutcells.h"
#include "liquid/liquid.h"
#include "membrane/lanes.h"

// q->phi, which is the signed distance to the mesh in the band [baerentzen2005], +-band past it. Scratch memory.
mn_status membrane_levels(Liquid* q, const MembraneMesh* m, const MembraneCells* cells, Arena* scratch);

// q->cells: the volumes, faces and pieces of surface of the mesh itself, to the last bit, on the spans of q. `cells` must live as
// long as they do: faces are shared. The liquid's volume and area are those of the mesh then, and so is all that is measured.
mn_status membrane_cut_cells(Liquid* q, const MembraneCells* cells, Arena* kept);

// Does the surface cross itself, or a wall that it does not lie on? Some faces are open by more than all or less than nothing
// then.
bool membrane_is_crossed(const MembraneCells* cells);

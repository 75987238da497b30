// Carries the water of a skin with its own velocity, from the tetrahedra where they were to the tetrahedra where they are.
#pragma once
#include "skin/skin_water.h"

// Every wet tetrahedron looks at where moving points of it come from and asks for water there; what nobody asked for goes on with
// points of its own. Not a quantum is lost, and the momentum of each goes with it. Water that leaves the lattice becomes drops.
mn_status skin_advect(SkinWater* s, double dt);

// A tetrahedron that holds next to nothing hands it to its wettest neighbour: films would thin out without end.
mn_status skin_gather_crumbs(SkinWater* s);

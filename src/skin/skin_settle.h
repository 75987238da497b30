// What is too much in a tetrahedron goes outwards; what runs into the body is stopped.
#pragma once
#include "skin/skin_water.h"

// Half the way: what is too much in a tetrahedron goes to all its open neighbours alike, once.
mn_status skin_smear(SkinWater* s);
// The rest of it: first into neighbours with room, then farther from the skin, until all fits or has left the lattice as drops.
// What is shut in stays where it is and is counted in `trapped`.
mn_status skin_push_out(SkinWater* s);
// Water that moves into the body goes on with the body's velocity along the normal, and so does water in full tetrahedra behind
// it. Counts the momentum in `pushed`.
mn_status skin_stop_at_body(SkinWater* s);

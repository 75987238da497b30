// Solids and bodies of a world, as a step with a membrane meets them (membrane_bodies.h).
#pragma once
#include "liquid/world.h"
#include "membrane/membrane_bodies.h"

// Kept memory of the step.
typedef struct LentBodies {
    MembraneBodies view;
    Solids solids;  // as thick as they are: the membrane needs no thicker wires
    Movers movers;
    StepContext* ctx;
    int* touching;  // per body: vertices
} LentBodies;

// edge: m, of the mesh away from them. With `unknown`, free bodies have their velocities to come out of the solve; else they move
// as they do. The view points into *l, which must stay where it is. There may be nothing in it: bodies_are_none.
mn_status lent_bodies(LentBodies* l, StepContext* ctx, double edge, bool unknown);
static inline bool bodies_are_none(const LentBodies* l) { return l->solids.count == 0; }
// What came out goes to their owner.
void lent_return(LentBodies* l, const MembraneMesh* m);
// Is a solid or body in the liquid already, where no surface lies around it? MN_UNSUPPORTED says which. volume: of cells, 0 to 1.
mn_status lent_check_dry(const Solids* solids, const Window* w, const double* volume);

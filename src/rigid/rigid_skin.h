// Where bodies meet solids of which contacts know no form: round holes, meshes, whatever moves. Points of a body's skin are asked
// for their distance to the solid.
#pragma once
#include "liquid/solid.h"
#include "rigid/rigid.h"

typedef struct SkinTouch {
    double place[3];     // m, on the skin
    double normal[3];    // out of the solid
    double distance;     // m, < 0: in the solid
    double velocity[3];  // m/s, of the solid there
} SkinTouch;

// Of one body with one solid at most.
enum { SKIN_TOUCHES = 8 };

// Points of the body's skin nearer to the solid than `reach`: the deepest ones, and of those about as near the outermost, so that
// what lies flat is held at its corners. distance: room for as many numbers as the body has points. How many there are.
int rigid_skin_touches(SkinTouch out[SKIN_TOUCHES], double* distance, const Rigid* r, int body, const Solid* s, double reach);
// m, from the centre of mass to the farthest point of the skin.
double rigid_skin_size(const RigidBody* body);

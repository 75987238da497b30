// Faces whose middle is inside a solid take the solid's velocity along its normal and keep their own along the skin.
#pragma once
#include "liquid/solid.h"

typedef struct HeldFace {
    ptrdiff_t at;
    int axis;
    double x[3], foot[3];  // cells: its middle, and the skin nearest to that
    double n[3];           // unit, out of the solid
    double value;          // m/s, of held_faces_set
} HeldFace;

typedef struct HeldFaces {
    HeldFace* face;  // in the arena
    int count;
} HeldFaces;

// How far from a node phi_s is read, in nodes: its gradient.
enum { HELD_FACES_READ = 1 };
mn_status held_faces_find(HeldFaces* held, Arena* arena, const double* phi_s, const Spans* spans, const Window* w);
// phi (may be NULL): skin that liquid has parted from does not hold it, and only what goes into the solid is taken. The result
// does not depend on the order of the faces. Fills the ghosts of u.
void held_faces_set(double* const u[3], const HeldFaces* held, const double* phi, SolidMotion solid, const Window* w);

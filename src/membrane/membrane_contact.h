// Where the surface touches solids and bodies. A body that is not wetted (180 degrees) pushes the surface before it and never
// holds it back: what would go into it lies on it and is carried by it, until the body would have to pull.
//
// [ruan2021] lets vertices go once the liquid draws them away by a tenth of a cell; then what a body has once touched stays
// touched, and where it comes to rest depends on how it came there. Here the sign of the force decides (release).
#pragma once
#include "membrane/membrane_bodies.h"

typedef struct TouchCount {
    int touching;  // vertices on bodies
    int captured;  // of them, new ones
    int released;  // let go since
} TouchCount;

// Where vertices were before they moved, and how long that took.
typedef struct Moved {
    const double* x;  // m, 3 per vertex; NULL: nothing has moved since the last call
    double dt;        // s
} Moved;

// After bodies and vertices have moved: what is inside a body, or has passed through one on its way, goes to the skin, where it
// went in, and is in contact; what was in contact goes back there. dx: of the grid; vertices in contact lie dx/10^4 out of the
// skin, so that rounding puts none inside. Raises `count`, which may be NULL.
void membrane_touch(MembraneMesh* m, const MembraneBodies* b, Moved moved, double dx, TouchCount* count);
// Wanted edge lengths, short where bodies are or may be after dt.
mn_status membrane_touch_sizes(MembraneMesh* m, const MembraneBodies* b, double dt);
// After a solve: vertices at the rim of a contact that the body would have to hold back are free. held: N s per vertex, what
// bodies gave it; least: N s, a smaller pull is none. Gives how many.
int membrane_release(MembraneMesh* m, const MembraneBodies* b, double (*held)[3], double least, double dx);
// b->wrench from what bodies gave the surface within dt.
void membrane_wrenches(const MembraneMesh* m, const MembraneBodies* b, double (*held)[3], double dt);
// m: how deep the surface, between its vertices, too, is in a body, told to `within`; 0: nowhere.
double membrane_deepest(const MembraneMesh* m, const MembraneBodies* b, double within);
// Velocity of the skin that a vertex in contact lies on: of a body by b->v.
void membrane_touch_velocity(double out[3], const MembraneMesh* m, const MembraneBodies* b, int vertex);

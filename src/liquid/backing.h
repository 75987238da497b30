// Thin solids as one liquid sees them.
//
// Past a solid's skin phi goes on as the contact angle asks for, and curvature and distances read it up to four cells deep. In
// a wall thinner than that they would read the air behind it, or what goes on from there: the line of a bowl of three cells was
// thrown about until the water left the bowl. Where there is liquid on one side of a wall only, the other side is nothing to
// this liquid, and the wall may as well be thick: it is *backed*.
#pragma once
#include "base/arena.h"
#include "grid/spans.h"

// Where a node lies, as the liquid sees it: on its own side of the walls; behind one, that is, near the dry side of a wall or
// in it and nearer to that side; or neither (past the spans, or far from all walls on a dry side).
enum { BACKED_NEITHER, BACKED_WET, BACKED_BEHIND };

// The solids as one liquid sees them. All zeros: no solids. Arena memory.
typedef struct Backed {
    double* v;  // m, nodes: distance to the solid, < 0 inside, with the dry side of thin walls filled; phi_s itself where none is
    unsigned char* side;  // nodes, one of the above; NULL where nothing lies behind a wall
} Backed;

// phi and phi_s on the nodes of the spans; phi < 0 must be liquid. Ghosts of phi_s are filled. Borrows phi_s.
mn_status solid_back(Backed* backed, Arena* arena, const double* phi, double* phi_s, const Spans* spans, const Window* w);

static inline bool backed_hides(const Backed* b) { return b->side != NULL; }  // is there anything behind walls?
static inline bool backed_is_behind(const Backed* b, ptrdiff_t at) { return b->side[at] == BACKED_BEHIND; }

// Behind the middle of a thin wall there is air again, after phi was continued through it: the liquid is cut off there.
void solid_cut_behind(double* phi, const Backed* backed, const double* phi_s, const Spans* spans, const Window* w);

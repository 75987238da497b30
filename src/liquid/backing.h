// Thin solids as one liquid sees them.
//
// Past a solid's skin phi goes on as the contact angle asks for, and curvature and distances read it up to four cells deep. In a
// wall thinner than that they would read the air behind it, or what goes on from there: the line of a bowl of three cells was
// thrown about until the water left the bowl. Where there is liquid on one side of a wall only, the other side is nothing to this
// liquid, and the wall may as well be thick: it is *backed*.
#pragma once
#include "base/arena.h"
#include "grid/spans.h"

// *backed: distance to the solid (m, < 0 inside) with the dry side of thin walls filled; phi_s itself where no wall is thin. phi
// and phi_s on the nodes of the spans; phi < 0 must be liquid. Ghosts of phi_s are filled.
mn_status solid_back(double** backed, Arena* arena, const double* phi, double* phi_s, const Spans* spans, const Window* w);

// Is a node on the dry side of a wall, or nearer to it than to the liquid's?
static inline bool is_behind(const double* backed, const double* phi_s, ptrdiff_t at) { return backed[at] != phi_s[at]; }

// Behind the middle of a thin wall there is air again, after phi was continued through it: the liquid is cut off there.
void solid_cut_behind(double* phi, const double* backed, const double* phi_s, const Spans* spans, const Window* w);

// What surface tension does to bodies: all that the discrete tension takes from the liquid and does not give back to it.
//
// The surface has no mass, so what it does to the liquid by its pressure sigma kappa, walls and bodies must get back where it
// ends on them. Let chi_b be 1 on body b, falling to 0 away from it, and 0 on all that is not b. From
//     int grad_s chi dA = oint chi nu dl + int chi kappa n dA         (nu: out of the surface at its rim)
// the pull - oint sigma chi nu dl of the surface on the body is
//     F_b = sum over links to the surface of chi_b area p_surface  -  sigma sum over patches of (1 - n n) grad chi_b area,
// torques likewise, and what the links miss of the first integral is made good (add_between_lines). p_surface is what the liquid
// feels, filtered by the implicit scheme and with the force on the contact line, so that momentum is kept. Sigma along the
// tangent at the line, by the contact angle, would not keep it: that knows nothing of what the liquid feels.
#pragma once
#include "base/vec.h"
#include "liquid/world.h"
#include "rigid/rigid.h"

// Both add to wrench (bodies x TWIST, N and N m about the centres of mass). The links to the surface of q, whose problem p, with
// pressures on its surface, was built from velocity u:
mn_status rigid_tension_links(double* wrench, const Rigid* r, const Liquid* q, const Pressure* p, StepContext* ctx,
                              double* const u[3]);
// and the patches of its surface: by places alone, so the same for all solves of a step.
mn_status rigid_tension_patches(double* wrench, const Rigid* r, const Liquid* q, StepContext* ctx);
// Has the cell a corner in a solid?
bool rigid_meets_solid(const Liquid* q, ptrdiff_t at);
// Does the surface end on the body in this cell? It has both, each more than rounding: where a body just dips in, its wet skin is
// nothing or 1e-17, and a strider of two equal halves was held by eleven cells on the left and by eight on the right. (Every cell
// with a surface and a corner in a body counted once: springs on light boxes were too stiff, and 272 steps in place of 223 were
// taken back in 70 random scenes.)
static inline bool rigid_at_line(const CutCell* c)
{
    const double rounding = 1e-6;
    return c->patch_area > rounding && vec_norm(c->solid) > rounding;
}

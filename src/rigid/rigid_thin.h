// Wires and other bodies thinner than three cells: the liquid sees them thicker.
//
// A skin whose curvature the grid does not resolve carries no contact line: a wire of two cells sank at 90 degrees, one of 1.3
// did nothing right. What carries such bodies are lines, and those pull with sigma whatever the radius is. So the liquid sees a
// radius of R' = 1.5 dx in place of R; mass, inertia and what collides stay as they are. With q = R/R', a line on the thicker
// skin at the same slope lies at the same depth; but the liquid presses on too wide a skin. What is too much of it at rest is
// taken off as a force: below the line (pressure p_line) the body has displaced the segment that the lines cut off it,
//
//     F_p = p_line S + rho sum over cells of a.(x - x_line) S_l,       S = sum of S_l
//
// and of the first part q counts, of the second q^2 (balls in 3D: q^2, q^3). x_line is the nearest end of the surface on the
// body. The pressure is that of the last step, and less than all of it is taken off: no limit on the step follows from that. The
// centre lies higher than it should by (R' - R) cos(a), 2 a the wetted angle: lines are where they should be. The liquid that
// goes along with the body is too much by 1/q^2.
#pragma once
#include "liquid/coupling.h"
#include "rigid/body_plan.h"
#include "rigid/rigid_momentum.h"

// How much thicker the liquid sees it on a grid of cells of dx; fills body->thicker, area_excess and volume_excess.
void rigid_thicken(RigidBody* body, const BodyPlan* plan, const Tank* tank);
// Is any of them thickened?
bool rigid_has_thin(const Rigid* r);
// Adds to wrench (bodies x TWIST, N and N m) what is too much of the pressure on thickened bodies; buoyancy: theirs
// (rigid_buoyancy.h).
mn_status rigid_thin_wrench(double* wrench, const double* buoyancy, const Rigid* r, const BodyCell* cell, int cells,
                            const Coupling* c, const StepContext* ctx);

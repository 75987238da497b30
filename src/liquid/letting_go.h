// Walls and solids that let go. Contact of liquid and skin is unilateral: on every piece of it (solve/skin.h)
//
//     0 <= p + held,   0 <= (u - u_owner).n (n out of the owner),   one of them an equality,
//
// wherever air can come in from beside. p is the pressure on the skin, over that of the air; `held` is what adhesion bears. Two
// surfaces that are parted need the work of adhesion sigma (1 + cos theta) per area (Young and Dupre); a gap that the grid can
// tell from contact is a cell wide, so the mean pull on the way there is sigma (1 + cos theta)/dx. Pulls of less than sigma/dx
// are borne by the curvature of the surface, which the grid resolves: held = sigma (1 + max(cos theta, 0))/dx.
//
// Found by an active set: solve with all pieces closed, open those that pull harder and have air or an open piece beside them,
// solve again. A piece that opened and whose liquid leaves it gets a gap of air, so that the surface follows from then on.
// Nothing is remembered but the surface: skin that is dry has let go, and skin that is wet is closed when the next step begins.
#pragma once
#include "liquid/world.h"
#include "solve/pressure.h"

// All pieces of skin of the problem `in` of a liquid, closed, each with what it bears. Arena memory.
mn_status letting_go_skins(SkinList* out, Arena* arena, const Liquid* q, const StepContext* ctx, const PressureInput* in);
// Opens pieces of p where its solution, q->p, pulls too hard. round counts the solves from 1; after the sixth nothing opens any
// more. Returns how many did: then pressure_reopen, and solve again.
int letting_go_open(Pressure* p, const Liquid* q, int round);
// After the velocity was continued past the surface: beside the unknown cells of p nothing goes into a wall of the tank.
void letting_go_hold_back(Liquid* q, const Pressure* p);
// A gap of air in phi on the open pieces that the liquid leaves; *parted: how many. A film of less than a cell, which a gap takes
// altogether, goes only where it moves off in this step by more than noise, and not all at once.
mn_status letting_go_part(int* parted, Liquid* q, Arena* arena, const SkinList* skins, const Solids* solids, double dt);

// Solids that liquid moves away from with air in between: phi goes on into them as air does, not as the contact angle would have
// it. Before phi is continued into the solids: what it is to be at the nodes behind such skin, NaN at all others; *behind is NULL
// where there is none. Ghosts of phi must be filled.
mn_status letting_go_behind(double** behind, Arena* arena, double* phi, const Liquid* q, const Solids* solids, double depth);

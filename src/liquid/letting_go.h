// Walls of the tank that let go. Contact of liquid and wall is unilateral: on every face of a wall
//
//     0 <= p + hold,   0 <= u.n (n out of the wall),   one of them an equality,
//
// wherever air can come in from beside. p is the pressure on the wall, over that of the air; `hold` is what adhesion bears. Two
// surfaces that are parted need the work of adhesion sigma (1 + cos theta) per area (Young and Dupre); a gap that the grid can
// tell from contact is a cell wide, so the mean pull on the way there is hold = sigma (1 + cos theta)/dx.
//
// Found by an active set: solve with all walls closed, open the faces that pull harder and have air or an open face beside them,
// solve again. A face that opened and whose liquid leaves it gets a gap of air, so that the surface follows from then on. Nothing
// is remembered: a face is open if it is dry, and closed if it is wet, when the next step begins.
#pragma once
#include "liquid/world.h"
#include "solve/pressure.h"

enum { LETTING_GO_ROUNDS = 6 };

// Pa: what a wall of the tank bears before this liquid lets go of it.
double letting_go_hold(const Liquid* q, const StepContext* ctx);
// Opens faces of `open`, which p was built with, where the solved pressure of q pulls too hard. Returns how many. Arena memory.
mn_status letting_go_open(int* count, unsigned char* open, Arena* arena, const Pressure* p, const Liquid* q);
// After the velocity was continued past the surface: beside the unknown cells of p nothing goes into a wall.
void letting_go_hold_back(Liquid* q, const Pressure* p);
// A gap of air on the open faces that the liquid leaves, in phi. Returns how many.
int letting_go_part(Liquid* q, const unsigned char* open);

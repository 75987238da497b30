// Bodies at the start of a solve: their engine's step, and what droplets have given them.
#pragma once
#include "liquid/world.h"
#include "rigid/rigid.h"

// After bodies and solids have moved: the engine's step begins.
mn_status rigid_begin_engine(Rigid* r, const StepContext* ctx);
// What droplets have given the solids that follow bodies, as forces over the step. With `keep` they are still to be given.
// wrench: bodies x TWIST, N and N m.
void rigid_take_hits(double* wrench, const Rigid* r, Solids* solids, double dt, bool keep);

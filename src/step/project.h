// The projection of all liquids: those that share a partner are solved together, and with the partner's own unknowns; the
// others each by itself.
#pragma once
#include "step/sim.h"

mn_status project_liquids(StepContext* ctx);
// What it would do now, with the partners of `list` only: the pressures of the liquids that they join. Velocities and
// partners stay as they are; *c and the partners' own part of it, to be ended by their `end`, are scratch memory.
mn_status project_foresee(Coupling* c, const Partners* list, StepContext* ctx);

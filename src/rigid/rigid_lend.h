// Bodies lent to another partner, which solves for their velocities beside its own unknowns (liquid/movers.h).
#pragma once
#include "rigid/rigid_partner.h"

// The verb `movers` of the partner `self`.
mn_status rigid_lend(Movers* out, void* self, StepContext* ctx);

// The projection of all liquids: those that share a partner are solved together, and with the partner's own unknowns; the
// others each by itself.
#pragma once
#include "step/sim.h"

mn_status project_liquids(StepContext* ctx);

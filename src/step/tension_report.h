// What surface tension will do in a run, in words, before it starts.
#pragma once
#include <stddef.h>
#include "step/sim.h"

// "implicit", "explicit" ... of the next step, or "none" without tension: what `auto` picks.
const char* tension_pick(const Sim* sim, double limit);
// One line: the scheme of the next step and why, as in "auto picks implicit: ...". limit (s): the next step ends there.
void tension_explain(char* out, size_t size, const Sim* sim, double limit);

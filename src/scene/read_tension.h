// The keys of numerics that say how surface tension acts.
#pragma once
#include "scene/read.h"

extern const char* const tension_keys[];  // NULL-ended
// From the open table `numerics`; what a key says must mean something to the scheme chosen.
mn_status tension_read(SceneTension* t, const Node* numerics);

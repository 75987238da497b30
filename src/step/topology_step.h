// Parts that came apart become liquids or spray, spray rejoins, liquids that touch merge.
#pragma once
#include "step/sim.h"

mn_status topology_update(StepContext* ctx, Arena* kept);

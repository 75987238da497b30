// Parts that came apart become liquids or spray, spray rejoins, liquids that touch merge.
#pragma once
#include "step/sim.h"

mn_status topology_update(StepContext* ctx, Arena* kept);
// m^3; parts of less become spray, unless a source keeps its region full of them.
double topology_smallest_volume(const StepContext* ctx);

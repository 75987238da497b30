// Every liquid gets its own volume back at the end of the motion, where it is free.
#pragma once
#include "liquid/world.h"

// Reports the largest relative error that was corrected. Leaves spans and cut cells rebuilt; resets ctx->scratch.
mn_status volumes_restore(StepContext* ctx);

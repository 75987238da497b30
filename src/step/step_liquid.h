// One step of liquids without partners.
#pragma once
#include "step/sim.h"

// Advances the state from ctx->world->time by dt. On failure the state is half-way: sim_step restores it.
mn_status step_liquid(StepContext* ctx, double dt);

// The energy balance of a step: what the liquids have at its end, less what they had and what was done on them. Method and
// bound: docs/energy.md.
#pragma once
#include "liquid/world.h"

// In the order of a step. Scratch memory is reset by all of them.
mn_status balance_begin(StepContext* ctx);
// Work of the shaken box on the droplets of spray, once they have flown.
void balance_spray(StepContext* ctx, const SprayFlight* flight);
// What sources put in, or take out where they stop faster liquid: before and after they act.
mn_status balance_before_sources(StepContext* ctx);
mn_status balance_after_sources(StepContext* ctx);
// What is won or lost where parts become liquids or spray, and liquids one: before and after.
mn_status balance_before_topology(StepContext* ctx);
mn_status balance_after_topology(StepContext* ctx);
// Work of the shaken box: before `acceleration` acts on the velocities.
mn_status balance_frame(StepContext* ctx);
// What viscosity takes (or moving solids bring by it): before and after it acts.
mn_status balance_before_friction(StepContext* ctx);
mn_status balance_after_friction(StepContext* ctx);
// Work of pressure on moving solids and at sources, with the pressures of the projection.
mn_status balance_pressure(StepContext* ctx);
mn_status balance_end(StepContext* ctx);
// What has been taken off the motion since is no gain.
mn_status balance_after_calm(StepContext* ctx);

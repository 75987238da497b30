// Inner friction within a step.
#pragma once
#include "liquid/world.h"

// Inner friction, if the liquid has any (flow_viscosity.c). Wet faces and two layers past the surface change.
mn_status flow_add_viscosity(Liquid* q, StepContext* ctx);

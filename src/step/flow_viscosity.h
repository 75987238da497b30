// Inner friction within a step.
#pragma once
#include "liquid/world.h"

// Inner friction of all liquids that have any (flow_viscosity.c), and on the bodies they stick to. Wet faces and two layers past
// the surface change. Scratch memory is reset.
mn_status flow_add_viscosity(StepContext* ctx);

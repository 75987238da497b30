// Surface tension that depends on the place: its gradient pulls the liquid along its surface, from low sigma to high.
#pragma once
#include "liquid/world.h"

// sigma (N/m) on the nodes near the surface, that of the material elsewhere; NULL when it is constant. Scratch memory.
mn_status marangoni_sigma(double** sigma, Liquid* q, StepContext* ctx);
// Force (I - n n) grad sigma times area on the surface of every cut cell, N (2D: N/m); NULL when sigma is constant. Scratch
// memory.
mn_status marangoni_traction(double (**traction)[3], Liquid* q, StepContext* ctx);

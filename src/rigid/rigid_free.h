// Free bodies by Newton and Euler: no joints, no contacts but with the walls of the tank, which take what comes without
// bouncing or friction. For builds without MuJoCo, and scenes that need no more.
//
//     m dv/dt = m a,     I dw/dt = - w x I w          (I = R I_rest R^T)
//
// A point of the skin that comes within half a cell of a closed side is a contact: n.(v + w x arm) >= (margin - gap)/dt, n into
// the tank. The cell that is left is what lets liquid in again between the two.
#pragma once
#include "rigid/body_plan.h"

// On failure *r is empty.
mn_status rigid_free_start(Rigid* r, const Tank* tank, const BodyPlan* plan, int count);

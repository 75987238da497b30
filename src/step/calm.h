// Energy that has come from nowhere is taken off the motion again (docs/energy.md).
#pragma once
#include "liquid/world.h"

// Kinetic energy of a liquid, J, by its id.
typedef struct KineticNote {
    int id;  // 0: the end
    double target_volume, kinetic;
} KineticNote;

// What every liquid has now, for calm_motion; in the memory ctx->kept. Scratch memory is reset.
mn_status calm_note(StepContext* ctx);
// Takes `amount` J off the motion of the liquids: those that have become faster since calm_note give it back first, then all of
// them. What moves a free liquid as a whole is its momentum, and stays; so does half of the rest. Scratch memory is
// reset.
mn_status calm_motion(StepContext* ctx, double amount);

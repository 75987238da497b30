// Energy that has come from nowhere is taken off the motion again (docs/energy.md).
#pragma once
#include "liquid/world.h"

// How a liquid moved at the start of the step, by its id.
typedef struct KineticNote {
    int id;  // 0: the end
    double target_volume;
    double kinetic;  // J
    double mean[3];  // m/s, of all of it
} KineticNote;

// What every liquid has now, for calm_motion; in the memory ctx->kept. Scratch memory is reset.
mn_status calm_note(StepContext* ctx);
// The note of a liquid that is still what it was; NULL: it was split, merged or fed since.
const KineticNote* calm_noted(const StepContext* ctx, const Liquid* q);
// Takes `amount` J off the motion of the liquids: those that have become faster since calm_note give it back first, then all of
// them. What moves a free liquid as a whole is its momentum, and stays; so does half of the rest. *taken: what could be had.
// Scratch memory is reset.
mn_status calm_motion(double* taken, StepContext* ctx, double amount);

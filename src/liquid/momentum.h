// One law: a liquid that touches nothing cannot push itself. Tension sampled on a grid, advection, friction and repairs of its
// surface all move its mean velocity a little; what they must not do is taken off again, the same velocity everywhere, which
// changes no divergence.
#pragma once
#include "liquid/liquid.h"

// Axes along which nothing holds the liquid as a whole, a bit each: all where no side of the tank and no solid touches it;
// those along the mirrors where only mirrors do; else none.
unsigned momentum_free_axes(const Liquid* q);
static inline unsigned all_axes(int dim) { return (1u << dim) - 1; }

// Mean velocity of a liquid, m/s.
mn_status momentum_mean_velocity(double mean[3], const Liquid* q, Arena* arena);
// Gives it this mean velocity along these axes.
mn_status momentum_keep_velocity(Liquid* q, const double mean[3], unsigned axes, Arena* arena);
// u += change all over the spans (m/s).
void momentum_shift_velocity(Liquid* q, const double change[3]);

// Mean velocities of the free ones among some liquids, by id: the topology may put them in another order, and one that was
// split, merged or fed since has another target volume.
typedef struct FreeMotion {
    int id;         // 0: the end
    unsigned axes;  // along which nothing holds it
    double target_volume, v[3];
} FreeMotion;

// List in `kept` memory; `scratch` is reset.
mn_status momentum_note(FreeMotion** motion, const Liquid* liquid, int count, Arena* kept, Arena* scratch);
// Those that are still what they were, and still free, get back what was noted and dt times the acceleration (m/s^2). `scratch`
// is reset.
mn_status momentum_restore(const FreeMotion* motion, Liquid* liquid, int count, const double acceleration[3], double dt,
                           Arena* scratch);

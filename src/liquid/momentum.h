// One law: a liquid that touches nothing cannot push itself. Tension sampled on a grid, advection, friction and repairs of its
// surface all move its mean velocity a little; what they must not do is taken off again, the same velocity everywhere, which
// changes no divergence. It is noted before something acts and settled after it, at these places of a step:
//
//     being carried and the repair of its surface (step_liquid)   from the start of the step, by id
//     the restored volume (step_liquid)   around it
//     merging (merge_pair)   the momentum of both, along the axes where both are free
//     band forces of tension (tension_band_act, tension_paper_push)   noted and settled around the force
//     friction (flow_add_viscosity)   around it
//     all that happens before the projection, beside partners (film: predict, act)   from the start of the step, by id
//     the projection (flow_project)   around it, but for that of the start
//     the projection with partners (film: assemble, take_back)   around it; what their forces give is added to what was noted
#pragma once
#include "liquid/liquid.h"

// Axes along which nothing holds the liquid as a whole, a bit each: all where no side of the tank and no solid touches it;
// those along the mirrors where only mirrors do; else none.
unsigned momentum_free_axes(const Liquid* q);
// Those across which it touches no side of the tank, where no solid touches it: nothing but friction and lines can push it as a
// whole.
unsigned momentum_loose_axes(const Liquid* q);
// Those across the mirrors that it touches, where only mirrors do; else none.
unsigned momentum_mirror_axes(const Liquid* q);
static inline unsigned all_axes(int dim) { return (1u << dim) - 1; }

// Does it touch no side of the tank?
bool momentum_is_off_sides(const Liquid* q);

// Mean velocity of a liquid, m/s.
mn_status momentum_mean_velocity(double mean[3], const Liquid* q, Arena* arena);
mn_status momentum_total(double momentum[3], const Liquid* q, Arena* arena);  // kg m/s

// u = to + part (u - from) on every face, 0 <= part <= 1: motion about `from` calms down, and the whole moves with `to` (m/s).
void momentum_calm(Liquid* q, const double from[3], const double to[3], double part);

// How a liquid moves as a whole. All zeros: nothing is noted, and settling does nothing.
typedef struct Motion {
    unsigned axes;      // along which nothing holds it, a bit each
    unsigned mirrored;  // along which mirrors alone do: what they push with is known
    double trust[3];    // along the latter: the part of what is missing that settling adds
    double v[3];        // m/s, mean velocity
    double change[3];   // m/s: what settling added to it everywhere
} Motion;

// As it is now; only the axes of a liquid that is not free.
mn_status momentum_note(Motion* motion, const Liquid* q, Arena* arena);
// Gives it the noted mean velocity along the noted axes: the same velocity everywhere where nothing holds it; across mirrors,
// through which nothing flows, each face the same part of its own speed, so that what rests stays at rest.
mn_status momentum_settle(Liquid* q, Motion* motion, Arena* arena);

// What a liquid must have of momentum at the end of a step, but for what pushes it within: noted at its start where no side
// of the tank touches it, and handed on when it splits, merges or takes up droplets, by whoever does that. A source that
// feeds it does not: then it is not known.
mn_status momentum_note_due(Liquid* q, Arena* arena);
void momentum_set_due(Liquid* q, const double momentum[3]);  // of its present target volume
void momentum_forget_due(Liquid* q);
bool momentum_is_due(const Liquid* q);

// Length (m; 2D: number of points) of the line where the surface meets mirrors across an axis, on the high less on the low one.
double momentum_line(const Liquid* q, int axis);

// The other half of the liquid, behind a mirror, pulls on this one by the tension of that line, at right angles, and pushes by
// its pressure on the wet part of the mirror. A sheet whose edge retracts is pulled by 2 sigma per metre [taylor1959; culick1960]
// and not pushed; in half a drop the two nearly cancel, and the difference is known less well than the liquid's own motion: where
// the push is half the pull or more, the axis is left alone.
typedef struct MirrorForce {
    double pull[3], push[3];  // N (2D: N/m) by a tension sigma, and by the pressures in the liquid
} MirrorForce;
MirrorForce momentum_mirror_force(const Liquid* q, double sigma);
// Adds dt times its pull, or its push, to what was noted; leaves axes alone where they nearly cancel.
void momentum_add_pull(Motion* motion, const Liquid* q, const MirrorForce* f, double dt);
void momentum_add_push(Motion* motion, const Liquid* q, const MirrorForce* f, double dt);

// The same for the free ones among some liquids, by id: the topology may put them in another order, and one that was split,
// merged or fed since has another target volume.
typedef struct FreeMotion {
    int id;  // 0: the end
    double target_volume;
    Motion motion;
} FreeMotion;

// What is due is noted where it is known. List in `kept` memory; `scratch` is reset.
mn_status momentum_note_free(FreeMotion** list, const Liquid* liquid, int count, Arena* kept, Arena* scratch);
// Those that are still what they were, and still free, are settled to what was noted and dt times the acceleration (m/s^2).
// `scratch` is reset.
mn_status momentum_settle_free(const FreeMotion* list, Liquid* liquid, int count, const double acceleration[3], double dt,
                               Arena* scratch);
// Those that are still what they were have been carried, or their surface repaired, and nothing pushed, mirrors neither.
// `scratch` is reset.
mn_status momentum_settle_carried(const FreeMotion* list, Liquid* liquid, int count, Arena* scratch);

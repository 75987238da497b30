// A ball, or in 2D a disc, by its signed distance.
#pragma once
#include "base/vec.h"

typedef struct RoundDrop {
    double center[3], radius;
} RoundDrop;

static inline double round_drop_distance(const void* user, const double x[3])
{
    const RoundDrop* d = user;
    double r[3];
    vec_sub(r, x, d->center);
    return vec_norm(r) - d->radius;
}

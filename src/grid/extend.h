// The extrapolation of extrapolate.h as a list of fixed stencils: for many velocities that are known on the same faces around the
// same surface. Linear in u: the first layer continues the last three known values without a limit.
#pragma once
#include "base/arena.h"
#include "grid/spans.h"

enum { EXTEND_MOST = 9 };  // three faces along each axis

typedef struct ExtendFace {
    int32_t face;
    int32_t count;
    int32_t from[EXTEND_MOST];
    double weight[EXTEND_MOST];
} ExtendFace;

typedef struct Extend {
    int layers;
    ExtendFace* face[3];  // per axis, layer by layer
    int* first[3];        // layer m (from 1): first[axis][m - 1] .. first[axis][m] - 1
} Extend;

// Memory from the arena. kind: per face, on the spans, a FaceKind (grid/past_surface.h); not 0 where u is known.
mn_status extend_build(Extend* e, Arena* arena, unsigned char* const kind[3], const double* phi, const Spans* spans,
                       const Window* w, int layers);
// Sets the faces of the layers; ghosts are not reflected.
void extend_apply(double* const u[3], const Extend* e, const Window* w);

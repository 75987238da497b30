// A geometric multigrid V-cycle in single precision, used as the preconditioner of conjugate gradients. Method: docs/solver.md.
#pragma once
#include "solve/level.h"

enum { MULTIGRID_LEVELS = 16 };

typedef struct Multigrid {
    Level level[MULTIGRID_LEVELS];  // level[0] is the finest, filled by the caller (link, inverse, spans)
    int count;
} Multigrid;

// Builds the coarser levels below level[0]. `excess` is the finest level's, in its layout.
mn_status multigrid_coarsen(Multigrid* m, Arena* arena, const float* excess);
// level[0].x = M level[0].b
void multigrid_cycle(Multigrid* m);

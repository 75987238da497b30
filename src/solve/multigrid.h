// A geometric multigrid V-cycle in single precision, used as the preconditioner of conjugate gradients. Method: docs/solver.md.
#pragma once
#include "solve/level.h"

enum { MULTIGRID_LEVELS = 16 };

typedef struct Multigrid {
    Level level[MULTIGRID_LEVELS];  // level[0] is the finest, filled by the caller (layout, kind, runs, special cells, arrays)
    int count;
} Multigrid;

// Builds the coarser levels below level[0].
mn_status multigrid_coarsen(Multigrid* m, Arena* arena);
// Per row of the finest level, as the cycle leaves it.
typedef struct RowSums {
    double* product;    // sum of x b
    double* curvature;  // sum of x A x, to single precision
} RowSums;

// level[0].x = M b, with D^-1 b in level[0].y.
void multigrid_cycle(Multigrid* m, const RowSums* sums);

// The slabs of level l that this thread of a parallel region works on.
#define OWN_SLABS(l, t) for (int t = omp_get_thread_num(); t < (l)->threads; t += omp_get_num_threads())
#define SLAB_REGION(l) _Pragma("omp parallel num_threads((l)->threads) if ((l)->threads > 1)")

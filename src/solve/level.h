// One level of the multigrid hierarchy: single precision, a box around the unknown cells with one ghost layer, row spans.
// Values outside the spans stay zero at all times (mirrored ghosts come and go around a transfer), so the kernels need no tests.
#pragma once
#include "base/arena.h"
#include "grid/spans.h"

typedef struct Level {
    int dim;
    int n[3];
    ptrdiff_t sy, sz, origin;
    size_t count;
    bool wall[6];  // the box side is a wall of the tank: transfers mirror there
    int rows;      // j + k*n[1]
    int* first;    // spans of a row; every cell of a span is unknown
    Span* span;
    long unknowns;
    float* link[3];    // low-face weights
    float* inverse;    // 1/diagonal
    float *x, *b, *t;  // correction, right-hand side, residual or the next x
    bool parallel;     // enough work to share
} Level;

static inline ptrdiff_t level_at(const Level* l, int i, int j, int k) { return i + j*l->sy + k*l->sz; }
static inline ptrdiff_t level_stride(const Level* l, int axis) { return axis == 0 ? 1 : axis == 1 ? l->sy : l->sz; }
static inline ptrdiff_t level_row(const Level* l, int r) { return level_at(l, 0, r%l->n[1], r/l->n[1]); }

// Sets the layout and takes zeroed arrays. Spans are made by level_find_spans from inverse > 0.
mn_status level_init(Level* l, Arena* arena, int dim, const int n[3], const bool wall[6]);
mn_status level_find_spans(Level* l, Arena* arena);

// Smoothing by the two-step Chebyshev polynomial of Jacobi's iteration; damps eigenvalues of D^-1 A in [0.5, 2] by 0.22.
void level_smooth_from_zero(Level* l);  // x = two sweeps on A x = b from x = 0
void level_smooth(Level* l);            // two more sweeps
void level_residual(Level* l);          // t = b - A x

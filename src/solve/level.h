// One level of the multigrid hierarchy, in single precision.
//
// In most cells of a liquid every link has the same weight and nothing else touches the cell: these are regular, and the
// kernels run over them without reading any weight. Cells next to the surface, to solids or to walls are special; their
// weights stand in a list per row. A kernel first treats a whole run of unknown cells as regular, then puts the special ones
// right, while the row is still in the cache.
//
// The level stores y = D^-1 b (D the diagonal of A), not b: a Jacobi sweep is then x + w (y + S x - x) with S = D^-1 (D - A),
// and on regular cells S is the mean of the neighbours.
#pragma once
#include "base/arena.h"
#include "grid/spans.h"

enum { CELL_IS_NONE, CELL_IS_REGULAR, CELL_IS_SPECIAL };

typedef struct LevelCell {
    int i;          // along its row
    float link[6];  // weights of the faces -x +x -y +y -z +z; 0 where there is no unknown beyond
    float excess;   // links to known values
    float diagonal, inverse;
} LevelCell;

typedef struct Level {
    int dim;
    int n[3];
    ptrdiff_t sy, sz, origin;
    size_t count;
    bool wall[6];   // this side of the box is a wall of the tank: transfers mirror there
    int before[3];  // a coarse level: 1 where its first cell has but one fine cell along this axis, its second
    float weight;   // of a regular link; a regular diagonal is 2 dim times this
    // A slice is what the sweeps of a cycle follow each other through: a layer of rows in 3D, one row in 2D.
    int slices, slice_rows, rows;  // row = j + k*n[1] = slice*slice_rows + row in the slice
    unsigned char* kind;           // per cell: CELL_IS_...
    int* first;                    // runs of unknown cells of a row
    Span* span;
    int* first_special;
    LevelCell* special;
    Span* reach;  // per row: from the first to the last cell that is unknown or next to one, diagonals included
    long unknowns;
    float *x, *y, *t;  // correction, scaled right-hand side, the correction after half a smoothing step
    float* gathered;   // the residual of every slice, restricted within the slice
    int threads;       // worth using
    int* slab;         // slices of thread t: slab[t] <= s < slab[t + 1]
} Level;

static inline ptrdiff_t level_at(const Level* l, int i, int j, int k) { return i + j*l->sy + k*l->sz; }
static inline ptrdiff_t level_row(const Level* l, int r) { return level_at(l, 0, r%l->n[1], r/l->n[1]); }
static inline bool level_row_is_empty(const Level* l, int r) { return l->first[r] == l->first[r + 1]; }
static inline int level_row_begin(const Level* l, int r) { return l->span[l->first[r]].i0; }
static inline int level_row_end(const Level* l, int r) { return l->span[l->first[r + 1] - 1].i1; }
static inline int level_row_of(const Level* l, int j, int k) { return j + k*l->n[1]; }
static inline float level_diagonal(const Level* l) { return 2*(float)l->dim*l->weight; }

// Sizes of a box of n cells with one layer of ghosts; no arrays yet.
void level_shape(Level* l, int dim, const int n[3], const bool wall[6]);
// Runs, number of unknowns and slabs, from `kind`.
mn_status level_find_runs(Level* l, Arena* arena);
// x, y, t and what restriction needs; zero on and next to the unknown cells.
mn_status level_take_arrays(Level* l, Arena* arena);
// The special cell at a place of the level's layout; NULL: there is none.
LevelCell* level_special_at(Level* l, ptrdiff_t at);
// Zeroes v on the cells of all rows that are unknown or next to one.
void level_clear(const Level* l, double* v);
void level_clear_float(const Level* l, float* v);

// ---- kernels on one row --------------------------------------------------------------------------------------------------

// Smoothing is by the two-step Chebyshev polynomial of Jacobi's iteration: it damps eigenvalues of D^-1 A in [0.5, 2] by 0.22.
// The upper bound 2 holds for any row-dominant A (Gershgorin).
void level_smooth_from_zero(Level* l, int r);  // x = both sweeps on A x = b from x = 0
void level_sweep_first(Level* l, int r);       // t = first sweep on x
void level_sweep_second(Level* l, int r);      // x = second sweep on t
void level_residual(float* line, const Level* l, int r);
double level_product(const Level* l, int r);    // sum of x b over the row
double level_curvature(const Level* l, int r);  // sum of x A x

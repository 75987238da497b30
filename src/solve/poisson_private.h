// Inside of the Poisson solver, shared by the files poisson*.c: its parts, and what they call of each other.
#pragma once
#include "solve/components.h"
#include "solve/factor.h"
#include "solve/multigrid.h"
#include "solve/poisson.h"

// The finest level has the layout of the window: solution and right-hand side are used where they are.
typedef struct Part {
    Multigrid mg;
    Poisson* problem;
    bool empty;         // no unknown is linked to another
    double *x, *r, *p;  // solution, residual, search direction
    RowSums sums;       // of a cycle, per row
    double* per_row;    // squares of the residual
    Components sealed;  // connected parts without excess
    double weight;      // of this problem's rows in the whole matrix
} Part;

// An operator beside the matrix, with what it is given and what it answers.
typedef struct Beside {
    const PoissonOperator* op;
    double *in, *out;
} Beside;

// The columns of all operators that name them, U, and what the cycles Z of the parts make of them, W = Z U: the preconditioner
// of the whole is that of Z^-1 + U U^T (Woodbury),
//     M r = Z r - W (1 + U^T W)^-1 U^T Z r.
typedef struct DenseBorder {
    int rank;
    double* matrix;  // 1 + U^T W, lower triangle of its Cholesky factor, [row*rank + column]
    double* c;       // rank numbers of scratch
    float** w;       // per column and part, [column*parts + part], layout of the part's window; NULL where it is empty
} DenseBorder;

// The whole matrix of a group, with the unknowns of the operators' borders beside its cells, and its factor.
typedef struct DirectSolver {
    Factor* factor;  // owned
    int** number;    // per part, per cell in the layout of its window: its unknown
    int unknowns;
    double* v;  // one per unknown
} DirectSolver;

// All problems of a solve. Those without unknowns are carried along, empty.
typedef struct PoissonSolver {
    Part* part;
    int count;
    Beside* beside;
    int besides;  // operators that act on any cell
    DenseBorder dense;
    Arena* arena;  // it lives in
    bool slow;     // a factor was needed for a right-hand side before
} PoissonSolver;

// The problems that have unknowns.
#define FOR_PARTS(g, s)                                                                                                          \
    for (Part* s = (g)->part; s < (g)->part + (g)->count; s++)                                                                   \
        if (!s->empty)

// ---- poisson_rows.c: one problem alone, the operators beside it left out -------------------------------------------------

// One iteration: the direction p = scale z + beta p, the step alpha along it.
typedef struct Turn {
    double scale, alpha, beta;
} Turn;

double part_sum_rows(const Part* s, const double* per_row);
double part_norm_squared(Part* s, const double* v);
// r = b - A x, where r holds b, and y = D^-1 r scale for a cycle; returns |r|^2.
double part_start(Part* s, double scale);
// y = D^-1 v of the finest level, for a cycle on v.
void part_scale_right_side(Part* s, const double* v);
// One step along the new direction p = z + beta p: x += alpha p, r -= alpha A p, y for the next cycle, in one pass; returns
// |r|^2.
double part_advance(Part* s, const Turn* turn, double next_scale);
// The same in two passes, for a step length that is known only once p.Ap is: the direction (with x += turn->alpha p), which
// returns p.Ap in full, and the step.
double part_turn_curvature(Part* s, const Turn* turn);
double part_step_along(Part* s, double alpha, double next_scale);

// ---- poisson_dense.c: columns of the operators that the preconditioner is told -----------------------------------------------

mn_status dense_build(PoissonSolver* g, const PoissonGroup* group, Arena* arena);
// z -= W (1 + U^T W)^-1 U^T z; returns what that takes off z.r.
double dense_correct(PoissonSolver* g);

// ---- poisson_direct.c: the factor of a small group ---------------------------------------------------------------------------

// Is a factor of this group worth its while, and is all of the matrix known?
bool direct_is_fit(const PoissonSolver* g);
// Memory but for the factor is the arena's; direct_end also after a failure.
mn_status direct_begin(DirectSolver* d, const PoissonSolver* g);
// z = the inverse of the matrix on r/scale, in the finest levels' x; returns z.r scale.
double direct_apply(DirectSolver* d, PoissonSolver* g, double scale);
void direct_end(DirectSolver* d);

// ---- poisson_cg.c: the iteration over all problems ---------------------------------------------------------------------------

// From r = b to x; |b| > 0.
void poisson_iterate(PoissonSolver* g, SolveReport* report, double norm_b, const SolveOptions* options);

// The one linear problem below every projection: cells, face weights, diagonal excess, right-hand side.
//
//     row l:  sum over faces of w_f (p_l - p_m)  +  e_l p_l  =  b_l
//
// with w_f > 0 between unknown cells and e_l >= 0 (links to known values; their product with the value is in b). Symmetric,
// positive definite except for a constant on each connected part without any excess. What the weights mean physically is the
// caller's business, but they are scaled so that the link through a whole face is 1: a cell with all its links 1 and no excess
// is regular and nothing is stored for it.
#pragma once
#include "base/arena.h"
#include "grid/spans.h"
#include "grid/window.h"
#include "solve/level.h"

typedef struct SpecialCell {
    int i;           // along its row
    double link[6];  // -x +x -y +y -z +z; 0 where there is no unknown beyond. Both cells of a face must agree.
    double excess;
} SpecialCell;

// All arrays in the layout of the window.
typedef struct Poisson {
    const Window* w;
    const Spans* spans;   // every unknown cell lies in them
    unsigned char* kind;  // per cell: CELL_IS_NONE (also outside the spans and in ghosts), _REGULAR, _SPECIAL
    int* first;           // special cells of row j + k*n[1] (cells, not nodes): first[r] .. first[r + 1] - 1, in order of i
    SpecialCell* special;
    double* b;  // used up by the solve, which keeps its residual there
} Poisson;

// Are the lists sorted, all weights >= 0, and do both cells of every face agree on its link, with 1 towards and between regular
// cells and 0 towards cells that are not unknown? For asserts.
bool poisson_is_valid(const Poisson* problem);

typedef struct SolveOptions {
    double tolerance;  // on |r|/|b|
    int max_iterations;
} SolveOptions;

typedef struct SolveReport {
    long unknowns;
    int iterations;
    double residual;         // |r|/|b| reached; NaN where b or its square is not finite, and nothing was solved
    double incompatibility;  // part of b, relative, that no p can balance (sealed liquids); removed before the solve
    bool converged;
} SolveReport;

// Solves for p (layout of the window; in: the start value, out: the solution; zero where not unknown, on the spans).
// A sealed part gets zero mean. Stalling is not an error here: the report says converged = false and p holds the last iterate.
// Cells without any link that no operator (below) acts on are solved at once and become CELL_IS_NONE.
mn_status poisson_solve(double* p, SolveReport* report, Poisson* problem, const SolveOptions* options, Arena* arena);

// The same in two parts, for several right-hand sides of one matrix: prepare once, then fill b and solve, again and again.
// The solver lives in the arena and reads the problem, which must stay as it is but for b.
typedef struct PoissonSolver PoissonSolver;
mn_status poisson_prepare(PoissonSolver** solver, Poisson* problem, Arena* arena);
void poisson_solve_prepared(double* p, SolveReport* report, PoissonSolver* solver, const SolveOptions* options);

// What is left of unknowns beside the grid once they are eliminated: a symmetric operator on some cells of a group of problems,
// added to their matrix. Minus for what has no inertia (-B C^-1 B^T), plus for what has (F^T N^-1 F); with all of them together
// the matrix must stay positive definite.
typedef struct PoissonOperator {
    int count;                                                 // cells it acts on, all of them unknown
    const int* part;                                           // of each: which problem of the group; sorted
    const ptrdiff_t* cell;                                     // of each, within its part; sorted, no cell twice
    void (*apply)(double* out, const double* in, void* user);  // one value per listed cell, in rows of the whole matrix; the same
    void* user;                                                // for any number of threads
    bool keeps_constants;  // gives zero for equal pressures: parts that nothing else holds stay sealed
    // What the preconditioner may know of it; the solution does not depend on it. All NULL and 0: nothing.
    const double* diagonal;       // per listed cell, >= 0: about the operator's own diagonal
    const struct Border* border;  // it is -B C^-1 B^T of this border (solve/border.h)
    const double*
        column;  // it is the sum over `rank` columns of column column^T, column[r*count + m]; few: each costs a field of floats
    int rank;
} PoissonOperator;

// Problems on windows of their own, coupled by nothing but operators across them (liquids that share what presses on them).
// The whole matrix has the rows of each problem times its weight: problems that are each scaled for their own density come
// together symmetric.
typedef struct PoissonPart {
    Poisson* problem;
    double* p;      // start value and solution, as in poisson_solve; preparing does not touch it
    double weight;  // > 0
} PoissonPart;

typedef struct PoissonGroup {
    PoissonPart* part;
    int count;
    const PoissonOperator* op;
    int ops;
} PoissonGroup;

// Valid problems, weights > 0, operators on unknown cells, sorted. Takes as long as the group is large: for asserts.
bool poisson_group_is_valid(const PoissonGroup* group);

// One conjugate gradient iteration over all of them, each preconditioned by its own multigrid cycle; small groups that this takes
// long for, by a factor of the whole matrix (poisson_direct.c). Residuals are those of the whole matrix. Each part follows the
// rules of poisson_solve, which is the group of one. Between solves what operators do may change, but neither their number nor
// their cells, diagonals and columns.
mn_status poisson_prepare_group(PoissonSolver** solver, const PoissonGroup* group, Arena* arena);
void poisson_solve_prepared_group(SolveReport* report, PoissonSolver* solver, const PoissonGroup* group,
                                  const SolveOptions* options);
mn_status poisson_solve_group(SolveReport* report, const PoissonGroup* group, const SolveOptions* options, Arena* arena);

// Multigrid is a symmetric preconditioner only if its two halves mirror each other; the tests check it through this:
// one V-cycle from zero, z = M r, both in the layout of the window.
mn_status poisson_precondition(double* z, const double* r, Poisson* problem, Arena* arena);

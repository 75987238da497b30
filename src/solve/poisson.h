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

// A further symmetric operator on some of the cells, added to the matrix: what is left of unknowns beside the grid (film cells,
// membrane vertices, rigid bodies, surface displacements) once they are eliminated. Matrix and operator together must stay
// positive definite; the preconditioner knows only the matrix.
typedef struct PoissonExtra {
    int count;
    const ptrdiff_t* cell;                                     // no cell twice, all of them unknown; sorted
    void (*apply)(double* out, const double* in, void* user);  // one value per listed cell; the same for any number of threads
    void* user;
} PoissonExtra;

// All arrays in the layout of the window.
typedef struct Poisson {
    const Window* w;
    const Spans* spans;   // every unknown cell lies in them
    unsigned char* kind;  // per cell: CELL_IS_NONE (also outside the spans and in ghosts), _REGULAR, _SPECIAL
    int* first;           // special cells of row j + k*n[1] (cells, not nodes): first[r] .. first[r + 1] - 1, in order of i
    SpecialCell* special;
    double* b;  // used up by the solve, which keeps its residual there
    PoissonExtra extra;
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
    double residual;         // |r|/|b| reached
    double incompatibility;  // part of b, relative, that no p can balance (sealed liquids); removed before the solve
    bool converged;
} SolveReport;

// Solves for p (layout of the window; in: the start value, out: the solution; zero where not unknown, on the spans).
// A sealed part gets zero mean. Stalling is not an error here: the report says converged = false and p holds the last iterate.
// Cells without any link are solved at once and become CELL_IS_NONE.
mn_status poisson_solve(double* p, SolveReport* report, Poisson* problem, const SolveOptions* options, Arena* arena);

// The same in two parts, for several right-hand sides of one matrix: prepare once, then fill b and solve, again and again.
// The solver lives in the arena and reads the problem, which must stay as it is but for b and what extra.apply does.
typedef struct PoissonSolver PoissonSolver;
mn_status poisson_prepare(PoissonSolver** solver, Poisson* problem, Arena* arena);
void poisson_solve_prepared(double* p, SolveReport* report, PoissonSolver* solver, const SolveOptions* options);

// Problems on windows of their own, coupled by nothing but one further operator across them (liquids with air films between
// them). The whole matrix has the rows of each problem times its weight: problems that are each scaled for their own density
// come together symmetric.
typedef struct PoissonPart {
    Poisson* problem;  // extra.count and extra.cell say where the operator acts; extra.apply is not asked
    double* p;         // start value and solution, as in poisson_solve; preparing does not touch it
    double weight;     // > 0
} PoissonPart;

typedef struct PoissonGroup {
    PoissonPart* part;
    int count;
    // on the listed cells of all parts, one part after the other, in rows of the whole matrix
    void (*apply)(double* out, const double* in, void* user);
    void* user;
} PoissonGroup;

// One conjugate gradient iteration over all of them, each preconditioned by its own multigrid cycle. Residuals are those of the
// whole matrix. Each part follows the rules of poisson_solve, which is the group of one.
mn_status poisson_prepare_group(PoissonSolver** solver, const PoissonGroup* group, Arena* arena);
void poisson_solve_prepared_group(SolveReport* report, PoissonSolver* solver, const PoissonGroup* group,
                                  const SolveOptions* options);

// Multigrid is a symmetric preconditioner only if its two halves mirror each other; the tests check it through this:
// one V-cycle from zero, z = M r, both in the layout of the window.
mn_status poisson_precondition(double* z, const double* r, Poisson* problem, Arena* arena);

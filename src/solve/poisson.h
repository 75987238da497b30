// The one linear problem below every projection: cells, face weights, diagonal excess, right-hand side.
//
//     row l:  sum over faces of w_f (p_l - p_m)  +  e_l p_l  =  b_l
//
// with w_f > 0 between unknown cells and e_l >= 0 (links to known values; their product with the value is in b). Symmetric by
// construction, positive definite except for a constant on each connected part without any excess. What the weights mean
// physically is the caller's business.
#pragma once
#include "base/arena.h"
#include "grid/spans.h"
#include "grid/window.h"

// All arrays in the layout of the window; values matter only where `unknown` says so (link: where both sides are).
typedef struct Poisson {
    const Window* w;
    const Spans* spans;      // every unknown cell lies in them
    unsigned char* unknown;  // 1 for unknown cells; defined on the spans
    double* link[3];         // weight of the low face, 0 where there is no link
    double* excess;
    double* b;
} Poisson;

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
mn_status poisson_solve(double* p, SolveReport* report, const Poisson* problem, const SolveOptions* options, Arena* arena);

// Multigrid is a symmetric preconditioner only if its two halves mirror each other; the tests check it through this:
// one V-cycle from zero, z = M r, both in the layout of the window.
mn_status poisson_precondition(double* z, const double* r, const Poisson* problem, Arena* arena);

// Unknowns beside the grid: film cells, membrane vertices, rigid bodies. They border the pressure matrix,
//
//     [ A    B ] [p]   [b]
//     [ B^T  C ] [s] = [d]        C symmetric positive definite, A - B C^-1 B^T too,
//
// and are eliminated exactly: conjugate gradients see A - B C^-1 B^T and b - B C^-1 d; s follows from p at the end.
// A link of weight w between cell l and unknown a is B_la = -w, C_aa += w, and w more excess in cell l.
// With several problems (poisson_prepare_group) all of this is in rows of the whole matrix: B_la = -weight w, C_aa += weight w.
#pragma once
#include "base/arena.h"
#include "solve/factor.h"
#include "solve/poisson.h"

typedef struct BorderEntry {
    ptrdiff_t cell;  // window layout
    int unknown;
    double value;
    int part;  // which problem the cell belongs to
} BorderEntry;

typedef struct Border {
    int count;           // unknowns
    BorderEntry* entry;  // B
    int entries;
    Triplet* block;  // C, lower triangle
    int block_entries;
    double* d;
    // made by border_begin
    Factor* factor;   // owned until border_end; one of a block with the same places is used again
    ptrdiff_t* cell;  // the linked cells of all parts
    int cells;
    int* entry_cell;  // index into `cell` of each entry
    double* work;
} Border;

// Factors C, takes its part off the right-hand side and hooks the rest into the problem. Sorts the entries.
mn_status border_begin(Border* border, Poisson* problem, Arena* arena);
// After the solve: s = C^-1 (d - B^T p). Frees the factor; call it also when the solve failed (p NULL).
mn_status border_end(Border* border, double* s, const double* p);

// The same across several problems. Sets the group's operator; its parts must stay where they are until border_end_group, which
// takes the solutions from them (s NULL: the solve failed, only frees).
mn_status border_begin_group(Border* border, PoissonGroup* group, Arena* arena);
mn_status border_end_group(Border* border, double* s, const PoissonGroup* group);
// In between, to go on with the right-hand sides filled in anew: takes the border's part off them.
mn_status border_load_group(Border* border, const PoissonGroup* group);
// s from the solutions as they are now.
mn_status border_solution_group(const Border* border, double* s, const PoissonGroup* group);

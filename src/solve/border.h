// Unknowns s beside the grid, pressures or velocities of whatever acts on liquids. They border the matrix with one of two signs,
//
//     [  A    B ] [p]   [b]                          [  A    B ] [p]   [b]
//     [  B^T  C ] [s] = [d]    (what has no inertia)  [ -B^T  C ] [s] = [d]    (what has),      C symmetric positive definite,
//
// and are eliminated exactly: conjugate gradients see A - B C^-1 B^T or A + B C^-1 B^T, and b - B C^-1 d; s follows from p at
// the end. Minus: a link of weight w between cell l and unknown a is B_la = -w, C_aa += w, and w more excess in cell l; s is a
// pressure. Plus: s is a velocity that the pressures push, C s = d + B^T p (mass times velocity), and that carries liquid out
// of cell l, B_la s_a. All in rows of the whole matrix of a group (poisson.h): B_la = -weight w, C_aa += weight w.
//
// Where pressures beside the grid push on velocities beside the grid (pieces of cells on elastic sheets), both are unknowns of
// one border of the first kind, whose rows of velocities have the other sign: [D H; H^T -N] [s; v] = [d; -f] - [B^T; G^T] p.
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
    bool adds;   // the sign of what is left: + B C^-1 B^T
    bool mixes;  // not adds: C is quasi-definite, with pressures first and then velocities, whose own block is negative
    // made by border_begin
    Factor* factor;   // owned until border_end; one of a block with the same places is used again
    ptrdiff_t* cell;  // the linked cells of all parts
    int* part;        // of each
    int cells;
    double* diagonal;  // per linked cell, if it adds: B_la^2/C_aa summed, for the preconditioner
    int* entry_cell;   // index into `cell` of each entry
    double* work;
} Border;

// Factors C, takes its part off the right-hand sides and makes the operator. Sorts the entries. The parts must stay where they
// are until border_end. Does nothing without unknowns: then the operator has no cells.
mn_status border_begin(Border* border, PoissonOperator* op, const PoissonGroup* group, Arena* arena);
// In between, to go on with the right-hand sides filled in anew: takes the border's part off them.
mn_status border_load(Border* border, const PoissonGroup* group);
// s from the solutions as they are now.
mn_status border_solution(const Border* border, double* s, const PoissonGroup* group);
void border_end(Border* border);  // frees the factor; also after a failure

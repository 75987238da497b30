// The pressure of a liquid with sheets in it: each side of the sheets has its own problem, in which all that is behind is solid,
// and the two are one wherever no sheet is between them.
//
// A cell that a sheet cuts through has two pressures, one per piece. The piece with the cell's centre is an unknown of the grid;
// the other one borders the matrix (solve/border.h). With A_s the rows of side s, which count whatever both sides have once, and
// R_s that picks the pressures that side s sees, the whole matrix is
//
//     sum over s of R_s^T A_s R_s,
//
// symmetric like its parts. No entry joins two pieces with a sheet between them: what flows through it is absent, not small.
#pragma once
#include "solve/border.h"
#include "solve/pressure.h"

typedef struct PressureSides {
    Pressure* side[2];  // +1, -1; on windows and spans that are the same
    Poisson system;     // of the grid's unknowns
    Border border;      // of the pieces without their cell's centre
    int32_t* far;       // per cell: such a piece's unknown in the border; -1: it has none
    double* far_p;      // Pa, per unknown of the border
} PressureSides;

// Arena memory. The problems stand, built with their sides.
mn_status pressure_sides_join(PressureSides* out, Arena* arena, Pressure* plus, Pressure* minus);
// p: the grid's start value and solution, layout of the window.
mn_status pressure_sides_solve(double* p, SolveReport* report, PressureSides* s, const SolveOptions* options, Arena* arena);
// The unknown of the border that a side's piece of a cell is; -1: it is one of the grid.
int pressure_sides_far(const PressureSides* s, int side, ptrdiff_t at);
// The pressures that one side (0, 1) sees, from those of the grid. Arena memory, shifted; NULL: it is out.
double* pressure_sides_seen(Arena* arena, const PressureSides* s, int side, const double* p);

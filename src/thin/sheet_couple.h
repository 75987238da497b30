// Elastic sheets and the pressures on both of their sides, as one linear system.
//
// A piece of a cell beside a sheet has the area S of the sheet for a part of its boundary (out of the liquid, in face areas), and
// its pressure pushes on the sheet there, at the point x_s nearest to the cell's centre x_c, on the vertices j around that by
// their weights w_j:
//
//     force on coordinate k of vertex j:   dx^(dim-1) S_k w_j (p + rho (a - dv_k/dt)(x_s - x_c)_k ...),
//
// p being the pressure of the centre, and the rest what the liquid between the two weighs and what it takes to move it: a force
// and a mass, the latter per coordinate and never negative. The same S w_j v_jk is what flows out of the piece. With the matrix A
// of an iteration of the sheets by themselves (thin_step.h), entrained masses in it, and v* their velocity before,
//
//     A (v - v*) = f + dt C^T p,      C_(piece, 3j + k) = dx^(dim-1) S_k w_j,
//
// borders the rows of the pressure (solve/border.h, the mixed kind) and leaves them positive definite: L + dt C A^-1 C^T.
#pragma once
#include "liquid/world.h"
#include "solve/border.h"
#include "thin/thin_step.h"

// What a piece of a cell shares with a sheet.
typedef struct SheetPiece {
    int liquid;
    ptrdiff_t cell;
    int far;        // its unknown among those beside the liquid's grid; -1: it is one of the grid
    int vertex[3];  // of the mesh; -1: not elastic
    double weight[3];
    double area[3];  // S
    double away[3];  // m, x_s - x_c
} SheetPiece;

// Arena memory, from the start of a projection to its end.
typedef struct SheetCoupling {
    const ThinMesh* mesh;
    const unsigned char* elastic;  // per vertex
    Coupling* c;
    int cluster;
    SheetPiece* piece;
    int pieces;
    double face, rho;   // m^(dim-1); kg/m^3 of the cluster's first liquid
    int* first_far;     // per part of the cluster: of its unknowns beside the grid, in the border
    int fars;           // of all parts; after them the sheets' unknowns
    double* entrained;  // kg per coordinate
    double* weight;     // N per coordinate: of the liquid between centres and sheet
    double* impulse;    // N s per coordinate, of the pressures
    Border border;
    double* solution;
    Arena* arena;
} SheetCoupling;

// The mesh's vertices are those of the world's sheets; elastic: which of them forces move.
mn_status sheet_coupling_begin(SheetCoupling* s, const ThinMesh* mesh, const unsigned char* elastic, Coupling* c, int cluster,
                               StepContext* ctx, Arena* arena);
// The border for sheets that go on as `linear` says, from the places and velocities of the mesh; moved: x - x_0 that `linear` was
// made at, NULL: 0.
mn_status sheet_coupling_load(SheetCoupling* s, PoissonOperator* op, const ThinLinear* linear, const double* moved, double dt);
// After a solve: the change of velocity of every coordinate (3 per vertex), and the impulses.
mn_status sheet_coupling_answer(SheetCoupling* s, double* change, const StepContext* ctx, const ThinLinear* linear);
void sheet_coupling_end(SheetCoupling* s);

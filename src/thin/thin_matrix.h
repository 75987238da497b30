// The matrix of a step of sheets and rods, over the coordinates that nothing holds: places of the mesh's own pieces, which stay,
// and of contacts, which come and go.
#pragma once
#include "solve/factor.h"
#include "thin/thin_mesh.h"

// A block between so many vertices that comes and goes.
typedef struct MatrixBlock {
    int v[4], vertices;
} MatrixBlock;

// All zeros is a valid empty one. Owns its arrays.
typedef struct ThinMatrix {
    int unknowns;
    int* unknown;        // of a coordinate, 3 per vertex; -1: held
    int entries;         // of all pieces' blocks, lower triangles, those of held coordinates left out
    int* slot;           // of an entry in `own`; after them those of the diagonal
    Sparse own;          // of the mesh
    Sparse all;          // with the blocks
    int* own_in_all;     // places of `own` in `all`
    MatrixBlock* block;  // for which `all` was made
    int blocks;
    int* block_slot;  // of the blocks' entries in `all`
    Factor* factor;   // of `all`; NULL: not yet
} ThinMatrix;

mn_status thin_matrix_init(ThinMatrix* m, const ThinMesh* t);
void thin_matrix_free(ThinMatrix* m);

// value, in places of `own`: += factor times the stiffness of the pieces at x; += factor times the masses.
void thin_matrix_add_stiffness(double* value, const ThinMatrix* m, const ThinMesh* t, const double* x, double factor);
void thin_matrix_add_masses(double* value, const ThinMatrix* m, const ThinMesh* t, double factor);

// Makes places for these blocks; what was there before goes.
mn_status thin_matrix_fit(ThinMatrix* m, const MatrixBlock* block, int blocks);
// all = own + the blocks' stiffness, one after the other, row by row.
void thin_matrix_add_up(ThinMatrix* m, const double* stiffness);
mn_status thin_matrix_factorise(ThinMatrix* m);  // `all`

// ---- pieces of the mesh, kind by kind in a fixed order ------------------------------------------------------------------------

enum { PIECE_KINDS = 4, MOST_CORNERS = 4 };
int thin_pieces(const ThinMesh* t, int kind);
int thin_piece_corners(int kind);
const int* thin_piece(const ThinMesh* t, int kind, int m);  // its vertices
double thin_piece_energy(double* gradient, double* stiffness, const ThinMesh* t, int kind, int m, const double* x);

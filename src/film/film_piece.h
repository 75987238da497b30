// One piece of ridge: a segment (2D) or a polygon (3D) whose ends lie on faces of its grid cell, or in a joint, where a third
// body is as near as the two it lies between. Lengths in cells.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "grid/cutcell.h"

// A corner, and the end of the piece that begins there: in 3D the side from it to the next corner, in 2D itself.
typedef struct PieceCorner {
    double x[3];  // in the tank
    // numbers of the grid edges that the end runs between, or did before it was clipped; smaller first (2D: twice the same)
    int64_t edge[2];
    int wall;   // side of the tank that the end lies on and that lets no air through, 0 to 5; -1: none
    int third;  // -1: the end lies on a face of the grid; else it is a joint with this body, or on a wetted solid
} PieceCorner;

enum { PIECE_MOST = 3*CUT_LOOP_MAX };

typedef struct Piece {
    PieceCorner corner[PIECE_MOST];
    int count;  // of corners; 0: nothing is left
    bool polygon;
} Piece;

// Leaves of a piece what is farther from a third body than from its own two. farther[m], not zero: by how much corner m is;
// linear in between.
void film_piece_clip(Piece* p, const double* farther, int third);
// Area (2D: length), and the centroid.
double film_piece_area(double center[3], const Piece* p);

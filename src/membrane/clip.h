// A surface cut along the planes of the grid: every element falls into pieces that lie in one half cell each.
#pragma once
#include "base/arena.h"
#include "grid/window.h"
#include "membrane/surface.h"

// The part of an element within one half cell along every axis.
typedef struct Piece {
    int element;
    int cell[3];
    unsigned char upper[3];  // per axis: does it lie in the upper half of its cell?
    double area[3];          // area vector out of the liquid, in face areas
    double share[3];         // the element's corners at its centroid (barycentric): integral of phi_i n dA = share_i area
    double center[3];        // its centroid, cells from the window's corner
} Piece;

typedef struct Pieces {
    Piece* piece;
    int count;
} Pieces;

// All pieces of the surface, element by element. The surface lies within the window; what touches its upper sides belongs to the
// last cells. Arena memory.
mn_status clip_surface(Pieces* pieces, const MembraneMesh* m, const Window* w, Arena* arena);

// The same of a straight line from a to b (cells): its parts in whole cells, told one by one. share: of the line's length.
typedef void (*ClippedLine)(void* user, const int cell[3], double share, const double center[3]);
void clip_line(const double a[3], const double b[3], const Window* w, ClippedLine tell, void* user);

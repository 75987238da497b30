// One side of the sheets in a window: what of each cell and face belongs to it.
//
// Seen from one side, everything behind a sheet is solid. Faces that a sheet crosses have a portion on either side, cells that it
// cuts through a piece on either side; pieces and portions of the two sides add up to the whole. A cell with a rim in it, which
// the sheet enters but does not cut through, is one piece that both sides share; the faces that the sheet enters through still
// have their two portions.
#pragma once
#include "grid/sheetcut.h"

typedef enum SheetFace {
    SHEET_FACE_OPEN,     // nothing between its nodes, none of them behind
    SHEET_FACE_CROSSED,  // a portion of it is on this side
    SHEET_FACE_BEHIND    // it belongs to the other side
} SheetFace;

typedef enum SheetCell {
    SHEET_CELL_OPEN,   // whole, on this side or beside no sheet
    SHEET_CELL_SPLIT,  // cut through: a piece of it is on this side
    SHEET_CELL_SLIT,   // a rim is in it: one piece for both sides
    SHEET_CELL_BEHIND  // whole, on the other side
} SheetCell;

typedef struct SheetSide {
    const SheetCut* cut;
    int sign;             // +1: the side of the normals; -1: the other one
    const double* level;  // m, nodes: as solids are seen with the sheets for one (sheetside_level)
    const double* solid;  // m, nodes: the solids alone; NULL: there are none
    const double* own;    // m, nodes: phi, at each node that of the side it lies on
} SheetSide;

// Is the node on the other side, seen through a sheet?
static inline bool sheetside_hides(const SheetCut* c, int sign, ptrdiff_t at)
{
    return c->node[at] & SHEET_SHADOW && (c->psi[at] < 0) == (sign > 0);
}
// Component d of the slope of psi at a node, by differences of as many neighbours as know theirs.
static inline double sheet_direction(const SheetCut* c, const Window* w, ptrdiff_t at, int d)
{
    ptrdiff_t s = window_stride(w, d);
    bool low = c->node[at - s] & SHEET_NEAR, high = c->node[at + s] & SHEET_NEAR;
    double a = low ? c->psi[at - s] : c->psi[at], b = high ? c->psi[at + s] : c->psi[at];
    return low + high == 0 ? 0 : (b - a)/((low + high)*w->dx);
}
SheetFace sheetside_face(const SheetCut* c, int sign, const Window* w, ptrdiff_t at, int axis);
SheetCell sheetside_cell(const SheetCut* c, int sign, const Window* w, ptrdiff_t at);
// Where something is done for both sides and added up, each face and cell must be counted once: portions and pieces by their
// sides, and whatever both sides have by one of them.
bool sheetside_counts_face(const SheetSide* side, const Window* w, ptrdiff_t at, int axis);
bool sheetside_counts_cell(const SheetSide* side, const Window* w, ptrdiff_t at);
// The side, +1 or -1, on which the centre of a split cell lies.
int sheetside_of_center(const SheetCut* c, const Window* w, ptrdiff_t at);
// The level set of all that is solid to this side, on all nodes of the window, ghosts included: the lesser of the solids'
// (phi_solid, may be NULL) and sign*psi, `far` (m) where neither is known. At nodes past a rim it is only good for faces and
// cells that are crossed. Arena memory, shifted; NULL: it is out.
double* sheetside_level(Arena* arena, const SheetCut* c, int sign, const double* phi_solid, const Window* w, double far);

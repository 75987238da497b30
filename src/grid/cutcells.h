// Cut cells of a whole window: wet face fractions, wet volumes, surface patches, from the level sets on its nodes.
#pragma once
#include <assert.h>
#include "base/arena.h"
#include "grid/sheetside.h"
#include "grid/spans.h"
#include "grid/window.h"

enum { CUTCELLS_READS = 1 };  // nodes of a cell past its own: its high corners
enum { CELL_FULL = -1, CELL_EMPTY = -2 };

typedef struct CutCell {
    ptrdiff_t at;  // linear index of the cell
    int i, j, k;
    double volume;      // wet fraction of the cell
    double patch[3];    // free surface: area vector/dx^(dim-1), out of the liquid
    double center[3];   // its centroid, cell-local 0..1
    double patch_area;  // its triangle area/dx^(dim-1)
    double solid[3];    // area vector against solids, out of the liquid; closes the cell: sum of faces + patch + solid = 0
    bool
        is_drowned;  // no corner is dry: full of liquid but for a solid. Without a patch it may still not be: the surface may lie
                     // behind the skin
} CutCell;

// Rebuilt every step; memory from the arena. Dense arrays hold values on the spans only.
typedef struct CutCells {
    double* area[3];  // wet fraction of each low face, 0..1; origin shifted like a Field's v
    int32_t* index;   // per cell: CELL_FULL, CELL_EMPTY or index into cut
    CutCell* cut;     // sorted by row, then i
    int count;
    int* row_first;  // cut cells of span row r are row_first[r] .. row_first[r + 1] - 1
    double volume;   // m^3 (2D: m^2), wet
    double surface;  // m^2 (2D: m), free surface
} CutCells;

// phi_solid may be NULL. Both level sets in metres.
mn_status cutcells_build(CutCells* c, Arena* arena, const Spans* spans, const double* phi, const double* phi_solid,
                         const Window* w);
// The same of what lies on one side of sheets (phi: goes on behind them), besides phi_solid. A cell that both sides share is in
// the cells of both, by its nodes' own phi. NULL: no sheets.
mn_status cutcells_build_side(CutCells* c, Arena* arena, const Spans* spans, const double* phi, const double* phi_solid,
                              const SheetSide* side, const Window* w);

// Do index and list agree, is the list in order, is every fraction in [0, 1], and does every cut cell close:
//     area of its high face - area of its low face + patch + solid = 0 along each axis?
// For asserts. Without solids that is a check on the geometry; with them `solid` was made to close the cell.
bool cutcells_is_valid(const CutCells* c, const Spans* spans, const Window* w);

// Wet volume alone (m^3), for Newton steps on the volume; the same number cutcells_build finds. `before` (may be NULL): cells of
// an earlier phi with the same solids; what a solid leaves of a cell full of liquid is taken from there.
double cutcells_volume(const Spans* spans, const double* phi, const double* phi_solid, const Window* w, const CutCells* before,
                       Arena* arena);

// Wet fraction of one cell, straight from the level sets.
double cutcells_one(const double* phi, const double* phi_solid, const Window* w, ptrdiff_t at);

static inline double cutcells_fraction(const CutCells* c, ptrdiff_t at)
{
    assert(c->index[at] >= CELL_EMPTY && c->index[at] < c->count);
    int32_t q = c->index[at];
    return q >= 0 ? c->cut[q].volume : q == CELL_FULL ? 1 : 0;
}

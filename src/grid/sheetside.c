#include "grid/sheetside.h"

#include <assert.h>
#include <math.h>
#include "grid/cutcell.h"

// The edges of the low face of a cell across `axis`: their low nodes, and what they go along; their number.
static int face_edges(ptrdiff_t low[4], int along[4], const Window* w, ptrdiff_t at, int axis)
{
    int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    low[0] = at, along[0] = a;
    if (w->dim == 2) return 1;
    low[1] = at, along[1] = b;
    low[2] = at + window_stride(w, b), along[2] = a;
    low[3] = at + window_stride(w, a), along[3] = b;
    return 4;
}

// Corners of a face, in no order; their number.
static int face_corners(ptrdiff_t corner[4], const Window* w, ptrdiff_t at, int axis)
{
    ptrdiff_t s = window_stride(w, axis == 0 ? 1 : 0), t = w->dim == 3 ? window_stride(w, axis == 2 ? 1 : 2) : 0;
    corner[0] = at, corner[1] = at + s, corner[2] = at + t, corner[3] = at + s + t;
    return w->dim == 3 ? 4 : 2;
}

SheetFace sheetside_face(const SheetCut* c, int sign, const Window* w, ptrdiff_t at, int axis)
{
    assert(sign == 1 || sign == -1);
    ptrdiff_t edge[4], corner[4];
    int along[4], edges = face_edges(edge, along, w, at, axis), corners = face_corners(corner, w, at, axis), bits = 0;
    for (int n = 0; n < corners; n++) bits |= c->node[corner[n]];
    if (!(bits & ~SHEET_NEAR)) return SHEET_FACE_OPEN;  // as most
    for (int e = 0; e < edges; e++)
        if (sheetcut_crosses(c, edge[e], along[e])) return SHEET_FACE_CROSSED;
    for (int n = 0; n < corners; n++)
        if (sheetside_hides(c, sign, corner[n])) return SHEET_FACE_BEHIND;
    return SHEET_FACE_OPEN;
}

SheetCell sheetside_cell(const SheetCut* c, int sign, const Window* w, ptrdiff_t at)
{
    assert(sign == 1 || sign == -1);
    int corners = w->dim == 3 ? 8 : 4, crossed = 0, hidden = 0, seen = 0, bits = 0;
    bool is_through = true;
    for (int m = 0; m < corners; m++) bits |= c->node[at + window_corner(w, m)];
    if (!(bits & ~SHEET_NEAR)) return SHEET_CELL_OPEN;  // as most
    for (int m = 0; m < corners; m++) {
        ptrdiff_t node = at + window_corner(w, m);
        hidden += sheetside_hides(c, sign, node), seen += sheetside_hides(c, -sign, node);
        for (int d = 0; d < w->dim; d++) {
            if (m >> d & 1) continue;
            if (sheetcut_crosses(c, node, d)) crossed++;
            else {
                ptrdiff_t next = node + window_stride(w, d);
                bool near = c->node[node] & c->node[next] & SHEET_NEAR;
                if (near && (c->psi[node] < 0) != (c->psi[next] < 0)) is_through = false;
            }
        }
    }
    if (crossed > 0) return is_through ? SHEET_CELL_SPLIT : SHEET_CELL_SLIT;
    if (hidden > 0 && seen > 0) return SHEET_CELL_SLIT;
    return hidden > 0 ? SHEET_CELL_BEHIND : SHEET_CELL_OPEN;
}

// Of nodes that both sides have: are they on the far side of the plane that the sheet goes on in? There the near side sees what
// goes on behind the sheet, up to the end of its shadow, and what is read across that end (curvature) is of no use.
static bool is_past_plane(const SheetCut* c, const ptrdiff_t* node, int count)
{
    double sum = 0;
    for (int n = 0; n < count; n++) {
        if (!(c->node[node[n]] & SHEET_NEAR)) return false;
        sum += c->psi[node[n]];
    }
    return sum < 0;
}

bool sheetside_counts_face(const SheetSide* side, const Window* w, ptrdiff_t at, int axis)
{
    const SheetCut* c = side->cut;
    SheetFace here = sheetside_face(c, side->sign, w, at, axis), there = sheetside_face(c, -side->sign, w, at, axis);
    if (here != SHEET_FACE_OPEN) return here == SHEET_FACE_CROSSED;
    if (there != SHEET_FACE_OPEN) return true;
    // beside a cell that only one side has it belongs there
    for (int sign = -1; sign <= 1; sign += 2)
        for (int m = 0; m < 2; m++)
            if (sheetside_cell(c, sign, w, at - m*window_stride(w, axis)) == SHEET_CELL_BEHIND) return side->sign == -sign;
    ptrdiff_t corner[4];
    int corners = face_corners(corner, w, at, axis);
    return is_past_plane(c, corner, corners) == (side->sign < 0);
}

bool sheetside_counts_cell(const SheetSide* side, const Window* w, ptrdiff_t at)
{
    const SheetCut* c = side->cut;
    SheetCell here = sheetside_cell(c, side->sign, w, at);
    if (here == SHEET_CELL_SPLIT) return true;
    if (here == SHEET_CELL_BEHIND) return false;
    if (sheetside_cell(c, -side->sign, w, at) == SHEET_CELL_BEHIND) return true;
    ptrdiff_t corner[8];
    int corners = w->dim == 3 ? 8 : 4;
    for (int m = 0; m < corners; m++) corner[m] = at + window_corner(w, m);
    return is_past_plane(c, corner, corners) == (side->sign < 0);
}

int sheetside_of_center(const SheetCut* c, const Window* w, ptrdiff_t at)
{
    double sum = 0;
    for (int m = 0; m < (w->dim == 3 ? 8 : 4); m++) sum += c->psi[at + window_corner(w, m)];
    return sum < 0 ? -1 : 1;
}

double* sheetside_level(Arena* arena, const SheetCut* c, int sign, const double* phi_solid, const Window* w, double far)
{
    double* level = ARENA_NEW(arena, double, w->count);
    if (!level) return NULL;
    level += w->origin;
    double least = 10*CUT_SNAP*w->dx;
    for (ptrdiff_t at = -w->origin; at < (ptrdiff_t)w->count - w->origin; at++) {
        // off zero, so that a node on the sheet is on one side only
        double psi = c->node[at] & SHEET_NEAR ? c->psi[at] < 0 ? fmin(c->psi[at], -least) : fmax(c->psi[at], least) : sign*far;
        level[at] = sign*psi;
        if (phi_solid) level[at] = fmin(level[at], phi_solid[at]);
    }
    return level;
}

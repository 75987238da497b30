#include "grid/cutcells.h"

#include <assert.h>
#include <math.h>
#include "base/global.h"
#include "base/vec.h"
#include "grid/cutcell.h"

typedef struct Levels {
    const double *phi, *solid;  // solid may be NULL
    const Window* w;
    double scale;           // 1/dx
    const SheetSide* side;  // NULL: no sheets
} Levels;

// Corner values of cell or face nodes, in cells, moved off zero.
static inline double wet_value(const Levels* l, ptrdiff_t at) { return cut_snap(l->phi[at]*l->scale); }
static inline double solid_value(const Levels* l, ptrdiff_t at) { return cut_snap(l->solid[at]*l->scale); }

// Smallest and largest of the (2 or 4) nodes at each i that cells of a row have there, for i0 <= i < i1.
static void column_range(double* restrict low, double* restrict high, const double* v, const Window* w, int i0, int i1)
{
    const double* restrict a = v, * restrict b = v + w->sy;
    for (int i = i0; i < i1; i++) low[i] = min2(a[i], b[i]), high[i] = max2(a[i], b[i]);
    if (w->dim == 2) return;
    a += w->sz, b += w->sz;
    for (int i = i0; i < i1; i++) low[i] = min2(low[i], min2(a[i], b[i])), high[i] = max2(high[i], max2(a[i], b[i]));
}

// Marks the cells i0 <= i < i1 of a row: CELL_FULL, CELL_EMPTY, or 0 for a cell cut by the surface or a solid. Returns the
// number of cut ones. `line` holds 2*(n + 1) doubles.
static int classify_span(int32_t* kind, double* line, const Levels* l, ptrdiff_t row, int i0, int i1)
{
    assert(i0 >= 0 && i1 <= l->w->n[0]);
    double *low = line, *high = line + l->w->n[0] + 1;
    int cut = 0;
    column_range(low, high, l->phi + row, l->w, i0, i1 + 1);
    for (int i = i0; i < i1; i++) {
        int full = max2(high[i], high[i + 1]) < 0, empty = !(min2(low[i], low[i + 1]) < 0);
        kind[i] = full ? CELL_FULL : empty ? CELL_EMPTY : 0;
        cut += !full & !empty;
    }
    if (!l->solid) return cut;
    cut = 0;
    column_range(low, high, l->solid + row, l->w, i0, i1 + 1);
    for (int i = i0; i < i1; i++) {
        bool blocked = max2(high[i], high[i + 1]) < 0, touched = min2(low[i], low[i + 1]) < 0;
        if (blocked) kind[i] = CELL_EMPTY;
        else if (touched && kind[i] == CELL_FULL) kind[i] = 0;
        cut += kind[i] == 0;
    }
    return cut;
}

// What decides about a face or cell that a sheet crosses: all that is solid to this side.
static Levels crossed_levels(const Levels* l) { return (Levels){l->phi, l->side->level, l->w, l->scale, NULL}; }
// And about a cell that both sides share.
static Levels shared_levels(const Levels* l) { return (Levels){l->side->own, l->solid, l->w, l->scale, NULL}; }

static bool is_dry(const Levels* l, ptrdiff_t at)
{
    for (int c = 0; c < (l->w->dim == 3 ? 8 : 4); c++)
        if (wet_value(l, at + window_corner(l->w, c)) < 0) return false;
    return true;
}

static bool is_drowned(const Levels* l, ptrdiff_t at)
{
    for (int c = 0; c < (l->w->dim == 3 ? 8 : 4); c++)
        if (!(wet_value(l, at + window_corner(l->w, c)) < 0)) return false;
    return true;
}

// Cells beside sheets as this side has them; returns how many cut ones there are more than before. Dry ones are none of
// them: they reach to the end of the spans, past which faces have no area.
static int classify_beside_sheets(int32_t* kind, const Levels* l, ptrdiff_t row, int i0, int i1)
{
    int more = 0;
    for (int i = i0; i < i1; i++) {
        SheetCell cell = sheetside_cell(l->side->cut, l->side->sign, l->w, row + i);
        if (cell == SHEET_CELL_OPEN || (cell == SHEET_CELL_SPLIT && kind[i] == CELL_EMPTY)) continue;
        Levels shared = shared_levels(l);
        bool is_empty = cell == SHEET_CELL_BEHIND || (cell == SHEET_CELL_SLIT && is_dry(&shared, row + i));
        more -= kind[i] == 0;
        kind[i] = is_empty ? CELL_EMPTY : 0;
        more += kind[i] == 0;
    }
    return more;
}

// Wet fraction of the low face of a cell across `axis`.
static double face_fraction(const Levels* l, ptrdiff_t at, int axis)
{
    if (l->side) {
        SheetFace kind = sheetside_face(l->side->cut, l->side->sign, l->w, at, axis);
        if (kind == SHEET_FACE_BEHIND) return 0;
        Levels crossed = crossed_levels(l);
        if (kind == SHEET_FACE_CROSSED) return face_fraction(&crossed, at, axis);
    }
    assert(axis >= 0 && axis < l->w->dim);
    const Window* w = l->w;
    int corners = w->dim == 3 ? 4 : 2;
    ptrdiff_t s = window_stride(w, axis == 0 ? 1 : 0), t = w->dim == 3 ? window_stride(w, axis == 2 ? 1 : 2) : 0;
    ptrdiff_t offset[4] = {0, s, s + t, t};
    int wet = 0, open = 0;
    for (int c = 0; c < corners; c++) {
        wet += l->phi[at + offset[c]] < 0;
        open += !l->solid || l->solid[at + offset[c]] >= 0;
    }
    if (wet == 0 || open == 0) return 0;
    if (wet == corners && open == corners) return 1;
    double phi[4], solid[4];
    for (int c = 0; c < corners; c++) {
        phi[c] = wet_value(l, at + offset[c]);
        if (open < corners) solid[c] = solid_value(l, at + offset[c]);
    }
    const double* clip = open < corners ? solid : NULL;
    return w->dim == 3 ? cut_square(phi, clip) : cut_edge(phi, clip);
}

// Wet fractions of the faces of a cell, -x +x -y +y -z +z.
static void cell_faces(double face[6], const Levels* l, ptrdiff_t at)
{
    for (int d = 0; d < 3; d++) {
        face[2*d] = d < l->w->dim ? face_fraction(l, at, d) : 0;
        face[2*d + 1] = d < l->w->dim ? face_fraction(l, at + window_stride(l->w, d), d) : 0;
    }
}

// Geometry of a cut cell; face: fractions -x +x -y +y -z +z. True: a solid touches it.
static bool cell_geometry(CellCut* out, const Levels* l, ptrdiff_t at, const double face[6])
{
    if (l->side) {
        SheetCell kind = sheetside_cell(l->side->cut, l->side->sign, l->w, at);
        Levels levels = kind == SHEET_CELL_SPLIT ? crossed_levels(l) : kind == SHEET_CELL_SLIT ? shared_levels(l) : *l;
        levels.side = NULL;
        double whole[6];
        if (kind == SHEET_CELL_SLIT) cell_faces(whole, &levels, at);
        return cell_geometry(out, &levels, at, kind == SHEET_CELL_SLIT ? whole : face) || kind == SHEET_CELL_SLIT;
    }
    int corners = l->w->dim == 3 ? 8 : 4, open = 0;
    double phi[8], solid[8];
    for (int c = 0; c < corners; c++) phi[c] = wet_value(l, at + window_corner(l->w, c));
    if (l->solid)
        for (int c = 0; c < corners; c++) {
            solid[c] = solid_value(l, at + window_corner(l->w, c));
            open += solid[c] > 0;
        }
    const double* clip = l->solid && open < corners ? solid : NULL;
    if (l->w->dim == 3) cut_cell_3d(out, phi, clip, face);
    else cut_cell_2d(out, phi, clip);
    return clip;
}

// Rows of cells, as opposed to the last rows of nodes.
static bool row_has_cells(const Spans* s, const Window* w, int r) { return r%s->rows_y < w->n[1] && r/s->rows_y < w->n[2]; }

static void classify_row(CutCells* c, double* line, const Levels* l, const Spans* s, int r)
{
    int cut = 0;
    ptrdiff_t row = window_at(l->w, 0, r%s->rows_y, r/s->rows_y);
    if (row_has_cells(s, l->w, r))
        SPAN_LOOP(s, r, q) {
            int i0 = s->span[q].i0, i1 = mini(s->span[q].i1, l->w->n[0]);
            cut += classify_span(c->index + row, line, l, row, i0, i1);
            if (l->side) cut += classify_beside_sheets(c->index + row, l, row, i0, i1);
        }
    c->row_first[r + 1] = cut;
}

static void faces_row(CutCells* c, const Levels* l, const Spans* s, int r)
{
    const Window* w = l->w;
    int j = r%s->rows_y, k = r/s->rows_y;
    ptrdiff_t row = window_at(w, 0, j, k);
    bool inside[3] = {true, j < w->n[1], w->dim == 2 || k < w->n[2]};  // x faces need all but i to be a cell index
    for (int axis = 0; axis < w->dim; axis++) {
        bool exists = true;
        for (int d = 1; d < 3; d++) exists = exists && (d == axis || inside[d]);
        if (!exists) continue;
        SPAN_LOOP(s, r, q) {
            int end = axis == 0 ? s->span[q].i1 : mini(s->span[q].i1, w->n[0]);
            for (int i = s->span[q].i0; i < end; i++) c->area[axis][row + i] = face_fraction(l, row + i, axis);
        }
    }
}

static void cut_one(CutCell* out, const CutCells* c, const Levels* l, ptrdiff_t at, int i, int j, int k)
{
    const Window* w = l->w;
    double face[6] = {0};
    for (int d = 0; d < w->dim; d++) {
        face[2*d] = c->area[d][at];
        face[2*d + 1] = c->area[d][at + window_stride(w, d)];
    }
    CellCut cell;
    bool at_solid = cell_geometry(&cell, l, at, face);
    *out = (CutCell){
        .at = at, .i = i, .j = j, .k = k, .volume = cell.volume, .patch_area = cell.patch_area, .is_drowned = is_drowned(l, at)};
    for (int d = 0; d < 3; d++) {
        out->patch[d] = cell.patch[d];
        out->center[d] = cell.center[d];
        // Whatever the faces and the patch leave open is the solid's. Where there is none that is rounding, and no skin: drops
        // far from any solid were taken for drops that touch one.
        if (at_solid && d < w->dim) out->solid[d] = -(face[2*d + 1] - face[2*d] + cell.patch[d]);
    }
}

// Row totals in units of cells: volume, and patch area.
static void cut_row(CutCells* c, double* volume, double* surface, const Levels* l, const Spans* s, int r)
{
    *volume = *surface = 0;
    if (!row_has_cells(s, l->w, r)) return;
    int j = r%s->rows_y, k = r/s->rows_y, next = c->row_first[r];
    ptrdiff_t row = window_at(l->w, 0, j, k);
    SPAN_LOOP(s, r, q)
        for (int i = s->span[q].i0; i < mini(s->span[q].i1, l->w->n[0]); i++) {
            int32_t kind = c->index[row + i];
            if (kind == CELL_FULL) *volume += 1;
            if (kind < 0) continue;
            c->index[row + i] = next;
            CutCell* cut = &c->cut[next++];
            cut_one(cut, c, l, row + i, i, j, k);
            *volume += cut->volume;
            *surface += cut->patch_area;
        }
}

mn_status cutcells_build(CutCells* c, Arena* arena, const Spans* spans, const double* phi, const double* phi_solid,
                         const Window* w)
{
    return cutcells_build_side(c, arena, spans, phi, phi_solid, NULL, w);
}

mn_status cutcells_build_side(CutCells* c, Arena* arena, const Spans* spans, const double* phi, const double* phi_solid,
                              const SheetSide* side, const Window* w)
{
    assert(phi && phi != phi_solid && spans_is_valid(spans, w));
    *c = (CutCells){0};
    Levels l = {phi, phi_solid, w, 1/w->dx, side};
    for (int d = 0; d < w->dim; d++) {
        TRY_MEMORY(c->area[d] = ARENA_NEW(arena, double, w->count));
        c->area[d] += w->origin;
    }
    TRY_MEMORY(c->index = ARENA_NEW(arena, int32_t, w->count));
    c->index += w->origin;
    TRY_MEMORY(c->row_first = ARENA_NEW(arena, int, spans->rows + 1));
    double* volume = ARENA_NEW(arena, double, spans->rows);
    double* surface = ARENA_NEW(arena, double, spans->rows);
    TRY_MEMORY(volume);
    TRY_MEMORY(surface);

    c->row_first[0] = 0;
#pragma omp parallel if (spans_parallel(spans))
    {
        double line[2*w->n[0] + 2];
#pragma omp for schedule(dynamic, 16)
        for (int r = 0; r < spans->rows; r++) {
            classify_row(c, line, &l, spans, r);
            faces_row(c, &l, spans, r);
        }
    }
    for (int r = 0; r < spans->rows; r++) c->row_first[r + 1] += c->row_first[r];
    c->count = c->row_first[spans->rows];
    TRY_MEMORY(c->cut = ARENA_NEW(arena, CutCell, c->count));
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++) cut_row(c, &volume[r], &surface[r], &l, spans, r);
    c->volume = global_sum(volume, spans->rows)*window_cell_volume(w);
    c->surface = global_sum(surface, spans->rows)*window_face_area(w);
    assert(cutcells_is_valid(c, spans, w));
    return MN_OK;
}

// ---- invariants ----------------------------------------------------------------------------------------------------------

// Fractions and areas are sums of some tens of products of numbers up to 1.
static const double CLOSES = 1e-9;

static bool is_fraction(double v) { return v >= -CLOSES && v <= 1 + CLOSES; }

static bool cut_is_valid(const CutCells* c, const CutCell* cut, const Window* w)
{
    if (!is_fraction(cut->volume) || !(cut->patch_area >= vec_norm(cut->patch) - CLOSES)) return false;
    for (int d = 0; d < w->dim; d++) {
        double low = c->area[d][cut->at], high = c->area[d][cut->at + window_stride(w, d)];
        if (!is_fraction(low) || !is_fraction(high)) return false;
        if (!(fabs(high - low + cut->patch[d] + cut->solid[d]) < CLOSES)) return false;
    }
    return true;
}

// The cells of one row against its part of the list.
static bool row_is_valid(const CutCells* c, const Spans* s, const Window* w, int r)
{
    int next = c->row_first[r], j = r%s->rows_y, k = r/s->rows_y;
    ptrdiff_t row = window_at(w, 0, j, k);
    if (row_has_cells(s, w, r))
        SPAN_LOOP(s, r, q)
            for (int i = s->span[q].i0; i < mini(s->span[q].i1, w->n[0]); i++) {
                int32_t index = c->index[row + i];
                if (index == CELL_FULL || index == CELL_EMPTY) continue;
                if (index != next || next >= c->row_first[r + 1]) return false;
                const CutCell* cut = &c->cut[next++];
                if (cut->at != row + i || cut->i != i || cut->j != j || cut->k != k || !cut_is_valid(c, cut, w)) return false;
            }
    return next == c->row_first[r + 1];
}

bool cutcells_is_valid(const CutCells* c, const Spans* spans, const Window* w)
{
    if (!c->index || !c->row_first || c->row_first[0] != 0 || c->row_first[spans->rows] != c->count) return false;
    for (int r = 0; r < spans->rows; r++)
        if (!row_is_valid(c, spans, w, r)) return false;
    return c->volume >= 0 && c->surface >= 0;
}

// ---- volume alone --------------------------------------------------------------------------------------------------------

// Wet fraction of a cell that the surface or a solid cuts.
static double cut_volume(const Levels* l, ptrdiff_t at)
{
    double face[6];
    cell_faces(face, l, at);
    CellCut cell;
    cell_geometry(&cell, l, at, face);
    return cell.volume;
}

double cutcells_one(const double* phi, const double* phi_solid, const Window* w, ptrdiff_t at)
{
    Levels l = {phi, phi_solid, w, 1/w->dx, NULL};
    return cut_volume(&l, at);
}

// A cell full of liquid but for a solid, in both the present phi and an earlier one: its volume is the earlier one's.
static bool same_volume(double* volume, const CutCells* before, const Levels* l, ptrdiff_t at)
{
    if (!before || before->index[at] < 0) return false;
    assert(before->index[at] < before->count);
    const CutCell* cut = &before->cut[before->index[at]];
    if (!cut->is_drowned || !is_drowned(l, at)) return false;
    *volume = cut->volume;
    return true;
}

static double row_volume(int32_t* kind, double* line, const Levels* l, const CutCells* before, const Spans* s, int r)
{
    if (!row_has_cells(s, l->w, r)) return 0;
    const Window* w = l->w;
    ptrdiff_t row = window_at(w, 0, r%s->rows_y, r/s->rows_y);
    double volume = 0;
    SPAN_LOOP(s, r, q) {
        int i0 = s->span[q].i0, i1 = mini(s->span[q].i1, w->n[0]);
        classify_span(kind, line, l, row, i0, i1);
        for (int i = i0; i < i1; i++) {
            if (kind[i] == CELL_FULL) volume += 1;
            if (kind[i] < 0) continue;
            double known;
            if (same_volume(&known, before, l, row + i)) {
                volume += known;
                continue;
            }
            volume += cut_volume(l, row + i);
        }
    }
    return volume;
}

double cutcells_volume(const Spans* spans, const double* phi, const double* phi_solid, const Window* w, const CutCells* before,
                       Arena* arena)
{
    assert(phi && phi != phi_solid && spans_is_valid(spans, w));
    assert(!before || before->row_first);
    Levels l = {phi, phi_solid, w, 1/w->dx, NULL};
    double* volume = ARENA_NEW(arena, double, spans->rows);
    if (!volume) return NAN;
#pragma omp parallel if (spans_parallel(spans))
    {
        double line[2*w->n[0] + 2];
        int32_t kind[w->n[0] + 1];
#pragma omp for schedule(dynamic, 16)
        for (int r = 0; r < spans->rows; r++) volume[r] = row_volume(kind, line, &l, phi_solid ? before : NULL, spans, r);
    }
    return global_sum(volume, spans->rows)*window_cell_volume(w);
}

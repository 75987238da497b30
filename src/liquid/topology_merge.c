// Liquids that touch, and what they become.
#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/levelset.h"
#include "liquid/sides.h"
#include "liquid/topology.h"

static bool is_wet(const Liquid* q, ptrdiff_t at) { return cutcells_fraction(&q->cells, at) > 0; }

// Has a split cell a wet corner that this side sees?
static bool has_wet_corner(const Liquid* q, const SheetCut* c, ptrdiff_t of_cut, ptrdiff_t at, const Window* w, int sign)
{
    for (int m = 0; m < (w->dim == 3 ? 8 : 4); m++) {
        if (sheetside_hides(c, sign, of_cut + window_corner(w, m))) continue;
        if (q->phi.v[at + window_corner(&q->w, m)] < 0) return true;
    }
    return false;
}

// Have both liquids some of a cell, at `i` of a's window and `j` of b's? In a cell that a sheet cuts through, on the same side:
// there their corners tell, which is less than wet pieces (a cell later they touch off the sheet) but never more.
static bool share_cell(const Liquid* a, ptrdiff_t i, const Liquid* b, ptrdiff_t j)
{
    if (!a->sheet || sheetside_cell(a->sheet, 1, &a->w, i) != SHEET_CELL_SPLIT) return is_wet(a, i) && is_wet(b, j);
    for (int sign = -1; sign <= 1; sign += 2)
        if (has_wet_corner(a, a->sheet, i, i, &a->w, sign) && has_wet_corner(b, a->sheet, i, j, &a->w, sign)) return true;
    return false;
}

bool liquids_touch(const Liquid* a, const Liquid* b)
{
    assert(a != b && a->w.dim == b->w.dim && a->w.dx == b->w.dx);
    if (a->spans.covered > b->spans.covered) return liquids_touch(b, a);
    for (int d = 0; d < 3; d++)
        if (a->w.lo[d] >= b->w.lo[d] + b->w.n[d] || b->w.lo[d] >= a->w.lo[d] + a->w.n[d]) return false;
    const Spans* s = &a->spans;
    double band = liquid_band(b);
    for (int r = 0; r < s->rows; r++)
        SPAN_LOOP(s, r, m)
            for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                int cell[3] = {i, r%s->rows_y, r/s->rows_y}, other[3];
                bool inside = true;
                for (int d = 0; d < 3; d++) {
                    other[d] = cell[d] + a->w.lo[d] - b->w.lo[d];
                    inside = inside && cell[d] < a->w.n[d] && other[d] >= 0 && other[d] < b->w.n[d];
                }
                if (!inside) continue;
                // b's cells exist on b's spans only: its level set tells without them
                ptrdiff_t at = window_at(&b->w, other[0], other[1], other[2]);
                if (b->phi.v[at] < band && share_cell(a, window_at(&a->w, cell[0], cell[1], cell[2]), b, at)) return true;
            }
    return false;
}

// Wet fraction beside a face given in cells of the whole grid: mean over its two cells; 0 off the spans.
static double wet_beside(const Liquid* q, const int grid[3], int axis)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        int c[3];
        bool inside = true;
        for (int d = 0; d < 3; d++) {
            c[d] = grid[d] - q->w.lo[d] - (d == axis && side == 0);
            inside = inside && c[d] >= 0 && c[d] < q->w.n[d];
        }
        if (!inside) continue;
        ptrdiff_t at = window_at(&q->w, c[0], c[1], c[2]);
        if (q->phi.v[at] < liquid_band(q)) sum += cutcells_fraction(&q->cells, at);
    }
    return 0.5*sum;
}

static void merge_velocity(Liquid* out, const Liquid* a, const Liquid* b, int axis)
{
    const Window* w = &out->w;
    for (int k = 0; k < w->n[2] + (axis == 2); k++)
        for (int j = 0; j < w->n[1] + (axis == 1); j++)
            for (int i = 0; i < w->n[0] + (axis == 0); i++) {
                int grid[3] = {i + w->lo[0], j + w->lo[1], k + w->lo[2]};
                double fb = wet_beside(b, grid, axis);
                if (fb == 0) continue;  // a's value is there already
                double fa = wet_beside(a, grid, axis);
                ptrdiff_t at = window_at(w, i, j, k);
                ptrdiff_t from = window_at(&b->w, grid[0] - b->w.lo[0], grid[1] - b->w.lo[1], grid[2] - b->w.lo[2]);
                out->u[axis].v[at] = (fa*out->u[axis].v[at] + fb*b->u[axis].v[from])/(fa + fb);
            }
}

// Where b is lower its level set counts, and the higher pressure: the start of the next solve.
static void merge_levelset(Liquid* out, const Liquid* b)
{
    const Window* w = &out->w;
    for (int k = 0; k < window_node_layers(&b->w); k++)
        for (int j = 0; j <= b->w.n[1]; j++)
            for (int i = 0; i <= b->w.n[0]; i++) {
                ptrdiff_t from = window_at(&b->w, i, j, k);
                ptrdiff_t to = window_at(w, i + b->w.lo[0] - w->lo[0], j + b->w.lo[1] - w->lo[1], k + b->w.lo[2] - w->lo[2]);
                if (b->phi.v[from] < out->phi.v[to]) {
                    out->phi.v[to] = b->phi.v[from];
                    if (i < b->w.n[0] && j < b->w.n[1]) out->p.v[to] = fmax(out->p.v[to], b->p.v[from]);
                }
            }
}

// b goes into what *out was copied with, a: liquids, or what one side of sheets sees of them.
static mn_status merge_view(Liquid* out, Arena* arena, const Liquid* a, const Liquid* b)
{
    const Window* w = &out->w;
    for (int d = 0; d < w->dim; d++) merge_velocity(out, a, b, d);
    merge_levelset(out, b);
    nodes_exchange(out->phi.v, w, REDISTANCE_READS);
    double* u[3] = {out->u[0].v, out->u[1].v, out->u[2].v};
    faces_exchange(u, w, EVERY_LAYER);
    Spans spans;
    TRY(spans_build(&spans, arena, out->phi.v, w, window_band(w), BAND + w->wider + SPAN_GROW));
    return levelset_redistance(out->phi.v, arena, &spans, w, window_band(w), 3, true);
}

static mn_status merge_sides(Liquid* out, Arena* arena, const Liquid* a, const Liquid* b, const SheetSurface* sheets)
{
    Sides s, of_a, of_b;
    TRY(liquid_find_sheets(out, arena, sheets));
    TRY(sides_open(&s, arena, out));
    TRY(sides_cut(&of_a, arena, a));
    TRY(sides_cut(&of_b, arena, b));
    for (int v = 0; v < 2; v++) TRY(merge_view(&s.view[v], arena, &of_a.view[v], &of_b.view[v]));
    sides_close(out, &s);
    return MN_OK;
}

mn_status liquid_merge(Liquid* a, const Liquid* b, Arena* arena, const Tank* tank, const SheetSurface* sheets)
{
    assert(a != b && a->w.dim == b->w.dim && a->target_volume + b->target_volume > 0 && (sheets || !a->sheet));
    int lo[3], n[3];
    for (int d = 0; d < 3; d++) {
        lo[d] = mini(a->w.lo[d], b->w.lo[d]);
        n[d] = maxi(a->w.lo[d] + a->w.n[d], b->w.lo[d] + b->w.n[d]) - lo[d];
    }
    Window w = window_make(tank, lo, n);
    Liquid out;
    TRY(liquid_copy_to_window(&out, a, &w));
    double va = a->target_volume, vb = b->target_volume;
    out.id = va >= vb ? a->id : b->id, out.kind = va >= vb ? a->kind : b->kind;
    out.target_volume = va + vb;
    out.material = material_mixed(&a->material, va, &b->material, vb);
    mn_status status = sheets ? merge_sides(&out, arena, a, b, sheets) : merge_view(&out, arena, a, b);
    if (status != MN_OK) {
        liquid_free(&out);
        return status;
    }
    liquid_free(a);
    *a = out;
    return MN_OK;
}

static void open_hole(Liquid* q, const int at[3])
{
    static const double radius = 1.5;
    const Window* w = &q->w;
    int lo[3], hi[3];
    for (int d = 0; d < 3; d++) lo[d] = maxi(at[d] - 3, 0), hi[d] = mini(at[d] + 3, d < w->dim ? w->n[d] : 0);
    for (int k = lo[2]; k <= hi[2]; k++)
        for (int j = lo[1]; j <= hi[1]; j++)
            for (int i = lo[0]; i <= hi[0]; i++) {
                double r = sqrt((i - at[0])*(i - at[0]) + (j - at[1])*(j - at[1]) + (k - at[2])*(k - at[2]));
                double* phi = q->phi.v + window_at(w, i, j, k);
                *phi = fmin(*phi, (r - radius)*w->dx);
            }
    nodes_exchange(q->phi.v, w, EVERY_LAYER);
}

mn_status liquid_open_hole(Liquid* q, Arena* arena, const int node[3])
{
    int at[3];
    for (int d = 0; d < 3; d++) {
        at[d] = d < q->w.dim ? node[d] - q->w.lo[d] : 0;
        assert(at[d] >= 0 && at[d] <= (d < q->w.dim ? q->w.n[d] : 0));
    }
    if (!q->sheet) return open_hole(q, at), MN_OK;
    Sides s;
    TRY(sides_open(&s, arena, q));
    for (int v = 0; v < 2; v++)  // on the side that the node is on
        if (!sheetside_hides(q->sheet, s.side[v].sign, window_at(&q->w, at[0], at[1], at[2]))) open_hole(&s.view[v], at);
    sides_close(q, &s);
    return MN_OK;
}

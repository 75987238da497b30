#include "membrane/membrane_levels.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/exchange.h"
#include "grid/sheetcut.h"

// ---- level set -------------------------------------------------------------------------------------------------------------

// Far from the surface a node is as wet as a cell beside it.
static bool is_wet(const MembraneCells* c, int i, int j, int k)
{
    const Window* w = c->w;
    return c->volume[window_at(w, mini(i, w->n[0] - 1), mini(j, w->n[1] - 1), mini(k, w->n[2] - 1))] > 0.5;
}

mn_status membrane_levels(Liquid* q, const MembraneMesh* m, const MembraneCells* cells, Arena* scratch)
{
    const Window* w = &q->w;
    double band = liquid_band(q), outwards = w->dim == 3 ? 1 : -1;  // segments have the liquid to their left
    SheetSurface surface = {.dim = m->dim, .x = m->x, .vertices = m->vertices, .element = m->element, .elements = m->elements};
    SheetCut cut;
    TRY(sheetcut_build(&cut, scratch, &surface, w, band, band));
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                bool near = cut.node[at] & SHEET_NEAR && fabs(cut.psi[at]) < band;
                q->phi.v[at] = near ? outwards*cut.psi[at] : is_wet(cells, i, j, k) ? -band : band;
            }
    nodes_exchange(q->phi.v, w, EVERY_LAYER);
    return MN_OK;
}

// ---- cut cells -------------------------------------------------------------------------------------------------------------

// Sums over the pieces in the cell; the centroid still times the area.
static void add_piece(CutCell* c, const Piece* p, int dim)
{
    double area = vec_norm(p->area);
    c->patch_area += area;
    for (int d = 0; d < dim; d++) c->patch[d] += p->area[d], c->center[d] += area*(p->center[d] - p->cell[d]);
}

static void add_pieces(CutCells* c, const int* place, const MembraneCells* cells)
{
    const Window* w = cells->w;
    for (int m = 0; m < cells->pieces.count; m++) {
        const Piece* p = &cells->pieces.piece[m];
        add_piece(&c->cut[place[cells->cut[window_at(w, p->cell[0], p->cell[1], p->cell[2])]]], p, w->dim);
    }
    double surface = 0;
    for (int m = 0; m < c->count; m++) {
        CutCell* cut = &c->cut[m];
        for (int d = 0; d < 3; d++) cut->center[d] = cut->patch_area > 0 ? clamp(cut->center[d]/cut->patch_area, 0, 1) : 0.5;
        surface += cut->patch_area;
    }
    c->surface = surface*window_face_area(w);
}

// The cells of a row in order, as cutcells_build lists them. place: of the cells with pieces, in the list.
static void list_row(CutCells* c, int* place, int* next, const MembraneCells* cells, const Spans* s, int r)
{
    const Window* w = cells->w;
    int j = r%s->rows_y, k = r/s->rows_y;
    c->row_first[r] = *next;
    if (j >= w->n[1] || k >= w->n[2]) return;
    SPAN_LOOP(s, r, m)
        for (int i = s->span[m].i0; i < mini(s->span[m].i1, w->n[0]); i++) {
            ptrdiff_t at = window_at(w, i, j, k);
            int piece = cells->cut[at];
            c->index[at] = piece >= 0 ? *next : cells->volume[at] > 0.5 ? CELL_FULL : CELL_EMPTY;
            if (piece < 0) continue;
            place[piece] = *next;
            c->cut[(*next)++] = (CutCell){.at = at, .i = i, .j = j, .k = k, .volume = cells->volume[at]};
        }
}

mn_status membrane_cut_cells(Liquid* q, const MembraneCells* cells, Arena* kept)
{
    assert(cells->w == &q->w && spans_is_valid(&q->spans, &q->w));
    const Window* w = &q->w;
    CutCells* c = &q->cells;
    *c = (CutCells){0};
    int next = 0, *place = ARENA_NEW(kept, int, cells->cells + 1);
    TRY_MEMORY(place);
    TRY_MEMORY(c->index = ARENA_NEW(kept, int32_t, w->count));
    c->index += w->origin;
    TRY_MEMORY(c->row_first = ARENA_NEW(kept, int, q->spans.rows + 1));
    TRY_MEMORY(c->cut = ARENA_NEW(kept, CutCell, cells->cells + 1));
    for (int d = 0; d < w->dim; d++) c->area[d] = cells->open[d];
    for (int r = 0; r < q->spans.rows; r++) list_row(c, place, &next, cells, &q->spans, r);
    c->count = c->row_first[q->spans.rows] = next;
    assert(next == cells->cells);  // the band around the surface is within the spans
    c->volume = cells->total;
    add_pieces(c, place, cells);
    return MN_OK;
}

// Sums of areas of size 1 are known to this.
static const double CROSSED = 1e-9;

bool membrane_is_crossed(const MembraneCells* cells)
{
    return cells->least < -CROSSED || cells->most > 1 + CROSSED || !(cells->leak < CROSSED);
}

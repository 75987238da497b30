#include "liquid/topology.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/unionfind.h"
#include "base/vec.h"
#include "grid/levelset.h"
#include "liquid/sides.h"

// ---- connected parts -----------------------------------------------------------------------------------------------------

typedef struct Run {
    int view, row, i0, i1;
} Run;

// Wet cells in runs along x: of the liquid, or beside sheets of what each side sees of it, first the one, then the other.
typedef struct Runs {
    const Liquid* view[2];
    int views, rows, count;
    int* first;  // run of each row of each view, and the end
    Run* run;
    int *parent, *number;
} Runs;

static bool is_wet(const Liquid* q, ptrdiff_t at) { return cutcells_fraction(&q->cells, at) > 0; }

static int row_runs(Run* out, const Liquid* q, int view, int r)
{
    const Spans* s = &q->spans;
    const Window* w = &q->w;
    int j = r%s->rows_y, k = r/s->rows_y, count = 0;
    if (j >= w->n[1] || k >= w->n[2]) return 0;
    ptrdiff_t row = window_at(w, 0, j, k);
    SPAN_LOOP(s, r, m)
        for (int i = s->span[m].i0, end = mini(s->span[m].i1, w->n[0]); i < end;) {
            if (!is_wet(q, row + i)) {
                i++;
                continue;
            }
            int i0 = i++;
            while (i < end && is_wet(q, row + i) && q->cells.area[0][row + i] > 0) i++;
            if (out) out[count] = (Run){view, r, i0, i};
            count++;
        }
    return count;
}

// Does what lies in two runs at this cell belong together?
typedef bool Joins(const void* user, ptrdiff_t at);

// Joins runs a0 <= a < a1 with those of another row or view, b <= q < b1, that have cells at the same i. row: window's index of
// the cell i = 0 that is asked about.
static inline void join_rows(int* parent, const Run* run, const int a[2], const int b[2], ptrdiff_t row, Joins joins,
                             const void* user)
{
    int from = b[0];
    for (int m = a[0]; m < a[1]; m++) {
        while (from < b[1] && run[from].i1 <= run[m].i0) from++;
        for (int q = from; q < b[1] && run[q].i0 < run[m].i1; q++)
            for (int i = maxi(run[m].i0, run[q].i0); i < mini(run[m].i1, run[q].i1); i++)
                if (joins(user, row + i)) {
                    set_join(parent, m, q);
                    break;
                }
    }
}

static bool is_open(const void* area, ptrdiff_t at) { return ((const double*)area)[at] > 0; }

// Of a cell that is wet to both sides of sheets: do they see the same liquid? One that is cut through has a piece for each; but
// where a corner past the rim is wet, both pieces have that.
static bool is_shared(const void* user, ptrdiff_t at)
{
    const Liquid* q = user;
    if (sheetside_cell(q->sheet, 1, &q->w, at) != SHEET_CELL_SPLIT) return true;
    for (int m = 0; m < (q->w.dim == 3 ? 8 : 4); m++) {
        ptrdiff_t node = at + window_corner(&q->w, m);
        if (!(q->sheet->node[node] & SHEET_SHADOW) && q->phi.v[node] < 0) return true;
    }
    return false;
}

static void join_all(Runs* t, const Liquid* q)
{
    const Spans* s = &q->spans;
    for (int v = 0; v < t->views; v++)
        for (int r = 0; r < s->rows; r++) {
            ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
            const int* here = t->first + v*s->rows + r;
            const CutCells* cells = &t->view[v]->cells;
            if (r%s->rows_y > 0) join_rows(t->parent, t->run, here, here - 1, row, is_open, cells->area[1]);
            if (q->w.dim == 3 && r >= s->rows_y)
                join_rows(t->parent, t->run, here, here - s->rows_y, row, is_open, cells->area[2]);
            if (v == 1) join_rows(t->parent, t->run, here, here - s->rows, row, is_shared, q);
        }
}

// The middle of what a side has of a cell: of a piece that of its corners, so that it lies on its side of a flat sheet.
static void middle(double x[3], const Liquid* view, int i, int j, int k)
{
    const Window* w = &view->w;
    ptrdiff_t at = window_at(w, i, j, k);
    double sum[3] = {0.5, 0.5, 0.5};
    if (view->side && sheetside_cell(view->side->cut, view->side->sign, w, at) == SHEET_CELL_SPLIT) {
        int own = 0;
        sum[0] = sum[1] = sum[2] = 0;
        for (int m = 0; m < (w->dim == 3 ? 8 : 4); m++) {
            if ((view->side->cut->psi[at + window_corner(w, m)] < 0) == (view->side->sign > 0)) continue;
            own++;
            for (int d = 0; d < 3; d++) sum[d] += m >> d & 1;
        }
        for (int d = 0; d < 3 && own > 0; d++) sum[d] /= own;
    }
    window_position(x, w, i + sum[0], j + sum[1], k + sum[2]);
}

static void add_run(Part* part, const Liquid* q, const Run* run)
{
    const Window* w = &q->w;
    int j = run->row%q->spans.rows_y, k = run->row/q->spans.rows_y;
    for (int i = run->i0; i < run->i1; i++) {
        ptrdiff_t at = window_at(w, i, j, k);
        if (!liquid_counts(q, at)) continue;
        double f = cutcells_fraction(&q->cells, at), x[3];
        middle(x, q, i, j, k);
        part->volume += f;
        for (int d = 0; d < w->dim; d++) {
            part->center[d] += f*x[d];
            part->velocity[d] += f*0.5*(q->u[d].v[at] + q->u[d].v[at + window_stride(w, d)]);
        }
    }
    int low[3] = {run->i0, j, k}, high[3] = {run->i1 - 1, j, k};
    for (int d = 0; d < 3; d++) part->lo[d] = mini(part->lo[d], low[d]), part->hi[d] = maxi(part->hi[d], high[d]);
}

// What parts are ordered by. Nothing here depends on the window or on the order of the search.
typedef struct Standing {
    int64_t size;  // volume in thousandths of a cell: what differs by less may do so by rounding and counts as equal
    int first[3];  // cell of the tank: the part's lowest by z, then y, then x
    int found;     // number in the order of the search
} Standing;

static int larger_first(const void* a, const void* b)
{
    const Standing *p = a, *q = b;
    if (p->size != q->size) return p->size > q->size ? -1 : 1;
    for (int d = 2; d >= 0; d--)
        if (p->first[d] != q->first[d]) return p->first[d] < q->first[d] ? -1 : 1;
    return 0;
}

// Puts the parts in order; rank[m]: the new number of the one that was m-th. lowest[m]: its lowest run.
static mn_status rank_parts(Parts* parts, int** rank, Arena* arena, const Liquid* q, const Run* const* lowest)
{
    Standing* s = ARENA_NEW(arena, Standing, parts->count);
    Part* sorted = ARENA_NEW(arena, Part, parts->count);
    TRY_MEMORY(s);
    TRY_MEMORY(sorted);
    TRY_MEMORY(*rank = ARENA_NEW(arena, int, parts->count));
    for (int m = 0; m < parts->count; m++) {
        double cells = parts->part[m].volume/window_cell_volume(&q->w);
        int row = lowest[m]->row, at[3] = {lowest[m]->i0, row%q->spans.rows_y, row/q->spans.rows_y};
        s[m] = (Standing){.size = llround(1000*cells), .found = m};
        for (int d = 0; d < 3; d++) s[m].first[d] = q->w.lo[d] + at[d];
    }
    qsort(s, (size_t)parts->count, sizeof *s, larger_first);
    for (int m = 0; m < parts->count; m++) sorted[m] = parts->part[s[m].found], (*rank)[s[m].found] = m;
    parts->part = sorted;
    return MN_OK;
}

// Labels the cells of each view by the rank of their part; `rank` is by the numbers in the order of the search.
static mn_status label_cells(Parts* parts, Arena* arena, const Liquid* q, const Runs* t, const int* rank)
{
    for (int v = 0; v < t->views; v++) {
        TRY_MEMORY(parts->label[v] = ARENA_NEW(arena, int32_t, q->w.count));
        memset(parts->label[v], -1, sizeof *parts->label[v]*q->w.count);
        parts->label[v] += q->w.origin;
    }
    for (int a = 0; a < t->count; a++) {
        const Run* run = &t->run[a];
        ptrdiff_t row = window_at(&q->w, 0, run->row%q->spans.rows_y, run->row/q->spans.rows_y);
        for (int i = run->i0; i < run->i1; i++) parts->label[run->view][row + i] = rank[t->number[a]];
    }
    return MN_OK;
}

// Is node (i,j,k) a corner of a cell with this label?
static bool node_touches(const int32_t* label, const Window* w, int i, int j, int k, int part)
{
    int deep = w->dim == 3;
    for (int kk = maxi(k - deep, 0); kk <= mini(k, w->n[2] - 1); kk++)
        for (int jj = maxi(j - 1, 0); jj <= mini(j, w->n[1] - 1); jj++)
            for (int ii = maxi(i - 1, 0); ii <= mini(i, w->n[0] - 1); ii++)
                if (label[window_at(w, ii, jj, kk)] == part) return true;
    return false;
}

// Nodes inside solids are corners of no wet cell once they are more than a cell deep, and yet phi goes on there, at the contact
// angle. Such a node belongs to the part that it is nearest to, in steps along the axes through nodes of the same kind.
typedef struct Inside {
    const Liquid* q;
    const int32_t* label;
    int parts;
    int32_t *owner, *queue;
    int count;
} Inside;

// Beside sheets every node of the spans has an owner, dry or not: a sheet parts liquids that have nothing to do with each other,
// and their distances must stay what they are. (Caps on both sides of a sheet, at rest, moved with 0.04 of their capillary speed
// where distances were made anew, and move with 0.002.)
static bool goes_on_inside(const Liquid* q, ptrdiff_t at) { return q->side || (q->phi.v[at] < 0 && q->phi_solid.v[at] < 0); }

// No part's, either because the node is not inside a solid or because nothing has led to it yet.
enum { NOT_INSIDE = -1, NOBODYS = -2 };

static void own_node(Inside* t, ptrdiff_t at, int32_t part) { t->owner[at] = part, t->queue[t->count++] = (int32_t)at; }

// The nodes of one row: those that are corners of a part's cell are its own (of several parts', the first).
static void own_corners(Inside* t, int r)
{
    const Spans* s = &t->q->spans;
    int j = r%s->rows_y, k = r/s->rows_y;
    SPAN_LOOP(s, r, m)
        for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
            ptrdiff_t at = window_at(&t->q->w, i, j, k);
            if (!goes_on_inside(t->q, at)) continue;
            t->owner[at] = NOBODYS;
            for (int part = 0; part < t->parts && t->owner[at] == NOBODYS; part++)
                if (node_touches(t->label, &t->q->w, i, j, k, part)) own_node(t, at, part);
        }
}

static void own_neighbours(Inside* t, ptrdiff_t at)
{
    for (int d = 0; d < 2*t->q->w.dim; d++) {
        ptrdiff_t next = at + (d & 1 ? 1 : -1)*window_stride(&t->q->w, d/2);
        if (t->owner[next] == NOBODYS) own_node(t, next, t->owner[at]);
    }
}

// q: what view v is.
static mn_status own_inside(Parts* parts, Arena* arena, const Liquid* q, int v)
{
    Inside t = {.q = q, .label = parts->label[v], .parts = parts->count};
    int32_t* owner = ARENA_NEW(arena, int32_t, q->w.count);
    TRY_MEMORY(owner);
    for (size_t m = 0; m < q->w.count; m++) owner[m] = NOT_INSIDE;
    parts->inside[v] = t.owner = owner + q->w.origin;
    TRY_MEMORY(t.queue = ARENA_NEW(arena, int32_t, q->spans.covered + 1));
    for (int r = 0; r < q->spans.rows; r++) own_corners(&t, r);
    for (int m = 0; m < t.count; m++) own_neighbours(&t, t.queue[m]);
    return MN_OK;
}

// Who looks at the liquid: it itself, or beside sheets what each side sees.
static mn_status open_views(Runs* t, Arena* arena, const Liquid* q)
{
    *t = (Runs){.view = {q, NULL}, .views = 1, .rows = q->spans.rows};
    if (!q->sheet) return MN_OK;
    Sides* s = ARENA_NEW(arena, Sides, 1);
    TRY_MEMORY(s);
    TRY(sides_cut(s, arena, q));
    t->view[0] = &s->view[0], t->view[1] = &s->view[1], t->views = 2;
    return MN_OK;
}

static mn_status find_runs(Runs* t, Arena* arena)
{
    int rows = t->views*t->rows;
    TRY_MEMORY(t->first = ARENA_NEW(arena, int, rows + 1));
    for (int m = 0; m < rows; m++)
        t->first[m] = t->count, t->count += row_runs(NULL, t->view[m/t->rows], m/t->rows, m%t->rows);
    t->first[rows] = t->count;
    TRY_MEMORY(t->run = ARENA_NEW(arena, Run, t->count));
    TRY_MEMORY(t->parent = ARENA_NEW(arena, int, t->count));
    TRY_MEMORY(t->number = ARENA_NEW(arena, int, t->count));
    for (int m = 0; m < rows; m++) row_runs(t->run + t->first[m], t->view[m/t->rows], m/t->rows, m%t->rows);
    for (int a = 0; a < t->count; a++) t->parent[a] = a;
    return MN_OK;
}

static bool is_lower(const Run* a, const Run* b) { return a->row != b->row ? a->row < b->row : a->i0 < b->i0; }

// Numbers the parts in the order of the search and adds up what they are; lowest[m]: the lowest run of part m.
static void add_parts(Parts* parts, const Run** lowest, Runs* t)
{
    int found = 0;
    for (int a = 0; a < t->count; a++) {  // a root comes before the rest of its part
        int root = set_find(t->parent, a), m = root == a ? found++ : t->number[root];
        t->number[a] = m;
        if (root == a)
            for (int d = 0; d < 3; d++) parts->part[m].lo[d] = 1 << 30, parts->part[m].hi[d] = -1;
        if (root == a || is_lower(&t->run[a], lowest[m])) lowest[m] = &t->run[a];
        add_run(&parts->part[m], t->view[t->run[a].view], &t->run[a]);
    }
    for (int m = 0; m < parts->count; m++) {
        Part* p = &parts->part[m];
        assert(p->volume > 0);  // made of wet cells
        for (int d = 0; d < 3; d++) p->center[d] /= p->volume, p->velocity[d] /= p->volume;
        p->volume *= window_cell_volume(&t->view[0]->w);
    }
}

mn_status parts_find(Parts* parts, Arena* arena, const Liquid* q)
{
    assert(q->cells.index && !q->side && spans_is_valid(&q->spans, &q->w));
    *parts = (Parts){0};
    Runs t;
    TRY(open_views(&t, arena, q));
    TRY(find_runs(&t, arena));
    join_all(&t, q);
    for (int a = 0; a < t.count; a++)
        if (set_find(t.parent, a) == a) parts->count++;
    TRY_MEMORY(parts->part = ARENA_ZERO(arena, Part, parts->count));
    const Run** lowest = ARENA_NEW(arena, const Run*, parts->count);
    TRY_MEMORY(lowest);
    add_parts(parts, lowest, &t);
    if (parts->count < 2) return MN_OK;
    int* rank;
    TRY(rank_parts(parts, &rank, arena, q, lowest));
    TRY(label_cells(parts, arena, q, &t, rank));
    for (int v = 0; v < t.views; v++)
        if (liquid_solid(t.view[v])) TRY(own_inside(parts, arena, t.view[v], v));
    return MN_OK;
}

bool part_has_node(const Parts* parts, const Liquid* q, int i, int j, int k, int m)
{
    if (!parts->label[0]) return true;
    int view = q->sheet ? sides_owner(q->sheet, window_at(&q->w, i, j, k)) : 0;
    return node_touches(parts->label[view], &q->w, i, j, k, m);
}

// ---- a part alone --------------------------------------------------------------------------------------------------------

// Does node (i,j,k) of q belong to a part, in this view of it: as a corner of one of its cells, or inside a solid? What both
// sides of sheets have belongs to it if either says so.
static bool node_is_own(const Parts* parts, const Liquid* q, int view, int i, int j, int k, int part)
{
    ptrdiff_t at = window_at(&q->w, i, j, k);
    if (node_touches(parts->label[view], &q->w, i, j, k, part)) return true;
    if (parts->inside[view] && parts->inside[view][at] == part) return true;
    return q->sheet && !(q->sheet->node[at] & SHEET_SHADOW) && node_touches(parts->label[!view], &q->w, i, j, k, part);
}

// The same of a node of another window.
static bool is_own_at(const Parts* parts, const Liquid* q, int view, const Window* w, const int node[3], int part)
{
    int x = node[0] + w->lo[0] - q->w.lo[0], y = node[1] + w->lo[1] - q->w.lo[1], z = node[2] + w->lo[2] - q->w.lo[2];
    return x >= 0 && y >= 0 && z >= 0 && x <= q->w.n[0] && y <= q->w.n[1] && z < window_node_layers(&q->w) &&
           node_is_own(parts, q, view, x, y, z, part);
}

// Takes everything but one part out of what a view has for phi (window w, a piece of q's), looking at nodes a <= i <= b of w
// only. Nodes of the part's own keep their value, so its surface does not move; the others go outside.
static void filter_box(double* phi, const Window* w, const Liquid* q, const Parts* parts, int view, int m, const int a[3],
                       const int b[3])
{
    for (int k = a[2]; k <= b[2]; k++)
        for (int j = a[1]; j <= b[1]; j++)
            for (int i = a[0]; i <= b[0]; i++) {
                if (!is_own_at(parts, q, view, w, (int[3]){i, j, k}, m)) phi[window_at(w, i, j, k)] = window_band(w);
            }
    nodes_exchange(phi, w, REDISTANCE_READS);
}

// Beside sheets the distances that are a part's own are what they were, to the last bit.
static void put_back_own(double* phi, const double* before, const Window* w, const Liquid* q, const Parts* parts, int view, int m)
{
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j <= w->n[1]; j++)
            for (int i = 0; i <= w->n[0]; i++)
                if (is_own_at(parts, q, view, w, (int[3]){i, j, k}, m))
                    phi[window_at(w, i, j, k)] = before[window_at(w, i, j, k)];
    nodes_exchange(phi, w, EVERY_LAYER);
}

// Of all that *out was copied with, what is part m's: out is a liquid, or what one side sees of it.
static mn_status extract_view(Liquid* out, Arena* arena, const Liquid* q, const Parts* parts, int view, int m)
{
    const Window* w = &out->w;
    double* before = out->side ? window_copy(arena, out->phi.v, w) : NULL;
    if (out->side) TRY_MEMORY(before);
    double* u[3] = {out->u[0].v, out->u[1].v, out->u[2].v};
    faces_exchange(u, w, EVERY_LAYER);
    filter_box(out->phi.v, w, q, parts, view, m, (int[3]){0, 0, 0}, (int[3]){w->n[0], w->n[1], window_node_layers(w) - 1});
    Spans spans;
    TRY(spans_build(&spans, arena, out->phi.v, w, window_band(w), BAND + w->wider + SPAN_GROW));
    TRY(levelset_redistance(out->phi.v, arena, &spans, w, window_band(w), 2*(BAND + w->wider), true));
    if (before) put_back_own(out->phi.v, before, w, q, parts, view, m);
    return MN_OK;
}

static mn_status extract(Liquid* out, Arena* arena, const Liquid* q, const Parts* parts, int m, const SheetSurface* sheets)
{
    if (!q->sheet) return extract_view(out, arena, q, parts, 0, m);
    Sides s;
    TRY(liquid_find_sheets(out, arena, sheets));
    TRY(sides_open(&s, arena, out));
    for (int v = 0; v < 2; v++) TRY(extract_view(&s.view[v], arena, q, parts, v, m));
    sides_close(out, &s);
    return MN_OK;
}

mn_status part_extract(Liquid* out, Arena* arena, const Liquid* q, const Parts* parts, int m, const Tank* tank,
                       const SheetSurface* sheets)
{
    assert(out != q && m >= 0 && m < parts->count && parts->label[0] && (sheets || !q->sheet));
    const Part* part = &parts->part[m];
    int lo[3], n[3];
    for (int d = 0; d < 3; d++) {
        int margin = q->w.dim == 2 && d == 2 ? 0 : liquid_margin(tank);
        lo[d] = q->w.lo[d] + part->lo[d] - margin;
        n[d] = part->hi[d] - part->lo[d] + 1 + 2*margin;
    }
    Window w = window_make(tank, lo, n);
    TRY(liquid_copy_to_window(out, q, &w));
    out->material = q->material, out->kind = q->kind;
    mn_status status = extract(out, arena, q, parts, m, sheets);
    if (status != MN_OK) liquid_free(out);
    return status;
}

// Inside solids phi goes on for part m alone; what belongs to others, or to nobody, goes outside. q: what one side sees of
// `whole`, or that itself.
static void clear_inside(Liquid* q, const Liquid* whole, const Parts* parts, int view, int m)
{
    const Spans* s = &q->spans;
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        SPAN_LOOP(s, r, n)
            for (int i = s->span[n].i0; i < s->span[n].i1; i++) {
                ptrdiff_t at = window_at(&q->w, i, j, k);
                if (goes_on_inside(q, at) && !node_is_own(parts, whole, view, i, j, k, m)) q->phi.v[at] = liquid_band(q);
            }
    }
    nodes_exchange(q->phi.v, &q->w, REDISTANCE_READS);
}

static mn_status keep_view(Liquid* q, Arena* arena, const Liquid* whole, const Parts* parts, int view, int m)
{
    double* before = q->side ? window_copy(arena, q->phi.v, &q->w) : NULL;
    if (q->side) TRY_MEMORY(before);
    // only around the parts that go; distances there are put right over the next steps, nothing reads them before
    for (int other = 0; other < parts->count; other++) {
        if (other == m) continue;
        const Part* part = &parts->part[other];
        int a[3], b[3];
        for (int d = 0; d < 3; d++) {
            a[d] = maxi(part->lo[d], 0);
            b[d] = d < q->w.dim ? mini(part->hi[d] + 1, q->w.n[d]) : 0;
        }
        filter_box(q->phi.v, &q->w, whole, parts, view, m, a, b);
    }
    if (parts->inside[view]) clear_inside(q, whole, parts, view, m);
    Spans spans;
    TRY(spans_build(&spans, arena, q->phi.v, &q->w, liquid_band(q), SPAN_GROW));
    TRY(levelset_redistance(q->phi.v, arena, &spans, &q->w, liquid_band(q), 3, true));
    if (before) put_back_own(q->phi.v, before, &q->w, whole, parts, view, m);
    return MN_OK;
}

mn_status part_keep(Liquid* q, Arena* arena, const Parts* parts, int m)
{
    assert(m >= 0 && m < parts->count && parts->label[0]);
    if (!q->sheet) return keep_view(q, arena, q, parts, 0, m);
    Sides s;
    TRY(sides_open(&s, arena, q));
    for (int v = 0; v < 2; v++) TRY(keep_view(&s.view[v], arena, q, parts, v, m));
    sides_close(q, &s);
    return MN_OK;
}

#include "liquid/topology.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/unionfind.h"
#include "base/vec.h"
#include "grid/interpolate.h"
#include "grid/levelset.h"

// ---- connected parts -----------------------------------------------------------------------------------------------------

typedef struct Run {
    int row, i0, i1;
} Run;

static bool is_wet(const Liquid* q, ptrdiff_t at) { return cutcells_fraction(&q->cells, at) > 0; }

static int row_runs(Run* out, const Liquid* q, int r)
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
            if (out) out[count] = (Run){r, i0, i};
            count++;
        }
    return count;
}

static void join_rows(int* parent, const Run* run, const int* first, const double* area, ptrdiff_t row, int r, int below)
{
    assert(below >= 0 && below < r);
    int b = first[below];
    for (int a = first[r]; a < first[r + 1]; a++) {
        while (b < first[below + 1] && run[b].i1 <= run[a].i0) b++;
        for (int q = b; q < first[below + 1] && run[q].i0 < run[a].i1; q++)
            for (int i = maxi(run[a].i0, run[q].i0); i < mini(run[a].i1, run[q].i1); i++)
                if (area[row + i] > 0) {
                    set_join(parent, a, q);
                    break;
                }
    }
}

static void add_run(Part* part, const Liquid* q, const Run* run)
{
    const Window* w = &q->w;
    int j = run->row%q->spans.rows_y, k = run->row/q->spans.rows_y;
    for (int i = run->i0; i < run->i1; i++) {
        ptrdiff_t at = window_at(w, i, j, k);
        double f = cutcells_fraction(&q->cells, at), x[3];
        window_position(x, w, i + 0.5, j + 0.5, k + 0.5);
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

// Puts the parts in order; rank[m]: the new number of the one that was m-th. first[m]: its first run.
static mn_status rank_parts(Parts* parts, int** rank, Arena* arena, const Liquid* q, const Run* const* first)
{
    Standing* s = ARENA_NEW(arena, Standing, parts->count);
    Part* sorted = ARENA_NEW(arena, Part, parts->count);
    TRY_MEMORY(s);
    TRY_MEMORY(sorted);
    TRY_MEMORY(*rank = ARENA_NEW(arena, int, parts->count));
    for (int m = 0; m < parts->count; m++) {
        double cells = parts->part[m].volume/window_cell_volume(&q->w);
        int row = first[m]->row, at[3] = {first[m]->i0, row%q->spans.rows_y, row/q->spans.rows_y};
        s[m] = (Standing){.size = llround(1000*cells), .found = m};
        for (int d = 0; d < 3; d++) s[m].first[d] = q->w.lo[d] + at[d];
    }
    qsort(s, (size_t)parts->count, sizeof *s, larger_first);
    for (int m = 0; m < parts->count; m++) sorted[m] = parts->part[s[m].found], (*rank)[s[m].found] = m;
    parts->part = sorted;
    return MN_OK;
}

// Labels cells by the rank of their part; `rank` is by the numbers in the order of the search.
static mn_status label_cells(Parts* parts, Arena* arena, const Liquid* q, const Run* run, const int* number, const int* rank,
                             int runs)
{
    TRY_MEMORY(parts->label = ARENA_NEW(arena, int32_t, q->w.count));
    memset(parts->label, -1, sizeof *parts->label*q->w.count);
    parts->label += q->w.origin;
    for (int a = 0; a < runs; a++) {
        ptrdiff_t row = window_at(&q->w, 0, run[a].row%q->spans.rows_y, run[a].row/q->spans.rows_y);
        for (int i = run[a].i0; i < run[a].i1; i++) parts->label[row + i] = rank[number[a]];
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
    int32_t *owner, *queue;
    int count;
} Inside;

static bool goes_on_inside(const Liquid* q, ptrdiff_t at) { return q->phi.v[at] < 0 && q->phi_solid.v[at] < 0; }

// No part's, either because the node is not inside a solid or because nothing has led to it yet.
enum { NOT_INSIDE = -1, NOBODYS = -2 };

static void own_node(Inside* t, ptrdiff_t at, int32_t part) { t->owner[at] = part, t->queue[t->count++] = (int32_t)at; }

// The nodes of one row: those that are corners of a part's cell are its own (of several parts', the first).
static void own_corners(Inside* t, const Parts* parts, int r)
{
    const Spans* s = &t->q->spans;
    int j = r%s->rows_y, k = r/s->rows_y;
    SPAN_LOOP(s, r, m)
        for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
            ptrdiff_t at = window_at(&t->q->w, i, j, k);
            if (!goes_on_inside(t->q, at)) continue;
            t->owner[at] = NOBODYS;
            for (int part = 0; part < parts->count && t->owner[at] == NOBODYS; part++)
                if (node_touches(parts->label, &t->q->w, i, j, k, part)) own_node(t, at, part);
        }
}

static void own_neighbours(Inside* t, ptrdiff_t at)
{
    for (int d = 0; d < 2*t->q->w.dim; d++) {
        ptrdiff_t next = at + (d & 1 ? 1 : -1)*window_stride(&t->q->w, d/2);
        if (t->owner[next] == NOBODYS) own_node(t, next, t->owner[at]);
    }
}

static mn_status own_inside(Parts* parts, Arena* arena, const Liquid* q)
{
    Inside t = {.q = q};
    int32_t* owner = ARENA_NEW(arena, int32_t, q->w.count);
    TRY_MEMORY(owner);
    for (size_t m = 0; m < q->w.count; m++) owner[m] = NOT_INSIDE;
    parts->inside = t.owner = owner + q->w.origin;
    TRY_MEMORY(t.queue = ARENA_NEW(arena, int32_t, q->spans.covered + 1));
    for (int r = 0; r < q->spans.rows; r++) own_corners(&t, parts, r);
    for (int m = 0; m < t.count; m++) own_neighbours(&t, t.queue[m]);
    return MN_OK;
}

mn_status parts_find(Parts* parts, Arena* arena, const Liquid* q)
{
    assert(q->cells.index && spans_is_valid(&q->spans, &q->w));
    *parts = (Parts){0};
    const Spans* s = &q->spans;
    int* first = ARENA_NEW(arena, int, s->rows + 1);
    TRY_MEMORY(first);
    int runs = 0;
    for (int r = 0; r < s->rows; r++) first[r] = runs, runs += row_runs(NULL, q, r);
    first[s->rows] = runs;
    Run* run = ARENA_NEW(arena, Run, runs);
    int* parent = ARENA_NEW(arena, int, runs);
    int* number = ARENA_NEW(arena, int, runs);
    TRY_MEMORY(run);
    TRY_MEMORY(parent);
    TRY_MEMORY(number);
    for (int r = 0; r < s->rows; r++) row_runs(run + first[r], q, r);
    for (int a = 0; a < runs; a++) parent[a] = a;
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(&q->w, 0, r%s->rows_y, r/s->rows_y);
        if (r%s->rows_y > 0) join_rows(parent, run, first, q->cells.area[1], row, r, r - 1);
        if (q->w.dim == 3 && r >= s->rows_y) join_rows(parent, run, first, q->cells.area[2], row, r, r - s->rows_y);
    }
    for (int a = 0; a < runs; a++)
        if (set_find(parent, a) == a) parts->count++;
    TRY_MEMORY(parts->part = ARENA_ZERO(arena, Part, parts->count));
    const Run** first_run = ARENA_NEW(arena, const Run*, parts->count);
    TRY_MEMORY(first_run);
    int found = 0;
    for (int a = 0; a < runs; a++) {  // a root comes before the rest of its part
        int root = set_find(parent, a);
        if (root == a) {
            first_run[found] = &run[a], number[a] = found++;
            for (int d = 0; d < 3; d++) parts->part[number[a]].lo[d] = 1 << 30, parts->part[number[a]].hi[d] = -1;
        } else {
            number[a] = number[root];
        }
        add_run(&parts->part[number[a]], q, &run[a]);
    }
    for (int m = 0; m < parts->count; m++) {
        Part* p = &parts->part[m];
        assert(p->volume > 0);  // made of wet cells
        for (int d = 0; d < 3; d++) p->center[d] /= p->volume, p->velocity[d] /= p->volume;
        p->volume *= window_cell_volume(&q->w);
    }
    if (parts->count < 2) return MN_OK;
    int* rank;
    TRY(rank_parts(parts, &rank, arena, q, first_run));
    TRY(label_cells(parts, arena, q, run, number, rank, runs));
    return liquid_solid(q) ? own_inside(parts, arena, q) : MN_OK;
}

// Does node (i,j,k) of q belong to a part: as a corner of one of its cells, or inside a solid?
static bool node_is_own(const Parts* parts, const Liquid* q, int i, int j, int k, int part)
{
    return node_touches(parts->label, &q->w, i, j, k, part) ||
           (parts->inside && parts->inside[window_at(&q->w, i, j, k)] == part);
}

// Takes everything but one part out of `phi` (window w, a piece of q's), looking at nodes a <= i <= b of w only. Nodes of the
// part's own keep their value, so its surface does not move; the others go outside.
static void filter_box(double* phi, const Window* w, const Liquid* q, const Parts* parts, int m, const int a[3], const int b[3])
{
    for (int k = a[2]; k <= b[2]; k++)
        for (int j = a[1]; j <= b[1]; j++)
            for (int i = a[0]; i <= b[0]; i++) {
                int x = i + w->lo[0] - q->w.lo[0], y = j + w->lo[1] - q->w.lo[1], z = k + w->lo[2] - q->w.lo[2];
                bool own = x >= 0 && y >= 0 && z >= 0 && x <= q->w.n[0] && y <= q->w.n[1] && z < window_node_layers(&q->w) &&
                           node_is_own(parts, q, x, y, z, m);
                if (!own) phi[window_at(w, i, j, k)] = window_band(w);
            }
    nodes_exchange(phi, w, REDISTANCE_READS);
}

mn_status part_extract(Liquid* out, Arena* arena, const Liquid* q, const Parts* parts, int m, const Tank* tank)
{
    assert(out != q && m >= 0 && m < parts->count && parts->label);
    const Part* part = &parts->part[m];
    int lo[3], n[3];
    for (int d = 0; d < 3; d++) {
        int margin = q->w.dim == 2 && d == 2 ? 0 : liquid_margin(tank);
        lo[d] = q->w.lo[d] + part->lo[d] - margin;
        n[d] = part->hi[d] - part->lo[d] + 1 + 2*margin;
    }
    Window w = window_make(tank, lo, n);
    TRY(liquid_init(out, &w));
    field_copy_window(&out->phi, &w, &q->phi, &q->w);
    field_copy_window(&out->p, &w, &q->p, &q->w);
    for (int d = 0; d < w.dim; d++) field_copy_window(&out->u[d], &w, &q->u[d], &q->w);
    double* u[3] = {out->u[0].v, out->u[1].v, out->u[2].v};
    faces_exchange(u, &w, EVERY_LAYER);
    out->material = q->material, out->kind = q->kind;
    filter_box(out->phi.v, &w, q, parts, m, (int[3]){0, 0, 0}, (int[3]){w.n[0], w.n[1], window_node_layers(&w) - 1});
    Spans spans;
    mn_status status = spans_build(&spans, arena, out->phi.v, &w, window_band(&w), BAND + w.wider + SPAN_GROW);
    if (status == MN_OK) status = levelset_redistance(out->phi.v, arena, &spans, &w, window_band(&w), 2*(BAND + w.wider), true);
    if (status != MN_OK) liquid_free(out);
    return status;
}

// Inside solids phi goes on for part m alone; what belongs to others, or to nobody, goes outside.
static void clear_inside(Liquid* q, const Parts* parts, int m)
{
    const Spans* s = &q->spans;
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        SPAN_LOOP(s, r, n)
            for (int i = s->span[n].i0; i < s->span[n].i1; i++) {
                ptrdiff_t at = window_at(&q->w, i, j, k);
                if (goes_on_inside(q, at) && !node_is_own(parts, q, i, j, k, m)) q->phi.v[at] = liquid_band(q);
            }
    }
    nodes_exchange(q->phi.v, &q->w, REDISTANCE_READS);
}

mn_status part_keep(Liquid* q, Arena* arena, const Parts* parts, int m)
{
    assert(m >= 0 && m < parts->count && parts->label);
    // only around the parts that go; distances there are put right over the next steps, nothing reads them before
    for (int other = 0; other < parts->count; other++) {
        if (other == m) continue;
        const Part* part = &parts->part[other];
        int a[3], b[3];
        for (int d = 0; d < 3; d++) {
            a[d] = maxi(part->lo[d], 0);
            b[d] = d < q->w.dim ? mini(part->hi[d] + 1, q->w.n[d]) : 0;
        }
        filter_box(q->phi.v, &q->w, q, parts, m, a, b);
    }
    if (parts->inside) clear_inside(q, parts, m);
    Spans spans;
    TRY(spans_build(&spans, arena, q->phi.v, &q->w, liquid_band(q), SPAN_GROW));
    return levelset_redistance(q->phi.v, arena, &spans, &q->w, liquid_band(q), 3, true);
}

// ---- merging -------------------------------------------------------------------------------------------------------------

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
                if (!inside || !is_wet(a, window_at(&a->w, cell[0], cell[1], cell[2]))) continue;
                // b's cells exist on b's spans only: its level set tells without them
                ptrdiff_t at = window_at(&b->w, other[0], other[1], other[2]);
                if (b->phi.v[at] < band && is_wet(b, at)) return true;
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

mn_status liquid_merge(Liquid* a, const Liquid* b, Arena* arena, const Tank* tank)
{
    assert(a != b && a->w.dim == b->w.dim && a->target_volume + b->target_volume > 0);
    int lo[3], n[3];
    for (int d = 0; d < 3; d++) {
        lo[d] = mini(a->w.lo[d], b->w.lo[d]);
        n[d] = maxi(a->w.lo[d] + a->w.n[d], b->w.lo[d] + b->w.n[d]) - lo[d];
    }
    Window w = window_make(tank, lo, n);
    Liquid out;
    TRY(liquid_init(&out, &w));
    field_copy_window(&out.phi, &w, &a->phi, &a->w);
    field_copy_window(&out.p, &w, &a->p, &a->w);
    for (int d = 0; d < w.dim; d++) {
        field_copy_window(&out.u[d], &w, &a->u[d], &a->w);
        merge_velocity(&out, a, b, d);
    }
    merge_levelset(&out, b);
    nodes_exchange(out.phi.v, &w, REDISTANCE_READS);
    double* u[3] = {out.u[0].v, out.u[1].v, out.u[2].v};
    faces_exchange(u, &w, EVERY_LAYER);
    double va = a->target_volume, vb = b->target_volume;
    out.id = va >= vb ? a->id : b->id, out.kind = va >= vb ? a->kind : b->kind;
    out.target_volume = va + vb;
    out.material = material_mixed(&a->material, va, &b->material, vb);
    Spans spans;
    mn_status status = spans_build(&spans, arena, out.phi.v, &w, window_band(&w), BAND + w.wider + SPAN_GROW);
    if (status == MN_OK) status = levelset_redistance(out.phi.v, arena, &spans, &w, window_band(&w), 3, true);
    if (status != MN_OK) {
        liquid_free(&out);
        return status;
    }
    liquid_free(a);
    *a = out;
    return MN_OK;
}

void liquid_open_hole(Liquid* q, const int node[3])
{
    static const double radius = 1.5;
    const Window* w = &q->w;
    int lo[3], hi[3], at[3];
    for (int d = 0; d < 3; d++) {
        int most = d < w->dim ? w->n[d] : 0;
        at[d] = d < w->dim ? node[d] - w->lo[d] : 0;
        assert(at[d] >= 0 && at[d] <= most);
        lo[d] = maxi(at[d] - 3, 0), hi[d] = mini(at[d] + 3, most);
    }
    for (int k = lo[2]; k <= hi[2]; k++)
        for (int j = lo[1]; j <= hi[1]; j++)
            for (int i = lo[0]; i <= hi[0]; i++) {
                double r = sqrt((i - at[0])*(i - at[0]) + (j - at[1])*(j - at[1]) + (k - at[2])*(k - at[2]));
                double* phi = q->phi.v + window_at(w, i, j, k);
                *phi = fmin(*phi, (r - radius)*w->dx);
            }
    nodes_exchange(q->phi.v, w, EVERY_LAYER);
}

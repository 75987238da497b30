#include "solve/components.h"

#include <assert.h>
#include <math.h>
#include "base/unionfind.h"
#include "base/vec.h"

static int rows_of(const Poisson* f) { return f->w->n[1]*f->w->n[2]; }
static ptrdiff_t row_at(const Poisson* f, int r) { return window_at(f->w, 0, r%f->w->n[1], r/f->w->n[1]); }

// Is the cell linked through one of its faces?
static bool is_linked(const Poisson* f, int r, int i, int face)
{
    if (f->kind[row_at(f, r) + i] == CELL_IS_REGULAR) return true;
    int low = f->first[r], high = f->first[r + 1];
    while (high - low > 1) {
        int mid = (low + high)/2;
        if (f->special[mid].i <= i) low = mid;
        else high = mid;
    }
    assert(low < f->first[r + 1] && f->special[low].i == i);
    return f->special[low].link[face] > 0;
}

// Runs of a row without a break in the links along x. Only special cells can break them. Returns their number.
static int row_runs(ComponentRun* out, const Poisson* f, int r)
{
    const Spans* s = f->spans;
    ptrdiff_t row = row_at(f, r);
    int count = 0, m = f->first[r], end = -1;  // end: where the last run ends so far
    SPAN_LOOP(s, r%f->w->n[1] + r/f->w->n[1]*s->rows_y, q) {
        int i1 = mini(s->span[q].i1, f->w->n[0]);
        for (int i = s->span[q].i0; i < i1; i++) {
            if (f->kind[row + i] == CELL_IS_NONE) continue;
            bool breaks = false;
            if (f->kind[row + i] == CELL_IS_SPECIAL) {
                while (f->special[m].i < i) m++;
                assert(m < f->first[r + 1] && f->special[m].i == i);
                breaks = !(f->special[m].link[0] > 0);
            }
            if (i > end || breaks) {
                if (out) out[count] = (ComponentRun){row + i, 0, 0};
                count++;
            }
            if (out) out[count - 1].length++;
            end = i + 1;
        }
    }
    return count;
}

// Joins the runs of row r with those of a row below it, `stride` back across `face` of row r.
static void join_rows(int* parent, const ComponentRun* run, const int* first, const Poisson* f, int r, int below, int face)
{
    assert(below >= 0 && below < r);
    ptrdiff_t row = row_at(f, r), stride = row - row_at(f, below);
    int b = first[below];
    for (int a = first[r]; a < first[r + 1]; a++) {
        ptrdiff_t low = run[a].at - stride, high = low + run[a].length;
        while (b < first[below + 1] && run[b].at + run[b].length <= low) b++;
        for (int q = b; q < first[below + 1] && run[q].at < high; q++) {
            ptrdiff_t end = run[q].at + run[q].length < high ? run[q].at + run[q].length : high;
            for (ptrdiff_t at = run[q].at > low ? run[q].at : low; at < end; at++)
                if (is_linked(f, r, (int)(at + stride - row), face)) {
                    set_join(parent, a, q);
                    break;
                }
        }
    }
}

mn_status components_find(Components* c, Arena* arena, const Poisson* f)
{
    assert(f->kind && f->first);
    *c = (Components){0};
    int rows = rows_of(f), *first = ARENA_NEW(arena, int, rows + 1);
    TRY_MEMORY(first);
    for (int r = 0; r < rows; r++) first[r] = c->runs, c->runs += row_runs(NULL, f, r);
    first[rows] = c->runs;
    int* parent = ARENA_NEW(arena, int, c->runs);
    TRY_MEMORY(c->run = ARENA_NEW(arena, ComponentRun, c->runs));
    TRY_MEMORY(parent);
    for (int r = 0; r < rows; r++) row_runs(c->run + first[r], f, r);
    for (int a = 0; a < c->runs; a++) parent[a] = a;
    for (int r = 0; r < rows; r++) {
        if (r%f->w->n[1] > 0) join_rows(parent, c->run, first, f, r, r - 1, 2);
        if (f->w->dim == 3 && r >= f->w->n[1]) join_rows(parent, c->run, first, f, r, r - f->w->n[1], 4);
    }
    // a root is the lowest of its set, and so numbered before the others
    for (int a = 0; a < c->runs; a++) {
        int root = set_find(parent, a);
        c->run[a].part = root == a ? c->parts++ : c->run[root].part;
    }
    TRY_MEMORY(c->sum = ARENA_NEW(arena, double, c->parts));
    TRY_MEMORY(c->cells = ARENA_NEW(arena, double, c->parts));
    return MN_OK;
}

int components_at(const Components* c, ptrdiff_t at)
{
    int low = 0, high = c->runs;  // the run is in low .. high - 1, if any
    while (high - low > 1) {
        int mid = (low + high)/2;
        if (c->run[mid].at <= at) low = mid;
        else high = mid;
    }
    bool inside = low < high && at >= c->run[low].at && at < c->run[low].at + c->run[low].length;
    return inside ? c->run[low].part : -1;
}

// Marks the parts that some excess holds.
static void find_open(bool* open, const Components* c, const Poisson* f)
{
    for (int r = 0; r < rows_of(f); r++)
        for (int m = f->first[r]; m < f->first[r + 1]; m++) {
            const SpecialCell* s = &f->special[m];
            double diagonal = s->excess;
            for (int q = 0; q < 6; q++) diagonal += s->link[q];
            int part = s->excess > 1e-12*diagonal ? components_at(c, row_at(f, r) + s->i) : -1;
            if (part >= 0) open[part] = true;
        }
}

mn_status components_sealed(Components* c, Arena* arena, const Poisson* f, const ptrdiff_t* held, int count)
{
    TRY(components_find(c, arena, f));
    bool* open = ARENA_ZERO(arena, bool, c->parts);
    int* number = ARENA_NEW(arena, int, c->parts);
    TRY_MEMORY(open);
    TRY_MEMORY(number);
    find_open(open, c, f);
    for (int m = 0; m < count; m++) {
        int part = components_at(c, held[m]);
        if (part >= 0) open[part] = true;
    }
    int sealed = 0, runs = 0;
    for (int part = 0; part < c->parts; part++) number[part] = open[part] ? -1 : sealed++;
    for (int a = 0; a < c->runs; a++) {
        ComponentRun run = c->run[a];
        if ((run.part = number[run.part]) >= 0) c->run[runs++] = run;
    }
    c->runs = runs, c->parts = sealed;
    return MN_OK;
}

// The same for both precisions; in a fixed order.
#define PROJECT(c, v, removed)                                                                                                   \
    do {                                                                                                                         \
        for (int part_ = 0; part_ < (c)->parts; part_++) (c)->sum[part_] = (c)->cells[part_] = 0;                                \
        for (int a = 0; a < (c)->runs; a++) {                                                                                    \
            const ComponentRun* run = &(c)->run[a];                                                                              \
            for (int m = 0; m < run->length; m++) (c)->sum[run->part] += (v)[run->at + m];                                       \
            (c)->cells[run->part] += run->length;                                                                                \
        }                                                                                                                        \
        for (int part_ = 0; part_ < (c)->parts; part_++) {                                                                       \
            (c)->sum[part_] /= (c)->cells[part_];                                                                                \
            removed += (c)->sum[part_]*(c)->sum[part_]*(c)->cells[part_];                                                    \
        }                                                                                                                        \
        for (int a = 0; a < (c)->runs; a++) {                                                                                    \
            const ComponentRun* run = &(c)->run[a];                                                                              \
            for (int m = 0; m < run->length; m++) (v)[run->at + m] -= (c)->sum[run->part];                                       \
        }                                                                                                                        \
    } while (0)

double components_project(const Components* c, double* v)
{
    double removed = 0;
    PROJECT(c, v, removed);
    return sqrt(removed);
}

void components_project_float(const Components* c, float* v)
{
    double removed = 0;
    PROJECT(c, v, removed);
    (void)removed;
}

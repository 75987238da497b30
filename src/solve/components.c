#include "solve/components.h"

#include <assert.h>
#include <math.h>
#include "base/unionfind.h"
#include "base/vec.h"

// Is the cell linked through one of its faces?
static bool is_linked(const Level* l, int r, int i, int face)
{
    if (l->kind[level_row(l, r) + i] == CELL_IS_REGULAR) return true;
    int low = l->first_special[r], high = l->first_special[r + 1];
    while (high - low > 1) {
        int mid = (low + high)/2;
        if (l->special[mid].i <= i) low = mid;
        else high = mid;
    }
    assert(low < l->first_special[r + 1] && l->special[low].i == i);
    return l->special[low].link[face] > 0;
}

// Runs of a level row without a break in the links along x. Only special cells can break them. Returns their number.
static int row_runs(ComponentRun* out, const Level* l, int r)
{
    int count = 0, m = l->first_special[r];
    SPAN_LOOP(l, r, q) {
        int i0 = l->span[q].i0;
        for (; m < l->first_special[r + 1] && l->special[m].i < l->span[q].i1; m++) {
            if (l->special[m].i == i0 || l->special[m].link[0] > 0) continue;
            if (out) out[count] = (ComponentRun){r, i0, l->special[m].i, 0};
            count++;
            i0 = l->special[m].i;
        }
        if (out) out[count] = (ComponentRun){r, i0, l->span[q].i1, 0};
        count++;
    }
    return count;
}

// Joins the runs of row r with those of the row below it, across `face` of row r.
static void join_rows(int* parent, const ComponentRun* run, const int* first, const Level* l, int r, int below, int face)
{
    assert(below >= 0 && below < r);
    int b = first[below];
    for (int a = first[r]; a < first[r + 1]; a++) {
        while (b < first[below + 1] && run[b].i1 <= run[a].i0) b++;
        for (int q = b; q < first[below + 1] && run[q].i0 < run[a].i1; q++) {
            int i0 = maxi(run[a].i0, run[q].i0), i1 = mini(run[a].i1, run[q].i1);
            for (int i = i0; i < i1; i++)
                if (is_linked(l, r, i, face)) {
                    set_join(parent, a, q);
                    break;
                }
        }
    }
}

// Marks the sets that some excess holds.
static void find_open(bool* open, int* parent, const ComponentRun* run, const int* first, const Level* l)
{
    for (int r = 0; r < l->rows; r++) {
        int a = first[r];
        for (int m = l->first_special[r]; m < l->first_special[r + 1]; m++) {
            const LevelCell* c = &l->special[m];
            while (run[a].i1 <= c->i) a++;
            assert(a < first[r + 1] && run[a].i0 <= c->i);
            if (c->excess > 1e-12f*c->diagonal) open[set_find(parent, a)] = true;
        }
    }
}

mn_status components_sealed(Components* c, Arena* arena, const Level* l)
{
    assert(l->kind && l->first_special);
    *c = (Components){0};
    int* first = ARENA_NEW(arena, int, l->rows + 1);
    TRY_MEMORY(first);
    int runs = 0;
    for (int r = 0; r < l->rows; r++) first[r] = runs, runs += row_runs(NULL, l, r);
    first[l->rows] = runs;
    ComponentRun* run = ARENA_NEW(arena, ComponentRun, runs);
    int* parent = ARENA_NEW(arena, int, runs);
    bool* open = ARENA_ZERO(arena, bool, runs);
    int* part = ARENA_NEW(arena, int, runs);
    TRY_MEMORY(run);
    TRY_MEMORY(parent);
    TRY_MEMORY(open);
    TRY_MEMORY(part);
    for (int r = 0; r < l->rows; r++) row_runs(run + first[r], l, r);
    for (int a = 0; a < runs; a++) parent[a] = a, part[a] = -1;
    for (int r = 0; r < l->rows; r++) {
        if (r%l->n[1] > 0) join_rows(parent, run, first, l, r, r - 1, 2);
        if (l->dim == 3 && r >= l->n[1]) join_rows(parent, run, first, l, r, r - l->n[1], 4);
    }
    find_open(open, parent, run, first, l);
    // numbered by their lowest cells, z before y before x, wherever the window begins
    for (int a = 0; a < runs; a++) {
        int root = set_find(parent, a);
        if (open[root]) continue;
        if (part[root] < 0) part[root] = c->parts++;
        run[a].part = part[root];
        run[c->runs++] = run[a];
    }
    c->run = run;
    TRY_MEMORY(c->sum = ARENA_NEW(arena, double, c->parts));
    TRY_MEMORY(c->cells = ARENA_NEW(arena, double, c->parts));
    return MN_OK;
}

// The same for both precisions; in a fixed order.
#define PROJECT(c, l, v, removed)                                                                                                \
    do {                                                                                                                         \
        for (int part_ = 0; part_ < (c)->parts; part_++) (c)->sum[part_] = (c)->cells[part_] = 0;                                \
        for (int a = 0; a < (c)->runs; a++) {                                                                                    \
            const ComponentRun* run = &(c)->run[a];                                                                              \
            ptrdiff_t row = level_row(l, run->row);                                                                              \
            for (int i = run->i0; i < run->i1; i++) (c)->sum[run->part] += (v)[row + i];                                         \
            (c)->cells[run->part] += run->i1 - run->i0;                                                                          \
        }                                                                                                                        \
        for (int part_ = 0; part_ < (c)->parts; part_++) {                                                                       \
            (c)->sum[part_] /= (c)->cells[part_];                                                                                \
            removed += (c)->sum[part_]*(c)->sum[part_]*(c)->cells[part_];                                                    \
        }                                                                                                                        \
        for (int a = 0; a < (c)->runs; a++) {                                                                                    \
            const ComponentRun* run = &(c)->run[a];                                                                              \
            ptrdiff_t row = level_row(l, run->row);                                                                              \
            for (int i = run->i0; i < run->i1; i++) (v)[row + i] -= (c)->sum[run->part];                                         \
        }                                                                                                                        \
    } while (0)

double components_project(const Components* c, const Level* l, double* v)
{
    double removed = 0;
    PROJECT(c, l, v, removed);
    return sqrt(removed);
}

void components_project_float(const Components* c, const Level* l, float* v)
{
    double removed = 0;
    PROJECT(c, l, v, removed);
    (void)removed;
}

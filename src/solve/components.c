#include "solve/components.h"

#include <math.h>
#include "base/unionfind.h"
#include "base/vec.h"

// Runs of a level row without a break in the links along x. Returns their number.
static int row_runs(ComponentRun* out, const Level* l, const double* link_x, int r)
{
    int count = 0;
    ptrdiff_t row = level_row(l, r);
    SPAN_LOOP(l, r, q)
        for (int i = l->span[q].i0; i < l->span[q].i1;) {
            int i0 = i++;
            while (i < l->span[q].i1 && link_x[row + i] > 0) i++;
            if (out) out[count] = (ComponentRun){r, i0, i, 0};
            count++;
        }
    return count;
}

// Joins the runs of row r with those of the row one step down along `axis`.
static void join_rows(int* parent, const ComponentRun* run, const int* first, const Level* l, const double* link, int r,
                      int below)
{
    ptrdiff_t row = level_row(l, r);
    int b = first[below];
    for (int a = first[r]; a < first[r + 1]; a++) {
        while (b < first[below + 1] && run[b].i1 <= run[a].i0) b++;
        for (int q = b; q < first[below + 1] && run[q].i0 < run[a].i1; q++) {
            int i0 = maxi(run[a].i0, run[q].i0), i1 = mini(run[a].i1, run[q].i1);
            for (int i = i0; i < i1; i++)
                if (link[row + i] > 0) {
                    set_join(parent, a, q);
                    break;
                }
        }
    }
}

static bool run_is_open(const ComponentRun* run, const Level* l, double* const link[3], const double* diagonal)
{
    ptrdiff_t row = level_row(l, run->row);
    for (int i = run->i0; i < run->i1; i++) {
        double links = 0;
        for (int d = 0; d < l->dim; d++) links += link[d][row + i] + link[d][row + i + level_stride(l, d)];
        if (diagonal[row + i] - links > 1e-12*diagonal[row + i]) return true;
    }
    return false;
}

mn_status components_sealed(Components* c, Arena* arena, const Level* l, double* const link[3], const double* diagonal)
{
    *c = (Components){0};
    int* first = ARENA_NEW(arena, int, l->rows + 1);
    TRY_MEMORY(first);
    int runs = 0;
    for (int r = 0; r < l->rows; r++) first[r] = runs, runs += row_runs(NULL, l, link[0], r);
    first[l->rows] = runs;
    ComponentRun* run = ARENA_NEW(arena, ComponentRun, runs);
    int* parent = ARENA_NEW(arena, int, runs);
    bool* open = ARENA_ZERO(arena, bool, runs);
    int* part = ARENA_NEW(arena, int, runs);
    TRY_MEMORY(run);
    TRY_MEMORY(parent);
    TRY_MEMORY(open);
    TRY_MEMORY(part);
    for (int r = 0; r < l->rows; r++) row_runs(run + first[r], l, link[0], r);
    for (int a = 0; a < runs; a++) parent[a] = a, part[a] = -1;
    for (int r = 0; r < l->rows; r++) {
        if (r%l->n[1] > 0) join_rows(parent, run, first, l, link[1], r, r - 1);
        if (l->dim == 3 && r >= l->n[1]) join_rows(parent, run, first, l, link[2], r, r - l->n[1]);
    }
    for (int a = 0; a < runs; a++) {
        int root = set_find(parent, a);
        if (!open[root] && run_is_open(&run[a], l, link, diagonal)) open[root] = true;
    }
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

#include "grid/spans.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"

// Runs of active nodes of one row, before growing. Returns their number; writes at most `room`.
static int row_runs(Span* out, const double* phi, int nodes, double limit)
{
    int count = 0;
    for (int i = 0; i < nodes;) {
        while (i < nodes && !(phi[i] < limit)) i++;
        if (i == nodes) break;
        int i0 = i;
        while (i < nodes && phi[i] < limit) i++;
        out[count++] = (Span){i0, i};
    }
    return count;
}

typedef struct RowRuns {
    int* first;
    Span* span;
} RowRuns;

// Adds the runs [i0 - grow, i1 + grow) of `row` to the marks of a row.
static void mark_row(unsigned char* mark, const RowRuns* runs, int row, int grow, int nodes)
{
    for (int q = runs->first[row]; q < runs->first[row + 1]; q++) {
        int i0 = maxi(runs->span[q].i0 - grow, 0), i1 = mini(runs->span[q].i1 + grow, nodes);
        for (int i = i0; i < i1; i++) mark[i] = 1;
    }
}

static bool row_has_runs_near(const RowRuns* runs, int rows_y, int layers, int j, int k, int grow)
{
    for (int kk = maxi(k - grow, 0); kk <= mini(k + grow, layers - 1); kk++) {
        int a = kk*rows_y + maxi(j - grow, 0), b = kk*rows_y + mini(j + grow, rows_y - 1);
        if (runs->first[a] < runs->first[b + 1]) return true;
    }
    return false;
}

mn_status spans_build(Spans* s, Arena* arena, const double* phi, const Window* w, double limit, int grow)
{
    assert(phi && window_is_valid(w) && grow >= 0);
    int nodes = w->n[0] + 1, rows_y = w->n[1] + 1, layers = window_node_layers(w), rows = rows_y*layers;
    int most = nodes/2 + 1;
    RowRuns runs = {ARENA_NEW(arena, int, rows + 1), NULL};
    TRY_MEMORY(runs.first);
    Span* scratch = ARENA_NEW(arena, Span, most);
    TRY_MEMORY(scratch);
    int total = 0;
    for (int r = 0; r < rows; r++) {
        runs.first[r] = total;
        total += row_runs(scratch, phi + window_at(w, 0, r%rows_y, r/rows_y), nodes, limit);
    }
    runs.first[rows] = total;
    TRY_MEMORY(runs.span = ARENA_NEW(arena, Span, total));
    for (int r = 0; r < rows; r++)
        if (runs.first[r] < runs.first[r + 1])
            row_runs(runs.span + runs.first[r], phi + window_at(w, 0, r%rows_y, r/rows_y), nodes, limit);

    *s = (Spans){.rows = rows, .rows_y = rows_y, .first = ARENA_NEW(arena, int, rows + 1)};
    unsigned char* mark = ARENA_NEW(arena, unsigned char, nodes + 1);
    TRY_MEMORY(s->first);
    TRY_MEMORY(mark);
    // growing can only join runs of a row or bring runs from near rows, so this bound holds
    long room = (long)total*(2*grow + 1)*(w->dim == 3 ? 2*grow + 1 : 1);
    if (room > (long)rows*most) room = (long)rows*most;
    TRY_MEMORY(s->span = ARENA_NEW(arena, Span, room));
    int count = 0;
    for (int k = 0; k < layers; k++)
        for (int j = 0; j < rows_y; j++) {
            s->first[k*rows_y + j] = count;
            if (!row_has_runs_near(&runs, rows_y, layers, j, k, grow)) continue;
            for (int i = 0; i <= nodes; i++) mark[i] = 0;
            for (int kk = maxi(k - grow, 0); kk <= mini(k + grow, layers - 1); kk++)
                for (int jj = maxi(j - grow, 0); jj <= mini(j + grow, rows_y - 1); jj++)
                    mark_row(mark, &runs, kk*rows_y + jj, grow, nodes);
            for (int i = 0; i < nodes;) {
                while (i < nodes && !mark[i]) i++;
                if (i == nodes) break;
                int i0 = i;
                while (mark[i]) i++;
                s->span[count++] = (Span){i0, i};
                s->covered += i - i0;
            }
        }
    s->first[rows] = count;
    assert(spans_is_valid(s, w) && spans_cover(s, phi, w, limit, grow));
    return MN_OK;
}

// ---- invariants ----------------------------------------------------------------------------------------------------------

bool spans_is_valid(const Spans* s, const Window* w)
{
    if (!s || !s->first || s->rows_y != w->n[1] + 1 || s->rows != s->rows_y*window_node_layers(w) || s->first[0] != 0)
        return false;
    long covered = 0;
    for (int r = 0; r < s->rows; r++) {
        int end = -1;  // of the run before
        if (s->first[r] > s->first[r + 1]) return false;
        SPAN_LOOP(s, r, q) {
            Span run = s->span[q];
            if (run.i0 <= end || run.i0 < 0 || run.i0 >= run.i1 || run.i1 > w->n[0] + 1) return false;
            covered += run.i1 - run.i0, end = run.i1;
        }
    }
    return covered == s->covered;
}

// Is i0 <= i < i1 of row r within one run?
static bool row_covers(const Spans* s, int r, int i0, int i1)
{
    SPAN_LOOP(s, r, q)
        if (s->span[q].i0 <= i0 && i1 <= s->span[q].i1) return true;
    return false;
}

bool spans_cover(const Spans* s, const double* phi, const Window* w, double limit, int grow)
{
    int nodes = w->n[0] + 1, layers = window_node_layers(w);
    for (int r = 0; r < s->rows; r++) {
        int j = r%s->rows_y, k = r/s->rows_y;
        const double* row = phi + window_at(w, 0, j, k);
        for (int i = 0; i < nodes; i++) {
            if (!(row[i] < limit)) continue;
            int i0 = maxi(i - grow, 0);
            while (i + 1 < nodes && row[i + 1] < limit) i++;
            int i1 = mini(i + 1 + grow, nodes);
            for (int kk = maxi(k - grow, 0); kk <= mini(k + grow, layers - 1); kk++)
                for (int jj = maxi(j - grow, 0); jj <= mini(j + grow, s->rows_y - 1); jj++)
                    if (!row_covers(s, kk*s->rows_y + jj, i0, i1)) return false;
        }
    }
    return true;
}

bool spans_field_is_finite(const Spans* s, const double* v, const Window* w)
{
    for (int r = 0; r < s->rows; r++) {
        const double* row = v + window_at(w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, q)
            for (int i = s->span[q].i0; i < s->span[q].i1; i++)
                if (!isfinite(row[i])) return false;
    }
    return true;
}

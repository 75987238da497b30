#include "membrane/lanes.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "membrane/wall_lanes.h"

// Per cell with pieces: their area vectors' components, and what they take off the volume between them and the upper end of
// their half, -A_d (end - x_d).
typedef struct CutSums {
    double area[3][2], volume[3][2];
} CutSums;

// Closer to 0 or 1 than this a face is shut or open: sums of numbers of size 1 know no better.
static const double ROUNDING = 1e-13;

static double snapped(double open) { return fabs(open) < ROUNDING ? 0 : fabs(open - 1) < ROUNDING ? 1 : open; }

static double* take_field(Arena* arena, const Window* w)
{
    double* v = ARENA_ZERO(arena, double, w->count);
    return v ? v + w->origin : NULL;
}

static ptrdiff_t piece_cell(const Piece* p, const Window* w) { return window_at(w, p->cell[0], p->cell[1], p->cell[2]); }

// Numbers the cells with pieces in the order of the window.
static mn_status list_cut_cells(MembraneCells* c, Arena* arena)
{
    const Window* w = c->w;
    TRY_MEMORY(c->cut = ARENA_ZERO(arena, int, w->count));
    c->cut += w->origin;
    for (int q = 0; q < c->pieces.count; q++) c->cut[piece_cell(&c->pieces.piece[q], w)] = 1;
    TRY_MEMORY(c->cell = ARENA_NEW(arena, ptrdiff_t, c->pieces.count + 1));
    c->cells = 0;
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                if (c->cut[at]) c->cell[c->cells] = at, c->cut[at] = c->cells++;
                else c->cut[at] = -1;
            }
    return MN_OK;
}

static mn_status sum_pieces(CutSums** sums, const MembraneCells* c, Arena* arena)
{
    TRY_MEMORY(*sums = ARENA_ZERO(arena, CutSums, c->cells + 1));
    for (int q = 0; q < c->pieces.count; q++) {
        const Piece* p = &c->pieces.piece[q];
        CutSums* s = &(*sums)[c->cut[piece_cell(p, c->w)]];
        for (int d = 0; d < c->w->dim; d++) {
            int half = p->upper[d];
            s->area[d][half] += p->area[d];
            s->volume[d][half] -= p->area[d]*(p->cell[d] + 0.5*(half + 1) - p->center[d]);
        }
    }
    return MN_OK;
}

// One row of cells along axis d, from the face `at` on its low side, which is open by `open`.
static void run_lane(MembraneCells* c, const CutSums* sums, int d, ptrdiff_t at, double open)
{
    const Window* w = c->w;
    ptrdiff_t stride = window_stride(w, d);
    for (int k = 0; k < w->n[d]; k++, at += stride) {
        open = snapped(open);
        c->open[d][at] = open;
        c->least = fmin(c->least, open), c->most = fmax(c->most, open);
        double half[2] = {0.5*open, 0.5*open};
        if (c->cut[at] >= 0) {
            const CutSums* s = &sums[c->cut[at]];
            double middle = open - s->area[d][0];
            half[0] += s->volume[d][0], half[1] = 0.5*middle + s->volume[d][1];
            open = middle - s->area[d][1];
        }
        c->dual[d][at] += half[0], c->dual[d][at + stride] += half[1];
        if (d == 0) c->volume[at] = half[0] + half[1];
        else c->leak = fmax(c->leak, fabs(half[0] + half[1] - c->volume[at]));
    }
    c->open[d][at] = open = snapped(open);
    // behind the last face of a row there is a wall, or a side within the tank that the surface stays away from
    if (!side_is_closed(w->side[2*d + 1])) c->leak = fmax(c->leak, fabs(open));
    c->least = fmin(c->least, open), c->most = fmax(c->most, open);
}

static mn_status run_lanes(MembraneCells* c, const CutSums* sums, const WallStarts* walls, Arena* arena)
{
    const Window* w = c->w;
    c->leak = 0, c->least = 0, c->most = 0, c->total = 0;
    TRY_MEMORY(c->volume = take_field(arena, w));
    for (int d = 0; d < w->dim; d++) {
        int o = d == 0 ? 1 : 0, p = d == 2 ? 1 : 2;
        TRY_MEMORY(c->open[d] = take_field(arena, w));
        TRY_MEMORY(c->dual[d] = take_field(arena, w));
        for (int b = 0; b < w->n[p]; b++)
            for (int a = 0; a < w->n[o]; a++)
                run_lane(c, sums, d, a*window_stride(w, o) + b*window_stride(w, p), walls->start[d][a + w->n[o]*b]);
    }
    double sum = 0;
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++) sum += c->volume[window_at(w, i, j, k)];
    c->total = sum*window_cell_volume(w);
    return MN_OK;
}

mn_status lanes_build(MembraneCells* c, const MembraneMesh* m, const Window* w, Arena* arena)
{
    *c = (MembraneCells){.w = w};
    TRY(clip_surface(&c->pieces, m, w, arena));
    TRY(list_cut_cells(c, arena));
    CutSums* sums;
    TRY(sum_pieces(&sums, c, arena));
    WallStarts walls;
    TRY(wall_starts(&walls, m, w, arena));
    return run_lanes(c, sums, &walls, arena);
}

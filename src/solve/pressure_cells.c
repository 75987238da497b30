// Which cells have an unknown.
#include "solve/pressure_private.h"

// Of a cell: less liquid is rounding around a node that touches the surface. As an orphan such a speck has weights of 1e-19,
// which squared are nothing in single precision, and conjugate gradients broke down (random scene 457).
static const double SPECK = 1e-12;

static void classify_row(Pressure* p, int r)
{
    FOR_CELLS(p, r) {
        ptrdiff_t at = row + i;
        int32_t index = p->in.cells->index[at];
        bool wet = index == CELL_FULL || (index >= 0 && p->in.cells->cut[index].volume > SPECK);
        if (index == CELL_FULL) p->cell[at] = CELL_IS_UNKNOWN;
        else if (!wet) p->cell[at] = CELL_IS_DRY;
        else p->cell[at] = pressure_center_value(&p->in, at) < -DEPTH_FLOOR*w->dx ? CELL_IS_UNKNOWN : CELL_IS_ELIMINATED;
    }
}

// Is any cell around this one, diagonals included, of this kind?
static bool near_kind(const Pressure* p, const CutCell* c, unsigned char kind)
{
    const Window* w = p->in.w;
    int deep = w->dim == 3;
    for (int k = maxi(c->k - deep, 0); k <= mini(c->k + deep, w->n[2] - 1); k++)
        for (int j = maxi(c->j - 1, 0); j <= mini(c->j + 1, w->n[1] - 1); j++)
            for (int i = maxi(c->i - 1, 0); i <= mini(c->i + 1, w->n[0] - 1); i++)
                if (p->cell[window_at(w, i, j, k)] == kind) return true;
    return false;
}

static bool is_beside_skin(const Pressure* p, const CutCell* c)
{
    int cell[3] = {c->i, c->j, c->k};
    for (int d = 0; d < p->in.w->dim; d++)
        for (int step = -1; step <= 1; step += 2)
            if (!pressure_has_neighbour(p->in.w, cell, d, step) && p->in.w->side[2*d + (step > 0)] == SIDE_IS_WALL) return true;
    return vec_norm(c->solid) > 0;
}

// Cells along a wall from the last unknown of a wedge to its tip. One of 8 degrees has its first wet centre 3.6 cells from the
// line.
enum { WEDGE_CELLS = 4 };

// Orphans beside skin that touch a cell of this kind; their number.
static int orphans_beside(int* list, const Pressure* p, unsigned char kind)
{
    int count = 0;
    for (int q = 0; q < p->in.cells->count; q++) {
        const CutCell* c = &p->in.cells->cut[q];
        if (p->cell[c->at] == CELL_IS_ORPHAN && is_beside_skin(p, c) && near_kind(p, c, kind)) list[count++] = q;
    }
    return count;
}

// The tip of a wedge on a wall or solid, thinner than half a cell, is no sheet: it goes where the liquid behind it goes. As an
// orphan it was moved by the pressures of its own few surface points instead, which differ by as much as the line is pulled with;
// lines of less than 30 degrees trembled, or stopped for ever on a node, where the next cell was to become an orphan.
// What goes on as an orphan past the last of these cells is no tip but a film, and falls by itself: all of it stays what it was.
// (Its foot, continued from the pool that a dam break's film ran down into, came to 30 m/s.)
static mn_status join_wedges(Pressure* p, Arena* arena)
{
    const CutCells* cells = p->in.cells;
    int *joins = ARENA_NEW(arena, int, cells->count), joined = 0;
    TRY_MEMORY(joins);
    for (int round = 1; round < WEDGE_CELLS; round++) {
        int count = orphans_beside(joins + joined, p, CELL_IS_ELIMINATED);
        for (int m = joined; m < joined + count; m++) p->cell[cells->cut[joins[m]].at] = CELL_IS_ELIMINATED;
        joined += count;
    }
    for (int m = joined - 1; m >= 0; m--) {  // those furthest from the liquid first
        const CutCell* c = &cells->cut[joins[m]];
        if (near_kind(p, c, CELL_IS_ORPHAN)) p->cell[c->at] = CELL_IS_ORPHAN;
    }
    return MN_OK;
}

// Thin sheets and necks: liquid without any unknown around it keeps an unknown of its own. (Corners of a thick body that poke
// into a cell past a diagonal do not need one: the velocity there comes by extrapolation. Giving them one, cut off from
// everything but the surface, doubled the iterations in 3D.)
static mn_status find_orphans(Pressure* p, Arena* arena)
{
    const CutCells* cells = p->in.cells;
    for (int q = 0; q < cells->count; q++) {
        const CutCell* c = &cells->cut[q];
        if (p->cell[c->at] == CELL_IS_ELIMINATED && !near_kind(p, c, CELL_IS_UNKNOWN)) p->cell[c->at] = CELL_IS_ORPHAN;
    }
    return p->in.kind == PRESSURE_CUT ? MN_OK : join_wedges(p, arena);
}

mn_status pressure_classify(Pressure* p, Arena* arena)
{
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(p->in.spans))
    for (int r = 0; r < p->in.spans->rows; r++) classify_row(p, r);
    return find_orphans(p, arena);
}

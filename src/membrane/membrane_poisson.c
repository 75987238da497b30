#include "membrane/membrane_poisson.h"

#include <assert.h>

// The link through a face, alpha^2/M_f: 1 through a whole one.
static double face_link(const MembraneProblem* in, int axis, ptrdiff_t at, int index)
{
    double mass = in->mass->face[axis][at], open = in->cells->open[axis][at];
    if (lanes_is_wall(in->cells->w, axis, index) || !(mass > 0) || !(open > 0)) return 0;
    return open*open/mass;
}

typedef struct CellRow {
    SpecialCell special;
    double outflow;  // m/s, in faces
    bool is_linked, is_whole;
} CellRow;

static CellRow cell_row(const MembraneProblem* in, double* const u[3], const int cell[3], ptrdiff_t at)
{
    const MembraneCells* c = in->cells;
    CellRow row = {.special = {.i = cell[0]}, .is_whole = c->cut[at] < 0};
    for (int d = 0; d < c->w->dim; d++)
        for (int side = 0; side < 2; side++) {
            ptrdiff_t face = at + side*window_stride(c->w, d);
            double link = face_link(in, d, face, cell[d] + side);
            row.special.link[2*d + side] = link;
            row.is_linked = row.is_linked || link > 0, row.is_whole = row.is_whole && link == 1;
            if (link > 0) row.outflow += (side ? 1 : -1)*c->open[d][face]*u[d][face];
        }
    return row;
}

mn_status membrane_poisson(Poisson* system, bool** unknown, double* const u[3], const MembraneProblem* in, Arena* arena)
{
    const MembraneCells* c = in->cells;
    const Window* w = c->w;
    *system = (Poisson){.w = w, .spans = in->spans};
    unsigned char* kind = ARENA_ZERO(arena, unsigned char, w->count);
    double* b = ARENA_ZERO(arena, double, w->count);
    int* first = ARENA_NEW(arena, int, w->n[1]*w->n[2] + 1);
    TRY_MEMORY(kind && b && first);
    TRY_MEMORY(*unknown = ARENA_ZERO(arena, bool, c->cells + 1));
    system->kind = kind + w->origin, system->b = b + w->origin, system->first = first;
    double scale = in->material->weight.rho*w->dx;
    int count = 0;
    // once to count the special cells, once to fill them in
    for (int fill = 0; fill < 2; fill++) {
        if (fill) TRY_MEMORY(system->special = ARENA_NEW(arena, SpecialCell, count + 1));
        count = 0;
        for (int r = 0; r < w->n[1]*w->n[2]; r++) {
            first[r] = count;
            for (int i = 0; i < w->n[0]; i++) {
                int cell[3] = {i, r%w->n[1], r/w->n[1]};
                ptrdiff_t at = window_at(w, cell[0], cell[1], cell[2]);
                if (c->cut[at] < 0 && !(c->volume[at] > 0)) continue;
                CellRow row = cell_row(in, u, cell, at);
                if (!row.is_linked) continue;
                system->kind[at] = row.is_whole ? CELL_IS_REGULAR : CELL_IS_SPECIAL;
                system->b[at] = -scale*row.outflow;
                if (c->cut[at] >= 0) (*unknown)[c->cut[at]] = true;
                if (row.is_whole) continue;
                if (fill) system->special[count] = row.special;
                count++;
            }
        }
        first[w->n[1]*w->n[2]] = count;
    }
    return MN_OK;
}

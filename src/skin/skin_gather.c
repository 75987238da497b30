// Crumbs: tetrahedra that hold next to nothing. Without gathering them the wet ones multiply until a splash fills the lattice
// with mist.
#include <stdlib.h>
#include "skin/skin_advect.h"

typedef struct Crumb {
    int from, to;
    int64_t w;
    double u[3];
} Crumb;

// The face neighbour with the most water, if that is more than its own, fits, and is not full. -1: none.
static int wettest(const SkinWater* s, int tet, int64_t own)
{
    int best = -1;
    int64_t most = own;
    for (int f = 0; f < 4; f++) {
        int other = skin_next(s->lattice, tet, f);
        const SkinBlock* b = other < 0 ? NULL : skin_block_of(s, other);
        if (!b) continue;
        int path = skin_path_of(s->lattice, other);
        int64_t w = b->w[path];
        if (w >= b->room[path] || w < most || w <= own) continue;
        if (w == most && best >= 0 && other > best) continue;
        most = w, best = other;
    }
    return best;
}

mn_status skin_gather_crumbs(SkinWater* s)
{
    const SkinLattice* l = s->lattice;
    size_t count = 0, room = 0;
    Crumb* list = NULL;
    for (int m = 0; m < s->active_count; m++) {
        SkinBlock* b = s->block[s->active[m]];
        for (int f = 0; f < l->fine.fine; f++) {
            if (b->w[f] == 0 || (double)b->w[f] >= s->options.crumb*(double)b->room[f]) continue;
            int tet = b->coarse << 3*l->fine.level | f, to = wettest(s, tet, b->w[f]);
            if (to < 0) continue;
            if (count == room) {
                room = room ? 2*room : 1024;
                Crumb* more = realloc(list, sizeof *more*room);
                if (!more) return free(list), mn_fail(MN_NO_MEMORY, "out of memory: water on a skin");
                list = more;
            }
            list[count++] = (Crumb){.from = tet, .to = to, .w = b->w[f], .u = {b->u[f][0], b->u[f][1], b->u[f][2]}};
        }
    }
    // all are taken before any is given, so that one that gives and gets keeps what it gets
    for (size_t m = 0; m < count; m++) {
        SkinBlock* b = skin_block_of(s, list[m].from);
        int f = skin_path_of(l, list[m].from);
        b->w[f] = 0, b->u[f][0] = b->u[f][1] = b->u[f][2] = 0;
    }
    for (size_t m = 0; m < count; m++) skin_add(skin_block_of(s, list[m].to), skin_path_of(l, list[m].to), list[m].w, list[m].u);
    free(list);
    return MN_OK;
}

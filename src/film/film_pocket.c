#include "film/film_pocket.h"

#include <assert.h>
#include "base/unionfind.h"
#include "base/vec.h"

// Air of this thickness (cells) begins to be resolved, and is twice as thick.
static const double RESOLVED = 0.5;

static double resolved(const Film* film, int c) { return clamp(film->cell[c].h/(RESOLVED*film->tank.dx) - 1, 0, 1); }

mn_status film_pockets(double** share, const Film* film, Arena* arena)
{
    assert(film->tank.dx > 0);
    int* parent = ARENA_NEW(arena, int, film->cells);
    bool* open = ARENA_ZERO(arena, bool, film->cells);
    TRY_MEMORY(parent);
    TRY_MEMORY(open);
    TRY_MEMORY(*share = ARENA_ZERO(arena, double, film->cells));
    for (int c = 0; c < film->cells; c++) parent[c] = c;
    for (int m = 0; m < film->edges; m++) {
        const AirEdge* e = &film->edge[m];
        if (e->b >= 0 && resolved(film, e->a) > 0 && resolved(film, e->b) > 0) set_join(parent, e->a, e->b);
    }
    for (int m = 0; m < film->edges; m++)
        if (film->edge[m].b < 0 && !film->edge[m].closed) open[set_find(parent, film->edge[m].a)] = true;
    for (int c = 0; c < film->cells; c++) {
        double part = resolved(film, c);
        if (!open[set_find(parent, c)]) (*share)[c] = part*part;
    }
    return MN_OK;
}

#include "film/film_part.h"

#include <assert.h>
#include "base/unionfind.h"
#include "base/vec.h"
#include "film/film_valid.h"

// ---- whose air hangs together ----------------------------------------------------------------------------------------------

static bool borders_air(const Film* film, int m)
{
    for (int c = 0; c < film->bodies.body[m].liquid->cells.count; c++)
        if (film->air[m][c] >= 0) return true;
    return false;
}

// Sets over the liquids, then the air cells. A liquid that no piece of surface joins with the film feels none of it.
static void join_sets(int* parent, const Film* film, const bool* borders)
{
    int liquids = film->bodies.liquids;
    for (int n = 0; n < liquids + film->cells; n++) parent[n] = n;
    for (int c = 0; c < film->cells; c++)
        for (int s = 0; s < 2; s++) {
            int m = film->cell[c].pair[s];
            if (!film_body_is_solid(&film->bodies.body[m]) && borders[m]) set_join(parent, m, liquids + c);
        }
    for (int m = 0; m < film->edges; m++)
        if (film->edge[m].b >= 0) set_join(parent, liquids + film->edge[m].a, liquids + film->edge[m].b);
    // groups of pieces of surface (film_graph.h) may have a third liquid
    for (int m = 0; m < liquids; m++)
        for (int c = 0; c < film->bodies.body[m].liquid->cells.count; c++)
            if (film->air[m][c] >= 0) set_join(parent, m, liquids + film->air[m][c]);
}

mn_status film_join_liquids(int** owner, Coupling* c, const Film* film, Arena* arena)
{
    int liquids = film->bodies.liquids, *parent = ARENA_NEW(arena, int, liquids + film->cells);
    bool* borders = ARENA_NEW(arena, bool, liquids);
    assert(liquids == c->liquids);
    TRY_MEMORY(parent);
    TRY_MEMORY(borders);
    assert(film->air || liquids == 0);
    TRY_MEMORY(*owner = ARENA_NEW(arena, int, film->cells));
    for (int m = 0; m < liquids; m++) borders[m] = borders_air(film, m);
    join_sets(parent, film, borders);
    // the smallest of a set is a liquid if it has any
    for (int m = 0; m < liquids; m++)
        if (borders[m]) coupling_join(c, set_find(parent, m), m);
    for (int a = 0; a < film->cells; a++) {
        int root = set_find(parent, liquids + a);
        (*owner)[a] = root < liquids ? root : -1;
    }
    return MN_OK;
}

// ---- parts -----------------------------------------------------------------------------------------------------------------

// Air that no liquid feels goes with the first cluster.
static FilmPart* part_of(FilmPart* part, const int* owner, const Coupling* c, int cell)
{
    return &part[owner[cell] >= 0 ? c->of[owner[cell]] : 0];
}

static mn_status make_room(FilmPart* part, const Film* film, Arena* arena)
{
    int cells = part->film.cells, edges = part->film.edges;
    part->film = *film;
    part->film.cells = part->film.edges = 0, part->film.order = NULL, part->film.seconds = 0;
    TRY_MEMORY(part->film.cell = ARENA_NEW(arena, AirCell, cells));
    TRY_MEMORY(part->film.edge = ARENA_NEW(arena, AirEdge, edges));
    TRY_MEMORY(part->film.air = ARENA_ZERO(arena, int*, film->bodies.liquids));
    TRY_MEMORY(part->cell = ARENA_NEW(arena, int, cells));
    TRY_MEMORY(part->edge = ARENA_NEW(arena, int, edges));
    return MN_OK;
}

// number: per air cell of the whole film, its place in its part.
static void deal_out(FilmPart* part, int* number, const Film* film, const int* owner, const Coupling* c)
{
    for (int a = 0; a < film->cells; a++) {
        FilmPart* own = part_of(part, owner, c, a);
        number[a] = own->film.cells++;
        own->cell[number[a]] = a, own->film.cell[number[a]] = film->cell[a];
    }
    for (int m = 0; m < film->edges; m++) {
        FilmPart* own = part_of(part, owner, c, film->edge[m].a);
        AirEdge* e = &own->film.edge[own->film.edges];
        own->edge[own->film.edges++] = m;
        *e = film->edge[m];
        e->a = number[e->a], e->b = e->b >= 0 ? number[e->b] : -1;
    }
}

static mn_status link_parts(FilmPart* part, const int* number, const Film* film, const Coupling* c, Arena* arena)
{
    for (int m = 0; m < c->liquids; m++) {
        if (c->of[m] < 0) continue;
        int pieces = film->bodies.body[m].liquid->cells.count, *air = ARENA_NEW(arena, int, pieces);
        TRY_MEMORY(air);
        for (int q = 0; q < pieces; q++) air[q] = film->air[m][q] >= 0 ? number[film->air[m][q]] : -1;
        part[c->of[m]].film.air[m] = air;
    }
    return MN_OK;
}

mn_status film_split(FilmPart** out, Film* film, const int* owner, const Coupling* c, Arena* arena)
{
    assert(c->clusters > 0);
    FilmPart* part = ARENA_ZERO(arena, FilmPart, c->clusters);
    int* number = ARENA_NEW(arena, int, film->cells);
    TRY_MEMORY(part);
    TRY_MEMORY(number);
    TRY_MEMORY(film->p = ARENA_ZERO(arena, double, film->cells));
    TRY_MEMORY(film->h_end = ARENA_ZERO(arena, double, film->cells));
    TRY_MEMORY(film->closing = ARENA_ZERO(arena, double, film->cells));
    for (int a = 0; a < film->cells; a++) part_of(part, owner, c, a)->film.cells++;
    for (int m = 0; m < film->edges; m++) part_of(part, owner, c, film->edge[m].a)->film.edges++;
    for (int k = 0; k < c->clusters; k++) TRY(make_room(&part[k], film, arena));
    deal_out(part, number, film, owner, c);
    *out = part;
    TRY(link_parts(part, number, film, c, arena));
    assert(film_parts_is_valid(part, c->clusters, film));
    return MN_OK;
}

void film_part_return(Film* film, const FilmPart* part)
{
    assert(film->p && film_solution_is_valid(&part->film));
    for (int a = 0; a < part->film.cells; a++) {
        int c = part->cell[a];
        film->cell[c].h = part->film.cell[a].h;
        film->p[c] = part->film.p[a], film->h_end[c] = part->film.h_end[a], film->closing[c] = part->film.closing[a];
    }
    for (int m = 0; m < part->film.edges; m++) film->edge[part->edge[m]].h = part->film.edge[m].h;
    film->repeats = maxi(film->repeats, part->film.repeats);
    film->seconds += part->film.seconds;
}

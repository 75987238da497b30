#include "film/film_sealed.h"

#include <assert.h>
#include "base/unionfind.h"
#include "solve/components.h"

// Connected sets over the air cells, then the connected parts of every liquid: pieces of one liquid that no link joins know
// nothing of each other's pressure. (Taken liquid by liquid, a tank full to the brim seemed open where twelve loose cells of a
// liquid were, and its solve stalled.)
typedef struct SealedSets {
    Components* piece;  // per part of the group
    int* first;         // per part of the group: the number of its first piece, air cells before them
    int* parent;
    bool* open;               // per root: a known pressure holds it
    double *sum, *room;       // per root: of the right-hand sides; area of its films, m^2
    double *excess, *linked;  // per piece: of its rows, and what links to air cells make of that
    int count;
} SealedSets;

static int piece_of(const SealedSets* s, int part, ptrdiff_t cell)
{
    int piece = components_at(&s->piece[part], cell);
    assert(piece >= 0);
    return s->first[part] + piece;
}

static void add_excess(SealedSets* s, const Poisson* f, int part)
{
    int rows = f->w->n[1]*f->w->n[2];
    for (int r = 0; r < rows; r++)
        for (int m = f->first[r]; m < f->first[r + 1]; m++) {
            ptrdiff_t at = window_at(f->w, f->special[m].i, r%f->w->n[1], r/f->w->n[1]);
            if (f->special[m].excess > 0 && f->kind[at] != CELL_IS_NONE) s->excess[piece_of(s, part, at)] += f->special[m].excess;
        }
}

// The rim holds its film at the open air's pressure. A piece is held by more excess than its links to air cells make.
static void find_open(SealedSets* s, const Film* film, const PoissonGroup* group, const FilmLink* link, int links)
{
    for (int q = 0; q < group->count; q++) add_excess(s, group->part[q].problem, q);
    for (int m = 0; m < links; m++) s->linked[piece_of(s, link[m].part, link[m].link->cell)] += link[m].link->weight;
    for (int m = film->cells; m < s->count; m++)
        if (s->excess[m] > (1 + 1e-9)*s->linked[m]) s->open[set_find(s->parent, m)] = true;
    for (int m = 0; m < film->edges; m++)
        if (film->edge[m].b < 0 && !film->edge[m].closed) s->open[set_find(s->parent, film->edge[m].a)] = true;
}

static mn_status find_sets(SealedSets* s, const Film* film, const PoissonGroup* group, const FilmLink* link, int links,
                           Arena* arena)
{
    s->count = film->cells;
    TRY_MEMORY(s->piece = ARENA_NEW(arena, Components, group->count));
    TRY_MEMORY(s->first = ARENA_NEW(arena, int, group->count));
    for (int q = 0; q < group->count; q++) {
        TRY(components_find(&s->piece[q], arena, group->part[q].problem));
        s->first[q] = s->count, s->count += s->piece[q].parts;
    }
    TRY_MEMORY(s->parent = ARENA_NEW(arena, int, s->count));
    TRY_MEMORY(s->open = ARENA_ZERO(arena, bool, s->count));
    double** per_set[] = {&s->sum, &s->room, &s->excess, &s->linked};
    for (int m = 0; m < 4; m++) TRY_MEMORY(*per_set[m] = ARENA_ZERO(arena, double, s->count));
    for (int m = 0; m < s->count; m++) s->parent[m] = m;
    for (int m = 0; m < links; m++) set_join(s->parent, link[m].air, piece_of(s, link[m].part, link[m].link->cell));
    for (int m = 0; m < film->edges; m++)
        if (film->edge[m].b >= 0) set_join(s->parent, film->edge[m].a, film->edge[m].b);
    find_open(s, film, group, link, links);
    return MN_OK;
}

// Of the liquids' right-hand sides, in rows of the whole matrix.
static void add_right_sides(SealedSets* s, const PoissonGroup* group)
{
    for (int q = 0; q < group->count; q++) {
        const Components* c = &s->piece[q];
        for (int a = 0; a < c->runs; a++) {
            double sum = 0;
            for (int m = 0; m < c->run[a].length; m++) sum += group->part[q].problem->b[c->run[a].at + m];
            s->sum[set_find(s->parent, s->first[q] + c->run[a].part)] += group->part[q].weight*sum;
        }
    }
}

mn_status film_balance_sealed(Border* border, double* inflow, const Film* film, const PoissonGroup* group, const FilmLink* link,
                              int links, const double* area, FilmScale scale, Arena* arena)
{
    assert(border->count == film->cells && scale.row > 0);
    SealedSets s;
    TRY(find_sets(&s, film, group, link, links, arena));
    for (int c = 0; c < film->cells; c++) {
        int set = set_find(s.parent, c);
        s.sum[set] += border->d[c], s.room[set] += area[c];
    }
    add_right_sides(&s, group);
    for (int c = 0; c < film->cells; c++) {
        int set = set_find(s.parent, c);
        if (s.open[set] || !(s.room[set] > 0)) continue;
        double share = s.sum[set]*area[c]/s.room[set];
        border->d[c] -= share, inflow[c] -= scale.row*share;
    }
    return MN_OK;
}

#include "film/film_sealed.h"

#include <assert.h>
#include "base/unionfind.h"

// Connected sets over the air cells, then the parts of the group.
typedef struct SealedSets {
    int* parent;
    bool* open;          // per root: a known pressure holds it
    double *sum, *room;  // per root: of the right-hand sides; area of its films, m^2
    int count;
} SealedSets;

static double excess_of(const Poisson* f)
{
    double sum = 0;
    for (int m = 0; m < f->first[f->w->n[1]*f->w->n[2]]; m++) sum += f->special[m].excess;
    return sum;
}

static double right_side_of(const Poisson* f)
{
    const Spans* s = f->spans;
    double sum = 0;
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t row = window_at(f->w, 0, r%s->rows_y, r/s->rows_y);
        SPAN_LOOP(s, r, q)
            for (int i = s->span[q].i0; i < s->span[q].i1; i++)
                if (f->kind[row + i] != CELL_IS_NONE) sum += f->b[row + i];
    }
    return sum;
}

// The rim holds its film at the open air's pressure. A part is held by more excess than its links to air cells make.
static mn_status find_open(SealedSets* s, const Film* film, const PoissonGroup* group, const FilmLink* link, int links,
                           Arena* arena)
{
    double* linked = ARENA_ZERO(arena, double, group->count);
    TRY_MEMORY(linked);
    for (int m = 0; m < links; m++) linked[link[m].part] += link[m].link->weight;
    for (int q = 0; q < group->count; q++)
        if (excess_of(group->part[q].problem) > (1 + 1e-9)*linked[q]) s->open[set_find(s->parent, film->cells + q)] = true;
    for (int m = 0; m < film->edges; m++)
        if (film->edge[m].b < 0 && !film->edge[m].closed) s->open[set_find(s->parent, film->edge[m].a)] = true;
    return MN_OK;
}

static mn_status find_sets(SealedSets* s, const Film* film, const PoissonGroup* group, const FilmLink* link, int links,
                           Arena* arena)
{
    s->count = film->cells + group->count;
    TRY_MEMORY(s->parent = ARENA_NEW(arena, int, s->count));
    TRY_MEMORY(s->open = ARENA_ZERO(arena, bool, s->count));
    TRY_MEMORY(s->sum = ARENA_ZERO(arena, double, s->count));
    TRY_MEMORY(s->room = ARENA_ZERO(arena, double, s->count));
    for (int m = 0; m < s->count; m++) s->parent[m] = m;
    for (int m = 0; m < links; m++) set_join(s->parent, link[m].air, film->cells + link[m].part);
    for (int m = 0; m < film->edges; m++)
        if (film->edge[m].b >= 0) set_join(s->parent, film->edge[m].a, film->edge[m].b);
    return find_open(s, film, group, link, links, arena);
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
    for (int q = 0; q < group->count; q++) {
        int set = set_find(s.parent, film->cells + q);
        if (!s.open[set]) s.sum[set] += group->part[q].weight*right_side_of(group->part[q].problem);
    }
    for (int c = 0; c < film->cells; c++) {
        int set = set_find(s.parent, c);
        if (s.open[set] || !(s.room[set] > 0)) continue;
        double share = s.sum[set]*area[c]/s.room[set];
        border->d[c] -= share, inflow[c] -= scale.row*share;
    }
    return MN_OK;
}

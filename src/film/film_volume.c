#include "film/film_volume.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "film/film_profile.h"
#include "film/film_valid.h"

// How far the gap of the level sets can be trusted, in cells (docs/film.md, air as state). More than this the air's thickness
// never differs from it.
static const double ACCURACY = 0.05;
// Films thicker than this (cells) are as thick as the level sets say; from half of it down the air's volume counts in full.
static const double THICK = 0.5;
// Air cells further than this from all pieces (cells) are new.
static const double FAR = 1.5;

// ---- storage -------------------------------------------------------------------------------------------------------------

void film_air_free(FilmAir* air)
{
    free(air->piece);
    *air = (FilmAir){0};
}

mn_status film_air_reserve(FilmAir* air, int count)
{
    assert(count >= 0 && air->count <= air->capacity);
    if (count <= air->capacity) return MN_OK;
    AirPiece* more = realloc(air->piece, sizeof *more*(size_t)count);
    if (!more) return mn_fail(MN_NO_MEMORY, "out of memory: film of %d cells", count);
    air->piece = more, air->capacity = count;
    return MN_OK;
}

mn_status film_air_visit(FilmAir* air, StateVisitor* v)
{
    static const StateColumn column[] = {
        STATE_MEMBER(STATE_REAL, AirPiece, x, 3),       STATE_MEMBER(STATE_REAL, AirPiece, slope, 3),
        STATE_MEMBER(STATE_REAL, AirPiece, h, 1),       STATE_MEMBER(STATE_REAL, AirPiece, low, 1),
        STATE_MEMBER(STATE_REAL, AirPiece, high, 1),    STATE_MEMBER(STATE_INT, AirPiece, id, 2),
        STATE_MEMBER(STATE_REAL, AirPiece, closing, 1), STATE_MEMBER(STATE_INT64, AirPiece, grid, 1)};
    int count = air->count;
    TRY(state_rows(v, "film_air", &count));
    TRY(film_air_reserve(air, count));
    air->count = count;
    return v->table(v, &(StateTable){"film_air", air->piece, air->count, sizeof *air->piece, column, 8});
}

static int by_grid(const void* a, const void* b)
{
    const AirPiece *p = a, *q = b;
    if (p->grid != q->grid) return p->grid < q->grid ? -1 : 1;
    for (int d = 0; d < 3; d++)
        if (p->x[d] != q->x[d]) return p->x[d] < q->x[d] ? -1 : 1;
    for (int s = 0; s < 2; s++)
        if (p->id[s] != q->id[s]) return p->id[s] < q->id[s] ? -1 : 1;
    return (p->h > q->h) - (p->h < q->h);
}

static void grid_cell(int cell[3], const Tank* t, const double x[3])
{
    for (int d = 0; d < 3; d++) cell[d] = d < t->dim ? clampi((int)floor(x[d]/t->dx), 0, t->n[d] - 1) : 0;
}

void film_air_sort(FilmAir* air, const Tank* t)
{
    for (int m = 0; m < air->count; m++) {
        int cell[3];
        grid_cell(cell, t, air->piece[m].x);
        air->piece[m].grid = film_grid_number(t, cell[0], cell[1], cell[2]);
    }
    if (air->count > 0) qsort(air->piece, (size_t)air->count, sizeof *air->piece, by_grid);
}

// ---- from the pieces of the last step to the cells of this one -------------------------------------------------------------

static int first_in(const FilmAir* air, int64_t grid)
{
    int low = 0, high = air->count;
    while (low < high) {
        int mid = (low + high)/2;
        if (air->piece[mid].grid < grid) low = mid + 1;
        else high = mid;
    }
    return low;
}

// The piece between the same two bodies nearest to x; NULL: none is near.
static const AirPiece* nearest_piece(const FilmAir* air, const Tank* t, const double x[3], const int id[2])
{
    const AirPiece* best = NULL;
    double least = FAR*t->dx;
    int own[3], lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
    grid_cell(own, t, x);
    for (int d = 0; d < t->dim; d++) lo[d] = maxi(own[d] - 1, 0), hi[d] = mini(own[d] + 1, t->n[d] - 1);
    for (int k = lo[2]; k <= hi[2]; k++)
        for (int j = lo[1]; j <= hi[1]; j++) {
            int64_t end = film_grid_number(t, hi[0], j, k);
            for (int m = first_in(air, film_grid_number(t, lo[0], j, k)); m < air->count && air->piece[m].grid <= end; m++) {
                const AirPiece* p = &air->piece[m];
                double apart[3];
                if (p->id[0] != id[0] || p->id[1] != id[1]) continue;
                vec_sub(apart, p->x, x);
                double distance = vec_norm(apart);
                if (distance < least) least = distance, best = p;
            }
        }
    return best;
}

static void ids_of(int id[2], const AirCell* c, const FilmBody* body)
{
    int a = body[c->pair[0]].id, b = body[c->pair[1]].id;
    id[0] = mini(a, b), id[1] = maxi(a, b);
}

// Thickness at a cell: on the slope of the nearest piece, no further than its neighbours were. The slope is that of the
// logarithm: at the rim of a film, where the next cell is fifty times as thick, the slope of the thickness itself would lead
// below the thinnest place.
static double carried(const AirPiece* p, const double x[3])
{
    double apart[3];
    vec_sub(apart, x, p->x);
    return clamp(p->h*exp(vec_dot(p->slope, apart)), p->low, p->high);
}

void film_air_read(Film* film, const FilmAir* air)
{
    const Tank* t = &film->tank;
    assert(film->settings.h_min > 0 && film_air_is_valid(air, t));
    double trust = ACCURACY*t->dx, least = film->settings.h_min;
    for (int m = 0; m < film->cells; m++) {
        AirCell* c = &film->cell[m];
        double gap = fmax(c->gap, 0), weight = clamp(2 - 2*gap/(THICK*t->dx), 0, 1);
        int id[2];
        ids_of(id, c, film->bodies.body);
        const AirPiece* p = weight > 0 ? nearest_piece(air, t, c->x, id) : NULL;
        if (p) c->h = fmax(gap + weight*clamp(carried(p, c->x) - gap, -trust, trust), least);
    }
    // the sides of a cell are thicker or thinner by as much as its middle
    for (int m = 0; m < film->edges; m++) {
        AirEdge* e = &film->edge[m];
        const AirCell *a = &film->cell[e->a], *b = e->b >= 0 ? &film->cell[e->b] : a;
        e->h = fmax(e->h + 0.5*(a->h - fmax(a->gap, least) + b->h - fmax(b->gap, least)), least);
    }
}

// ---- from the cells to the pieces ------------------------------------------------------------------------------------------

// What goes through a mirror comes back out of it.
static void reflect_piece(AirPiece* p, const Tank* t)
{
    for (int d = 0; d < t->dim; d++)
        for (int high = 0; high < 2; high++) {
            double plane = high ? t->n[d]*t->dx : 0, beyond = high ? p->x[d] - plane : plane - p->x[d];
            if (t->side[2*d + high] == SIDE_IS_MIRROR && beyond > 0) p->x[d] = 2*plane - p->x[d], p->slope[d] = -p->slope[d];
        }
}

mn_status film_air_write(FilmAir* air, const Film* film, double dt, Arena* arena)
{
    assert(dt > 0 && (film->cells == 0 || (film->h_end && film->closing)));
    TRY(film_air_reserve(air, film->cells));
    double* logarithm = ARENA_NEW(arena, double, film->cells);
    TRY_MEMORY(logarithm);
    for (int c = 0; c < film->cells; c++) logarithm[c] = log(film->h_end[c]);
    AirFit* fit;
    TRY(film_profile_fit(&fit, film, logarithm, arena));
    air->count = film->cells;
    for (int c = 0; c < film->cells; c++) {
        AirPiece* p = &air->piece[c];
        *p = (AirPiece){.h = film->h_end[c], .low = exp(fit[c].low), .high = exp(fit[c].high), .closing = film->closing[c]};
        ids_of(p->id, &film->cell[c], film->bodies.body);
        for (int d = 0; d < 3; d++) p->x[d] = film->cell[c].x[d] + dt*film->cell[c].u[d], p->slope[d] = fit[c].slope[d];
        reflect_piece(p, &film->tank);
    }
    film_air_sort(air, &film->tank);
    assert(film_air_is_valid(air, &film->tank));
    return MN_OK;
}

double film_air_closing_time(const FilmAir* air, double thin)
{
    assert(thin >= 0);
    double least = INFINITY;
    for (int m = 0; m < air->count; m++)
        if (air->piece[m].closing > 0) least = fmin(least, fmax(air->piece[m].h, thin)/air->piece[m].closing);
    return least;
}

double film_air_thinnest(int place[3], const FilmAir* air, const Tank* t, int id_a, int id_b)
{
    assert(id_a != id_b);
    double least = INFINITY;
    for (int m = 0; m < air->count; m++) {
        const AirPiece* p = &air->piece[m];
        if (p->id[0] != mini(id_a, id_b) || p->id[1] != maxi(id_a, id_b) || !(p->h < least)) continue;
        least = p->h;
        for (int d = 0; d < 3; d++) place[d] = d < t->dim ? clampi((int)lround(p->x[d]/t->dx), 0, t->n[d]) : 0;
    }
    return least;
}

#include "film/film_record.h"

#include <assert.h>
#include <stdlib.h>
#include "base/vec.h"

void film_record_free(FilmRecord* r)
{
    free(r->piece);
    *r = (FilmRecord){0};
}

mn_status film_record_resize(FilmRecord* r, int count)
{
    assert(count >= 0 && r->count <= r->room);
    if (count > r->room) {
        FilmPiece* more = realloc(r->piece, sizeof *more*(size_t)count);
        if (!more) return mn_fail(MN_NO_MEMORY, "out of memory: %d pieces of film", count);
        r->piece = more, r->room = count;
    }
    r->count = count;
    return MN_OK;
}

// Adds the slope of a body's distance at a place (m).
static void add_slope(double n[3], const FilmBody* q, const double x[3], double sign)
{
    double place[3] = {0, 0, 0}, at[3], slope[3];
    for (int d = 0; d < q->w->dim; d++) place[d] = x[d]/q->w->dx;
    if (!film_to_window(at, q->w, place)) return;
    film_slope(slope, q, at);
    for (int d = 0; d < 3; d++) n[d] += sign*slope[d];
}

mn_status film_record_take(FilmRecord* r, const Film* film)
{
    assert(film->p || film->cells == 0);
    TRY(film_record_resize(r, film->cells));
    for (int c = 0; c < film->cells; c++) {
        const AirCell* a = &film->cell[c];
        FilmPiece* f = &r->piece[c];
        *f = (FilmPiece){.area = a->area, .thickness = a->h, .pressure = film->p[c] + a->pull};
        for (int s = 0; s < 2; s++) {
            const FilmBody* body = &film->bodies.body[a->pair[s]];
            f->liquid[s] = body->id;
            add_slope(f->normal, body, a->x, s == 0 ? 1 : -1);
        }
        double norm = vec_norm(f->normal);
        for (int d = 0; d < 3; d++) f->x[d] = a->x[d], f->normal[d] = norm > 0 ? f->normal[d]/norm : 0;
    }
    return MN_OK;
}

#include "film/film_record.h"

#include <stdlib.h>
#include "base/vec.h"
#include "grid/interpolate.h"

void film_record_free(FilmRecord* r)
{
    free(r->piece);
    *r = (FilmRecord){0};
}

mn_status film_record_resize(FilmRecord* r, int count)
{
    if (count > r->room) {
        FilmPiece* more = realloc(r->piece, sizeof *more*(size_t)count);
        if (!more) return mn_fail(MN_NO_MEMORY, "out of memory: %d pieces of film", count);
        r->piece = more, r->room = count;
    }
    r->count = count;
    return MN_OK;
}

// Change of a liquid's distance over a cell around a point of the tank (m).
static void add_slope(double n[3], const Liquid* q, const double x[3], double sign)
{
    double place[3] = {0, 0, 0}, at[3];
    for (int d = 0; d < q->w.dim; d++) place[d] = x[d]/q->w.dx;
    if (!film_to_window(at, &q->w, place)) return;
    for (int d = 0; d < q->w.dim; d++) {
        double low[3] = {at[0], at[1], at[2]}, high[3] = {at[0], at[1], at[2]};
        low[d] -= 0.5, high[d] += 0.5;
        n[d] += sign*(node_value(q->phi.v, &q->w, high) - node_value(q->phi.v, &q->w, low));
    }
}

mn_status film_record_take(FilmRecord* r, const Film* film, const Liquid* liquid)
{
    TRY(film_record_resize(r, film->cells));
    for (int c = 0; c < film->cells; c++) {
        const AirCell* a = &film->cell[c];
        FilmPiece* f = &r->piece[c];
        *f = (FilmPiece){.area = a->area, .thickness = a->h, .pressure = film->p[c] + a->pull};
        for (int s = 0; s < 2; s++) {
            f->liquid[s] = liquid[a->pair[s]].id;
            add_slope(f->normal, &liquid[a->pair[s]], a->x, s == 0 ? 1 : -1);
        }
        double norm = vec_norm(f->normal);
        for (int d = 0; d < 3; d++) f->x[d] = a->x[d], f->normal[d] = norm > 0 ? f->normal[d]/norm : 0;
    }
    return MN_OK;
}

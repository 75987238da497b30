#include "film/film.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"

bool film_keeps_apart(const Film* film, int a, int b)
{
    assert(a >= 0 && a < film->bodies.count && b >= 0 && b < film->bodies.count);
    return !film->apart || film->apart[a*film->bodies.count + b];
}

// First place in `order` of air cells in this grid cell.
static int first_in(const Film* film, int64_t grid)
{
    int low = 0, high = film->cells;
    while (low < high) {
        int mid = (low + high)/2;
        if (film->order[mid].grid < grid) low = mid + 1;
        else high = mid;
    }
    return low;
}

static bool has_body(const AirCell* c, int m) { return m < 0 || c->pair[0] == m || c->pair[1] == m; }

int film_air_near(const Film* film, const double x[3], int around, int a, int b)
{
    assert(a >= 0 && around >= 0 && (film->order || film->cells == 0));
    const Tank* t = &film->tank;
    int lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0}, best = -1;
    double least = 0;
    for (int d = 0; d < t->dim; d++) {
        int own = clampi((int)floor(x[d]/t->dx), 0, t->n[d] - 1);
        lo[d] = maxi(own - around, 0), hi[d] = mini(own + around, t->n[d] - 1);
    }
    for (int k = lo[2]; k <= hi[2]; k++)
        for (int j = lo[1]; j <= hi[1]; j++) {
            int64_t end = film_grid_number(t, hi[0], j, k);
            for (int m = first_in(film, film_grid_number(t, lo[0], j, k)); m < film->cells && film->order[m].grid <= end; m++) {
                const AirCell* c = &film->cell[film->order[m].cell];
                double apart[3];
                if (!has_body(c, a) || !has_body(c, b)) continue;
                vec_sub(apart, c->x, x);
                double distance = vec_norm(apart);
                if (best < 0 || distance < least) best = film->order[m].cell, least = distance;
            }
        }
    return best;
}

#include "film/film_link.h"

#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"

// A liquid and those whose windows meet its own.
typedef struct Neighbours {
    int own, count;
    int* other;
} Neighbours;

// The neighbour nearest to a point given in cells of the tank, and its distance (m); -1: none within h_max, or none at all.
static int nearest_liquid(double* distance, const Liquid* liquid, const Neighbours* near, const double x[3], double h_max)
{
    int nearest = -1;
    for (int m = 0; m < near->count; m++) {
        const Liquid* q = &liquid[near->other[m]];
        double at[3];
        if (!film_to_window(at, &q->w, x)) continue;
        // most pieces of surface look into open air: phi alone tells that
        if (node_value(q->phi.v, &q->w, at) > FILM_STEEPEST*h_max) continue;
        double d = film_distance(q, at);
        if (nearest < 0 || d < *distance) *distance = d, nearest = near->other[m];
    }
    return nearest;
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

static bool has_liquid(const AirCell* c, int m) { return c->pair[0] == m || c->pair[1] == m; }

// Nearest air cell to x (m) in the grid cells from lo to hi that has liquid a on one side and, unless b is -1, b on the other.
static int nearest_air(const Film* film, const int lo[3], const int hi[3], const double x[3], int a, int b)
{
    int best = -1;
    double best_distance = 0;
    for (int k = lo[2]; k <= hi[2]; k++)
        for (int j = lo[1]; j <= hi[1]; j++)
            for (int i = lo[0]; i <= hi[0]; i++) {
                int64_t grid = film_grid_number(&film->tank, i, j, k);
                for (int m = first_in(film, grid); m < film->cells && film->order[m].grid == grid; m++) {
                    const AirCell* c = &film->cell[film->order[m].cell];
                    double apart[3];
                    if (!has_liquid(c, a) || (b >= 0 && !has_liquid(c, b))) continue;
                    vec_sub(apart, c->x, x);
                    double distance = vec_norm(apart);
                    if (best < 0 || distance < best_distance) best = film->order[m].cell, best_distance = distance;
                }
            }
    return best;
}

// The air cell across the ridge point x (in cells): in its own grid cell, else the nearest around, of the same two liquids if possible.
static int air_at(const Film* film, const double x[3], int a, int b)
{
    const Tank* t = &film->tank;
    int own[3] = {0, 0, 0}, lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
    double place[3] = {0, 0, 0};
    for (int d = 0; d < t->dim; d++) {
        own[d] = clampi((int)floor(x[d]), 0, t->n[d] - 1);
        lo[d] = maxi(own[d] - 1, 0), hi[d] = mini(own[d] + 1, t->n[d] - 1);
        place[d] = x[d]*t->dx;
    }
    int air = nearest_air(film, own, own, place, a, b);
    if (air < 0) air = nearest_air(film, lo, hi, place, a, b);
    return air >= 0 ? air : nearest_air(film, lo, hi, place, a, -1);
}

// The patch looks along its normal; the ridge lies half way to the other liquid.
static int air_of_patch(Film* film, const Liquid* liquid, const Neighbours* near, const CutCell* c)
{
    const Window* w = &liquid[near->own].w;
    double x[3] = {w->lo[0] + c->i + c->center[0], w->lo[1] + c->j + c->center[1], 0}, norm = vec_norm(c->patch), h = 0;
    if (!(norm > 0)) return -1;
    if (w->dim == 3) x[2] = w->lo[2] + c->k + c->center[2];
    int other = nearest_liquid(&h, liquid, near, x, film->settings.h_max);
    if (other < 0 || h > film->settings.h_max) return -1;
    for (int d = 0; d < w->dim; d++) x[d] += c->patch[d]/norm*0.5*fmax(h, 0)/w->dx;
    int air = air_at(film, x, near->own, other);
    film->lost += air < 0 && h < 0.5*film->settings.h_max;
    return air;
}

mn_status film_link_patches(Film* film, Arena* arena, const Liquid* liquid, int count)
{
    Neighbours near;
    film->lost = 0;
    TRY_MEMORY(film->air = ARENA_NEW(arena, int*, count));
    TRY_MEMORY(near.other = ARENA_NEW(arena, int, count));
    for (int m = 0; m < count; m++) {
        const CutCells* cells = &liquid[m].cells;
        near.own = m, near.count = 0;
        for (int q = 0; q < count && film->cells > 0; q++)
            if (q != m && film_keeps_apart(film, m, q, count) && film_windows_meet(&liquid[m].w, &liquid[q].w))
                near.other[near.count++] = q;
        TRY_MEMORY(film->air[m] = ARENA_NEW(arena, int, cells->count));
        for (int q = 0; q < cells->count; q++)
            film->air[m][q] = near.count > 0 ? air_of_patch(film, liquid, &near, &cells->cut[q]) : -1;
    }
    return MN_OK;
}

#include "film/film_link.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "film/film_valid.h"
#include "grid/interpolate.h"

// A liquid and the bodies whose windows meet its own.
typedef struct Neighbours {
    int own, count;
    int* other;
} Neighbours;

// The neighbour nearest to a point given in cells of the tank, and its distance (m); -1: none within h_max, or none at all.
static int nearest_body(double* distance, const FilmBody* body, const Neighbours* near, const double x[3], double h_max)
{
    assert(h_max > 0);
    int nearest = -1;
    for (int m = 0; m < near->count; m++) {
        const FilmBody* q = &body[near->other[m]];
        double at[3];
        if (!film_to_window(at, q->w, x)) continue;
        // most pieces of surface look into open air: phi alone tells that
        if (node_value(q->phi, q->w, at) > FILM_STEEPEST*h_max) continue;
        double d = film_distance(q, at);
        if (nearest < 0 || d < *distance) *distance = d, nearest = near->other[m];
    }
    return nearest;
}

// The air cell across the ridge point x (m): in its own grid cell, else the nearest around, of the same two bodies if possible.
static int air_at(const Film* film, const double x[3], int a, int b)
{
    int air = film_air_near(film, x, 0, a, b);
    if (air < 0) air = film_air_near(film, x, 1, a, b);
    return air >= 0 ? air : film_air_near(film, x, 1, a, -1);
}

// The patch looks along its normal; the ridge lies half way to the other body. lost: counts those that find no air cell there.
static int air_of_patch(int* lost, const Film* film, const Neighbours* near, const CutCell* c)
{
    const Window* w = film->bodies.body[near->own].w;
    double x[3] = {w->lo[0] + c->i + c->center[0], w->lo[1] + c->j + c->center[1], 0}, norm = vec_norm(c->patch), h = 0;
    if (!(norm > 0)) return -1;
    if (w->dim == 3) x[2] = w->lo[2] + c->k + c->center[2];
    int other = nearest_body(&h, film->bodies.body, near, x, film->settings.h_max);
    if (other < 0 || h > film->settings.h_max) return -1;
    for (int d = 0; d < w->dim; d++) x[d] = x[d]*w->dx + c->patch[d]/norm*0.5*fmax(h, 0);
    int air = air_at(film, x, near->own, other);
    assert(air < film->cells);
    *lost += air < 0 && h < 0.5*film->settings.h_max;
    return air;
}

// Fewer pieces of surface than this are not worth a second thread.
enum { PATCHES_PARALLEL = 512 };

mn_status film_link_patches(Film* film, Arena* arena)
{
    const FilmBodies* b = &film->bodies;
    assert(film->order && film_bodies_is_valid(b));
    Neighbours near;
    film->lost = 0;
    TRY_MEMORY(film->air = ARENA_NEW(arena, int*, b->liquids));
    TRY_MEMORY(near.other = ARENA_NEW(arena, int, b->count));
    for (int m = 0; m < b->liquids; m++) {
        const CutCells* cells = &b->body[m].liquid->cells;
        near.own = m, near.count = 0;
        for (int q = 0; q < b->count && film->cells > 0; q++)
            if (q != m && film_keeps_apart(film, m, q) && film_windows_meet(b->body[m].w, b->body[q].w))
                near.other[near.count++] = q;
        TRY_MEMORY(film->air[m] = ARENA_NEW(arena, int, cells->count));
        int lost = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : lost) if (cells->count > PATCHES_PARALLEL)
        for (int q = 0; q < cells->count; q++)
            film->air[m][q] = near.count > 0 ? air_of_patch(&lost, film, &near, &cells->cut[q]) : -1;
        film->lost += lost;
    }
    return MN_OK;
}

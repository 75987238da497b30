// Liquids close to each other, with everything a solve of their pressures and of the film between them needs.
#pragma once
#include "check.h"
#include "base/vec.h"
#include "film/film_link.h"
#include "film/film_ridge.h"
#include "film/film_solve.h"

enum { GAP_LIQUIDS = 3 };

static const double FILM_MU = 18.6e-6;  // Pa s, of air

typedef struct Gap {
    Tank tank;
    Arena arena;
    Liquid liquid[GAP_LIQUIDS];
    Pressure pressure[GAP_LIQUIDS];
    int count;
    Film film;
    SolveReport report;
} Gap;

typedef double (*GapShape)(const void* user, const double x[3]);

// A box of n cells, walls all around, with air of FILM_MU.
static inline void gap_init(Gap* g, int dim, const int n[3], double dx)
{
    *g = (Gap){.tank = {.dim = dim, .dx = dx, .n = {n[0], n[1], dim == 3 ? n[2] : 1}}};
    for (int s = 0; s < 6; s++) g->tank.side[s] = SIDE_IS_WALL;
    g->film.tank = g->tank;
    g->film.settings = (FilmSettings){.mu = FILM_MU, .h_max = 4*dx, .h_min = 1e-8};
}

// Adds a liquid from its signed distance, in a window that just holds it and its band.
static inline Liquid* gap_add(Gap* g, GapShape shape, const void* user, double rho, const double u[3])
{
    Liquid* q = &g->liquid[g->count++];
    Window all = window_whole(&g->tank);
    int lo[3] = {all.n[0], all.n[1], all.n[2]}, hi[3] = {0, 0, 0}, n[3];
    for (int k = 0; k < all.n[2]; k++)
        for (int j = 0; j < all.n[1]; j++)
            for (int i = 0; i < all.n[0]; i++) {
                double x[3];
                int cell[3] = {i, j, k};
                window_position(x, &all, i + 0.5, j + 0.5, k + 0.5);
                if (shape(user, x) > 0) continue;
                for (int d = 0; d < 3; d++) lo[d] = mini(lo[d], cell[d] - MARGIN), hi[d] = maxi(hi[d], cell[d] + 1 + MARGIN);
            }
    for (int d = 0; d < 3; d++) n[d] = hi[d] - lo[d];
    Window w = window_make(&g->tank, lo, n);
    CHECK_OK(liquid_init(q, &w));
    q->id = g->count, q->material.rho = rho;
    double band = liquid_band(q);
    int ghosts = g->tank.dim == 3 ? GHOST : 0;
    for (int k = -ghosts; k < window_node_layers(&w) + ghosts; k++)
        for (int j = -GHOST; j <= w.n[1] + GHOST; j++)
            for (int i = -GHOST; i <= w.n[0] + GHOST; i++) {
                double x[3];
                window_position(x, &w, i, j, k);
                ptrdiff_t at = window_at(&w, i, j, k);
                q->phi.v[at] = clamp(shape(user, x), -band, band);
                for (int d = 0; d < g->tank.dim; d++) q->u[d].v[at] = u[d];
            }
    CHECK_OK(liquid_rebuild(q, &g->arena, &(Solids){0}));
    q->target_volume = q->cells.volume;
    return q;
}

static inline void gap_build_pressure(Gap* g, int m, double dt)
{
    Liquid* q = &g->liquid[m];
    PressureInput in = {.kind = PRESSURE_CUT,
                        .w = &q->w,
                        .spans = &q->spans,
                        .cells = &q->cells,
                        .phi = q->phi.v,
                        .rho = q->material.rho,
                        .dt = dt};
    CHECK_OK(pressure_build(&g->pressure[m], &g->arena, &in, (double* [3]){q->u[0].v, q->u[1].v, q->u[2].v}));
}

// Air cells on the ridge, and the patches that border them.
static inline void gap_build_film(Gap* g)
{
    CHECK_OK(film_bodies_init(&g->film.bodies, g->liquid, g->count, &g->arena));
    CHECK_OK(film_ridge_build(&g->film, &g->arena));
    CHECK_OK(film_link_patches(&g->film, &g->arena));
}

static inline void gap_solve(Gap* g, double tolerance)
{
    Pressure* pressure[GAP_LIQUIDS];
    for (int m = 0; m < g->count; m++) pressure[m] = &g->pressure[m];
    CHECK_OK(film_solve(&g->film, &g->report, g->liquid, pressure, g->count, &(SolveOptions){tolerance, 200}, &g->arena));
}

// Largest |p - value| over the unknown cells of a liquid.
static inline double gap_pressure_error(const Gap* g, int m, double value)
{
    const Liquid* q = &g->liquid[m];
    double worst = 0;
    for (int k = 0; k < q->w.n[2]; k++)
        for (int j = 0; j < q->w.n[1]; j++)
            for (int i = 0; i < q->w.n[0]; i++) {
                ptrdiff_t at = window_at(&q->w, i, j, k);
                if (g->pressure[m].system.kind[at] != CELL_IS_NONE) worst = fmax(worst, fabs(q->p.v[at] - value));
            }
    return worst;
}

static inline void gap_free(Gap* g)
{
    for (int m = 0; m < g->count; m++) liquid_free(&g->liquid[m]);
    arena_free(&g->arena);
}

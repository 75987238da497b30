#include "film/film_assemble.h"

#include <assert.h>
#include <math.h>
#include "base/unionfind.h"
#include "base/vec.h"

FilmScale film_scale(const Tank* tank, double rho, double dt)
{
    assert(rho > 0 && dt > 0);
    double row = dt*(tank->dim == 3 ? tank->dx : 1)/rho;
    return (FilmScale){row, rho*tank->dx/dt};
}

// Gas that slips by its mean free path lambda along both sides flows (1 + 6 lambda/h) times as fast.
double film_conductance(const Film* film, const AirFit* fit, const AirEdge* e)
{
    const FilmSettings* s = &film->settings;
    assert(s->mu > 0 && e->distance > 0);
    if (e->closed) return 0;
    double cube = s->conduct == FILM_SERIES ? film_profile_cube(film, fit, e) : e->h*e->h*e->h;
    return e->length*cube*(1 + 6*s->mean_free_path/cbrt(cube))/(12*s->mu*e->distance);
}

double film_dragged(const Film* film, const AirEdge* e, int c)
{
    double v[3];
    assert(c == e->a || c == e->b);
    vec_sub(v, e->u, film->cell[c].u);
    return e->length*e->h*vec_dot(v, e->m);
}

double film_outflow(const Film* film, const FilmLink* f, const PoissonGroup* group, double rho, double dt)
{
    const SurfaceLink* l = f->link;
    double p = group->part[f->part].p[l->cell] - film->p[f->air];
    return l->outflow + dt/(rho*film->tank.dx)*(l->weight*p - l->known);
}

// Air cells that neither a liquid nor the rim holds (slivers of ridge in a corner) would leave the block singular. They are given
// zero pressure; nothing feels it.
static mn_status hold_loose_cells(Border* border, const Film* film, const FilmLink* link, int links, Arena* arena)
{
    int* parent = ARENA_NEW(arena, int, film->cells);
    bool* held = ARENA_ZERO(arena, bool, film->cells);
    TRY_MEMORY(parent);
    TRY_MEMORY(held);
    for (int c = 0; c < film->cells; c++) parent[c] = c;
    for (int m = 0; m < film->edges; m++)
        if (film->edge[m].b >= 0) set_join(parent, film->edge[m].a, film->edge[m].b);
    for (int m = 0; m < film->edges; m++)
        if (film->edge[m].b < 0 && !film->edge[m].closed) held[set_find(parent, film->edge[m].a)] = true;
    for (int m = 0; m < links; m++) held[set_find(parent, link[m].air)] = true;
    for (int c = 0; c < film->cells; c++)
        if (!held[set_find(parent, c)]) border->block[border->block_entries++] = (Triplet){c, c, 1};
    return MN_OK;
}

// A link of a liquid cell: p_l - p_c = J makes no flow. What leaves the liquid, by a velocity relative to the air cell's, enters
// the film. Patches and edges of an air cell do not close up exactly; with velocities relative to the cell's own mean a film that
// moves along with its liquids feels nothing all the same (docs/film.md).
static void add_link(Border* border, const Film* film, const FilmLink* f, double weight, FilmScale scale)
{
    const SurfaceLink* l = f->link;
    double w = weight*l->weight;
    border->block[border->block_entries++] = (Triplet){f->air, f->air, w};
    border->entry[border->entries++] = (BorderEntry){.part = f->part, .cell = l->cell, .unknown = f->air, .value = -w};
    border->d[f->air] += scale.flux*(l->outflow - vec_dot(l->area, film->cell[f->air].u)) - weight*l->known;
}

// Air flows by its own pressure, p + pull, where p is what the liquids feel:
//     q = g (p_a + pull_a - p_b - pull_b),   the pulls being known.
// A side of the tank, through which nothing is dragged (u_e.m = 0), still has its part in the sum of velocities relative to the
// cell's.
static void add_edge(Border* border, const Film* film, const AirFit* fit, const AirEdge* e, FilmScale scale)
{
    double g = film_conductance(film, fit, e)/scale.row;
    border->block[border->block_entries++] = (Triplet){e->a, e->a, g};
    border->d[e->a] -= film_dragged(film, e, e->a)/scale.row + g*film->cell[e->a].pull;
    if (e->b < 0) return;
    double pull = g*film->cell[e->b].pull;
    border->block[border->block_entries++] = (Triplet){e->b, e->b, g};
    border->block[border->block_entries++] = (Triplet){e->a > e->b ? e->a : e->b, e->a > e->b ? e->b : e->a, -g};
    border->d[e->a] += pull;
    border->d[e->b] += film_dragged(film, e, e->b)/scale.row + g*film->cell[e->a].pull - pull;
}

mn_status film_assemble(Border* border, const Film* film, const FilmLink* link, int links, const double* weight,
                        const double* inflow, FilmScale scale, Arena* arena)
{
    AirFit* fit;
    assert(links >= 0 && scale.row > 0);
    *border = (Border){.count = film->cells};
    TRY(film_profile_thickness(&fit, film, arena));
    TRY_MEMORY(border->entry = ARENA_NEW(arena, BorderEntry, links));
    TRY_MEMORY(border->block = ARENA_NEW(arena, Triplet, links + 3*film->edges + film->cells));
    TRY_MEMORY(border->d = ARENA_ZERO(arena, double, film->cells));
    for (int m = 0; m < links; m++) add_link(border, film, &link[m], weight[link[m].part], scale);
    for (int m = 0; m < film->edges; m++) add_edge(border, film, fit, &film->edge[m], scale);
    if (inflow)
        for (int c = 0; c < film->cells; c++) border->d[c] += inflow[c]/scale.row;
    return hold_loose_cells(border, film, link, links, arena);
}

#include "film/film_solve.h"

#include <string.h>

static mn_status surface_links(SurfaceLink** link, int* count, const Liquid* q, const Pressure* p, Arena* arena)
{
    return pressure_surface_links(link, count, arena, p, (double* [3]){q->u[0].v, q->u[1].v, q->u[2].v});
}

// The links of one liquid that end on the film.
static mn_status find_links(FilmLink** out, int* count, const Film* film, const Liquid* q, const Pressure* p, int m, int part,
                            Arena* arena)
{
    SurfaceLink* link;
    int links;
    TRY(surface_links(&link, &links, q, p, arena));
    TRY_MEMORY(*out = ARENA_NEW(arena, FilmLink, links));
    *count = 0;
    for (int e = 0; e < links; e++) {
        int air = link[e].patch >= 0 ? film->air[m][link[e].patch] : -1;
        if (air >= 0) (*out)[(*count)++] = (FilmLink){part, air, &link[e]};
    }
    return MN_OK;
}

// All parts of the group and their links, liquid by liquid.
static mn_status gather(PoissonGroup* group, double* weight, FilmLink** link, int* links, const Film* film, const Liquid* liquid,
                        Pressure* const* pressure, int count, Arena* arena)
{
    FilmLink** own = ARENA_NEW(arena, FilmLink*, count);
    int* owns = ARENA_NEW(arena, int, count);
    TRY_MEMORY(own);
    TRY_MEMORY(owns);
    double rho = 0;
    *links = 0;
    for (int m = 0; m < count; m++) {
        if (!pressure[m]) continue;
        int part = group->count++;
        if (part == 0) rho = pressure[m]->in.rho;
        weight[part] = rho/pressure[m]->in.rho;
        group->part[part] = (PoissonPart){&pressure[m]->system, liquid[m].p.v, weight[part]};
        TRY(find_links(&own[part], &owns[part], film, &liquid[m], pressure[m], m, part, arena));
        *links += owns[part];
    }
    TRY_MEMORY(*link = ARENA_NEW(arena, FilmLink, *links));
    for (int q = 0, at = 0; q < group->count; at += owns[q++]) memcpy(*link + at, own[q], sizeof **link*(size_t)owns[q]);
    return MN_OK;
}

// The film's pressure on every patch that borders it.
static mn_status hand_back(const Film* film, Pressure* const* pressure, int count, Arena* arena)
{
    for (int m = 0; m < count; m++) {
        if (!pressure[m]) continue;
        const CutCells* cells = pressure[m]->in.cells;
        double* change = ARENA_ZERO(arena, double, cells->count);
        TRY_MEMORY(change);
        for (int q = 0; q < cells->count; q++)
            if (film->air[m][q] >= 0) change[q] = film->p[film->air[m][q]];
        pressure[m]->change = change;
    }
    return MN_OK;
}

mn_status film_solve(Film* film, SolveReport* report, const Liquid* liquid, Pressure* const* pressure, int count,
                     const SolveOptions* options, Arena* arena)
{
    PoissonGroup group = {0};
    double* weight = ARENA_NEW(arena, double, count);
    TRY_MEMORY(weight);
    TRY_MEMORY(group.part = ARENA_NEW(arena, PoissonPart, count));
    TRY_MEMORY(film->p = ARENA_ZERO(arena, double, film->cells));
    FilmLink* link;
    int links;
    TRY(gather(&group, weight, &link, &links, film, liquid, pressure, count, arena));
    const Pressure* first = NULL;
    for (int m = count - 1; m >= 0; m--) first = pressure[m] ? pressure[m] : first;
    if (!first) return *report = (SolveReport){.converged = true}, MN_OK;
    Border border;
    TRY(film_assemble(&border, film, link, links, weight, NULL, film_scale(&film->tank, first->in.rho, first->in.dt), arena));
    TRY(border_begin_group(&border, &group, arena));
    PoissonSolver* solver;
    mn_status status = poisson_prepare_group(&solver, &group, arena);
    if (status == MN_OK) poisson_solve_prepared_group(report, solver, &group, options);
    mn_status ended = border_end_group(&border, status == MN_OK ? film->p : NULL, &group);
    if (status == MN_OK) status = ended;
    TRY(status);
    return hand_back(film, pressure, count, arena);
}

mn_status film_force(double out[3], const Film* film, const Liquid* liquid, const Pressure* pressure, int m, Arena* arena)
{
    FilmLink* link;
    int links;
    out[0] = out[1] = out[2] = 0;
    TRY(find_links(&link, &links, film, &liquid[m], pressure, m, 0, arena));
    double face = window_face_area(&liquid[m].w);
    for (int e = 0; e < links; e++)
        for (int d = 0; d < 3; d++) out[d] -= face*film->p[link[e].air]*link[e].link->area[d];
    return MN_OK;
}

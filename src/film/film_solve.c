#include "film/film_solve.h"

#include <math.h>
#include <string.h>
#include "base/timer.h"
#include "base/vec.h"

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

// ---- thickness within the step -------------------------------------------------------------------------------------------

// A film that would lose more than this part of its thickness in the step is solved again with the thickness it comes to.
static const double CLOSING_FAST = 0.3;

// What of the liquids' surfaces borders each air cell, half of both sides together, or the one side beside a solid, m^2.
static void linked_area(double* linked, const Film* film, const FilmLink* link, int links)
{
    double face = film->tank.dim == 3 ? film->tank.dx*film->tank.dx : film->tank.dx;
    memset(linked, 0, sizeof *linked*(size_t)film->cells);
    for (int m = 0; m < links; m++) {
        bool one_sided = film_is_solid(film, film->cell[link[m].air].pair[1]);
        linked[link[m].air] += (one_sided ? 1 : 0.5)*face*vec_norm(link[m].link->area);
    }
}

// The level sets do not follow the air exactly: where a film's rim runs outwards they come nearer by up to a tenth of a cell in a step than
// the flow through their pieces of surface tells. What the gap lacks of the air's thickness is pushed into the film over this many steps, and
// the liquids give way. All within one step costs work against the film's pressure: two drops gained 9 % of energy on a line tilted against the
// grid (docs/film.md); within four they gain at most 3 % (drops without viscosity, R = 6.8 dx, 0 to 0.4 rad), within two up to 12 %. The other way there is time: a gap that is too wide harms nothing.
static const double OPEN_STEPS = 4, CLOSE_STEPS = 10;

// Volume per time to be pushed in, m^3/s.
static void find_inflow(double* inflow, const Film* film, const double* linked, double dt)
{
    for (int c = 0; c < film->cells; c++) {
        double missing = film->cell[c].h - film->cell[c].gap;
        inflow[c] = linked[c]*missing/(dt*(missing > 0 ? OPEN_STEPS : CLOSE_STEPS));
    }
}

// A solve that is likely to be repeated with another thickness has to find the film's own closing, no more.
static const double ROUGHLY = 1e-3;

// What the solves of a step have in common.
typedef struct FilmSystem {
    PoissonGroup group;
    PoissonSolver* solver;
    Border border;
    double** rhs;  // the right-hand sides, which a solve uses up
    const FilmLink* link;
    int links, iterations;
    const double *weight, *inflow;
    FilmScale scale;
} FilmSystem;

static void fill_right_sides(FilmSystem* s)
{
    for (int q = 0; q < s->group.count; q++) {
        const Poisson* problem = s->group.part[q].problem;
        window_copy_to(problem->b, s->rhs[q], problem->w);
    }
}

static mn_status iterate(FilmSystem* s, Film* film, SolveReport* report, const SolveOptions* options)
{
    poisson_solve_prepared_group(report, s->solver, &s->group, options);
    s->iterations += report->iterations;
    return border_solution_group(&s->border, film->p, &s->group);
}

// Solves with the film as it is. again: it is the same as the last time, and so is its factor.
static mn_status solve_once(FilmSystem* s, Film* film, SolveReport* report, bool again, const SolveOptions* options, Arena* arena)
{
    fill_right_sides(s);
    double started = timer_now();
    if (again) TRY(border_load_group(&s->border, &s->group));
    else {
        TRY(border_end_group(&s->border, NULL, &s->group));
        TRY(film_assemble(&s->border, film, s->link, s->links, s->weight, s->inflow, s->scale, arena));
        TRY(border_begin_group(&s->border, &s->group, arena));
    }
    film->seconds += timer_now() - started;
    if (!s->solver) TRY(poisson_prepare_group(&s->solver, &s->group, arena));
    return iterate(s, film, report, options);
}

// Change of the air's thickness over the step, per air cell: what the liquids push in, by velocities relative to the cell's, and what is
// pushed in for the gap, has to flow out.
//     dh = -dt/area (sum A.(u_new - u_c) + inflow),   A.u_new = A.u + dt/(rho dx) w (p_l - p_c - J)
// The area is the ridge's, or the linked one where that is more: a sliver of ridge in the corner of a grid cell would close at many
// times the liquids' speed. rho NULL: as if no pressure acted.
static void thickness_change(double* dh, const Film* film, const FilmSystem* s, const double* linked, const double* rho,
                             double dt)
{
    double dx = film->tank.dx, face = film->tank.dim == 3 ? dx*dx : dx;
    for (int c = 0; c < film->cells; c++) dh[c] = -dt*s->inflow[c];
    for (int m = 0; m < s->links; m++) {
        const FilmLink* f = &s->link[m];
        const SurfaceLink* l = f->link;
        double flux = l->outflow - vec_dot(l->area, film->cell[f->air].u);
        if (rho)
            flux += dt/(rho[f->part]*dx)*(l->weight*(s->group.part[f->part].p[l->cell] - film->p[f->air]) - l->known);
        dh[f->air] -= dt*face*flux;
    }
    for (int c = 0; c < film->cells; c++) dh[c] /= fmax(film->cell[c].area, linked[c]);
}

// Does any film thicker than `least` (m) close fast?
static bool closes_fast(const Film* film, const double* before, const double* dh, double least)
{
    bool fast = false;
    for (int c = 0; c < film->cells; c++) fast = fast || (before[c] > least && dh[c] < -CLOSING_FAST*before[c]);
    return fast;
}

// Puts the thickness at the end of the step into the film.
static void close_film(Film* film, const double* before, const double* dh)
{
    const double least = film->settings.h_min;
    for (int m = 0; m < film->edges; m++) {
        AirEdge* e = &film->edge[m];
        int b = e->b >= 0 ? e->b : e->a;
        double now = 0.5*(film->cell[e->a].h + film->cell[b].h);
        double then = 0.5*(fmax(before[e->a] + fmin(dh[e->a], 0), least) + fmax(before[b] + fmin(dh[b], 0), least));
        e->h = fmax(e->h*then/now, least);
    }
    for (int c = 0; c < film->cells; c++) film->cell[c].h = fmax(before[c] + fmin(dh[c], 0), least);
}

static const Pressure* first_part(double* rho, Pressure* const* pressure, int count)
{
    const Pressure* first = NULL;
    for (int m = 0, part = 0; m < count; m++) {
        if (!pressure[m]) continue;
        if (!first) first = pressure[m];
        rho[part++] = pressure[m]->in.rho;
    }
    return first;
}

// Thinner films (cells) hand on pressure and stop closing whatever the velocities before the solve were.
static const double HOLDS = 0.1;

// Solves until the thickness agrees with what the film comes to. Where a film closes fast by the velocities before the solve, the solve will
// have to be repeated: all but the last one are rough then.
static mn_status solve_with_thickness(FilmSystem* s, Film* film, SolveReport* report, const double* linked, const double* rho,
                                      double dt, const SolveOptions* options, Arena* arena)
{
    double *before = ARENA_NEW(arena, double, film->cells), *dh = ARENA_NEW(arena, double, film->cells);
    TRY_MEMORY(before);
    TRY_MEMORY(dh);
    for (int c = 0; c < film->cells; c++) before[c] = film->cell[c].h;
    SolveOptions rough = {fmax(ROUGHLY, options->tolerance), options->max_iterations};
    thickness_change(dh, film, s, linked, NULL, dt);
    bool roughly = film->settings.repeats > 0 && closes_fast(film, before, dh, HOLDS*film->tank.dx);
    for (bool again = false;; again = false) {
        bool last = film->repeats == film->settings.repeats;
        TRY(solve_once(s, film, report, again, roughly && !last ? &rough : options, arena));
        thickness_change(dh, film, s, linked, rho, dt);
        if (last || !closes_fast(film, before, dh, 0)) {
            if (!roughly || last) break;
            roughly = false;
            TRY(solve_once(s, film, report, true, options, arena));
            thickness_change(dh, film, s, linked, rho, dt);
            break;
        }
        close_film(film, before, dh);
        film->repeats++, roughly = true;
    }
    for (int c = 0; c < film->cells; c++) film->h_end[c] = fmax(before[c] + dh[c], film->settings.h_min);
    return MN_OK;
}

mn_status film_solve(Film* film, SolveReport* report, const Liquid* liquid, Pressure* const* pressure, int count,
                     const SolveOptions* options, Arena* arena)
{
    FilmSystem s = {0};
    double *weight = ARENA_NEW(arena, double, count), *rho = ARENA_NEW(arena, double, count);
    double *linked = ARENA_NEW(arena, double, film->cells), *inflow = ARENA_NEW(arena, double, film->cells);
    TRY_MEMORY(weight && rho && linked && inflow ? weight : NULL);
    TRY_MEMORY(s.rhs = ARENA_NEW(arena, double*, count));
    TRY_MEMORY(s.group.part = ARENA_NEW(arena, PoissonPart, count));
    TRY_MEMORY(film->p = ARENA_ZERO(arena, double, film->cells));
    TRY_MEMORY(film->h_end = ARENA_NEW(arena, double, film->cells));
    const Pressure* first = first_part(rho, pressure, count);
    film->repeats = 0;
    for (int c = 0; c < film->cells; c++) film->h_end[c] = film->cell[c].h;
    if (!first) return *report = (SolveReport){.converged = true}, MN_OK;
    FilmLink* link;
    TRY(gather(&s.group, weight, &link, &s.links, film, liquid, pressure, count, arena));
    for (int q = 0; q < s.group.count; q++)
        TRY_MEMORY(s.rhs[q] = window_copy(arena, s.group.part[q].problem->b, s.group.part[q].problem->w));
    linked_area(linked, film, link, s.links);
    find_inflow(inflow, film, linked, first->in.dt);
    s.link = link, s.weight = weight, s.inflow = inflow, s.scale = film_scale(&film->tank, first->in.rho, first->in.dt);
    mn_status status = solve_with_thickness(&s, film, report, linked, rho, first->in.dt, options, arena);
    border_end_group(&s.border, NULL, &s.group);
    TRY(status);
    report->iterations = s.iterations;
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

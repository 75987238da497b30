#include "film/film_skin.h"

#include <assert.h>
#include <string.h>
#include "base/vec.h"

static const Solid* solid_at(const FilmSkin* k, const Film* film, int place)
{
    return &film->solids->solid[k->push.solid[place]];
}

static mn_status find_solids(FilmSkin* k, const Film* film, Arena* arena)
{
    int cells = film->cells;
    TRY_MEMORY(k->place = ARENA_NEW(arena, int, cells));
    TRY_MEMORY(k->push.solid = ARENA_NEW(arena, int, cells));
    for (int c = 0; c < cells; c++) {
        int solid = film->cell[c].skin - 1;
        k->place[c] = -1;
        for (int m = 0; m < k->push.solids && solid >= 0; m++)
            if (k->push.solid[m] == solid) k->place[c] = m;
        if (solid < 0 || k->place[c] >= 0) continue;
        k->place[c] = k->push.solids, k->push.solid[k->push.solids++] = solid;
    }
    return MN_OK;
}

static void add_areas(FilmSkin* k, const Film* film, const Liquid* q, const int* air)
{
    for (int m = 0; m < q->cells.count; m++) {
        const CutCell* cut = &q->cells.cut[m];
        if (air[m] < 0 || k->place[air[m]] < 0) continue;
        const Solid* s = solid_at(k, film, k->place[air[m]]);
        double x[3], moment[3], *area = k->area[air[m]];
        window_position(x, &q->w, cut->i + cut->center[0], cut->j + cut->center[1], cut->k + cut->center[2]);
        for (int d = 0; d < 3; d++) x[d] -= s->pivot[d] + s->pose.position[d];
        vec_cross(moment, x, cut->patch);
        for (int d = 0; d < 3; d++) area[d] += cut->patch[d], area[3 + d] += moment[d];
    }
}

mn_status film_skin_begin(FilmSkin* k, const Film* film, Cluster* own, Arena* arena)
{
    *k = (FilmSkin){0};
    TRY(find_solids(k, film, arena));
    int n = TWIST*k->push.solids;
    if (n == 0) return MN_OK;
    assert(film->solids && !own->push);
    TRY_MEMORY(k->area = arena_take_zero(arena, sizeof *k->area*(size_t)film->cells));
    TRY_MEMORY(k->flow = ARENA_NEW(arena, double, n*film->cells));
    TRY_MEMORY(k->base = ARENA_NEW(arena, double, film->cells));
    TRY_MEMORY(k->push.wrench = ARENA_NEW(arena, double, n));
    TRY_MEMORY(k->push.drag = ARENA_NEW(arena, double, n* n));
    TRY_MEMORY(k->push.change = ARENA_ZERO(arena, double, n));
    for (int m = 0; m < film->bodies.liquids; m++)
        if (film->air[m]) add_areas(k, film, film->bodies.body[m].liquid, film->air[m]);
    own->push = &k->push;
    return MN_OK;
}

// F^-1 D, column by column.
static mn_status find_flows(FilmSkin* k, const Border* border)
{
    int cells = border->count;
    for (int n = 0; n < TWIST*k->push.solids; n++) {
        double* flow = k->flow + (size_t)n*(size_t)cells;
        bool any = false;
        for (int c = 0; c < cells; c++) {
            flow[c] = k->place[c] == n/TWIST ? k->area[c][n%TWIST] : 0;
            any = any || flow[c] != 0;
        }
        if (any) TRY(factor_solve(border->factor, flow, flow));
    }
    return MN_OK;
}

// D^T of pressures of the air cells, times the area of a face.
static void wrench_of(double* out, const FilmSkin* k, int cells, const double* p, double face)
{
    memset(out, 0, sizeof *out*TWIST*(size_t)k->push.solids);
    for (int c = 0; c < cells; c++)
        for (int e = 0; e < TWIST && k->place[c] >= 0; e++) out[TWIST*k->place[c] + e] += face*k->area[c][e]*p[c];
}

// W = -B F^-1 D: what of each liquid cell gets through the film to each solid.
static mn_status find_cells(FilmSkin* k, const Border* border, Arena* arena)
{
    SkinPush* push = &k->push;
    if (!push->cell) TRY_MEMORY(push->cell = ARENA_NEW(arena, WrenchCell, border->cells*push->solids));
    push->cells = border->cells*push->solids;
    for (int m = 0; m < push->solids; m++)
        for (int l = 0; l < border->cells; l++)
            push->cell[m*border->cells + l] = (WrenchCell){.cell = border->cell[l], .part = border->part[l], .body = m};
    for (int e = 0; e < border->entries; e++)
        for (int n = 0; n < TWIST*push->solids; n++)
            push->cell[n/TWIST*border->cells + border->entry_cell[e]].wrench[n%TWIST] -=
                border->entry[e].value*k->flow[(size_t)n*(size_t)border->count + (size_t)border->entry[e].unknown];
    return MN_OK;
}

mn_status film_skin_load(FilmSkin* k, const Film* film, const Border* border, FilmScale scale, Arena* arena)
{
    int n = TWIST*k->push.solids, cells = border->count;
    double face = film->tank.dim == 3 ? film->tank.dx*film->tank.dx : film->tank.dx;
    if (n == 0) return MN_OK;
    assert(cells == film->cells);
    TRY(find_flows(k, border));
    TRY(factor_solve(border->factor, k->base, border->d));
    wrench_of(k->push.wrench, k, cells, k->base, face);
    for (int m = 0; m < n; m++)
        wrench_of(k->push.drag + (size_t)m*(size_t)n, k, cells, k->flow + (size_t)m*(size_t)cells, face*scale.flux);
    return find_cells(k, border, arena);
}

void film_skin_give_way(double* p, const FilmSkin* k, int cells, FilmScale scale)
{
    for (int n = 0; n < TWIST*k->push.solids; n++)
        for (int c = 0; c < cells; c++) p[c] -= scale.flux*k->push.change[n]*k->flow[(size_t)n*(size_t)cells + (size_t)c];
}

double film_skin_room(const FilmSkin* k, int c)
{
    double sum = 0;
    for (int e = 0; e < TWIST && k->push.solids > 0 && k->place[c] >= 0; e++)
        sum += k->area[c][e]*k->push.change[TWIST*k->place[c] + e];
    return sum;
}

void film_skin_gain(double* gain, const FilmSkin* k, const Film* film, double dt)
{
    double face = film->tank.dim == 3 ? film->tank.dx*film->tank.dx : film->tank.dx;
    for (int c = 0; c < film->cells && k->push.solids > 0; c++) {
        if (k->place[c] < 0) continue;
        const Solid* s = solid_at(k, film, k->place[c]);
        double mean = vec_dot(k->area[c], s->velocity) + vec_dot(k->area[c] + 3, s->spin) + 0.5*film_skin_room(k, c);
        gain[c] += dt*face*film->p[c]*mean;
    }
}

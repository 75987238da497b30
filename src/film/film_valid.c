#include "film/film_valid.h"

#include <math.h>
#include "base/vec.h"

static const double ROUNDING = 1e-9;

static bool in_range(int m, int count) { return m >= 0 && m < count; }

bool film_bodies_is_valid(const FilmBodies* b)
{
    if (b->liquids < 0 || b->count < b->liquids || b->count > 2*b->liquids) return false;
    for (int m = 0; m < b->count; m++) {
        const FilmBody* q = &b->body[m];
        if (film_body_is_solid(q) != (m >= b->liquids) || !q->phi || !window_is_valid(q->w)) return false;
        if (film_body_is_solid(q) && (q->id != 0 || q->solids != -1)) return false;
        if (film_body_is_solid(q) || q->solids == -1) continue;
        if (q->solids < b->liquids || q->solids >= b->count || b->body[q->solids].w != q->w) return false;
    }
    return true;
}

static bool has_body(const AirCell* c, int m) { return c->pair[0] == m || c->pair[1] == m; }

// Is x (m) in the grid cell, to rounding?
static bool lies_in(const Tank* t, int64_t grid, const double x[3])
{
    int64_t cell[3] = {grid%t->n[0], grid/t->n[0]%t->n[1], grid/t->n[0]/t->n[1]};
    for (int d = 0; d < t->dim; d++)
        if (fabs(x[d]/t->dx - ((double)cell[d] + 0.5)) > 0.5 + 1e-6) return false;
    return true;
}

// Groups of pieces of surface (film_graph.h) have no ridge: their places and gaps are means.
static bool cell_is_valid(const Film* film, const AirCell* c)
{
    const FilmSettings* s = &film->settings;
    const Tank* t = &film->tank;
    if (!in_range(c->pair[0], film->bodies.liquids) || !in_range(c->pair[1], film->bodies.count)) return false;
    if (c->pair[0] >= c->pair[1] || !film_keeps_apart(film, c->pair[0], c->pair[1])) return false;
    if (c->grid < 0 || c->grid >= film_grid_number(t, 0, 0, t->n[2])) return false;
    if (c->h < s->h_min || c->area < 0 || c->pull < 0) return false;
    if (s->build == FILM_GRAPH) return true;
    return !(fabs(c->gap) > s->h_max) && lies_in(t, c->grid, c->x);
}

// Films that meet in a joint have a body in common, or the solids, of which every liquid has its own view.
static bool may_meet(const Film* film, const AirCell* a, const AirCell* b)
{
    return has_body(a, b->pair[0]) || has_body(a, b->pair[1]) || (film_on_solid(film, a) && film_on_solid(film, b));
}

static bool edge_is_valid(const Film* film, const AirEdge* e)
{
    if (!in_range(e->a, film->cells) || e->a == e->b || e->b < -1 || e->b >= film->cells) return false;
    if (e->length < 0 || e->distance <= 0 || e->h < film->settings.h_min || vec_norm(e->m) > 1 + ROUNDING) return false;
    if (e->b < 0) return true;
    return !e->closed && (film->settings.build == FILM_GRAPH || may_meet(film, &film->cell[e->a], &film->cell[e->b]));
}

static bool links_are_valid(const Film* film)
{
    for (int m = 0; m < film->bodies.liquids; m++) {
        for (int c = 0; film->air[m] && c < film->bodies.body[m].liquid->cells.count; c++) {
            int air = film->air[m][c];
            if (air < -1 || air >= film->cells) return false;
            if (air >= 0 && film->settings.build == FILM_RIDGE && !has_body(&film->cell[air], m)) return false;
        }
    }
    return true;
}

static bool order_is_valid(const Film* film)
{
    for (int m = 0; m < film->cells; m++) {
        const AirKey *k = &film->order[m], *last = m > 0 ? k - 1 : NULL;
        if (!in_range(k->cell, film->cells) || film->cell[k->cell].grid != k->grid) return false;
        if (last && (last->grid > k->grid || (last->grid == k->grid && last->cell >= k->cell))) return false;
    }
    return true;
}

bool film_is_valid(const Film* film)
{
    if (film->cells < 0 || film->edges < 0 || film->lost < 0 || !film_bodies_is_valid(&film->bodies)) return false;
    for (int c = 0; c < film->cells; c++)
        if (!cell_is_valid(film, &film->cell[c])) return false;
    for (int m = 0; m < film->edges; m++)
        if (!edge_is_valid(film, &film->edge[m])) return false;
    return (!film->air || links_are_valid(film)) && (!film->order || order_is_valid(film));
}

bool film_solution_is_valid(const Film* film)
{
    if (!film_is_valid(film) || (film->cells > 0 && (!film->p || !film->h_end || !film->closing))) return false;
    for (int c = 0; c < film->cells; c++)
        if (film->h_end[c] < film->settings.h_min) return false;
    return true;
}

bool film_parts_is_valid(const FilmPart* part, int parts, const Film* film)
{
    int cells = 0, edges = 0;
    for (int k = 0; k < parts; k++) {
        const FilmPart* p = &part[k];
        cells += p->film.cells, edges += p->film.edges;
        if (!film_is_valid(&p->film)) return false;
        for (int c = 0; c < p->film.cells; c++)
            if (!in_range(p->cell[c], film->cells) || (c > 0 && p->cell[c - 1] >= p->cell[c])) return false;
        for (int m = 0; m < p->film.edges; m++) {
            if (!in_range(p->edge[m], film->edges) || (m > 0 && p->edge[m - 1] >= p->edge[m])) return false;
            if (p->cell[p->film.edge[m].a] != film->edge[p->edge[m]].a) return false;
        }
    }
    return cells == film->cells && edges == film->edges;
}

bool film_profile_is_valid(const AirFit* fit, const Film* film)
{
    for (int c = 0; c < film->cells; c++) {
        double h = film->cell[c].h;
        if (fit[c].low > h || fit[c].high < h || fit[c].ways < 0 || fit[c].mean < 0) return false;
    }
    return true;
}

bool film_border_is_valid(const Border* b, const Film* film, int parts)
{
    if (b->count != film->cells) return false;
    for (int m = 0; m < b->block_entries; m++) {
        const Triplet* t = &b->block[m];
        if (!in_range(t->row, b->count) || t->column < 0 || t->column > t->row) return false;
        if (t->row == t->column ? t->value < 0 : t->value > 0) return false;
    }
    for (int m = 0; m < b->entries; m++)
        if (!in_range(b->entry[m].unknown, b->count) || !in_range(b->entry[m].part, parts) || b->entry[m].value > 0) return false;
    return true;
}

bool film_links_is_valid(const FilmLink* link, int links, const Film* film, const PoissonGroup* group)
{
    for (int m = 0; m < links; m++) {
        if (!in_range(link[m].air, film->cells) || !in_range(link[m].part, group->count)) return false;
        if (link[m].link->weight < 0 || group->part[link[m].part].problem->kind[link[m].link->cell] == CELL_IS_NONE) return false;
    }
    return true;
}

bool film_air_is_valid(const FilmAir* air, const Tank* t)
{
    if (air->count < 0 || air->count > air->capacity) return false;
    for (int m = 0; m < air->count; m++) {
        const AirPiece* p = &air->piece[m];
        if (p->h <= 0 || p->low > p->h*(1 + ROUNDING) || p->high < p->h*(1 - ROUNDING)) return false;
        if (p->id[0] < 0 || p->id[0] >= p->id[1]) return false;
        if (p->grid < 0 || p->grid >= film_grid_number(t, 0, 0, t->n[2]) || (m > 0 && air->piece[m - 1].grid > p->grid))
            return false;
    }
    return true;
}

#include "film/film_solve.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/timer.h"
#include "base/vec.h"
#include "film/film_energy.h"
#include "film/film_sealed.h"
#include "film/film_skin.h"
#include "film/film_valid.h"

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

// The links of all parts, liquid by liquid.
static mn_status gather_links(FilmLink** link, int* links, const Film* film, const Coupling* c, int cluster, Arena* arena)
{
    int parts = c->cluster[cluster].group.count;
    FilmLink** own = ARENA_NEW(arena, FilmLink*, parts);
    int* owns = ARENA_NEW(arena, int, parts);
    TRY_MEMORY(own);
    TRY_MEMORY(owns);
    *links = 0;
    for (int m = 0; m < c->liquids; m++) {
        if (c->of[m] != cluster) continue;
        int part = c->part[m];
        TRY(find_links(&own[part], &owns[part], film, film->bodies.body[m].liquid, c->pressure[m], m, part, arena));
        *links += owns[part];
    }
    TRY_MEMORY(*link = ARENA_NEW(arena, FilmLink, *links));
    for (int q = 0, at = 0; q < parts; at += owns[q++]) memcpy(*link + at, own[q], sizeof **link*(size_t)owns[q]);
    return MN_OK;
}

// ---- thickness within the step -------------------------------------------------------------------------------------------

// A film whose thickness at the end of the step differs by more than this part from the one it was solved with is solved again.
static const double CLOSING_FAST = 0.3;

// What of the liquids' surfaces borders each air cell, half of both sides together, or the one side beside a solid, m^2.
static void linked_area(double* linked, const Film* film, const FilmLink* link, int links)
{
    double face = film->tank.dim == 3 ? film->tank.dx*film->tank.dx : film->tank.dx;
    memset(linked, 0, sizeof *linked*(size_t)film->cells);
    for (int m = 0; m < links; m++) {
        bool one_sided = film_on_solid(film, &film->cell[link[m].air]);
        linked[link[m].air] += (one_sided ? 1 : 0.5)*face*vec_norm(link[m].link->area);
    }
}

// The level sets do not follow the air exactly: where a film's rim runs outwards they come nearer by up to a tenth of a cell in a
// step than the flow through their pieces of surface tells. What the gap lacks of the air's thickness is pushed into the film
// over this many steps, and the liquids give way. All within one step costs work against the film's pressure: two drops gained 9
// % of energy on a line tilted against the grid, within two steps up to 12 %, within four at most 3 %; today, with four, 0.3 %
// (docs/film_results.md). The other way there is time: a gap that is too wide harms nothing.
// Four steps that a film that closes fast or the time of a frame has cut short must not push faster than in the time of one whole
// step: that closed other films, which made the next ones shorter still, to 30 m/s and 2 MPa among drops of rain. (All four as
// long as whole ones is too slow: in steps of four capillary times two drops rose to 1.41 of their energy.)
static const double OPEN_STEPS = 4, CLOSE_STEPS = 10;

// Cells whose centre is dry have no row: the flow through the faces towards them counts as the flow through the surface inside.
// Between the two, liquid moves sideways. The surface of a cut cell closes it,
//     patch.(u - u_c) = -(sum over its faces) A.(u - u_c),
// and what passes through faces without a link is known from before the solve. Left out, drops that flatten against their film
// seem to press out less air than they do: at R = 6.7 dx and 0.5 m/s the gap grew by 0.05 dx in a step in the middle of a film
// whose air was leaving. A cell that no link leads to (its wet neighbours lie past its corners) has none: no pressure of the film
// could move its surface.
static double sideways_outflow(const Liquid* q, const Pressure* p, const CutCell* cut, const double mean[3])
{
    const Window* w = &q->w;
    double sum = 0;
    bool linked = false;
    for (int d = 0; d < w->dim; d++)
        for (int high = 0; high < 2; high++) {
            ptrdiff_t s = window_stride(w, d), face = cut->at + high*s, beside = cut->at + (high ? s : -s);
            linked = linked || (p->cell[beside] == CELL_IS_UNKNOWN && q->cells.area[d][face] > 0);
            if (p->cell[beside] == CELL_IS_UNKNOWN || p->cell[beside] == CELL_IS_ORPHAN) continue;
            sum += (high ? 1 : -1)*q->cells.area[d][face]*(q->u[d].v[face] - mean[d]);
        }
    return linked ? sum : 0;
}

void film_add_sideways(double* inflow, const Film* film, const Liquid* q, const Pressure* p, int m)
{
    double face = window_face_area(&q->w);
    for (int c = 0; c < q->cells.count; c++) {
        const CutCell* cut = &q->cells.cut[c];
        int air = film->air[m][c];
        if (air >= 0 && p->cell[cut->at] == CELL_IS_ELIMINATED)
            inflow[air] -= face*sideways_outflow(q, p, cut, film->cell[air].u);
    }
}

// What a step knows of an air cell's closing, m.
typedef struct Closing {
    double *before, *dh, *free;  // thickness at the start; change by the last solve, and as if no pressure acted
} Closing;

// What the solves of a step have in common.
struct FilmSystem {
    Film* film;
    Coupling* c;
    int number;  // of its cluster
    Cluster* own;
    Arena* arena;
    Border border;
    PoissonOperator op;  // what is left of the border
    FilmSkin skin;       // of bodies
    const FilmLink* link;
    int links;
    double *linked, *inflow;  // per air cell: by linked_area; m^3/s, pushed in for the gap
    double *gain, *work;      // J, per air cell: given to the liquids, done by its sources
    double *share, *room;     // per air cell, and of film_shares
    double* rho;              // per part, kg/m^3
    FilmScale scale;
    Closing closing;
    bool is_new;     // the film has changed since the last solve
    bool is_calmed;  // its sources have been made weaker
    bool finishing;  // it will not change any more
};

// Change of the air's thickness over the step, per air cell: what the liquids push in, by velocities relative to the cell's, and
// what is pushed in for the gap, has to flow out.
//     dh = -dt/area (sum A.(u_new - u_c) + inflow),   A.u_new = A.u + dt/(rho dx) w (p_l - p_c - J)
// Skin of a body that gives way makes room.
// The area is the ridge's, or the linked one where that is more: a sliver of ridge in the corner of a grid cell would close at
// many times the liquids' speed. rho NULL: as if no pressure acted.
static void thickness_change(double* dh, const Film* film, const FilmSystem* s, const double* rho, double dt)
{
    double dx = film->tank.dx, face = film->tank.dim == 3 ? dx*dx : dx;
    for (int c = 0; c < film->cells; c++) dh[c] = -dt*s->inflow[c] + (rho ? dt*face*film_skin_room(&s->skin, c) : 0);
    for (int m = 0; m < s->links; m++) {
        const FilmLink* f = &s->link[m];
        const SurfaceLink* l = f->link;
        double outflow = rho ? film_outflow(film, f, &s->own->group, rho[f->part], dt) : l->outflow;
        dh[f->air] -= dt*face*(outflow - vec_dot(l->area, film->cell[f->air].u));
    }
    for (int c = 0; c < film->cells; c++) dh[c] /= fmax(film->cell[c].area, s->linked[c]);
}

// A push is a repair of places dressed as a velocity, and must not bring energy: where liquids meet at a relative speed v, one
// that lets them part at no more than v takes energy off them, whatever the step is. Pushes as slow as this (cells per whole
// step) are left to a film at rest.
static const double PUSH_SLOW = 0.05;

// Volume per time to be pushed in for the gap, m^3/s. free: change of thickness in the step as if no pressure acted, m.
static void add_push(double* inflow, const Film* film, const double* linked, const double* free, double dt)
{
    assert(dt > 0 && film->free_dt >= 0);
    double pace = fmax(dt, film->free_dt/OPEN_STEPS), slow = PUSH_SLOW*film->tank.dx/fmax(dt, film->free_dt);
    for (int c = 0; c < film->cells; c++) {
        double missing = film->cell[c].h - film->cell[c].gap, most = fmax(fabs(free[c])/dt, slow);
        inflow[c] += linked[c]*(missing > 0 ? fmin(missing/(pace*OPEN_STEPS), most) : missing/(pace*CLOSE_STEPS));
    }
}

// A film at the floor of its thickness has no air left to lose, but beside a thick neighbour its conductance goes with 2 h^2 h_b:
// solved at h_min it let liquids through each other at 0.7 m/s, ten times h_min in every step, and cut the steps sixteenfold for
// closing so fast. Within a step it may be solved as thin as this part of h_min, so that no more leaves than there is.
static const double TIGHT = 0.01;

static double least_thickness(const Film* film) { return TIGHT*film->settings.h_min; }

// What the air's thickness comes to; closing alone counts.
static double thickness_after(const Film* film, double before, double dh)
{
    return fmax(before + fmin(dh, 0), least_thickness(film));
}

// Does an air cell come to a thickness other than the one its resistance was taken at?
static bool disagrees(const Film* film, int c, double before, double dh)
{
    double used = film->cell[c].h;
    return fabs(used - thickness_after(film, before, dh)) > CLOSING_FAST*used;
}

// Does any film thicker than `least` (m)?
static bool closes_fast(const Film* film, const double* before, const double* dh, double least)
{
    bool fast = false;
    for (int c = 0; c < film->cells; c++) fast = fast || (before[c] > least && disagrees(film, c, before[c], dh[c]));
    return fast;
}

// The thickness h at which a film closes by just before - h. Left alone it closes by `free`; against its resistance, which goes
// with 1/h^3, by less, as through two resistances in series:
//     1/closing = 1/free + beta/h^3.
// A solve at thickness `used` gives beta; the more h, the more the film closes, so halving the interval finds it. (With the h it
// comes to when solved at `before`, the film stands still or goes through to nothing, by turns.)
static double agreed_thickness(double before, double free, double used, double closing, double least)
{
    enum { HALVINGS = 40 };
    assert(closing > 0 && used > 0 && least > 0 && before >= least);
    const double room = 1.2;  // pressure in the cells around may press it faster than it would close alone
    double most = fmax(free, room*closing), beta = (1/closing - 1/most)*used*used*used, low = least, high = before;
    for (int m = 0; m < HALVINGS; m++) {
        double h = sqrt(low*high);
        if (before - 1/(1/most + beta/(h*h*h)) < h) high = h;
        else low = h;
    }
    return sqrt(low*high);
}

static double agreed(const Film* film, const Closing* k, int c)
{
    double least = least_thickness(film);
    if (!(k->dh[c] < 0)) return k->before[c];
    return agreed_thickness(k->before[c], -k->free[c], film->cell[c].h, -k->dh[c], least);
}

static double mean_thickness(const Film* film, const AirEdge* e)
{
    return 0.5*(film->cell[e->a].h + film->cell[e->b >= 0 ? e->b : e->a].h);
}

// Puts the thickness at the end of the step into the film.
static void close_film(Film* film, const Closing* k)
{
    for (int m = 0; m < film->edges; m++) film->edge[m].h /= mean_thickness(film, &film->edge[m]);
    for (int c = 0; c < film->cells; c++) film->cell[c].h = agreed(film, k, c);
    for (int m = 0; m < film->edges; m++)
        film->edge[m].h = fmax(film->edge[m].h*mean_thickness(film, &film->edge[m]), least_thickness(film));
}

// Where the last solve still disagrees with its thickness, the agreement of the two is nearer to the truth than what it comes to.
static void end_thickness(Film* film, const Closing* k, double dt)
{
    double floor = film->settings.h_min;
    for (int c = 0; c < film->cells; c++) {
        double h = disagrees(film, c, k->before[c], k->dh[c]) ? agreed(film, k, c) : k->before[c] + k->dh[c];
        film->h_end[c] = fmax(h, floor);
        film->closing[c] = -k->dh[c]/dt;
        film->cell[c].h = fmax(film->cell[c].h, floor);
    }
    for (int m = 0; m < film->edges; m++) film->edge[m].h = fmax(film->edge[m].h, floor);
}

// Thinner films (cells) hand on pressure and stop closing whatever the velocities before the solve were.
static const double HOLDS = 0.1;

static mn_status take_arrays(FilmSystem* s)
{
    Film* film = s->film;
    int cells = film->cells;
    TRY_MEMORY(film->p = ARENA_ZERO(s->arena, double, cells));
    TRY_MEMORY(film->h_end = ARENA_NEW(s->arena, double, cells));
    TRY_MEMORY(film->closing = ARENA_ZERO(s->arena, double, cells));
    TRY_MEMORY(s->linked = ARENA_NEW(s->arena, double, cells));
    TRY_MEMORY(s->inflow = ARENA_NEW(s->arena, double, cells));
    TRY_MEMORY(s->rho = ARENA_NEW(s->arena, double, s->own->group.count));
    TRY_MEMORY(s->room = ARENA_NEW(s->arena, double, 3*film->bodies.liquids));
    double** per_cell[] = {&s->closing.before, &s->closing.dh, &s->closing.free, &s->gain, &s->work, &s->share};
    for (int m = 0; m < 6; m++) TRY_MEMORY(*per_cell[m] = ARENA_NEW(s->arena, double, cells));
    return MN_OK;
}

mn_status film_system_begin(FilmSystem** out, Film* film, Coupling* c, int cluster, Arena* arena)
{
    assert(cluster >= 0 && cluster < c->clusters && film_is_valid(film));
    FilmSystem* s = arena_take(arena, sizeof *s);
    TRY_MEMORY(s);
    *s = (FilmSystem){.film = film, .c = c, .number = cluster, .own = &c->cluster[cluster], .arena = arena, .is_new = true};
    *out = s;
    TRY(take_arrays(s));
    film->repeats = 0;
    for (int a = 0; a < film->cells; a++) film->h_end[a] = s->closing.before[a] = film->cell[a].h;
    FilmLink* link;
    TRY(gather_links(&link, &s->links, film, c, cluster, arena));
    s->link = link;
    assert(film_links_is_valid(link, s->links, film, &s->own->group));
    linked_area(s->linked, film, link, s->links);
    TRY(film_skin_begin(&s->skin, film, s->own, arena));
    memset(s->inflow, 0, sizeof *s->inflow*(size_t)film->cells);
    for (int m = 0; m < c->liquids; m++) {
        if (c->of[m] != cluster) continue;
        s->rho[c->part[m]] = c->pressure[m]->in.rho;
        film_add_sideways(s->inflow, film, film->bodies.body[m].liquid, c->pressure[m], m);
    }
    s->scale = film_scale(&film->tank, s->rho[0], c->dt);
    // where a film closes fast by the velocities before the solve, the solve will have to be repeated: all but the last one are
    // rough
    thickness_change(s->closing.free, film, s, NULL, c->dt);
    add_push(s->inflow, film, s->linked, s->closing.free, c->dt);
    thickness_change(s->closing.free, film, s, NULL, c->dt);
    if (film->settings.repeats > 0 && closes_fast(film, s->closing.before, s->closing.free, HOLDS*film->tank.dx))
        s->own->wants_rough = true;
    return MN_OK;
}

mn_status film_system_load(PoissonOperator* op, FilmSystem* s)
{
    double started = timer_now();
    if (!s->is_new) TRY(border_load(&s->border, &s->own->group));
    else {
        Factor* factor = s->border.factor;  // of the last solve: links and edges, and so the places in the block, are the same
        mn_status status = film_assemble(&s->border, s->film, s->link, s->links, s->own->weight, s->inflow, s->scale, s->arena);
        s->border.factor = factor;
        TRY(status);
        TRY(film_balance_sealed(&s->border, s->inflow, s->film, &s->own->group, s->link, s->links, s->linked, s->scale,
                                s->arena));
        assert(film_border_is_valid(&s->border, s->film, s->own->group.count));
        TRY(border_begin(&s->border, &s->op, &s->own->group, s->arena));
        TRY(film_skin_load(&s->skin, s->film, &s->border, s->scale, s->arena));
    }
    *op = s->op;
    s->film->seconds += timer_now() - started;
    return MN_OK;
}

// More energy than the films may bring counts as gained only as far as their sources do that work; both are parabolas in the
// sources' strength that open upwards, and a passive film gains nothing, so sources weaker by a factor bring less by that factor
// at least (docs/film.md).
static bool brings_too_much(FilmSystem* s)
{
    const Film* film = s->film;
    film_gain(s->gain, film, s->link, s->links, &s->own->group, s->rho, s->c->dt);
    film_skin_gain(s->gain, &s->skin, film, s->c->dt);
    film_source_work(s->work, film, s->link, s->links, s->inflow, s->c->dt);
    return film_shares(s->share, film, s->gain, s->work, s->room);
}

// Content when the thickness agrees with what the film comes to, and it brings no more energy than it may.
mn_status film_system_judge(PartnerVerdict* verdict, FilmSystem* s)
{
    Film* film = s->film;
    assert(film->repeats <= film->settings.repeats);
    bool last = film->repeats == film->settings.repeats;
    TRY(border_solution(&s->border, film->p, &s->own->group));
    film_skin_give_way(film->p, &s->skin, film->cells, s->scale);
    thickness_change(s->closing.dh, film, s, s->rho, s->c->dt);
    s->is_new = false;
    *verdict = PARTNER_IS_DONE;
    if (s->finishing) return MN_OK;
    if (last || s->is_calmed || !closes_fast(film, s->closing.before, s->closing.dh, 0)) {
        if (!s->is_calmed && brings_too_much(s)) {
            film_calm(film, s->inflow, s->share);
            s->is_calmed = s->is_new = true;
            *verdict = PARTNER_WANTS_OTHER;
            return MN_OK;
        }
        s->finishing = true;
        if (s->own->is_rough) *verdict = PARTNER_WANTS_FINER;
        return MN_OK;
    }
    close_film(film, &s->closing);
    film->repeats++;
    s->is_new = true;
    s->own->wants_rough = film->repeats < film->settings.repeats;
    *verdict = PARTNER_WANTS_OTHER;
    return MN_OK;
}

// The film's pressure on every patch that borders it.
void film_system_answer(FilmSystem* s)
{
    const Film* film = s->film;
    assert(!s->own->is_rough);
    end_thickness(s->film, &s->closing, s->c->dt);
    assert(film_solution_is_valid(film));
    for (int m = 0; m < s->c->liquids; m++) {
        if (s->c->of[m] != s->number) continue;
        int patches = s->c->pressure[m]->in.cells->count;
        for (int q = 0; q < patches; q++)
            if (film->air[m][q] >= 0) s->c->change[m][q] += film->p[film->air[m][q]];
    }
}

void film_system_end(FilmSystem* s) { border_end(&s->border); }

// ---- a film alone ----------------------------------------------------------------------------------------------------------

static mn_status load_alone(PoissonOperator* op, void* self, Coupling* c, int cluster)
{
    return (void)c, (void)cluster, film_system_load(op, self);
}

static mn_status judge_alone(PartnerVerdict* verdict, void* self, Coupling* c, int cluster)
{
    return (void)c, (void)cluster, film_system_judge(verdict, self);
}

// All that have a problem, in one cluster.
static mn_status couple_all(Coupling* c, const Liquid* liquid, Pressure* const* pressure, int count, Arena* arena)
{
    int first = -1;
    TRY(coupling_begin(c, count, arena));
    for (int m = 0; m < count; m++) {
        if (!(c->pressure[m] = pressure[m])) continue;
        if (first < 0) first = m;
        coupling_join(c, first, m);
    }
    return coupling_gather(c, liquid, arena);
}

mn_status film_solve(Film* film, SolveReport* report, const Liquid* liquid, Pressure* const* pressure, int count,
                     const SolveOptions* options, Arena* arena)
{
    static const PartnerVerbs verbs = {.name = "film", .load = load_alone, .judge = judge_alone};
    Coupling c;
    FilmSystem* s;
    TRY(couple_all(&c, liquid, pressure, count, arena));
    if (c.clusters == 0) return *report = (SolveReport){.converged = true}, MN_OK;
    TRY(film_system_begin(&s, film, &c, 0, arena));
    Partners alone = {.partner = {{&verbs, s}}, .count = 1};
    mn_status status = partners_solve(report, &alone, &c, 0, options, arena);
    if (status == MN_OK) film_system_answer(s);
    film_system_end(s);
    return status;
}

void film_force(double out[3], const Film* film, const Liquid* q, int m, bool of_solids)
{
    double face = window_face_area(&q->w);
    assert(m >= 0 && m < film->bodies.liquids && (film->p || film->cells == 0));
    out[0] = out[1] = out[2] = 0;
    for (int c = 0; c < q->cells.count; c++) {
        int air = film->air[m][c];
        if (air < 0 || (!of_solids && film_on_solid(film, &film->cell[air]))) continue;
        for (int d = 0; d < 3; d++) out[d] -= face*film->p[air]*q->cells.cut[c].patch[d];
    }
}

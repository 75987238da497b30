#include "film/film_energy.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"

static double face_of(const Film* film) { return film->tank.dim == 3 ? film->tank.dx*film->tank.dx : film->tank.dx; }

void film_gain(double* gain, const Film* film, const FilmLink* link, int links, const PoissonGroup* group, const double* rho,
               double dt)
{
    assert(film->p && dt > 0);
    memset(gain, 0, sizeof *gain*(size_t)film->cells);
    for (int m = 0; m < links; m++) {
        const FilmLink* f = &link[m];
        double after = film_outflow(film, f, group, rho[f->part], dt);
        gain[f->air] -= 0.5*dt*film->p[f->air]*face_of(film)*(f->link->outflow + after);
    }
}

// A row of the film reads: what leaves the liquids, as they see it, is
//     sum A.u_new = what flows on by pressure + sum A.u_c + dragged out - inflow;
// the last three are its sources. Pressure times the flow by pressure is lost in the air. On solids u_c is theirs.
void film_source_work(double* work, const Film* film, const FilmLink* link, int links, const double* inflow, double dt)
{
    assert(film->p && dt > 0);
    for (int c = 0; c < film->cells; c++) work[c] = dt*film->p[c]*inflow[c];
    for (int m = 0; m < links; m++) {
        const AirCell* c = &film->cell[link[m].air];
        if (film_on_solid(film, c)) continue;
        work[link[m].air] -= dt*film->p[link[m].air]*face_of(film)*vec_dot(link[m].link->area, c->u);
    }
    for (int m = 0; m < film->edges; m++) {
        const AirEdge* e = &film->edge[m];
        work[e->a] -= dt*film->p[e->a]*film_dragged(film, e, e->a);
        if (e->b >= 0) work[e->b] += dt*film->p[e->b]*film_dragged(film, e, e->b);
    }
}

// The liquids on the sides of an air cell: 1, beside a solid, or 2.
static int sides(const Film* film, const AirCell* c) { return film_on_solid(film, c) ? 1 : 2; }

// Liquid by liquid, and what a film brings both its sides counts for either: a light liquid that a heavy one presses on must not
// be given a part of the heavy one's energy, which is many times its own. (A drop of a 94th of the density was, 2 % of the heavy
// one's energy and more in every step: 150 m/s out of 4.)
bool film_shares(double* share, const Film* film, const double* gain, const double* work, double* room)
{
    int liquids = film->bodies.liquids;
    double *gained = room, *done = room + liquids, *of = room + 2*liquids;
    bool weaker = false;
    for (int m = 0; m < liquids; m++) gained[m] = done[m] = 0;
    for (int c = 0; c < film->cells; c++)
        for (int s = 0; s < sides(film, &film->cell[c]); s++)
            gained[film->cell[c].pair[s]] += gain[c], done[film->cell[c].pair[s]] += work[c];
    for (int m = 0; m < liquids; m++) {
        double brings = fmin(gained[m], done[m]), most = film->most_gain ? film->most_gain[m] : INFINITY;
        of[m] = brings > most ? most/brings : 1;
    }
    for (int c = 0; c < film->cells; c++) {
        share[c] = 1;
        for (int s = 0; s < sides(film, &film->cell[c]); s++) share[c] = fmin(share[c], of[film->cell[c].pair[s]]);
        weaker = weaker || share[c] < 1;
    }
    return weaker;
}

void film_calm(Film* film, double* inflow, const double* share)
{
    for (int m = 0; m < film->edges; m++) {
        AirEdge* e = &film->edge[m];
        const AirCell* a = &film->cell[e->a];
        double s = e->b >= 0 ? fmin(share[e->a], share[e->b]) : share[e->a];
        for (int d = 0; d < 3; d++) {
            double still = film_on_solid(film, a) ? a->u[d] : 0;
            e->u[d] = still + s*(e->u[d] - still);
        }
    }
    for (int c = 0; c < film->cells; c++) {
        assert(share[c] >= 0 && share[c] <= 1);
        inflow[c] *= share[c];
        for (int d = 0; d < 3 && !film_on_solid(film, &film->cell[c]); d++) film->cell[c].u[d] *= share[c];
    }
}

double film_solid_work(const Film* film, const Liquid* q, int m, const Solids* solids, double dt)
{
    assert(m >= 0 && m < film->bodies.liquids && (film->p || film->cells == 0));
    double power = 0;
    for (int c = 0; c < q->cells.count && solids->any_moving; c++) {
        const CutCell* cut = &q->cells.cut[c];
        int air = film->air[m][c];
        double x[3], v[3];
        int which = 0;
        if (air < 0 || !film_on_solid(film, &film->cell[air]) || film->cell[air].skin > 0) continue;
        window_position(x, &q->w, cut->i + cut->center[0], cut->j + cut->center[1], cut->k + cut->center[2]);
        solids_kept_off(solids, x, &which);
        solid_velocity_at(v, &solids->solid[which], x);
        power -= film->p[air]*vec_dot(cut->patch, v);
    }
    return dt*window_face_area(&q->w)*power;
}

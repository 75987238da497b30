#include "film/film_energy.h"

#include <assert.h>
#include "base/vec.h"

static double face_of(const Film* film) { return film->tank.dim == 3 ? film->tank.dx*film->tank.dx : film->tank.dx; }

double film_gain(const Film* film, const FilmLink* link, int links, const PoissonGroup* group, const double* rho, double dt)
{
    assert(film->p && dt > 0);
    double sum = 0;
    for (int m = 0; m < links; m++) {
        const FilmLink* f = &link[m];
        double after = film_outflow(film, f, group, rho[f->part], dt);
        sum -= 0.5*dt*film->p[f->air]*face_of(film)*(f->link->outflow + after);
    }
    return sum;
}

// A row of the film reads: what leaves the liquids, as they see it, is
//     sum A.u_new = what flows on by pressure + sum A.u_c + dragged out - inflow;
// the last three are its sources. Pressure times the flow by pressure is lost in the air.
double film_source_work(const Film* film, const FilmLink* link, int links, const double* inflow, double dt)
{
    assert(film->p && dt > 0);
    double sum = 0;
    for (int c = 0; c < film->cells; c++) sum += film->p[c]*inflow[c];
    for (int m = 0; m < links; m++)
        sum -= film->p[link[m].air]*face_of(film)*vec_dot(link[m].link->area, film->cell[link[m].air].u);
    for (int m = 0; m < film->edges; m++) {
        const AirEdge* e = &film->edge[m];
        sum -= film->p[e->a]*film_dragged(film, e, e->a);
        if (e->b >= 0) sum += film->p[e->b]*film_dragged(film, e, e->b);
    }
    return dt*sum;
}

void film_calm(Film* film, double* inflow, double share)
{
    assert(share >= 0 && share <= 1);
    for (int c = 0; c < film->cells; c++) {
        inflow[c] *= share;
        for (int d = 0; d < 3; d++) film->cell[c].u[d] *= share;
    }
    for (int m = 0; m < film->edges; m++)
        for (int d = 0; d < 3; d++) film->edge[m].u[d] *= share;
}

double film_solid_work(const Film* film, const Liquid* q, int m, const Solids* solids, double dt)
{
    assert(m >= 0 && m < film->bodies.liquids && (film->p || film->cells == 0));
    double power = 0;
    for (int c = 0; c < q->cells.count && solids->any_moving; c++) {
        const CutCell* cut = &q->cells.cut[c];
        int air = film->air[m][c];
        double x[3], v[3];
        if (air < 0 || !film_on_solid(film, &film->cell[air])) continue;
        window_position(x, &q->w, cut->i + cut->center[0], cut->j + cut->center[1], cut->k + cut->center[2]);
        solids_velocity(v, solids, x);
        power -= film->p[air]*vec_dot(cut->patch, v);
    }
    return dt*window_face_area(&q->w)*power;
}

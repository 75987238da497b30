#include "film/film_body.h"

#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/interpolate.h"

static FilmBody body_of(const Liquid* q)
{
    return (FilmBody){
        .liquid = q, .solids = -1, .id = q->id, .w = &q->w, .phi = q->phi.v, .u = {q->u[0].v, q->u[1].v, q->u[2].v}};
}

mn_status film_bodies_init(FilmBodies* b, const Liquid* liquid, int liquids, Arena* arena)
{
    assert(liquids >= 0);
    *b = (FilmBodies){.count = liquids, .liquids = liquids};
    TRY_MEMORY(b->body = ARENA_NEW(arena, FilmBody, 2*liquids));
    for (int m = 0; m < liquids; m++) b->body[m] = body_of(&liquid[m]);
    return MN_OK;
}

bool film_to_window(double out[3], const Window* w, const double x[3])
{
    out[2] = 0;
    for (int d = 0; d < w->dim; d++) {
        out[d] = x[d] - w->lo[d];
        if (out[d] < 0 || out[d] > w->n[d]) return false;
    }
    return true;
}

bool film_windows_meet(const Window* a, const Window* b)
{
    for (int d = 0; d < a->dim; d++)
        if (a->lo[d] >= b->lo[d] + b->n[d] || b->lo[d] >= a->lo[d] + a->n[d]) return false;
    return true;
}

void film_slope(double slope[3], const FilmBody* q, const double x[3])
{
    assert(q->phi);
    slope[0] = slope[1] = slope[2] = 0;
    for (int d = 0; d < q->w->dim; d++) {
        double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
        low[d] -= 0.5, high[d] += 0.5;
        slope[d] = (node_value(q->phi, q->w, high) - node_value(q->phi, q->w, low))/q->w->dx;
    }
}

// Second difference of phi along an axis at a grid point, m; at a mirror with the image of the point beside it. NAN at other ends
// of the window.
static double second_difference(const FilmBody* q, const int node[3], int axis)
{
    const Window* w = q->w;
    ptrdiff_t s = window_stride(w, axis), low = -s, high = s;
    if (node[axis] < 1) low = w->side[2*axis] == SIDE_IS_MIRROR ? s : 0;
    if (node[axis] > w->n[axis] - 1) high = w->side[2*axis + 1] == SIDE_IS_MIRROR ? -s : 0;
    const double* v = q->phi + window_at(w, node[0], node[1], node[2]);
    return low && high ? v[low] - 2*v[0] + v[high] : NAN;
}

// Surfaces with a radius of fewer cells than 1/SMOOTH are no longer told from edges of phi, from 2/SMOOTH on they are smooth.
static const double SMOOTH = 0.5;

// The same around a point, f from `corner`: between those at the grid points of its cell, but at most twice the least of them,
// and none where they do not agree (an edge of phi, or the end of its band).
static double bend(const FilmBody* q, const int corner[3], const double f[3], int axis)
{
    double low = INFINITY, high = -INFINITY, sum = 0, weights = 0;
    for (int c = 0; c < 1 << q->w->dim; c++) {
        int node[3];
        double weight = 1;
        for (int d = 0; d < 3; d++) node[d] = corner[d] + (c >> d & 1);
        for (int d = 0; d < q->w->dim; d++) weight *= c >> d & 1 ? f[d] : 1 - f[d];
        double second = second_difference(q, node, axis);
        if (isnan(second)) continue;
        low = fmin(low, second), high = fmax(high, second);
        sum += weight*second, weights += weight;
    }
    if (!(weights > 0) || low*high <= 0) return 0;
    double trust = clamp(2 - 2*fmax(fabs(low), fabs(high))/(SMOOTH*q->w->dx), 0, 1);
    return trust*(low > 0 ? fmin(sum/weights, 2*low) : fmax(sum/weights, 2*high));
}

// phi between grid points. Straight lines between them would put the surface of a drop dx^2/(8 R) too deep half way: at R = 8 dx
// a fiftieth of a cell, which is more than many a film is thick. With f the place between two grid points,
//     phi = (1 - f) phi_0 + f phi_1 - f (1 - f)/2 phi'' dx^2.
static double phi_between(const FilmBody* q, const double x[3])
{
    int corner[3] = {0, 0, 0};
    double f[3] = {0, 0, 0}, phi = node_value(q->phi, q->w, x);
    for (int d = 0; d < q->w->dim; d++)
        corner[d] = clampi((int)floor(x[d]), 0, q->w->n[d] - 1), f[d] = clamp(x[d] - corner[d], 0, 1);
    for (int d = 0; d < q->w->dim; d++) phi -= 0.5*f[d]*(1 - f[d])*bend(q, corner, f, d);
    return phi;
}

double film_distance(const FilmBody* q, const double x[3])
{
    double slope[3];
    film_slope(slope, q, x);
    // where phi is clamped or has an edge its slope says nothing
    return phi_between(q, x)/clamp(vec_norm(slope), 0.7, FILM_STEEPEST);
}

static void velocity_of(double out[3], const FilmBody* q, const double x[3])
{
    double at[3];
    film_to_window(at, q->w, x);
    face_velocity(out, q->u, q->w, at);
}

void film_velocity(double out[3], const FilmBodies* bodies, const int pair[2], const double x[3], bool own)
{
    assert(pair[0] != pair[1] && pair[0] < bodies->liquids);
    double v[2][3];
    for (int s = 0; s < 2; s++) velocity_of(v[s], &bodies->body[pair[s]], x);
    bool solid = own && film_body_is_solid(&bodies->body[pair[1]]);
    for (int d = 0; d < 3; d++) out[d] = solid ? v[1][d] : 0.5*(v[0][d] + v[1][d]);
}

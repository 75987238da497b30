// What pulls at contact lines: sigma (cos(theta) - cos(the angle there is)), as a curvature.
//
// Across the line n.N changes along the surface by kappa per height, so the surface between the wall and the height h pulls along
// the wall with sigma (n.N at h - n.N on the wall). phi is continued as it comes down to the wall (line_free); the curvature of
// that knows the angle there is, c = n.N on the line, and with the wanted cos(theta) in its place the lowest cell lacks
// (c - cos(theta))/dx of curvature. Where it is added, in kappa, it does the work by which the surface energy sigma (A -
// cos(theta) A_wet) of a line that moves changes, at every pair of angles. (Before, phi went on past the wall at the wanted
// angle: its kink carried a fifth to a half of that force where the two are far apart, distances made anew drew the line by up
// to 0.1 cells in each step, and a drop thrown at a wall of 170 degrees won a quarter of its energy.)
#include <assert.h>
#include <math.h>
#include "grid/contact_line.h"
#include "grid/curvature.h"
#include "grid/interpolate.h"

// The missing curvature is spread over the nodes within so many cells of the wall, falling linearly to 0, with an integral of dx.
// Surface points read kappa linearly between nodes. On walls of the tank all of it is on the wall's own nodes: half-way up to the
// next, where the pressure's links lie, it has its mean value. (Spread over 1.5 or 2 cells lines of 150 degrees come to rest
// later, and the drop thrown at 170 wins back 2.6 % of its energy instead of 0.9.) A solid's skin cuts the cells anywhere: over
// 1.5 cells the integral is right within 7 %, over one within 20 %. It vanishes with the force: lines come to rest at their
// angle with any.
static const double OVER_WALL = 1, OVER_SOLID = 1.5;

// A line within so many cells along the wall counts: of 14 degrees and more, it is not further from what lies a cell above it.
enum { LINE_REACH = 4 };

// Where the skin has bent away by this much (cells) from the plane that the line was looked for in, it is on another face.
static const double STILL_SKIN = 0.5;

typedef struct Pull {
    double* kappa;
    const double *phi, *phi_s;
    const Edges* edges;
    const Spans* spans;
    const Window* w;
    const Contact* contact;
} Pull;

// Does phi change sign along the wall, from the line's point in the direction where it comes nearer to 0? Under a surface that
// lies along the wall, or has not come down to it yet, there is no line. g: gradient of phi, m per cell.
static bool has_line(const Line* l, const Pull* p, const double g[3])
{
    double T[3], x[3], across = vec_dot(g, l->N), here = node_value(l->phi, l->w, l->skin);
    for (int d = 0; d < 3; d++) T[d] = g[d] - across*l->N[d];
    double slope = vec_norm(T);
    if (!(slope > LEAST_SLOPE_ALONG*l->w->dx)) return false;
    for (int s = 1; s <= LINE_REACH; s++) {
        for (int d = 0; d < 3; d++) x[d] = l->skin[d] - copysign(s, here)*T[d]/slope;
        if ((node_value(l->phi, l->w, x) < 0) == (here < 0)) continue;
        return l->wall || fabs(node_value(p->phi_s, l->w, x)) < STILL_SKIN*l->w->dx;
    }
    return false;
}

// Per cell: how the skin below a node curves in the plane across the line, > 0 on a convex solid. phi_s is a distance: at the
// height h a skin of radius 1/ks has the curvature k = ks/(1 + ks h). Narrow solids are rounder than the grid can tell. On a
// round skin phi_s rises alike to both sides, and four times as far over two cells as over one; at an edge it does not: edges do
// not curve.
static double skin_curvature(const Line* l, const Pull* p, ptrdiff_t at, const int node[3], const double g[3], double height)
{
    double T[3], rise[2][2], across = vec_dot(g, l->N);
    if (l->wall) return 0;
    for (int d = 0; d < 3; d++) T[d] = g[d] - across*l->N[d];
    double slope = vec_norm(T);
    for (int far = 0; far < 2; far++)
        for (int side = 0; side < 2; side++) {
            double x[3], way = (side ? 1 : -1)*(far + 1)/slope;
            for (int d = 0; d < 3; d++) x[d] = node[d] + way*T[d];
            rise[far][side] = (node_value(p->phi_s, p->w, x) - p->phi_s[at])/p->w->dx;
        }
    double near = rise[0][0] + rise[0][1], beyond = rise[1][0] + rise[1][1];
    if (!(fabs(rise[1][0] - rise[1][1]) < 0.5*fabs(beyond)) ||
        !(fabs(beyond) > 3*fabs(near) && fabs(beyond) < 5*fabs(near)))
        return 0;
    double k = clamp(near, -0.3, 0.5);
    return k/fmax(1 - k*height, 0.5);
}

// What the curvature lacks at a node `height` cells above the line's point, 1/m. Around the centre of a skin of curvature ks and
// that of the surface's circle, of curvature k1, the law of cosines for the node and for the line gives the cosine on the line,
//     cos(theta) = n.N (1 + k1 phi) (1 + ks h) - k1 h (1 + ks h/2) - ks phi (1 + k1 phi/2).
// (Flat skin assumed, cylinders of R = 8 dx floated at angles a degree from 90 further than theirs.) The normal is the one that
// the curvature is made of: what the two see of the surface must agree, or the pull is not the rest of what the curvature is.
static double missing(Line* l, const Pull* p, const int node[3], ptrdiff_t at, double height, double over)
{
    Wanted wanted = line_wanted(l, p->contact);
    if (wanted.low < wanted.high || wanted.low == 0) return 0;  // held by hysteresis, or reflected
    double n[3], g[3], dx = p->w->dx;
    node_gradient(g, p->phi, p->w, at);
    if (!has_line(l, p, g)) return 0;
    double kappa = curvature_at(n, p->phi, p->w, at);
    // below what can be measured a cap is as round along the line as across it
    if (line_measure(l) == NO_LINE) l->k1 = kappa*dx/(p->w->dim - 1);
    double ks = skin_curvature(l, p, at, node, g, height), k1 = l->k1, phi = p->phi[at]/dx;
    double cosine = vec_dot(n, l->N)*(1 + k1*phi)*(1 + ks*height) - k1*height*(1 + 0.5*ks*height) -
                    ks*phi*(1 + 0.5*k1*phi);
    cosine = clamp(cosine, -1, 1);
    return 2/over*(1 - fabs(height)/over)*(cosine - wanted.low)/dx;
}

static double missing_on_walls(const Pull* p, const int node[3], ptrdiff_t at)
{
    double sum = 0;
    for (int d = 0; d < p->w->dim; d++)
        for (int high = 0; high < 2; high++) {
            if (node[d] != (high ? p->w->n[d] : 0) || p->w->side[2*d + high] != SIDE_IS_WALL) continue;
            Line l = {.phi = p->phi, .w = p->w, .skin = {node[0], node[1], node[2]}, .wall = 1 + d};
            l.N[d] = high ? -1 : 1;
            sum += missing(&l, p, node, at, 0, OVER_WALL);
        }
    return sum;
}

static double missing_on_solid(const Pull* p, const int node[3], ptrdiff_t at)
{
    double height = p->phi_s[at]/p->w->dx;
    if (!(fabs(height) < OVER_SOLID)) return 0;
    Line l = {.phi = p->phi, .w = p->w, .skin = {node[0], node[1], node[2]}};
    node_normal(l.N, p->phi_s, p->w, at);
    for (int d = 0; d < p->w->dim; d++) l.skin[d] -= height*l.N[d];
    return missing(&l, p, node, at, height, OVER_SOLID);
}

static void pull_row(const Pull* p, int r)
{
    double reach = CURVATURE_REACH*p->w->dx;
    int j = r%p->spans->rows_y, k = r/p->spans->rows_y;
    SPAN_LOOP(p->spans, r, q)
        for (int i = p->spans->span[q].i0; i < p->spans->span[q].i1; i++) {
            int node[3] = {i, j, k};
            ptrdiff_t at = window_at(p->w, i, j, k);
            if (!(fabs(p->phi[at]) < reach) || edges_at(p->edges, at)) continue;
            if (!p->phi_s || p->phi_s[at] > 0) p->kappa[at] += missing_on_walls(p, node, at);
            if (p->phi_s) p->kappa[at] += missing_on_solid(p, node, at);
        }
}

void contact_pull(double* kappa, const double* phi, const double* phi_s, const Edges* edges, const Spans* spans, const Window* w,
                  const Contact* contact)
{
    assert(kappa && phi && kappa != phi && spans_is_valid(spans, w));
    if (!contact) return;
    Pull p = {kappa, phi, phi_s, edges, spans, w, contact};
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++) pull_row(&p, r);
    nodes_exchange(kappa, w, LINEAR_READS);
}

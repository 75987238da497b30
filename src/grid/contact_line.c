#include "grid/contact_line.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "grid/interpolate.h"

static double snapped(double cosine) { return fabs(cosine) < RIGHT_ANGLE ? 0 : clamp(cosine, -1, 1); }

Wanted line_wanted(const Line* l, const Contact* c)
{
    assert(l->w);
    if (!c) return (Wanted){0, 0};
    double x[3], cosine = c->cosine, slack = c->at ? 0 : c->slack;
    if (c->at) {
        window_position(x, l->w, l->skin[0], l->skin[1], l->skin[2]);
        cosine = c->at(c->user, &slack, x, l->N);
    }
    return (Wanted){snapped(cosine), slack > 0 ? snapped(cosine + slack) : snapped(cosine)};
}

// ---- measuring ---------------------------------------------------------------------------------------------------------------

// Where the surface is asked for its normal: at two points `arm` cells along it on either side of one `height` cells above the
// wall.
typedef struct Probe {
    double height, arm;  // cells
    Sight sight;         // what a line found by it is worth
} Probe;

// A cubic between nodes m and m + 1 reads m - 1 to m + 2. The lower point is arm below the height at most (the surface
// upright): on a wall along the grid it is in the middle of its four nodes if height - arm >= 1, and 1.25 leaves a quarter of a
// cell for a surface that is not straight. A drop lower than that is measured lower, from the lowest four.
static const Probe ALONG_GRID[] = {{2.75, 1.5, LINE_SEEN}, {1.5, 0.75, LINE_SEEN_LOW}};
// On a tilted skin the corners of a cubic's block reach deeper, 2 (|Nx| + |Ny| + |Nz|) at most: one cell more of height leaves
// only corners of the block inside a solid in 2D, of weight (1/16)^2 or less.
static const Probe TILTED[] = {{3.75, 1.5, LINE_SEEN}, {2.75, 0.75, LINE_SEEN_LOW}, {1.5, 0.75, LINE_SEEN_LOW}};
// A skin counts as along the grid up to 2.6 degrees: over the height of a probe it is then off by 1/8 of a cell.
static const double ALONG_COSINE = 0.999;

// The slope of phi along the wall is the sine of the surface's angle with it. Below 0.15, 9 degrees, surface and wall are all but
// parallel: no direction along the wall leads to the surface.
static const double LEAST_SINE = 0.15;
// Newton's method walks along the wall by no more than this at a time (cells): the band's width and a cell, past which phi is
// flat.
static const double LONGEST_WALK = BAND + 1;
// After it the surface must be this near (cells), else it does not come up to the height of the probe.
static const double FOUND = 0.5;
// The two points of a probe are still on this surface if phi is small there (cells) and has a slope. Between two surfaces phi
// has a crease, and the slope across it is the mean of two normals: 0.3 is that of normals 145 degrees apart.
static const double SAME_SURFACE = 2, LEAST_SLOPE = 0.3;
// A bend of more than this (1/cells), R under 3.3 cells, is not one that two normals 3 cells apart can measure.
static const double SHARPEST_BEND = 0.3;

// The nodes that a cubic reads along one axis, and their weights in the value and in the slope.
typedef struct CubicLine {
    int first, count;
    double value[5], slope[5];
} CubicLine;

// On a node the slopes of the cubics on its two sides differ: the mean of theirs prefers neither side of the grid.
static const double ON_NODE = 1e-9;  // cells

// Across a wall of the tank (`inside`) no node past it is read: the columns beside this one may or may not have filled theirs.
static inline void cubic_line_at(CubicLine* c, double x, int last, bool inside)
{
    x = min2(max2(x, -1.0), last + 1.0);
    int near = (int)(x + 2.5) - 2;
    if (!inside && fabs(x - near) < ON_NODE) {
        *c = (CubicLine){near - 2, 5, {0, 0, 1, 0, 0}, {1/12.0, -8/12.0, 0, 8/12.0, -1/12.0}};
        return;
    }
    int i = (int)(x + 2) - 2;
    if (inside) i = clampi(i, 1, last - 2);
    c->first = i - 1, c->count = 4;
    cubic_weights(c->value, x - i);
    cubic_slopes(c->slope, x - i);
}

static inline const double* block_row(const Line* l, const CubicLine c[3], int j, int k)
{
    return l->phi + window_at(l->w, c[0].first, c[1].first + j, c[2].first + k);
}

// Numbers of the four nodes of a row, that go through the same sums side by side.
typedef double Four __attribute__((vector_size(4*sizeof(double))));

// First across the rows, then along.
static inline double read_rows_of_four(double g[3], const Line* l, const CubicLine c[3], const int nk)
{
    Four value = {0}, along_y = {0}, along_z = {0};
    double f = 0;
    for (int k = 0; k < nk; k++)
        for (int j = 0; j < 4; j++) {
            Four row;
            memcpy(&row, block_row(l, c, j, k), sizeof row);
            value += c[1].value[j]*c[2].value[k]*row;
            along_y += c[1].slope[j]*c[2].value[k]*row, along_z += c[1].value[j]*c[2].slope[k]*row;
        }
    g[0] = g[1] = g[2] = 0;
    for (int i = 0; i < 4; i++) {
        f += c[0].value[i]*value[i], g[0] += c[0].slope[i]*value[i];
        g[1] += c[0].value[i]*along_y[i], g[2] += c[0].value[i]*along_z[i];
    }
    return f;
}

static inline double sum_of_four(const double weight[4], const double* row)
{
    Four w, q;
    memcpy(&w, weight, sizeof w), memcpy(&q, row, sizeof q);
    q *= w;
    return ((q[0] + q[1]) + q[2]) + q[3];
}

// On a node along some axis: there the value has that node alone, and only slopes have five. Columns of walls are on nodes along
// both axes of the wall.
static double read_rows(double g[3], const Line* l, const CubicLine c[3])
{
    const double* corner = block_row(l, c, 0, 0);
    bool on_x = c[0].count == 5, on_y = c[1].count == 5, on_z = c[2].count == 5;
    double f = 0, along_x = 0, along_y = 0, along_z = 0;
    for (int k = 0; k < c[2].count; k++) {
        bool in_z = !on_z || k == 2;
        int j0 = on_y && !in_z ? 2 : 0, j1 = on_y && !in_z ? 3 : c[1].count;
        for (int j = j0; j < j1; j++) {
            const double* row = corner + j*l->w->sy + k*l->w->sz;
            double value = on_x ? row[2] : sum_of_four(c[0].value, row);
            along_y += c[1].slope[j]*c[2].value[k]*value, along_z += c[1].value[j]*c[2].slope[k]*value;
            if (!in_z || (on_y && j != 2)) continue;
            double slope = sum_of_four(c[0].slope, row), both = c[1].value[j]*c[2].value[k];
            if (on_x) slope += c[0].slope[4]*row[4];
            f += both*value, along_x += both*slope;
        }
    }
    g[0] = along_x, g[1] = along_y, g[2] = along_z;
    return f;
}

static inline bool is_settled(const Line* l, const CubicLine c[3], const int dim)
{
    for (int d = 0; d < dim; d++)
        if (c[d].count != 4 || c[d].first < 0 || c[d].first + 3 > l->w->n[d]) return false;
    return !l->unsettled[window_at(l->w, c[0].first, c[1].first, c[2].first)];
}

// phi at a place given in cells, and its gradient, m per cell.
static inline double read_surface(double g[3], Line* l, const double x[3], const int dim)
{
    CubicLine c[3];
    if (dim == 2) c[2] = (CubicLine){0, 1, {1}, {0}};
    for (int d = 0; d < dim; d++) cubic_line_at(&c[d], x[d], l->w->n[d], l->wall == 1 + d);
    l->lasts = l->lasts && is_settled(l, c, dim);
    for (int d = 0; l->read && d < dim; d++) {
        l->read->low[d] = mini(l->read->low[d], c[d].first);
        l->read->high[d] = maxi(l->read->high[d], c[d].first + c[d].count - 1);
    }
    bool off_nodes = c[0].count == 4 && c[1].count == 4 && (dim == 2 || c[2].count == 4);
    return off_nodes ? read_rows_of_four(g, l, c, dim == 3 ? 4 : 1) : read_rows(g, l, c);
}

// Goes along the wall from the height of a probe to the surface: two steps of Newton's method. x: there; across: d phi/dN, and
// along the slope along T, both m per cell. False where there is no surface like that.
static inline bool walk_to_surface(double x[3], double* across, double* along, Line* l, double height, const int dim)
{
    double g[3], dx = l->w->dx;
    for (int d = 0; d < dim; d++) x[d] = l->skin[d] + height*l->N[d];
    for (int step = 0; step < 3; step++) {
        double f = read_surface(g, l, x, dim);
        *across = vec_dot(g, l->N);
        for (int d = 0; d < dim; d++) l->T[d] = g[d] - *across*l->N[d];
        *along = vec_norm(l->T);
        if (!(*along > LEAST_SINE*dx) || !line_is_near(f, l->w)) return false;
        if (step == 2 && !(fabs(f) < FOUND*dx)) return false;
        double move = step < 2 ? clamp(f / *along, -LONGEST_WALK, LONGEST_WALK) : 0;
        for (int d = 0; d < dim; d++) l->T[d] /= *along, x[d] -= move*l->T[d];
    }
    return true;
}

// k1 from the turn of the normal between the two points of a probe, and the cosine on the line below: n.N falls by k1 per cell
// down to it, as on a circle.
static inline bool measure_by(Line* l, const Probe* probe, const int dim)
{
    double x[3] = {0}, g[3], turn = 0, along = 0, across = 0, arm = probe->arm, dx = l->w->dx;
    l->T[2] = 0;
    if (!walk_to_surface(x, &across, &along, l, probe->height, dim)) return false;
    double norm = hypot(across, along), tangent[3] = {0};
    for (int d = 0; d < dim; d++) tangent[d] = (along*l->N[d] - across*l->T[d])/norm;
    for (int m = -1; m <= 1; m += 2) {
        double y[3] = {0};
        for (int d = 0; d < dim; d++) y[d] = x[d] + arm*m*tangent[d];
        double f = read_surface(g, l, y, dim), slope = vec_norm(g);
        if (!(fabs(f) < SAME_SURFACE*dx) || !(slope > LEAST_SLOPE*dx)) return false;
        turn += m*vec_dot(g, tangent)/slope;
    }
    // on a circle the normal at the ends of the tangent has turned by atan(k1 arm)
    double sine = clamp(0.5*turn, -0.9, 0.9);
    l->k1 = clamp(sine/(arm*sqrt(1 - sine*sine)), -SHARPEST_BEND, SHARPEST_BEND);
    l->cosine = clamp(across/norm - l->k1*probe->height, -1, 1);
    return true;
}

static inline bool is_along_grid(const double N[3]) { return max2(fabs(N[0]), max2(fabs(N[1]), fabs(N[2]))) > ALONG_COSINE; }

static inline Sight measure_first(Line* l, const Probe* probe, int count, const int dim)
{
    for (int m = 0; m < count; m++)
        if (measure_by(l, &probe[m], dim)) return probe[m].sight;
    l->k1 = 0;
    return NO_LINE;
}

Sight line_measure(Line* l)
{
    bool along_grid = is_along_grid(l->N);
    const Probe* probe = along_grid ? ALONG_GRID : TILTED;
    int count = along_grid ? (int)(sizeof ALONG_GRID/sizeof *probe) : (int)(sizeof TILTED/sizeof *probe);
    assert(l->phi && vec_norm(l->N) < 1 + 1e-9);
    l->lasts = l->unsettled != NULL;
    return l->w->dim == 3 ? measure_first(l, probe, count, 3) : measure_first(l, probe, count, 2);
}

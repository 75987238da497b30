#include "scene/body_mass.h"

#include <assert.h>
#include "base/budget.h"
#include "base/vec.h"
#include "grid/cutcell.h"

// Halvings of the cube around the shape.
enum { HALVINGS_3D = 8, HALVINGS_2D = 12 };
// At edges, where the surface in a cell is no plane, there are more: the mean of the distances at a cell's corners is then this
// far (cells) from that in its middle.
enum { AT_EDGES = 2 };
static const double BENT = 0.02;
// Tables of meshes give distances far from the surface that may be too large by this factor.
static const double FAR_SLACK = 1.25;

typedef struct Sum {
    const Shape* shape;
    int dim;
    BodyMoments sum;
} Sum;

// A box of edge h around x of which the part `fraction` is inside: as a slab of that thickness, on the side away from the normal.
static void add_cell(Sum* s, const double x[3], double h, double fraction, const double normal[3])
{
    double volume = fraction*(s->dim == 3 ? h*h*h : h*h), at[3] = {0, 0, 0};
    s->sum.volume += volume;
    for (int a = 0; a < s->dim; a++) {
        at[a] = x[a] - 0.5*(1 - fraction)*h*normal[a];
        s->sum.first[a] += volume*at[a];
    }
    for (int a = 0; a < s->dim; a++)
        for (int b = 0; b < s->dim; b++) {
            double own = (a == b) - (1 - fraction*fraction)*normal[a]*normal[b];
            s->sum.second[a][b] += volume*(at[a]*at[b] + own*h*h/12);
        }
}

static double distance_at(const Sum* s, const double x[3])
{
    double place[3] = {0, 0, 0};
    for (int d = 0; d < s->dim; d++) place[d] = s->sum.middle[d] + x[d];
    return shape_distance(s->shape, place);
}

// Distances at the corners, in cells.
static void corner_distances(double phi[8], const Sum* s, const double x[3], double h)
{
    for (int c = 0; c < 1 << s->dim; c++) {
        double corner[3] = {x[0] + ((c & 1) - 0.5)*h, x[1] + ((c >> 1 & 1) - 0.5)*h, x[2] + ((c >> 2) - 0.5)*h};
        phi[c] = cut_snap(distance_at(s, corner)/h);
    }
}

static double cut_fraction(const double phi[8], int dim)
{
    // corners of the low and high faces per axis, in cyclic order
    static const int ring[6][4] = {{0, 2, 6, 4}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 1, 3, 2}, {4, 5, 7, 6}};
    double face[6];
    CellCut cut;
    if (dim == 2) {
        cut_cell_2d(&cut, phi, NULL);
        return cut.volume;
    }
    for (int side = 0; side < 6; side++) {
        const int* r = ring[side];
        face[side] = cut_square((double[4]){phi[r[0]], phi[r[1]], phi[r[2]], phi[r[3]]}, NULL);
    }
    cut_cell_3d(&cut, phi, NULL, face);
    return cut.volume;
}

// Unit normal out of the shape.
static void normal_of(double n[3], const double phi[8], int dim)
{
    for (int d = 0; d < 3; d++) n[d] = 0;
    for (int c = 0; c < 1 << dim; c++)
        for (int d = 0; d < dim; d++) n[d] += c >> d & 1 ? phi[c] : -phi[c];
    double norm = vec_norm(n);
    for (int d = 0; d < 3; d++) n[d] = norm > 0 ? n[d]/norm : 0;
}

static double mean_of(const double phi[8], int dim)
{
    double mean = 0;
    for (int c = 0; c < 1 << dim; c++) mean += phi[c]/(1 << dim);
    return mean;
}

static void add_part(Sum* s, const double x[3], double h, int halvings)
{
    double d = distance_at(s, x), half_diagonal = 0.5*h*sqrt(s->dim), phi[8], normal[3];
    if (fabs(d) > FAR_SLACK*half_diagonal || budget_is_spent()) {
        if (d < 0) add_cell(s, x, h, 1, (double[3]){0, 0, 0});
        return;
    }
    if (halvings <= 0) {
        corner_distances(phi, s, x, h);
        // On a curved surface the middle is nearer than the mean of the corners, by h^2/8 of the Laplacian of the distance; over
        // the cell the linear distance is too large by h^2/12 of it. At an edge that is no rule.
        double off = mean_of(phi, s->dim) - d/h;
        bool bent = fabs(off) > BENT;
        for (int c = 0; c < 1 << s->dim && !bent; c++) phi[c] = cut_snap(phi[c] - 2*off/3);
        if (halvings == -AT_EDGES || !bent) {
            normal_of(normal, phi, s->dim);
            add_cell(s, x, h, cut_fraction(phi, s->dim), normal);
            return;
        }
    }
    for (int c = 0; c < 1 << s->dim; c++) {
        double q[3] = {x[0] + ((c & 1) - 0.5)*h/2, x[1] + ((c >> 1 & 1) - 0.5)*h/2, 0};
        if (s->dim == 3) q[2] = x[2] + ((c >> 2) - 0.5)*h/2;
        add_part(s, q, h/2, halvings - 1);
    }
}

BodyMass body_mass_by_grid(const Shape* shape, int dim)
{
    double low[3], high[3], edge = 0;
    shape_bounds(low, high, shape);
    Sum s = {.shape = shape, .dim = dim};
    for (int d = 0; d < dim; d++) {
        assert(isfinite(low[d]) && isfinite(high[d]));
        edge = fmax(edge, high[d] - low[d]), s.sum.middle[d] = 0.5*(low[d] + high[d]);
    }
    if (edge > 0) add_part(&s, (double[3]){0, 0, 0}, 1.02*edge, dim == 3 ? HALVINGS_3D : HALVINGS_2D);
    return body_mass_of_moments(&s.sum, dim);
}

BodyMass body_mass_of_moments(const BodyMoments* s, int dim)
{
    BodyMass m = {0};
    double moment[3][3], trace = 0, arm[3];
    if (!(s->volume > 0)) return m;
    m.volume = s->volume;
    for (int d = 0; d < 3; d++) arm[d] = s->first[d]/s->volume, m.center[d] = s->middle[d] + arm[d];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) moment[a][b] = s->second[a][b] - s->volume*arm[a]*arm[b];
    for (int a = 0; a < 3; a++) trace += moment[a][a];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (dim == 3 || (a == 2 && b == 2)) m.inertia[a][b] = (a == b ? trace : 0) - moment[a][b];
    return m;
}

BodyMass body_mass(const Shape* shape, int dim)
{
    BodyMass m;
    return body_mass_by_formula(&m, shape) ? m : body_mass_by_grid(shape, dim);
}

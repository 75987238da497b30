// Values between grid points: (bi/tri)linear. Positions in cells from the window's corner, clamped to the window.
#pragma once
#include <math.h>
#include "base/vec.h"
#include "grid/window.h"

// Layers of ghosts that these touch at most, wherever they are asked for. Nodes need one for a linear reading and three for a
// cubic; faces and cells lie half a cell off, and their first ghost is one nearer.
enum { GRADIENT_READS = 1, LINEAR_READS = 2, VELOCITY_CUBIC_READS = 2, CUBIC_READS = 3, EDGED_READS = 3 };

// The smaller of two numbers of one sign, else 0; without a branch, for the signs of bends are anybody's guess.
static inline double minmod(double a, double b) { return 0.5*(copysign(1, a) + copysign(1, b))*min2(fabs(a), fabs(b)); }

// Lower grid point and fraction along one axis; points stay within `last` cells plus one ghost on either side. At the upper end
// the fraction is 1, so that both ends are alike to the last bit.
static inline int grid_floor(double* fraction, double x, int last)
{
    x = min2(max2(x, -1.0), last + 1.0);   // NaN becomes -1: it must not turn into an index
    int i = mini((int)(x + 2) - 2, last);  // floor for x >= -2
    *fraction = x - i;
    return i;
}

// v at a position given in grid points of v itself.
// The `_dim` forms take the number of dimensions as an argument: where it is a constant, the 2D or 3D half is all that is left.
static inline double interpolate_dim(const double* v, const Window* w, const int dim, double x, double y, double z)
{
    double fx, fy, fz;
    int i = grid_floor(&fx, x, w->n[0]), j = grid_floor(&fy, y, w->n[1]);
    const double* q = v + i + j*w->sy;
    if (dim == 2) return (1 - fy)*((1 - fx)*q[0] + fx*q[1]) + fy*((1 - fx)*q[w->sy] + fx*q[w->sy + 1]);
    int k = grid_floor(&fz, z, w->n[2]);
    q += k*w->sz;
    const double* t = q + w->sz;
    double low = (1 - fy)*((1 - fx)*q[0] + fx*q[1]) + fy*((1 - fx)*q[w->sy] + fx*q[w->sy + 1]);
    double high = (1 - fy)*((1 - fx)*t[0] + fx*t[1]) + fy*((1 - fx)*t[w->sy] + fx*t[w->sy + 1]);
    return (1 - fz)*low + fz*high;
}

static inline double interpolate_at(const double* v, const Window* w, double x, double y, double z)
{
    return interpolate_dim(v, w, w->dim, x, y, z);
}

// Of the two grid points around a fraction, from the lower one: those that count. On a grid point that is itself alone: which of
// its neighbours is the other one depends on rounding, and on the side from which the grid is counted.
typedef struct Ends {
    ptrdiff_t low, high;
} Ends;

static inline Ends ends_that_count(double fraction, ptrdiff_t stride)
{
    const double ON_POINT = 1e-9;
    return (Ends){fraction > 1 - ON_POINT ? stride : 0, fraction < ON_POINT ? 0 : stride};
}

// The same, with the smallest and largest of the values that count.
static inline double interpolate_range(double* low_out, double* high_out, const double* v, const Window* w, const int dim,
                                       double x, double y, double z)
{
    double fx, fy, fz = 0;
    int i = grid_floor(&fx, x, w->n[0]), j = grid_floor(&fy, y, w->n[1]), k = 0;
    if (dim == 3) k = grid_floor(&fz, z, w->n[2]);
    const double* q = v + i + j*w->sy + k*w->sz;
    Ends ex = ends_that_count(fx, 1), ey = ends_that_count(fy, w->sy), ez = {0, 0};
    if (dim == 3) ez = ends_that_count(fz, w->sz);
    double plane[2], low = q[ex.low + ey.low + ez.low], high = low;
    for (int m = 0; m < dim - 1; m++) {
        const double* p = q + m*w->sz;
        plane[m] = (1 - fy)*((1 - fx)*p[0] + fx*p[1]) + fy*((1 - fx)*p[w->sy] + fx*p[w->sy + 1]);
        p = q + (m ? ez.high : ez.low);
        double a = p[ex.low + ey.low], b = p[ex.high + ey.low], c = p[ex.low + ey.high], d = p[ex.high + ey.high];
        low = min2(low, min2(min2(a, b), min2(c, d)));
        high = max2(high, max2(max2(a, b), max2(c, d)));
    }
    *low_out = low, *high_out = high;
    return dim == 2 ? plane[0] : (1 - fz)*plane[0] + fz*plane[1];
}

// Values half a cell off, those of cells along every axis and of faces along two: the place of x (cells) among them. Theirs end
// half a cell before the window on either side; the upper end is cut here, the lower one by grid_floor.
static inline double half_off(const Window* w, int axis, double x) { return min2(x, w->n[axis] + 0.5) - 0.5; }

// Place of x among the faces of an axis.
static inline void among_faces(double out[3], const Window* w, int axis, const double x[3])
{
    for (int d = 0; d < 3; d++) out[d] = d == axis ? x[d] : half_off(w, d, x[d]);
}

// The grid point nearest to x, seen from point `from`: half-way between two it is the one on this side, whatever rounding says.
static inline int nearest_point(int from, double x)
{
    double way = x - from;
    return from + (int)((1 - 1e-9)*way + (way < 0 ? -0.5 : 0.5));
}

static inline double node_value(const double* v, const Window* w, const double x[3])
{
    return interpolate_at(v, w, x[0], x[1], x[2]);
}

// Component `axis` of a face velocity field at a position.
static inline double face_value(const double* u, const Window* w, int axis, const double x[3])
{
    double at[3];
    among_faces(at, w, axis, x);
    return interpolate_at(u, w, at[0], at[1], at[2]);
}

// All components at a position. Along an axis a component lies either on the grid planes or half a cell off: two floors per
// axis serve all three.
static inline void face_velocity_dim(double out[3], double* const u[3], const Window* w, const int dim, const double x[3])
{
    ptrdiff_t on[3] = {0}, off[3] = {0};
    double f_on[3] = {0}, f_off[3] = {0};
    for (int d = 0; d < dim; d++) {
        ptrdiff_t s = window_stride(w, d);
        on[d] = s*grid_floor(&f_on[d], x[d], w->n[d]);
        off[d] = s*grid_floor(&f_off[d], x[d] - 0.5, w->n[d] - 1);
    }
    out[2] = 0;
    for (int d = 0; d < dim; d++) {
        double fx = d == 0 ? f_on[0] : f_off[0], fy = d == 1 ? f_on[1] : f_off[1], fz = d == 2 ? f_on[2] : f_off[2];
        const double* q = u[d] + (d == 0 ? on[0] : off[0]) + (d == 1 ? on[1] : off[1]) + (d == 2 ? on[2] : off[2]);
        double low = (1 - fy)*((1 - fx)*q[0] + fx*q[1]) + fy*((1 - fx)*q[w->sy] + fx*q[w->sy + 1]), high = low;
        if (dim == 3) {
            q += w->sz;
            high = (1 - fy)*((1 - fx)*q[0] + fx*q[1]) + fy*((1 - fx)*q[w->sy] + fx*q[w->sy + 1]);
        }
        out[d] = dim == 3 ? (1 - fz)*low + fz*high : low;
    }
}

static inline void face_velocity(double out[3], double* const u[3], const Window* w, const double x[3])
{
    if (w->dim == 3) face_velocity_dim(out, u, w, 3, x);
    else face_velocity_dim(out, u, w, 2, x);
}

// All components at the centre of face `at` of an axis, and at a node: the means of the faces around it.
static inline void velocity_on_face(double out[3], double* const u[3], const Window* w, const int dim, int axis, ptrdiff_t at)
{
    ptrdiff_t back = window_stride(w, axis);
    out[0] = out[1] = out[2] = 0;
    for (int d = 0; d < dim; d++) {
        const double* q = u[d] + at;
        ptrdiff_t s = window_stride(w, d);
        out[d] = d == axis ? q[0] : 0.25*(q[0] + q[s] + q[-back] + q[s - back]);
    }
}

static inline void velocity_on_node(double out[3], double* const u[3], const Window* w, const int dim, ptrdiff_t at)
{
    out[0] = out[1] = out[2] = 0;
    for (int d = 0; d < dim; d++) {
        const double* q = u[d] + at;
        ptrdiff_t s = window_stride(w, d == 0 ? 1 : 0), t = dim == 3 ? window_stride(w, d == 2 ? 1 : 2) : 0;
        out[d] = dim == 3 ? 0.25*(q[0] + q[-s] + q[-t] + q[-s - t]) : 0.5*(q[0] + q[-s]);
    }
}

// The same at a node by cubics across: fourth order. Their mean takes (k dx)^2/8 from a wave.
static inline void velocity_on_node_cubic(double out[3], double* const u[3], const Window* w, const int dim, ptrdiff_t at)
{
    out[0] = out[1] = out[2] = 0;
    for (int d = 0; d < dim; d++) {
        const double* q = u[d] + at;
        ptrdiff_t s = window_stride(w, d == 0 ? 1 : 0), t = dim == 3 ? window_stride(w, d == 2 ? 1 : 2) : 0;
        double line[4];
        for (int m = 0; m < (dim == 3 ? 4 : 1); m++) {
            const double* r = dim == 3 ? q + (m - 2)*t : q;
            line[m] = (9*(r[0] + r[-s]) - (r[s] + r[-2*s]))/16;
        }
        out[d] = dim == 3 ? (9*(line[1] + line[2]) - (line[0] + line[3]))/16 : line[0];
    }
}

// A node field at the centre of a face: mean of the face's nodes.
static inline double face_mean(const double* v, const Window* w, int axis, ptrdiff_t at)
{
    ptrdiff_t s = window_stride(w, axis == 0 ? 1 : 0);
    if (w->dim == 2) return 0.5*(v[at] + v[at + s]);
    ptrdiff_t t = window_stride(w, axis == 2 ? 1 : 2);
    return 0.25*(v[at] + v[at + s] + v[at + t] + v[at + s + t]);
}

// Gradient of a node field at a node, per cell: central differences.
static inline void node_gradient(double out[3], const double* v, const Window* w, ptrdiff_t at)
{
    out[2] = 0;
    for (int d = 0; d < w->dim; d++) {
        ptrdiff_t s = window_stride(w, d);
        out[d] = 0.5*(v[at + s] - v[at - s]);
    }
}

// Unit normal of a sampled distance at a node; 0 where it has no slope.
static inline void node_normal(double n[3], const double* phi, const Window* w, ptrdiff_t at)
{
    node_gradient(n, phi, w, at);
    double norm = vec_norm(n);
    for (int d = 0; d < 3; d++) n[d] = norm > 0 ? n[d]/norm : 0;
}

// Lagrange's cubic through four grid points -1, 0, 1, 2, at the fraction f between 0 and 1: weights, and those of the derivative.
static inline void cubic_weights(double weight[4], double f)
{
    weight[0] = -f*(f - 1)*(f - 2)/6, weight[1] = 0.5*(f + 1)*(f - 1)*(f - 2);
    weight[2] = -0.5*(f + 1)*f*(f - 2), weight[3] = (f + 1)*f*(f - 1)/6;
}

static inline void cubic_slopes(double weight[4], double f)
{
    weight[0] = -(3*f*f - 6*f + 2)/6, weight[1] = 0.5*(3*f*f - 4*f - 1);
    weight[2] = -0.5*(3*f*f - 2*f - 2), weight[3] = (3*f*f - 1)/6;
}

static inline double cubic_line(const double* q, const double weight[4])
{
    return (weight[0]*q[-1] + weight[1]*q[0]) + (weight[2]*q[1] + weight[3]*q[2]);
}

// Gradient at a node, per cell: of the cubics on its two sides the mean, which prefers neither.
static inline void node_gradient_cubic(double out[3], const double* v, const Window* w, const int dim, ptrdiff_t at)
{
    out[2] = 0;
    for (int d = 0; d < dim; d++) {
        ptrdiff_t s = window_stride(w, d);
        out[d] = (8*(v[at + s] - v[at - s]) - (v[at + 2*s] - v[at - 2*s]))/12;
    }
}

// Lower grid point and fraction along one axis; the four points around stay within the ghosts.
static inline int cubic_floor(double* fraction, double x, int last)
{
    x = min2(max2(x, -2.0), last + 2.0);  // NaN becomes -2
    int i = mini((int)(x + 3) - 3, last + 1);
    *fraction = x - i;
    return i;
}

// v at a position given in grid points of v itself, by cubics: fourth order where v is smooth. gradient (may be NULL): per cell.
static inline double interpolate_cubic(double gradient[3], const double* v, const Window* w, const int dim, const double x[3])
{
    double weight[3][4], slope[3][4], f;
    const double* q = v;
    for (int d = 0; d < dim; d++) {
        q += window_stride(w, d)*cubic_floor(&f, x[d], w->n[d]);
        cubic_weights(weight[d], f);
        if (gradient) cubic_slopes(slope[d], f);
    }
    double value = 0, gx = 0, gy = 0, gz = 0;
    for (int k = dim == 3 ? -1 : 0; k < (dim == 3 ? 3 : 1); k++) {
        double plane = 0, plane_x = 0, plane_y = 0;
        for (int j = -1; j < 3; j++) {
            const double* line = q + j*w->sy + k*w->sz;
            double c = cubic_line(line, weight[0]);
            plane += weight[1][j + 1]*c;
            if (!gradient) continue;
            plane_x += weight[1][j + 1]*cubic_line(line, slope[0]);
            plane_y += slope[1][j + 1]*c;
        }
        double along = dim == 3 ? weight[2][k + 1] : 1;
        value += along*plane;
        if (!gradient) continue;
        gx += along*plane_x, gy += along*plane_y;
        if (dim == 3) gz += slope[2][k + 1]*plane;
    }
    if (gradient) gradient[0] = gx, gradient[1] = gy, gradient[2] = gz;
    return value;
}

// Between grid points 0 and 1 of a line, at the fraction f, where v may have an edge (the middle of a sheet, where a distance to
// its surface turns back): parabolas that go on from either side of it, through points -1, 0 and through 1, 2, each bent by the
// smaller of the two second differences next to it. They cross in the edge. In a valley the higher one is v, on a ridge the lower
// one: exact for two straight slopes wherever their edge lies, third order where v is smooth.
// Both are written as how far they dip below the chord from point 0 to 1. Each dip is 0 at its own end and has the sign of the
// bend there, so that where points 0 and 1 are bent alike v dips by the smaller one; where one lies in a valley and the other on
// a ridge there is no edge between them, and v is the chord. So what is read on a grid point is its value to the last bit,
// whatever lies around it, and the reading is a continuous function of the place and of all values.
static inline double edged_line(const double v[6], double f)
{
    const double* q = v + 2;
    double g = 1 - f, bend[4];
    for (int m = 0; m < 4; m++) bend[m] = (v[m] + v[m + 2]) - 2*v[m + 1];
    double low = f*(bend[1] - 0.5*(1 + f)*minmod(bend[0], bend[1])),
           high = g*(bend[2] - 0.5*(1 + g)*minmod(bend[2], bend[3]));
    return (g*q[0] + f*q[1]) - minmod(low, high);
}

// v at a position given in grid points of v itself, line by line as above, first along x.
static inline double interpolate_edged(const double* v, const Window* w, const int dim, const double x[3])
{
    double f[3] = {0}, plane[6], space[6];
    const double* q = v;
    for (int d = 0; d < dim; d++) q += window_stride(w, d)*grid_floor(&f[d], x[d], w->n[d]);
    for (int k = 0; k < (dim == 3 ? 6 : 1); k++) {
        const double* corner = q - 2 - 2*w->sy + (dim == 3 ? (k - 2)*w->sz : 0);
        for (int j = 0; j < 6; j++) plane[j] = edged_line(corner + j*w->sy, f[0]);
        space[k] = edged_line(plane, f[1]);
    }
    return dim == 3 ? edged_line(space, f[2]) : space[0];
}

// Values between grid points: (bi/tri)linear. Positions in cells from the window's corner, clamped to the window.
#pragma once
#include "base/vec.h"
#include "grid/window.h"

// Lower grid point and fraction along one axis; points stay within `last` cells plus one ghost on either side.
static inline int grid_floor(double* fraction, double x, int last)
{
    x = clamp(x, -1.0, last + 1.0 - 1e-9);
    int i = (int)(x + 2) - 2;  // floor for x >= -2
    *fraction = x - i;
    return i;
}

// v at a position given in grid points of v itself.
static inline double interpolate_at(const double* v, const Window* w, double x, double y, double z)
{
    double fx, fy, fz;
    int i = grid_floor(&fx, x, w->n[0]), j = grid_floor(&fy, y, w->n[1]);
    const double* q = v + i + j*w->sy;
    if (w->dim == 2)
        return (1 - fy)*((1 - fx)*q[0] + fx*q[1]) + fy*((1 - fx)*q[w->sy] + fx*q[w->sy + 1]);
    int k = grid_floor(&fz, z, w->n[2]);
    q += k*w->sz;
    const double* t = q + w->sz;
    double low = (1 - fy)*((1 - fx)*q[0] + fx*q[1]) + fy*((1 - fx)*q[w->sy] + fx*q[w->sy + 1]);
    double high = (1 - fy)*((1 - fx)*t[0] + fx*t[1]) + fy*((1 - fx)*t[w->sy] + fx*t[w->sy + 1]);
    return (1 - fz)*low + fz*high;
}

// The same, with the smallest and largest of the values read.
static inline double interpolate_range(double* low_out, double* high_out, const double* v, const Window* w, double x, double y,
                                       double z)
{
    double fx, fy, fz = 0;
    int i = grid_floor(&fx, x, w->n[0]), j = grid_floor(&fy, y, w->n[1]), k = 0;
    if (w->dim == 3) k = grid_floor(&fz, z, w->n[2]);
    const double* q = v + i + j*w->sy + k*w->sz;
    double plane[2], low = q[0], high = q[0];
    for (int m = 0; m < w->dim - 1; m++, q += w->sz) {
        double a = q[0], b = q[1], c = q[w->sy], d = q[w->sy + 1];
        plane[m] = (1 - fy)*((1 - fx)*a + fx*b) + fy*((1 - fx)*c + fx*d);
        low = fmin(low, fmin(fmin(a, b), fmin(c, d)));
        high = fmax(high, fmax(fmax(a, b), fmax(c, d)));
    }
    *low_out = low, *high_out = high;
    return w->dim == 2 ? plane[0] : (1 - fz)*plane[0] + fz*plane[1];
}

static inline double node_value(const double* v, const Window* w, const double x[3])
{
    return interpolate_at(v, w, x[0], x[1], x[2]);
}

// Component `axis` of a face velocity field at a position.
static inline double face_value(const double* u, const Window* w, int axis, const double x[3])
{
    return interpolate_at(u, w, x[0] - (axis != 0)*0.5, x[1] - (axis != 1)*0.5, x[2] - (axis != 2)*0.5);
}

static inline void face_velocity(double out[3], double* const u[3], const Window* w, const double x[3])
{
    out[0] = face_value(u[0], w, 0, x);
    out[1] = face_value(u[1], w, 1, x);
    out[2] = w->dim == 3 ? face_value(u[2], w, 2, x) : 0;
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

#include "thin/rod_sample.h"

#include <math.h>
#include <string.h>
#include "base/vec.h"

// ---- phi at a place -----------------------------------------------------------------------------------------------------------

// Quadratic B-spline of the nodes of a window: exact where phi is linear, with a slope that is continuous, so that Newton's
// method knows where it goes; past the outermost cells but a half it stays as it is there. gradient: per metre. x in m.
double rod_phi(double gradient[3], const Liquid* q, const double x[3])
{
    const Window* w = &q->w;
    double weight[3][3], slope[3][3];
    int low[3];
    for (int d = 0; d < 3; d++) {
        double at = x[d]/w->dx - w->lo[d];
        low[d] = clampi((int)floor(clamp(at, 0, w->n[d]) - 0.5), 0, w->n[d] - 2);
        double f = clamp(at - low[d], 0.5, 1.5);
        weight[d][0] = 0.5*(1.5 - f)*(1.5 - f), weight[d][1] = 0.75 - (f - 1)*(f - 1),
        weight[d][2] = 0.5*(f - 0.5)*(f - 0.5);
        slope[d][0] = (f - 1.5)/w->dx, slope[d][1] = -2*(f - 1)/w->dx, slope[d][2] = (f - 0.5)/w->dx;
    }
    const double* v = q->phi.v + window_at(w, low[0], low[1], low[2]);
    double sum = 0, g[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
                double phi = v[window_at(w, i, j, k)];
                sum += weight[0][i]*weight[1][j]*weight[2][k]*phi;
                g[0] += slope[0][i]*weight[1][j]*weight[2][k]*phi;
                g[1] += weight[0][i]*slope[1][j]*weight[2][k]*phi;
                g[2] += weight[0][i]*weight[1][j]*slope[2][k]*phi;
            }
    memcpy(gradient, g, sizeof g);
    return sum;
}

// Is the place in the window, with a cell to spare for the spline?
bool rod_is_within(const Liquid* q, const double x[3])
{
    for (int d = 0; d < 3; d++) {
        double at = x[d]/q->w.dx - q->w.lo[d];
        if (!(at >= 0 && at <= q->w.n[d])) return false;
    }
    return true;
}

// ---- faces around a place -----------------------------------------------------------------------------------------------------

// Cells, and the faces between them, are 0 .. n - 1; those past a side of the window are dry.
static double fraction_of(const Liquid* q, const int c[3])
{
    for (int d = 0; d < 3; d++)
        if (c[d] < 0 || c[d] >= q->w.n[d]) return 0;
    return cutcells_fraction(&q->cells, window_at(&q->w, c[0], c[1], c[2]));
}

RodFaces rod_faces(const Liquid* q, int axis, const double x[3])
{
    RodFaces f = {.total = 0};
    const Window* w = &q->w;
    int low[3];
    double part[3];
    for (int d = 0; d < 3; d++) {
        double at = clamp(x[d]/w->dx - w->lo[d] - (d != axis)*0.5, 0, w->n[d]);
        low[d] = (int)floor(at), part[d] = at - low[d];
    }
    for (int c = 0; c < 8; c++) {
        int up[3] = {c & 1, c >> 1 & 1, c >> 2}, cell[3], back[3];
        f.weight[c] = 1;
        for (int d = 0; d < 3; d++) {
            cell[d] = back[d] = low[d] + up[d];
            f.weight[c] *= up[d] ? part[d] : 1 - part[d];
        }
        back[axis]--;
        f.at[c] = window_at(w, cell[0], cell[1], cell[2]);
        f.wet[c] = 0.5*(fraction_of(q, cell) + fraction_of(q, back));
        f.total += f.weight[c]*f.wet[c];
    }
    return f;
}

double rod_velocity(const RodFaces* f, const double* u)
{
    double sum = 0;
    for (int c = 0; c < 8; c++) sum += f->weight[c]*f->wet[c]*u[f->at[c]];
    return f->total > 0 ? sum/f->total : 0;
}

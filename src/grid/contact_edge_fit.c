// Curvature beside lines that rest on edges of solids.
//
// A held line is a fixed end of the surface, and the solid takes what tension pulls with there. Within two cells of it no phi
// inside the solid makes the stencils right: at more than 90 degrees with the dry face the surface would have to go on into the
// liquid. So the curvature there is taken from the shape of the surface itself, from the edge, which it meets exactly, to some
// cells on. A wave near the edge is then answered by its own curvature. (Curvature carried from 4 cells on answered nothing: a
// wave on a brimful slot doubled its energy in each period.)
#include <assert.h>
#include <math.h>
#include "base/vec.h"
#include "grid/contact_edges.h"
#include "grid/curvature.h"
#include "grid/exchange.h"
#include "grid/interpolate.h"

// From here on (cells from the edge) the stencil of a node, two cells and their diagonal wide, does not read past the edge.
static const double OWN = 4;

// The frame of a fit, at the point `on` of the surface, EDGE_NEAR cells from the edge: out its normal there, away from the edge
// along the surface, and along the edge.
typedef struct Frame {
    const double *phi, *phi_s;
    const Window* w;
    const EdgePoint* p;
    double out[3], away[3], along[3];
} Frame;

static void frame_point(double y[3], const Frame* f, double a, double b, double h)
{
    for (int d = 0; d < 3; d++) y[d] = f->p->on[d] + a*f->away[d] + b*f->along[d] + h*f->out[d];
}

static bool make_frame(Frame* f)
{
    const EdgePoint* p = f->p;
    double off[3];
    for (int d = 0; d < 3; d++) f->out[d] = p->n[d];
    vec_sub(off, p->on, p->x);
    double across = vec_dot(off, f->out);
    for (int d = 0; d < 3; d++) f->away[d] = off[d] - across*f->out[d];
    double norm = vec_norm(f->away);
    if (!(norm > 0.5*EDGE_NEAR)) return false;
    for (int d = 0; d < 3; d++) f->away[d] /= norm;
    if (f->w->dim == 3) vec_cross(f->along, f->out, f->away);
    return true;
}

// The surface's height above the frame's plane (cells), by Newton's method.
static bool height_at(double* h, const Frame* f, double a, double b)
{
    const Window* w = f->w;
    *h = 0;
    for (int step = 0; step < 5; step++) {
        double y[3], g[3], out[3], back[3] = {1, 1, 1};
        frame_point(y, f, a, b, *h);
        for (int d = 0; d < w->dim; d++) back[d] = y[d] < 0 || y[d] > w->n[d] ? -1 : 1;
        edge_fold(y, w);
        double value = w->dim == 3 ? interpolate_cubic(g, f->phi, w, 3, y) : interpolate_cubic(g, f->phi, w, 2, y);
        if (w->dim == 2) g[2] = 0;
        for (int d = 0; d < 3; d++) out[d] = back[d]*f->out[d];
        double slope = vec_dot(g, out);
        if (!(slope > 0.3*w->dx)) return false;
        double move = clamp(value/slope, -1, 1);
        *h -= move;
        if (fabs(move) < 1e-3) return fabs(*h) < 3;
    }
    return false;
}

// Where the edge passes `b` along it: place a away and height h.
static bool edge_at(double* a, double* h, const Frame* f, double b)
{
    double x[3], off[3];
    for (int d = 0; d < 3; d++) x[d] = f->p->x[d] + b*f->along[d];
    if (b != 0 && !edge_near(x, f->p, f->phi_s, f->w)) return false;
    vec_sub(off, x, f->p->on);
    *a = vec_dot(off, f->away), *h = vec_dot(off, f->out);
    return true;
}

// h = h_edge + p u + q u^2 over u = a - a_edge, least squares over the four cells beyond the edge; as the edge is held, it is
// met exactly. What is known of the row at a = 0.
typedef struct RowFit {
    double h, slope, bend;
} RowFit;

static bool fit_row(RowFit* out, const Frame* f, double b)
{
    static const double weight[] = {4, 6, 4, 1};  // binomial, about a = 0, as on nodes
    double edge, level, s2 = 0, s3 = 0, s4 = 0, z1 = 0, z2 = 0;
    if (!edge_at(&edge, &level, f, b)) return false;
    for (int m = 0; m < 4; m++) {
        double h, u = m - 1 - edge, u2 = u*u;
        if (!height_at(&h, f, m - 1, b)) return false;
        s2 += weight[m]*u2, s3 += weight[m]*u2*u, s4 += weight[m]*u2*u2;
        z1 += weight[m]*u*(h - level), z2 += weight[m]*u2*(h - level);
    }
    double det = s2*s4 - s3*s3, p = (z1*s4 - z2*s3)/det, q = (s2*z2 - s3*z1)/det;
    *out = (RowFit){level - p*edge + q*edge*edge, p - 2*q*edge, 2*q};
    return true;
}

// kappa (1/cells) of the surface EDGE_NEAR cells from the edge, from its shape between the edge and 2 cells further on alone.
static bool fitted_curvature(double* kappa, Frame* f)
{
    static const double mean[] = {1/16., 4/16., 6/16., 4/16., 1/16.},
                        slope[] = {-1/12., -4/12., 0, 4/12., 1/12.},
                        bend[] = {1/4., 0, -2/4., 0, 1/4.};  // as on nodes (curvature.c)
    RowFit row;
    if (!make_frame(f)) return false;
    if (f->w->dim == 2) {
        if (!fit_row(&row, f, 0)) return false;
        *kappa = -row.bend/pow(1 + row.slope*row.slope, 1.5);
        return true;
    }
    double ha = 0, hb = 0, haa = 0, hab = 0, hbb = 0;
    for (int m = 0; m < 5; m++) {
        if (!fit_row(&row, f, m - 2)) return false;
        ha += mean[m]*row.slope, haa += mean[m]*row.bend, hab += slope[m]*row.slope;
        hb += slope[m]*row.h, hbb += bend[m]*row.h;
    }
    *kappa = -((1 + hb*hb)*haa - 2*ha*hb*hab + (1 + ha*ha)*hbb)/pow(1 + ha*ha + hb*hb, 1.5);
    return true;
}

// The fit counts wholly up to EDGE_NEAR cells from the edge, and less and less up to OWN.
static double share_fitted(double away) { return clamp((OWN - away)/(OWN - EDGE_NEAR), 0, 1); }

// kappa on nodes near one point of an edge: that of the fit, and what gravity makes of it from there.
static void fit_to_nodes(double* kappa, const double* old, const Edges* e, int m, const double* phi, const Window* w,
                         const double rest[3])
{
    const EdgePoint* p = &e->point[m];
    Frame f = {.phi = phi, .phi_s = e->phi_s, .w = w, .p = p};
    double there;
    if (!fitted_curvature(&there, &f)) return;
    int a[3] = {0, 0, 0}, b[3] = {0, 0, 0};
    for (int d = 0; d < w->dim; d++) {
        a[d] = maxi((int)ceil(p->x[d] - OWN), 0);
        b[d] = mini((int)floor(p->x[d] + OWN), w->n[d]);
    }
    for (int k = a[2]; k <= b[2]; k++)
        for (int j = a[1]; j <= b[1]; j++)
            for (int i = a[0]; i <= b[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                if (e->nearest[at] != m || !(fabs(phi[at]) < CURVATURE_REACH*w->dx)) continue;
                double n[3], off[3], x[3] = {i, j, k}, value = there/w->dx;
                vec_sub(off, x, p->x);
                double share = share_fitted(vec_norm(off));
                node_normal(n, phi, w, at);
                for (int d = 0; d < w->dim; d++) value += rest[d]*(x[d] - phi[at]/w->dx*n[d] - p->on[d])*w->dx;
                kappa[at] = share*value + (1 - share)*old[at];
            }
}

mn_status edges_fit_curvature(double* kappa, Arena* arena, const Edges* edges, const double* phi, const Window* w,
                              const double rest[3])
{
    if (edges->count == 0) return MN_OK;
    double* old = window_copy(arena, kappa, w);
    TRY_MEMORY(old);
    for (int m = 0; m < edges->count; m++) fit_to_nodes(kappa, old, edges, m, phi, w, rest);
    nodes_exchange(kappa, w, SHARPEN_READS);
    return MN_OK;
}

#include "grid/curvature.h"

#include <assert.h>
#include <math.h>
#include "base/global.h"
#include "base/vec.h"
#include "grid/exchange.h"
#include "grid/interpolate.h"

// ---- derivatives ---------------------------------------------------------------------------------------------------------

// Derivatives of phi at a node, per cell, by products of one-dimensional filters: SMOOTH across, SLOPE and BEND along. On long
// waves all three see phi + (d^2 phi/dx^2)/3 instead of phi (cells), so together they see phi + lap phi/3: the same in every
// direction. Discs and balls keep their shape under it, and what is left of the error is of fourth order on them; on waves it is
// SMOOTHING (k dx)^2 of kappa at every angle to the grid (curvature_sharpen puts that back). With SMOOTH and SLOPE taken from
// binomials (1/2 and 5/12 in place of 1/3) a disc of R = 16 dx went over, swinging, into a slightly square one, at 7 times the
// speed. None passes waves of two cells. docs/curvature.md compares them with others.
static const double SMOOTHING = 1/3.0;
static const double SMOOTH[3] = {22/48.0, 12/48.0, 1/48.0};  // at the node, one off, two off; SLOPE is odd
static const double SLOPE[3] = {0, 4/12.0, 1/12.0};
static const double BEND[3] = {-2/4.0, 0, 1/4.0};

typedef struct Derivatives {
    double x, y, z, xx, yy, zz, xy, xz, yz;
} Derivatives;

// The filters along one line of five values, `s` apart.
static inline void filter_line(double out[3], const double* v, ptrdiff_t s)
{
    double outer = v[2*s] + v[-2*s], inner = v[s] + v[-s];
    out[0] = SMOOTH[2]*outer + SMOOTH[1]*inner + SMOOTH[0]*v[0];
    out[1] = SLOPE[2]*(v[2*s] - v[-2*s]) + SLOPE[1]*(v[s] - v[-s]);
    out[2] = BEND[2]*outer + BEND[0]*v[0];
}

// ... and of a plane: [0] smooth, [1] x, [2] y, [3] xx, [4] yy, [5] xy.
static inline void filter_plane(double out[6], const double* v, const Window* w)
{
    double smooth[5], slope[5], bend[5], a[3], b[3], c[3];
    for (int j = 0; j < 5; j++) {
        double line[3];
        filter_line(line, v + (j - 2)*w->sy, 1);
        smooth[j] = line[0], slope[j] = line[1], bend[j] = line[2];
    }
    filter_line(a, smooth + 2, 1);
    filter_line(b, slope + 2, 1);
    filter_line(c, bend + 2, 1);
    out[0] = a[0], out[2] = a[1], out[4] = a[2];
    out[1] = b[0], out[5] = b[1];
    out[3] = c[0];
}

static inline Derivatives derivatives(const double* v, const Window* w, const int dim)
{
    double plane[6];
    if (dim == 2) {
        filter_plane(plane, v, w);
        return (Derivatives){.x = plane[1], .y = plane[2], .xx = plane[3], .yy = plane[4], .xy = plane[5]};
    }
    double column[6][5], smooth[3], x[3], y[3], xx[3], yy[3], xy[3];
    for (int k = 0; k < 5; k++) {
        filter_plane(plane, v + (k - 2)*w->sz, w);
        for (int m = 0; m < 6; m++) column[m][k] = plane[m];
    }
    filter_line(smooth, column[0] + 2, 1);
    filter_line(x, column[1] + 2, 1);
    filter_line(y, column[2] + 2, 1);
    filter_line(xx, column[3] + 2, 1);
    filter_line(yy, column[4] + 2, 1);
    filter_line(xy, column[5] + 2, 1);
    return (Derivatives){x[0], y[0], smooth[1], xx[0], yy[0], smooth[2], xy[0], x[1], y[1]};
}

// ---- curvature -----------------------------------------------------------------------------------------------------------

// A principal curvature k (per cell) of the level set through a node, `p` cells outside the surface, gives k/(1 - p k) on the
// surface: radii of parallel surfaces differ by p. Kept to the curvatures the grid can show.
static inline double at_foot(double k, double p) { return clamp(k/max2(1 - p*k, 0.25), -1, 1); }

static inline double node_curvature(double n[3], const double* phi, const Window* w, ptrdiff_t at, const int dim)
{
    Derivatives f = derivatives(phi + at, w, dim);
    double square = f.x*f.x + f.y*f.y + f.z*f.z, slope = max2(sqrt(square), 0.1*w->dx);  // no direction where phi is flat
    double p = phi[at]/slope;
    if (n) n[0] = f.x/slope, n[1] = f.y/slope, n[2] = f.z/slope;
    // div(grad phi/|grad phi|)
    double along =
        f.x*f.x*f.xx + f.y*f.y*f.yy + f.z*f.z*f.zz + 2*(f.x*f.y*f.xy + f.x*f.z*f.xz + f.y*f.z*f.yz);
    double sum = (f.xx + f.yy + f.zz - along/(slope*slope))/slope;
    if (dim == 2) return at_foot(sum, p)/w->dx;
    // Gauss curvature: grad^T adj(Hessian) grad/|grad|^4 [goldman2005]; with the sum it gives the two principal curvatures
    double square_square = slope*slope*slope*slope;
    double product = (f.x*f.x*(f.yy*f.zz - f.yz*f.yz) + f.y*f.y*(f.xx*f.zz - f.xz*f.xz) +
                      f.z*f.z*(f.xx*f.yy - f.xy*f.xy) +
                      2*(f.x*f.y*(f.xz*f.yz - f.xy*f.zz) + f.x*f.z*(f.xy*f.yz - f.xz*f.yy) +
                           f.y*f.z*(f.xy*f.xz - f.yz*f.xx))) /
                     square_square;
    double half = 0.5*sum, split = sqrt(max2(half*half - product, 0));
    return (at_foot(half - split, p) + at_foot(half + split, p))/w->dx;
}

double curvature_at(double n[3], const double* phi, const Window* w, ptrdiff_t at)
{
    return w->dim == 3 ? node_curvature(n, phi, w, at, 3) : node_curvature(n, phi, w, at, 2);
}

static inline void curvature_row(double* kappa, const double* phi, const Spans* spans, const Window* w, int r, const int dim)
{
    ptrdiff_t row = window_at(w, 0, r%spans->rows_y, r/spans->rows_y);
    double reach = CURVATURE_REACH*w->dx;
    SPAN_LOOP(spans, r, q)
        for (int i = spans->span[q].i0; i < spans->span[q].i1; i++)
            kappa[row + i] = fabs(phi[row + i]) < reach ? node_curvature(NULL, phi, w, row + i, dim) : 0;
}

void curvature_nodes(double* kappa, const double* phi, const Spans* spans, const Window* w)
{
    assert(kappa && phi && kappa != phi && spans_is_valid(spans, w));
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++)
        if (w->dim == 3) curvature_row(kappa, phi, spans, w, r, 3);
        else curvature_row(kappa, phi, spans, w, r, 2);
    // kappa itself is even about a wall whatever the contact angle: the nearest value there is
    nodes_exchange(kappa, w, SHARPEN_READS);
}

// ---- what smoothing took -------------------------------------------------------------------------------------------------

// kappa of a wave along the surface comes out as (1 - c (k dx)^2) kappa. c is SMOOTHING for the filters; 1/8 for reading kappa
// half-way between nodes, where the links of the pressure end; 1/12 for the pressure itself, which is linear from the last centre
// to the surface at theta: theta (1 - theta)/2, in the mean. kappa - c dx^2 (d^2 kappa/ds^2) puts it back. The second difference
// reaches two cells along the surface, so that waves of 2 dx, which the filters do not see, are not raised: by 1 + c at most, at
// 4 dx.
static const double SHARPENING = SMOOTHING + 1/8.0 + 1/12.0;
static const double SHARPEN_REACH = 2;  // cells
static const double ON_SURFACE =
    1;  // cells: the places it reads must be this near the surface, or the surface is not what it seems

// A point of the surface to read kappa at: even about mirrors, and about walls that it meets at right angles. False: it lies past
// a wall or in a solid, where the surface only goes on as the contact angle asks, or the surface is not there.
static bool readable(double x[3], const double* phi, const Sharpen* s, const Window* w)
{
    for (int d = 0; d < w->dim; d++) {
        bool low = x[d]<0, high = x[d]> w->n[d];
        if (!low && !high) continue;
        Side side = w->side[2*d + high];
        if (side != SIDE_IS_MIRROR && !(side == SIDE_IS_WALL && s->walls_are_even)) return false;
        x[d] = low ? -x[d] : 2*w->n[d] - x[d];
    }
    if (s->phi_solid && !(node_value(s->phi_solid, w, x) > 0)) return false;
    return fabs(node_value(phi, w, x)) < ON_SURFACE*w->dx;
}

// Two unit vectors across n; in 2D the first alone is meant. Components that are equal but for rounding count as equal.
static void tangents(double t[2][3], const double n[3], int dim)
{
    const double slack = 1e-9;
    double x = fabs(n[0]) + slack, y = fabs(n[1]) + slack, z = fabs(n[2]);
    int least = dim == 2 || (z <= x && z <= y) ? 2 : x <= y + slack ? 0 : 1;
    double axis[3] = {least == 0, least == 1, least == 2};
    vec_cross(t[0], axis, n);
    double length = vec_norm(t[0]);
    assert(length > 0.5);  // the axis is the one that n has least of
    for (int d = 0; d < 3; d++) t[0][d] /= length;
    vec_cross(t[1], n, t[0]);
}

// kappa at the foot of a node, which is read from the nodes beside the surface alone: those further off see phi where it is not
// as good.
static double sharpened(const double* kappa, const double* phi, const Sharpen* s, const Window* w, const int node[3])
{
    ptrdiff_t at = window_at(w, node[0], node[1], node[2]);
    double g[3], t[2][3], foot[3] = {node[0], node[1], node[2]}, most = (w->dim - 1)/w->dx;
    node_gradient(g, phi, w, at);
    double length = vec_norm(g);
    if (!(length > 0.5*w->dx)) return kappa[at];
    for (int d = 0; d < 3; d++) g[d] /= length;
    for (int d = 0; d < w->dim; d++) foot[d] -= phi[at]/w->dx*g[d];
    double x[3] = {foot[0], foot[1], foot[2]};
    if (!readable(x, phi, s, w)) return kappa[at];
    tangents(t, g, w->dim);
    double here = node_value(kappa, w, x), difference = 0;
    double sag = 0.5*SHARPEN_REACH*SHARPEN_REACH*here*w->dx/(w->dim - 1);  // of the surface below its tangent
    for (int m = 0; m < w->dim - 1; m++)
        for (int side = -1; side <= 1; side += 2) {
            for (int d = 0; d < 3; d++) x[d] = foot[d] + side*SHARPEN_REACH*t[m][d] - sag*g[d];
            if (!readable(x, phi, s, w)) return kappa[at];
            difference += node_value(kappa, w, x) - here;
        }
    return clamp(here - SHARPENING*difference/(SHARPEN_REACH*SHARPEN_REACH), -most, most);
}

mn_status curvature_sharpen(double* kappa, Arena* arena, const double* phi, const Sharpen* s, const Spans* spans, const Window* w)
{
    assert(kappa && phi && s && spans_is_valid(spans, w));
    double* smooth = window_copy(arena, kappa, w);
    TRY_MEMORY(smooth);
    double reach = CURVATURE_REACH*w->dx;
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++)
        SPAN_LOOP(spans, r, q)
            for (int i = spans->span[q].i0; i < spans->span[q].i1; i++) {
                int node[3] = {i, r%spans->rows_y, r/spans->rows_y};
                ptrdiff_t at = window_at(w, node[0], node[1], node[2]);
                if (fabs(phi[at]) < reach) kappa[at] = sharpened(smooth, phi, s, w, node);
            }
    nodes_exchange(kappa, w, SMOOTH_THIN_READS);
    return MN_OK;
}

// ---- threads and sheets below the grid ----------------------------------------------------------------------------------------

static const double THIN_CELLS = 1.6;
enum { AROUND = 2 };  // cells

// Is the far side of the liquid nearer than THIN_CELLS to the foot of this node? One cell below the foot phi is then above 1 -
// THIN_CELLS.
static bool is_thin(const double* phi, const Window* w, const int node[3])
{
    ptrdiff_t at = window_at(w, node[0], node[1], node[2]);
    double g[3] = {0, 0, 0}, x[3] = {node[0], node[1], node[2]};
    node_gradient(g, phi, w, at);
    double length = vec_norm(g);
    if (!(length > 0.1*w->dx)) return phi[at] > -0.5*THIN_CELLS*w->dx;  // half-way between two surfaces
    for (int d = 0; d < w->dim; d++) x[d] -= (phi[at]/w->dx + 1)*g[d]/length;
    return node_value(phi, w, x) > (1 - THIN_CELLS)*w->dx;
}

// Mean over the nodes around that lie within a cell and a half of the surface.
static double mean_around(const double* kappa, const double* phi, const Window* w, ptrdiff_t at)
{
    double sum = 0;
    int count = 0, deep = w->dim == 3 ? AROUND : 0;
    for (int k = -deep; k <= deep; k++)
        for (int j = -AROUND; j <= AROUND; j++)
            for (int i = -AROUND; i <= AROUND; i++) {
                ptrdiff_t near = at + i + j*w->sy + k*w->sz;
                if (fabs(phi[near]) < 1.5*w->dx) sum += kappa[near], count++;
            }
    return count > 0 ? sum/count : kappa[at];
}

mn_status curvature_smooth_thin(double* kappa, Arena* arena, const double* phi, const Spans* spans, const Window* w)
{
    assert(kappa && phi && spans_is_valid(spans, w));
    double* smooth = ARENA_NEW(arena, double, w->count);
    TRY_MEMORY(smooth);
    smooth += w->origin;
    double reach = CURVATURE_REACH*w->dx;
    for (int pass = 0; pass < 2; pass++) {
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(spans))
        for (int r = 0; r < spans->rows; r++)
            SPAN_LOOP(spans, r, q)
                for (int i = spans->span[q].i0; i < spans->span[q].i1; i++) {
                    int node[3] = {i, r%spans->rows_y, r/spans->rows_y};
                    ptrdiff_t at = window_at(w, node[0], node[1], node[2]);
                    if (!(fabs(phi[at]) < reach)) continue;
                    if (pass == 0) smooth[at] = is_thin(phi, w, node) ? mean_around(kappa, phi, w, at) : kappa[at];
                    else kappa[at] = smooth[at];
                }
    }
    nodes_exchange(kappa, w, LINEAR_READS);
    return MN_OK;
}

// ---- no net force --------------------------------------------------------------------------------------------------------

// Sums over surface entries: [0] xx [1] yy [2] zz [3] xy [4] xz [5] yz of A e e^T, [6..8] A e kappa, [9] A.
enum { FORCE_SUMS = 10 };

static void add_entry(double sum[FORCE_SUMS], double area, const double e[3], double kappa)
{
    double term[FORCE_SUMS] = {e[0]*e[0], e[1]*e[1],  e[2]*e[2],  e[0]*e[1],  e[0]*e[2],
                               e[1]*e[2], e[0]*kappa, e[1]*kappa, e[2]*kappa, 1};
    for (int m = 0; m < FORCE_SUMS; m++) sum[m] += area*term[m];
}

// Cramer's rule. The matrix is positive; a determinant that is tiny for its trace means a surface (nearly) flat in some
// direction, along which no curvature can pull: left alone. So are the axes that are not named. About a mirror the sums of an
// even and an odd factor would cancel with those of the other half.
static void solve_neutral(double lambda[3], double s[FORCE_SUMS], int dim, unsigned free)
{
    static const int mixed[3][2] = {{3, 4}, {3, 5}, {4, 5}};
    lambda[0] = lambda[1] = lambda[2] = 0;
    for (int d = 0; d < dim; d++)
        if (!(free >> d & 1)) s[mixed[d][0]] = s[mixed[d][1]] = s[6 + d] = 0;
    double zz = dim == 3 ? s[2] : s[9];  // 2D: any positive number on the diagonal
    double a = s[1]*zz - s[5]*s[5], b = s[4]*s[5] - s[3]*zz, c = s[3]*s[5] - s[4]*s[1];
    double determinant = s[0]*a + s[3]*b + s[4]*c;
    if (!(determinant > 1e-9*s[9]*s[9]*s[9])) return;
    double d = s[0]*zz - s[4]*s[4], e = s[3]*s[4] - s[0]*s[5], f = s[0]*s[1] - s[3]*s[3];
    lambda[0] = (a*s[6] + b*s[7] + c*s[8])/determinant;
    lambda[1] = (b*s[6] + d*s[7] + e*s[8])/determinant;
    if (dim == 3) lambda[2] = (c*s[6] + e*s[7] + f*s[8])/determinant;
}

void curvature_neutral(double lambda[3], const SurfaceEntry* entry, long count, int dim)
{
    assert((dim == 2 || dim == 3) && count >= 0);
    double sum[FORCE_SUMS] = {0};
    for (long m = 0; m < count; m++) add_entry(sum, entry[m].area, entry[m].direction, entry[m].kappa);
    solve_neutral(lambda, sum, dim, 7);
}

// What the curvature must be multiplied by to pull as the lines on mirrors do, by least squares over those mirrors. A factor,
// since half a round drop must keep the same pressure everywhere; it stays 1 where what is asked for is nothing, or far from it.
static double find_factor(const double s[FORCE_SUMS], int dim, const SurfacePull* pull)
{
    const double most = 2;
    double product = 0, square = 0;
    for (int d = 0; d < dim; d++)
        if (pull->mirrored >> d & 1) product += pull->line[d]*s[6 + d], square += s[6 + d]*s[6 + d];
    return product > square/most && product < most*square ? product/square : 1;
}

// Sums over the cut cells of one row.
static void neutral_row(double sum[FORCE_SUMS], const double* kappa, const CutCells* cells, const Window* w, int r)
{
    for (int m = 0; m < FORCE_SUMS; m++) sum[m] = 0;
    for (int q = cells->row_first[r]; q < cells->row_first[r + 1]; q++) {
        const CutCell* c = &cells->cut[q];
        double area = vec_norm(c->patch);
        if (!(area > 0)) continue;
        double e[3] = {c->patch[0]/area, c->patch[1]/area, c->patch[2]/area};
        double x[3] = {c->i + c->center[0], c->j + c->center[1], c->k + c->center[2]};
        add_entry(sum, area, e, node_value(kappa, w, x));
    }
}

static void correct_row(double* kappa, double factor, const double lambda[3], const double* phi, const Spans* spans,
                        const Window* w, int r)
{
    ptrdiff_t row = window_at(w, 0, r%spans->rows_y, r/spans->rows_y);
    double reach = CURVATURE_REACH*w->dx, most = (w->dim - 1)/w->dx;
    SPAN_LOOP(spans, r, q)
        for (int i = spans->span[q].i0; i < spans->span[q].i1; i++) {
            if (!(fabs(phi[row + i]) < reach)) continue;
            double n[3];
            curvature_at(n, phi, w, row + i);
            kappa[row + i] = clamp(factor*kappa[row + i] - vec_dot(n, lambda), -most, most);
        }
}

mn_status curvature_make_neutral(double* kappa, double lambda[3], Arena* arena, const double* phi, const CutCells* cells,
                                 const Spans* spans, const Window* w, const SurfacePull* pull)
{
    assert(cells->row_first && (pull->free & pull->mirrored) == 0 && spans_is_valid(spans, w));
    double(*row)[FORCE_SUMS] = arena_take(arena, sizeof *row*(size_t)spans->rows);
    double* line = ARENA_NEW(arena, double, spans->rows);
    TRY_MEMORY(row);
    TRY_MEMORY(line);
#pragma omp parallel for schedule(dynamic, 16) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++) neutral_row(row[r], kappa, cells, w, r);
    double sum[FORCE_SUMS];
    for (int m = 0; m < FORCE_SUMS; m++) {
        for (int r = 0; r < spans->rows; r++) line[r] = row[r][m];
        sum[m] = global_sum(line, spans->rows);
    }
    double factor = find_factor(sum, w->dim, pull);
    for (int d = 0; d < w->dim; d++) sum[6 + d] *= factor;
    solve_neutral(lambda, sum, w->dim, pull->free);
#pragma omp parallel for schedule(dynamic, 8) if (spans_parallel(spans))
    for (int r = 0; r < spans->rows; r++) correct_row(kappa, factor, lambda, phi, spans, w, r);
    nodes_exchange(kappa, w, LINEAR_READS);
    return MN_OK;
}

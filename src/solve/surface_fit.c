// The surface as linear elements: its vertices lie where it crosses the edges of the grid, its elements are the triangles (2D:
// segments) of the cut cells. With K the stiffness of linear elements (K f = minus the area times the Laplacian of f), D the area
// of each vertex, T the values of f at the feet of the nodes and m their weights, the minimum of
//     (T f - v)^T m (T f - v) + stiffness (K f)^T D^-1 (K f)
// is the solution of a sparse positive definite system; nodes then take T f. K of a linear function is zero on any mesh of a flat
// surface, however irregular, so that the roughness of long waves is measured right.
#include "solve/surface_fit.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include "base/vec.h"
#include "grid/curvature.h"
#include "grid/cutcell.h"
#include "grid/exchange.h"
#include "grid/interpolate.h"
#include "solve/factor.h"

// Elements and vertices smaller than this count as this (cells^2): they weigh next to nothing, but would spoil the arithmetic.
static const double LEAST_ELEMENT = 1e-4, LEAST_VERTEX = 0.02;
// A node counts in the fit by 1 - distance/WEIGHT_REACH over WEIGHT_REACH, so that nodes of a column along the normal add up to
// 1.
static const double WEIGHT_REACH = 1.5;
// Feet further (cells) from every element of their own cell and those around it belong to surface that is not meshed (in a
// solid).
static const double MOST_MISSED = 0.75;

typedef struct Element {
    int vertex[3];
    double share;  // of its loop's surface: one over the number of fans that it is cut into (below)
} Element;

typedef struct Entry {
    int column;
    double value;
} Entry;

typedef struct Foot {
    ptrdiff_t at;
    int vertex[3];
    double part[3], weight;
    double dropped;  // the weight it would have if its foot did not lie in a solid
    double rest;     // what kappa at rest differs by from the window's corner, 1/m
} Foot;

typedef struct Fit {
    const SurfaceFit* in;
    const Window* w;
    int corners;     // per element
    int* edge[3];    // vertex on the edge of the grid from a node upwards; -1: none. Set on the edges of cut cells only
    double (*x)[3];  // of the vertices, cells
    double* speed;   // of the vertices along the normal, m/s
    int vertices;
    Element* element;
    int* first;  // per cut cell: its first element; the last is one more
    double* area;
    int* row;  // of K: entries row[v] .. row[v + 1] - 1
    Entry* entry;
    int* length;  // entries of row v that count, after repeated columns have been added up
    Foot* foot;
    int feet;
} Fit;

// ---- the mesh ------------------------------------------------------------------------------------------------------------

static void corner_of_edge(int out[3], int edge, int dim)
{
    int axis = edge/4, q = edge%4;
    out[0] = out[1] = out[2] = 0;
    int s = axis == 0 ? 1 : 0, t = axis == 2 ? 1 : 2;
    out[s] = q & 1;
    if (dim == 3) out[t] = q >> 1;
}

static void cell_values(double v[8], const Fit* f, const CutCell* c)
{
    const Window* w = f->w;
    for (int n = 0; n < (w->dim == 3 ? 8 : 4); n++) v[n] = cut_snap(f->in->phi[c->at + window_corner(w, n)]/w->dx);
}

// Speed of the vertex at x, a fraction t up the edge from node `at`, along the normal.
static double normal_speed(const Fit* f, ptrdiff_t at, int axis, double t, const double x[3])
{
    double low[3] = {0}, high[3] = {0}, n[3], v[3];
    node_gradient(low, f->in->phi, f->w, at);
    node_gradient(high, f->in->phi, f->w, at + window_stride(f->w, axis));
    for (int d = 0; d < 3; d++) n[d] = (1 - t)*low[d] + t*high[d];
    face_velocity(v, f->in->u, f->w, x);
    return vec_dot(n, v)/fmax(vec_norm(n), 0.1*f->w->dx);
}

static int vertex_on(Fit* f, const CutCell* c, int edge, const double v[8])
{
    int low[3], axis = edge/4;
    corner_of_edge(low, edge, f->w->dim);
    ptrdiff_t at = c->at + low[0] + low[1]*f->w->sy + low[2]*f->w->sz;
    int* id = &f->edge[axis][at];
    if (*id < 0) {
        int corner = low[0] + 2*low[1] + 4*low[2];
        double a = v[corner], b = v[corner + (1 << axis)], *x = f->x[f->vertices];
        assert((a < 0) != (b < 0));
        x[0] = c->i + low[0], x[1] = c->j + low[1], x[2] = c->k + low[2];
        x[axis] += a/(a - b);
        f->speed[f->vertices] = f->in->u ? normal_speed(f, at, axis, a/(a - b), x) : 0;
        *id = f->vertices++;
    }
    return *id;
}

// A loop of n edges as fans of triangles. A single fan would prefer one corner, and so one side of the grid: two triangles of a
// square are not those of its mirror image. So it is cut into the fans of all corners (those of opposite corners of four are the
// same), and each counts as its share. Returns the number of triangles; counts them when out is NULL.
static int add_fans(Element* out, const int* loop, int n)
{
    int fans = n == 3 ? 1 : n == 4 ? 2 : n, count = 0;
    for (int first = 0; first < fans; first++)
        for (int m = 2; m < n; m++, count++)
            if (out) out[count] = (Element){{loop[first], loop[(first + m - 1)%n], loop[(first + m)%n]}, 1.0/fans};
    return count;
}

// Elements of one cut cell: its segments, or its loops as fans. Returns their number; counts them when out is NULL.
static int mesh_cell(Element* out, Fit* f, const CutCell* c)
{
    double v[8];
    int count = 0;
    cell_values(v, f, c);
    if (f->corners == 2) {
        signed char segment[2][2];
        count = cut_segments_2d(segment, v);
        for (int s = 0; s < count && out; s++) {
            out[s].share = 1;
            for (int e = 0; e < 2; e++) out[s].vertex[e] = vertex_on(f, c, segment[s][1 - e], v);
        }
        return count;
    }
    signed char next[12];
    cut_loops_3d(next, v);
    for (int e = 0; e < 12; e++) {
        int loop[CUT_LOOP_MAX], n = 0;
        for (int q = e; next[q] >= 0;) {
            loop[n++] = out ? vertex_on(f, c, q, v) : 0;
            int after = next[q];
            next[q] = -1;  // consumed
            q = after;
        }
        count += add_fans(out ? out + count : NULL, loop, n);
    }
    return count;
}

static mn_status build_mesh(Fit* f, Arena* arena)
{
    const CutCells* cells = f->in->cells;
    const Window* w = f->w;
    int edges = w->dim == 3 ? 12 : 6, count = 0;
    for (int d = 0; d < w->dim; d++) {
        TRY_MEMORY(f->edge[d] = ARENA_NEW(arena, int, w->count));
        f->edge[d] += w->origin;
    }
    for (int m = 0; m < cells->count; m++)
        for (int e = 0; e < edges; e++) {
            int low[3];
            if (e%4 > 1 && w->dim == 2) continue;
            corner_of_edge(low, e, w->dim);
            f->edge[e/4][cells->cut[m].at + low[0] + low[1]*w->sy + low[2]*w->sz] = -1;
        }
    TRY_MEMORY(f->x = arena_take(arena, sizeof *f->x*(size_t)(edges*cells->count)));
    TRY_MEMORY(f->speed = ARENA_NEW(arena, double, edges*cells->count));
    TRY_MEMORY(f->first = ARENA_NEW(arena, int, cells->count + 1));
    for (int m = 0; m < cells->count; m++) {
        f->first[m] = count;
        if (cells->cut[m].patch_area > 0) count += mesh_cell(NULL, f, &cells->cut[m]);
    }
    f->first[cells->count] = count;
    TRY_MEMORY(f->element = ARENA_NEW(arena, Element, count));
    for (int m = 0; m < cells->count; m++)
        if (cells->cut[m].patch_area > 0) mesh_cell(f->element + f->first[m], f, &cells->cut[m]);
    return MN_OK;
}

// ---- stiffness -----------------------------------------------------------------------------------------------------------

// Stiffness of one element: 1/length, or e_i.e_j/(4 area) with e_i the edge opposite to vertex i. Returns its area.
static double element_stiffness(double k[3][3], const Fit* f, const Element* t)
{
    double e[3][3], normal[3];
    if (f->corners == 2) {
        vec_sub(e[0], f->x[t->vertex[1]], f->x[t->vertex[0]]);
        double length = fmax(vec_norm(e[0]), LEAST_ELEMENT);
        k[0][0] = k[1][1] = 1/length, k[0][1] = k[1][0] = -1/length;
        return length;
    }
    for (int n = 0; n < 3; n++) vec_sub(e[n], f->x[t->vertex[(n + 2)%3]], f->x[t->vertex[(n + 1)%3]]);
    vec_cross(normal, e[0], e[1]);
    double area = 0.5*vec_norm(normal), divisor = 4*fmax(area, LEAST_ELEMENT);
    for (int n = 0; n < 3; n++)
        for (int m = 0; m < 3; m++) k[n][m] = vec_dot(e[n], e[m])/divisor;
    return area;
}

static mn_status build_stiffness(Fit* f, Arena* arena)
{
    int elements = f->first[f->in->cells->count], corners = f->corners;
    TRY_MEMORY(f->area = ARENA_ZERO(arena, double, f->vertices));
    TRY_MEMORY(f->row = ARENA_ZERO(arena, int, f->vertices + 2));
    TRY_MEMORY(f->entry = ARENA_NEW(arena, Entry, elements*corners*corners));
    for (int e = 0; e < elements; e++)
        for (int n = 0; n < corners; n++) f->row[f->element[e].vertex[n] + 2] += corners;
    for (int v = 0; v < f->vertices; v++) f->row[v + 2] += f->row[v + 1];
    for (int e = 0; e < elements; e++) {
        double k[3][3], share = f->element[e].share, area = share*element_stiffness(k, f, &f->element[e]);
        for (int n = 0; n < corners; n++) {
            int v = f->element[e].vertex[n];
            f->area[v] += area/corners;
            for (int m = 0; m < corners; m++) f->entry[f->row[v + 1]++] = (Entry){f->element[e].vertex[m], share*k[n][m]};
        }
    }
    return MN_OK;
}

// Adds up repeated columns of row v; returns the number of entries left.
static int merge_row(Fit* f, int v)
{
    Entry* e = f->entry + f->row[v];
    int count = 0;
    for (int m = 0; m < f->row[v + 1] - f->row[v]; m++) {
        int n = 0;
        while (n < count && e[n].column != e[m].column) n++;
        if (n < count) e[n].value += e[m].value;
        else e[count++] = e[m];
    }
    return count;
}

// ---- feet of the nodes ---------------------------------------------------------------------------------------------------

// The point of a segment nearest to x, as the part of its second end.
static double nearest_on_segment(const double a[3], const double b[3], const double x[3])
{
    double ab[3], ax[3];
    vec_sub(ab, b, a), vec_sub(ax, x, a);
    return clamp(vec_dot(ab, ax)/fmax(vec_dot(ab, ab), 1e-20), 0, 1);
}

// Parts of its vertices that make up the point of an element nearest to x; returns the square of its distance.
static double nearest_on_element(double part[3], const Fit* f, const Element* t, const double x[3])
{
    const double* p[3] = {f->x[t->vertex[0]], f->x[t->vertex[1]], f->x[t->vertex[f->corners - 1]]};
    double best = INFINITY;
    if (f->corners == 3) {
        double ab[3], ac[3], ax[3];
        vec_sub(ab, p[1], p[0]), vec_sub(ac, p[2], p[0]), vec_sub(ax, x, p[0]);
        double bb = vec_dot(ab, ab), cc = vec_dot(ac, ac), bc = vec_dot(ab, ac), xb = vec_dot(ax, ab), xc = vec_dot(ax, ac);
        double determinant = bb*cc - bc*bc, s = (cc*xb - bc*xc)/determinant, r = (bb*xc - bc*xb)/determinant;
        if (determinant > LEAST_ELEMENT*LEAST_ELEMENT && s >= 0 && r >= 0 && s + r <= 1) {
            part[0] = 1 - s - r, part[1] = s, part[2] = r;
            double miss[3];
            for (int d = 0; d < 3; d++) miss[d] = ax[d] - s*ab[d] - r*ac[d];
            return vec_dot(miss, miss);
        }
    }
    for (int n = 0; n < (f->corners == 3 ? 3 : 1); n++) {
        const double *a = p[n], *b = p[(n + 1)%f->corners];
        double s = nearest_on_segment(a, b, x), miss[3];
        for (int d = 0; d < 3; d++) miss[d] = x[d] - a[d] - s*(b[d] - a[d]);
        double square = vec_dot(miss, miss);
        if (!(square < best)) continue;
        best = square;
        part[0] = part[1] = part[2] = 0;
        part[n] = 1 - s, part[(n + 1)%f->corners] = s;
    }
    return best;
}

// Which cut cell this is, -1 for none. Outside the spans the index is not set; an entry that is right knows its place.
static int cut_cell_at(const CutCells* cells, ptrdiff_t at)
{
    int32_t m = cells->index[at];
    return m >= 0 && m < cells->count && cells->cut[m].at == at ? m : -1;
}

// Looks through the elements of the cells `around` cells from that of the foot. Returns the square of the distance found.
static double find_element(Foot* out, const Fit* f, const double foot[3], const double n[3], int around)
{
    const Window* w = f->w;
    int c[3] = {0, 0, 0}, reach[3] = {0, 0, 0};
    double best = INFINITY;
    for (int d = 0; d < w->dim; d++) c[d] = (int)floor(foot[d]), reach[d] = around;
    for (int k = maxi(c[2] - reach[2], 0); k <= mini(c[2] + reach[2], w->n[2] - 1); k++)
        for (int j = maxi(c[1] - reach[1], 0); j <= mini(c[1] + reach[1], w->n[1] - 1); j++)
            for (int i = maxi(c[0] - reach[0], 0); i <= mini(c[0] + reach[0], w->n[0] - 1); i++) {
                int m = cut_cell_at(f->in->cells, window_at(w, i, j, k));
                // across a thread or sheet the other side's surface may be nearer
                if (m < 0 || !(vec_dot(f->in->cells->cut[m].patch, n) >= 0)) continue;
                for (int e = f->first[m]; e < f->first[m + 1]; e++) {
                    double part[3] = {0, 0, 0}, square = nearest_on_element(part, f, &f->element[e], foot);
                    if (!(square < best)) continue;
                    best = square;
                    memcpy(out->part, part, sizeof part);
                    memcpy(out->vertex, f->element[e].vertex, sizeof out->vertex);
                }
            }
    return best;
}

static bool find_foot(Foot* out, const Fit* f, const int node[3])
{
    const Window* w = f->w;
    ptrdiff_t at = window_at(w, node[0], node[1], node[2]);
    double n[3], foot[3], distance = fabs(f->in->phi[at])/w->dx;
    node_gradient(n, f->in->phi, w, at);
    double length = fmax(vec_norm(n), 0.1*w->dx);
    for (int d = 0; d < 3; d++) n[d] /= length, foot[d] = node[d] - f->in->phi[at]*n[d]/length;
    *out = (Foot){.at = at, .weight = fmax(1 - distance/WEIGHT_REACH, 0)/WEIGHT_REACH};
    out->rest = w->dx*vec_dot(f->in->rest, foot);
    // phi goes on straight into solids: curvatures there are those of a continuation and no one's
    if (f->in->phi_solid && node_value(f->in->phi_solid, w, foot) < 0) out->dropped = out->weight, out->weight = 0;
    double square = find_element(out, f, foot, n, 0);
    if (square > 0.01) square = find_element(out, f, foot, n, 1);
    return square < MOST_MISSED*MOST_MISSED;
}

static mn_status list_feet(Fit* f, Arena* arena)
{
    const Spans* s = f->in->spans;
    const Window* w = f->w;
    double reach = CURVATURE_REACH*w->dx;
    for (int pass = 0; pass < 2; pass++) {
        if (pass) TRY_MEMORY(f->foot = ARENA_NEW(arena, Foot, f->feet));
        f->feet = 0;
        for (int r = 0; r < s->rows; r++)
            SPAN_LOOP(s, r, m)
                for (int i = s->span[m].i0; i < s->span[m].i1; i++) {
                    int node[3] = {i, r%s->rows_y, r/s->rows_y};
                    if (!(fabs(f->in->phi[window_at(w, node[0], node[1], node[2])]) < reach)) continue;
                    if (!pass || find_foot(&f->foot[f->feet], f, node)) f->feet++;
                }
    }
    return MN_OK;
}

// ---- the fit -------------------------------------------------------------------------------------------------------------

// Adds `scale` times the square of a linear form to the matrix.
static int add_square(Triplet* out, const Entry* e, int count, double scale)
{
    int made = 0;
    for (int m = 0; m < count; m++)
        for (int n = 0; n < count; n++)
            if (e[m].column >= e[n].column) out[made++] = (Triplet){e[m].column, e[n].column, scale*e[m].value*e[n].value};
    return made;
}

// Of the unit on the diagonal that keeps the matrix from being singular where no foot counts.
static const double LEAST_WEIGHT = 1e-9;

static double vertex_stiffness(const Fit* f, int v) { return f->in->stiffness/fmax(f->area[v], LEAST_VERTEX); }

static mn_status factor_fit(Factor** matrix, Fit* f, Arena* arena)
{
    size_t most = (size_t)f->vertices + 9*(size_t)f->feet;
    TRY_MEMORY(f->length = ARENA_NEW(arena, int, f->vertices));
    for (int v = 0; v < f->vertices; v++) f->length[v] = merge_row(f, v), most += (size_t)f->length[v]*(size_t)f->length[v];
    Triplet* t = ARENA_NEW(arena, Triplet, most);
    TRY_MEMORY(t);
    int count = 0;
    for (int v = 0; v < f->vertices; v++) {
        t[count++] = (Triplet){v, v, LEAST_WEIGHT};
        count += add_square(t + count, f->entry + f->row[v], f->length[v], vertex_stiffness(f, v));
    }
    for (int m = 0; m < f->feet; m++) {
        Entry e[3];
        for (int n = 0; n < f->corners; n++) e[n] = (Entry){f->foot[m].vertex[n], f->foot[m].part[n]};
        count += add_square(t + count, e, f->corners, f->foot[m].weight);
    }
    assert((size_t)count <= most);
    return factor_new(matrix, f->vertices, t, count);
}

// The function with these values on the vertices at a foot.
static double value_at(const Foot* p, const Fit* f, const double* v)
{
    double sum = 0;
    for (int n = 0; n < f->corners; n++) sum += p->part[n]*v[p->vertex[n]];
    return sum;
}

static void add_weighted(double* b, const Foot* p, const Fit* f, double value)
{
    for (int n = 0; n < f->corners; n++) b[p->vertex[n]] += p->weight*p->part[n]*value;
}

// (K x)_v; K of a constant is zero, so by differences: the stiffness of the shortest elements leaves no rounding error then.
static double stretched(const Fit* f, int v, const double* x)
{
    double sum = 0;
    for (int m = 0; m < f->length[v]; m++) {
        const Entry* e = &f->entry[f->row[v] + m];
        sum += e->value*(x[e->column] - x[v]);
    }
    return sum;
}

// x = the solution for b; may be the same array. The shortest elements are 1e9 times as stiff as the feet are heavy, and the
// factors as inexact: what they leave of b is found without the matrix, and solved for once more.
static mn_status solve_for(double* x, const double* b, const Fit* f, const Factor* matrix, Arena* arena)
{
    double *rest = ARENA_NEW(arena, double, f->vertices), *k = ARENA_NEW(arena, double, f->vertices);
    TRY_MEMORY(rest);
    TRY_MEMORY(k);
    memcpy(rest, b, sizeof *rest*(size_t)f->vertices);
    TRY(factor_solve(matrix, x, b));
    for (int v = 0; v < f->vertices; v++) k[v] = vertex_stiffness(f, v)*stretched(f, v, x);
    for (int v = 0; v < f->vertices; v++) rest[v] -= LEAST_WEIGHT*x[v] + stretched(f, v, k);
    for (int m = 0; m < f->feet; m++) add_weighted(rest, &f->foot[m], f, -value_at(&f->foot[m], f, x));
    TRY(factor_solve(matrix, rest, rest));
    for (int v = 0; v < f->vertices; v++) x[v] += rest[v];
    return MN_OK;
}

// How much of what a vertex stands for is held by given values: 1 away from solids, 0 where every foot beside it lies in one.
static mn_status held_share(double** out, const Fit* f, Arena* arena)
{
    double *held = ARENA_ZERO(arena, double, f->vertices), *all = ARENA_ZERO(arena, double, f->vertices);
    TRY_MEMORY(held);
    TRY_MEMORY(all);
    for (int m = 0; m < f->feet; m++)
        for (int n = 0; n < f->corners; n++) {
            const Foot* p = &f->foot[m];
            held[p->vertex[n]] += p->part[n]*p->weight;
            all[p->vertex[n]] += p->part[n]*(p->weight + p->dropped);
        }
    for (int v = 0; v < f->vertices; v++) held[v] = all[v] > 0 ? held[v]/all[v] : 0;
    *out = held;
    return MN_OK;
}

// b += ahead K w, w the speeds less their fit. Vertices that no given value holds are kept by `stiffness` alone, which goes with
// dt^(8/3), while the load goes with dt: the answer would be the larger the shorter the step, and a line on a solid was thrown
// at 1 km/s. So a pair of vertices loads by the product of the shares in which they are held, both alike and in opposite
// directions. (Shares differ from vertex to vertex. As factors of rows and columns of K, its diagonal too, they left a load on
// two vertices together that goes with one over their distance: a drop at rest was kicked to a third of its capillary speed when
// its surface passed a node beside its line.)
static mn_status add_ahead(double* b, const Fit* f, const Factor* matrix, Arena* arena)
{
    double *w = ARENA_ZERO(arena, double, f->vertices), scale = f->in->ahead/(f->w->dx*f->w->dx), *share;
    TRY_MEMORY(w);
    TRY(held_share(&share, f, arena));
    for (int m = 0; m < f->feet; m++) add_weighted(w, &f->foot[m], f, value_at(&f->foot[m], f, f->speed));
    TRY(solve_for(w, w, f, matrix, arena));
    for (int v = 0; v < f->vertices; v++) w[v] = f->speed[v] - w[v];
    for (int v = 0; v < f->vertices; v++)
        for (int m = 0; m < f->length[v]; m++) {
            const Entry* e = &f->entry[f->row[v] + m];
            double loose = 1 - share[v]*share[e->column];
            b[v] += scale*e->value*w[e->column];
            b[v] -= scale*e->value*loose*(w[e->column] - w[v]);
        }
    return MN_OK;
}

// Mean of what kappa differs by from that at rest: LEAST_WEIGHT pulls towards it, not towards the value at the window's corner.
static double mean_off_rest(const double* kappa, const Fit* f)
{
    double sum = 0, weights = 0;
    for (int m = 0; m < f->feet; m++) {
        const Foot* p = &f->foot[m];
        sum += p->weight*(kappa[p->at] - p->rest), weights += p->weight;
    }
    return weights > 0 ? sum/weights : 0;
}

static mn_status solve_fit(double* kappa, const Fit* f, const Factor* matrix, Arena* arena)
{
    double* b = ARENA_ZERO(arena, double, f->vertices);
    TRY_MEMORY(b);
    double mean = mean_off_rest(kappa, f);
    for (int m = 0; m < f->feet; m++) add_weighted(b, &f->foot[m], f, kappa[f->foot[m].at] - f->foot[m].rest - mean);
    if (f->in->u) TRY(add_ahead(b, f, matrix, arena));
    TRY(solve_for(b, b, f, matrix, arena));
    double most = (f->w->dim - 1)/f->w->dx;  // as curvature itself is clamped (grid/curvature.h)
    for (int m = 0; m < f->feet; m++) {
        const Foot* p = &f->foot[m];
        kappa[p->at] = clamp(p->rest + mean + value_at(p, f, b), -most, most);
    }
    nodes_exchange(kappa, f->w, LINEAR_READS);
    return MN_OK;
}

mn_status surface_fit(double* kappa, Arena* arena, const SurfaceFit* in)
{
    assert(kappa && in->phi && in->stiffness >= 0 && cutcells_is_valid(in->cells, in->spans, in->w));
    Fit f = {.in = in, .w = in->w, .corners = in->w->dim == 3 ? 3 : 2};
    TRY(build_mesh(&f, arena));
    if (f.vertices == 0) return MN_OK;
    TRY(build_stiffness(&f, arena));
    TRY(list_feet(&f, arena));
    Factor* matrix;
    TRY(factor_fit(&matrix, &f, arena));
    mn_status status = solve_fit(kappa, &f, matrix, arena);
    factor_free(matrix);
    return status;
}

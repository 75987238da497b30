// Curvature of level sets that are exact, redistanced, and carried about, by several ways of finding it; prints tables and writes
// them to docs/validation/curvature.md. The library's way is "5^d binomial".
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "base/vec.h"
#include "grid/advect.h"
#include "grid/curvature.h"
#include "grid/interpolate.h"
#include "grid/levelset.h"

static FILE* page;

#define SAY(...)                                                                                                                 \
    do {                                                                                                                         \
        printf(__VA_ARGS__);                                                                                                     \
        if (page) fprintf(page, __VA_ARGS__);                                                                                    \
    } while (0)

// ---- shapes --------------------------------------------------------------------------------------------------------------

// F < 0 inside. Lengths in cells (dx = 1).
typedef struct Shape {
    const char* name;
    int dim;
    double axis[3];  // half axes over R
    double bumps;    // radius R (1 + bumps Y), Y a sectoral harmonic of degree 4
} Shape;

static const Shape SHAPES[] = {{"circle", 2, {1, 1, 1}, 0},
                               {"ellipse 1.5:1", 2, {1.2247, 0.8165, 1}, 0},
                               {"sphere", 3, {1, 1, 1}, 0},
                               {"ellipsoid 1.5:1.2:1", 3, {1.2331, 0.9865, 0.8221}, 0},
                               {"bumpy sphere", 3, {1, 1, 1}, 0.05}};
enum { SHAPE_COUNT = 5 };

typedef struct Placed {
    const Shape* shape;
    double radius, center[3];
} Placed;

static double implicit(const Placed* p, const double x[3])
{
    double y[3] = {0}, a = 0;
    for (int d = 0; d < p->shape->dim; d++) y[d] = (x[d] - p->center[d])/p->shape->axis[d];
    double r = vec_norm(y);
    if (p->shape->bumps != 0 && r > 0) {
        double s2 = (y[0]*y[0] + y[1]*y[1])/(r*r), c = cos(4*atan2(y[1], y[0]));
        a = p->shape->bumps*s2*s2*c;
    }
    return r - p->radius*(1 + a);
}

static void implicit_gradient(double g[3], const Placed* p, const double x[3])
{
    for (int d = 0; d < 3; d++) g[d] = 0;
    for (int d = 0; d < p->shape->dim; d++) {
        double a[3] = {x[0], x[1], x[2]}, b[3] = {x[0], x[1], x[2]};
        a[d] -= 1e-3, b[d] += 1e-3;
        g[d] = (implicit(p, b) - implicit(p, a))/2e-3;
    }
}

// Foot of the perpendicular from x [chopp2001]; returns the signed distance.
static double exact_distance(double foot[3], const Placed* p, const double x[3])
{
    memcpy(foot, x, 3*sizeof(double));
    for (int step = 0; step < 60; step++) {
        double g[3], f = implicit(p, foot), along = 0, move = 0;
        implicit_gradient(g, p, foot);
        double square = vec_dot(g, g);
        for (int d = 0; d < 3; d++) along += (x[d] - foot[d])*g[d];
        for (int d = 0; d < 3; d++) {
            double s = x[d] - foot[d] - (along + f)/square*g[d];
            s = step < 5 ? s : 0.7*s;
            foot[d] += s, move += s*s;
        }
        if (move < 1e-22) break;
    }
    double r[3];
    vec_sub(r, x, foot);
    return implicit(p, x) < 0 ? -vec_norm(r) : vec_norm(r);
}

// div(grad F/|grad F|) at a point of the surface.
static double exact_curvature(const Placed* p, const double x[3])
{
    double sum = 0, h = 1e-2;
    for (int d = 0; d < p->shape->dim; d++)
        for (int m = 1; m <= 2; m++)
            for (int side = -1; side <= 1; side += 2) {
                double y[3] = {x[0], x[1], x[2]}, g[3];
                y[d] += side*m*h;
                implicit_gradient(g, p, y);
                sum += side*(m == 1 ? 8.0 : -1.0)*g[d]/vec_norm(g)/(12*h);
            }
    return sum;
}

// ---- ways of finding the curvature ---------------------------------------------------------------------------------------

typedef struct Way {
    const char* name;
    double slope[5], bend[5], smooth[5];
} Way;

static const Way WAYS[] = {
    {"central differences", {0, -0.5, 0, 0.5, 0}, {0, 1, -2, 1, 0}, {0, 0, 1, 0, 0}},
    {"fourth order",
     {1/12.0, -8/12.0, 0, 8/12.0, -1/12.0},
     {-1/12.0, 16/12.0, -30/12.0, 16/12.0, -1/12.0},
     {0, 0, 1, 0, 0}},
    {"3^d binomial", {0, -0.5, 0, 0.5, 0}, {0, 1, -2, 1, 0}, {0, 0.25, 0.5, 0.25, 0}},
    {"5^d uniform", {-0.2, -0.1, 0, 0.1, 0.2}, {2/7.0, -1/7.0, -2/7.0, -1/7.0, 2/7.0}, {0.2, 0.2, 0.2, 0.2, 0.2}},
    {"5^d binomial", {0}, {0}, {0}},
    {"paraboloid", {0}, {0}, {0}},
};
enum { WAY_COUNT = 6, WAY_LIBRARY = 4, WAY_PARABOLOID = 5 };

static double filter(const double* v, const Window* w, const double* a, const double* b, const double* c)
{
    double sum = 0;
    int deep = w->dim == 3 ? 2 : 0;
    for (int k = -deep; k <= deep; k++)
        for (int j = -2; j <= 2; j++)
            for (int i = -2; i <= 2; i++) sum += a[i + 2]*b[j + 2]*(deep ? c[k + 2] : 1)*v[window_at(w, i, j, k)];
    return sum;
}

// As the library does it: principal curvatures of the level set through the node, moved to the surface.
static double filtered_curvature(const double* v, const Window* w, const Way* q)
{
    const double *A = q->slope, *B = q->bend, *S = q->smooth;
    bool deep = w->dim == 3;
    double x = filter(v, w, A, S, S), y = filter(v, w, S, A, S), z = deep ? filter(v, w, S, S, A) : 0;
    double xx = filter(v, w, B, S, S), yy = filter(v, w, S, B, S), zz = deep ? filter(v, w, S, S, B) : 0;
    double xy = filter(v, w, A, A, S), xz = deep ? filter(v, w, A, S, A) : 0, yz = deep ? filter(v, w, S, A, A) : 0;
    double square = x*x + y*y + z*z, n = sqrt(square), p = v[0]/n;
    double k = (xx + yy + zz - (x*x*xx + y*y*yy + z*z*zz + 2*(x*y*xy + x*z*xz + y*z*yz))/square)/n;
    if (!deep) return k/(1 - p*k);
    double g = (x*x*(yy*zz - yz*yz) + y*y*(xx*zz - xz*xz) + z*z*(xx*yy - xy*xy) +
                2*(x*y*(xz*yz - xy*zz) + x*z*(xy*yz - xz*yy) + y*z*(xy*xz - yz*xx))) /
               (square*square);
    return (k - 2*p*g)/(1 - p*k + p*p*g);
}

// Solves the m x m system in place (Gauss, pivots by size); false if singular.
static bool solve(double a[6][7], int m)
{
    for (int c = 0; c < m; c++) {
        int pivot = c;
        for (int r = c + 1; r < m; r++)
            if (fabs(a[r][c]) > fabs(a[pivot][c])) pivot = r;
        if (fabs(a[pivot][c]) < 1e-12) return false;
        for (int e = 0; e <= m; e++) {
            double t = a[c][e];
            a[c][e] = a[pivot][e], a[pivot][e] = t;
        }
        for (int r = 0; r < m; r++) {
            if (r == c) continue;
            double f = a[r][c]/a[c][c];
            for (int e = c; e <= m; e++) a[r][e] -= f*a[c][e];
        }
    }
    return true;
}

// Crossing of the edge from a node along d, by the cubic on the edge.
static bool edge_point(double x[3], const double* phi, const Window* w, const int node[3], int d)
{
    ptrdiff_t at = window_at(w, node[0], node[1], node[2]);
    if ((phi[at] < 0) == (phi[at + window_stride(w, d)] < 0)) return false;
    double low = 0, high = 1;
    for (int e = 0; e < 3; e++) x[e] = node[e];
    for (int step = 0; step < 40; step++) {
        double t = 0.5*(low + high), weight[4], f = 0;
        cubic_weights(weight, t);
        for (int m = 0; m < 4; m++) f += weight[m]*phi[at + (m - 1)*window_stride(w, d)];
        if ((f < 0) == (phi[at] < 0)) low = t;
        else high = t;
    }
    x[d] += low;
    return true;
}

// Paraboloid through the edge points within 2.5 cells of one of them, in the frame of the normal there, weights (1 -
// (r/2.5)^2)^2.
static double paraboloid_curvature(const double* phi, const Window* w, const double x[3])
{
    double n[3], e1[3], e2[3], a[6][7] = {{0}};
    if (w->dim == 3) interpolate_cubic(n, phi, w, 3, x);
    else interpolate_cubic(n, phi, w, 2, x);
    double norm = vec_norm(n);
    for (int d = 0; d < 3; d++) n[d] /= norm;
    double other[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0};
    if (w->dim == 2) other[0] = other[1] = 0, other[2] = 1;
    vec_cross(e1, other, n);
    norm = vec_norm(e1);
    for (int d = 0; d < 3; d++) e1[d] /= norm;
    vec_cross(e2, n, e1);
    int m = w->dim == 3 ? 6 : 3, base[3];
    for (int d = 0; d < 3; d++) base[d] = (int)x[d];
    for (int k = w->dim == 3 ? -3 : 0; k <= (w->dim == 3 ? 3 : 0); k++)
        for (int j = -3; j <= 3; j++)
            for (int i = -3; i <= 3; i++)
                for (int d = 0; d < w->dim; d++) {
                    int node[3] = {base[0] + i, base[1] + j, base[2] + k};
                    double y[3], r[3];
                    if (!edge_point(y, phi, w, node, d)) continue;
                    vec_sub(r, y, x);
                    double far = vec_dot(r, r)/6.25;
                    if (far >= 1) continue;
                    double s = vec_dot(r, e1), t = vec_dot(r, e2), h = vec_dot(r, n), weight = (1 - far)*(1 - far);
                    double f[6] = {1, s, s*s, t, t*t, s*t};
                    for (int p = 0; p < m; p++) {
                        for (int q = 0; q < m; q++) a[p][q] += weight*f[p]*f[q];
                        a[p][m] += weight*f[p]*h;
                    }
                }
    if (!solve(a, m)) return NAN;
    double c[6] = {0};
    for (int p = 0; p < m; p++) c[p] = a[p][m]/a[p][p];
    double hs = c[1], ht = c[3], hss = 2*c[2], htt = 2*c[4], hst = c[5], q = 1 + hs*hs + ht*ht;
    return -((1 + ht*ht)*hss - 2*hs*ht*hst + (1 + hs*hs)*htt)/(q*sqrt(q));
}

// ---- fields --------------------------------------------------------------------------------------------------------------

typedef struct Run {
    Tank tank;
    Window w;
    Field phi, kappa, u[3];
    Arena arena, scratch;
    Spans spans;
} Run;

static void run_init(Run* r, const Placed* p, int n)
{
    *r = (Run){.tank = {.dim = p->shape->dim, .dx = 1, .n = {n, n, p->shape->dim == 3 ? n : 1}}};
    for (int s = 0; s < 6; s++) r->tank.side[s] = SIDE_IS_WALL;
    r->w = window_whole(&r->tank);
    Field* all[5] = {&r->phi, &r->kappa, &r->u[0], &r->u[1], &r->u[2]};
    for (int f = 0; f < 5; f++) CHECK_OK(field_init(all[f], &r->w));
    for (int k = 0; k < window_node_layers(&r->w); k++)
        for (int j = 0; j <= n; j++)
            for (int i = 0; i <= n; i++) {
                double x[3] = {i, j, k}, foot[3], f = implicit(p, x);
                r->phi.v[window_at(&r->w, i, j, k)] = fabs(f) > 9 ? (f < 0 ? -5 : 5) : clamp(exact_distance(foot, p, x), -5, 5);
            }
    nodes_exchange(r->phi.v, &r->w, EVERY_LAYER);
}

static void run_free(Run* r)
{
    field_free(&r->phi), field_free(&r->kappa);
    for (int d = 0; d < 3; d++) field_free(&r->u[d]);
    arena_free(&r->arena), arena_free(&r->scratch);
}

static void redistance(Run* r, int sweeps, bool direct)
{
    arena_reset(&r->arena);
    CHECK_OK(spans_build(&r->spans, &r->arena, r->phi.v, &r->w, 5, 2));
    if (direct) CHECK_OK(levelset_redistance_direct(r->phi.v, &r->scratch, &r->spans, &r->w, 5, sweeps, NULL));
    else CHECK_OK(levelset_redistance(r->phi.v, &r->scratch, &r->spans, &r->w, 5, sweeps, false));
    arena_reset(&r->scratch);
}

static void carry(Run* r, double dt, bool direct)
{
    double* u[3] = {r->u[0].v, r->u[1].v, r->u[2].v};
    arena_reset(&r->arena);
    CHECK_OK(spans_build(&r->spans, &r->arena, r->phi.v, &r->w, 5, 2));
    CHECK_OK(advect_levelset(r->phi.v, &r->scratch, u, &r->spans, &r->w, 5, dt, direct ? ADVECT_CUBIC : ADVECT_MACCORMACK));
    arena_reset(&r->scratch);
    redistance(r, 3, direct);
}

// u = gradient G (x - center), centred on faces.
static void set_flow(Run* r, const double G[3][3], const double center[3])
{
    const Window* w = &r->w;
    for (int k = w->dim == 3 ? -GHOST : 0; k < (w->dim == 3 ? w->n[2] + GHOST : 1); k++)
        for (int j = -GHOST; j < w->n[1] + GHOST; j++)
            for (int i = -GHOST; i < w->n[0] + GHOST; i++)
                for (int d = 0; d < w->dim; d++) {
                    double x[3] = {i + 0.5*(d != 0), j + 0.5*(d != 1), w->dim == 3 ? k + 0.5*(d != 2) : 0}, y[3];
                    vec_sub(y, x, center);
                    r->u[d].v[window_at(w, i, j, k)] = vec_dot(G[d], y);
                }
}

typedef struct Errors {
    double max, mean, count, scale;
} Errors;

static void add_errors(Errors* e, Run* r, const Placed* p, int way)
{
    const Window* w = &r->w;
    arena_reset(&r->arena);
    CHECK_OK(spans_build(&r->spans, &r->arena, r->phi.v, w, 5, 2));
    if (way == WAY_LIBRARY) curvature_nodes(r->kappa.v, r->phi.v, &r->spans, w);
    else if (way != WAY_PARABOLOID)
        for (int k = 0; k < window_node_layers(w); k++)
            for (int j = 0; j <= w->n[1]; j++)
                for (int i = 0; i <= w->n[0]; i++) {
                    ptrdiff_t at = window_at(w, i, j, k);
                    if (fabs(r->phi.v[at]) < 2) r->kappa.v[at] = filtered_curvature(r->phi.v + at, w, &WAYS[way]);
                }
    for (int k = 0; k < window_node_layers(w); k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++)
                for (int d = 0; d < w->dim; d++) {
                    int node[3] = {i, j, k};
                    double x[3], foot[3];
                    if (!edge_point(x, r->phi.v, w, node, d)) continue;
                    double kappa = way == WAY_PARABOLOID ? paraboloid_curvature(r->phi.v, w, x) : node_value(r->kappa.v, w, x);
                    exact_distance(foot, p, x);
                    double exact = exact_curvature(p, foot), error = kappa - exact;
                    e->max = fmax(e->max, fabs(error)), e->mean += error*error, e->scale += exact*exact, e->count++;
                }
}

typedef enum Case { EXACT, REDISTANCED, RESTED, MOVED, TURNED, STRAINED, CASE_COUNT } Case;
static const char* const CASES[] = {"exact distances",
                                    "redistanced, 20 sweeps",
                                    "redistanced 100 times, 3 sweeps",
                                    "carried 100 steps",
                                    "turned once",
                                    "stretched 10 % and back, 200 steps"};

// Random in -1/2 .. 1/2, the same in every run.
static double offset(int seed)
{
    unsigned x = (unsigned)seed*2654435761u + 12345u;
    x ^= x >> 15, x *= 2246822519u, x ^= x >> 13;
    return x/4294967296.0 - 0.5;
}

static void run_case(Errors out[WAY_COUNT], const Shape* shape, double radius, Case which, bool direct, int tries, int first,
                     int last)
{
    memset(out, 0, WAY_COUNT*sizeof *out);
    for (int t = 0; t < tries; t++) {
        double largest = fmax(shape->axis[0], fmax(shape->axis[1], shape->dim == 3 ? shape->axis[2] : 0));
        int n = 2*(int)(radius*largest*(1 + shape->bumps)) + 14, room = which == MOVED ? 24 : 0;
        Placed p = {shape, radius, {0}};
        for (int d = 0; d < shape->dim; d++) p.center[d] = 0.5*n + offset(31*t + d + 7);
        Run r;
        run_init(&r, &p, n + room);
        if (which == REDISTANCED) redistance(&r, 20, direct);
        if (which == RESTED)
            for (int m = 0; m < 100; m++) redistance(&r, 3, direct);
        if (which == MOVED) {
            double v[3] = {0.8, 0.56, 0.32};
            for (int d = 0; d < shape->dim; d++) field_fill(&r.u[d], &r.w, v[d]);
            for (int m = 0; m < 100; m++) carry(&r, 0.25, direct);
            for (int d = 0; d < shape->dim; d++) p.center[d] += 25*v[d];
        }
        if (which == TURNED) {
            int steps = (int)(2*PI*radius*largest/0.5);
            double o = 2*PI/steps, G[3][3] = {{0, -o, 0}, {o, 0, 0}, {0, 0, 0}};
            set_flow(&r, G, p.center);
            for (int m = 0; m < steps; m++) carry(&r, 1, direct);
        }
        if (which == STRAINED)
            for (int m = 0; m < 200; m++) {
                double rate = 0.1*2*PI/200*cos(2*PI*(m + 0.5)/200),
                       G[3][3] = {{rate, 0, 0}, {0, -rate, 0}, {0, 0, 0}};
                set_flow(&r, G, p.center);
                carry(&r, 1, direct);
            }
        for (int way = first; way <= last; way++) add_errors(&out[way], &r, &p, way);
        run_free(&r);
    }
    for (int way = first; way <= last; way++) {
        double scale = sqrt(out[way].scale/out[way].count);
        out[way].mean = sqrt(out[way].mean/out[way].count)/scale, out[way].max /= scale;
    }
}

// ---- tables --------------------------------------------------------------------------------------------------------------

static const double RADII[] = {6, 8, 12, 16, 24, 32};

// All ways, one shape in 2D: R = 16 and 32 dx.
static void test_ways(void** state)
{
    (void)state;
    SAY("## Ways of finding it: ellipse 1.5:1, R = 16 and 32 dx\n\nLargest / rms error over the rms curvature; surface kept by "
        "cubics "
        "and direct distances.\n\n| way |");
    for (int c = 0; c < CASE_COUNT; c++) SAY(" %s |", CASES[c]);
    SAY("\n| --- |");
    for (int c = 0; c < CASE_COUNT; c++) SAY(" --- |");
    SAY("\n");
    Errors e[CASE_COUNT][2][WAY_COUNT];
    for (int c = 0; c < CASE_COUNT; c++)
        for (int m = 0; m < 2; m++) run_case(e[c][m], &SHAPES[1], m == 0 ? 16 : 32, (Case)c, true, 3, 0, WAY_COUNT - 1);
    for (int way = 0; way < WAY_COUNT; way++) {
        SAY("| %s |", WAYS[way].name);
        for (int c = 0; c < CASE_COUNT; c++)
            SAY(" %.1e / %.1e; %.1e / %.1e |", e[c][0][way].max, e[c][0][way].mean, e[c][1][way].max, e[c][1][way].mean);
        SAY("\n");
    }
    for (int c = 0; c < CASE_COUNT; c++) CHECK_LESS(e[c][1][WAY_LIBRARY].mean, 0.45*e[c][0][WAY_LIBRARY].mean);
}

static void table(Case which, bool direct, int largest_2d, int largest_3d)
{
    SAY("\n### %s%s\n\n| R/dx |", CASES[which],
        which == EXACT ? ""
        : direct       ? ", cubics and direct distances"
                       : ", MacCormack and relaxation");
    for (int s = 0; s < SHAPE_COUNT; s++) SAY(" %s |", SHAPES[s].name);
    SAY("\n| --- | --- | --- | --- | --- | --- |\n");
    for (int m = 0; m < 6; m++) {
        SAY("| %g |", RADII[m]);
        for (int s = 0; s < SHAPE_COUNT; s++) {
            if (RADII[m] > (SHAPES[s].dim == 3 ? largest_3d : largest_2d)) {
                SAY(" |");
                continue;
            }
            Errors e[WAY_COUNT];
            run_case(e, &SHAPES[s], RADII[m], which, direct, SHAPES[s].dim == 3 ? 1 : 5, WAY_LIBRARY, WAY_LIBRARY);
            SAY(" %.1e / %.1e |", e[WAY_LIBRARY].max, e[WAY_LIBRARY].mean);
            if (which == EXACT && RADII[m] == 16) CHECK_LESS(e[WAY_LIBRARY].max, SHAPES[s].bumps > 0 ? 0.1 : 0.02);
        }
        SAY("\n");
        fflush(stdout);
    }
}

static void test_shapes(void** state)
{
    (void)state;
    SAY("\n## The library's way (5^d binomial): largest / rms error over the rms curvature\n");
    table(EXACT, true, 32, 24);
    table(REDISTANCED, true, 32, 24);
    for (int direct = 1; direct >= 0; direct--) {
        table(RESTED, direct, 32, 12);
        table(MOVED, direct, 32, 12);
        table(TURNED, direct, 32, 8);
        table(STRAINED, direct, 32, 8);
    }
}

int main(void)
{
    page = fopen(MN_SCENES "/../docs/validation/curvature.md", "w");
    SAY("# Curvature: measured errors\n\nWritten by `build/tests/validate_curvature`. What the rows mean: "
        "[curvature.md](../curvature.md).\n\n");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ways), cmocka_unit_test(test_shapes)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (page) fclose(page);
    return failed;
}

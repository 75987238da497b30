#include "problems.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/vec.h"
#include "flat_poisson.h"
#include "liquid/liquid.h"
#include "solve/pressure.h"

// ---- shapes and velocity, in units of the box ----------------------------------------------------------------------------

typedef struct Ball {
    double center[3], radius;
} Ball;

// Signed distances, < 0 inside; the tank's is a height, not a distance.
typedef double Shape(const void* user, const double x[3]);

static double wavy_tank(const void* user, const double x[3])
{
    (void)user;
    return x[1] - (0.5 + 0.08*sin(2*PI*x[0])*cos(2*PI*x[2]) + 0.03*cos(6*PI*x[0] + 1));
}

static double ball(const void* user, const double x[3])
{
    const Ball* b = user;
    double r[3];
    vec_sub(r, x, b->center);
    return vec_norm(r) - b->radius;
}

// A number in -1..1 that looks random and depends on nothing but the face: its indices, spread over 64 bits, through the
// finaliser of SplitMix64.
static double noise(int i, int j, int k, int axis)
{
    uint64_t v =
        (uint64_t)i*1315423911u ^ (uint64_t)j*2654435761u << 7 ^ (uint64_t)k*97531u << 21 ^ (uint64_t)axis*7919u << 40;
    v += 0x9e3779b97f4a7c15u;
    v = (v ^ v >> 30)*0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27)*0x94d049bb133111ebu;
    v ^= v >> 31;
    return 2*((double)(v >> 11)*0x1p-53) - 1;
}

// Velocity on the low face of tank cell (i,j,k): smooth, not free of divergence, with noise that falls with dx. Walls are at
// rest.
static double velocity(int n, int i, int j, int k, int axis)
{
    int q[3] = {i, j, k};
    if (q[axis] <= 0 || q[axis] >= n) return 0;
    double x[3];
    for (int d = 0; d < 3; d++) x[d] = (q[d] + (d == axis ? 0 : 0.5))/n;
    double smooth = axis == 0   ? sin(2*PI*x[0])*cos(PI*x[1]) + 0.5*x[0]
                    : axis == 1 ? cos(3*PI*x[0])*sin(PI*x[1]) - x[1]
                                : sin(PI*x[2])*cos(2*PI*x[1]);
    return smooth + 3.0/n*noise(i, j, k, axis);
}

// ---- ghost fluid on cell centres -----------------------------------------------------------------------------------------

static const double GHOST_FLOOR = 0.01;

static double at_centre(int n, const int cell[3], Shape* shape, const void* user)
{
    double x[3];
    for (int d = 0; d < 3; d++) x[d] = (cell[d] + 0.5)/n;
    return shape(user, x);
}

// The link of one face towards air: the surface, where p = 0, lies theta cells away.
static double ghost_excess(int n, const int cell[3], const int air[3], Shape* shape, const void* user)
{
    double a = at_centre(n, cell, shape, user), b = at_centre(n, air, shape, user);
    return 1/fmax(a/(a - b), GHOST_FLOOR);
}

static void ghost_row(FlatRow* row, int n, const int* row_at, Shape* shape, const void* user)
{
    const int* c = row->cell;
    for (int d = 0; d < 3; d++) {
        row->low[d] = -1;
        for (int step = -1; step <= 1; step += 2) {
            int beside[3] = {c[0], c[1], c[2]};
            beside[d] += step;
            if (beside[d] < 0 || beside[d] >= n) continue;  // a wall: no link
            int m = row_at[((size_t)beside[2]*n + beside[1])*n + beside[0]];
            if (m < 0) row->excess += ghost_excess(n, c, beside, shape, user);
            else if (step < 0) row->low[d] = m, row->link[d] = 1;
        }
        row->b -= velocity(n, c[0] + (d == 0), c[1] + (d == 1), c[2] + (d == 2), d) - velocity(n, c[0], c[1], c[2], d);
    }
}

static mn_status make_ghost(Flat* f, int n, Shape* shape, const void* user)
{
    *f = (Flat){.tank = {n, n, n}};
    size_t cells = (size_t)n*n*n, at = 0;
    int* row_at = malloc(cells*sizeof *row_at);
    if (!row_at) return mn_fail(MN_NO_MEMORY, "out of memory: a problem of %d^3 cells", n);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++, at++)
                row_at[at] = at_centre(n, (int[3]){i, j, k}, shape, user) < 0 ? (int)f->count++ : -1;
    f->row = calloc((size_t)f->count, sizeof *f->row);
    if (!f->row) return free(row_at), mn_fail(MN_NO_MEMORY, "out of memory: a problem of %ld rows", f->count);
    for (at = 0; at < cells; at++)
        if (row_at[at] >= 0) {
            FlatRow* row = &f->row[row_at[at]];
            row->cell[0] = (int)(at%n), row->cell[1] = (int)(at/n%n), row->cell[2] = (int)(at/n/n);
            ghost_row(row, n, row_at, shape, user);
        }
    free(row_at);
    return MN_OK;
}

// ---- our cut cells -------------------------------------------------------------------------------------------------------

typedef struct CutFields {
    Field phi, phi_solid, u[3];
} CutFields;

// Every value of the window, ghosts too: both level sets and the velocity are formulas.
static mn_status sample(CutFields* f, const Window* w, int n, Shape* shape, const void* user, const Ball* solid)
{
    TRY(field_init(&f->phi, w));
    if (solid) TRY(field_init(&f->phi_solid, w));
    for (int d = 0; d < 3; d++) TRY(field_init(&f->u[d], w));
    for (int k = -GHOST; k <= w->n[2] + GHOST; k++)
        for (int j = -GHOST; j <= w->n[1] + GHOST; j++)
            for (int i = -GHOST; i <= w->n[0] + GHOST; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                double x[3];
                window_position(x, w, i, j, k);
                f->phi.v[at] = shape(user, x);
                if (solid) f->phi_solid.v[at] = ball(solid, x);
                for (int d = 0; d < 3; d++) f->u[d].v[at] = velocity(n, w->lo[0] + i, w->lo[1] + j, w->lo[2] + k, d);
            }
    return MN_OK;
}

static mn_status build_cut(Flat* out, const CutFields* f, const Window* w, const Tank* tank, Arena* arena)
{
    Spans spans;
    CutCells cells;
    Pressure p;
    TRY(spans_build(&spans, arena, f->phi.v, w, BAND*w->dx, SPAN_GROW));
    TRY(cutcells_build(&cells, arena, &spans, f->phi.v, f->phi_solid.v, w));
    PressureInput in = {.kind = PRESSURE_CUT,
                        .w = w,
                        .spans = &spans,
                        .cells = &cells,
                        .phi = f->phi.v,
                        .phi_solid = f->phi_solid.v,
                        .rho = 1,
                        .dt = 1};
    TRY(pressure_build(&p, arena, &in, (double* [3]){f->u[0].v, f->u[1].v, f->u[2].v}));
    return flat_from_poisson(out, &p.system, tank, arena);
}

// The liquid `shape` in the window lo..hi (in units of the box) plus the margin every liquid gets. `solid` may be NULL.
static mn_status make_cut(Flat* out, int n, const double lo[3], const double hi[3], Shape* shape, const void* user,
                          const Ball* solid)
{
    Tank tank = {.dim = 3, .dx = 1.0/n, .n = {n, n, n}};
    for (int s = 0; s < 6; s++) tank.side[s] = SIDE_IS_WALL;
    int first[3], size[3];
    for (int d = 0; d < 3; d++) {
        first[d] = (int)floor(lo[d]*n) - MARGIN;
        size[d] = (int)ceil(hi[d]*n) + MARGIN - first[d];
    }
    Window w = window_make(&tank, first, size);
    Arena arena = {0};
    CutFields f = {0};
    mn_status status = sample(&f, &w, n, shape, user, solid);
    if (status == MN_OK) status = build_cut(out, &f, &w, &tank, &arena);
    field_free(&f.phi);
    field_free(&f.phi_solid);
    for (int d = 0; d < 3; d++) field_free(&f.u[d]);
    arena_free(&arena);
    return status;
}

static mn_status make_cut_ball(Flat* out, int n, const Ball* b)
{
    double lo[3], hi[3];
    for (int d = 0; d < 3; d++) lo[d] = b->center[d] - b->radius, hi[d] = b->center[d] + b->radius;
    return make_cut(out, n, lo, hi, ball, b, NULL);
}

// ---- by name -------------------------------------------------------------------------------------------------------------

static mn_status make_parts(FlatProblem* p, const char* name, int n)
{
    if (!strcmp(name, "tank")) return make_ghost(&p->part[p->parts++], n, wavy_tank, NULL);
    if (!strcmp(name, "drop")) return make_ghost(&p->part[p->parts++], n, ball, &(Ball){{0.5, 0.5, 0.5}, 0.3});
    if (!strcmp(name, "solid")) {
        Ball solid = {{0.45, 0.3, 0.55}, 0.22};
        return make_cut(&p->part[p->parts++], n, (double[3]){0, 0, 0}, (double[3]){1, 0.61, 1}, wavy_tank, NULL, &solid);
    }
    if (!strcmp(name, "two_drops")) {
        TRY(make_cut_ball(&p->part[p->parts++], n, &(Ball){{0.503, 0.497, 0.511}, 48.0/128}));
        return make_cut_ball(&p->part[p->parts++], n, &(Ball){{0.91, 0.904, 0.907}, 6.0/128});
    }
    if (!strcmp(name, "droplet")) return make_cut_ball(&p->part[p->parts++], n, &(Ball){{0.503, 0.497, 0.511}, 18.0/64});
    return mn_fail(MN_BAD_ARGUMENT, "no problem is named %s", name);
}

mn_status problem_make(FlatProblem* p, const char* name, int n)
{
    *p = (FlatProblem){0};
    TRY(make_parts(p, name, n));
    for (int m = 0; m < p->parts; m++) {
        if (!flat_drop_empty_rows(&p->part[m])) return mn_fail(MN_NO_MEMORY, "out of memory: %s %d", name, n);
        flat_bounds(&p->part[m]);
    }
    return MN_OK;
}

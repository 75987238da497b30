// What pressures do to bodies, and bodies to the pressure's matrix.
#include <stdlib.h>
#include <string.h>
#include "ball.h"
#include "base/dense.h"
#include "solve/wrenches.h"

// A box of liquid, full or with a free surface, and a box-shaped body in it, anywhere and turned by any angle.
typedef struct Bath {
    Ball grid;  // its fields and arena; phi is the liquid's
    Field solid;
    Pressure p;
    double center[3], turn[3][3], half[3];
} Bath;

static double random_in(double low, double high) { return low + (high - low)*rand()/RAND_MAX; }

// From an axis and an angle at random.
static void turn_at_random(double R[3][3], int dim)
{
    double a[3] = {dim == 3 ? random_in(-1, 1) : 0, dim == 3 ? random_in(-1, 1) : 0, 1}, size = vec_norm(a),
           t = random_in(0, 6.28);
    for (int d = 0; d < 3; d++) a[d] /= size;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double cross[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
            R[i][j] = (i == j)*cos(t) + (1 - cos(t))*a[i]*a[j] + sin(t)*cross[i][j];
        }
}

static double box_distance(const Bath* b, const double x[3])
{
    double r[3], q[3] = {0, 0, 0}, out[3] = {0, 0, 0}, inside = -INFINITY;
    vec_sub(r, x, b->center);
    for (int d = 0; d < b->grid.w.dim; d++) {
        for (int e = 0; e < b->grid.w.dim; e++) q[d] += b->turn[e][d]*r[e];
        double away = fabs(q[d]) - b->half[d];
        out[d] = fmax(away, 0), inside = fmax(inside, away);
    }
    return inside > 0 ? vec_norm(out) : inside;
}

static void bath_init(Bath* b, int dim, int n, PressureKind kind, double level)
{
    Ball* g = &b->grid;
    ball_init(g, dim, n, 0.3);
    arena_reset(&g->arena);
    CHECK_OK(field_init(&b->solid, &g->w));
    turn_at_random(b->turn, dim);
    for (int d = 0; d < 3; d++) b->half[d] = random_in(0.08, 0.16), b->center[d] = d < dim ? random_in(0.36, 0.64) : 0;
    for (int k = 0; k < window_node_layers(&g->w); k++)
        for (int j = 0; j <= n; j++)
            for (int i = 0; i <= n; i++) {
                double x[3];
                ptrdiff_t at = window_at(&g->w, i, j, k);
                window_position(x, &g->w, i, j, k);
                g->phi.v[at] = fmin(x[1] - level, 0.2), b->solid.v[at] = box_distance(b, x);
            }
    CHECK_OK(spans_build(&g->spans, &g->arena, g->phi.v, &g->w, 4*g->w.dx, 2));
    CHECK_OK(cutcells_build(&g->cells, &g->arena, &g->spans, g->phi.v, b->solid.v, &g->w));
    PressureInput in = ball_input(g, kind);
    in.divergence = NULL, in.surface = NULL, in.phi_solid = b->solid.v;
    CHECK_OK(pressure_build(&b->p, &g->arena, &in, (double* [3]){g->u[0].v, g->u[1].v, g->u[2].v}));
}

static void bath_free(Bath* b)
{
    field_free(&b->solid);
    ball_free(&b->grid);
}

// Liquid of one pressure around a body neither pushes nor turns it: the sum of all wrenches is zero, to rounding.
static void test_one_pressure_does_nothing(void** state)
{
    (void)state;
    srand(1);
    for (int m = 0; m < 100; m++) {
        Bath b;
        double sum[TWIST] = {0}, most = 0;
        int dim = m%5 == 0 ? 3 : 2;
        bath_init(&b, dim, dim == 3 ? 20 : 33, m%2 ? PRESSURE_GHOST : PRESSURE_CUT, 2);
        for (int c = 0; c < b.grid.cells.count; c++) {
            double wrench[TWIST];
            pressure_wrench(wrench, &b.p, &b.grid.cells.cut[c], b.center);
            for (int k = 0; k < TWIST; k++) sum[k] += wrench[k], most += fabs(wrench[k]);
        }
        CHECK_LESS(1, most);
        for (int k = 0; k < TWIST; k++) CHECK_LESS(fabs(sum[k]), 1e-13*most);
        bath_free(&b);
    }
}

// Pressure that grows linearly, in its cells and with their moments, carries a body by the volume of its polygon, along the
// pressure's gradient only; a box ten cells wide has that volume but for its edges, which the polygon cuts.
static void test_linear_pressure_carries(void** state)
{
    (void)state;
    srand(2);
    for (int dim = 2; dim <= 3; dim++) {
        Bath b;
        double force[3] = {0}, volume = 1, slope[3] = {0.3, -1, dim == 3 ? 0.7 : 0};
        bath_init(&b, dim, dim == 3 ? 40 : 60, PRESSURE_GHOST, 2);
        for (int c = 0; c < b.grid.cells.count; c++) {
            const CutCell* cut = &b.grid.cells.cut[c];
            double wrench[TWIST], Q[3][3], x[3];
            pressure_skin_moments(wrench, Q, &b.p, cut, b.center);
            window_position(x, &b.grid.w, cut->i + 0.5, cut->j + 0.5, cut->k + 0.5);
            for (int e = 0; e < dim; e++) {
                force[e] += vec_dot(slope, x)*wrench[e]*window_face_area(&b.grid.w);
                for (int d = 0; d < dim; d++) force[e] += slope[d]*Q[d][e]*window_cell_volume(&b.grid.w);
            }
        }
        for (int d = 0; d < dim; d++) volume *= 2*b.half[d];
        for (int d = 0; d < dim; d++) CHECK_WITHIN(force[d], -slope[d]*volume, 0.04*volume);
        // all three are one volume: rounding alone lies between them
        double seen = -force[1]/slope[1];
        for (int d = 0; d < dim; d++) CHECK_WITHIN(force[d], -slope[d]*seen, 1e-12);
        bath_free(&b);
    }
}

// ---- the operator ----------------------------------------------------------------------------------------------------------

// Two bodies on five degrees of freedom in one bath, each with every other cell of the skin; every fifth cell belongs to both.
typedef struct Coupled {
    Bath bath;
    Wrenches w;
    double jacobian[2][TWIST*4], inertia[25], factor[25], right[25];
    Follower follower[2];
} Coupled;

static void coupled_init(Coupled* c, PressureKind kind)
{
    srand(3);
    bath_init(&c->bath, 2, 16, kind, 0.55);
    for (int b = 0; b < 2; b++) {
        for (int m = 0; m < TWIST*4; m++) c->jacobian[b][m] = random_in(-1, 1);
        c->follower[b] = (Follower){b, 4, c->jacobian[b]};
    }
    double A[25];
    for (int m = 0; m < 25; m++) A[m] = random_in(-0.1, 0.1);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            c->inertia[5*i + j] = (i == j)*0.01;
            for (int k = 0; k < 5; k++) c->inertia[5*i + j] += A[5*i + k]*A[5*j + k];
        }
    memcpy(c->factor, c->inertia, sizeof c->factor);
    assert_true(dense_cholesky(c->factor, 5));
    const Ball* g = &c->bath.grid;
    c->w =
        (Wrenches){.body = c->follower, .bodies = 2, .nv = 5, .factor = c->factor, .dt = 0.5, .dx = g->w.dx, .dim = 2, .rho = 1};
    c->w.cell = calloc(2*(size_t)g->cells.count, sizeof *c->w.cell);
    for (int m = 0; m < g->cells.count; m++) {
        const CutCell* cut = &g->cells.cut[m];
        if (!pressure_is_unknown(&c->bath.p, cut->at)) continue;
        WrenchCell* cell = &c->w.cell[c->w.cells++];
        *cell = (WrenchCell){.cell = cut->at, .body = m%2};
        pressure_wrench(cell->wrench, &c->bath.p, cut, c->bath.center);
        if (m%5) continue;
        c->w.cell[c->w.cells] = *cell, c->w.cell[c->w.cells++].body = 1 - m%2;
    }
    CHECK_OK(wrenches_init(&c->w, &c->bath.grid.arena));
}

// rho dx^dim C M^-1 C^T gives the same whichever of two vectors it acts on.
static void test_operator_is_symmetric(void** state)
{
    (void)state;
    Coupled c;
    PoissonOperator op;
    coupled_init(&c, PRESSURE_GHOST);
    wrenches_operator(&op, &c.w);
    int n = op.count;
    double *a = calloc(4*(size_t)n, sizeof *a), *b = a + n, *on_a = b + n, *on_b = on_a + n, ab = 0, ba = 0, aa = 0;
    for (int m = 0; m < n; m++) a[m] = random_in(-1, 1), b[m] = random_in(-1, 1);
    op.apply(on_a, a, op.user), op.apply(on_b, b, op.user);
    for (int m = 0; m < n; m++) ab += a[m]*on_b[m], ba += b[m]*on_a[m], aa += a[m]*on_a[m];
    CHECK_CLOSE(ab, ba, 1e-12);
    CHECK_LESS(0, aa);
    free(a), free(c.w.cell);
    bath_free(&c.bath);
}

// Pressures and velocities solved together as one dense matrix [A, (rho dx/dt) C; -dt dx^(dim-1) C^T, M] are those of the solve
// in which the velocities are eliminated.
static void test_against_dense_solve(void** state)
{
    (void)state;
    Coupled c;
    coupled_init(&c, PRESSURE_CUT);
    const Ball* g = &c.bath.grid;
    Poisson* s = &c.bath.p.system;
    double impulse[5], v[5], dx = g->w.dx, dt = c.w.dt;
    for (int m = 0; m < 5; m++) impulse[m] = random_in(-1, 1);
    for (int j = 0; j < g->w.n[1]; j++)
        for (int i = 0; i < g->w.n[0]; i++)
            if (pressure_is_unknown(&c.bath.p, window_at(&g->w, i, j, 0))) s->b[window_at(&g->w, i, j, 0)] = random_in(-1, 1);
    double* b = window_copy(&c.bath.grid.arena, s->b, &g->w);
    // eliminated
    memcpy(v, impulse, sizeof v);
    dense_solve(v, c.factor, 5);
    double* flux = calloc((size_t)c.w.cells, sizeof *flux);
    wrenches_flux(flux, &c.w, v);
    for (int m = 0; m < c.w.cells; m++) s->b[c.w.cell[m].cell] -= dx/dt*flux[m];
    PoissonOperator op;
    SolveReport report;
    wrenches_operator(&op, &c.w);
    PoissonPart part = {.problem = s, .p = c.bath.grid.p.v, .weight = 1};
    CHECK_OK(poisson_solve_group(&report, &(PoissonGroup){&part, 1, &op, 1}, &(SolveOptions){1e-13, 300}, &c.bath.grid.arena));
    assert_true(report.converged);
    double got[5];
    wrenches_impulse(got, &c.w, (double* [1]){part.p});
    for (int m = 0; m < 5; m++) got[m] += impulse[m];
    dense_solve(got, c.factor, 5);
    // both equations as they stand
    double worst = 0, most = 0;
    wrenches_flux(flux, &c.w, got);
    for (int j = 0; j < g->w.n[1]; j++)
        for (int m = s->first[j]; m < s->first[j + 1]; m++) {
            const SpecialCell* cell = &s->special[m];
            ptrdiff_t at = window_at(&g->w, cell->i, j, 0);
            if (!pressure_is_unknown(&c.bath.p, at)) continue;
            double row = cell->excess*part.p[at];
            for (int side = 0; side < 4; side++)
                row += cell->link[side]*(part.p[at] - part.p[at + (side%2 ? 1 : -1)*window_stride(&g->w, side/2)]);
            for (int q = 0; q < c.w.cells; q++)
                if (c.w.cell[q].cell == at) row += dx/dt*flux[q];
            worst = fmax(worst, fabs(row - b[at])), most = fmax(most, fabs(b[at]));
        }
    print_message("%d cells with bodies, %d iterations, rows off by %.1e\n", c.w.cells, report.iterations, worst/most);
    CHECK_LESS(worst, 1e-9*most);
    free(flux), free(c.w.cell);
    bath_free(&c.bath);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_pressure_does_nothing),
                                       cmocka_unit_test(test_linear_pressure_carries),
                                       cmocka_unit_test(test_operator_is_symmetric), cmocka_unit_test(test_against_dense_solve)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

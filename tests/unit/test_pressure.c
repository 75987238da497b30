// The pressure operator and its solver: convergence on curved domains, exactness, symmetry, sealed tanks, iteration counts.
#include "ball.h"
#include <stdlib.h>
#include <string.h>

// Exact solutions of -lap p = f with p known on the surface, as in the table of docs/pressure.md.
typedef enum Exact { PARABOLA, HARMONIC } Exact;

static double exact_value(Exact which, const Ball* b, const double x[3])
{
    if (which == HARMONIC) return exp(3*x[0])*cos(3*x[1]) + (b->w.dim == 3 ? x[2]*x[0] : 0);
    double r[3];
    vec_sub(r, x, b->center);
    return b->radius*b->radius - vec_dot(r, r);
}

// Largest error of p over the unknown cells.
static double solve_error(int dim, int n, Exact which, PressureKind kind, SolveReport* report)
{
    Ball b;
    ball_init(&b, dim, n, 0.3);
    double f = which == PARABOLA ? 2*dim : 0;
    for (int k = 0; k < window_node_layers(&b.w); k++)
        for (int j = 0; j <= n; j++)
            for (int i = 0; i <= n; i++) {
                double x[3];
                window_position(x, &b.w, i, j, k);
                b.surface.v[window_at(&b.w, i, j, k)] = which == PARABOLA ? 0 : exact_value(which, &b, x);
                b.divergence.v[window_at(&b.w, i, j, k)] = f;
            }
    PressureInput in = ball_input(&b, kind);
    Pressure p;
    double* u[3] = {b.u[0].v, b.u[1].v, b.u[2].v};
    CHECK_OK(pressure_build(&p, &b.arena, &in, u));
    CHECK_OK(poisson_solve(b.p.v, report, &p.system, &(SolveOptions){1e-11, 200}, &b.arena));
    CHECK_TRUE(report->converged);
    double worst = 0;
    for (int k = 0; k < b.w.n[2]; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                ptrdiff_t at = window_at(&b.w, i, j, k);
                if (p.cell[at] != CELL_IS_UNKNOWN) continue;
                double x[3];
                window_position(x, &b.w, i + 0.5, j + 0.5, k + 0.5);
                worst = fmax(worst, fabs(b.p.v[at] - exact_value(which, &b, x)));
            }
    ball_free(&b);
    return worst;
}

static void check_order(int dim, int coarse, Exact which, PressureKind kind, double slope, const char* name)
{
    SolveReport a, b;
    double e1 = solve_error(dim, coarse, which, kind, &a), e2 = solve_error(dim, 2*coarse, which, kind, &b);
    print_message("%s %dD n = %d, %d: max error %.3g, %.3g, slope %.2f, iterations %d, %d\n", name, dim, coarse, 2*coarse, e1, e2,
                  log2(e1/e2), a.iterations, b.iterations);
    CHECK_LESS(slope, log2(e1/e2));
}

// Design table (cutcells.md section 5): R^2 - r^2 gives 2.1e-4 / 5.4e-5 / 1.3e-5 at n = 32/64/128 and e^3x cos 3y gives
// 2.7e-3 / 7.1e-4 / 1.8e-4 on a disc whose place and radius the table does not tell: we ask for the order.
static void test_disc_second_order(void** state)
{
    (void)state;
    check_order(2, 32, PARABOLA, PRESSURE_CUT, 1.8, "cut parabola");
    check_order(2, 64, PARABOLA, PRESSURE_CUT, 1.8, "cut parabola");
    check_order(2, 32, HARMONIC, PRESSURE_CUT, 1.8, "cut harmonic");
    check_order(2, 64, HARMONIC, PRESSURE_CUT, 1.8, "cut harmonic");
    check_order(2, 64, PARABOLA, PRESSURE_GHOST, 1.8, "ghost parabola");
    check_order(2, 64, HARMONIC, PRESSURE_GHOST, 1.8, "ghost harmonic");
}

static void test_ball_second_order(void** state)
{
    (void)state;
    check_order(3, 24, PARABOLA, PRESSURE_CUT, 1.8, "cut parabola");
    check_order(3, 24, HARMONIC, PRESSURE_CUT, 1.8, "cut harmonic");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disc_second_order),
        cmocka_unit_test(test_ball_second_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

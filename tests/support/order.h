// Order of convergence of the pressure operator on a disc or ball.
#pragma once
#include "ball.h"

// Exact solutions of -lap p = f with p known on the surface, as in the table of docs/pressure.md.
typedef enum Exact { PARABOLA, HARMONIC } Exact;

static inline double exact_value(Exact which, const Ball* b, const double x[3])
{
    if (which == HARMONIC) return exp(3*x[0])*cos(3*x[1]) + (b->w.dim == 3 ? x[2]*x[0] : 0);
    double r[3];
    vec_sub(r, x, b->center);
    return b->radius*b->radius - vec_dot(r, r);
}

typedef struct SolveError {
    double max, mean;  // over the unknown cells; mean: root of the mean square
} SolveError;

static inline SolveError solve_error(int dim, int n, Exact which, PressureKind kind, SolveReport* report)
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
    SolveError out = {0};
    long cells = 0;
    for (int k = 0; k < b.w.n[2]; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                ptrdiff_t at = window_at(&b.w, i, j, k);
                if (p.cell[at] != CELL_IS_UNKNOWN) continue;
                double x[3];
                window_position(x, &b.w, i + 0.5, j + 0.5, k + 0.5);
                double e = fabs(b.p.v[at] - exact_value(which, &b, x));
                out.max = fmax(out.max, e);
                out.mean += e*e;
                cells++;
            }
    out.mean = sqrt(out.mean/(double)cells);
    ball_free(&b);
    return out;
}

// Orders of the mean and of the largest error. The largest is c dx^2 with c the worst of all the ways in which the surface can
// cut a cell, and a finer grid meets more of them: for a p that varies along the surface its slope stays behind the mean's.
static inline void check_order(int dim, int coarse, Exact which, PressureKind kind, double mean_slope, double max_slope,
                               const char* name)
{
    SolveReport a, b;
    SolveError e1 = solve_error(dim, coarse, which, kind, &a), e2 = solve_error(dim, 2*coarse, which, kind, &b);
    print_message("%s %dD n = %d, %d: max error %.3g, %.3g, slope %.2f; mean %.3g, %.3g, slope %.2f; iterations %d, %d\n", name,
                  dim, coarse, 2*coarse, e1.max, e2.max, log2(e1.max/e2.max), e1.mean, e2.mean, log2(e1.mean/e2.mean),
                  a.iterations, b.iterations);
    CHECK_LESS(mean_slope, log2(e1.mean/e2.mean));
    CHECK_LESS(max_slope, log2(e1.max/e2.max));
}

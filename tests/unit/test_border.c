// Unknowns beside the grid, eliminated inside the pressure solve.
#include "ball.h"
#include "solve/border.h"

// ---- a column of liquid on a free piston ---------------------------------------------------------------------------------

typedef struct Piston {
    int cells;
    double factor;  // rho dx face/M
} Piston;

// The piston's speed changes by -dt/M (sum of p face): every cell on it feels every other, factor 1 1^T.
static void piston_apply(double* out, const double* in, void* user)
{
    const Piston* piston = user;
    double sum = 0;
    for (int m = 0; m < piston->cells; m++) sum += in[m];
    for (int m = 0; m < piston->cells; m++) out[m] = piston->factor*sum;
}

// Newton: a force F lifts piston M and column rho H W together, a = F/(M + rho H W) - g; the pressure on the piston is
// rho (g + a) H. One step from rest, any dt.
static void test_column_on_piston(void** state)
{
    (void)state;
    enum { N = 24 };
    const double g = 9.81, mass = 0.31, force = 7, height = 14.4/N;
    const double moved = mass + 0.5/N;  // the half cell between the piston and the first pressures goes with it
    Ball b;
    ball_init(&b, 2, N, 0.3);
    for (int j = 0; j <= N; j++)
        for (int i = 0; i <= N; i++) b.phi.v[window_at(&b.w, i, j, 0)] = (double)j/N - height;
    CHECK_OK(spans_build(&b.spans, &b.arena, b.phi.v, &b.w, 4*b.w.dx, 2));
    CHECK_OK(cutcells_build(&b.cells, &b.arena, &b.spans, b.phi.v, NULL, &b.w));
    double start = force/moved - g;  // speed of the piston after dt = 1 s without the liquid
    for (int j = 0; j <= N; j++)
        for (int i = 0; i < N; i++) b.u[1].v[window_at(&b.w, i, j, 0)] = j == 0 ? start : j == N ? 0 : -g;
    PressureInput in = ball_input(&b, PRESSURE_CUT);
    in.divergence = NULL, in.surface = NULL;
    Pressure p;
    double* u[3] = {b.u[0].v, b.u[1].v, b.u[2].v};
    CHECK_OK(pressure_build(&p, &b.arena, &in, u));
    ptrdiff_t cell[N];
    for (int i = 0; i < N; i++) cell[i] = window_at(&b.w, i, 0, 0);
    Piston piston = {N, b.w.dx*b.w.dx/moved};
    p.system.extra = (PoissonExtra){N, cell, piston_apply, &piston};
    SolveReport report;
    CHECK_OK(poisson_solve(b.p.v, &report, &p.system, &(SolveOptions){1e-12, 200}, &b.arena));
    CHECK_TRUE(report.converged);
    double a = force/(mass + height) - g, worst = 0;
    for (int j = 0; j < 14; j++)
        for (int i = 0; i < N; i++)
            worst = fmax(worst, fabs(b.p.v[window_at(&b.w, i, j, 0)] - (g + a)*(height - (j + 0.5)/N)));
    print_message("column on a piston: %d iterations, p off by %.1e of rho (g + a) H\n", report.iterations,
                  worst/((g + a)*height));
    CHECK_LESS(worst, 1e-9*(g + a)*height);
    ball_free(&b);
}

// ---- links through unknowns beside the grid ------------------------------------------------------------------------------

static SpecialCell* special_at(Poisson* f, int i, int j)
{
    for (int m = f->first[j]; m < f->first[j + 1]; m++)
        if (f->special[m].i == i) return &f->special[m];
    return NULL;
}

enum { LINKS = 40 };

// Special cells of the disc, each once, for links to hang on.
static int pick_cells(int at[LINKS][2], Ball* b, const Poisson* f)
{
    int count = 0;
    for (int j = 0; j < b->w.n[1] && count < LINKS; j++)
        for (int m = f->first[j]; m < f->first[j + 1] && count < LINKS; m += 2)
            at[count][0] = f->special[m].i, at[count++][1] = j;
    return count;
}

// Two links in series, w and G to p = 0, act as one of w G/(w + G) (Kirchhoff).
static void test_links_in_series(void** state)
{
    (void)state;
    double* solution[2];
    Ball b;
    ball_init(&b, 2, 48, 0.3);
    for (size_t i = 0; i < b.w.count; i++) b.divergence.block[i] = 1 + 0.3*sin((double)i);
    PressureInput in = ball_input(&b, PRESSURE_CUT);
    for (int direct = 0; direct < 2; direct++) {
        Pressure p;
        CHECK_OK(pressure_build(&p, &b.arena, &in, (double* [3]){b.u[0].v, b.u[1].v, b.u[2].v}));
        int at[LINKS][2], links = pick_cells(at, &b, &p.system);
        Triplet block[LINKS];
        BorderEntry entry[LINKS];
        double d[LINKS] = {0}, s[LINKS];
        for (int m = 0; m < links; m++) {
            double w = 0.5 + m, ground = 3.0/(1 + m%7);
            special_at(&p.system, at[m][0], at[m][1])->excess += direct ? w*ground/(w + ground) : w;
            block[m] = (Triplet){m, m, w + ground};
            entry[m] = (BorderEntry){.cell = window_at(&b.w, at[m][0], at[m][1], 0), .unknown = m, .value = -w};
        }
        Border border = {.count = links, .entry = entry, .entries = links, .block = block, .block_entries = links, .d = d};
        if (!direct) CHECK_OK(border_begin(&border, &p.system, &b.arena));
        SolveReport report;
        solution[direct] = ARENA_ZERO(&b.arena, double, b.w.count) + b.w.origin;
        CHECK_OK(poisson_solve(solution[direct], &report, &p.system, &(SolveOptions){1e-12, 200}, &b.arena));
        CHECK_TRUE(report.converged);
        if (!direct) CHECK_OK(border_end(&border, s, solution[0]));
        print_message("%d links %s: %d iterations\n", links, direct ? "put together" : "through border unknowns",
                      report.iterations);
    }
    double worst = 0, most = 0;
    for (int j = 0; j < 48; j++)
        for (int i = 0; i < 48; i++) {
            ptrdiff_t at = window_at(&b.w, i, j, 0);
            worst = fmax(worst, fabs(solution[0][at] - solution[1][at])), most = fmax(most, fabs(solution[0][at]));
        }
    print_message("the two solutions differ by %.1e of the largest p\n", worst/most);
    CHECK_LESS(worst, 1e-10*most);
    ball_free(&b);
}

// A chain of border unknowns with several cells each and a right-hand side of its own: the second block row,
// B^T p + C s = d, holds, and a chain that nothing else holds passes on exactly what it gets.
static void test_chain(void** state)
{
    (void)state;
    Ball b;
    ball_init(&b, 2, 48, 0.3);
    for (size_t i = 0; i < b.w.count; i++) b.divergence.block[i] = 1;
    PressureInput in = ball_input(&b, PRESSURE_CUT);
    Pressure p;
    CHECK_OK(pressure_build(&p, &b.arena, &in, (double* [3]){b.u[0].v, b.u[1].v, b.u[2].v}));
    int at[LINKS][2], links = pick_cells(at, &b, &p.system), count = links/4;
    Triplet block[4*LINKS];
    BorderEntry entry[LINKS], given[LINKS];
    double d[LINKS], s[LINKS], sum_d = 0;
    int blocks = 0;
    for (int m = 0; m < links; m++) {
        double w = 1 + 0.1*m;
        special_at(&p.system, at[m][0], at[m][1])->excess += w;
        entry[m] = (BorderEntry){.cell = window_at(&b.w, at[m][0], at[m][1], 0), .unknown = m%count, .value = -w};
        given[m] = entry[m];
        block[blocks++] = (Triplet){m%count, m%count, w};
    }
    for (int a = 0; a < count; a++) {
        d[a] = 0.01*a, sum_d += d[a];
        if (a == 0) continue;
        block[blocks++] = (Triplet){a, a, 5}, block[blocks++] = (Triplet){a - 1, a - 1, 5},
        block[blocks++] = (Triplet){a, a - 1, -5};
    }
    Border border = {.count = count, .entry = entry, .entries = links, .block = block, .block_entries = blocks, .d = d};
    CHECK_OK(border_begin(&border, &p.system, &b.arena));
    SolveReport report;
    CHECK_OK(poisson_solve(b.p.v, &report, &p.system, &(SolveOptions){1e-12, 200}, &b.arena));
    CHECK_TRUE(report.converged);
    CHECK_OK(border_end(&border, s, b.p.v));
    double passed = 0;
    for (int m = 0; m < links; m++) passed += -given[m].value*(s[given[m].unknown] - b.p.v[given[m].cell]);
    print_message("chain of %d unknowns on %d cells: %d iterations, passes on %.12g of %.12g\n", count, links, report.iterations,
                  passed, sum_d);
    CHECK_CLOSE(passed, sum_d, 1e-9);
    ball_free(&b);
}

static void test_not_positive_definite(void** state)
{
    (void)state;
    Factor* f;
    Triplet entry[3] = {{0, 0, 1}, {1, 0, 2}, {1, 1, 1}};
    CHECK_TRUE(factor_new(&f, 2, entry, 3) == MN_NO_CONVERGENCE && !f);
}

// A chain of springs between two walls, then with stiffer springs: the same places, other values. A force
// on the first of them moves it most; the others fall off linearly to the far wall.
static void test_factor_again(void** state)
{
    (void)state;
    enum { N = 40 };
    Triplet entry[2*N - 1];
    Factor* f = NULL;
    for (int stiff = 1; stiff <= 3; stiff += 2) {
        int count = 0;
        double b[N] = {stiff}, x[N];
        for (int m = 0; m < N; m++) {
            entry[count++] = (Triplet){m, m, 2*stiff};
            if (m > 0) entry[count++] = (Triplet){m, m - 1, -stiff};
        }
        CHECK_OK(f ? factor_again(f, entry, count) : factor_new(&f, N, entry, count));
        CHECK_OK(factor_solve(f, x, b));
        for (int m = 0; m < N; m++) CHECK_CLOSE(x[m], (N - m)/(N + 1.0), 1e-12);
    }
    entry[0].value = -1;
    CHECK_TRUE(factor_again(f, entry, 2*N - 1) == MN_NO_CONVERGENCE);
    factor_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_column_on_piston), cmocka_unit_test(test_links_in_series),
                                       cmocka_unit_test(test_chain), cmocka_unit_test(test_not_positive_definite),
                                       cmocka_unit_test(test_factor_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

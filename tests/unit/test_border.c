// Unknowns beside the grid, eliminated inside the pressure solve.
#include "ball.h"
#include "solve/border.h"

// ---- a column of liquid on a free piston ---------------------------------------------------------------------------------

enum { N = 24 };
static const double G = 9.81, FORCE = 7, HEIGHT = 14.4/N;

// A column of water (rho = 1) of height H on a piston of width 1 that nothing else holds, one step of dt = 1 s from rest.
// `pistons` of them side by side, which are one as long as they move alike.
typedef struct Column {
    Ball ball;
    Pressure p;
    double mass, moved;  // of all pistons; and with the half cell between them and the first pressures, which goes along
    int pistons, part[N];
    ptrdiff_t cell[N];
} Column;

static void column_init(Column* c, double mass, int pistons)
{
    *c = (Column){.mass = mass, .moved = mass + 0.5/N, .pistons = pistons};
    Ball* b = &c->ball;
    ball_init(b, 2, N, 0.3);
    for (int j = 0; j <= N; j++)
        for (int i = 0; i <= N; i++) b->phi.v[window_at(&b->w, i, j, 0)] = (double)j/N - HEIGHT;
    CHECK_OK(spans_build(&b->spans, &b->arena, b->phi.v, &b->w, 4*b->w.dx, 2));
    CHECK_OK(cutcells_build(&b->cells, &b->arena, &b->spans, b->phi.v, NULL, &b->w));
    double start = FORCE/c->moved - G;  // speed of the piston after dt without the liquid
    for (int j = 0; j <= N; j++)
        for (int i = 0; i < N; i++) b->u[1].v[window_at(&b->w, i, j, 0)] = j == 0 ? start : j == N ? 0 : -G;
    PressureInput in = ball_input(b, PRESSURE_CUT);
    in.divergence = NULL, in.surface = NULL;
    CHECK_OK(pressure_build(&c->p, &b->arena, &in, (double* [3]){b->u[0].v, b->u[1].v, b->u[2].v}));
    for (int i = 0; i < N; i++) c->cell[i] = window_at(&b->w, i, 0, 0);
}

// rho dx face/M of one of the pistons
static double piston_factor(const Column* c) { return c->pistons*c->ball.w.dx*c->ball.w.dx/c->moved; }

// The piston's speed changes by -dt/M (sum of p face): every cell on it feels every other, factor 1 1^T.
static void piston_apply(double* out, const double* in, void* user)
{
    const Column* c = user;
    double sum = 0;
    for (int m = 0; m < N/c->pistons; m++) sum += in[m];
    for (int m = 0; m < N/c->pistons; m++) out[m] = piston_factor(c)*sum;
}

// Solves with these operators and compares with Newton: a force F lifts piston M and column rho H W together, a = F/(M + rho H
// W) - g; the pressure is rho (g + a) times the depth, for any dt. Returns the iterations.
static int column_check(Column* c, const PoissonOperator* op, int ops, const char* how)
{
    Ball* b = &c->ball;
    PoissonPart part = {.problem = &c->p.system, .p = b->p.v, .weight = 1};
    SolveReport report;
    CHECK_OK(poisson_solve_group(&report, &(PoissonGroup){&part, 1, op, ops}, &(SolveOptions){1e-12, 200}, &b->arena));
    CHECK_TRUE(report.converged);
    double a = FORCE/(c->mass + HEIGHT) - G, worst = 0;
    for (int j = 0; j < 14; j++)
        for (int i = 0; i < N; i++)
            worst = fmax(worst, fabs(b->p.v[window_at(&b->w, i, j, 0)] - (G + a)*(HEIGHT - (j + 0.5)/N)));
    print_message("column on %d piston(s) of %g kg, %s: %d iterations, p off by %.1e of rho (g + a) H\n", c->pistons, c->mass,
                  how, report.iterations, worst/((G + a)*HEIGHT));
    CHECK_LESS(worst, 1e-9*(G + a)*HEIGHT);
    return report.iterations;
}

static PoissonOperator piston_operator(Column* c, int which)
{
    int cells = N/c->pistons;
    return (PoissonOperator){.count = cells, .part = c->part, .cell = c->cell + which*cells, .apply = piston_apply, .user = c};
}

// One operator, and three of them in a list.
static void test_column_on_pistons(void** state)
{
    (void)state;
    for (int pistons = 1; pistons <= 3; pistons += 2) {
        Column c;
        column_init(&c, 0.31, pistons);
        PoissonOperator op[3];
        for (int m = 0; m < pistons; m++) op[m] = piston_operator(&c, m);
        column_check(&c, op, pistons, "an operator each");
        ball_free(&c.ball);
    }
}

// The same as border unknowns with the plus sign: velocities that pressures push. Their values are the pistons' speeds.
static void test_border_that_adds(void** state)
{
    (void)state;
    Column c;
    column_init(&c, 0.31, 2);
    Triplet block[2];
    BorderEntry entry[N];
    double d[2] = {0}, speed[2];
    for (int m = 0; m < 2; m++) block[m] = (Triplet){m, m, 1/piston_factor(&c)};
    for (int i = 0; i < N; i++) entry[i] = (BorderEntry){.cell = c.cell[i], .unknown = i/(N/2), .value = 1};
    Border border = {.count = 2, .entry = entry, .entries = N, .block = block, .block_entries = 2, .d = d, .adds = true};
    PoissonPart part = {.problem = &c.p.system, .p = c.ball.p.v, .weight = 1};
    PoissonGroup group = {.part = &part, .count = 1};
    PoissonOperator op;
    CHECK_OK(border_begin(&border, &op, &group, &c.ball.arena));
    column_check(&c, &op, 1, "as a border");
    CHECK_OK(border_solution(&border, speed, &group));
    border_end(&border);
    // C s = B^T p with C = M/(rho dx face dt): the change of speed by the liquid's pressure, in units of dx/dt
    double a = FORCE/(c.mass + HEIGHT) - G, p = (G + a)*(HEIGHT - 0.5/N);
    for (int m = 0; m < 2; m++) CHECK_CLOSE(speed[m], piston_factor(&c)*p*N/2, 1e-9);
    ball_free(&c.ball);
}

// A border that mixes both kinds, [D H; H^T -N]: a pressure beside the grid hangs on a cell by one link, and pushes the first
// piston in its place.
static void test_border_that_mixes(void** state)
{
    (void)state;
    static const double LINK = 3;
    Column c;
    column_init(&c, 0.31, 2);
    BorderEntry entry[N];
    double d[3] = {0}, s[3];
    // 0: the pressure beside the grid; 1 and 2: the pistons
    Triplet block[4] = {{0, 0, LINK}, {1, 1, -1/piston_factor(&c)}, {2, 2, -1/piston_factor(&c)}, {1, 0, 1}};
    for (int i = 1; i < N; i++) entry[i] = (BorderEntry){.cell = c.cell[i], .unknown = 1 + i/(N/2), .value = 1};
    entry[0] = (BorderEntry){.cell = c.cell[0], .unknown = 0, .value = -LINK};
    // the link's other end
    Poisson* f = &c.p.system;
    int first = f->first[0];
    CHECK_TRUE(f->first[1] > first && f->special[first].i == 0);
    f->special[first].excess += LINK;
    Border border = {.count = 3, .entry = entry, .entries = N, .block = block, .block_entries = 4, .d = d, .mixes = true};
    PoissonPart part = {.problem = f, .p = c.ball.p.v, .weight = 1};
    PoissonGroup group = {.part = &part, .count = 1};
    PoissonOperator op;
    SolveReport report;
    CHECK_OK(border_begin(&border, &op, &group, &c.ball.arena));
    group.op = &op, group.ops = 1;
    CHECK_OK(poisson_solve_group(&report, &group, &(SolveOptions){1e-12, 200}, &c.ball.arena));
    CHECK_TRUE(report.converged);
    CHECK_OK(border_solution(&border, s, &group));
    border_end(&border);
    // a piston's speed is what all pressures on it give, and what it carries out of the hidden cell comes through the link
    double push = s[0];
    for (int i = 1; i < N/2; i++) push += c.ball.p.v[c.cell[i]];
    print_message("mixed border: %d iterations; hidden pressure %.4f beside %.4f\n", report.iterations, s[0],
                  c.ball.p.v[c.cell[0]]);
    CHECK_CLOSE(s[1], piston_factor(&c)*push, 1e-9);
    CHECK_WITHIN(LINK*(s[0] - c.ball.p.v[c.cell[0]]) + s[1], 0, 1e-9*fabs(s[1]));
    push = 0;
    for (int i = N/2; i < N; i++) push += c.ball.p.v[c.cell[i]];
    CHECK_CLOSE(s[2], piston_factor(&c)*push, 1e-9);
    ball_free(&c.ball);
}

// A piston much lighter than the liquid outweighs the matrix: its diagonal, and better its column, told to the preconditioner,
// cost fewer iterations, and change nothing else.
static void test_preconditioner_told(void** state)
{
    (void)state;
    int iterations[3];
    for (int told = 0; told < 3; told++) {
        Column c;
        column_init(&c, 0.001, 1);
        PoissonOperator op = piston_operator(&c, 0);
        double diagonal[N], column[N];
        for (int m = 0; m < N; m++) diagonal[m] = piston_factor(&c), column[m] = sqrt(piston_factor(&c));
        if (told == 1) op.diagonal = diagonal;
        if (told == 2) op.column = column, op.rank = 1;
        iterations[told] = column_check(&c, &op, 1, told == 0 ? "nothing told" : told == 1 ? "diagonal told" : "column told");
        ball_free(&c.ball);
    }
    assert_true(iterations[2] <= iterations[0]);
    assert_true(iterations[1] <= iterations[0] + 2);
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
        SolveReport report;
        solution[direct] = ARENA_ZERO(&b.arena, double, b.w.count) + b.w.origin;
        PoissonPart part = {.problem = &p.system, .p = solution[direct], .weight = 1};
        PoissonGroup group = {.part = &part, .count = 1};
        PoissonOperator op;
        if (!direct) {
            CHECK_OK(border_begin(&border, &op, &group, &b.arena));
            group.op = &op, group.ops = 1;
        }
        CHECK_OK(poisson_solve_group(&report, &group, &(SolveOptions){1e-12, 200}, &b.arena));
        CHECK_TRUE(report.converged);
        if (!direct) CHECK_OK(border_solution(&border, s, &group));
        border_end(&border);
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
    PoissonPart part = {.problem = &p.system, .p = b.p.v, .weight = 1};
    PoissonGroup group = {.part = &part, .count = 1};
    PoissonOperator op;
    CHECK_OK(border_begin(&border, &op, &group, &b.arena));
    group.op = &op, group.ops = 1;
    SolveReport report;
    CHECK_OK(poisson_solve_group(&report, &group, &(SolveOptions){1e-12, 200}, &b.arena));
    CHECK_TRUE(report.converged);
    CHECK_OK(border_solution(&border, s, &group));
    border_end(&border);
    double passed = 0;
    for (int m = 0; m < links; m++) passed += -given[m].value*(s[given[m].unknown] - b.p.v[given[m].cell]);
    print_message("chain of %d unknowns on %d cells: %d iterations, passes on %.12g of %.12g\n", count, links, report.iterations,
                  passed, sum_d);
    CHECK_CLOSE(passed, sum_d, 1e-9);
    ball_free(&b);
}

// ---- drops of one cell -----------------------------------------------------------------------------------------------------

// Two discs of a single pressure cell each, which nothing links to another cell, with an unknown s between their surfaces that a
// conductance g leads off from:
//     e_m (p_m - s) = b_m,   (g + e_0 + e_1) s - e_0 p_0 - e_1 p_1 = d   ->   s = (d + b_0 + b_1)/g,   p_m = s + b_m/e_m.
static void test_drops_of_one_cell(void** state)
{
    (void)state;
    const double g = 0.7, d = 4.5, b[2] = {2, -5};
    Ball ball[2];
    Pressure p[2];
    PoissonPart part[2];
    BorderEntry entry[2];
    double e[2], s, right[1] = {d};
    for (int m = 0; m < 2; m++) {
        ball_init(&ball[m], 2, 25, 0.9/25);
        PressureInput in = ball_input(&ball[m], PRESSURE_CUT);
        CHECK_OK(pressure_build(&p[m], &ball[m].arena, &in, (double* [3]){ball[m].u[0].v, ball[m].u[1].v, ball[m].u[2].v}));
        SpecialCell* c = special_at(&p[m].system, 12, 12);
        assert_non_null(c);
        e[m] = c->excess;
        ptrdiff_t at = window_at(&ball[m].w, 12, 12, 0);
        p[m].system.b[at] = b[m];
        part[m] = (PoissonPart){.problem = &p[m].system, .p = ball[m].p.v, .weight = 1};
        entry[m] = (BorderEntry){.cell = at, .unknown = 0, .value = -e[m], .part = m};
    }
    Triplet block[1] = {{0, 0, g + e[0] + e[1]}};
    Border border = {.count = 1, .entry = entry, .entries = 2, .block = block, .block_entries = 1, .d = right};
    PoissonGroup group = {.part = part, .count = 2, .ops = 1};
    PoissonOperator op;
    SolveReport report;
    CHECK_OK(border_begin(&border, &op, &group, &ball[0].arena));
    group.op = &op;
    CHECK_OK(poisson_solve_group(&report, &group, &(SolveOptions){1e-12, 200}, &ball[0].arena));
    CHECK_OK(border_solution(&border, &s, &group));
    border_end(&border);
    double exact = (d + b[0] + b[1])/g;
    print_message("between drops of one cell: %g, exact %g, %d iterations\n", s, exact, report.iterations);
    CHECK_CLOSE(s, exact, 1e-9);
    for (int m = 0; m < 2; m++) {
        CHECK_CLOSE(part[m].p[window_at(&ball[m].w, 12, 12, 0)], exact + b[m]/e[m], 1e-9);
        ball_free(&ball[m]);
    }
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
    enum { SPRINGS = 40 };
    Triplet entry[2*SPRINGS - 1];
    Factor* f = NULL;
    for (int stiff = 1; stiff <= 3; stiff += 2) {
        int count = 0;
        double b[SPRINGS] = {stiff}, x[SPRINGS];
        for (int m = 0; m < SPRINGS; m++) {
            entry[count++] = (Triplet){m, m, 2*stiff};
            if (m > 0) entry[count++] = (Triplet){m, m - 1, -stiff};
        }
        CHECK_OK(f ? factor_again(f, entry, count) : factor_new(&f, SPRINGS, entry, count));
        CHECK_OK(factor_solve(f, x, b));
        for (int m = 0; m < SPRINGS; m++) CHECK_CLOSE(x[m], (SPRINGS - m)/(SPRINGS + 1.0), 1e-12);
    }
    entry[0].value = -1;
    CHECK_TRUE(factor_again(f, entry, 2*SPRINGS - 1) == MN_NO_CONVERGENCE);
    factor_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_column_on_pistons), cmocka_unit_test(test_border_that_adds),
                                       cmocka_unit_test(test_border_that_mixes), cmocka_unit_test(test_preconditioner_told),
                                       cmocka_unit_test(test_links_in_series),   cmocka_unit_test(test_chain),
                                       cmocka_unit_test(test_drops_of_one_cell), cmocka_unit_test(test_not_positive_definite),
                                       cmocka_unit_test(test_factor_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Ghosts past the sides of the tank: what each rule makes of nodes, cells and faces, and how many layers.
#include "check.h"
#include "base/vec.h"
#include "grid/curvature.h"
#include "grid/exchange.h"
#include "grid/interpolate.h"

enum { N = 6 };

static double field[(N + 1 + 2*GHOST)*(N + 1 + 2*GHOST)];

static Window make(Side low, Side high)
{
    Tank tank = {.dim = 2, .dx = 0.1, .n = {N, N, 1}, .side = {low, high, SIDE_IS_WALL, SIDE_IS_WALL}};
    return window_whole(&tank);
}

// 100 + i along x inside, and a number that no rule makes outside.
static double* fill(const Window* w)
{
    double* v = field + w->origin;
    for (int j = -GHOST; j <= N + GHOST; j++)
        for (int i = -GHOST; i <= N + GHOST; i++) v[window_at(w, i, j, 0)] = i < 0 || i > N ? -7 : 100 + i;
    return v;
}

static void check_row(const double* v, const Window* w, const double low[GHOST], const double high[GHOST], int first_high)
{
    for (int m = 0; m < GHOST; m++) {
        CHECK_WITHIN(v[window_at(w, -1 - m, 3, 0)], low[m], 0);
        CHECK_WITHIN(v[window_at(w, first_high + m, 3, 0)], high[m], 0);
    }
}

// Nodes lie on the sides and mirror each other about them; cells lie half a cell off.
static void test_even(void** state)
{
    (void)state;
    Window w = make(SIDE_IS_WALL, SIDE_IS_OPEN);
    double* v = fill(&w);
    exchange(&w, &(FieldRef){.v = v, .place = ON_NODES, .rule = RULE_EVEN}, 1, w.ghost);
    check_row(v, &w, (double[]){101, 102, 103}, (double[]){105, 104, 103}, N + 1);
    v = fill(&w);
    exchange(&w, &(FieldRef){.v = v, .place = IN_CELLS, .rule = RULE_EVEN}, 1, w.ghost);
    check_row(v, &w, (double[]){100, 101, 102}, (double[]){105, 104, 103}, N);
}

// Nothing flows through a wall: the velocity across is odd, about 0, or about the wall's own where liquid leaves it. An open side
// carries it on. Along walls it slips.
static void test_no_flow(void** state)
{
    (void)state;
    Window w = make(SIDE_IS_WALL, SIDE_IS_OPEN);
    double* v = fill(&w);
    exchange(&w, &(FieldRef){.v = v, .place = ON_FACES_X, .rule = RULE_NO_FLOW}, 1, w.ghost);
    check_row(v, &w, (double[]){99, 98, 97}, (double[]){105, 104, 103}, N + 1);
    v = fill(&w);
    v[window_at(&w, 0, 3, 0)] = 0;
    exchange(&w, &(FieldRef){.v = v, .place = ON_FACES_X, .rule = RULE_NO_FLOW}, 1, w.ghost);
    check_row(v, &w, (double[]){-101, -102, -103}, (double[]){105, 104, 103}, N + 1);
    w = make(SIDE_IS_OPEN, SIDE_IS_WALL);
    v = fill(&w);
    exchange(&w, &(FieldRef){.v = v, .place = ON_FACES_X, .rule = RULE_NO_FLOW}, 1, w.ghost);
    check_row(v, &w, (double[]){101, 102, 103}, (double[]){-105, -104, -103}, N + 1);
    w = make(SIDE_IS_OPEN, SIDE_IS_MIRROR);
    v = fill(&w);
    exchange(&w, &(FieldRef){.v = v, .place = ON_FACES_X, .rule = RULE_NO_FLOW}, 1, w.ghost);
    check_row(v, &w, (double[]){101, 102, 103}, (double[]){-105, -104, -103}, N + 1);
    v = fill(&w);
    exchange(&w, &(FieldRef){.v = v, .place = ON_FACES_Y, .rule = RULE_NO_FLOW}, 1, w.ghost);
    check_row(v, &w, (double[]){100, 101, 102}, (double[]){105, 104, 103}, N);
}

// Past a side inside the tank nothing is known, and nothing is written; past the layers asked for nothing may be read.
static void test_width(void** state)
{
    (void)state;
    Tank tank = {.dim = 2, .dx = 0.1, .n = {2*N, N, 1}, .side = {SIDE_IS_WALL, SIDE_IS_WALL, SIDE_IS_WALL, SIDE_IS_WALL}};
    Window w = window_make(&tank, (int[3]){0, 0, 0}, (int[3]){N, N, 1});
    double* v = fill(&w);
    nodes_exchange(v, &w, 2);
    CHECK_WITHIN(v[window_at(&w, -2, 3, 0)], 102, 0);
    for (int m = 1; m <= GHOST; m++) CHECK_WITHIN(v[window_at(&w, N + m, 3, 0)], -7, 0);
    double past = v[window_at(&w, -3, 3, 0)];
#ifdef NDEBUG
    CHECK_WITHIN(past, -7, 0);
#else
    CHECK_TRUE(isnan(past));
#endif
}

#ifndef NDEBUG
// A kernel beside a side of the tank, on a field whose ghosts are filled.
typedef double (*Kernel)(double* v, const Window* w);
static double curvature_kernel(double* v, const Window* w) { return curvature_at(NULL, v, w, window_at(w, 0, 3, 0)); }
static double cubic_kernel(double* v, const Window* w) { return interpolate_cubic(NULL, v, w, 2, (double[3]){-9, 3, 0}); }
static double linear_kernel(double* v, const Window* w) { return interpolate_at(v, w, N + 9, 3, 0); }
static double gradient_kernel(double* v, const Window* w)
{
    double g[3];
    node_gradient(g, v, w, window_at(w, N, 3, 0));
    return g[0];
}
static double velocity_kernel(double* v, const Window* w)
{
    double out[3], *u[3] = {v, v, NULL};
    velocity_on_node_cubic(out, u, w, 2, window_at(w, N, 3, 0));
    return out[1];
}

// Kernels read as far as the constants beside them say: filled one layer less, they come upon what nobody has filled.
static void test_reach(void** state)
{
    (void)state;
    const struct {
        const char* name;
        Kernel kernel;
        Place place;
        int reads;
    } all[] = {{"curvature", curvature_kernel, ON_NODES, CURVATURE_READS},
               {"gradient", gradient_kernel, ON_NODES, GRADIENT_READS},
               {"linear", linear_kernel, IN_CELLS, LINEAR_READS},
               {"cubic", cubic_kernel, ON_NODES, CUBIC_READS},
               {"velocity", velocity_kernel, ON_FACES_Y, VELOCITY_CUBIC_READS}};
    Window w = make(SIDE_IS_WALL, SIDE_IS_WALL);
    for (size_t m = 0; m < sizeof all/sizeof *all; m++)
        for (int less = 0; less < 2; less++) {
            double* v = fill(&w);
            exchange(&w, &(FieldRef){.v = v, .place = all[m].place}, 1, all[m].reads - less);
            double value = all[m].kernel(v, &w);
            if (isnan(value) != (less == 1))
                fail_msg("%s: %g with %d layers of %d", all[m].name, value, all[m].reads - less, all[m].reads);
        }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifndef NDEBUG
        cmocka_unit_test(test_reach),
#endif
        cmocka_unit_test(test_even), cmocka_unit_test(test_no_flow), cmocka_unit_test(test_width)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

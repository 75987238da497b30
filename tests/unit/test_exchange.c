// Ghosts past the sides of the tank: what each rule makes of nodes, cells and faces, and how many layers.
#include "check.h"
#include "base/vec.h"
#include "grid/exchange.h"

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

// Nothing flows through a wall: the velocity across is odd. An open side carries it on. Along walls it slips.
static void test_no_flow(void** state)
{
    (void)state;
    Window w = make(SIDE_IS_WALL, SIDE_IS_OPEN);
    double* v = fill(&w);
    exchange(&w, &(FieldRef){.v = v, .place = ON_FACES_X, .rule = RULE_NO_FLOW}, 1, w.ghost);
    check_row(v, &w, (double[]){-101, -102, -103}, (double[]){105, 104, 103}, N + 1);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_even), cmocka_unit_test(test_no_flow), cmocka_unit_test(test_width)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

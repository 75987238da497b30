// Sheets of no thickness in the grid: nothing gets from one side to the other along edges that they do not cross.
#include <stdlib.h>
#include "base/vec.h"
#include "check.h"
#include "dice.h"
#include "sheets.h"

// Nodes of the window that can be reached from its first one along edges that nothing crosses.
static bool* flood(const SheetCut* c, const Window* w)
{
    bool* reached = calloc(w->count, 1);
    ptrdiff_t* stack = malloc(sizeof *stack*w->count);
    int top = 0, layers = window_node_layers(w);
    bool* v = reached + w->origin;
    stack[top++] = 0, v[0] = true;
    while (top > 0) {
        ptrdiff_t at = stack[--top], k = w->dim == 3 ? at/w->sz : 0, j = (at - k*w->sz)/w->sy,
                  i = at - k*w->sz - j*w->sy;
        ptrdiff_t place[3] = {i, j, k}, last[3] = {w->n[0], w->n[1], layers - 1};
        for (int d = 0; d < w->dim; d++)
            for (int side = 0; side < 2; side++) {
                ptrdiff_t to = at + (side ? 1 : -1)*window_stride(w, d), low = side ? at : to;
                if (place[d] == (side ? last[d] : 0) || sheetcut_crosses(c, low, d) || v[to]) continue;
                v[to] = true, stack[top++] = to;
            }
    }
    free(stack);
    return reached;
}

// Random closed sheets: from outside no node inside can be reached, and every node outside can. Distances are those to the curve
// or ball, signs tell the sides.
static void test_closed_sheets_hold(void** state)
{
    (void)state;
    Dice d = dice_for(1, 1);
    for (int go = 0; go < 60; go++) {
        int dim = go < 40 ? 2 : 3, n = dim == 2 ? 24 : 14;
        Window w = box_window(dim, n);
        double center[3] = {dice_number(&d, 0.45, 0.55), dice_number(&d, 0.45, 0.55), dim == 3 ? dice_number(&d, 0.45, 0.55) : 0};
        double wave = go%2 == 0 ? 0 : 0.25, phase = dice_number(&d, 0, 6);
        if (go%10 == 0)
            center[0] = center[1] = 0.5, center[2] = dim == 3 ? 0.5 : 0;  // vertices on nodes and planes of the grid
        int pieces = dice_whole(&d, 8, 60)*2;
        Surface f =
            dim == 2 ? closed_curve(pieces, center, wave, phase) : closed_surface(pieces < 40 ? pieces : 40, center, wave);
        Arena arena = {0};
        SheetCut c;
        CHECK_OK(sheetcut_build(&c, &arena, &f.s, &w, 4*w.dx, 8*w.dx));
        bool* reached = flood(&c, &w);
        int wrong = 0, inside = 0;
        for (int k = 0; k < window_node_layers(&w); k++)
            for (int j = 0; j <= n; j++)
                for (int i = 0; i <= n; i++) {
                    double x[3], r[3];
                    ptrdiff_t at = window_at(&w, i, j, k);
                    window_position(x, &w, i, j, k);
                    vec_sub(r, x, center);
                    double distance = vec_norm(r), slack = 0.02 + 0.3*PI*PI/(pieces*pieces)*4;
                    double radius = dim == 2 ? radius_at(atan2(r[1], r[0]), wave, phase) : 0.3;
                    bool is_in = distance < radius - slack - (dim == 3 ? 0.3*wave : 0);
                    bool is_out = distance > radius + slack + (dim == 3 ? 0.3*wave : 0);
                    inside += is_in;
                    wrong += (is_in && reached[w.origin + at]) || (is_out && !reached[w.origin + at]);
                    if (!(c.node[at] & SHEET_NEAR)) continue;
                    wrong += (is_in && c.psi[at] > 0) || (is_out && c.psi[at] < 0) || !(c.node[at] & SHEET_SHADOW);
                    if (wave == 0)
                        CHECK_WITHIN(c.psi[at], distance - 0.3, 0.3*PI*PI/(pieces < 40 ? pieces*pieces : 1600)*2.2);
                }
        if (wrong > 0)
            print_message("sheet %d (%dD, %d pieces, wave %g): %d nodes on the wrong side\n", go, dim, pieces, wave, wrong);
        assert_int_equal(wrong, 0);
        assert_true(inside > 0);
        free(reached), surface_free(&f), arena_free(&arena);
    }
}

// A flat sheet across part of the box, somewhere in a cell and tilted: edges that it crosses are those whose ends lie on both
// sides of its plane within its outline, and past its rim there is a way round.
static void test_open_sheet(void** state)
{
    (void)state;
    Dice d = dice_for(2, 1);
    for (int go = 0; go < 40; go++) {
        enum { N = 20 };
        Window w = box_window(2, N);
        double tilt = go < 4 ? 0 : dice_number(&d, -0.7, 0.7),
               middle = 0.5 + (go < 4 ? go*0.25/N : dice_number(&d, -0.1, 0.1));
        double x[6] = {middle - 0.5*tilt, 0, 0, middle + 0.1*tilt, 0.6, 0};  // from the floor, off its corners, up to 0.6
        static const int element[2] = {0, 1};
        SheetSurface s = {.dim = 2, .x = x, .vertices = 2, .element = element, .elements = 1};
        Arena arena = {0};
        SheetCut c;
        CHECK_OK(sheetcut_build(&c, &arena, &s, &w, 3*w.dx, 3*w.dx));
        int wrong = 0, crossed = 0;
        for (int j = 0; j <= N; j++)
            for (int i = 0; i < N; i++) {
                double y = (double)j/N, at = x[0] + (x[3] - x[0])*y/0.6, from = (double)i/N, to = (i + 1.0)/N;
                bool crosses = sheetcut_crosses(&c, window_at(&w, i, j, 0), 0), exact = y < 0.6 && from <= at && at < to;
                bool doubtful = fabs(y - 0.6) < 1e-9 || fabs(at - from) < 1e-9 || fabs(at - to) < 1e-9;
                wrong += crosses != exact && !doubtful;
                crossed += crosses;
            }
        bool* reached = flood(&c, &w);
        assert_int_equal(wrong, 0);
        assert_true(crossed >= N/2);
        assert_true(reached[w.origin + window_at(&w, N, 0, 0)]);
        free(reached), arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed_sheets_hold), cmocka_unit_test(test_open_sheet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

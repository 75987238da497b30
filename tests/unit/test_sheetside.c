// The two sides of a sheet: pieces of cells and portions of faces add up to the whole, and each closes.
#include "check.h"
#include "dice.h"
#include "grid/cutcells.h"
#include "sheets.h"

typedef struct Case {
    Window w;
    Arena arena;
    Field phi;
    Spans spans;
    SheetCut cut;
    CutCells whole, side[2];
} Case;

// Cut cells of all the liquid and of what is on each side, for one phi that is the same on both.
static void cut_both(Case* c, const SheetSurface* s)
{
    CHECK_OK(sheetcut_build(&c->cut, &c->arena, s, &c->w, 4*c->w.dx, 4*c->w.dx));
    CHECK_OK(spans_build(&c->spans, &c->arena, c->phi.v, &c->w, INFINITY, 0));
    CHECK_OK(cutcells_build(&c->whole, &c->arena, &c->spans, c->phi.v, NULL, &c->w));
    for (int m = 0; m < 2; m++) {
        SheetSide side = {.cut = &c->cut, .sign = m == 0 ? 1 : -1, .own = c->phi.v};
        side.level = sheetside_level(&c->arena, &c->cut, side.sign, NULL, &c->w, 1);
        CHECK_OK(cutcells_build_side(&c->side[m], &c->arena, &c->spans, c->phi.v, NULL, &side, &c->w));
    }
}

// Largest difference between the whole and the sum of what the sides have, faces and cells; *slit: cells that both share.
static double worst_sum(const Case* c, int* slit, int* split)
{
    const Window* w = &c->w;
    double worst = 0;
    for (int k = 0; k < w->n[2]; k++)
        for (int j = 0; j < w->n[1]; j++)
            for (int i = 0; i < w->n[0]; i++) {
                ptrdiff_t at = window_at(w, i, j, k);
                for (int d = 0; d < w->dim; d++) {
                    SheetFace kind = sheetside_face(&c->cut, 1, w, at, d), back = sheetside_face(&c->cut, -1, w, at, d);
                    assert_int_equal(kind == SHEET_FACE_CROSSED, back == SHEET_FACE_CROSSED);
                    double a = c->side[0].area[d][at], b = c->side[1].area[d][at];
                    // faces that are open to both belong to both
                    double sum = kind == SHEET_FACE_OPEN && back == SHEET_FACE_OPEN ? a : a + b;
                    if (kind == SHEET_FACE_BEHIND && back == SHEET_FACE_BEHIND) continue;  // beside a rim: closed
                    worst = fmax(worst, fabs(sum - c->whole.area[d][at]));
                }
                SheetCell kind = sheetside_cell(&c->cut, 1, w, at), back = sheetside_cell(&c->cut, -1, w, at);
                double a = cutcells_fraction(&c->side[0], at), b = cutcells_fraction(&c->side[1], at);
                assert_int_equal(kind == SHEET_CELL_SPLIT, back == SHEET_CELL_SPLIT);
                assert_int_equal(kind == SHEET_CELL_SLIT, back == SHEET_CELL_SLIT);
                bool shared = kind == SHEET_CELL_SLIT || (kind == SHEET_CELL_OPEN && back == SHEET_CELL_OPEN);
                *slit += kind == SHEET_CELL_SLIT, *split += kind == SHEET_CELL_SPLIT;
                if (shared) assert_true(a == b);
                worst = fmax(worst, fabs((shared ? a : a + b) - cutcells_fraction(&c->whole, at)));
            }
    return worst;
}

// A tilted plane of liquid in a box, with random closed sheets and flat ones that end in it.
static void test_pieces_add_up(void** state)
{
    (void)state;
    Dice d = dice_for(3, 1);
    int slit = 0, split = 0;
    double worst = 0;
    for (int go = 0; go < 60; go++) {
        int dim = go%2 == 0 ? 2 : 3, n = dim == 2 ? 24 : 12;
        Case c = {.w = box_window(dim, n)};
        CHECK_OK(field_init(&c.phi, &c.w));
        double slope[3] = {dice_number(&d, -1, 1), dice_number(&d, -1, 1), dim == 3 ? dice_number(&d, -1, 1) : 0};
        for (int k = -3; k < (dim == 3 ? n + 4 : 1); k++)
            for (int j = -3; j < n + 4; j++)
                for (int i = -3; i < n + 4; i++) {
                    if (dim == 2 && k != 0) continue;
                    double x[3];
                    window_position(x, &c.w, i, j, k);
                    c.phi.v[window_at(&c.w, i, j, k)] =
                        slope[0]*(x[0] - 0.5) + slope[1]*(x[1] - 0.5) + (dim == 3 ? slope[2]*(x[2] - 0.5) : 0) + 0.01;
                }
        double center[3] = {dice_number(&d, 0.45, 0.55), dice_number(&d, 0.45, 0.55), dim == 3 ? dice_number(&d, 0.45, 0.55) : 0};
        Surface f = go%3 == 0 ? flat_sheet(dim, center, dice_number(&d, 0, 2*PI), dice_number(&d, 0.1, 0.4))
                    : dim == 2  ? closed_curve(dice_whole(&d, 20, 80), center, go%4 == 1 ? 0.25 : 0, 1)
                                : closed_surface(24, center, go%4 == 1 ? 0.25 : 0);
        cut_both(&c, &f.s);
        worst = fmax(worst, worst_sum(&c, &slit, &split));
        surface_free(&f), field_free(&c.phi), arena_free(&c.arena);
    }
    print_message("%d split cells, %d slit ones; pieces and portions add up to %.1e\n", split, slit, worst);
    assert_true(split > 1000 && slit > 30);
    CHECK_WITHIN(worst, 0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pieces_add_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

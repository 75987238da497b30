// Thin walls filled on their dry side (liquid/backing.h).
#include "check.h"
#include "base/vec.h"
#include "grid/levelset.h"
#include "liquid/backing.h"

// A plane wall through the box, tilted against the grid, and liquid below it (side < 0), above it, or on both sides.
typedef struct Wall {
    int dim;
    double thickness;  // cells
    double n[3];
    double off;  // cells, of its middle from the box's
} Wall;

typedef struct Box {
    Arena arena;
    Window w;
    Spans spans;
    double *phi, *phi_s;
    Backed backed;
} Box;

enum { CELLS = 24 };

// Cells above the middle of the wall.
static double height(const Wall* wall, const int node[3])
{
    double sum = 0;
    for (int d = 0; d < wall->dim; d++) sum += wall->n[d]*(node[d] - 0.5*CELLS);
    return sum - wall->off;
}

static void each_node(const Box* b, void (*act)(const Box*, const Wall*, const int node[3], ptrdiff_t at), const Wall* wall)
{
    for (int k = 0; k < window_node_layers(&b->w); k++)
        for (int j = 0; j <= CELLS; j++)
            for (int i = 0; i <= CELLS; i++) act(b, wall, (int[3]){i, j, k}, window_at(&b->w, i, j, k));
}

static int liquid_sides;  // 1: below, 2: above, 3: both

static void set_node(const Box* b, const Wall* wall, const int node[3], ptrdiff_t at)
{
    double h = height(wall, node), dx = b->w.dx;
    b->phi_s[at] = (fabs(h) - 0.5*wall->thickness)*dx;
    bool wet = liquid_sides & (h < 0 ? 1 : 2);
    b->phi[at] = (wet ? -1 : 1)*2*dx;  // full on a wet side, empty on a dry one
}

static void box_init(Box* b, const Wall* wall, int sides)
{
    *b = (Box){0};
    Tank tank = {.dim = wall->dim, .dx = 0.01, .n = {CELLS, CELLS, wall->dim == 3 ? CELLS : 1}};
    for (int s = 0; s < 6; s++) tank.side[s] = SIDE_IS_WALL;
    b->w = window_whole(&tank);
    double** field[] = {&b->phi, &b->phi_s};
    for (int m = 0; m < 2; m++) {
        *field[m] = ARENA_ZERO(&b->arena, double, b->w.count);
        assert_non_null(*field[m]);
        *field[m] += b->w.origin;
    }
    liquid_sides = sides;
    each_node(b, set_node, wall);
    CHECK_OK(spans_build(&b->spans, &b->arena, b->phi, &b->w, 5*b->w.dx, 2));
    CHECK_OK(solid_back(&b->backed, &b->arena, b->phi, b->phi_s, &b->spans, &b->w));
}

static double worst;
static long behind;

// Liquid below: behind the middle of the wall the depth is that under its lower skin.
static void check_depth(const Box* b, const Wall* wall, const int node[3], ptrdiff_t at)
{
    for (int d = 0; d < wall->dim; d++)
        if (node[d] < 6 || node[d] > CELLS - 6) return;  // skins end at the sides of the box
    double h = height(wall, node), dx = b->w.dx;
    if (h < 1 || h > 0.5*wall->thickness + 3) return;
    assert_true(backed_is_behind(&b->backed, at));
    worst = max2(worst, fabs(b->backed.v[at]/dx + h + 0.5*wall->thickness));
    behind++;
}

static const Wall WALLS[] = {{2, 1.5, {0, 1, 0}, 0.13},
                             {2, 2, {0, 1, 0}, 0},
                             {2, 3, {0.28, 0.96, 0}, 0.13},
                             {2, 2, {0.6, 0.8, 0}, 0.2},
                             {3, 2.4, {0.48, 0.6, 0.64}, 0.3}};

static void test_depth_behind(void** state)
{
    (void)state;
    for (size_t m = 0; m < sizeof WALLS/sizeof *WALLS; m++) {
        Box b;
        box_init(&b, &WALLS[m], 1);
        worst = 0, behind = 0;
        each_node(&b, check_depth, &WALLS[m]);
        print_message("%dD, wall of %g cells: %ld nodes behind, depth off by %.3f cells\n", WALLS[m].dim, WALLS[m].thickness,
                      behind, worst);
        CHECK_TRUE(behind > 20);
        CHECK_LESS(worst, 0.02);
        arena_free(&b.arena);
    }
}

// phi continued through the wall (here: all liquid), then cut: none is left on the dry side.
static void test_cut(void** state)
{
    (void)state;
    for (size_t m = 0; m < sizeof WALLS/sizeof *WALLS; m++) {
        Box b;
        box_init(&b, &WALLS[m], 1);
        for (ptrdiff_t at = -b.w.origin; at < (ptrdiff_t)b.w.count - b.w.origin; at++) b.phi[at] = min2(b.phi[at], -b.w.dx);
        solid_cut_behind(b.phi, &b.backed, b.phi_s, &b.spans, &b.w);
        long wet = 0;
        for (int r = 0; r < b.spans.rows; r++)
            SPAN_LOOP(&b.spans, r, q)
                for (int i = b.spans.span[q].i0; i < b.spans.span[q].i1; i++) {
                    int node[3] = {i, r%b.spans.rows_y, r/b.spans.rows_y};
                    double h = height(&WALLS[m], node);
                    ptrdiff_t at = window_at(&b.w, node[0], node[1], node[2]);
                    if (h > 0.5*WALLS[m].thickness && h < 0.5*WALLS[m].thickness + 4) wet += b.phi[at] < 0;
                }
        CHECK_TRUE(wet == 0);
        arena_free(&b.arena);
    }
}

// With liquid on both sides, or in a thick block, nothing changes.
static void test_nothing_to_back(void** state)
{
    (void)state;
    Box b;
    box_init(&b, &WALLS[2], 3);
    CHECK_TRUE(b.backed.v == b.phi_s && !backed_hides(&b.backed));
    arena_free(&b.arena);
    const Wall block = {2, 2*CELLS, {0, 1, 0}, 0};
    box_init(&b, &block, 1);
    CHECK_TRUE(b.backed.v == b.phi_s && !backed_hides(&b.backed));
    arena_free(&b.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_depth_behind), cmocka_unit_test(test_cut),
                                       cmocka_unit_test(test_nothing_to_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

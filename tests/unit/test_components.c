// Connected parts of a problem's unknown cells, by hand: what hangs together, and what is sealed.
#include "check.h"
#include "solve/components.h"

// A row of 12 cells in 2D: cells 0 to 2, 4 to 7, 8 to 11 are unknown; no link between 7 and 8, a known value beside cell 1.
typedef struct Rowful {
    Arena arena;
    Tank tank;
    Window w;
    Spans spans;
    Span span[2];
    int first_span[4];
    unsigned char kind[400];
    int first[3];
    SpecialCell special[24];
    Poisson problem;
} Rowful;

static bool is_unknown(int i) { return i != 3; }
static bool are_linked(int i) { return i >= 0 && i < 11 && is_unknown(i) && is_unknown(i + 1) && i != 7; }

static void rowful_init(Rowful* f)
{
    *f = (Rowful){.tank = {.dim = 2, .dx = 1, .n = {12, 1, 1}}};
    f->w = window_whole(&f->tank);
    f->span[0] = (Span){0, 13};
    f->first_span[1] = f->first_span[2] = 1;
    f->spans = (Spans){.rows = 2, .rows_y = 2, .first = f->first_span, .span = f->span, .covered = 13};
    assert_true(f->w.count <= sizeof f->kind);
    unsigned char* kind = f->kind + f->w.origin;
    int count = 0;
    for (int i = 0; i < 12; i++) {
        if (!is_unknown(i)) continue;
        kind[i] = CELL_IS_SPECIAL;
        f->special[count++] = (SpecialCell){.i = i, .link = {are_linked(i - 1), are_linked(i)}, .excess = i == 1 ? 0.5 : 0};
    }
    f->first[1] = count;
    f->problem = (Poisson){.w = &f->w, .spans = &f->spans, .kind = kind, .first = f->first, .special = f->special};
}

static void test_parts(void** state)
{
    (void)state;
    Rowful f;
    Components c;
    rowful_init(&f);
    CHECK_OK(components_find(&c, &f.arena, &f.problem));
    assert_int_equal(c.parts, 3);
    const int part[12] = {0, 0, 0, -1, 1, 1, 1, 1, 2, 2, 2, 2};
    for (int i = 0; i < 12; i++) assert_int_equal(components_at(&c, i), part[i]);
    arena_free(&f.arena);
}

// The part with the known value is open; one that an operator holds is, and no other.
static void test_sealed(void** state)
{
    (void)state;
    Rowful f;
    Components c;
    rowful_init(&f);
    CHECK_OK(components_sealed(&c, &f.arena, &f.problem, NULL, 0));
    assert_int_equal(c.parts, 2);
    double v[12] = {1, 2, 3, 9, 1, 2, 3, 6, 5, 5, 5, 9};
    components_project(&c, v);
    const double left[12] = {1, 2, 3, 9, -2, -1, 0, 3, -1, -1, -1, 3};
    for (int i = 0; i < 12; i++) CHECK_CLOSE(v[i], left[i], 1e-15);
    ptrdiff_t held = 10;
    CHECK_OK(components_sealed(&c, &f.arena, &f.problem, &held, 1));
    assert_int_equal(c.parts, 1);
    assert_int_equal(components_at(&c, 5), 0);
    assert_int_equal(components_at(&c, 10), -1);
    arena_free(&f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts), cmocka_unit_test(test_sealed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Which velocity a face on or past the free surface has (grid/past_surface.h): each kind of face in a level pool, a thin sheet,
// or beside a wall gets the kind that docs/pressure.md says.
#include "ball.h"

enum { N = 16 };

static const char* const names[] = {[FACE_CONTINUED] = "continued",
                                    [FACE_KEPT] = "kept",
                                    [FACE_SETTLED] = "settled",
                                    [FACE_BALANCED] = "balanced",
                                    [FACE_HELD] = "held"};

#define CHECK_KIND(got, wanted, what)                                                                                            \
    do {                                                                                                                         \
        print_message("%s: %s, wanted %s\n", what, names[got], names[wanted]);                                                   \
        assert_int_equal(got, wanted);                                                                                           \
    } while (0)

// Liquid between two heights, in cells, from wall to wall.
static void sheet_init(Ball* b, double low, double high)
{
    ball_init(b, 2, N, 0.3);
    double dx = b->w.dx;
    for (int j = 0; j <= N; j++)
        for (int i = 0; i <= N; i++) b->phi.v[window_at(&b->w, i, j, 0)] = fmax(j - high, low - j)*dx;
    CHECK_OK(spans_build(&b->spans, &b->arena, b->phi.v, &b->w, 4*dx, 2));
    CHECK_OK(cutcells_build(&b->cells, &b->arena, &b->spans, b->phi.v, NULL, &b->w));
}

// A step of so many capillary times, without friction.
static PastSurface rule_of(bool tension, bool pressed, bool patches, double steps, double viscosity)
{
    SurfaceCase c = {tension, pressed, patches, .dt = steps, .t_s = 1, .viscosity = viscosity, .dx = 1.0/N};
    return past_surface_rule(&c);
}

// Faces as the pressure sorts them.
typedef struct Sorted {
    Ball ball;
    Pressure p;
} Sorted;

static void sorted_init(Sorted* s, double low, double high, PressureKind op, PastSurface rule)
{
    sheet_init(&s->ball, low, high);
    PressureInput in = ball_input(&s->ball, op);
    in.past = rule;
    double* u[3] = {s->ball.u[0].v, s->ball.u[1].v, s->ball.u[2].v};
    CHECK_OK(pressure_build(&s->p, &s->ball.arena, &in, u));
    pressure_update(&s->p, u, s->ball.p.v);
}

static FaceKind kind_at(const Sorted* s, int axis, int i, int j) { return s->p.kind[axis][window_at(&s->ball.w, i, j, 0)]; }

// ---- the rule of a liquid ------------------------------------------------------------------------------------------------

// Dry faces are kept in cut cells with tension, in steps longer than two capillary times, where no partner presses; slivers
// beside solids are dropped with ghost fluid; little wet faces settle wherever the pressure or a partner moves them.
static void test_rules(void** state)
{
    (void)state;
    static const struct {
        const char* what;
        bool tension, pressed, patches;
        double steps;
        bool keeps_dry, drops_slivers, settles;
    } rows[] = {{"no tension, cut cells", false, false, true, 5, false, false, false},
                {"no tension, ghost fluid", false, false, false, 5, false, true, false},
                {"tension, cut cells, long step", true, false, true, 5, true, false, true},
                {"tension, cut cells, short step", true, false, true, 2, false, false, false},
                {"tension, ghost fluid, short step", true, false, false, 2, false, true, true},
                {"tension, beside a film", true, true, true, 1, false, false, true},
                {"no tension, beside a film", false, true, true, 1, false, false, false}};
    for (size_t m = 0; m < sizeof rows/sizeof *rows; m++) {
        PastSurface r = rule_of(rows[m].tension, rows[m].pressed, rows[m].patches, rows[m].steps, 0);
        print_message("%s: keeps dry %d, least open %g, settling %g\n", rows[m].what, r.keeps_dry, r.least_open, r.settling);
        assert_int_equal(r.keeps_dry, rows[m].keeps_dry);
        assert_int_equal(r.least_open > 0, rows[m].drops_slivers);
        assert_int_equal(r.settling > 0, rows[m].settles);
    }
    PastSurface kept = rule_of(true, false, true, 5, 0), anew = past_surface_anew(&kept);
    assert_true(!anew.keeps_dry && anew.settling == 0 && anew.least_open == kept.least_open);
}

// A tenth of the way per capillary time, at most half, and less where friction does the same: nu (pi/dx)^2 t_s of it.
static void test_settling(void** state)
{
    (void)state;
    double k = PI*N;
    CHECK_WITHIN(rule_of(true, false, false, 2, 0).settling, 0.2, 1e-12);
    CHECK_WITHIN(rule_of(true, false, false, 20, 0).settling, 0.5, 1e-12);
    CHECK_WITHIN(rule_of(true, false, false, 2, 0.04/(k*k)).settling, 0.12, 1e-12);
    CHECK_WITHIN(rule_of(true, false, false, 2, 0.2/(k*k)).settling, 0, 1e-12);
}

// ---- the kind of a face --------------------------------------------------------------------------------------------------

// A pool 8.7 cells deep. Its surface row has unknowns, faces along it that are 0.7 wet, and dry faces above.
static void test_pool(void** state)
{
    (void)state;
    Sorted s;
    sorted_init(&s, -9, 8.7, PRESSURE_CUT, rule_of(true, false, true, 5, 0));
    CHECK_KIND(kind_at(&s, 1, 8, 4), FACE_KEPT, "in the depth");
    CHECK_KIND(kind_at(&s, 0, 8, 8), FACE_KEPT, "0.7 wet");
    CHECK_KIND(kind_at(&s, 0, 0, 8), FACE_KEPT, "on the tank's side");
    CHECK_KIND(kind_at(&s, 1, 8, 9), FACE_SETTLED, "dry, cut cells, long step");
    CHECK_KIND(kind_at(&s, 1, 8, 10), FACE_CONTINUED, "no unknown beside it");
    ball_free(&s.ball);
    sorted_init(&s, -9, 8.7, PRESSURE_CUT, rule_of(true, false, true, 2, 0));
    CHECK_KIND(kind_at(&s, 1, 8, 9), FACE_CONTINUED, "dry, cut cells, short step");
    ball_free(&s.ball);
    sorted_init(&s, -9, 8.7, PRESSURE_GHOST, rule_of(true, false, false, 2, 0));
    CHECK_KIND(kind_at(&s, 1, 8, 9), FACE_SETTLED, "dry, ghost fluid");
    ball_free(&s.ball);
    sorted_init(&s, -9, 8.7, PRESSURE_GHOST, rule_of(false, false, false, 2, 0));
    CHECK_KIND(kind_at(&s, 1, 8, 9), FACE_KEPT, "dry, ghost fluid, no tension");
    ball_free(&s.ball);
    sorted_init(&s, -9, 8.3, PRESSURE_CUT, rule_of(true, false, true, 5, 0));
    CHECK_KIND(kind_at(&s, 0, 8, 8), FACE_CONTINUED, "0.3 wet, between cells without an unknown");
    ball_free(&s.ball);
}

// In a sheet of two cells the pressure would kick dry faces: they are continued. With four they are not.
static void test_thin_sheet(void** state)
{
    (void)state;
    Sorted s;
    sorted_init(&s, 7.4, 8.7, PRESSURE_CUT, rule_of(true, false, true, 5, 0));
    CHECK_KIND(kind_at(&s, 1, 8, 9), FACE_CONTINUED, "dry, two unknown cells thick");
    ball_free(&s.ball);
    sorted_init(&s, 5.4, 8.7, PRESSURE_CUT, rule_of(true, false, true, 5, 0));
    CHECK_KIND(kind_at(&s, 1, 8, 9), FACE_SETTLED, "dry, four unknown cells thick");
    ball_free(&s.ball);
}

// Slivers between a solid and the surface, open by less than a quarter, are continued with ghost fluid; between two unknown
// cells, or with cut cells, they are kept. What lies beside a solid is held.
static void test_beside_solids(void** state)
{
    (void)state;
    PastSurface ghost = rule_of(true, false, false, 2, 0), cut = rule_of(true, false, true, 5, 0);
    FaceFacts sliver = {.unknowns = 1, .area = 0.2, .wet = 0.2, .is_open = true}, inner = sliver, wide = sliver;
    inner.unknowns = 2, wide.area = 0.3;
    CHECK_KIND(past_surface_kind(&ghost, &sliver), FACE_CONTINUED, "open by 0.2, ghost fluid");
    CHECK_KIND(past_surface_kind(&ghost, &wide), FACE_SETTLED, "open by 0.3, ghost fluid");
    CHECK_KIND(past_surface_kind(&ghost, &inner), FACE_SETTLED, "open by 0.2 between unknown cells, ghost fluid");
    CHECK_KIND(past_surface_kind(&cut, &sliver), FACE_SETTLED, "open by 0.2, cut cells");
    FaceFacts covered = {.unknowns = 1, .is_deep = true}, beside = {.near_solid = true};
    CHECK_KIND(past_surface_kind(&cut, &covered), FACE_CONTINUED, "in a solid");
    CHECK_KIND(past_surface_kind(&cut, &beside), FACE_HELD, "beside a solid");
}

// ---- the order in which they are filled ----------------------------------------------------------------------------------

// A pool 8.7 cells deep whose faces up to the surface know their velocity.
typedef struct Pool {
    Ball ball;
    double* u[3];
    unsigned char* kind[3];
    SurfaceView view;
} Pool;

static void pool_init(Pool* p, double (*velocity)(int axis, int i, int j))
{
    Ball* b = &p->ball;
    sheet_init(b, -9, 8.7);
    for (int d = 0; d < 2; d++) {
        p->u[d] = b->u[d].v;
        p->kind[d] = ARENA_ZERO(&b->arena, unsigned char, b->w.count) + b->w.origin;
        for (int j = 0; j <= 8; j++)
            for (int i = 0; i <= N; i++) {
                ptrdiff_t at = window_at(&b->w, i, j, 0);
                p->kind[d][at] = FACE_KEPT, p->u[d][at] = velocity(d, i, j);
            }
    }
    p->view = (SurfaceView){.phi = b->phi.v, .cells = &b->cells, .spans = &b->spans, .w = &b->w};
}

static double rising(int axis, int i, int j) { return (void)i, axis == 1 ? j : 0; }
static double spreading(int axis, int i, int j) { return (void)j, axis == 0 ? 0.5*i : 0; }

// u = j is continued to 9 on the first dry face and copied from there; within two cells of a solid the 8 below is copied.
static void test_continued_and_held(void** state)
{
    (void)state;
    Pool p;
    pool_init(&p, rising);
    const Window* w = &p.ball.w;
    double* solid = ARENA_NEW(&p.ball.arena, double, w->count) + w->origin;
    for (ptrdiff_t m = 0; m < (ptrdiff_t)w->count; m++) solid[m - w->origin] = (m%w->sy - w->origin%w->sy)*w->dx;
    p.view.phi_solid = solid;
    CHECK_OK(past_surface_fill(p.u, &p.ball.arena, p.kind, &(PastSurface){0}, NULL, &p.view));
    CHECK_WITHIN(p.u[1][window_at(w, 8, 9, 0)], 9, 1e-12);
    CHECK_WITHIN(p.u[1][window_at(w, 8, 10, 0)], 9, 1e-12);
    CHECK_WITHIN(p.u[1][window_at(w, 1, 9, 0)], 8, 1e-12);
    CHECK_WITHIN(p.u[1][window_at(w, 2, 9, 0)], 9, 1e-12);
    ball_free(&p.ball);
}

// A settled face goes its part of the way to the 9 that those behind it continue to, and the next one is continued from it.
static void test_settled(void** state)
{
    (void)state;
    Pool p;
    pool_init(&p, rising);
    const Window* w = &p.ball.w;
    ptrdiff_t at = window_at(w, 8, 9, 0);
    p.kind[1][at] = FACE_SETTLED, p.u[1][at] = 19;
    CHECK_OK(past_surface_fill(p.u, &p.ball.arena, p.kind, &(PastSurface){.settling = 0.3}, NULL, &p.view));
    CHECK_WITHIN(p.u[1][at], 16, 1e-12);
    CHECK_WITHIN(p.u[1][at - 1], 9, 1e-12);
    ball_free(&p.ball);
}

// Where a partner presses on the surface, what flows out of a cell sideways, 0.5, comes in through the dry face above it;
// elsewhere that face moves as the one below it, 0. The face above goes on from it.
static void test_balanced(void** state)
{
    (void)state;
    Pool p;
    pool_init(&p, spreading);
    const Window* w = &p.ball.w;
    const CutCells* cells = &p.ball.cells;
    int* pressed = ARENA_NEW(&p.ball.arena, int, cells->count);
    for (int c = 0; c < cells->count; c++) pressed[c] = cells->cut[c].i < 8 ? 0 : -1;
    CHECK_OK(past_surface_fill(p.u, &p.ball.arena, p.kind, &(PastSurface){0}, pressed, &p.view));
    ptrdiff_t on = window_at(w, 4, 9, 0), off = window_at(w, 12, 9, 0);
    CHECK_KIND(p.kind[1][on], FACE_BALANCED, "dry, pressed");
    CHECK_KIND(p.kind[1][off], FACE_CONTINUED, "dry, not pressed");
    CHECK_WITHIN(p.u[1][on], -0.5, 1e-12);
    CHECK_WITHIN(p.u[1][off], 0, 1e-12);
    assert_true(p.u[1][on + w->sy] < 0);
    ball_free(&p.ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rules),         cmocka_unit_test(test_settling),
                                       cmocka_unit_test(test_pool),          cmocka_unit_test(test_thin_sheet),
                                       cmocka_unit_test(test_beside_solids), cmocka_unit_test(test_continued_and_held),
                                       cmocka_unit_test(test_settled),       cmocka_unit_test(test_balanced)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

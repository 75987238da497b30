// Liquid at rest on the two sides of a sheet stays at rest, whatever its levels: pressures are those of each side, and nothing
// flows through.
#include "check.h"
#include "dice.h"
#include "grid/sheetside.h"
#include "sheets.h"
#include "solve/pressure_sides.h"

typedef struct SideState {
    SheetSide side;
    Field phi, u[3];
    CutCells cells;
    Pressure p;
} SideState;

typedef struct Tank2 {
    Window w;
    Arena arena;
    SheetCut cut;
    Spans spans;
    Field own;
    SideState side[2];
} Tank2;

static const double G = 9.81, RHO = 1000, DT = 1e-3;

// A box with a level of its own on each side of a sheet; u = dt g. The level of a side goes on behind the sheet.
static void tank_fill(Tank2* t, int dim, int n, const SheetSurface* s, const double level[2])
{
    t->w = box_window(dim, n);
    CHECK_OK(sheetcut_build(&t->cut, &t->arena, s, &t->w, 3, 3));  // of all nodes
    CHECK_OK(field_init(&t->own, &t->w));
    for (int m = 0; m < 2; m++) {
        CHECK_OK(field_init(&t->side[m].phi, &t->w));
        for (int d = 0; d < dim; d++) CHECK_OK(field_init(&t->side[m].u[d], &t->w));
    }
    for (int k = dim == 3 ? -3 : 0; k < (dim == 3 ? n + 4 : 1); k++)
        for (int j = -3; j < n + 4; j++)
            for (int i = -3; i < n + 4; i++) {
                ptrdiff_t at = window_at(&t->w, i, j, k);
                double y = (double)j/n;
                for (int m = 0; m < 2; m++)
                    t->side[m].phi.v[at] = y - level[m], t->side[m].u[1].v[at] = j > 0 && j < n ? -DT*G : 0;
                bool back = t->cut.node[at] & SHEET_NEAR && t->cut.psi[at] < 0;
                t->own.v[at] = y - level[back];
            }
    CHECK_OK(spans_build(&t->spans, &t->arena, t->own.v, &t->w, INFINITY, 0));
}

static void tank_free(Tank2* t)
{
    for (int m = 0; m < 2; m++) {
        field_free(&t->side[m].phi);
        for (int d = 0; d < 3; d++) field_free(&t->side[m].u[d]);
    }
    field_free(&t->own), arena_free(&t->arena);
}

static void tank_build(Tank2* t, PressureKind kind)
{
    for (int m = 0; m < 2; m++) {
        SideState* s = &t->side[m];
        s->side = (SheetSide){.cut = &t->cut, .sign = m == 0 ? 1 : -1, .own = t->own.v};
        s->side.level = sheetside_level(&t->arena, &t->cut, s->side.sign, NULL, &t->w, 1);
        CHECK_OK(cutcells_build_side(&s->cells, &t->arena, &t->spans, s->phi.v, NULL, &s->side, &t->w));
        PressureInput in = {.kind = kind,
                            .w = &t->w,
                            .spans = &t->spans,
                            .cells = &s->cells,
                            .phi = s->phi.v,
                            .phi_solid = s->side.level,
                            .side = &s->side,
                            .rho = RHO,
                            .dt = DT};
        double* u[3] = {s->u[0].v, s->u[1].v, s->u[2].v};
        CHECK_OK(pressure_build(&s->p, &t->arena, &in, u));
    }
}

// Largest speed that is left on faces of side m that the pressure sets, m/s.
static double fastest(const Tank2* t, int m)
{
    double most = 0;
    const Window* w = &t->w;
    for (int d = 0; d < w->dim; d++)
        for (int k = 0; k < w->n[2]; k++)
            for (int j = 0; j < w->n[1]; j++)
                for (int i = 0; i < w->n[0]; i++) {
                    ptrdiff_t at = window_at(w, i, j, k);
                    bool counts = sheetside_counts_face(&t->side[m].side, w, at, d);
                    if (counts && t->side[m].p.kind[d][at] == FACE_KEPT) most = fmax(most, fabs(t->side[m].u[d].v[at]));
                }
    return most;
}

static SolveReport tank_solve(double most[2], Tank2* t, PressureKind kind)
{
    PressureSides s;
    SolveReport report;
    Field p;
    CHECK_OK(field_init(&p, &t->w));
    tank_build(t, kind);
    CHECK_OK(pressure_sides_join(&s, &t->arena, &t->side[0].p, &t->side[1].p));
    CHECK_OK(pressure_sides_solve(p.v, &report, &s, &(SolveOptions){1e-12, 300}, &t->arena));
    assert_true(report.converged);
    for (int m = 0; m < 2; m++) {
        double *seen = pressure_sides_seen(&t->arena, &s, m, p.v),
               *u[3] = {t->side[m].u[0].v, t->side[m].u[1].v, t->side[m].u[2].v};
        pressure_update(&t->side[m].p, u, seen);
        most[m] = fastest(t, m);
    }
    field_free(&p);
    return report;
}

static void test_rest(void** state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int kind = 0; kind < 2; kind++)
            for (int go = 0; go < 20; go++) {
                int n = dim == 2 ? 32 : 14;
                double tilt = (int[]){0, 20, -35, 45, 0}[go%5]*PI/180,
                       offset = (double[]){0.02, 0.25, 0.5, 0.75}[go/5]/n;
                double middle[3] = {0.5 + offset, 0.5, 0.5}, half = go%5 == 4 ? 0.21 : 1.5, most[2];
                Surface f = flat_sheet(dim, middle, tilt, half);
                Tank2 t = {0};
                double equal = go%5 == 4 ? 0.83 : 0;  // a plate within the liquid: there is a way round it
                tank_fill(&t, dim, n, &f.s, equal > 0 ? (double[2]){equal, equal} : (double[2]){0.634, 0.262});
                SolveReport r = tank_solve(most, &t, kind == 0 ? PRESSURE_CUT : PRESSURE_GHOST);
                print_message("%dD, %s, tilt %+.0f, offset %.2f: left %.1e and %.1e of dt g, %d iterations\n", dim,
                              kind == 0 ? "cut" : "ghost", tilt*180/PI, offset*n, most[0]/(DT*G), most[1]/(DT*G),
                              r.iterations);
                CHECK_WITHIN(most[0], 0, 1e-8*DT*G);
                CHECK_WITHIN(most[1], 0, 1e-8*DT*G);
                surface_free(&f), tank_free(&t);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

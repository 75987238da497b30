// The lubricated air film: alone between given walls, flat between layers, closed around a drop. Formulas: docs/film.md.
#include "flat_film.h"
#include "squeeze.h"
#include "film/film_gap.h"
#include "liquid/energy.h"
#include <string.h>

// ---- the film alone: squeezed between rigid parabolas ---------------------------------------------------------------------

// Cells of width dx; around an axis they are rings.
static double squeeze_force(const Squeeze* s)
{
    enum { MOST = 4096 };
    static AirCell cell[MOST];
    static AirEdge edge[MOST + 1];
    double inflow[MOST], p[MOST], start = s->round ? 0 : -0.5*s->cells*s->dx;
    Film film = {.settings = {.mu = FILM_MU, .conduct = s->conduct, .mean_free_path = s->slip},
                 .cell = cell,
                 .cells = s->cells,
                 .edge = edge};
    film.tank = (Tank){.dim = s->round ? 3 : 2, .dx = s->dx};
    for (int i = 0; i <= s->cells; i++) {
        double x = start + i*s->dx, middle = x + 0.5*s->dx;
        if (i < s->cells)
            cell[i] =
                (AirCell){.x = {middle, 0, 0}, .h = squeeze_gap(s, middle), .area = s->round ? 2*PI*middle*s->dx : s->dx};
        if (i == 0 && s->round) continue;
        bool rim = i == 0 || i == s->cells;
        AirEdge e = {.a = i == 0 ? 0 : i - 1, .b = rim ? -1 : i, .h = squeeze_gap(s, x)};
        e.length = s->round ? 2*PI*x : 1, e.distance = rim ? 0.5*s->dx : s->dx;
        edge[film.edges++] = e;
    }
    for (int i = 0; i < s->cells; i++) inflow[i] = s->speed*cell[i].area;
    Arena arena = {0};
    Border border;
    PoissonGroup nobody = {0};
    CHECK_OK(film_assemble(&border, &film, NULL, 0, NULL, inflow, film_scale(&film.tank, 1000, 1e-5), &arena));
    PoissonOperator op;
    CHECK_OK(border_begin(&border, &op, &nobody, &arena));
    CHECK_OK(border_solution(&border, p, &nobody));
    border_end(&border);
    double force = 0;
    for (int i = 0; i < s->cells; i++) force += p[i]*cell[i].area;
    arena_free(&arena);
    return force;
}

static double squeeze_ratio(double h0, bool round, int cells, FilmConduct conduct)
{
    Squeeze s = {
        .h0 = h0, .radius = 0.17e-3, .speed = 0.25, .dx = 1e-3/128, .cells = cells, .round = round, .conduct = conduct};
    return squeeze_force(&s)/squeeze_exact(&s);
}

// At dx = 1/128 mm and R = 0.17 mm the neck sqrt(h0 R) is 5.3, 2.9, 1.7, 0.9 and 0.5 cells wide for h0 = 10 ... 0.1 um. The force
// is right while it is wider than a cell, within a third below (docs/validation/targets.md, squeeze film).
static void test_squeeze_film(void** state)
{
    (void)state;
    const double h0[5] = {10e-6, 3e-6, 1e-6, 0.3e-6, 0.1e-6};
    for (int round = 0; round < 2; round++)
        for (int m = 0; m < 5; m++) {
            int even = round ? 16 : 32, odd = round ? 17 : 33;
            double series = squeeze_ratio(h0[m], round, even, FILM_SERIES),
                   shifted = squeeze_ratio(h0[m], round, odd, FILM_SERIES);
            double paper = squeeze_ratio(h0[m], round, even, FILM_EDGE),
                   paper_shifted = squeeze_ratio(h0[m], round, odd, FILM_EDGE);
            print_message("%s h0 = %4.1f um: F/F_exact %.3f (%.3f) in series, %.3f (%.3f) with the paper's edge thickness\n",
                          round ? "spheres  " : "cylinders", 1e6*h0[m], series, shifted, paper, paper_shifted);
            double allowed = m < 2 ? 0.02 : m == 2 ? 0.05 : m == 3 ? 0.15 : 0.35;
            CHECK_WITHIN(series, 1, allowed);
            CHECK_WITHIN(shifted, 1, allowed);
        }
}

// The whole parabola: F = (3 pi/2) mu V (R/h0)^(3/2) per length of cylinder, (3 pi/2) mu V R^2/h0 between spheres.
static void test_squeeze_law(void** state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        Squeeze s = {
            .h0 = 3e-6, .radius = 0.17e-3, .speed = 0.25, .dx = 1e-3/512, .cells = round ? 2048 : 4096, .round = round};
        double exact = 1.5*PI*FILM_MU*s.speed*(round ? s.radius*s.radius/s.h0 : pow(s.radius/s.h0, 1.5)),
               got = squeeze_force(&s);
        print_message("%s: F = %.6g, %.6g by the law\n", round ? "spheres" : "cylinders", got, exact);
        CHECK_CLOSE(got, exact, 0.01);
    }
}

// Parallel plates: gas that slips flows 1 + 6 lambda/h times as fast, so the force falls by that factor.
static void test_slip(void** state)
{
    (void)state;
    Squeeze s = {.h0 = 0.4e-6, .radius = 1e30, .speed = 0.1, .dx = 1e-5, .cells = 20};
    double without = squeeze_force(&s);
    s.slip = 68e-9;
    double with = squeeze_force(&s);
    CHECK_CLOSE(without/with, 1 + 6*68e-9/0.4e-6, 1e-9);
    s.conduct = FILM_EDGE;
    CHECK_CLOSE(squeeze_force(&s), with, 1e-9);
}

// ---- a flat film between two layers ---------------------------------------------------------------------------------------

// Closed all around, nothing can move: the pressure on top is the pressure everywhere (paper, 6.1.1).
static void test_piston(void** state)
{
    (void)state;
    for (int ridge = 0; ridge < 2; ridge++) {
        Gap g;
        flat_film(&g, 64, 1e-6, 0.37, false);
        if (ridge) {
            gap_build_film(&g);
            assert_int_equal(g.film.cells, 64);
            assert_int_equal(g.film.edges, 65);  // 63 between cells, and the two walls
            for (int m = 0; m < g.film.edges; m++) assert_true(g.film.edge[m].closed == (g.film.edge[m].b < 0));
            assert_int_equal(g.film.lost, 0);
        }
        flat_solve(&g);
        print_message("piston, air cells %s: off by %.1e Pa; %d iterations\n", ridge ? "on the ridge" : "by hand",
                      flat_error(&g, P_EXT), g.report.iterations);
        CHECK_TRUE(g.report.converged);
        CHECK_LESS(flat_error(&g, P_EXT), 1e-7);
        gap_free(&g);
    }
}

// The paper's 6.1.2. A film of 1 um leaks within ell = rho h^3/(24 mu dt) = 4.5 nm of its ends; no grid sees that, and the loss
// is the grid's, in proportion to 1/dx. So only thick films can be held against the series.
static void test_open_film(void** state)
{
    (void)state;
    const double h[4] = {3e-5, 1e-5, 1e-6, 1e-7};
    double loss[4][3], series[4][3];
    for (int m = 0; m < 4; m++)
        for (int r = 0; r < 3; r++) {
            int iterations;
            loss[m][r] = open_film_loss(64 << r, h[m], &series[m][r], &iterations);
            print_message("open film, h = %4.1f um, %3d^2: loss %.4g Pa, series %.4g Pa; %d iterations\n", 1e6*h[m], 64 << r,
                          loss[m][r], series[m][r], iterations);
        }
    for (int r = 0; r < 3; r++) CHECK_CLOSE(loss[0][r], series[0][r], 0.01);
    double slope = log2((series[1][0] - loss[1][0])/(series[1][2] - loss[1][2]))/2;
    print_message("h = 10 um: order %.2f\n", slope);
    CHECK_LESS(0.9, slope);
    CHECK_CLOSE(loss[2][0], 0.878, 0.02);
    for (int m = 0; m < 3; m++) CHECK_LESS(loss[m + 1][0], loss[m][0]);
}

// The film around a drop hands on all pressure (paper, 6.1.3).
static void test_ring(void** state)
{
    (void)state;
    Gap g;
    ring_film(&g, 64, 1e-6);
    assert_int_equal(g.film.cells, g.film.edges);
    for (int m = 0; m < g.film.edges; m++) CHECK_TRUE(g.film.edge[m].b >= 0);
    flat_solve(&g);
    double length = 0, exact = 2*PI*RING_RADIUS;
    for (int c = 0; c < g.film.cells; c++) length += g.film.cell[c].area;
    print_message("ring of %d air cells, %.5f of its length: off by %.1e Pa; %d iterations\n", g.film.cells, length/exact,
                  flat_error(&g, P_EXT), g.report.iterations);
    CHECK_CLOSE(length, exact, 1e-3);
    CHECK_LESS(flat_error(&g, P_EXT), 1e-7);
    gap_free(&g);
}

// A third of the plane around a point, half a film away from the lines that bound it.
typedef struct Sector {
    double x[3], from, half;  // from: angle of its first side
} Sector;

static double sector_distance(const void* user, const double x[3])
{
    const Sector* s = user;
    double r[2] = {x[0] - s->x[0], x[1] - s->x[1]}, to = s->from + 2*PI/3;
    return fmax(sin(s->from)*r[0] - cos(s->from)*r[1], cos(to)*r[1] - sin(to)*r[0]) + s->half;
}

// Three liquids fill a box, their films meet in a joint in the middle: closed all around, nothing leaks out of it.
static void test_joint(void** state)
{
    (void)state;
    Gap g;
    gap_init(&g, 2, (int[3]){64, 64, 1}, SIDE/64);
    for (int m = 0; m < 3; m++) {
        Sector s = {{0.503*SIDE, 0.497*SIDE, 0}, PI/6 + (m - 1)*2*PI/3, 0.5e-6};
        gap_add(&g, sector_distance, &s, 1000, (double[3]){0, 0, 0});
    }
    gap_build_film(&g);
    for (int m = 0; m < g.film.edges; m++) CHECK_TRUE(g.film.edge[m].b >= 0 || g.film.edge[m].closed);
    flat_solve(&g);
    double film = 0, worst = 0;
    for (int m = 0; m < 3; m++) worst = fmax(worst, gap_pressure_error(&g, m, P_EXT));
    for (int c = 0; c < g.film.cells; c++) film = fmax(film, fabs(g.film.p[c] - P_EXT));
    print_message("joint of three films, %d air cells: off by %.1e Pa in the liquids, %.1e Pa in the film; %d iterations\n",
                  g.film.cells, worst, film, g.report.iterations);
    CHECK_LESS(fmax(film, worst), 1e-6);
    gap_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_squeeze_film), cmocka_unit_test(test_squeeze_law), cmocka_unit_test(test_slip),
        cmocka_unit_test(test_piston),       cmocka_unit_test(test_open_film),   cmocka_unit_test(test_ring),
        cmocka_unit_test(test_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

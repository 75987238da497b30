// The thickness of a film between the middles of its air cells, and its resistance there (film/film_profile.h, docs/film.md:
// Rims).
#include "check.h"
#include <math.h>
#include "base/vec.h"
#include "film/film_profile.h"

static const double DX = 1e-5;
static const double QUADRATURE = 5e-3;  // what Gauss's rule may miss, of a resistance; test_resistance_of_known_shapes

// ---- exact resistances: the integral of ds/h^3 over s = 0 .. 1 --------------------------------------------------------------

// h = a + (b - a) s:  (1/a^2 - 1/b^2)/(2 (b - a)) = (a + b)/(2 a^2 b^2)
static double exact_linear(double a, double b) { return (a + b)/(2*a*a*b*b); }

// h = h0 + c s^2, from 0 to s. With x = s sqrt(c/h0),
//     integral dx/(1 + x^2)^3 = x/(4 (1 + x^2)^2) + 3 x/(8 (1 + x^2)) + 3/8 atan x
static double exact_parabola(double h0, double c, double s)
{
    double k = sqrt(c/h0), x = k*s, y = 1 + x*x;
    return (x/(4*y*y) + 3*x/(8*y) + 0.375*atan(x))/(k*h0*h0*h0);
}

// The cubic with the slopes of a line or of a parabola is that line or parabola; what is left is Gauss's rule of three points. It
// is exact to s^5 on each of its intervals, which end at 4^-6 ... 1/4, 1; most is missed where h rises severalfold within one.
// Where 1/h^3 is a power of s over an interval, the rule has 0.960 (s^-3) or 0.756 (s^-6) of the interval's part: a few
// thousandths of the whole, whose larger part lies before.
static void test_resistance_of_known_shapes(void** state)
{
    (void)state;
    double a = 0.2e-6, line = 0, parabola = 0, away = 0;
    for (double ratio = 1.001; ratio < 1000; ratio *= 1.1) {
        double rise = (ratio - 1)*a, b = a + rise;
        line = fmax(line, fabs(film_profile_resistance(a, rise, b, rise)/exact_linear(a, b) - 1));
        parabola = fmax(parabola, fabs(film_profile_resistance(a, 0, b, 2*rise)/exact_parabola(a, rise, 1) - 1));
        // the next cell of the same parabola, s = 1 .. 2
        double exact = exact_parabola(a, rise, 2) - exact_parabola(a, rise, 1);
        away = fmax(away, fabs(film_profile_resistance(b, 2*rise, a + 4*rise, 4*rise)/exact - 1));
    }
    print_message("resistance, b/a = 1 to 1000: off by %.1e (line), %.1e (parabola from its lowest point), %.1e (further up)\n",
                  line, parabola, away);
    CHECK_LESS(line, QUADRATURE);
    CHECK_LESS(parabola, QUADRATURE);
    CHECK_LESS(away, QUADRATURE);
}

// Read from the other end it is the same film; equally thick all along, it resists as 1/h^3.
static void test_resistance_both_ways(void** state)
{
    (void)state;
    double a = 0.3e-6, b = 2e-6, p = 0.4e-6, q = 2.3e-6;
    assert_true(film_profile_resistance(a, p, b, q) == film_profile_resistance(b, -q, a, -p));
    CHECK_CLOSE(film_profile_resistance(a, 0, a, 0)*a*a*a, 1, 1e-14);
    // slopes that would lead below both ends are not followed
    assert_true(film_profile_resistance(a, -p, b, q) == film_profile_resistance(a, 0, b, q));
}

// ---- a film of cells in a row ----------------------------------------------------------------------------------------------

enum { ROW = 12 };

// Cells DX apart along `along`, the first one DX/2 from a mirror at x = 0 (or from a wall), the last one DX/2 from the rim.
typedef struct Row {
    Film film;
    AirCell cell[ROW];
    AirEdge edge[ROW + 1];
    Arena arena;
} Row;

static double place(int i) { return (i + 0.5)*DX; }

static void row_init(Row* r, const double h[ROW], double angle, Side first)
{
    *r = (Row){.film = {.settings = {.mu = 18.6e-6}, .cells = ROW, .edges = ROW + 1}};
    r->film.tank = (Tank){.dim = 2, .dx = DX, .n = {64, 64, 1}, .side = {first, SIDE_IS_WALL, SIDE_IS_WALL, SIDE_IS_WALL}};
    r->film.cell = r->cell, r->film.edge = r->edge;
    double along[3] = {cos(angle), sin(angle), 0};
    for (int i = 0; i < ROW; i++) {
        r->cell[i] = (AirCell){.h = h[i], .gap = h[i], .area = DX};
        for (int d = 0; d < 2; d++) r->cell[i].x[d] = place(i)*along[d];
    }
    for (int i = 0; i <= ROW; i++) {
        bool inside = i > 0 && i < ROW;
        r->edge[i] = (AirEdge){.a = i == 0 ? 0 : i - 1, .b = inside ? i : -1, .closed = i == 0, .length = 1};
        r->edge[i].distance = inside ? DX : 0.5*DX;
        r->edge[i].h = inside ? 0.5*(h[i - 1] + h[i]) : h[i == 0 ? 0 : ROW - 1];
        for (int d = 0; d < 2; d++) r->edge[i].x[d] = i*DX*along[d];
    }
}

static double row_cube(Row* r, int edge)
{
    AirFit* fit;
    CHECK_OK(film_profile_thickness(&fit, &r->film, &r->arena));
    return film_profile_cube(&r->film, fit, &r->edge[edge]);
}

// What a fit leaves of a slope: least squares over neighbours DX away on n sides, with 1e-3 DX^2 of weight on |slope|^2.
static double kept_of_slope(int n) { return n/(n + 1e-3); }

// A linear field is found with its slope, whichever way the film lies in the grid, and no slope across the film.
static void test_fit_of_linear_field(void** state)
{
    (void)state;
    for (int m = 0; m < 3; m++) {
        double angle = 0.4*m, g = 3e-2, h[ROW];
        Row r;
        for (int i = 0; i < ROW; i++) h[i] = 1e-6 + g*place(i);
        row_init(&r, h, angle, SIDE_IS_WALL);
        AirFit* fit;
        CHECK_OK(film_profile_fit(&fit, &r.film, h, &r.arena));
        for (int i = 0; i < ROW; i++) {
            bool end = i == 0 || i == ROW - 1;
            double expected = g*kept_of_slope(end ? 1 : 2);
            CHECK_WITHIN(fit[i].slope[0], expected*cos(angle), 1e-10*g);
            CHECK_WITHIN(fit[i].slope[1], expected*sin(angle), 1e-10*g);
            assert_true(fit[i].slope[2] == 0);
            assert_true(fit[i].low == h[maxi(i - 1, 0)] && fit[i].high == h[mini(i + 1, ROW - 1)]);
        }
        arena_free(&r.arena);
    }
}

// In a sheet of 3 x 3 cells in 3D, tilted out of the planes of the grid, the slope is the gradient along the sheet.
static void test_fit_in_a_sheet(void** state)
{
    (void)state;
    enum { N = 3 };
    const double c = cos(0.5), s = sin(0.5), one[3] = {c, 0, s}, two[3] = {0, 1, 0}, g[2] = {2e-2, -5e-2};
    AirCell cell[N*N] = {0};
    AirEdge edge[2*N*(N - 1)];
    double value[N*N];
    Film film = {.cell = cell, .cells = N*N, .edge = edge, .tank = {.dim = 3, .dx = DX}};
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            for (int d = 0; d < 3; d++) cell[i + N*j].x[d] = DX*(i*one[d] + j*two[d]);
            value[i + N*j] = 1e-6 + DX*(g[0]*i + g[1]*j);
            if (i > 0) edge[film.edges++] = (AirEdge){.a = i - 1 + N*j, .b = i + N*j};
            if (j > 0) edge[film.edges++] = (AirEdge){.a = i + N*j, .b = i + N*(j - 1)};
        }
    Arena arena = {0};
    AirFit* fit;
    CHECK_OK(film_profile_fit(&fit, &film, value, &arena));
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const double* slope = fit[i + N*j].slope;
            CHECK_WITHIN(vec_dot(slope, one), g[0]*kept_of_slope(i == 1 ? 2 : 1), 1e-12);
            CHECK_WITHIN(vec_dot(slope, two), g[1]*kept_of_slope(j == 1 ? 2 : 1), 1e-12);
            CHECK_WITHIN(-s*slope[0] + c*slope[2], 0, 1e-12);
        }
    arena_free(&arena);
}

// The last cell of a rim, beside one fifty times as thick: its slope is such that half way back it leads to half of the thinnest,
// no less.
static void test_slope_of_rim_is_flattened(void** state)
{
    (void)state;
    double h[ROW];
    for (int i = 0; i < ROW; i++) h[i] = i < 6 ? 0.2e-6 : 10e-6;
    Row r;
    row_init(&r, h, 0, SIDE_IS_WALL);
    AirFit* fit;
    CHECK_OK(film_profile_thickness(&fit, &r.film, &r.arena));
    CHECK_CLOSE(h[5] - 0.5*DX*fit[5].slope[0], 0.1e-6, 1e-12);
    CHECK_WITHIN(fit[3].slope[0], 0, 1e-18);
    arena_free(&r.arena);
}

// Equally thick cells: h^3, as between parallel plates.
static void test_cube_of_equal_cells(void** state)
{
    (void)state;
    double h[ROW];
    for (int i = 0; i < ROW; i++) h[i] = 0.7e-6;
    Row r;
    row_init(&r, h, 0.4, SIDE_IS_WALL);
    for (int m = 1; m <= ROW; m++) CHECK_CLOSE(row_cube(&r, m), pow(0.7e-6, 3), 1e-13);
    arena_free(&r.arena);
}

// A wedge: the fall of the mean pressure from cell to cell, whatever part of the air comes through. The mean of 1/h^2 from h -
// g/2 to h + g/2 is 1/(h^2 - g^2/4), and the mean fall between cells of thickness a and a + g is (<1/h^2>_a - <1/h^2>_b)/(2 g).
// Where the wedge is steep its first cells are not resolved.
static void test_cube_of_wedge(void** state)
{
    (void)state;
    for (int steep = 0; steep < 2; steep++) {
        double h[ROW], g = (steep ? 3 : 0.1)*1e-6, worst = 0;
        for (int i = 0; i < ROW; i++) h[i] = 1e-6 + g*i;
        Row r;
        row_init(&r, h, 0, SIDE_IS_WALL);
        for (int m = steep ? 3 : 2; m < ROW - 1; m++) {
            double a = h[m - 1], b = h[m], mean = (1/(a*a - 0.25*g*g) - 1/(b*b - 0.25*g*g))/(2*g);
            worst = fmax(worst, fabs(row_cube(&r, m)*mean - 1));
        }
        print_message("wedge, %g um per cell: resistances off by %.1e\n", 1e6*g, worst);
        CHECK_LESS(worst, 0.01);
        arena_free(&r.arena);
    }
}

// Air pressed out of a closing parabola h = h0 + c x^2: q = V x, and the pressure is 12 mu V/(4 c h^2) less its value at the rim,
// exactly. Between the middles of cells it falls by
//     12 mu V (1/h_a^2 - 1/h_b^2)/(4 c) = 12 mu d q(half way) (h_a + h_b)/(2 h_a^2 h_b^2);
// its means over the cells, which press on the liquids, fall by as much with <1/h^2> in place of 1/h^2. Cells that differ by less
// than a tenth are taken by their middles, the others of a neck (here sqrt(h0/c) = 8 and 0.8 cells) by their means.
static double exact_mean(double h0, double c, double x)  // of 1/h^2 over a cell around x
{
    double k = sqrt(c/h0), low = (x - 0.5*DX)*k, high = (x + 0.5*DX)*k;
    return (0.5*(high/(1 + high*high) - low/(1 + low*low)) + 0.5*(atan(high) - atan(low)))/(k*h0*h0*DX);
}

static void test_cube_of_closing_parabola(void** state)
{
    (void)state;
    for (int narrow = 0; narrow < 2; narrow++) {
        double h[ROW], h0 = narrow ? 0.2e-6 : 20e-6, c = 1/(2*0.17e-3), middles = 0, means = 0;
        for (int i = 0; i < ROW; i++) h[i] = h0 + c*place(i)*place(i);
        Row r;
        row_init(&r, h, 0, SIDE_IS_MIRROR);
        for (int m = 2; m < ROW; m++) {
            double a = h[m - 1], b = h[m], q = 0.5*(place(m - 1) + place(m)), got = DX*q/row_cube(&r, m);
            double fall = (1/(a*a) - 1/(b*b))/(4*c);
            if ((b - a)/(a + b) < 0.05) middles = fmax(middles, fabs(got/fall - 1));
            fall = (exact_mean(h0, c, place(m - 1)) - exact_mean(h0, c, place(m)))/(4*c);
            means = fmax(means, fabs(got/fall - 1));
        }
        print_message(
            "closing parabola, neck of %.1f cells: off by %.1e from the fall between middles, %.1e from that of the means\n",
            sqrt(h0/c)/DX, middles, means);
        CHECK_LESS(middles, 1e-12);
        CHECK_LESS(means, 0.03);
        arena_free(&r.arena);
    }
}

// The thinnest cell of a rim, with one way out, from where the film rises as h0 + rise s^2: air comes through it, so that its
// resistance to the next one is the parabola's. The next cell's slope is a two thousandth short (kept_of_slope(2)), and
// 1/sqrt(rise) is in the resistance: with the quadrature's own that makes 5e-4 more. linear: what the thickness would give if it
// changed linearly, of the exact resistance.
static double rim_error(double h0, double rise, double* linear)
{
    double h[ROW];
    for (int i = 0; i < ROW; i++) h[i] = h0 + rise*i*i;
    Row r;
    row_init(&r, h, 0, SIDE_IS_WALL);
    AirFit* fit;
    CHECK_OK(film_profile_thickness(&fit, &r.film, &r.arena));
    for (int d = 0; d < 3; d++) fit[0].slope[d] = 0;  // the thinnest place is the middle of this cell
    double exact = exact_parabola(h0, rise, 1), cube = film_profile_cube(&r.film, fit, &r.edge[1]);
    *linear = exact_linear(h[0], h[1])/exact;
    arena_free(&r.arena);
    return 1/(cube*exact) - 1;
}

static void test_cube_of_rim(void** state)
{
    (void)state;
    const double rise[] = {0.1, 1, 10, 50};  // of h0
    for (int m = 0; m < 4; m++) {
        double linear, off = rim_error(0.2e-6, rise[m]*0.2e-6, &linear);
        print_message("rim, next cell %g times as thick: resistance off by %.1e; a linear thickness has %.2f of it\n",
                      1 + rise[m], off, linear);
        CHECK_WITHIN(off, 0, QUADRATURE + 5e-4);
        assert_true(linear < 1 - fabs(off));  // so it matters which of the two is taken
    }
}

// The same edge told from its other cell.
static void test_cube_both_ways(void** state)
{
    (void)state;
    double h[ROW], there[ROW], back[ROW];
    for (int i = 0; i < ROW; i++) h[i] = i < 5 ? 0.2e-6 + 0.01e-6*i*i : 1e-6*(i - 3)*(i - 3);
    for (int turned = 0; turned < 2; turned++) {
        Row r;
        row_init(&r, h, 0.3, SIDE_IS_WALL);
        for (int m = 1; m < ROW && turned; m++) r.edge[m].a = m, r.edge[m].b = m - 1;
        for (int m = 1; m < ROW; m++) (turned ? back : there)[m] = row_cube(&r, m);
        arena_free(&r.arena);
    }
    for (int m = 1; m < ROW; m++) CHECK_CLOSE(there[m], back[m], 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_resistance_of_known_shapes),
                                       cmocka_unit_test(test_resistance_both_ways),
                                       cmocka_unit_test(test_fit_of_linear_field),
                                       cmocka_unit_test(test_fit_in_a_sheet),
                                       cmocka_unit_test(test_slope_of_rim_is_flattened),
                                       cmocka_unit_test(test_cube_of_equal_cells),
                                       cmocka_unit_test(test_cube_of_wedge),
                                       cmocka_unit_test(test_cube_of_closing_parabola),
                                       cmocka_unit_test(test_cube_of_rim),
                                       cmocka_unit_test(test_cube_both_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

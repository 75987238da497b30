// Drops of tetradecane that bounce off the air between them, with the liquid's viscosity (film.md 8, T8, T8c and T9; the collisions of
// [wang2023bouncing], 6.2). Writes docs/validation/film.md.
#include "sinking.h"
#include "page.h"
#include "plot/plot.h"

static const double TETRADECANE_MU = 2.1e-3;  // Pa s at 25 degrees

typedef struct Case {
    const char* name;
    double radius, speed;  // m, m/s of each drop
} Case;

static const Case CASES[2] = {{"I", 0.1706e-3, 0.243}, {"II", 0.1676e-3, 0.496}};

static Bounce bounce_of(const Case* c, int dim, int cells)
{
    return (Bounce){.dim = dim, .cells = cells, .radius = c->radius, .speed = c->speed, .mu = TETRADECANE_MU, .steps = 1};
}

// One collision and its row. The bands are those of film.md 8, T8; each has its mark.
static Collision measure(const Case* c, int dim, int cells, Signal* width)
{
    Bounce b = bounce_of(c, dim, cells);
    double t_c = bounce_time(&b);
    Collision r = collide(&b, 2, 4.2*t_c, width);
    double contact = r.contact/t_c, restitution = r.speed/b.speed;
    assert_int_equal(r.liquids, 2);
    SAY("| %dD %s | %.1f | %.2f%s | %.3f%s | %.3f%s | %.3f%s | %.3f | %.2f um | %.1e%s | %.0f | %.1e%s | %d |\n", dim, c->name,
        b.radius*1e3*cells, contact, page_mark(fabs(contact - 2.75), 0.45), restitution,
        page_mark(fabs(restitution - 0.65), 0.25), r.energy, page_mark(r.energy, 1), r.most_energy,
        page_mark(r.most_energy, 1.02), r.width, 1e6*r.repaired, r.removed, page_mark(r.removed, 1e-4), r.most_pressure,
        r.momentum, page_mark(r.momentum, 1e-6), r.iterations);
    return r;
}

// s->a at a time, on the straight line between samples.
static double signal_at(const Signal* s, double t)
{
    int m = 1;
    while (m < s->count - 1 && s->t[m] < t) m++;
    return s->a[m - 1] + (s->a[m] - s->a[m - 1])*(t - s->t[m - 1])/(s->t[m] - s->t[m - 1]);
}

static double largest_difference(const Signal* coarse, const Signal* fine)
{
    double most = 0;
    for (int m = 0; m < coarse->count; m++) most = fmax(most, fabs(coarse->a[m] - signal_at(fine, coarse->t[m])));
    return most;
}

// The width of a drop over time, in t_c, at two resolutions.
static void draw(PlotFigure* f, const Case* c, int dim, const int cells[2], const Signal width[2])
{
    PlotPanel like = {.x = {.label = "t/sqrt(rho R^{3}/sigma)"}, .y = {.label = "width/2R"}};
    snprintf(like.title, sizeof like.title, "%dD, case %s", dim, c->name);
    PlotPanel* p = plot_add_panel(f, &like);
    Bounce b = bounce_of(c, dim, cells[0]);
    for (int m = 0; m < 2 && width[m].count > 0; m++) {
        for (int n = 0; n < width[m].count; n++) width[m].t[n] /= bounce_time(&b);
        PlotSeries s = {
            .style = m == 0 ? PLOT_DASHES : PLOT_LINE, .colour = m, .count = width[m].count, .x = width[m].t, .y = width[m].a};
        snprintf(s.label, sizeof s.label, "R = %.1f dx", c->radius*1e3*cells[m]);
        plot_add_series(p, &s);
    }
}

static void test_binary(void** state)
{
    (void)state;
    static const int cells[2][2] = {{48, 96}, {40, 0}};  // per mm, in 2D and in 3D; 0: one resolution
    double difference[2];
    PlotFigure f = {.title = "Two drops bounce: width of a drop", .columns = 2};
    SAY("## Two drops\n\n| case | R/dx | contact/t_c (2.3 to 3.2) | restitution (0.4 to 0.9) | energy after (< 1) | most energy "
        "(< 1.02) | width/2R | "
        "largest repair | repaired, of V (< 1e-4) | film, Pa | momentum/m V0 (< 1e-6) | iterations |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int dim = 2; dim <= 3; dim++) {
        double restitution[2];  // at the finest
        for (int c = 0; c < 2; c++) {
            Signal width[2] = {{0}, {0}};
            for (int m = 0; m < 2 && cells[dim - 2][m] > 0; m++)
                restitution[c] = measure(&CASES[c], dim, cells[dim - 2][m], &width[m]).speed/CASES[c].speed;
            if (dim == 2) difference[c] = largest_difference(&width[0], &width[1]);
            draw(&f, &CASES[c], dim, cells[dim - 2], width);
            for (int m = 0; m < 2; m++) signal_free(&width[m]);
        }
        CHECK_LESS(restitution[1], restitution[0]);
    }
    CHECK_OK(plot_write(&f, page_picture("film_width.png")));
    plot_free(&f);
    SAY("\nLargest difference between the widths of the two resolutions at any time: %.3f (I) and %.3f (II) of 2R.\n\n"
        "![](film_width.png)\n\n",
        difference[0], difference[1]);
}

// Three equal drops part with equal speeds; film.md 8, T9, asks for 2 %. Along the grid and across it: each of the three films lies at another
// angle to the grid.
static void trinary_row(int dim, int cells, double speed, double angle)
{
    Bounce b = bounce_of(&(Case){"", 0.1706e-3, speed}, dim, cells);
    b.angle = angle, b.half = dim == 3;
    Collision r = collide(&b, 3, 4.5*bounce_time(&b), NULL);
    assert_int_equal(r.liquids, 3);
    CHECK_LESS(0, r.speed);
    SAY("| %dD | %.1f | %.2f | %.2f | %.3f | %.1f %%%s | %.3f | %.3f%s | %.1e%s |\n", dim, b.radius*1e3*cells, speed, angle,
        r.speed/b.speed, 100*r.spread, page_mark(r.spread, 0.02), r.energy, r.most_energy, page_mark(r.most_energy, 1.02), r.momentum,
        page_mark(r.momentum, 1e-6));
}

static void test_trinary(void** state)
{
    (void)state;
    static const double ANGLES[4] = {0, 0.2, 0.5, PI/2};
    SAY("## Three drops at 120 degrees\n\nAngle: of the first drop against the x axis. 3D: half of it, above a mirror.\n\n"
        "| | R/dx | m/s each | angle | speed after/before | speeds differ by (< 2 %%) | energy after | most energy (< 1.02) "
        "| momentum/m V0 (< 1e-6) |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int fast = 0; fast < 2; fast++)
        for (int m = 0; m < 4; m++) trinary_row(2, 48, fast ? 0.5 : 0.25, ANGLES[m]);
    for (int m = 0; m < 3; m++) trinary_row(2, 96, 0.25, ANGLES[m]);
    for (int m = 0; m < 3; m++) trinary_row(3, 40, 0.5, ANGLES[m]);
    SAY("\n");
}

// The film under a drop, against the law of lubrication (sinking.h).
static void test_drainage(void** state)
{
    (void)state;
    SAY("## A drop sinks on its film, 2D\n\nR = 50 um, pressed by its weight (98 m/s^2) onto a bath of the same liquid, film of "
        "0.6 "
        "um at the start: 1/sqrt(h) grows linearly "
        "(Reynolds 1886, cylinder on a plane; tests/support/sinking.h).\n\n"
        "| R/dx | after (ms) | h (um) | h/dx | law (um) | off by (< 10 %%) | repaired, of V (< 1e-4) |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int n = 8; n <= 12; n += 4)
        for (double until = 1e-4; until < 3.5e-4; until += 1e-4) {
            Sinking s = sink(n, until);
            double off = s.h/s.law - 1;
            SAY("| %d | %.1f | %.3f | %.3f | %.3f | %+.1f %%%s | %.0e%s |\n", n, 1e3*until, 1e6*s.h, s.h/s.cell,
                1e6*s.law, 100*off, page_mark(fabs(off), 0.1), s.removed, page_mark(s.removed, 1e-4));
        }
    SAY("\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_binary), cmocka_unit_test(test_trinary),
                                       cmocka_unit_test(test_drainage)};
    page_open("film.md");
    SAY("# Drops that bounce\n\nWritten by `validate_film`. Tetradecane (rho 762, sigma 26.56 mN/m, mu 2.1 mPa s), air of 18.6 "
        "uPa s, steps of one "
        "capillary time, h_max = 5 dx, h_min = 0.1 um, `merge = \"hold\"`. Case I: R = 0.1706 mm, 0.243 m/s each; II: 0.1676 mm, "
        "0.496 m/s. "
        "t_c = sqrt(rho R^3/sigma). Contact: first to last film pressure above 20 Pa. Energy: kinetic and surface, over the "
        "kinetic energy at the "
        "start; width across the line of flight; momentum of all drops at the end. Bands in brackets: film.md 8, T8, T8c, "
        "T9.\n\n");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    page_close();
    return failed || page_misses > 0;
}

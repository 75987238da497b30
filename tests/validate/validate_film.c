// Drops of tetradecane that bounce off the air between them, with the liquid's viscosity (docs/validation/targets.md; the
// collisions of [wang2023bouncing], 6.2). Writes docs/validation/film.md.
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

// A grid for a collision: cells per mm, and whether a quarter of the box between mirrors is computed.
typedef struct Size {
    int cells;
    bool mirrored;
} Size;

// t_c from the start to the end: contact is over after 3.2, and the drops have not yet come to the ends of the box.
static const double UNTIL = 3.8;

// One collision and its row. The bands are those of docs/validation/targets.md, head-on collision; each has its mark.
static Collision measure(const Case* c, int dim, Size size, Signal* width)
{
    Bounce b = bounce_of(c, dim, size.cells);
    b.mirrored = size.mirrored;
    double t_c = bounce_time(&b);
    Collision r = collide(&b, 2, UNTIL*t_c, width);
    double contact = r.contact/t_c, restitution = r.speed/b.speed;
    assert_int_equal(r.liquids, 2);
    SAY("| %dD %s%s | %.1f | %.2f%s | %.3f%s | %.3f%s | %.3f%s | %.3f | %.2f um | %.1e%s | %.0f | %.1e%s | %d |\n", dim, c->name,
        size.mirrored ? ", a quarter" : "", b.radius*1e3*size.cells, contact, page_mark(fabs(contact - 2.75), 0.45),
        restitution, page_mark(fabs(restitution - 0.65), 0.25), r.energy, page_mark(r.energy, 1), r.most_energy,
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
static void draw(PlotFigure* f, const Case* c, int dim, const Size size[2], const Signal width[2])
{
    PlotPanel like = {.x = {.label = "t/sqrt(rho R^{3}/sigma)"}, .y = {.label = "width/2R"}};
    snprintf(like.title, sizeof like.title, "%dD, case %s", dim, c->name);
    PlotPanel* p = plot_add_panel(f, &like);
    Bounce b = bounce_of(c, dim, size[0].cells);
    for (int m = 0; m < 2; m++) {
        for (int n = 0; n < width[m].count; n++) width[m].t[n] /= bounce_time(&b);
        PlotSeries s = {
            .style = m == 0 ? PLOT_DASHES : PLOT_LINE, .colour = m, .count = width[m].count, .x = width[m].t, .y = width[m].a};
        snprintf(s.label, sizeof s.label, "R = %.1f dx", c->radius*1e3*size[m].cells);
        plot_add_series(p, &s);
    }
}

// Both cases at two resolutions. In 3D, where the two planes through the line of flight make four equal parts, the finer one is a
// quarter, and whole and quarter are compared at the coarser one. (In case II both see the same grid: 30 cells across. In case I
// the whole has 31, and the line of flight goes through middles of cells.)
static void test_binary(void** state)
{
    (void)state;
    static const Size size[2][3] = {{{48, false}, {96, false}}, {{40, false}, {80, true}, {40, true}}};
    double difference[2][2], parts[2];
    PlotFigure f = {.title = "Two drops bounce: width of a drop", .columns = 2};
    SAY("## Two drops\n\n| case | R/dx | contact/t_c (2.3 to 3.2) | restitution (0.4 to 0.9) | energy after (< 1) | most energy "
        "(< 1.02) | width/2R | "
        "largest repair | repaired, of V (< 1e-4) | film, Pa | momentum/m V0 (< 1e-6) | iterations |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int dim = 2; dim <= 3; dim++) {
        double restitution[2];  // at the finest
        for (int c = 0; c < 2; c++) {
            Signal width[3] = {{0}, {0}, {0}};
            const Size* s = size[dim - 2];
            for (int m = 0; m < 3 && s[m].cells > 0; m++) {
                double speed = measure(&CASES[c], dim, s[m], &width[m]).speed;
                if (m == 1) restitution[c] = speed/CASES[c].speed;
            }
            difference[dim - 2][c] = largest_difference(&width[0], &width[1]);
            if (dim == 3) parts[c] = largest_difference(&width[0], &width[2]);
            draw(&f, &CASES[c], dim, s, width);
            for (int m = 0; m < 3; m++) signal_free(&width[m]);
        }
        CHECK_LESS(restitution[1], restitution[0]);
    }
    CHECK_OK(plot_write(&f, page_picture("film_width.png")));
    plot_free(&f);
    SAY("\nLargest difference between the widths of the two resolutions at any time, of 2R: in 2D %.3f (I) and %.3f (II), in 3D "
        "%.3f and %.3f. Between whole and quarter at the same resolution: %.3f (I) and %.3f%s (II, where both have the same "
        "grid; < 0.02).\n\n"
        "![](film_width.png)\n\n",
        difference[0][0], difference[0][1], difference[1][0], difference[1][1], parts[0], parts[1], page_mark(parts[1], 0.02));
}

// Drops without viscosity on lines of flight tilted against the grid: what the grid adds to their energy would show
// (docs/validation/ targets.md, energy of a bounce).
static void test_tilted(void** state)
{
    (void)state;
    SAY("## Without viscosity, tilted against the grid\n\n2D, case I, R = 6.8 dx. Off its line: angle between the way out and "
        "the way in.\n\n"
        "| tilt (rad) | contact/t_c (2.3 to 3.2) | restitution | energy after (< 1) | most energy (< 1.02) | off its line (rad) "
        "| "
        "momentum/m V0 (< 1e-6) |\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for (int m = 0; m <= 8; m++) {
        Bounce b = bounce_of(&CASES[0], 2, 40);
        b.mu = 0, b.angle = 0.05*m;
        Collision r = collide(&b, 2, UNTIL*bounce_time(&b), NULL);
        double contact = r.contact/bounce_time(&b);
        assert_int_equal(r.liquids, 2);
        SAY("| %.2f | %.2f%s | %.3f | %.3f%s | %.4f%s | %+.3f | %.1e%s |\n", b.angle, contact,
            page_mark(fabs(contact - 2.75), 0.45), r.speed/b.speed, r.energy, page_mark(r.energy, 1), r.most_energy,
            page_mark(r.most_energy, 1.02), asin(r.off_line), r.momentum, page_mark(r.momentum, 1e-6));
    }
    SAY("\n");
}

// Three equal drops part with equal speeds; docs/validation/targets.md asks for 2 %. Along the grid and across it: each of the
// three films lies at another angle to the grid.
static void trinary_row(int dim, int cells, double speed, double angle)
{
    Bounce b = bounce_of(&(Case){"", 0.1706e-3, speed}, dim, cells);
    b.angle = angle, b.half = dim == 3;
    Collision r = collide(&b, 3, 4.5*bounce_time(&b), NULL);
    assert_int_equal(r.liquids, 3);
    CHECK_LESS(0, r.speed);
    SAY("| %dD | %.1f | %.2f | %.2f | %.3f | %.1f %%%s | %.3f | %.3f%s | %.1e%s |\n", dim, b.radius*1e3*cells, speed, angle,
        r.speed/b.speed, 100*r.spread, page_mark(r.spread, 0.02), r.energy, r.most_energy, page_mark(r.most_energy, 1.02),
        r.momentum, page_mark(r.momentum, 1e-6));
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

// The film under a drop, against the law of lubrication (sinking.h), with the thinnest place on a face of the grid, in the middle
// of a cell, and in between.
static void test_drainage(void** state)
{
    (void)state;
    enum { TIMES = 3 };
    static const double offset[] = {0, 0.2, 0.5};
    SAY("## A drop sinks on its film, 2D\n\nR = 50 um, pressed by its weight (98 m/s^2) onto a bath of the same liquid, film of "
        "0.6 um at the start. Under "
        "the load that the film bears 1/sqrt(h) grows by (integral of load)/(3 pi mu (2R)^(3/2)) ([reynolds1886], cylinder on a "
        "plane; "
        "tests/support/sinking.h). Neck: sqrt(2Rh), half the width over which the pressure falls to a quarter.\n\n"
        "| R/dx | lowest point beside a face by (dx) | after (ms) | load/weight, mean | h (um) | h/dx | neck/dx | law (um) | off "
        "by (< 10 %%) | repaired, of V "
        "(< 1e-4) |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int n = 8; n <= 12; n += 4)
        for (int m = 0; m < 3; m++) {
            Sinking s[TIMES];
            sink(s, TIMES, 1e-4, n, offset[m]);
            for (int t = 0; t < TIMES; t++) {
                double off = s[t].h/s[t].law - 1;
                SAY("| %d | %.1f | %.1f | %.2f | %.3f | %.3f | %.2f | %.3f | %+.1f %%%s | %.0e%s |\n", n, offset[m],
                    1e3*s[t].time, s[t].load, 1e6*s[t].h, s[t].h/s[t].cell, sqrt(2*n*s[t].h/s[t].cell),
                    1e6*s[t].law, 100*off, page_mark(fabs(off), 0.1), s[t].removed, page_mark(s[t].removed, 1e-4));
            }
        }
    SAY("\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_binary), cmocka_unit_test(test_tilted),
                                       cmocka_unit_test(test_trinary), cmocka_unit_test(test_drainage)};
    page_open("film.md");
    SAY("# Drops that bounce\n\nWritten by `validate_film`. Tetradecane (rho 762, sigma 26.56 mN/m, mu 2.1 mPa s), air of 18.6 "
        "uPa s, steps of one "
        "capillary time, h_max = 5 dx, h_min = 0.1 um, `merge = \"hold\"`. Case I: R = 0.1706 mm, 0.243 m/s each; II: 0.1676 mm, "
        "0.496 m/s. "
        "t_c = sqrt(rho R^3/sigma). Contact: first to last film pressure above 20 Pa. Energy: kinetic and surface, over the "
        "kinetic energy at the "
        "start; width across the line of flight; momentum of all drops at the end. Bands in brackets: [targets.md](targets.md)."
        "\n\n");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    page_close();
    return failed || page_misses > 0;
}

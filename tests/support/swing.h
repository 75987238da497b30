// Tables of the period of oscillating drops: every scheme, several modes and grids, steps of 1 to 20 capillary times.
#pragma once
#include "drop.h"
#include "page.h"
#include "plot/plot.h"

static bool large;  // finer grids too
static const double STEPS[] = {1, 2, 5, 10, 20};
enum { STEP_COUNT = 5, GRIDS = 3 };

static const double FASTEST = 3;  // sqrt(sigma/(rho R)): a swing of 5 % makes 0.1 to 0.4

typedef struct Swing {
    bool lost;           // became faster than FASTEST: the scheme is not stable there
    double error, kept;  // of the period, relative; of the amplitude per period
    Signal a;
} Swing;

static inline Swing swing(int dim, double cells, int mode, double mu, const Scheme* scheme, double steps, double periods)
{
    Drop d = {.dim = dim, .cells = cells, .mode = mode, .amplitude = 0.05, .mu = mu};
    Sim sim;
    Swing out = {0};
    double period = 2*PI/drop_omega(dim, mode);
    drop_start(&sim, &d, scheme, steps);
    out.lost = !drop_try(&out.a, &sim, mode, periods*period, FASTEST);
    out.error = out.lost ? NAN : signal_period(&out.a)/period - 1;
    out.kept = exp(-signal_decay(&out.a)*period);
    if (!out.lost) CHECK_LESS(fabs(sim_ledger_error(&sim)), 1e-10);
    sim_free(&sim);
    return out;
}

// ---- frequency -----------------------------------------------------------------------------------------------------------

static inline void panel_of_errors(PlotFigure* f, int dim, int mode, const Scheme* scheme, const double* cells, int grids,
                                   double error[STEP_COUNT][4])
{
    PlotPanel like = {.x = {.label = "R/dx", .log = true}, .y = {.label = "error of the period (%)", .log = true}};
    snprintf(like.title, sizeof like.title, "%dD, mode %d, %s", dim, mode, scheme->name);
    PlotPanel* p = plot_add_panel(f, &like);
    for (int s = 0; s < STEP_COUNT && STEPS[s] <= scheme->longest; s++) {
        double y[4];
        for (int g = 0; g < grids; g++) y[g] = 100*fabs(error[s][g]);
        PlotSeries series = {.style = PLOT_LINE_MARKS, .colour = s, .count = grids, .x = cells, .y = y};
        snprintf(series.label, sizeof series.label, "dt = %g", STEPS[s]);
        plot_add_series(p, &series);
    }
    double second[2] = {100*fabs(error[0][0]), 100*fabs(error[0][0])*pow(cells[0]/cells[grids - 1], 2)};
    double ends[2] = {cells[0], cells[grids - 1]};
    plot_add_series(
        p, &(PlotSeries){.label = "second order", .style = PLOT_DASHES, .colour = PLOT_INK, .count = 2, .x = ends, .y = second});
}

typedef struct OrderText {
    char text[16];
} OrderText;

// Order from grid g to the next; a dash where one of them has no period.
static inline OrderText order_text(const double* error, const double* cells, int g)
{
    OrderText out = {"-"};
    double order = log(fabs(error[g]/error[g + 1]))/log(cells[g + 1]/cells[g]);
    if (isfinite(order)) snprintf(out.text, sizeof out.text, "%.1f", order);
    return out;
}

static inline void frequencies(int dim, int low, int high, const double* cells, double limit, double periods, const char* picture)
{
    int grids = GRIDS + large;
    PlotFigure f = {.columns = high - low + 1};
    snprintf(f.title, sizeof f.title, "Period of an oscillating drop in %dD, amplitude 5 %%", dim);
    SAY("## Frequency\n\nError of the period; in brackets what is left of the amplitude after one. dt in capillary times.\n\n"
        "| scheme | mode | R/dx |");
    for (int s = 0; s < STEP_COUNT; s++) SAY(" dt = %g |", STEPS[s]);
    SAY("\n| --- | --- | --- |");
    for (int s = 0; s < STEP_COUNT; s++) SAY(" --- |");
    SAY("\n");
    for (int m = 0; m < ALL_SCHEMES; m++)
        for (int mode = low; mode <= high; mode++) {
            double error[STEP_COUNT][4] = {{0}};
            for (int g = 0; g < grids; g++) {
                SAY("| %s | %d | %g |", SCHEMES[m].name, mode, cells[g]);
                for (int s = 0; s < STEP_COUNT; s++) {
                    if (STEPS[s] > SCHEMES[m].longest) {
                        SAY(" |");
                        continue;
                    }
                    Swing r = swing(dim, cells[g], mode, 0, &SCHEMES[m], STEPS[s], periods);
                    error[s][g] = r.error;
                    double most = mode > 2 || cells[g] < limit || STEPS[s] > 5 ? INFINITY : m == 0 ? 0.02 : 0.04;
                    // what nothing is asked of can still blow up
                    const char* mark = isinf(most) && !r.lost ? "" : page_mark(fabs(r.error), most);
                    if (r.lost) SAY(" blew up%s |", mark);
                    else if (isnan(r.error)) SAY(" no whole period%s |", mark);
                    else SAY(" %+.2f %%%s (%.3f) |", 100*r.error, mark, r.kept);
                    signal_free(&r.a);
                }
                SAY("\n");
            }
            SAY("| | | order |");
            for (int s = 0; s < STEP_COUNT; s++) {
                if (STEPS[s] > SCHEMES[m].longest) SAY(" |");
                else SAY(" %s, %s |", order_text(error[s], cells, 0).text, order_text(error[s], cells, 1).text);
            }
            SAY("\n");
            panel_of_errors(&f, dim, mode, &SCHEMES[m], cells, grids, error);
        }
    CHECK_OK(plot_write(&f, page_picture(picture)));
    plot_free(&f);
    SAY("\n![](%s)\n\n", picture);
}

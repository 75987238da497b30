// Plots: panels with axes, curves, marks, bars or a picture behind them; written as PNG or SVG.
//
//     PlotFigure f = {.title = "A sloshing tank"};
//     PlotPanel like = {.x = {.label = "time", .unit = "s"}, .y = {.label = "height", .unit = "m"}};
//     PlotPanel* p = plot_add_panel(&f, &like);
//     plot_add_series(p, &(PlotSeries){.label = "measured", .style = PLOT_MARKS, .count = n, .x = t, .y = h});
//     plot_add_series(p, &(PlotSeries){.label = "linear theory", .colour = PLOT_INK, .count = m, .x = s, .y = a});
//     mn_status status = plot_write(&f, "docs/validation/sloshing.svg");
//     plot_free(&f);
#pragma once
#include <stdbool.h>
#include "render/picture.h"

typedef enum PlotStyle {
    PLOT_LINE,
    PLOT_DASHES,
    PLOT_STEPS,  // a value holds until the next: for counts
    PLOT_MARKS,  // circles: for what was measured
    PLOT_LINE_MARKS,
    PLOT_DOTS,  // small and full: for many scattered values
    PLOT_BARS,  // y[i] is the length of the bar of the panel's i-th name; x is not read
} PlotStyle;

enum { PLOT_INK = -1, PLOT_TEXT = 96, PLOT_MAX_PANELS = 32 };

// x and y are copied by plot_add_series. Points that are not finite (on a log axis: not positive) leave a gap.
typedef struct PlotSeries {
    char label[PLOT_TEXT];  // in the legend of the panel; empty: not there
    PlotStyle style;
    int colour;  // 0, 1, 2 .. take turns in colours that most eyes tell apart; PLOT_INK is black
    int count;
    const double *x, *y;
} PlotSeries;

typedef struct PlotAxis {
    char label[PLOT_TEXT];
    // SI, "s", "m/s", "m^{3}"; empty: a bare number. The numbers of the axis are told in thousandths, millionths .. as fits:
    // "time (ms)".
    char unit[32];
    bool log;
    bool whole;          // marks at whole numbers only, from zero
    double low, high;    // ends of the axis; both 0: as the data has them
    double least_range;  // in units of the data: an axis is never shorter, so that rounding errors do not fill a panel
} PlotAxis;

typedef struct PlotPanel {
    char title[PLOT_TEXT];
    PlotAxis x, y;
    const Picture* image;  // fills the panel behind the curves, if there is one; the axes must have ends. Borrowed
    // what plot_add_series and plot_add_name keep
    PlotSeries* series;
    int series_count;
    char (*name)[PLOT_TEXT];  // of bars, from the top
    int name_count;
    bool failed;  // memory ran out; plot_write tells
} PlotPanel;

// All zeros is a valid empty figure. Owns its panels.
typedef struct PlotFigure {
    char title[2*PLOT_TEXT];
    int width, height;  // pixels; 0: as the panels need
    int columns;        // of panels; 0: one for one panel, else two
    PlotPanel* panel[PLOT_MAX_PANELS];
    int panel_count;
    PlotSeries* legend;  // of the whole figure: label, style and colour count
    int legend_count;
    bool failed;
} PlotFigure;

// A panel with the title, axes and image of `like`. NULL when memory has run out or there are too many; the calls below
// take that.
PlotPanel* plot_add_panel(PlotFigure* f, const PlotPanel* like);
void plot_add_series(PlotPanel* p, const PlotSeries* s);
void plot_add_name(PlotPanel* p, const char* name);
void plot_add_legend(PlotFigure* f, const PlotSeries* like);

// The name's ending, .png or .svg, chooses the kind. MN_BAD_ARGUMENT: another ending, nothing to draw, or too small a size.
// On failure there is no file, or the one that was there.
mn_status plot_write(const PlotFigure* f, const char* path);
mn_status plot_check_path(const char* path);  // whether the ending is one of the two, before work is done
void plot_free(PlotFigure* f);

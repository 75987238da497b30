// From a figure to a page: sizes of panels, ends of axes, places of letters.
#pragma once
#include "plot/page.h"
#include "plot/plot.h"
#include "plot/ticks.h"

// An axis with its ends settled.
typedef struct LayoutAxis {
    double low, high;  // units of the data
    bool log;
    double scale;  // times the data: the numbers told
    char label[2*PLOT_TEXT];
} LayoutAxis;

// The ends of an axis from the data, never empty, and its label with the unit. `is_y` chooses between the two axes of p.
void layout_axis(LayoutAxis* a, const PlotPanel* p, bool is_y);
double layout_part(const LayoutAxis* a, double value);  // 0 at the low end, 1 at the high one; NAN off a log axis

mn_status layout_figure(Page* page, const PlotFigure* f);  // page is empty before, and after a failure

// What panels are drawn with.
typedef struct LayoutPen {
    Page* page;
    double letter;  // pixels of a capital
    double line;    // pixels, of a curve
} LayoutPen;
typedef struct LayoutBox {
    double x, y, width, height;  // pixels
} LayoutBox;

V3 layout_colour(int colour);
// The curve within the box; what leaves it is cut off there.
void layout_series(const LayoutPen* pen, const PlotSeries* s, const LayoutBox* box, const LayoutAxis* x, const LayoutAxis* y);
void layout_bars(const LayoutPen* pen, const PlotPanel* p, const LayoutBox* box, const LayoutAxis* x);
// Samples and labels in rows; draws only if `draw`. Returns the number of rows.
int layout_legend(const LayoutPen* pen, const PlotSeries* s, int count, double x, double y, double width, bool draw);

// Curves, marks, bars and their samples in the legend.
#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "plot/layout.h"

// Blue, vermilion, green, purple, orange, sky, brown, grey: told apart by most eyes. The first six after Okabe and Ito.
V3 layout_colour(int colour)
{
    static const float tone[][3] = {{0.00f, 0.40f, 0.67f}, {0.82f, 0.35f, 0.05f}, {0.00f, 0.58f, 0.43f}, {0.67f, 0.37f, 0.60f},
                                    {0.86f, 0.60f, 0.05f}, {0.30f, 0.66f, 0.88f}, {0.45f, 0.22f, 0.12f}, {0.50f, 0.53f, 0.57f}};
    return colour < 0 ? v3(0.13f, 0.15f, 0.18f) : v3_load(tone[colour%8]);
}

static bool has_line(PlotStyle style) { return style != PLOT_MARKS && style != PLOT_DOTS && style != PLOT_BARS; }
static bool has_marks(PlotStyle style) { return style == PLOT_MARKS || style == PLOT_LINE_MARKS; }

// The part of the segment a-b within the box; false if none is. [liang1984]: each side narrows the range t0..t1.
static bool cut_to_box(double* t0, double* t1, const double a[2], const double b[2], const LayoutBox* box)
{
    double low[2] = {box->x, box->y}, high[2] = {box->x + box->width, box->y + box->height};
    *t0 = 0, *t1 = 1;
    for (int d = 0; d < 2; d++) {
        double way = b[d] - a[d];
        if (way == 0) {
            if (a[d] < low[d] || a[d] > high[d]) return false;
            continue;
        }
        double in = ((way > 0 ? low[d] : high[d]) - a[d])/way, out = ((way > 0 ? high[d] : low[d]) - a[d])/way;
        *t0 = fmax(*t0, in), *t1 = fmin(*t1, out);
    }
    return *t0 < *t1;
}

// A line under way. Points that lie close together are gathered: of those within half a pixel across only the first, the
// lowest, the highest and the last are drawn. A run of a million steps is then no larger a file than one of a thousand.
typedef struct Curve {
    const LayoutPen* pen;
    const LayoutBox* box;
    V3 colour;
    PageKind kind;
    bool open;  // a line has been begun and ends at `end`
    double end[2];
    bool has_last;  // `last` is the last point of the data
    double last[2];
    int gathered;
    double group[4][2];  // first, lowest, highest, last
    bool highest_first;  // of the two in the middle
} Curve;

static void draw_to(Curve* c, const double b[2])
{
    const double* a = c->last;
    double t0, t1;
    if (c->has_last && cut_to_box(&t0, &t1, a, b, c->box)) {
        double p[2] = {a[0] + t0*(b[0] - a[0]), a[1] + t0*(b[1] - a[1])},
               q[2] = {a[0] + t1*(b[0] - a[0]), a[1] + t1*(b[1] - a[1])};
        if (!c->open || hypot(p[0] - c->end[0], p[1] - c->end[1]) > 1e-6) {
            page_begin(c->pen->page, c->kind, c->colour, c->pen->line);
            page_point(c->pen->page, p[0], p[1]);
        }
        page_point(c->pen->page, q[0], q[1]);
        c->open = true, c->end[0] = q[0], c->end[1] = q[1];
    } else if (c->has_last && !(a[0] == b[0] && a[1] == b[1])) {
        c->open = false;
    }
    c->has_last = true, c->last[0] = b[0], c->last[1] = b[1];
}

// In the order they came in: a way to and fro would fill the gaps between dashes.
static void flush_group(Curve* c)
{
    const int order[4] = {0, c->highest_first ? 2 : 1, c->highest_first ? 1 : 2, 3};
    for (int i = 0; i < 4 && c->gathered > 0; i++) {
        const double* p = c->group[order[i]];
        if (i == 0 || p[0] != c->last[0] || p[1] != c->last[1]) draw_to(c, p);
    }
    c->gathered = 0;
}

static void curve_to(Curve* c, double x, double y)
{
    if (c->gathered > 0 && fabs(x - c->group[0][0]) >= 0.5) flush_group(c);
    double at[2] = {x, y};
    for (int i = 0; i < 4; i++) {
        bool take = c->gathered == 0 || i == 3 || (i == 1 && y > c->group[1][1]) || (i == 2 && y < c->group[2][1]);
        if (!take) continue;
        c->group[i][0] = at[0], c->group[i][1] = at[1];
        if (i == 1 || i == 2) c->highest_first = i == 1;  // what was taken last comes later
    }
    c->gathered++;
}

static void curve_gap(Curve* c)
{
    flush_group(c);
    c->has_last = c->open = false;
}

static void draw_line(const LayoutPen* pen, const PlotSeries* s, const LayoutBox* box, const LayoutAxis* ax, const LayoutAxis* ay)
{
    Curve c = {pen, box, layout_colour(s->colour), s->style == PLOT_DASHES ? PAGE_DASHES : PAGE_LINE, .open = false};
    double before = NAN;
    for (int i = 0; i < s->count; i++) {
        double x = box->x + box->width*layout_part(ax, s->x[i]), y = box->y + box->height*(1 - layout_part(ay, s->y[i]));
        if (!isfinite(x) || !isfinite(y)) {
            curve_gap(&c);
            before = NAN;
            continue;
        }
        // far outside is as good as just outside, and keeps numbers in the file short
        x = clamp(x, -1e6, 1e6), y = clamp(y, -1e6, 1e6);
        if (s->style == PLOT_STEPS && isfinite(before)) curve_to(&c, x, before);
        curve_to(&c, x, y);
        before = y;
    }
    curve_gap(&c);
}

static void draw_marks(const LayoutPen* pen, const PlotSeries* s, const LayoutBox* box, const LayoutAxis* ax,
                       const LayoutAxis* ay)
{
    bool dots = s->style == PLOT_DOTS;
    double radius = (dots ? 0.17 : s->count > 120 ? 0.26 : 0.36)*pen->letter;
    for (int pass = 0; pass < (dots ? 1 : 2); pass++)
        for (int i = 0; i < s->count; i++) {
            double u = layout_part(ax, s->x[i]), v = layout_part(ay, s->y[i]);
            if (!(u >= -1e-9 && u <= 1 + 1e-9 && v >= -1e-9 && v <= 1 + 1e-9)) continue;
            double x = box->x + box->width*u, y = box->y + box->height*(1 - v);
            page_disc(pen->page, x, y, pass ? radius - 0.7*pen->line : radius, pass ? v3_splat(1) : layout_colour(s->colour));
        }
}

void layout_series(const LayoutPen* pen, const PlotSeries* s, const LayoutBox* box, const LayoutAxis* x, const LayoutAxis* y)
{
    if (!s->x || s->style == PLOT_BARS) return;
    if (has_line(s->style)) draw_line(pen, s, box, x, y);
    if (has_marks(s->style) || s->style == PLOT_DOTS) draw_marks(pen, s, box, x, y);
}

void layout_bars(const LayoutPen* pen, const PlotPanel* p, const LayoutBox* box, const LayoutAxis* x)
{
    double row = box->height/p->name_count, bar = fmin(0.76*row/maxi(p->series_count, 1), 2.4*pen->letter);
    double number = fmin(0.8*pen->letter, 0.8*bar);
    int digits = clampi(2 - (int)floor(log10(x->high*x->scale)), 0, 6);
    for (int s = 0; s < p->series_count; s++) {
        const PlotSeries* q = &p->series[s];
        for (int i = 0; i < mini(q->count, p->name_count); i++) {
            if (!isfinite(q->y[i])) continue;
            double middle = box->y + (i + 0.5)*row, top = middle + (s - 0.5*p->series_count)*bar;
            double length = box->width*clamp(layout_part(x, q->y[i]), 0, 1);
            page_box(pen->page, box->x, top + 0.06*bar, length, 0.88*bar, layout_colour(q->colour));
            if (number < 4.5) continue;  // too small to be read
            char text[32];
            snprintf(text, sizeof text, "%.*f", digits, q->y[i]*x->scale);
            page_text(pen->page, text, box->x + length + 0.5*pen->letter, top + 0.5*(bar + number), -1,
                      &(PageFont){.height = number, .colour = layout_colour(PLOT_INK)});
        }
    }
}

static void draw_sample(const LayoutPen* pen, const PlotSeries* s, double x, double y, double width)
{
    V3 colour = layout_colour(s->colour);
    double middle = y - 0.45*pen->letter;
    if (s->style == PLOT_BARS) page_box(pen->page, x, y - pen->letter, width, pen->letter, colour);
    if (has_line(s->style)) {
        page_begin(pen->page, s->style == PLOT_DASHES ? PAGE_DASHES : PAGE_LINE, colour, pen->line);
        page_point(pen->page, x, middle);
        page_point(pen->page, x + width, middle);
    }
    for (int i = 0; i < 3 && s->style == PLOT_DOTS; i++)
        page_disc(pen->page, x + (0.2 + 0.3*i)*width, middle, 0.17*pen->letter, colour);
    if (!has_marks(s->style)) return;
    page_disc(pen->page, x + 0.5*width, middle, 0.36*pen->letter, colour);
    page_disc(pen->page, x + 0.5*width, middle, 0.36*pen->letter - 0.7*pen->line, v3_splat(1));
}

int layout_legend(const LayoutPen* pen, const PlotSeries* s, int count, double x, double y, double width, bool draw)
{
    double letter = pen->letter, sample = 2.4*letter, at = x;
    int rows = 0;
    for (int i = 0; i < count; i++) {
        if (!s[i].label[0]) continue;
        double room = sample + 0.8*letter + page_text_width(s[i].label, letter);
        if (rows == 0 || at + room > x + width) rows += rows == 0 || at > x, at = x;
        if (draw) {
            double base = y + (rows - 1)*1.9*letter;
            draw_sample(pen, &s[i], at, base, sample);
            page_text(pen->page, s[i].label, at + sample + 0.8*letter, base, -1,
                      &(PageFont){.height = letter, .colour = layout_colour(PLOT_INK)});
        }
        at += room + 2*letter;
    }
    return rows;
}

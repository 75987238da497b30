#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "plot/layout.h"

double layout_part(const LayoutAxis* a, double value)
{
    if (!a->log) return (value - a->low)/(a->high - a->low);
    return value > 0 ? (log(value) - log(a->low))/(log(a->high) - log(a->low)) : NAN;
}

// No axis goes further: beyond, sums and quotients of its ends would overflow.
#define FARTHEST 1e280

typedef struct Range {
    double low, high, least_positive;
    bool marks;  // need room round them
} Range;

static bool is_bars(const PlotPanel* p) { return p->name_count > 0; }

static Range data_range(const PlotPanel* p, bool is_y)
{
    Range r = {INFINITY, -INFINITY, INFINITY, false};
    for (int s = 0; s < p->series_count; s++) {
        const PlotSeries* q = &p->series[s];
        r.marks |= q->style == PLOT_MARKS || q->style == PLOT_LINE_MARKS;
        const double* v = is_y || is_bars(p) ? q->y : q->x;
        for (int i = 0; v && i < q->count; i++) {
            if (!isfinite(v[i])) continue;
            double value = clamp(v[i], -FARTHEST, FARTHEST);
            r.low = fmin(r.low, value), r.high = fmax(r.high, value);
            if (value > 1/FARTHEST) r.least_positive = fmin(r.least_positive, value);
        }
    }
    return r;
}

static void linear_ends(LayoutAxis* a, const PlotAxis* axis, const Range* r, bool is_y)
{
    double low = r->low, high = r->high;
    if (!(low <= high)) low = 0, high = 1;
    if (axis->whole) {
        a->low = fmin(0, low), a->high = fmax(high, 1)*1.08;
        return;
    }
    double least = fmax(axis->least_range, 1e-9*fmax(fabs(low), fabs(high)));
    if (high - low < least) low = 0.5*(low + high - least), high = low + least;
    if (high <= low) low -= 0.5, high += 0.5;  // all zeros
    double range = high - low, room = (is_y ? 0.06 : r->marks ? 0.03 : 0)*range;
    // an axis that nearly begins at zero does; so does one of a positive thing whose changes are not small beside itself
    bool zero = r->low >= 0 && low < (is_y ? 0.4 : 0.1)*high;
    a->low = zero ? 0 : low - room;
    a->high = high + room;
}

static void log_ends(LayoutAxis* a, const Range* r, bool is_y)
{
    double decades = log10(r->high) - log10(r->least_positive),
           room = pow(10, fmax(is_y || r->marks ? 0.05*decades : 0, decades < 0.3 ? 0.15 : 0));
    a->low = fmax(r->least_positive/room, 0.1/FARTHEST), a->high = fmin(r->high*room, 10*FARTHEST);
}

// Units that take a prefix as they are. m^{2} does not: a "mm^{2}" is not a thousandth of it.
static bool takes_prefix(const char* unit)
{
    static const char* const known[] = {"s", "m", "J", "Pa", "N", "W", "Hz", "V"};
    for (size_t i = 0; i < sizeof known/sizeof *known; i++) {
        size_t n = strlen(known[i]);
        if (!strncmp(unit, known[i], n) && (!unit[n] || unit[n] == '/')) return true;
    }
    return false;
}

static const char* prefix_of(int exponent)
{
    static const char* const prefix[] = {"p", "n", "\u00B5", "m", "", "k", "M", "G"};
    return exponent >= -12 && exponent <= 9 && exponent%3 == 0 ? prefix[exponent/3 + 4] : NULL;
}

static void scale_and_label(LayoutAxis* a, const PlotAxis* axis)
{
    bool prefixed = axis->unit[0] && takes_prefix(axis->unit);
    // powers of ten need no scale, but a length in micrometres reads better than one of 10^{-6} m
    int exponent = a->log && !prefixed ? 0 : tick_exponent(a->low, a->high, prefixed ? 1 : 0.1);
    const char* prefix = prefixed ? prefix_of(exponent) : NULL;
    // seconds: minutes would be next, thousands of them are told as they are
    if (prefix && exponent > 0 && axis->unit[0] == 's' && !axis->unit[1]) exponent = 0, prefix = "";
    // 2000 iterations need no power of ten
    if (!axis->unit[0] && exponent == 3) exponent = 0;
    a->scale = pow(10, -exponent);
    char unit[64] = "";
    if (prefix) snprintf(unit, sizeof unit, " (%s%s)", prefix, axis->unit);
    else if (exponent && axis->unit[0]) snprintf(unit, sizeof unit, " (10^{%d} %s)", exponent, axis->unit);
    else if (exponent) snprintf(unit, sizeof unit, " (10^{%d})", exponent);
    else if (axis->unit[0]) snprintf(unit, sizeof unit, " (%s)", axis->unit);
    snprintf(a->label, sizeof a->label, "%s%s", axis->label, unit);
}

void layout_axis(LayoutAxis* a, const PlotPanel* p, bool is_y)
{
    const PlotAxis* axis = is_y ? &p->y : &p->x;
    Range r = data_range(p, is_y);
    bool positive = isfinite(r.least_positive);
    *a = (LayoutAxis){.log = axis->log && (positive || (axis->low > 1/FARTHEST && axis->high > axis->low))};
    if (axis->low < axis->high && (!a->log || axis->low > 1/FARTHEST)) a->low = axis->low, a->high = axis->high;
    else if (is_bars(p)) a->low = 0, a->high = r.high > 0 ? 1.14*r.high : 1;
    else if (a->log) log_ends(a, &r, is_y);
    else linear_ends(a, axis, &r, is_y);
    scale_and_label(a, axis);
}

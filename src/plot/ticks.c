#include "plot/ticks.h"

#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "render/labels.h"

double tick_step(double range, int most, bool whole)
{
    double step = label_round_up(range/maxi(most - 1, 1));
    return whole ? fmax(1, step) : step;
}

// Digits after the point that tell multiples of `step` apart.
static int digits_of(double step) { return clampi((int)ceil(-log10(step) - 1e-9), 0, 12); }

void ticks_linear(Ticks* t, double low, double high, int most, double scale, bool whole)
{
    t->count = 0;
    most = clampi(most, 2, TICKS_MAX);
    double step = tick_step((high - low)*scale, most, whole);
    double slack = 1e-6*step, first = ceil((low*scale - slack)/step);
    // numbers so far from zero that the step is lost in their rounding have no marks
    if (!isfinite(first) || !isfinite(step) || fabs(first) > 1e9) return;
    for (int i = 0; i < most; i++) {
        double value = (first + i)*step;
        if (value > high*scale + slack) break;
        t->at[t->count] = value/scale;
        snprintf(t->text[t->count++], TICK_TEXT, "%.*f", digits_of(step), value == 0 ? 0.0 : value);
    }
}

static void add_log(Ticks* t, double value, bool numbered, bool plain)
{
    if (t->count == TICKS_MAX) return;
    t->at[t->count] = value;
    char* text = t->text[t->count++];
    double power = floor(log10(value) + 1e-9);
    text[0] = 0;
    if (!numbered) return;
    if (plain || value == 1) snprintf(text, TICK_TEXT, "%g", value);
    else if (fabs(value/pow(10, power) - 1) < 1e-6) snprintf(text, TICK_TEXT, "10^{%d}", (int)power);
    else snprintf(text, TICK_TEXT, "%.0f 10^{%d}", value/pow(10, power), (int)power);
}

// An axis of less than this ratio may hold a single power of ten; multiples of a round step tell more.
static const double NARROW = 5;

void ticks_log(Ticks* t, double low, double high, int most, double scale)
{
    t->count = 0;
    bool plain = low*scale >= 0.99e-3 && high*scale < 1.01e4;  // all as 0.01, or all as 10^{-2}
    if (high < NARROW*low && plain) {
        ticks_linear(t, low, high, most, scale, false);
        return;
    }
    low *= scale, high *= scale;
    int first = (int)ceil(log10(low) - 1e-9), last = (int)floor(log10(high) + 1e-9), powers = last - first + 1;
    bool few = powers < 2;
    // every 1st, 2nd, 5th, 10th .. power gets a number
    int every = powers > most ? (int)label_round_up((double)powers/most) : 1;
    bool between = few || (every == 1 && 9*powers + 8 < TICKS_MAX && powers <= 3);
    for (int p = first - 1; p <= last; p++)
        for (int m = 1; m < 10; m++) {
            double value = m*pow(10, p);
            if (value < low*(1 - 1e-9) || value > high*(1 + 1e-9) || (m > 1 && !between)) continue;
            bool on_grid = ((p%every) + every)%every == 0;
            if (m == 1 && !on_grid) continue;
            add_log(t, value, m == 1 || (few && (m == 2 || m == 5)), plain);
        }
    for (int i = 0; i < t->count; i++) t->at[i] /= scale;
}

int tick_exponent(double low, double high, double least)
{
    double top = fmax(fabs(low), fabs(high));
    if (!(top > 0) || !isfinite(top)) return 0;
    int exponent = (int)(3*floor(log10(top*1.0000001)/3));
    return top >= least && top < 1000 ? 0 : exponent;
}

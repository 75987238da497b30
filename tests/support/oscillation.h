// A quantity over time, and what is read off it: period, decay, growth.
#pragma once
#include <stdlib.h>
#include "check.h"

// All zeros is an empty signal. Owns t and a.
typedef struct Signal {
    int count, capacity;
    double *t, *a;
} Signal;

static inline void signal_add(Signal* s, double t, double a)
{
    if (s->count == s->capacity) {
        s->capacity = s->capacity > 0 ? 2*s->capacity : 256;
        s->t = realloc(s->t, sizeof *s->t*(size_t)s->capacity);
        s->a = realloc(s->a, sizeof *s->a*(size_t)s->capacity);
        assert_true(s->t && s->a);
    }
    s->t[s->count] = t, s->a[s->count++] = a;
}

static inline void signal_free(Signal* s)
{
    free(s->t);
    free(s->a);
    *s = (Signal){0};
}

// Time of the zero crossing between samples m - 1 and m: by the cubic through four samples where there are four (one step of
// the secant rule on it, from the straight line's root).
static inline double signal_crossing(const Signal* s, int m)
{
    double t = s->t[m - 1] + (s->t[m] - s->t[m - 1])*s->a[m - 1]/(s->a[m - 1] - s->a[m]);
    if (m < 2 || m + 1 >= s->count) return t;
    for (int sweep = 0; sweep < 3; sweep++) {
        double value = 0;
        for (int i = m - 2; i <= m + 1; i++) {
            double weight = 1;
            for (int j = m - 2; j <= m + 1; j++)
                if (j != i) weight *= (t - s->t[j])/(s->t[i] - s->t[j]);
            value += weight*s->a[i];
        }
        t -= value*(s->t[m] - s->t[m - 1])/(s->a[m] - s->a[m - 1]);
    }
    return t;
}

// From zero crossings, over whole periods only: an offset of the signal, which makes half periods unequal, drops out. NAN before
// one whole period has been seen.
static inline double signal_period(const Signal* s)
{
    double first = 0, last = 0;
    int crossings = 0;
    for (int m = 1; m < s->count; m++) {
        if ((s->a[m] > 0) == (s->a[m - 1] > 0)) continue;
        double t = signal_crossing(s, m);
        if (crossings == 0) first = t;
        if (crossings%2 == 0) last = t;
        crossings++;
    }
    int periods = (crossings - 1)/2;
    return periods > 0 ? (last - first)/periods : NAN;
}

// Extremes, one between neighbouring zero crossings, so that noise makes none: the largest sample's, or the top of the parabola
// through it and its neighbours. The start counts, what comes after the last crossing does not. Returns how many.
static inline int signal_extremes(double* t, double* a, int most, const Signal* s)
{
    int count = 0, top = 0;
    for (int m = 1; m < s->count && count < most; m++) {
        if ((s->a[m] > 0) != (s->a[m - 1] > 0)) {
            t[count] = s->t[top], a[count] = s->a[top];
            if (top > 0) {
                double before = s->a[top - 1], after = s->a[top + 1], bend = before - 2*s->a[top] + after;
                double shift = bend != 0 ? 0.5*(before - after)/bend : 0;
                if (fabs(shift) <= 1) {
                    t[count] += shift*0.5*(s->t[top + 1] - s->t[top - 1]);
                    a[count] -= 0.25*(before - after)*shift;
                }
            }
            count++, top = m;
        } else if (fabs(s->a[m]) > fabs(s->a[top])) {
            top = m;
        }
    }
    return count;
}

enum { SIGNAL_EXTREMES = 128 };

// Rate (1/s) at which swings, half the difference of neighbouring extremes, decay: a line through their logarithms. NAN before
// two swings.
static inline double signal_decay(const Signal* s)
{
    double t[SIGNAL_EXTREMES], a[SIGNAL_EXTREMES], n = 0, st = 0, sl = 0, stt = 0, stl = 0;
    int count = signal_extremes(t, a, SIGNAL_EXTREMES, s);
    for (int m = 1; m < count; m++) {
        double x = 0.5*(t[m] + t[m - 1]), y = log(0.5*fabs(a[m] - a[m - 1]));
        n += 1, st += x, sl += y, stt += x*x, stl += x*y;
    }
    return n > 1 ? -(n*stl - st*sl)/(n*stt - st*st) : NAN;
}

// Swing after `periods` periods over the first swing.
static inline double signal_kept(const Signal* s, int periods)
{
    double t[SIGNAL_EXTREMES], a[SIGNAL_EXTREMES];
    int count = signal_extremes(t, a, SIGNAL_EXTREMES, s), m = 2*periods;
    return m + 1 < count ? (a[m + 1] - a[m])/(a[1] - a[0]) : NAN;
}

// Rate s of a = a0 cosh(s t), growth from rest, from the samples with low < a/a0 < high: a line through t = 0 and acosh(a/a0).
static inline double signal_growth(const Signal* s, double low, double high)
{
    double stt = 0, sty = 0;
    for (int m = 1; m < s->count; m++) {
        double ratio = s->a[m]/s->a[0];
        if (ratio < low || ratio > high) continue;
        stt += s->t[m]*s->t[m], sty += s->t[m]*acosh(ratio);
    }
    return stt > 0 ? sty/stt : NAN;
}

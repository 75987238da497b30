// Where an axis has its marks and what stands beside them.
#pragma once
#include <stdbool.h>

enum { TICKS_MAX = 40, TICK_TEXT = 24 };

typedef struct Ticks {
    int count;
    double at[TICKS_MAX];             // in the units of the data, growing
    char text[TICKS_MAX][TICK_TEXT];  // may hold 10^{-3}; empty: a mark without a number
} Ticks;

// Marks at multiples of 1, 2 or 5 times a power of ten within low..high, at most `most` of them (but at least two where a
// step as fine as that can be written). `scale` times the data is what the numbers tell: 1000 for data in m and numbers in mm.
// `whole`: no step below 1.
void ticks_linear(Ticks* t, double low, double high, int most, double scale, bool whole);
// Marks at powers of ten; where the axis has room, unnumbered ones at 2 .. 9 times a power. low > 0. Less than two powers
// within the axis: numbered marks at 1, 2 and 5 times a power; where it spans less than a factor of five, at multiples of a
// round step.
void ticks_log(Ticks* t, double low, double high, int most, double scale);

double tick_step(double range, int most, bool whole);  // the step of ticks_linear

// The power of ten, a multiple of three, to tell an axis in: 0 if its larger end is a number from `least` up to 1000, otherwise
// the one that makes it 1 .. 1000.
int tick_exponent(double low, double high, double least);

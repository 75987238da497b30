// What is written on pictures: time, title, a scale bar, a colour bar. All on display values.
#pragma once
#include "render/colourscale.h"
#include "render/raster.h"

double label_round_up(double x);  // to the next 1, 2 or 5 times a power of ten; 1 for x <= 0
double label_round_down(double x);
void label_length(char text[32], double metres);  // "5 mm"
void label_time(char text[32], double seconds);   // "12.5 ms"

typedef struct LabelPen {
    Picture* picture;
    Mask* mask;     // same size, scratch
    double height;  // pixels of a capital letter
    V3 ink;         // display values
    double plate;   // 0 to 1: how much a light patch hides of what lies behind the letters
} LabelPen;

// For captions on a rendered picture.
LabelPen label_pen_on_picture(Picture* picture, Mask* mask);
// align -1: text begins at x, 0: is centred on it, 1: ends there; y is the baseline
void label_text(const LabelPen* pen, const char* text, double x, double y, int align);
double label_scale_width(double pixels_per_metre,
                         double room);  // pixels, of a bar of a round length that fits into `room` pixels
// That bar, ending at `right`, its length written above it.
void label_scale_bar(const LabelPen* pen, double right, double y, double pixels_per_metre, double room);
// What stands at the ends of the colours, in thousands where the high end has more than four digits.
void label_scale_ends(char low[32], char high[48], const ColourScale* scale);
// The colours from `low` to `high`, with numbers at the ends, the bar itself between x and x + width.
void label_colour_bar(const LabelPen* pen, double x, double y, double width, const ColourScale* scale);

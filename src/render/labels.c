#include "render/labels.h"

#include <math.h>
#include <stdio.h>

#include "base/vec.h"
#include "render/colours.h"
#include "render/font.h"

static double round_125(double x, int up)
{
    if (!(x > 0) || !isfinite(x)) return 1;
    double power = pow(10, floor(log10(x))), part = x/power;
    static const double step[] = {1, 2, 5, 10};
    int i = 0;
    while (i < 2 && part >= step[i + 1]*(1 - 1e-9)) i++;
    if (up && part > step[i]*(1 + 1e-9)) i++;
    return step[i]*power;
}

double label_round_up(double x) { return round_125(x, 1); }
double label_round_down(double x) { return round_125(x, 0); }

void label_length(char text[32], double metres)
{
    if (metres >= 1) snprintf(text, 32, "%.3g m", metres);
    else if (metres >= 0.1) snprintf(text, 32, "%.3g cm", metres*1e2);
    else if (metres >= 1e-3) snprintf(text, 32, "%.3g mm", metres*1e3);
    else snprintf(text, 32, "%.3g \u00B5m", metres*1e6);
}

void label_time(char text[32], double seconds)
{
    if (fabs(seconds) >= 1) snprintf(text, 32, "%.2f s", seconds);
    else snprintf(text, 32, "%.1f ms", seconds*1e3);
}

LabelPen label_pen_on_picture(Picture* picture, Mask* mask)
{
    double height = clamp(0.016*fmin(picture->width, 1.3*picture->height), 7.5, 40);  // smaller, an i looks like an l
    return (LabelPen){picture, mask, height, v3(0.16f, 0.18f, 0.21f), 0.5};
}

// A light patch under the letters, for those that stand on a picture.
static void paint_plate(const LabelPen* pen, double left, double right, double y)
{
    double middle = y - 0.45*pen->height;
    mask_clear(pen->mask);
    mask_line(pen->mask, left, middle, right, middle, 2.1*pen->height);
    mask_paint(pen->picture, pen->mask, v3(0.93f, 0.94f, 0.95f), pen->plate);
}

void label_text(const LabelPen* pen, const char* text, double x, double y, int align)
{
    double width = font_width(text, pen->height), left = x - 0.5*(align + 1)*width;
    if (pen->plate > 0) paint_plate(pen, left, left + width, y);
    mask_clear(pen->mask);
    font_draw(pen->mask, text, left, y, pen->height);
    mask_paint(pen->picture, pen->mask, pen->ink, 1);
}

double label_scale_width(double pixels_per_metre, double room)
{
    return label_round_down(room/pixels_per_metre)*pixels_per_metre;
}

void label_scale_bar(const LabelPen* pen, double right, double y, double pixels_per_metre, double room)
{
    double width = label_scale_width(pixels_per_metre, room), tick = 0.35*pen->height;
    char text[32];
    label_length(text, label_round_down(room/pixels_per_metre));
    label_text(pen, text, right - 0.5*width, y - 0.9*pen->height, 0);
    mask_clear(pen->mask);
    double line = fmax(1.0, 0.16*pen->height);
    mask_line(pen->mask, right - width, y, right, y, line);
    mask_line(pen->mask, right - width, y - tick, right - width, y + tick, line);
    mask_line(pen->mask, right, y - tick, right, y + tick, line);
    mask_paint(pen->picture, pen->mask, pen->ink, 1);
}

void label_scale_ends(char low[32], char high[48], const ColourScale* scale)
{
    bool thousands = scale->high >= 1e4;
    double unit = thousands ? 1e3 : 1;
    snprintf(low, 32, "%.4g", scale->low/unit);
    snprintf(high, 48, "%.4g %s%s", scale->high/unit, thousands ? "k" : "", scale->unit);
}

void label_colour_bar(const LabelPen* pen, double x, double y, double width, const ColourScale* scale)
{
    int x0 = (int)x, x1 = (int)(x + width), y0 = (int)(y - 0.9*pen->height), y1 = (int)y;
    for (int j = maxi(y0, 0); j < mini(y1, pen->picture->height); j++)
        for (int i = maxi(x0, 0); i < mini(x1, pen->picture->width); i++)
            picture_set(pen->picture, i, j, colourscale_colour(scale, (i + 0.5 - x0)/(x1 - x0)));
    char low[32], high[48];
    label_scale_ends(low, high, scale);
    label_text(pen, low, x - 0.7*pen->height, y, 1);
    label_text(pen, high, x + width + 0.7*pen->height, y, -1);
}

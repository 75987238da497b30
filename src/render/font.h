// A small stroke font of our own, drawn as lines into a mask, so that figures need no font files.
#pragma once
#include <stdbool.h>
#include "render/raster.h"

double font_width(const char* text, double height);  // pixels; `height` is that of a capital letter
// The text starts at x, with its baseline at y. Signs the font does not have are left blank. UTF-8; beyond ASCII it has the
// micro sign.
void font_draw(Mask* m, const char* text, double x, double y, double height);

typedef struct FontLook {
    double height;  // pixels of a capital
    bool bold;
    bool upwards;  // the text runs from (x, y) up, its baseline to the right of it
} FontLook;
void font_draw_look(Mask* m, const char* text, double x, double y, const FontLook* look);

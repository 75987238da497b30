// A small stroke font of our own, drawn as lines into a mask, so that figures need no font files.
#pragma once
#include "render/raster.h"

double font_width(const char* text, double height);  // pixels; `height` is that of a capital letter
// The text starts at x, with its baseline at y. Signs the font does not have are left blank.
void font_draw(Mask* m, const char* text, double x, double y, double height);

// Drawing with exact edges: areas and lines as coverage of pixels, painted onto a picture of display values.
// Coordinates are pixels, x to the right, y down, (0, 0) the outer corner of the first pixel.
#pragma once
#include "render/picture.h"

// Share of each pixel that is covered, and the sums it is made from. Owns its arrays.
typedef struct Mask {
    int width, height;
    float* cover;  // 0..1 per pixel
    float* edge;   // work for fills: width + 2 per row
} Mask;

mn_status mask_init(Mask* m, int width, int height);
void mask_free(Mask* m);
void mask_clear(Mask* m);

// Fills: give every edge of closed loops in any order, then close. Winding counts, so a loop that turns the other way
// inside another one is a hole. The coverage is the exact area of the polygon in each pixel.
void mask_edge(Mask* m, double x0, double y0, double x1, double y1);
void mask_close(Mask* m);  // adds the filled area to cover

// Lines with round ends; where lines of one mask overlap the larger cover counts.
void mask_line(Mask* m, double x0, double y0, double x1, double y1, double width);
void mask_disc(Mask* m, double x, double y, double radius);

void mask_paint(Picture* p, const Mask* m, V3 colour, double opacity);

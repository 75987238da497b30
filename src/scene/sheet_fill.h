// Liquids of a scene beside its sheets.
#pragma once
#include "liquid/liquid.h"

typedef struct Filling {
    double (*distance)(const void* shape, const double x[3]);  // m, < 0 inside
    const void* shape;
} Filling;

// Of a liquid with a shape that ends at a sheet, within half a cell: behind the sheet there is none of it, also none of what
// chords and rounding leave there, and on its own side it touches the sheet. phi and phi_far; far from sheets nothing changes.
mn_status sheets_cut_shape(Liquid* q, Arena* arena, const SheetSurface* sheets, const Filling* filling);

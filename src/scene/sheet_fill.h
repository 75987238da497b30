// Liquids of a scene beside its sheets.
#pragma once
#include "liquid/liquid.h"

// Takes away what a shape that ends at a sheet leaves behind it, half a cell at most (chords of a round cup, rounding): liquid
// from which nothing that is half a cell deep can be reached without going through the sheet, or a long way round its rim.
mn_status sheets_cut_shape(Liquid* q, Arena* arena, const SheetSurface* sheets);

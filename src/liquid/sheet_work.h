// What sheets that move do to a liquid through its pressure.
#pragma once
#include "liquid/sides.h"
#include "solve/pressure.h"

typedef struct SheetWork {
    double power;    // W (2D: W/m), of the sheets on the liquid
    double wet;      // m^2 (2D: m) of moving sheets that it touches, both sides
    double fastest;  // m/s, of these
} SheetWork;

// Adds that of one side, whose pressure is view->p, by the scripts of s alone: what elastic sheets get and give is in their own
// energy. acceleration: of the liquid at rest, m/s^2.
void sheet_work_add(SheetWork* out, const Liquid* view, const Pressure* p, const Solids* s, const double acceleration[3]);

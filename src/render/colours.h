// The colours of the pictures, as display values, and the scale for speeds.
#pragma once
#include "base/v3.h"

V3 colour_of_speed(double part);  // 0: at rest, 1: the top of the scale; display values
V3 colour_of_film(double part);   // of air films: 0 dark, 1 bright, unlike any liquid; display values
V3 colour_linear(V3 display);     // the inverse of the sRGB curve

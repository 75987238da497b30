// A function of time written in the scene (or a constant): up to 3 numbers.
#pragma once
#include <stdbool.h>

typedef struct TimeVector {
    double constant[3];
    int function;    // handle for scene_time_vector, 0 if constant
    bool turns;      // a rotation: in 2D it is one number, about z
    bool is_number;  // one number, the first of the three
} TimeVector;

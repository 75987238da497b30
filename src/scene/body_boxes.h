// Shapes that are made of boxes along the axes, half-spaces among them, as boxes that share no volume: a glass that is written as
// a box without a box is three of them.
#pragma once
#include "scene/shape.h"

typedef struct AxisBox {
    double low[3], high[3];  // m, in the frame of the shape; +-INFINITY where it has no end, and along z in 2D
} AxisBox;

typedef struct AxisBoxes {
    AxisBox* box;  // owned
    int count, room;
    bool no_memory;
} AxisBoxes;

// False: the shape is not of this kind, or there is no memory; *out is empty then.
bool shape_axis_boxes(AxisBoxes* out, const Shape* shape);
void axis_boxes_free(AxisBoxes* b);

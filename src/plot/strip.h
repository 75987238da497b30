// Space-time strips: an upright line through every frame, side by side, so that a whole run is one picture.
#pragma once
#include "plot/plot.h"

typedef enum StripKind {
    STRIP_PIXEL,   // column of the pictures in DIR/pictures
    STRIP_SHARE,   // 0..1 of the tank's width; from the surface meshes
    STRIP_LENGTH,  // m from the tank's left side; from the surface meshes
} StripKind;

typedef struct StripPlace {
    StripKind kind;
    double at;
    double z;  // m, in 3D; NAN: the middle
    bool lab;  // heights in the laboratory, through which the box moves; not of pictures
} StripPlace;

// "120" is a column, "50%" a share, "45mm" or "45mm,10mm" a length (m, cm, mm, um). MN_BAD_ARGUMENT otherwise.
mn_status strip_place(StripPlace* place, const char* text);

// Adds a panel with the strip of the run. *image becomes the panel's image: it must live until the figure is written, and be
// freed then. On failure it is left empty.
mn_status strip_add(PlotFigure* f, Picture* image, const char* dir, const StripPlace* place);

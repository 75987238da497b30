// Pictures of 2D runs, in the manner of a figure in a paper.
#pragma once
#include "render/filmlook.h"
#include "render/picture.h"
#include "render/roles.h"

typedef struct FigureLook {
    ColourScale colours;
    FilmLook film;
    bool wire;  // the edges' ends as dots, nothing filled
    int threads;
} FigureLook;

// Draws on `picture`, which is initialised and of any size.
mn_status figure_draw(Picture* picture, const RunFiles* run, const FrameFiles* frame, const FigureLook* look);

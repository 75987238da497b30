// Pressure and thickness along the air film of a run, at several times (paper: wang2023bouncing, Fig. 13).
#pragma once
#include "output/files.h"
#include "plot/plot.h"

enum { FILMPROFILE_MAX_FRAMES = 8 };  // curves in a figure

// Which frames to draw: from first to last, as many as fit; last = -1: to the end.
typedef struct FilmFrames {
    int first, last;
} FilmFrames;

mn_status filmframes_parse(FilmFrames* frames, const char* text);  // "A:B", "A:", ":B" or "A"
// Adds two panels. In 3D the section through the middle of the film across z; numbers are means over a cell of the grid along it.
// csv gets the same numbers as text: frame, time, place along the film from its middle, thickness, pressure.
mn_status filmprofile_add(PlotFigure* f, Bytes* csv, const char* dir, const FilmFrames* frames);

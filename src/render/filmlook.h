// What pictures tell of air films: which quantity, in which colours.
#pragma once
#include "output/runfiles.h"
#include "render/colourscale.h"
#include "render/filmview.h"
#include "render/labels.h"

typedef struct FilmLook {
    ColourScale scale;  // on: there is a film to show. Pa, or um on a logarithmic scale
    bool thickness;     // else pressure
    double reach;       // m, from the middle of the film between two liquids to its farthest piece
} FilmLook;

// what: "pressure", "thickness" or "off". Of all frames of a run, or of one film alone.
mn_status filmlook_of_run(FilmLook* look, const RunFiles* run, const char* what);
FilmLook filmlook_of_frame(const FilmView* film, const char* what);

double filmlook_part(const FilmLook* look, const FilmPoint* piece);  // of the colours, 0..1
// "air film" and the bar, from x on; y is the baseline, width that of the bar.
void filmlook_bar(const LabelPen* pen, double x, double y, double width, const FilmLook* look);
// Middle of the film between two liquids (ids), weighted by area, and its mean normal, a unit vector.
void filmlook_middle(double middle[3], double normal[3], const FilmView* film, const int liquid[2]);

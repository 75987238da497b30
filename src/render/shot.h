// One frame as one finished picture: what render_run and render_contact_sheet share.
#pragma once
#include "render/filmlook.h"
#include "render/picture.h"
#include "render/render.h"
#include "output/runfiles.h"

typedef struct Shot {
    RunFiles run;
    RunExtent extent;
    ColourScale colours;  // without a field: that is of one frame
    FilmLook film;
    int first, last, every;  // frames, checked against what is there
    RenderOptions options;   // strings borrowed from the caller
} Shot;

mn_status shot_open(Shot* shot, const char* dir, const RenderOptions* options);  // on failure left empty
void shot_close(Shot* shot);
mn_status shot_take(Picture* picture, const Shot* shot, int frame);  // initialises picture; display values

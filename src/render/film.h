// Exposes a picture: all samples of all pixels of a stage.
#pragma once
#include "render/picture.h"
#include "render/stage.h"

typedef struct FilmOptions {
    int samples;  // per pixel
    int threads;
    bool blur;  // spread the samples over the open shutter
} FilmOptions;

// Fills `picture` (initialised, of the size the camera was fitted for) with linear radiance, smoothed. The same bytes for
// any number of threads.
mn_status film_expose(Picture* picture, const Stage* stage, const FilmOptions* options);

// Exposes a picture: all samples of all pixels of a stage.
#pragma once
#include "render/picture.h"
#include "render/stage.h"

typedef struct ExposureOptions {
    int samples;  // per pixel
    int threads;
    bool blur;  // spread the samples over the open shutter
} ExposureOptions;

// Fills `picture` (initialised, of the size the camera was fitted for) with linear radiance, smoothed. The same bytes for
// any number of threads.
mn_status exposure_take(Picture* picture, const Stage* stage, const ExposureOptions* options);

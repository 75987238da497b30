// Takes the grain out of a picture of few samples without touching its edges.
#pragma once
#include "render/picture.h"

// What is known of every pixel beside its colour.
typedef struct PixelGuide {
    V3 albedo, normal;
    float depth;
    float variance;  // of the mean luminance of the pixel
} PixelGuide;

mn_status denoise(Picture* linear, const PixelGuide* guide, int threads);

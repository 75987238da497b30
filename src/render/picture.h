// A picture in memory: three floats per pixel, first row on top. While light is computed the values are linear radiance;
// what is drawn with lines and letters, and what is written, are display values between 0 and 1 (sRGB).
#pragma once
#include "base/status.h"
#include "base/v3.h"

typedef struct Picture {
    int width, height;
    float* rgb;  // 3*width*height
} Picture;

mn_status picture_init(Picture* p, int width, int height, V3 colour);  // MN_NO_MEMORY leaves p empty
void picture_free(Picture* p);

static inline V3 picture_get(const Picture* p, int x, int y) { return v3_load(p->rgb + 3*((size_t)y*p->width + x)); }
static inline void picture_set(Picture* p, int x, int y, V3 c)
{
    float* to = p->rgb + 3*((size_t)y*p->width + x);
    to[0] = c[0], to[1] = c[1], to[2] = c[2];
}

// Writes display values as an 8-bit PNG: first under a temporary name beside `path`, then renamed, so that a reader never
// meets half a picture. MN_IO leaves no file behind.
mn_status picture_write_png(const Picture* p, const char* path);

// The same file in memory; the caller frees *data. Nothing is allocated on failure.
mn_status picture_encode_png(unsigned char** data, size_t* size, const Picture* p);
// Any PNG as display values. MN_IO with one line that names the file leaves p empty.
mn_status picture_read_png(Picture* p, const char* path);

// Copies `from`, shrunk by averaging over the pixels it covers, into the rectangle of `to` that starts at (x, y).
void picture_place(Picture* to, const Picture* from, int x, int y, int width, int height);

V3 display_from_linear(V3 linear);              // sRGB transfer curve of IEC 61966-2-1, clipped to [0, 1]
void picture_tone(Picture* p, float exposure);  // linear radiance -> display, with a soft shoulder for highlights

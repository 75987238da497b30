#include "render/exposure.h"

#include <stdlib.h>

#include "base/vec.h"
#include "render/denoise.h"
#include "render/trace.h"

enum { TILE = 16 };

// Radiance beyond this would, averaged with its neighbours, only make the rim of a highlight jagged.
static V3 compress_sample(V3 c)
{
    float l = v3_luminance(c);
    return l > 4 ? c*((4 + 0.25f*(l - 4))/l) : c;
}

static void expose_pixel(Picture* picture, PixelGuide* guide, const Stage* s, const ExposureOptions* o, int x, int y)
{
    V3 sum = v3_splat(0), albedo = v3_splat(0), normal = v3_splat(0);
    float depth = 0;
    double light = 0, light2 = 0;
    for (int i = 0; i < o->samples; i++) {
        Sampler sampler = sampler_start(x, y, i);
        float place[2], when[2];
        sampler_pair(place, &sampler);
        sampler_pair(when, &sampler);
        Ray ray = camera_ray(&s->camera, (x + place[0])/picture->width, (y + place[1])/picture->height);
        if (o->blur) ray.time = when[0];
        TraceGuide g;
        V3 c = compress_sample(trace_camera(&g, s, ray, &sampler));
        sum += c, albedo += g.albedo, normal += g.normal, depth += g.depth;
        double l = v3_luminance(c);
        light += l, light2 += l*l;
    }
    float each = 1/(float)o->samples;
    double mean = light*each, spread = fmax(0, light2*each - mean*mean);
    picture_set(picture, x, y, sum*each);
    // as for independent samples; ours are spread more evenly, so this errs on the side of smoothing
    *guide = (PixelGuide){albedo*each, normal*each, depth*each, (float)(spread/maxi(1, o->samples - 1))};
}

mn_status exposure_take(Picture* picture, const Stage* s, const ExposureOptions* o)
{
    int across = (picture->width + TILE - 1)/TILE, down = (picture->height + TILE - 1)/TILE;
    PixelGuide* guide = aligned_alloc(16, sizeof *guide*(size_t)picture->width*(size_t)picture->height);
    if (!guide) return mn_fail(MN_NO_MEMORY, "no memory for the picture");
#pragma omp parallel for schedule(dynamic, 1) num_threads(o->threads)
    for (int tile = 0; tile < across*down; tile++) {
        int x0 = tile%across*TILE, y0 = tile/across*TILE;
        for (int y = y0; y < mini(y0 + TILE, picture->height); y++)
            for (int x = x0; x < mini(x0 + TILE, picture->width); x++)
                expose_pixel(picture, &guide[(size_t)y*picture->width + x], s, o, x, y);
    }
    mn_status status = denoise(picture, guide, o->threads);
    free(guide);
    return status;
}

#include "render/denoise.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { PASSES = 4 };

// Light at a pixel without the pattern it falls on, so that tiles and colours stay sharp while the light is smoothed.
static V3 without_albedo(V3 c, V3 albedo) { return c/(albedo + v3_splat(0.02f)); }
static V3 with_albedo(V3 c, V3 albedo) { return c*(albedo + v3_splat(0.02f)); }

// How alike two pixels are, 0 to 1: normal, depth and seen colour must agree, and the difference in light must be within
// what the noise of the two explains.
static float likeness(const PixelGuide* p, const PixelGuide* q, float light_p, float light_q, float variance, int step)
{
    V3 dn = p->normal - q->normal, da = p->albedo - q->albedo;
    float dz = fabsf(p->depth - q->depth)/(0.02f*(float)step*fminf(p->depth, q->depth) + 1e-6f);
    float dl = light_p - light_q;
    float e = v3_dot(dn, dn)*60 + v3_dot(da, da)*900 + dz + dl*dl/(4*variance + 1e-5f);
    return e < 20 ? expf(-e) : 0;
}

typedef struct Pass {
    int width, height, step;
    const V3* from;
    const float* variance_from;
    V3* to;
    float* variance_to;
    const PixelGuide* guide;
} Pass;

// One pass of the "a trous" wavelet filter [dammertz2010]: the 5 x 5 binomial kernel with holes of width `step`,
// each tap weighted by likeness. The variance is carried along [schied2017], so later passes know what noise is left.
static void filter_pixel(const Pass* a, int x, int y)
{
    static const float tap[5] = {1/16.0f, 1/4.0f, 3/8.0f, 1/4.0f, 1/16.0f};
    size_t at = (size_t)y*a->width + x;
    float light = v3_luminance(a->from[at]), weight = 0, variance = 0;
    V3 sum = v3_splat(0);
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            int qx = x + i*a->step, qy = y + j*a->step;
            if (qx < 0 || qy < 0 || qx >= a->width || qy >= a->height) continue;
            size_t q = (size_t)qy*a->width + qx;
            float like = i == 0 && j == 0 ? 1
                                          : likeness(&a->guide[at], &a->guide[q], light, v3_luminance(a->from[q]),
                                                     a->variance_from[at] + a->variance_from[q], a->step);
            float w = tap[i + 2]*tap[j + 2]*like;
            sum += a->from[q]*w, weight += w, variance += w*w*a->variance_from[q];
        }
    a->to[at] = sum*(1/weight);
    a->variance_to[at] = variance/(weight*weight);
}

// The variance of a few samples is itself noisy; its mean over 3 x 3 pixels serves better.
static void blur_variance(float* out, const Picture* p, const PixelGuide* guide)
{
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            float sum = 0, weight = 0;
            for (int j = maxi(0, y - 1); j <= mini(p->height - 1, y + 1); j++)
                for (int i = maxi(0, x - 1); i <= mini(p->width - 1, x + 1); i++) {
                    const PixelGuide* g = &guide[(size_t)j*p->width + i];
                    float a = v3_luminance(g->albedo) + 0.02f;
                    sum += g->variance/(a*a), weight++;
                }
            out[(size_t)y*p->width + x] = sum/weight;
        }
}

mn_status denoise(Picture* p, const PixelGuide* guide, int threads)
{
    size_t n = (size_t)p->width*(size_t)p->height;
    V3 *a = aligned_alloc(16, n*sizeof *a), *b = aligned_alloc(16, n*sizeof *b);
    float *va = malloc(n*sizeof *va), *vb = malloc(n*sizeof *vb);
    if (a && b && va && vb) {
        for (size_t i = 0; i < n; i++) a[i] = without_albedo(v3_load(p->rgb + 3*i), guide[i].albedo);
        blur_variance(va, p, guide);
        for (int pass = 0; pass < PASSES; pass++) {
            Pass job = {p->width, p->height, 1 << pass, a, va, b, vb, guide};
#pragma omp parallel for schedule(static) num_threads(threads)
            for (int y = 0; y < job.height; y++)
                for (int x = 0; x < job.width; x++) filter_pixel(&job, x, y);
            V3* swap = a;
            float* vswap = va;
            a = b, b = swap, va = vb, vb = vswap;
        }
        for (int y = 0; y < p->height; y++)
            for (int x = 0; x < p->width; x++) {
                size_t i = (size_t)y*p->width + x;
                picture_set(p, x, y, with_albedo(a[i], guide[i].albedo));
            }
    }
    bool ok = a && b && va && vb;
    free(a), free(b), free(va), free(vb);
    return ok ? MN_OK : mn_fail(MN_NO_MEMORY, "no memory to smooth the picture");
}

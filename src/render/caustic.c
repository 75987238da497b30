#include "render/caustic.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "render/glass.h"
#include "render/optics.h"
#include "render/trace.h"

enum { MOST_TEXELS = 640, MAX_STEPS = 12, RAYS_PER_TEXEL = 6 };  // fewer rays than that show as grain, smoothed or not
static const float UNIT = 65536;  // fixed-point numbers make the sums independent of the order threads add in

// Where the rays start: a rectangle across the light that covers all liquid as seen from there.
typedef struct Beam {
    V3 corner, across, along;  // corner + u across + v along, u and v in 0..1
    float area;
} Beam;

static Beam beam_over(const Stage* s)
{
    const StudioLight* l = &s->light;
    float a0 = INFINITY, a1 = -INFINITY, b0 = INFINITY, b1 = -INFINITY, top = -INFINITY;
    for (int i = 0; i < 8; i++) {
        V3 p = v3(i & 1 ? s->content_high[0] : s->content_low[0], i & 2 ? s->content_high[1] : s->content_low[1],
                  i & 4 ? s->content_high[2] : s->content_low[2]);
        float a = v3_dot(p, l->key_a), b = v3_dot(p, l->key_b);
        a0 = fminf(a0, a), a1 = fmaxf(a1, a), b0 = fminf(b0, b), b1 = fmaxf(b1, b);
        top = fmaxf(top, v3_dot(p, l->key));
    }
    float margin = 0.02f*(a1 - a0 + b1 - b0);
    a0 -= margin, a1 += margin, b0 -= margin, b1 += margin;
    return (Beam){l->key*(top + 0.1f) + l->key_a*a0 + l->key_b*b0, l->key_a*(a1 - a0), l->key_b*(b1 - b0),
                  (a1 - a0)*(b1 - b0)};
}

// Spreads a photon over the four texels about it.
static void deposit(int64_t* sum, const FloorLight* f, V3 point, V3 power)
{
    float x = (point[0] - f->low[0])/f->side*f->n - 0.5f, z = (point[2] - f->low[1])/f->side*f->n - 0.5f;
    int i = (int)floorf(x), k = (int)floorf(z);
    if (i < 0 || k < 0 || i + 1 >= f->n || k + 1 >= f->n) return;
    for (int corner = 0; corner < 4; corner++) {
        int di = corner & 1, dk = corner >> 1;
        float w = (di ? x - i : 1 - x + i)*(dk ? z - k : 1 - z + k)*UNIT;
        int64_t* to = sum + 3*((size_t)(k + dk)*f->n + (i + di));
        for (int d = 0; d < 3; d++) {
            int64_t add = (int64_t)(w*power[d] + 0.5f);
#pragma omp atomic
            to[d] += add;
        }
    }
}

// One ray from the light. It counts only if it met water: what reaches the floor straight is found from the floor.
static void follow_photon(int64_t* sum, const Stage* s, Ray ray, Sampler* sampler)
{
    V3 power = v3_splat(1);
    const LiquidLook* inside = NULL;  // the liquid it is in
    bool wet = false, on_glass = false;
    for (int step = 0; step < MAX_STEPS; step++) {
        TraceSurface hit;
        if (!trace_nearest(&hit, s, ray)) return;
        const LiquidLook* crossed = !hit.clear ? inside : hit.leaving ? hit.liquid : NULL;
        if (crossed) power *= trace_absorb(crossed, hit.t);
        glass_cross(NULL, &power, s, &(GlassStretch){ray, hit.t, inside || on_glass, inside != NULL, false});
        if (hit.floor && wet) deposit(sum, &s->floor, hit.point, power);
        if (!hit.clear) return;
        Crossing c = optics_cross(ray.direction, hit.normal, hit.leaving ? hit.liquid->index : 1/hit.liquid->index);
        float u[2];
        sampler_pair(u, sampler);
        bool reflect = u[0] < c.reflected;
        inside = reflect == hit.leaving ? hit.liquid : NULL;
        wet = true, on_glass = hit.on_glass;
        ray.direction = reflect ? c.mirror : c.bent;
        ray.origin = hit.point + hit.face*(reflect ? s->bias : -s->bias);
    }
}

// A small bell over the texels takes out what is left of the grain; along x and z in turn.
static void smooth_texels(V3* texel, V3* scratch, int n)
{
    static const float bell[4] = {0.28f, 0.21f, 0.11f, 0.04f};
    for (int pass = 0; pass < 2; pass++) {
        ptrdiff_t stride = pass ? n : 1;
        memcpy(scratch, texel, sizeof *texel*(size_t)n*n);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < n; i++) {
                int at = pass ? k : i;
                V3 sum = scratch[(size_t)k*n + i]*bell[0];
                for (int r = 1; r < 4; r++) {
                    if (at >= r) sum += scratch[(ptrdiff_t)k*n + i - r*stride]*bell[r];
                    if (at + r < n) sum += scratch[(ptrdiff_t)k*n + i + r*stride]*bell[r];
                }
                texel[(size_t)k*n + i] = sum;
            }
    }
}

static void shoot(int64_t* sum, const Stage* s, int rows, int threads)
{
    Beam beam = beam_over(s);
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads)
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < rows; i++) {
            Sampler sampler = sampler_start(i, j, 0);
            float u[2], cone[2], when[2];
            sampler_pair(u, &sampler);
            sampler_pair(cone, &sampler);
            sampler_pair(when, &sampler);
            V3 start = beam.corner + beam.across*((i + u[0])/rows) + beam.along*((j + u[1])/rows);
            Ray ray = {.origin = start, .direction = -light_key_direction(&s->light, cone), .time = when[0]};
            follow_photon(sum, s, ray, &sampler);
        }
}

mn_status caustic_build(Stage* s, int photons, int threads)
{
    if (s->style != STAGE_WATER || s->content_low[0] > s->content_high[0]) return MN_OK;
    FloorLight* f = &s->floor;
    int n = clampi((int)sqrt((double)photons/RAYS_PER_TEXEL), 64, MOST_TEXELS);
    size_t texels = (size_t)n*(size_t)n;
    V3 middle = (s->content_low + s->content_high)*0.5f;
    float half = 0.5f*v3_max_lane(s->content_high - s->content_low) + 0.5f*s->content_high[1] + 0.15f;
    // shifted down-light, where the patterns fall
    f->side = 2*half;
    f->low[0] = middle[0] - half - 0.3f*s->light.key[0]*s->content_high[1];
    f->low[1] = middle[2] - half - 0.3f*s->light.key[2]*s->content_high[1];
    f->texel = aligned_alloc(16, texels*sizeof *f->texel);
    V3* scratch = aligned_alloc(16, texels*sizeof *scratch);
    int64_t* sum = calloc(3*texels, sizeof *sum);
    if (!f->texel || !scratch || !sum) {
        free(scratch);
        free(sum);
        return mn_fail(MN_NO_MEMORY, "no memory for the light on the floor");
    }
    f->n = n;
    int rows = (int)sqrt(photons);
    shoot(sum, s, rows, threads);
    // each ray carries E A/rays; a texel shares it over its own area
    Beam beam = beam_over(s);
    float texel_area = f->side*f->side/(float)texels, scale = beam.area/((float)rows*rows)/(texel_area*UNIT);
    for (size_t i = 0; i < texels; i++)
        f->texel[i] = v3((float)sum[3*i], (float)sum[3*i + 1], (float)sum[3*i + 2])*s->light.key_irradiance*scale;
    smooth_texels(f->texel, scratch, n);
    free(scratch);
    free(sum);
    return MN_OK;
}

V3 caustic_at(const FloorLight* f, V3 point)
{
    if (f->n == 0) return v3_splat(0);
    float x = (point[0] - f->low[0])/f->side*f->n - 0.5f, z = (point[2] - f->low[1])/f->side*f->n - 0.5f;
    int i = (int)floorf(x), k = (int)floorf(z);
    if (i < 0 || k < 0 || i + 1 >= f->n || k + 1 >= f->n) return v3_splat(0);
    const V3* t = f->texel + (size_t)k*f->n + i;
    x -= (float)i, z -= (float)k;
    return v3_mix(v3_mix(t[0], t[1], x), v3_mix(t[f->n], t[f->n + 1], x), z);
}

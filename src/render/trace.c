#include "render/trace.h"

#include "base/vec.h"
#include "render/caustic.h"
#include "render/glass.h"
#include "render/optics.h"
#include "render/section.h"
#include "render/tank.h"

enum {
    MAX_CLEAR = 14,   // surfaces of water a path may cross
    MAX_DIFFUSE = 2,  // times it may leave a matte surface: the second is the light of the sky on what is in shade
    MAX_SPLIT = 2,    // crossings where both the reflected and the bent path are followed
    STACK = 8
};
static const float FADE_NEAR = 2.5f, FADE_FAR = 9.0f;  // stage units: the floor melts into the horizon between them
static const float BRIGHTEST = 8;  // a single path's share beyond this is noise for the eye (fireflies), and is cut

// A path that still has to be followed.
typedef struct Path {
    Ray ray;
    V3 weight;
    const LiquidLook* inside;  // the liquid it is in; NULL: in air
    bool from_eye;             // only clear surfaces so far
    bool on_glass;             // begins on water that touches glass
    int clear, diffuse;
} Path;

typedef struct Paths {
    int count;
    Path path[STACK];
} Paths;

// What part of the key light comes through along a straight line. Water lets it pass unbent but reflects its share and
// absorbs; light that water really bends is added to the floor by caustic.c, so for the floor water is opaque here. Glass
// throws a faint shadow.
static V3 key_visible(const Stage* s, V3 point, V3 direction, float time, bool inside, bool water_opaque)
{
    V3 through = v3_splat(1);
    bool on_glass = false;
    Ray ray = {.origin = point, .direction = direction, .time = time};
    for (int i = 0; i < MAX_CLEAR; i++) {
        TraceSurface hit;
        bool met = section_nearest(&hit, s, ray, false);
        if (!met || (hit.clear && !water_opaque))
            glass_cross(NULL, &through, s, &(GlassStretch){ray, met ? hit.t : INFINITY, inside || on_glass, inside, false});
        if (!met) return through;
        if (!hit.clear || water_opaque) break;
        if (hit.leaving) through *= trace_absorb(hit.liquid, hit.t);
        through *= 1 - optics_cross(direction, hit.normal, 1/hit.liquid->index).reflected;
        ray.origin = hit.point + direction*s->bias;
        inside = !hit.leaving, on_glass = hit.on_glass;
    }
    return v3_splat(0);
}

// Light that a matte surface sends on directly from the key light: albedo/pi times irradiance.
static V3 key_reflected(const Stage* s, const TraceSurface* hit, const Path* path, Sampler* sampler)
{
    float u[2];
    sampler_pair(u, sampler);
    V3 to_key = light_key_direction(&s->light, u);
    float cosine = v3_dot(hit->normal, to_key);
    V3 irradiance = v3_splat(0);
    if (cosine > 0 && v3_dot(hit->face, to_key) > 0) {
        V3 start = hit->point + hit->face*s->bias;
        irradiance =
            s->light.key_irradiance*cosine*key_visible(s, start, to_key, path->ray.time, path->inside != NULL, hit->floor);
    }
    if (hit->floor) irradiance += caustic_at(&s->floor, hit->point);
    return hit->albedo*irradiance*(1/(float)PI);
}

// Both ways on from a water surface. The first crossings follow both, which removes most of the noise where the eye sees a
// reflection over what lies below; later ones pick one by chance, with a probability equal to its share.
static void cross_water(Paths* paths, Path* path, const Stage* s, const TraceSurface* hit, Sampler* sampler)
{
    float eta = hit->leaving ? hit->liquid->index : 1/hit->liquid->index, u[2];
    Crossing c = optics_cross(path->ray.direction, hit->normal, eta);
    if (v3_dot(c.mirror, hit->face) <= 0) c.mirror = c.mirror - hit->face*(2*v3_dot(c.mirror, hit->face));
    Path bent = *path, mirror = *path;
    bent.clear = mirror.clear = path->clear + 1;
    bent.on_glass = mirror.on_glass = hit->on_glass;
    bent.inside = hit->leaving ? NULL : hit->liquid, mirror.inside = hit->leaving ? hit->liquid : NULL;
    bent.ray.origin = hit->point - hit->face*s->bias, bent.ray.direction = c.bent;
    mirror.ray.origin = hit->point + hit->face*s->bias, mirror.ray.direction = c.mirror;
    bent.weight *= 1 - c.reflected, mirror.weight *= c.reflected;
    bool split = path->from_eye && path->clear < MAX_SPLIT && paths->count < STACK;
    if (c.reflected >= 1) {
        *path = mirror;
    } else if (split) {
        *path = bent;
        if (v3_max_lane(mirror.weight) > 0.004f) paths->path[paths->count++] = mirror;
    } else {
        sampler_pair(u, sampler);
        bool reflect = u[0] < c.reflected;
        bent.weight = mirror.weight = path->weight;
        *path = reflect ? mirror : bent;
    }
}

// The colour far away on the floor, which the horizon of the sky continues.
static V3 distance_haze(const Stage* s, V3 direction)
{
    return light_around(&s->light, v3_unit(v3(direction[0], 0, direction[2])));
}

static void leave_matte(Path* path, const Stage* s, const TraceSurface* hit, Sampler* sampler)
{
    float u[2];
    sampler_pair(u, sampler);
    path->weight *= hit->albedo;
    path->ray.origin = hit->point + hit->face*s->bias;
    path->ray.direction = optics_cosine_direction(hit->normal, u);
    path->from_eye = path->on_glass = false;
    path->diffuse++;
}

static void leave_mirror(Path* path, const Stage* s, const TraceSurface* hit, V3 share)
{
    V3 mirror = path->ray.direction - hit->normal*(2*v3_dot(path->ray.direction, hit->normal));
    float below = v3_dot(mirror, hit->face);
    path->weight *= share;
    path->ray.origin = hit->point + hit->face*s->bias;
    path->ray.direction = below > 0 ? mirror : mirror - hit->face*(2*below);
    path->clear++;
}

// What the smooth skin of a matte liquid reflects is a path of its own; the rest goes in and comes back matte.
static void split_gloss(Paths* paths, Path* path, const Stage* s, const TraceSurface* hit)
{
    if (!path->from_eye || paths->count == STACK) return;
    float share = optics_cross(path->ray.direction, hit->normal, 1/hit->gloss).reflected;
    Path mirror = *path;
    leave_mirror(&mirror, s, hit, v3_splat(share));
    paths->path[paths->count++] = mirror;
    path->weight *= 1 - share;
}

// The surface that the eye sees first, and the colour behind water: weights of all paths of the pixel add up to one.
static void note_guide(TraceGuide* guide, const Path* path, const TraceSurface* hit, V3 wall)
{
    // a wall of glass before it counts in part, so that the outline of the glass stays sharp as well
    if (path->clear == 0) guide->normal = hit->normal + wall*0.5f, guide->depth = hit->t;
    if (!hit->clear && path->from_eye) guide->albedo += hit->albedo*v3_luminance(path->weight);
}

// Follows one path to its end and returns the light it brings; splits go onto the stack.
static V3 follow(Paths* paths, Path path, TraceGuide* guide, const Stage* s, Sampler* sampler)
{
    V3 light = v3_splat(0);
    while (path.clear < MAX_CLEAR) {
        TraceSurface hit;
        bool met = section_nearest(&hit, s, path.ray, path.clear + path.diffuse == 0);
        if (path.from_eye && !path.inside) tank_cross(&light, &path.weight, s, path.ray, met ? hit.t : INFINITY);
        GlassStretch stretch = {path.ray, met ? hit.t : INFINITY, path.inside || path.on_glass, path.inside != NULL,
                                path.from_eye && path.clear == 0};
        V3 wall = glass_cross(&light, &path.weight, s, &stretch);
        if (!met) {
            light += path.weight*light_around(&s->light, path.ray.direction);
            if (path.from_eye) light += path.weight*light_key_disc(&s->light, path.ray.direction);
            break;
        }
        const LiquidLook* crossed = !hit.clear ? path.inside : hit.leaving ? hit.liquid : NULL;
        if (crossed) path.weight *= trace_absorb(crossed, hit.t);
        note_guide(guide, &path, &hit, wall);
        if (hit.clear) {
            cross_water(paths, &path, s, &hit, sampler);
            continue;
        }
        if (hit.flat) {
            light += path.weight*hit.albedo;
            break;
        }
        if (hit.mirror) {
            leave_mirror(&path, s, &hit, hit.albedo);
            continue;
        }
        if (hit.gloss > 0) split_gloss(paths, &path, s, &hit);
        if (hit.floor) {
            float far = smooth_step(FADE_NEAR, FADE_FAR, v3_length(hit.point));
            light += path.weight*distance_haze(s, path.ray.direction)*far;
            path.weight *= 1 - far;
        }
        light += path.weight*key_reflected(s, &hit, &path, sampler);
        if (path.diffuse >= MAX_DIFFUSE) break;
        leave_matte(&path, s, &hit, sampler);
        if (v3_max_lane(path.weight) < 0.01f) break;
    }
    // light caught in the water of a glass would leave black spots
    if (s->glass_rays && path.clear >= MAX_CLEAR) light += path.weight*light_around(&s->light, path.ray.direction);
    return light;
}

V3 trace_camera(TraceGuide* guide, const Stage* s, Ray ray, Sampler* sampler)
{
    V3 light = v3_splat(0);
    Paths paths = {1, {{.ray = ray, .weight = v3_splat(1), .from_eye = true}}};
    *guide = (TraceGuide){.albedo = v3_splat(0), .normal = v3_splat(0), .depth = 100};
    while (paths.count > 0) {
        Path path = paths.path[--paths.count];
        light += v3_min(follow(&paths, path, guide, s, sampler), BRIGHTEST);
    }
    return light;
}

// What a ray meets: the geometry of rayscene.c plus the endless floor, with material and smooth normal.
#include <stdint.h>

#include "base/vec.h"
#include "render/colours.h"
#include "render/optics.h"
#include "render/trace.h"

static V3 blend_corners(const DrawMesh* m, const float* value, const RayHit* h)
{
    const int* c = m->face + 3*h->face;
    return v3_load(value + 3*c[0])*(1 - h->u - h->v) + v3_load(value + 3*c[1])*h->u + v3_load(value + 3*c[2])*h->v;
}

static V3 corner_at(const DrawMesh* m, int face, int c) { return v3_load(m->position + 3*m->face[3*face + c]); }

// Nearest distance of the hit to an edge of its triangle: twice the area over the edge, times the weight of the corner
// opposite.
static float edge_distance(const DrawMesh* m, const RayHit* h)
{
    V3 a = corner_at(m, h->face, 0), b = corner_at(m, h->face, 1), c = corner_at(m, h->face, 2);
    float area = v3_length(v3_cross(b - a, c - a));
    float da = area*(1 - h->u - h->v)/v3_length(c - b), db = area*h->u/v3_length(c - a),
          dc = area*h->v/v3_length(b - a);
    return fminf(da, fminf(db, dc));
}

// Lines are a good pixel wide. Where the triangles are smaller than a few pixels they would cover everything: there they
// fade into a grey.
static V3 wire_colour(const Stage* s, const DrawMesh* m, const RayHit* h, V3 between)
{
    float pixel = s->camera.pixel*h->t, edge = edge_distance(m, h)/pixel;
    float side = v3_length(corner_at(m, h->face, 1) - corner_at(m, h->face, 0))/pixel;
    V3 line = v3_mix(between*0.55f, v3(0.02f, 0.05f, 0.09f), smooth_step(1.5f, 7.0f, side));
    return v3_mix(line, between, smooth_step(0.35f, 1.0f, edge));
}

static V3 clay_colour(const Stage* s, const RayHit* h)
{
    V3 colour = v3(0.42f, 0.60f, 0.72f);
    const DrawMesh* m = &s->liquid;
    if (s->color_surface) {
        const int* c = m->face + 3*h->face;
        float speed = s->liquid_speed[c[0]]*(1 - h->u - h->v) + s->liquid_speed[c[1]]*h->u + s->liquid_speed[c[2]]*h->v;
        colour = colour_linear(colour_of_speed(colourscale_part(&s->colours, speed)));
    }
    if (s->style == STAGE_WIRE) return wire_colour(s, m, h, v3_mix(colour, v3_splat(0.85f), 0.4f));
    return colour;
}

static void take_liquid(TraceSurface* out, const Stage* s, const RayHit* h, V3 direction)
{
    bool drop = h->object == s->spray_object;
    int kind = drop ? 0 : s->liquid.kind[h->face];
    const float* normals = kind == WET_GLASS ? s->wet_normal : s->liquid.normal;
    V3 smooth = drop || kind == 1 ? h->normal : v3_unit(blend_corners(&s->liquid, normals, h));
    out->on_glass = kind == WET_GLASS;
    if (v3_dot(smooth, h->normal) < 0.1f) smooth = h->normal;  // a normal that fits its face badly only makes black spots
    out->leaving = v3_dot(h->normal, direction) > 0;
    out->normal = optics_facing_normal(smooth, h->normal, direction);
    bool real = s->style == STAGE_WATER;
    const LiquidLook* look = looks_get(&s->looks, drop ? s->drop_look[h->face] : drawmesh_look(&s->liquid, h->face));
    out->liquid = look;
    out->clear = real && look->sort == LOOK_CLEAR;
    out->mirror = real && look->sort == LOOK_MIRROR;
    out->gloss = real && look->sort == LOOK_MATTE ? look->index : 0;
    if (out->clear) out->albedo = v3_splat(1);
    else if (real) out->albedo = v3_load(look->albedo);
    else out->albedo = drop ? v3(0.42f, 0.60f, 0.72f) : clay_colour(s, h);
}

// Where the normal at a corner is far from the face's own there is an edge, not a curve: such a face is shown flat.
static bool face_is_curved(const DrawMesh* m, const RayHit* h)
{
    for (int c = 0; c < 3; c++)
        if (v3_dot(v3_load(m->normal + 3*m->face[3*h->face + c]), h->normal) < 0.75f) return false;
    return true;
}

V3 trace_smooth_normal(const DrawMesh* m, const RayHit* h)
{
    return face_is_curved(m, h) ? v3_unit(blend_corners(m, m->normal, h)) : h->normal;
}

static void take_solid(TraceSurface* out, const Stage* s, const RayHit* h, V3 direction)
{
    out->normal = optics_facing_normal(trace_smooth_normal(&s->solids, h), h->normal, direction);
    out->solid = true;
    out->leaving = v3_dot(h->normal, direction) > 0;
    const SolidLook* look = look_numbered(drawmesh_look(&s->solids, h->face));
    out->mirror = s->style == STAGE_WATER && look->sort == LOOK_MIRROR;
    out->albedo = look->sort == LOOK_CLEAR ? v3_splat(0.6f) : v3_load(look->albedo);  // glass is matte in the other styles
}

// An even spread over 0..1 that belongs to a point of the grid.
static float grid_chance(int i, int k)
{
    uint32_t h = (uint32_t)i*0x9e3779b1u ^ (uint32_t)k*0x85ebca77u;
    h = (h ^ h >> 15)*0x2c1b3c6du;
    h = (h ^ h >> 12)*0x297a2d39u;
    return (float)((h ^ h >> 15) >> 8)/(float)(1 << 24);
}

// Smooth hills of about 0..1 on a grid of side 1.
static float hills(float x, float z)
{
    int i = (int)floorf(x), k = (int)floorf(z);
    float u = smooth_step(0, 1, x - i), v = smooth_step(0, 1, z - k);
    float near = grid_chance(i, k)*(1 - u) + grid_chance(i + 1, k)*u,
          far = grid_chance(i, k + 1)*(1 - u) + grid_chance(i + 1, k + 1)*u;
    return near*(1 - v) + far*v;
}

// Sand: patches and grains of five sizes, each left out where a pixel covers it.
static V3 sand_albedo(const Stage* s, V3 p, float t)
{
    float shade = 0, strength = 0.16f, pixel = t*s->camera.pixel;
    for (float size = 0.35f; size > 0.001f; size *= 0.28f, strength *= 0.95f)
        shade += strength*(1 - smooth_step(0.3f, 1.0f, pixel/size))*(hills(p[0]/size, p[2]/size) - 0.5f);
    return v3(0.60f, 0.51f, 0.38f)*(1 + shade);
}

// Tiles in two near greys; seen from so far that a pixel covers several, only their mean.
static V3 floor_albedo(const Stage* s, V3 p, float t)
{
    if (s->ground == FLOOR_SAND) return sand_albedo(s, p, t);
    float x = (p[0] - s->tank_low[0])/s->tile, z = (p[2] - s->tank_low[2])/s->tile;
    int odd = ((int)floorf(x) + (int)floorf(z)) & 1;
    float contrast = 1 - smooth_step(0.25f, 1.0f, t*s->camera.pixel/s->tile*4);
    contrast *= 1 - smooth_step(0.7f, 4.0f, v3_length(p));
    float g = 0.50f + 0.07f*contrast*(odd ? -1 : 1);
    return v3(g, g*0.99f, g*0.97f);
}

void trace_floor(TraceSurface* out, const Stage* s, V3 point, float t)
{
    point[1] = 0;
    *out = (TraceSurface){
        .floor = true, .point = point, .normal = v3(0, 1, 0), .face = v3(0, 1, 0), .t = t, .albedo = floor_albedo(s, point, t)};
}

bool trace_nearest(TraceSurface* out, const Stage* s, Ray ray)
{
    V3 d = ray.direction;
    float floor_t = d[1] < -1e-6f && ray.origin[1] > 0 ? -ray.origin[1]/d[1] : INFINITY;
    RayHit h;
    *out = (TraceSurface){0};
    if (rayscene_hit(&h, s->rays, ray, s->bias, floor_t)) {
        out->t = h.t;
        out->point = ray.origin + d*h.t;
        out->face = v3_dot(h.normal, d) > 0 ? -h.normal : h.normal;
        if (h.object == s->solid_object) take_solid(out, s, &h, d);
        else take_liquid(out, s, &h, d);
        return true;
    }
    if (!(floor_t < 1e4f)) return false;
    trace_floor(out, s, ray.origin + d*floor_t, floor_t);
    return true;
}

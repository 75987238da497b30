// Light along paths: what the camera sees through one point of one pixel.
#pragma once
#include "render/sampler.h"
#include "render/stage.h"

// What the filter afterwards needs to know about a pixel: it must not smooth across any of these.
typedef struct TraceGuide {
    V3 albedo;    // colour of what is seen, through water if that is in front
    V3 normal;    // of the first surface
    float depth;  // to the first surface
} TraceGuide;

V3 trace_camera(TraceGuide* guide, const Stage* stage, Ray ray, Sampler* sampler);

// What one surface point is made of, shared with the photons of caustic.c.
typedef struct TraceSurface {
    bool clear;   // light crosses it
    bool mirror;  // a metal: albedo is what it reflects
    float gloss;  // index of the smooth skin of a matte surface; 0: none
    bool flat;    // a cut: shown in its colour as it is, without light
    bool floor, solid;
    bool on_glass;     // water that touches a clear solid
    V3 point, normal;  // normal smooth, on the side the ray came from
    V3 face;           // geometric normal on the same side
    bool leaving;      // the ray was in the body before
    V3 albedo;
    const LiquidLook* liquid;  // whose surface it is; NULL: no liquid's
    float t;
} TraceSurface;

// What is left of light after a way (stage units) through a liquid.
static inline V3 trace_absorb(const LiquidLook* liquid, float way) { return v3_exp(-way*v3_load(liquid->absorption)); }

V3 trace_smooth_normal(const DrawMesh* solid, const RayHit* hit);  // unit, out of the solid; flat at edges
bool trace_nearest(TraceSurface* surface, const Stage* stage, Ray ray);
void trace_floor(TraceSurface* surface, const Stage* stage, V3 point, float t);  // the floor at a point, t along the ray

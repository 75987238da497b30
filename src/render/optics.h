// The optics of a clear surface between two media, and directions about a normal.
#pragma once
#include <math.h>
#include <stdbool.h>
#include "base/vec.h"
#include "base/v3.h"

// What an unpolarised ray does on a smooth surface.
typedef struct Crossing {
    float reflected;  // share of the light, 1 under total reflection
    V3 mirror, bent;  // unit directions; bent is meaningless when all is reflected
} Crossing;

// d and n are unit vectors, n on the side d comes from (d.n < 0); eta = index there / index beyond.
// Snell's law gives cos_t^2 = 1 - eta^2 (1 - cos_i^2); Fresnel's equations with it, for the two polarisations,
//     r_s = (eta cos_i - cos_t)/(eta cos_i + cos_t),  r_p = (cos_i - eta cos_t)/(cos_i + eta cos_t),
// and natural light reflects the mean of their squares. Exact rather than Schlick's fit: on water seen from below the
// fit misses total reflection.
static inline Crossing optics_cross(V3 d, V3 n, float eta)
{
    float cos_i = -v3_dot(d, n), sin2_t = eta*eta*(1 - cos_i*cos_i);
    Crossing c = {.reflected = 1, .mirror = d + n*(2*cos_i)};
    if (sin2_t >= 1) return c;
    float cos_t = sqrtf(1 - sin2_t);
    float s = (eta*cos_i - cos_t)/(eta*cos_i + cos_t), p = (cos_i - eta*cos_t)/(cos_i + eta*cos_t);
    c.reflected = 0.5f*(s*s + p*p);
    c.bent = v3_unit(d*eta + n*(eta*cos_i - cos_t));
    return c;
}

// Weight cos/pi about n: a point of the unit disc, lifted to the hemisphere (Malley's method).
static inline V3 optics_cosine_direction(V3 n, const float u[2])
{
    float r = sqrtf(u[0]), a = 2*(float)PI*u[1];
    V3 x, y;
    v3_frame(&x, &y, n);
    return v3_unit(x*(r*cosf(a)) + y*(r*sinf(a)) + n*sqrtf(fmaxf(0, 1 - u[0])));
}

// The smooth normal, turned to the side the ray comes from. Near an outline interpolated normals can point away from the
// eye although the face does not; they are then bent back until the ray just grazes them.
static inline V3 optics_facing_normal(V3 smooth, V3 face, V3 d)
{
    if (v3_dot(face, d) > 0) face = -face, smooth = -smooth;
    float c = v3_dot(smooth, d);
    if (c > -0.02f) {
        smooth = v3_unit(smooth - d*(c + 0.02f));
        if (v3_dot(smooth, face) <= 0) return face;
    }
    return smooth;
}

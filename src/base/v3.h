// Three floats in one vector register, for directions, positions and colours of pictures. The compiler's vector type
// gives + - * with scalars and vectors, so the optics reads as in a book. The fourth lane is unused.
#pragma once
#include <math.h>

typedef float V3 __attribute__((vector_size(16)));

static inline V3 v3(float x, float y, float z) { return (V3){x, y, z, 0}; }
static inline V3 v3_splat(float x) { return (V3){x, x, x, 0}; }
static inline V3 v3_load(const float* p) { return (V3){p[0], p[1], p[2], 0}; }
static inline float v3_dot(V3 a, V3 b) { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2]; }
static inline float v3_length(V3 a) { return sqrtf(v3_dot(a, a)); }
static inline V3 v3_cross(V3 a, V3 b)
{
    return v3(a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]);
}

// The unit vector along a; a zero vector stays zero.
static inline V3 v3_unit(V3 a)
{
    float l = v3_length(a);
    return l > 0 ? a*(1/l) : a;
}

static inline V3 v3_mix(V3 a, V3 b, float t) { return a*(1 - t) + b*t; }
static inline V3 v3_exp(V3 a) { return v3(expf(a[0]), expf(a[1]), expf(a[2])); }
static inline V3 v3_min(V3 a, float limit) { return v3(fminf(a[0], limit), fminf(a[1], limit), fminf(a[2], limit)); }
static inline float v3_max_lane(V3 a) { return fmaxf(a[0], fmaxf(a[1], a[2])); }

// Brightness of a linear colour: the weights of Rec. 709.
static inline float v3_luminance(V3 c) { return 0.2126f*c[0] + 0.7152f*c[1] + 0.0722f*c[2]; }

static inline float smooth_step(float low, float high, float x)
{
    float t = (x - low)/(high - low);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t*t*(3 - 2*t);
}

// Two unit vectors that make a right-handed frame with the unit vector n. Branch-free construction of Duff et al.,
// "Building an orthonormal basis, revisited", JCGT 6(1), 2017.
static inline void v3_frame(V3* a, V3* b, V3 n)
{
    float s = copysignf(1, n[2]), k = -1/(s + n[2]), m = n[0]*n[1]*k;
    *a = v3(1 + s*n[0]*n[0]*k, s*m, -s*n[0]);
    *b = v3(m, s + n[1]*n[1]*k, -n[1]);
}

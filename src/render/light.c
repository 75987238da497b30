#include "render/light.h"

#include "base/vec.h"

// For clear liquids the key light stands behind the scene, to the left of the camera's view: light that comes through water
// towards the eye shows its edges, and the bright patch it throws falls to the front where it is seen.
StudioLight studio_light(double camera_azimuth, bool clear)
{
    StudioLight l = {.key_radius = 0.045f, .zenith = v3(0.28f, 0.39f, 0.56f), .horizon = v3(0.84f, 0.86f, 0.89f)};
    l.key_irradiance = v3(1.0f, 0.95f, 0.86f)*2.6f;
    float a = (float)((camera_azimuth + (clear ? 215 : -50))*PI/180), e = (float)(50*PI/180);
    l.key = v3(sinf(a)*cosf(e), sinf(e), cosf(a)*cosf(e));
    v3_frame(&l.key_a, &l.key_b, l.key);
    return l;
}

// Bright near the horizon and bluer above, with a wide glow about the key light so that its mirror image on calm water
// has no hard rim.
V3 light_sky(const StudioLight* l, V3 d)
{
    float h = fmaxf(d[1], 0);
    V3 sky = v3_mix(l->horizon, l->zenith, sqrtf(h)*(1.3f - 0.3f*h));
    float near = fmaxf(v3_dot(d, l->key), 0), glow = near*near;
    glow *= glow, glow *= glow, glow *= glow;  // cos^16
    return sky + v3(1.0f, 0.95f, 0.85f)*(0.55f*glow);
}

// Irradiance E over a disc of solid angle pi r^2 is radiance E/(pi r^2); the rim fades over the last tenth.
V3 light_key_disc(const StudioLight* l, V3 d)
{
    float r = l->key_radius, away = v3_length(v3_cross(d, l->key));
    if (v3_dot(d, l->key) <= 0 || away > r) return v3_splat(0);
    return l->key_irradiance*((1 - smooth_step(0.9f*r, r, away))/((float)PI*r*r));
}

V3 light_key_direction(const StudioLight* l, const float u[2])
{
    float r = l->key_radius*sqrtf(u[0]), a = 2*(float)PI*u[1];
    return v3_unit(l->key + l->key_a*(r*cosf(a)) + l->key_b*(r*sinf(a)));
}

#include "render/light.h"

#include "base/vec.h"

// For clear liquids the key light stands behind the scene, to the left of the camera's view: light that comes through water
// towards the eye shows its edges, and the bright patch it throws falls to the front where it is seen.
StudioLight studio_light(double camera_azimuth, bool clear, StudioSurroundings surroundings)
{
    StudioLight l = {.surroundings = surroundings,
                     .key_radius = 0.045f,
                     .zenith = v3(0.28f, 0.39f, 0.56f),
                     .horizon = v3(0.84f, 0.86f, 0.89f)};
    l.key_irradiance = v3(1.0f, 0.95f, 0.86f)*2.6f;
    float a = (float)((camera_azimuth + (clear ? 215 : -50))*PI/180), e = (float)(50*PI/180);
    l.back = v3(sinf(a), 0, cosf(a));
    l.across = v3(cosf(a), 0, -sinf(a));
    l.key = l.back*cosf(e) + v3(0, sinf(e), 0);
    v3_frame(&l.key_a, &l.key_b, l.key);
    return l;
}

// Bright near the horizon and bluer above, with a wide glow about the key light so that its mirror image on calm water
// has no hard rim.
static V3 sky(const StudioLight* l, V3 d)
{
    float h = fmaxf(d[1], 0);
    V3 sky = v3_mix(l->horizon, l->zenith, sqrtf(h)*(1.3f - 0.3f*h));
    float near = fmaxf(v3_dot(d, l->key), 0), glow = near*near;
    glow *= glow, glow *= glow, glow *= glow;  // cos^16
    return sky + v3(1.0f, 0.95f, 0.85f)*(0.55f*glow);
}

// A window of a wall: columns times rows of panes between bars. x along the wall, y up, in units of the tank's longest side.
typedef struct RoomWindow {
    float low[2], high[2];
    int panes[2];
} RoomWindow;

// How much of a pane is at a point, 0 to 1, with soft edges, so that mirror images in small drops do not flicker.
static float pane_at(const RoomWindow* w, float x, float y)
{
    const float at[2] = {x, y}, bar = 0.07f, soft = 0.03f;
    float open = 1;
    for (int d = 0; d < 2; d++) {
        float side = (w->high[d] - w->low[d])/(float)w->panes[d], along = at[d] - w->low[d];
        if (along < 0 || at[d] > w->high[d]) return 0;
        float from_bar = fmodf(along, side);
        from_bar = fminf(from_bar, side - from_bar);
        open *= smooth_step(bar - soft, bar + soft, from_bar);
    }
    return open;
}

// A room of 7 by 5 by 7 lengths of the tank, which stands in its middle, far smaller than the room to the eye (only directions
// count). Its back wall has a tall window with the key light in it, the wall to the right a lower one; bright panes beside dim
// walls are what edges of water and polished steel are seen by. Under the sky alone they look like pipes of chrome.
static V3 room(const StudioLight* l, V3 d)
{
    static const RoomWindow tall = {{-1.7f, 1.5f}, {1.7f, 4.7f}, {3, 4}}, low = {{-2.2f, 1.0f}, {0.6f, 2.6f}, {3, 2}};
    const float half = 3.5f, high = 5;
    float x = v3_dot(d, l->across), z = v3_dot(d, l->back), y = fmaxf(d[1], 0);
    float to_x = half/fmaxf(fabsf(x), 1e-6f), to_z = half/fmaxf(fabsf(z), 1e-6f), to_top = high/fmaxf(y, 1e-6f);
    if (to_top <= fminf(to_x, to_z)) return v3(0.42f, 0.41f, 0.39f);
    bool back = to_z < to_x;
    float t = back ? to_z : to_x, up = t*y, along = back ? t*x : t*z;
    float corner = smooth_step(0, 2.0f, half - fabsf(along)), shade = 0.17f + 0.16f*corner + 0.05f*up;
    V3 wall = v3(1.0f, 0.97f, 0.93f)*shade, day = v3_mix(v3(2.1f, 2.2f, 2.3f), v3(1.6f, 1.9f, 2.4f), up/high);
    if (back && z > 0) return v3_mix(wall, day, pane_at(&tall, along, up));
    if (!back && x > 0) return v3_mix(wall, day*0.7f, pane_at(&low, along, up));
    return wall;
}

V3 light_around(const StudioLight* l, V3 d) { return l->surroundings == SURROUNDINGS_ROOM ? room(l, d) : sky(l, d); }

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

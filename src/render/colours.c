#include "render/colours.h"

#include "base/vec.h"

static V3 blend(const float stop[][3], int last, double part)
{
    float x = (float)last*(float)clamp(part, 0, 1);
    int i = mini((int)x, last - 1);
    return v3_mix(v3_load(stop[i]), v3_load(stop[i + 1]), x - (float)i);
}

// Dark blue to pale yellow with evenly growing lightness, so that it also reads in grey: steps of about 14 in CIE L*.
V3 colour_of_speed(double part)
{
    static const float stop[7][3] = {{0.09f, 0.13f, 0.37f}, {0.12f, 0.29f, 0.55f}, {0.13f, 0.45f, 0.63f}, {0.20f, 0.61f, 0.63f},
                                     {0.45f, 0.75f, 0.56f}, {0.75f, 0.87f, 0.53f}, {0.99f, 0.97f, 0.68f}};
    return blend(stop, 6, part);
}

// Dark violet over red to yellow, lightness growing too.
V3 colour_of_film(double part)
{
    static const float stop[6][3] = {{0.16f, 0.06f, 0.30f}, {0.43f, 0.11f, 0.43f}, {0.70f, 0.19f, 0.36f},
                                     {0.90f, 0.37f, 0.19f}, {0.98f, 0.64f, 0.13f}, {0.99f, 0.94f, 0.50f}};
    return blend(stop, 5, part);
}

static float linear_lane(float x) { return x <= 0.04045f ? x/12.92f : powf((x + 0.055f)/1.055f, 2.4f); }

V3 colour_linear(V3 c) { return v3(linear_lane(c[0]), linear_lane(c[1]), linear_lane(c[2])); }

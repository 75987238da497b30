#include "render/colours.h"

#include "base/vec.h"

// Dark blue to pale yellow with evenly growing lightness, so that it also reads in grey: steps of about 14 in CIE L*.
V3 colour_of_speed(double part)
{
    static const float stop[7][3] = {{0.09f, 0.13f, 0.37f}, {0.12f, 0.29f, 0.55f}, {0.13f, 0.45f, 0.63f}, {0.20f, 0.61f, 0.63f},
                                     {0.45f, 0.75f, 0.56f}, {0.75f, 0.87f, 0.53f}, {0.99f, 0.97f, 0.68f}};
    float x = 6*(float)clamp(part, 0, 1);
    int i = mini((int)x, 5);
    return v3_mix(v3_load(stop[i]), v3_load(stop[i + 1]), x - (float)i);
}

static float linear_lane(float x) { return x <= 0.04045f ? x/12.92f : powf((x + 0.055f)/1.055f, 2.4f); }

V3 colour_linear(V3 c) { return v3(linear_lane(c[0]), linear_lane(c[1]), linear_lane(c[2])); }

// The light of the studio: surroundings, a soft sky or a room with windows, and one key light far away, a small disc on them.
#pragma once
#include <stdbool.h>
#include "base/v3.h"

typedef enum StudioSurroundings { SURROUNDINGS_SKY, SURROUNDINGS_ROOM } StudioSurroundings;

typedef struct StudioLight {
    StudioSurroundings surroundings;
    V3 key;              // unit, towards the light
    V3 key_a, key_b;     // unit, across it
    float key_radius;    // radians, of the disc
    V3 key_irradiance;   // on a surface that faces it
    V3 zenith, horizon;  // radiance of the sky
    V3 across, back;     // unit, level: of the room, along the wall with the large window and towards it
} StudioLight;

// Clear things are lit from behind, matte ones from the front left. The azimuth is that of the camera, in degrees.
StudioLight studio_light(double camera_azimuth, bool clear, StudioSurroundings surroundings);
V3 light_around(const StudioLight* l, V3 direction);             // radiance of the surroundings, without the key light
V3 light_key_disc(const StudioLight* l, V3 direction);           // radiance of the disc; zero beside it
V3 light_key_direction(const StudioLight* l, const float u[2]);  // a point of the disc, uniformly

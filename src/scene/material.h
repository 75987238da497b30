// Liquids by name, and materials written in scenes.
#pragma once
#include "scene/read.h"

typedef struct Preset {
    Material material;
    const char* source;  // where the numbers are from
} Preset;

extern const Preset presets[];                // ends with an empty name
const Preset* preset_find(const char* name);  // NULL if there is none

// n.key, a material; *out is left alone when the key is absent.
mn_status material_read(Material* out, const Node* n, const char* key);
// n.contact_angle of a solid or the domain: an angle or { advancing = ..., receding = ... }; advancing = -1 when absent.
mn_status angle_read(SceneAngle* out, const Node* n);

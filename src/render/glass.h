// Solids whose name begins with "glass", in the style of water: clear walls. Light goes straight through them, as through
// a thin pane, and loses what they mirror and absorb. They are no part of the rays' scene but are looked up beside it, along
// each stretch of a path: water lies so close on glass that a ray stopping at one would now and then miss the other.
#pragma once
#include "render/trace.h"


// Marks the wet faces of stage->liquid within `reach` of stage->glass as WET_GLASS and fills stage->wet_normal: there the
// water has the shape of the wall, which the glass knows more smoothly than the faces of the water.
mn_status glass_find_wet(Stage* stage, float reach);

// A stretch of a path, from the ray's origin to t_max along it.
typedef struct GlassStretch {
    Ray ray;
    float t_max;
    bool wet_start;  // begins in water or on water that touches glass: the first wall has no air before it
    bool inside;     // lies in water: no wall on it mirrors
    bool glints;     // the key light is seen in the mirror; further along a path that only makes noise
} GlassStretch;

// Dims *weight by what the walls on the way take, and adds to *light (unless NULL) what they mirror towards the eye. Returns
// the normal of the first wall, or zero: there is an outline where it changes.
V3 glass_cross(V3* light, V3* weight, const Stage* stage, const GlassStretch* stretch);

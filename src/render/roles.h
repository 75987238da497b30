// What the layers of a frame are in pictures.
#pragma once
#include "output/runfiles.h"
#include "render/looks.h"

typedef enum Role {
    ROLE_LIQUID,  // the surface
    ROLE_BODY,    // any other closed mesh: triangles in 3D, outlines in 2D
    ROLE_BALLS,   // points with a radius: drops of liquid
    ROLE_FILM,    // points with a thickness
    ROLE_CURVES,  // edges with a radius
    ROLE_NONE     // nothing a picture could show
} Role;

Role role_of(const Layer* layer, int dim);
bool role_is_sheet(const Layer* layer);  // a body that is open and has no inside
// How a body looks: as run.json tells for solids, else by its name.
const SolidLook* role_body_look(const Layer* body, const RunFiles* run);

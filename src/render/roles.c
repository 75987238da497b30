#include "render/roles.h"

#include <string.h>

Role role_of(const Layer* layer, int dim)
{
    bool radius = layer_reals(layer, "radius");
    if (!strcmp(layer->name, "surface")) return ROLE_LIQUID;
    if (layer->kind == LAYER_POINTS) return radius ? ROLE_BALLS : layer_reals(layer, "thickness") ? ROLE_FILM : ROLE_NONE;
    if (layer->kind == LAYER_EDGES && radius) return ROLE_CURVES;
    return layer->kind == (LayerKind)dim ? ROLE_BODY : ROLE_NONE;
}

bool role_is_sheet(const Layer* layer) { return !strncmp(layer->name, "sheet_", 6); }

const SolidLook* role_body_look(const Layer* body, const RunFiles* run)
{
    for (int m = 0; m < run->solid_count; m++) {
        char name[LAYER_NAME];
        runsolid_layer(name, &run->solids[m]);
        if (!strcmp(body->name, name))
            return look_of_solid(run->solids[m].look, run->solids[m].sort == RUN_SOLID ? run->solids[m].name : "");
    }
    return look_of_solid("", body->name);
}

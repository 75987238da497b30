#include "scene/material.h"

#include <stdio.h>
#include <string.h>
#include "base/vec.h"
#include "scene/read_scene.h"

#define RIGHT (PI/2)  // contact angle unless told: it belongs to the pair of liquid and solid, not to the liquid

// At 20 C against air. docs/scenes.md shows this table.
const Preset presets[] = {
    {{"water", 998.2, 0.0728, 1.002e-3, RIGHT, false}, "CRC Handbook of Chemistry and Physics; IAPWS R1-76: 72.75 mN/m"},
    {{"milk", 1030, 0.046, 2.1e-3, RIGHT, false},
     "whole milk: sigma as used by [ruan2021] ([bertsch1983] measures 52 +- 2 mN/m); rho, mu typical for 20 C"},
    {{"ethanol", 789.3, 0.0221, 1.20e-3, RIGHT, false}, "CRC Handbook of Chemistry and Physics"},
    {{"silicone_oil_20cSt", 949, 0.0206, 0.01898, RIGHT, false},
     "rho, sigma of the vibrating bath of [wang2023bouncing]; mu = 20 cSt times rho"},
    {{"tetradecane", 762, 0.02656, 2.128e-3, RIGHT, false}, "colliding drops of [wang2023bouncing], after [qian1997]"},
    {{"mercury", 13546, 0.4865, 1.554e-3, RIGHT, false}, "CRC Handbook of Chemistry and Physics; sigma: [jasper1972]"},
    {{"honey", 1420, 0.055, 10, RIGHT, false}, "typical only: honeys differ tenfold in mu with water content"},
    {{"", 0, 0, 0, 0, false}, NULL},
};

const Preset* preset_find(const char* name)
{
    for (const Preset* p = presets; p->source; p++)
        if (strcmp(p->material.name, name) == 0) return p;
    return NULL;
}

// An angle in radians, at most pi; *out is left alone when the key is absent.
static mn_status read_angle(double* out, const Node* n, const char* key, Need need)
{
    TRY(node_number(out, n, key, NOT_NEGATIVE, "angle in radians, at most pi", need));
    if (*out <= PI*(1 + 1e-12)) return MN_OK;
    return node_fail(n, key, "expected an angle in radians, at most pi, got %g; degrees(%g)?", *out, *out);
}

mn_status angle_read(SceneAngle* out, const Node* n)
{
    static const char* const keys[] = {"advancing", "receding", NULL};
    lua_State* L = n->reader->L;
    *out = (SceneAngle){-1, -1};
    lua_pushstring(L, "contact_angle");
    bool is_table = lua_rawget(L, n->table) == LUA_TTABLE;
    lua_pop(L, 1);
    if (!is_table) {
        TRY(read_angle(&out->advancing, n, "contact_angle", OPTIONAL));
        out->receding = out->advancing;
        return MN_OK;
    }
    Node a;
    bool present;
    TRY(node_open(&a, &present, n, "contact_angle", "an angle, or { advancing = ..., receding = ... }"));
    TRY(node_check_keys(&a, keys, NULL, false));
    TRY(read_angle(&out->advancing, &a, "advancing", REQUIRED));
    TRY(read_angle(&out->receding, &a, "receding", REQUIRED));
    if (out->receding > out->advancing)
        return node_fail(&a, "receding", "expected at most the advancing angle, %g, got %g", out->advancing, out->receding);
    node_close(&a);
    return MN_OK;
}

// One function serves the whole scene: liquids meet, and what they become has to have a sigma too.
static mn_status read_sigma_function(const Node* m)
{
    lua_State* L = m->reader->L;
    Scene* scene = m->reader->scene;
    lua_pushstring(L, "sigma");
    lua_rawget(L, m->table);
    if (!scene->sigma_function) return function_keep(&scene->sigma_function, m, "sigma");
    lua_rawgeti(L, LUA_REGISTRYINDEX, scene->lua->functions[scene->sigma_function - 1].reference);
    bool same = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return same ? MN_OK : node_fail(m, "sigma", "is another function than that of an earlier liquid; a scene can have only one");
}

// "a material (water, milk, ...) or ...": what messages say is expected.
static void list_materials(char* out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "a material: water");
    for (const Preset* p = presets + 1; p->source && used < size; p++)
        used += (size_t)snprintf(out + used, size - used, ", %s", p->material.name);
    if (used < size) snprintf(out + used, size - used, " or material { rho = ..., sigma = ..., mu = ... }");
}

mn_status material_read(Material* out, const Node* n, const char* key)
{
    static const char* const keys[] = {"name", "rho", "sigma", "mu", "contact_angle", NULL};
    Node m;
    bool present;
    char expected[500];
    list_materials(expected, sizeof expected);
    TRY(node_open(&m, &present, n, key, expected));
    if (!present) return MN_OK;
    const char* kind = table_kind(n->reader->L, m.table);
    if (!kind || strcmp(kind, "material") != 0) {
        char got[96];
        describe_value(got, n->reader->L, m.table);
        node_close(&m);
        return node_fail(n, key, "expected %s, got %s", expected, got);
    }
    Material value = {.name = "custom", .contact_angle = RIGHT};
    TRY(node_check_keys(&m, keys, NULL, false));
    TRY(node_name(value.name, &m, "name"));
    TRY(node_number(&value.rho, &m, "rho", POSITIVE, "density in kg/m^3", REQUIRED));
    value.sigma_varies = node_is_function(&m, "sigma");
    if (value.sigma_varies) TRY(read_sigma_function(&m));
    else
        TRY(node_number(&value.sigma, &m, "sigma", NOT_NEGATIVE, "surface tension in N/m, or a function of the place", REQUIRED));
    TRY(node_number(&value.mu, &m, "mu", NOT_NEGATIVE, "viscosity in Pa s", REQUIRED));
    TRY(read_angle(&value.contact_angle, &m, "contact_angle", OPTIONAL));
    if (value.sigma_varies && value.mu == 0)
        return node_fail(&m, "mu", "expected a positive viscosity: sigma varies, and only friction holds what it pulls along");
    *out = value;
    node_close(&m);
    return MN_OK;
}

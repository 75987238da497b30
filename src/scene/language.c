#include "scene/language.h"

#include <lauxlib.h>
#include <stdbool.h>
#include <string.h>
#include "base/vec.h"
#include "scene/material.h"
#include "scene/read.h"
#include "scene/sandbox.h"
#include "scene/source.h"

const char* const shape_kinds[] = {"box",          "sphere",     "ellipsoid", "capsule", "cylinder", "torus",
                                   "halfspace",    "pool",       "mesh",      "shape",   "polygon",  "union",
                                   "intersection", "difference", "move",      "rotate",  "scale",    NULL};

const char* const sheet_kinds[] = {"curve", "arc", "rectangle", "disc", "tube", "cup", "dome", NULL};

static const struct Unit {
    const char* name;
    double factor;
} units[] = {
    {"m", 1},           {"cm", 1e-2},   {"mm", 1e-3},          {"um", 1e-6},         {"s", 1},           {"ms", 1e-3},
    {"us", 1e-6},       {"hz", 1},      {"degrees", PI/180}, {"rpm", 2*PI/60}, {"m_per_s", 1},     {"cm_per_s", 1e-2},
    {"mm_per_s", 1e-3}, {"N_per_m", 1}, {"mN_per_m", 1e-3},    {"Pa_s", 1},          {"mPa_s", 1e-3},    {"kg_per_m3", 1},
    {"g_per_cm3", 1e3}, {"ml", 1e-6},   {"ul", 1e-9},          {"ml_per_s", 1e-6},   {"ul_per_s", 1e-9},
};

bool kind_is_shape(const char* kind)
{
    for (int i = 0; kind && shape_kinds[i]; i++)
        if (strcmp(kind, shape_kinds[i]) == 0) return true;
    return false;
}

// mm(3) is 0.003; mm(1, 2, 3) gives three numbers, so that { mm(1, 2, 3) } is a point.
static int convert(lua_State* L)
{
    const struct Unit* unit = lua_touserdata(L, lua_upvalueindex(1));
    int n = lua_gettop(L);
    sandbox_work(L, n);
    if (n == 0) return luaL_error(L, "%s: expected a number, as in %s(5)", unit->name, unit->name);
    for (int i = 1; i <= n; i++) {
        if (lua_type(L, i) != LUA_TNUMBER)
            return luaL_error(L, "%s: expected a number, got a %s", unit->name, luaL_typename(L, i));
        lua_pushnumber(L, unit->factor*lua_tonumber(L, i));
        lua_replace(L, i);
    }
    return n;
}

static int calling_line(lua_State* L)
{
    lua_Debug info;
    if (!lua_getstack(L, 1, &info) || !lua_getinfo(L, "Sl", &info)) return 0;
    return source_place(sandbox_file(info.short_src), info.currentline);
}

// Copies the fields of the table at `from` into the one on top of the stack.
static void copy_fields(lua_State* L, int from)
{
    int to = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, from); lua_pop(L, 1)) {
        sandbox_work(L, 2);
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, to);
    }
}

// A constructor copies its table, so that a scene may use one table for two calls, and marks the copy with what it is
// and where it was made. What the fields mean is looked at when the scene is read: only then is their place in it known.
static int construct(lua_State* L)
{
    const char* kind = lua_touserdata(L, lua_upvalueindex(1));
    if (lua_type(L, 1) != LUA_TTABLE) {
        const char* got = lua_isnone(L, 1) ? "nothing" : luaL_typename(L, 1);
        return luaL_error(L, "%s: expected a table, %s { ... }, got %s", kind, kind, got);
    }
    lua_settop(L, 1);
    lua_newtable(L);
    copy_fields(L, 1);
    table_mark(L, 2, kind, calling_line(L));
    if (strcmp(kind, "material") == 0) luaL_setmetatable(L, "material");
    return 1;
}

// water { sigma = 0 }: the same liquid with some fields changed.
static int change_material(lua_State* L)
{
    if (lua_type(L, 2) != LUA_TTABLE) return luaL_error(L, "material: expected a table of changes, as in water { sigma = 0 }");
    lua_settop(L, 2);
    lua_newtable(L);
    copy_fields(L, 1);
    copy_fields(L, 2);
    table_mark(L, 3, table_kind(L, 1), calling_line(L));
    luaL_setmetatable(L, "material");
    return 1;
}

static void add_constructor(lua_State* L, const char* kind)
{
    lua_pushlightuserdata(L, (void*)kind);
    lua_pushcclosure(L, construct, 1);
    lua_setglobal(L, kind);
}

static void add_preset(lua_State* L, const Material* m, const char* kind)
{
    lua_newtable(L);
    lua_pushstring(L, m->name);
    lua_setfield(L, -2, "name");
    lua_pushnumber(L, m->rho);
    lua_setfield(L, -2, "rho");
    lua_pushnumber(L, m->sigma);
    lua_setfield(L, -2, "sigma");
    lua_pushnumber(L, m->mu);
    lua_setfield(L, -2, "mu");
    lua_pushnumber(L, m->contact_angle);
    lua_setfield(L, -2, "contact_angle");
    table_mark(L, -1, kind, 0);
    luaL_setmetatable(L, "material");
    lua_setglobal(L, m->name);
}

mn_status language_open(lua_State* L, void* unused)
{
    (void)unused;
    static const char material[] = "material", scene[] = "scene";
    luaL_newmetatable(L, "material");
    lua_pushcfunction(L, change_material);
    lua_setfield(L, -2, "__call");
    lua_pop(L, 1);
    for (int i = 0; shape_kinds[i]; i++) add_constructor(L, shape_kinds[i]);
    for (int i = 0; sheet_kinds[i]; i++) add_constructor(L, sheet_kinds[i]);
    add_constructor(L, material);
    add_constructor(L, scene);
    for (const Preset* p = presets; p->source; p++) add_preset(L, &p->material, material);
    for (size_t i = 0; i < sizeof units/sizeof *units; i++) {
        lua_pushlightuserdata(L, (void*)&units[i]);
        lua_pushcclosure(L, convert, 1);
        lua_setglobal(L, units[i].name);
    }
    return MN_OK;
}

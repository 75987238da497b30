#include "scene/place_function.h"

#include <lauxlib.h>
#include <math.h>
#include "scene/include.h"
#include "scene/read_scene.h"
#include "scene/sandbox.h"
#include "scene/source.h"

// Reads the results from stack index `first` on. False: they are not what is wanted.
static bool collect(double* out, int wanted, lua_State* L, int first)
{
    bool table = lua_type(L, first) == LUA_TTABLE;
    lua_Unsigned count = table ? lua_rawlen(L, first) : (lua_Unsigned)(lua_gettop(L) - first + 1);
    if (count != (lua_Unsigned)wanted || (table && lua_gettop(L) > first)) return false;
    for (int m = 0; m < wanted; m++) {
        if (table) lua_rawgeti(L, first, m + 1);
        else lua_pushvalue(L, first + m);
        bool good = lua_type(L, -1) == LUA_TNUMBER && isfinite(lua_tonumber(L, -1));
        out[m] = good ? lua_tonumber(L, -1) : 0;
        lua_pop(L, 1);
        if (!good) return false;
    }
    return true;
}

mn_status scene_function_at(double* out, int wanted, const Scene* scene, int function, const double* arguments, int given,
                            const char* what)
{
    Sandbox* box = scene->lua->box;
    lua_State* L = sandbox_state(box);
    const TimeFunction* f = &scene->lua->functions[function - 1];
    int top = lua_gettop(L);
    if (!lua_checkstack(L, 12)) return mn_fail(MN_NO_MEMORY, "no memory to call a function of %s", scene->path);
    lua_rawgeti(L, LUA_REGISTRYINDEX, f->reference);
    for (int m = 0; m < given; m++) lua_pushnumber(L, arguments[m]);
    TRY(sandbox_call(box, given, LUA_MULTRET));
    bool good = collect(out, wanted, L, top + 1);
    lua_settop(L, top);
    if (good) return MN_OK;
    return mn_fail(MN_BAD_SCENE, "%s:%d: %s: at (%g, %g, %g) the function must return %s", scene_file_name(scene, f->line),
                   source_line(f->line), f->path, arguments[0], given > 1 ? arguments[1] : 0, given > 2 ? arguments[2] : 0, what);
}

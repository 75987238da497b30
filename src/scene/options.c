#include "scene/options.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/plaintext.h"
#include "scene/sandbox.h"
#include "scene/sandbox_library.h"
#include "scene/words.h"

#define MAX_OPTIONS 1000

// Options are shown and typed: `meniscus check` lists them on a terminal.
static bool is_plain(const char* text)
{
    char* plain = text_plain_copy(text);
    bool same = plain && strcmp(plain, text) == 0;
    free(plain);
    return same;
}

static SceneOption* find(const SceneOptions* options, const char* name)
{
    for (int i = 0; i < options->count; i++)
        if (strcmp(options->option[i].name, name) == 0) return &options->option[i];
    return NULL;
}

// Takes a copy of both; NULL without memory.
static SceneOption* add(SceneOptions* options, const char* name, const char* value)
{
    SceneOption* grown = realloc(options->option, (size_t)(options->count + 1)*sizeof *grown);
    if (!grown) return NULL;
    options->option = grown;
    SceneOption* o = &grown[options->count];
    *o = (SceneOption){.name = strdup(name), .value = strdup(value)};
    if (o->name && o->value) return &grown[options->count++];
    free(o->name);
    free(o->value);
    return NULL;
}

static mn_status set_one(SceneOptions* options, const char* setting)
{
    const char* equals = strchr(setting, '=');
    if (!equals || equals == setting)
        return mn_fail(MN_BAD_ARGUMENT, "--set '%s': expected NAME=VALUE, as in --set tension=false", setting);
    char* name = strndup(setting, (size_t)(equals - setting));
    bool twice = name && find(options, name);
    SceneOption* o = name && !twice ? add(options, name, equals + 1) : NULL;
    free(name);
    if (twice) return mn_fail(MN_BAD_ARGUMENT, "--set '%s': set twice", setting);
    if (!o) return mn_fail(MN_NO_MEMORY, "no memory for --set '%s'", setting);
    o->given = true;
    return MN_OK;
}

mn_status options_set(SceneOptions* options, const char* const* settings)
{
    for (; settings && *settings; settings++) TRY(set_one(options, *settings));
    return MN_OK;
}

void options_free(SceneOptions* options)
{
    for (int i = 0; i < options->count; i++) {
        free(options->option[i].name);
        free(options->option[i].value);
    }
    free(options->option);
    *options = (SceneOptions){0};
}

// ---------------------------------------------------------------- the scene's side

// The user's text as a value of the default's type, on the stack.
static int push_given(lua_State* L, const SceneOption* o)
{
    int type = lua_type(L, 2);
    if (type == LUA_TSTRING) {
        lua_pushstring(L, o->value);
    } else if (type == LUA_TBOOLEAN) {
        bool yes = strcmp(o->value, "true") == 0;
        if (!yes && strcmp(o->value, "false") != 0)
            return luaL_error(L, "option '%s' is set to '%s'; expected true or false", o->name, o->value);
        lua_pushboolean(L, yes);
    } else if (lua_stringtonumber(L, o->value) == 0 || !isfinite(lua_tonumber(L, -1))) {
        return luaL_error(L, "option '%s' is set to '%s'; expected a number", o->name, o->value);
    }
    return 1;
}

// option(name, default): the user's value if there is one, else the default, which also says of which type it is.
static int ask(lua_State* L)
{
    SceneOptions* options = lua_touserdata(L, lua_upvalueindex(1));
    if (!sandbox_runs_file(L)) return luaL_error(L, "option cannot be used in a function of time: ask before, in the file");
    int type = lua_type(L, 2);
    if (lua_type(L, 1) != LUA_TSTRING || (type != LUA_TSTRING && type != LUA_TBOOLEAN && type != LUA_TNUMBER))
        return luaL_error(L, "option: expected a name and a default, as in option(\"cells\", 64)");
    const char* name = lua_tostring(L, 1);
    if (*name == '\0' || strchr(name, '=')) return luaL_error(L, "option: '%s' cannot be set: it is empty or has a '='", name);
    lua_settop(L, 2);
    sandbox_work(L, options->count);
    SceneOption* o = find(options, name);
    if (!o) {
        if (options->count >= MAX_OPTIONS) return luaL_error(L, "option: more than %d options", MAX_OPTIONS);
        sandbox_take_memory(L, strlen(name) + (size_t)lua_rawlen(L, 2));
        const char* value = luaL_tolstring(L, 2, NULL);
        if (!is_plain(name) || !is_plain(value)) return luaL_error(L, "option: '%s' or its default has control characters", name);
        o = add(options, name, value);
        if (!o) return luaL_error(L, "not enough memory");
        lua_pop(L, 1);
    }
    o->asked = true;
    if (!o->given) return 1;
    return push_given(L, o);
}

mn_status options_open(lua_State* L, void* options)
{
    lua_pushlightuserdata(L, options);
    lua_pushcclosure(L, ask, 1);
    lua_setglobal(L, "option");
    return MN_OK;
}

mn_status options_check(const SceneOptions* options, const char* path)
{
    const SceneOption* stranger = NULL;
    char known[300] = "";
    for (int i = 0; i < options->count; i++) {
        const SceneOption* o = &options->option[i];
        if (!o->asked && !stranger) stranger = o;
        if (!o->asked) continue;
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", o->name);
    }
    if (!stranger) return MN_OK;
    Nearest nearest = nearest_start(stranger->name);
    for (int i = 0; i < options->count; i++)
        if (options->option[i].asked) nearest_try(&nearest, options->option[i].name);
    if (nearest.word)
        return mn_fail(MN_BAD_ARGUMENT, "--set %s: %s has no such option; did you mean '%s'?", stranger->name, path,
                       nearest.word);
    return mn_fail(MN_BAD_ARGUMENT, "--set %s: %s has no such option; %s%s", stranger->name, path,
                   known[0] ? "it has: " : "it has none", known);
}

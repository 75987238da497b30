#include "scene/print.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>
#include "base/plaintext.h"
#include "scene/sandbox.h"

// One value, as Lua's print shows it; a table by its name alone, since its address is different in every run.
static void add_value(char text[PRINTED_LINE], lua_State* L, int index)
{
    size_t used = strlen(text);
    int type = lua_type(L, index);
    bool plain = type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING;
    const char* shown = plain ? luaL_tolstring(L, index, NULL) : lua_typename(L, type);
    snprintf(text + used, PRINTED_LINE - used, "%s%s", index > 1 ? "  " : "", shown);
    if (plain) lua_pop(L, 1);
}

static int print(lua_State* L)
{
    ScenePrints* p = lua_touserdata(L, lua_upvalueindex(1));
    char text[PRINTED_LINE] = "";
    int values = lua_gettop(L);
    sandbox_work(L, 10 + values);
    if (p->closed) return 0;
    if (p->count == PRINTED_LINES) return p->missed++, 0;
    for (int n = 1; n <= values; n++) add_value(text, L, n);
    text_plain(p->line[p->count++], PRINTED_LINE, text);
    return 0;
}

mn_status print_open(lua_State* L, void* prints)
{
    lua_pushlightuserdata(L, prints);
    lua_pushcclosure(L, print, 1);
    lua_setglobal(L, "print");
    return MN_OK;
}

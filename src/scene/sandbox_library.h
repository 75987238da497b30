// The part of Lua's own library that a scene may use, changed where it could run without end or differ between runs.
#pragma once
#include <lua.h>
#include <stdbool.h>

void sandbox_library_open(lua_State* L);  // inside a protected call; fills the globals
bool sandbox_is_spent(lua_State* L);      // a limit was passed in the running call
bool sandbox_runs_file(lua_State* L);     // the file itself runs, not a function of time

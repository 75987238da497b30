// The words that a scene file finds besides Lua's own: constructors, units, materials.
#pragma once
#include <lua.h>
#include <stdbool.h>
#include "base/status.h"

// The kinds that constructors mark their tables with, each with its own address (see table_kind).
extern const char* const shape_kinds[];               // NULL-ended; the same words are the constructors' names
extern const char* const sheet_kinds[];               // NULL-ended: what only sheets are; meshes are shapes, too
mn_status language_open(lua_State* L, void* unused);  // fills the globals; for sandbox_guard
bool kind_is_shape(const char* kind);                 // NULL is none

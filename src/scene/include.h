// The files a scene is made of: its own and those it includes, `include("other.lua", arguments...)`.
#pragma once
#include <lua.h>
#include "base/status.h"
#include "scene/scene.h"

#define SCENE_MAX_FILE (1 << 20)  // bytes: Lua's parser is not under the limits of the sandbox
#define SCENE_MAX_INCLUDES 32     // calls of include in one scene

// The bytes of a scene file, from malloc.
mn_status scene_read_text(char** text, const char* path);
mn_status scene_files_init(Scene* scene);  // of its path and text
void scene_files_free(Scene* scene);
// Adds the word `include` to the language; for sandbox_guard, with the SceneFiles as context.
mn_status include_open(lua_State* L, void* files);

// Name and text of the file that a place (source_place) lies in.
const char* scene_file_name(const Scene* scene, int place);
const char* scene_file_text(const Scene* scene, int place);
const char* scene_file_by_number(const void* files, int file);  // its name

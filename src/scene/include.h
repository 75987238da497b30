// The files a scene is made of: its own and those it includes, `include("other.lua", arguments...)`.
#pragma once
#include <lua.h>
#include "base/status.h"
#include "scene/scene.h"

#define SCENE_MAX_FILE (1 << 20)  // bytes: Lua's parser is not under the limits of the sandbox
#define SCENE_MAX_INCLUDES 32     // calls of include in one scene

enum { SCENE_PATH_ROOM = 4096 };
#define SCENE_IS_OUTSIDE "%s lies outside the scene's folder; --allow-outside lets a scene read there"

// The bytes of a scene file, from malloc.
mn_status scene_read_text(char** text, const char* path);
// The folder of a scene's path with the / after it; "" for the present one. Names in a scene are relative to it.
void scene_folder(char out[SCENE_PATH_ROOM], const char* path);
// Files outside its folder are a scene's to read only if its user says so. Links count as what they lead to.
bool scene_may_read(const Scene* scene, const char* path);
mn_status scene_files_init(Scene* scene);  // of its path and text
void scene_files_free(Scene* scene);
// Adds the word `include` to the language; for sandbox_guard. The scene must stay where it is while its file runs.
mn_status include_open(lua_State* L, void* scene);

// Name and text of the file that a place (source_place) lies in.
const char* scene_file_name(const Scene* scene, int place);
const char* scene_file_text(const Scene* scene, int place);
const char* scene_file_by_number(const void* files, int file);  // its name

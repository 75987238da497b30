#include "scene/include.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/readfile.h"
#include "scene/sandbox.h"
#include "scene/sandbox_library.h"
#include "scene/source.h"

mn_status scene_read_text(char** text, const char* path)
{
    size_t size;
    TRY(file_read_all(text, &size, path, SCENE_MAX_FILE, "a scene, a text file"));
    if (!memchr(*text, 0, size)) return MN_OK;
    free(*text);
    *text = NULL;
    return mn_fail(MN_BAD_SCENE, "%s: not text; is it a scene?", path);
}

void scene_folder(char out[SCENE_PATH_ROOM], const char* path)
{
    const char* slash = strrchr(path, '/');
    snprintf(out, SCENE_PATH_ROOM, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
}

bool scene_may_read(const Scene* scene, const char* path)
{
    char folder[SCENE_PATH_ROOM];
    scene_folder(folder, scene->path);
    return scene->allow_outside || path_is_below(path, folder);
}

mn_status scene_files_init(Scene* scene)
{
    SceneFiles* files = scene->files = calloc(1, sizeof *files);
    if (files) files->file = malloc(sizeof *files->file);
    if (!files || !files->file) return mn_fail(MN_NO_MEMORY, "no memory to read %s", scene->path);
    files->file[files->count++] = (SceneFile){scene->path, scene->text};
    return MN_OK;
}

void scene_files_free(Scene* scene)
{
    if (!scene->files) return;
    for (int m = 1; m < scene->files->count; m++) free(scene->files->file[m].name), free(scene->files->file[m].text);
    free(scene->files->file);
    free(scene->files);
    scene->files = NULL;
}

static const SceneFile* file_of(const SceneFiles* files, int number)
{
    return &files->file[number >= 0 && number < files->count ? number : 0];
}

const char* scene_file_by_number(const void* files, int file) { return file_of(files, file)->name; }
const char* scene_file_name(const Scene* scene, int place) { return file_of(scene->files, source_file(place))->name; }
const char* scene_file_text(const Scene* scene, int place) { return file_of(scene->files, source_file(place))->text; }

// A scene reads nothing but scenes, and no hidden ones. Names that lead out of its folder are refused before anything is looked
// for there.
static bool is_scene_name(const char* name, bool anywhere)
{
    size_t n = strlen(name);
    if (n < 5 || n > 2000 || strcmp(name + n - 4, ".lua") != 0 || strchr(name, '\\')) return false;
    for (const char* part = name; part; part = strchr(part, '/'), part = part ? part + 1 : NULL)
        if (part[0] == '.' && !(anywhere && strncmp(part, "../", 3) == 0)) return false;
    return anywhere || name[0] != '/';
}

// Adds the file to the scene. Whoever fails leaves nothing behind: the scene may have caught the error and go on.
static mn_status take_file(const Scene* scene, const char* name)
{
    SceneFiles* files = scene->files;
    SceneFile* grown = realloc(files->file, (size_t)(files->count + 1)*sizeof *grown);
    if (!grown) return mn_fail(MN_NO_MEMORY, "no memory to read %s", name);
    files->file = grown;
    char path[SCENE_PATH_ROOM] = "";
    if (name[0] != '/') scene_folder(path, scene->path);
    size_t used = strlen(path);
    if (snprintf(path + used, sizeof path - used, "%s", name) >= (int)(sizeof path - used))
        return mn_fail(MN_IO, "%s: the path is too long", name);
    if (!scene_may_read(scene, path)) return mn_fail(MN_BAD_SCENE, SCENE_IS_OUTSIDE, name);
    SceneFile file = {.name = strdup(path)};
    mn_status status = file.name ? scene_read_text(&file.text, path) : mn_fail(MN_NO_MEMORY, "no memory to read %s", name);
    if (status != MN_OK) {
        free(file.name);
        return status;
    }
    files->file[files->count++] = file;
    return MN_OK;
}

// include(name, ...): runs another file with the arguments as its `...` and gives what that returns.
static int include(lua_State* L)
{
    if (!sandbox_runs_file(L)) return luaL_error(L, "include cannot be used in a function of time");
    const Scene* scene = lua_touserdata(L, lua_upvalueindex(1));
    const SceneFiles* files = scene->files;
    if (lua_type(L, 1) != LUA_TSTRING) {
        const char* got = lua_isnone(L, 1) ? "nothing" : luaL_typename(L, 1);
        return luaL_error(L, "include: expected the name of a file, include \"other.lua\", got %s", got);
    }
    const char* name = lua_tostring(L, 1);
    if (!is_scene_name(name, scene->allow_outside)) {
        return luaL_error(L, "include: \"%s\": expected the name of a .lua file in the scene's folder or below it", name);
    }
    if (files->count > SCENE_MAX_INCLUDES)
        return luaL_error(L, "include: more than %d files; do they include each other?", SCENE_MAX_INCLUDES);
    if (take_file(scene, name) != MN_OK) return luaL_error(L, "include: %s", mn_last_error());
    const SceneFile* f = &files->file[files->count - 1];
    sandbox_take_memory(L, strlen(f->text));
    char chunk[SANDBOX_CHUNK_ROOM];
    if (luaL_loadbufferx(L, f->text, strlen(f->text), sandbox_chunk(chunk, files->count - 1), "t") != LUA_OK) return lua_error(L);
    lua_replace(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

mn_status include_open(lua_State* L, void* scene)
{
    lua_pushlightuserdata(L, scene);
    lua_pushcclosure(L, include, 1);
    lua_setglobal(L, "include");
    return MN_OK;
}

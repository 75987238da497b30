#include "scene/include.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "scene/sandbox.h"
#include "scene/sandbox_library.h"
#include "scene/source.h"

mn_status scene_read_text(char** text, const char* path)
{
    *text = NULL;
    FILE* file = fopen(path, "rb");
    if (!file) return mn_fail(MN_IO, "%s: %s", path, strerror(errno));
    struct stat info;
    mn_status status = MN_OK;
    char* bytes = malloc(SCENE_MAX_FILE + 2);
    size_t size = bytes ? fread(bytes, 1, SCENE_MAX_FILE + 1, file) : 0;
    if (!bytes) {
        status = mn_fail(MN_NO_MEMORY, "no memory to read %s", path);
    } else if (fstat(fileno(file), &info) != 0 || S_ISDIR(info.st_mode)) {
        status = mn_fail(MN_IO, "%s: is not a file", path);
    } else if (ferror(file)) {
        status = mn_fail(MN_IO, "%s: %s", path, strerror(errno));
    } else if (size > SCENE_MAX_FILE) {
        status = mn_fail(MN_BAD_SCENE, "%s: larger than %d bytes; is it a scene?", path, SCENE_MAX_FILE);
    } else if (memchr(bytes, 0, size)) {
        status = mn_fail(MN_BAD_SCENE, "%s: not text; is it a scene?", path);
    }
    fclose(file);
    if (status != MN_OK) {
        free(bytes);
        return status;
    }
    bytes[size] = 0;
    *text = bytes;
    return MN_OK;
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

static const SceneFile* file_of(const SceneFiles* files, int number) { return &files->file[number < files->count ? number : 0]; }

const char* scene_file_by_number(const void* files, int file) { return file_of(files, file)->name; }
const char* scene_file_name(const Scene* scene, int place) { return file_of(scene->files, source_file(place))->name; }
const char* scene_file_text(const Scene* scene, int place) { return file_of(scene->files, source_file(place))->text; }

// A scene reads nothing but scenes, and none outside its own folder and those below it.
static bool stays_below(const char* name)
{
    size_t n = strlen(name);
    if (n < 5 || strcmp(name + n - 4, ".lua") != 0 || name[0] == '/' || strchr(name, '\\')) return false;
    for (const char* part = name; part; part = strchr(part, '/'), part = part ? part + 1 : NULL)
        if (part[0] == '.') return false;  // also hidden files
    return true;
}

// The scene owns the file from here on, whatever becomes of it: errors leave this function by a jump.
static SceneFile* take_file(SceneFiles* files, const char* name)
{
    SceneFile* grown = realloc(files->file, (size_t)(files->count + 1)*sizeof *grown);
    if (!grown) return NULL;
    files->file = grown;
    const char *own = grown[0].name, *slash = strrchr(own, '/');
    int folder = slash ? (int)(slash - own) + 1 : 0;
    size_t size = (size_t)folder + strlen(name) + 1;
    SceneFile* f = &grown[files->count];
    *f = (SceneFile){.name = malloc(size)};
    if (!f->name) return NULL;
    snprintf(f->name, size, "%.*s%s", folder, own, name);
    files->count++;
    return f;
}

// include(name, ...): runs another file with the arguments as its `...` and gives what that returns.
static int include(lua_State* L)
{
    SceneFiles* files = lua_touserdata(L, lua_upvalueindex(1));
    if (lua_type(L, 1) != LUA_TSTRING) {
        const char* got = lua_isnone(L, 1) ? "nothing" : luaL_typename(L, 1);
        return luaL_error(L, "include: expected the name of a file, include \"other.lua\", got %s", got);
    }
    const char* name = lua_tostring(L, 1);
    if (!sandbox_runs_file(L)) return luaL_error(L, "include cannot be used in a function of time");
    if (!stays_below(name)) {
        return luaL_error(L, "include: \"%s\": expected the name of a .lua file in the scene's folder or below it", name);
    }
    if (files->count > SCENE_MAX_INCLUDES)
        return luaL_error(L, "include: more than %d files; do they include each other?", SCENE_MAX_INCLUDES);
    SceneFile* f = take_file(files, name);
    if (!f) return luaL_error(L, "not enough memory");
    if (scene_read_text(&f->text, f->name) != MN_OK) return luaL_error(L, "include: %s", mn_last_error());
    char chunk[SANDBOX_CHUNK_ROOM];
    if (luaL_loadbufferx(L, f->text, strlen(f->text), sandbox_chunk(chunk, files->count - 1), "t") != LUA_OK) return lua_error(L);
    lua_replace(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

mn_status include_open(lua_State* L, void* files)
{
    lua_pushlightuserdata(L, files);
    lua_pushcclosure(L, include, 1);
    lua_setglobal(L, "include");
    return MN_OK;
}

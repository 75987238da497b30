#include "scene/sandbox.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "scene/sandbox_library.h"

// Instructions between two looks at the clock. One instruction may join strings as large as the memory allows (some 10 ms),
// so that counting alone does not bound the time; a hundred of those are still looked at within seconds.
#define STRIDE 100
#define FILE_SECONDS 5
#define CALL_SECONDS 2
#define CHUNK "[scene"  // then the number of the file and ]; messages get its name in place of this

struct Sandbox {
    lua_State* L;
    char* name;
    SandboxFileName file_name;
    const void* file_user;
    size_t used, cap;   // bytes
    long left;          // instructions
    double deadline;    // s of processor time of this thread
    bool spent;         // a limit was passed: nothing the scene does may go on
    bool running_file;  // else a function of time
};

static Sandbox* box_of(lua_State* L) { return *(Sandbox**)lua_getextraspace(L); }
bool sandbox_is_spent(lua_State* L) { return box_of(L)->spent; }
bool sandbox_runs_file(lua_State* L) { return box_of(L)->running_file; }

static void* allocate(void* context, void* old, size_t old_size, size_t new_size)
{
    Sandbox* box = context;
    if (!old) old_size = 0;  // Lua then passes a kind of object
    if (new_size == 0) {
        free(old);
        box->used -= old_size;
        return NULL;
    }
    if (new_size > old_size && new_size - old_size > box->cap - (box->used < box->cap ? box->used : box->cap)) return NULL;
    void* block = realloc(old, new_size);
    if (block) box->used += new_size - old_size;
    return block;
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9*(double)t.tv_nsec;
}

// Once a limit is passed every further instruction fails, so that a scene cannot catch the error and go on.
static void count_instructions(lua_State* L, lua_Debug* where)
{
    (void)where;
    Sandbox* box = box_of(L);
    box->left -= STRIDE;
    if (!box->spent && box->left > 0 && processor_time() < box->deadline) return;
    box->spent = true;
    lua_sethook(L, count_instructions, LUA_MASKCOUNT, 1);
    luaL_where(L, 0);
    lua_pushstring(L, box->running_file ? "the scene runs too long; is there a loop without an end?"
                                        : "this function of time runs too long; is there a loop without an end?");
    lua_concat(L, 2);
    lua_error(L);
}

static void limits_start(Sandbox* box, long instructions, double seconds)
{
    box->spent = false;
    box->left = instructions;
    box->deadline = processor_time() + seconds;
    box->cap = SANDBOX_MEMORY;
    lua_sethook(box->L, count_instructions, LUA_MASKCOUNT, STRIDE);
}

static void limits_end(Sandbox* box)
{
    lua_sethook(box->L, NULL, 0, 0);
    box->cap = SIZE_MAX;
}

const char* sandbox_chunk(char out[SANDBOX_CHUNK_ROOM], int file)
{
    snprintf(out, SANDBOX_CHUNK_ROOM, "=" CHUNK "%d]", file);
    return out;
}

int sandbox_file(const char* chunk)
{
    return strncmp(chunk, CHUNK, strlen(CHUNK)) == 0 ? (int)strtol(chunk + strlen(CHUNK), NULL, 10) : 0;
}

void sandbox_name_files(Sandbox* box, SandboxFileName name, const void* user) { box->file_name = name, box->file_user = user; }

// The message after "[scene1]:", and the name that belongs in front of it; NULL if it does not begin so.
static const char* after_chunk(const char** name, const Sandbox* box, const char* text)
{
    const char* end = strncmp(text, CHUNK, strlen(CHUNK)) == 0 ? strstr(text, "]:") : NULL;
    if (!end) return NULL;
    int file = sandbox_file(text);
    *name = box->file_name ? box->file_name(box->file_user, file) : box->name;
    return end + 2;
}

// Turns the error value on top of the stack into our message and takes it off.
static mn_status report(Sandbox* box, int error)
{
    lua_State* L = box->L;
    const char* name = box->name;
    const char* text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    const char* placed = text ? after_chunk(&name, box, text) : NULL;
    // pcall passes exhausted memory on as a plain error with this text
    if (error == LUA_ERRMEM || (text && strcmp(text, "not enough memory") == 0)) {
        mn_fail(MN_BAD_SCENE, "%s: the scene needs more than %u MB of memory; does something grow or call itself without end?",
                box->name, SANDBOX_MEMORY >> 20);
    } else if (placed) {
        mn_fail(MN_BAD_SCENE, "%s:%s", name, placed);
    } else {
        mn_fail(MN_BAD_SCENE, "%s: %s", box->name, text ? text : "error() was called with a value that is not text");
    }
    lua_pop(L, 1);
    return MN_BAD_SCENE;
}

static int open_protected(lua_State* L)
{
    sandbox_library_open(L);
    return 0;
}

mn_status sandbox_open(Sandbox** out, const char* name)
{
    *out = NULL;
    Sandbox* box = calloc(1, sizeof *box);
    if (!box) return mn_fail(MN_NO_MEMORY, "no memory to read %s", name);
    box->cap = SIZE_MAX;
    box->name = strdup(name);
    box->L = lua_newstate(allocate, box);
    bool made = box->name && box->L;
    if (made) {
        *(Sandbox**)lua_getextraspace(box->L) = box;
        lua_pushcfunction(box->L, open_protected);
        made = lua_pcall(box->L, 0, 0, 0) == LUA_OK;
    }
    if (!made) {
        sandbox_close(box);
        return mn_fail(MN_NO_MEMORY, "no memory to read %s", name);
    }
    *out = box;
    return MN_OK;
}

void sandbox_close(Sandbox* box)
{
    if (!box) return;
    if (box->L) lua_close(box->L);
    free(box->name);
    free(box);
}

lua_State* sandbox_state(Sandbox* box) { return box->L; }

mn_status sandbox_run(Sandbox* box, const char* text, size_t size)
{
    limits_start(box, SANDBOX_FILE_INSTRUCTIONS, FILE_SECONDS);
    box->running_file = true;
    char chunk[SANDBOX_CHUNK_ROOM];
    int error = luaL_loadbufferx(box->L, text, size, sandbox_chunk(chunk, 0), "t");
    if (error == LUA_OK) error = lua_pcall(box->L, 0, 1, 0);
    limits_end(box);
    box->running_file = false;
    return error == LUA_OK ? MN_OK : report(box, error);
}

mn_status sandbox_call(Sandbox* box, int arguments, int results)
{
    limits_start(box, SANDBOX_CALL_INSTRUCTIONS, CALL_SECONDS);
    int error = lua_pcall(box->L, arguments, results, 0);
    limits_end(box);
    return error == LUA_OK ? MN_OK : report(box, error);
}

typedef struct Guarded {
    mn_status (*f)(lua_State* L, void* context);
    void* context;
    mn_status status;
} Guarded;

static int run_guarded(lua_State* L)
{
    Guarded* g = lua_touserdata(L, 1);
    lua_remove(L, 1);
    g->status = g->f(L, g->context);
    return 0;
}

mn_status sandbox_guard(Sandbox* box, int arguments, mn_status (*f)(lua_State* L, void* context), void* context)
{
    Guarded g = {f, context, MN_OK};
    if (!lua_checkstack(box->L, 4)) return mn_fail(MN_NO_MEMORY, "no memory to read %s", box->name);
    lua_pushcfunction(box->L, run_guarded);  // a plain C function and a pointer: these two allocate nothing
    lua_pushlightuserdata(box->L, &g);
    lua_rotate(box->L, -2 - arguments, 2);
    if (lua_pcall(box->L, 1 + arguments, 0, 0) == LUA_OK) return g.status;
    lua_pop(box->L, 1);
    return mn_fail(MN_NO_MEMORY, "no memory to read %s", box->name);
}

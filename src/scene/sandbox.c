#include "scene/sandbox.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/budget.h"
#include "scene/sandbox_library.h"

// Instructions between two looks at the clock. One instruction may join or read texts as large as SANDBOX_TEXT (some ms), so that
// counting alone does not bound the time; a hundred of those are still looked at within a second.
#define STRIDE 100
#define FILE_SECONDS 5
#define CALL_SECONDS 2
#define CHUNK "[scene"  // then the number of the file and ]; messages get its name in place of this

// Which limit was passed. From then on nothing the scene does may go on.
typedef enum Passed { NONE, WORK, MEMORY, TEXT } Passed;

struct Sandbox {
    lua_State* L;
    char* name;
    SandboxFileName file_name;
    const void* file_user;
    bool limited;      // the scene's own code runs
    size_t used;       // bytes
    lua_Integer left;  // work: instructions, or what takes as long
    lua_Integer seen;  // work since the last look at the clock
    Passed passed;
    bool telling;       // of the limit: the words need memory too
    bool running_file;  // else a function of time
};

static Sandbox* box_of(lua_State* L) { return *(Sandbox**)lua_getextraspace(L); }
bool sandbox_is_spent(lua_State* L) { return box_of(L)->passed != NONE; }
bool sandbox_runs_file(lua_State* L) { return box_of(L)->running_file; }

// ---------------------------------------------------------------- limits

static void count_instructions(lua_State* L, lua_Debug* where);

// Every further instruction and every further allocation fails, so that a scene cannot catch the error and go on.
static void pass(Sandbox* box, Passed limit)
{
    if (box->passed == NONE) box->passed = limit;
    lua_sethook(box->L, count_instructions, LUA_MASKCOUNT, 1);
}

static void spend(Sandbox* box, lua_Integer work)
{
    if (work > box->left) work = box->left;
    box->left -= work, box->seen += work;
    if (box->left > 0 && box->seen < STRIDE) return;
    box->seen = 0;
    if (box->left <= 0 || budget_is_spent()) pass(box, WORK);
}

// The line of the scene that is at work, in front of a message: where Lua's library is, that of its caller.
static void push_place(lua_State* L)
{
    lua_Debug info;
    for (int level = 0; lua_getstack(L, level, &info) && lua_getinfo(L, "Sl", &info); level++) {
        if (info.currentline <= 0) continue;
        lua_pushfstring(L, "%s:%d: ", info.short_src, info.currentline);
        return;
    }
    lua_pushliteral(L, "");
}

static const char* too_long(const Sandbox* box)
{
    return box->running_file ? "the scene runs too long; is there a loop without an end?"
                             : "this function of time runs too long; is there a loop without an end?";
}

static int stop(lua_State* L)
{
    box_of(L)->telling = true;
    push_place(L);
    lua_pushstring(L, too_long(box_of(L)));
    lua_concat(L, 2);
    return lua_error(L);
}

static void count_instructions(lua_State* L, lua_Debug* where)
{
    (void)where;
    Sandbox* box = box_of(L);
    spend(box, STRIDE);
    if (box->passed != NONE) stop(L);
}

void sandbox_work(lua_State* L, lua_Integer work)
{
    Sandbox* box = box_of(L);
    if (!box->limited) return;
    spend(box, work);
    if (box->passed != NONE) stop(L);
}

static bool has_room(const Sandbox* box, size_t more)
{
    return box->used <= SANDBOX_MEMORY && more <= SANDBOX_MEMORY - box->used;
}

void sandbox_take_memory(lua_State* L, size_t bytes)
{
    Sandbox* box = box_of(L);
    if (box->limited && !has_room(box, bytes)) {
        pass(box, MEMORY);
        luaL_error(L, "not enough memory");
    }
    box->used += bytes;
}

// What Lua's library does out of the reach of the instruction count mostly makes texts and tables: it pays for their bytes, and
// gets none once a limit is passed. Lua collects its garbage and tries again before it gives up.
static bool may_grow(Sandbox* box, size_t more, bool text)
{
    if (!box->limited) return true;
    if (text && more > SANDBOX_TEXT + 64) pass(box, TEXT);  // 64: what Lua keeps in front of the letters
    spend(box, (lua_Integer)(more/SANDBOX_BYTES_PER_INSTRUCTION));
    return (box->passed == NONE || box->telling) && has_room(box, more);
}

static void* allocate(void* context, void* old, size_t old_size, size_t new_size)
{
    Sandbox* box = context;
    bool text = !old && old_size == LUA_TSTRING;
    if (!old) old_size = 0;  // Lua then passes the kind of object
    if (new_size == 0) {
        free(old);
        box->used -= old_size;
        return NULL;
    }
    if (new_size > old_size && !may_grow(box, new_size - old_size, text)) return NULL;
    void* block = realloc(old, new_size);
    if (block) box->used += new_size - old_size;
    return block;
}

static Budget limits_start(Sandbox* box, lua_Integer instructions, double seconds)
{
    box->passed = NONE;
    box->telling = false;
    box->left = instructions;
    box->seen = 0;
    box->limited = true;
    lua_sethook(box->L, count_instructions, LUA_MASKCOUNT, STRIDE);
    return budget_enter(seconds);
}

static void limits_end(Sandbox* box, Budget before)
{
    budget_leave(before);
    lua_sethook(box->L, NULL, 0, 0);
    box->limited = false;
}

// ---------------------------------------------------------------- messages

const char* sandbox_chunk(char out[SANDBOX_CHUNK_ROOM], int file)
{
    snprintf(out, SANDBOX_CHUNK_ROOM, "=" CHUNK "%d]", file);
    return out;
}

int sandbox_file(const char* chunk)
{
    // a scene may write such words itself, with any number in them
    if (strncmp(chunk, CHUNK, strlen(CHUNK)) != 0) return 0;
    const char* digits = chunk + strlen(CHUNK);
    size_t count = strspn(digits, "0123456789");
    return count > 0 && count < 6 && digits[count] == ']' ? atoi(digits) : 0;
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
    if (box->passed == TEXT) {
        mn_fail(MN_BAD_SCENE, "%s: the scene makes a text of more than %u kB", box->name, SANDBOX_TEXT >> 10);
    } else if (box->passed == WORK && !placed) {
        mn_fail(MN_BAD_SCENE, "%s: %s", box->name, too_long(box));
    } else if (box->passed != WORK && (error == LUA_ERRMEM || (text && strcmp(text, "not enough memory") == 0))) {
        // pcall passes exhausted memory on as a plain error with this text
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
    box->running_file = true;
    Budget before = limits_start(box, SANDBOX_FILE_INSTRUCTIONS, FILE_SECONDS);
    char chunk[SANDBOX_CHUNK_ROOM];
    int error = luaL_loadbufferx(box->L, text, size, sandbox_chunk(chunk, 0), "t");
    if (error == LUA_OK) error = lua_pcall(box->L, 0, 1, 0);
    limits_end(box, before);
    mn_status status = error == LUA_OK ? MN_OK : report(box, error);
    box->running_file = false;
    return status;
}

mn_status sandbox_call(Sandbox* box, int arguments, int results)
{
    Budget before = limits_start(box, SANDBOX_CALL_INSTRUCTIONS, CALL_SECONDS);
    int error = lua_pcall(box->L, arguments, results, 0);
    limits_end(box, before);
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

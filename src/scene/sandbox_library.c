#include "scene/sandbox_library.h"

#include <lauxlib.h>
#include <lualib.h>
#include <string.h>
#include "scene/sandbox.h"
#include "scene/words.h"

// More entries than fit into the memory of a scene: the length that Lua tells of a list with holes may be anything.
#define MAX_ENTRIES (SANDBOX_MEMORY/16)

// Known to Lua people, and missing here on purpose.
static const char* const refused[] = {"io",           "os",      "load",      "loadstring", "loadfile",       "dofile",
                                      "require",      "package", "coroutine", "debug",      "collectgarbage", "setmetatable",
                                      "getmetatable", "rawget",  "rawset",    "rawlen",     "rawequal",       "next",
                                      "xpcall",       "utf8",    "_G",        "_VERSION",   "warn",           NULL};

// ---------------------------------------------------------------- replacements

// A limit that was passed, or memory that ran out, ends the scene whatever it tried to catch.
static int guarded_pcall(lua_State* L)
{
    luaL_checkany(L, 1);
    int error = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    if (error == LUA_ERRMEM || sandbox_is_spent(L)) return lua_error(L);
    lua_pushboolean(L, error == LUA_OK);
    lua_insert(L, 1);
    return lua_gettop(L);
}

static bool is_plain(int type) { return type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING; }

// Lua would print the address of a table, which is different in every run.
static int plain_tostring(lua_State* L)
{
    luaL_checkany(L, 1);
    int type = lua_type(L, 1);
    if (is_plain(type)) luaL_tolstring(L, 1, NULL);
    else lua_pushstring(L, luaL_typename(L, 1));
    return 1;
}

static int plain_format(lua_State* L)
{
    size_t size;
    const char* format = luaL_checklstring(L, 1, &size);
    for (const char *c = format, *end = format + size; c < end; c++) {  // there may be zeros in between
        if (*c != '%') continue;
        c += 1 + strspn(c + 1, "-+ #0123456789.");
        if (*c == 'p') return luaL_error(L, "string.format: %%p is not available in scenes");
    }
    for (int i = 2; i <= lua_gettop(L); i++) {
        int type = lua_type(L, i);
        if (!is_plain(type)) { return luaL_error(L, "string.format: argument %d is a %s", i, luaL_typename(L, i)); }
    }
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// Lua's own loops n times even over an empty string, out of the reach of the instruction count.
static int bounded_rep(lua_State* L)
{
    size_t size, between = 0;
    luaL_checklstring(L, 1, &size);
    lua_Integer n = luaL_checkinteger(L, 2);
    luaL_optlstring(L, 3, "", &between);
    if (n > 0 && (size_t)n > SANDBOX_TEXT/(size + between > 0 ? size + between : 1))
        return luaL_error(L, "string.rep: the result is too large");
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// ---------------------------------------------------------------- work that the instruction count does not see

static lua_Integer letters(lua_State* L, int index)
{
    return lua_type(L, index) == LUA_TSTRING ? (lua_Integer)lua_rawlen(L, index) : 0;
}

// One comparison of a sort; reading long texts takes its time.
static void pay_comparison(lua_State* L) { sandbox_work(L, 1 + (letters(L, 1) + letters(L, 2))/SANDBOX_BYTES_PER_INSTRUCTION); }

// The order that the scene gives, or Lua's own.
static int counted_less(lua_State* L)
{
    pay_comparison(L);
    if (lua_isnil(L, lua_upvalueindex(1))) {
        lua_pushboolean(L, lua_compare(L, 1, 2, LUA_OPLT));
        return 1;
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 2, 1);
    return 1;
}

// Entries of the list that is the first argument.
static lua_Integer list_length(lua_State* L, const char* name)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Unsigned n = lua_rawlen(L, 1);
    if (n > MAX_ENTRIES) return luaL_error(L, "%s: the list has holes, so that its length means nothing", name);
    return (lua_Integer)n;
}

static int counted_sort(lua_State* L)
{
    list_length(L, "table.sort");
    if (!lua_isnoneornil(L, 2)) luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    lua_pushcclosure(L, counted_less, 1);
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// table.insert and table.remove move all that comes after `position`.
static void pay_moves(lua_State* L, const char* name, bool has_position)
{
    lua_Integer n = list_length(L, name), position = has_position ? luaL_checkinteger(L, 2) : n;
    if (position >= 1 && position < n) sandbox_work(L, n - position);
}

static int counted_insert(lua_State* L)
{
    pay_moves(L, "table.insert", lua_gettop(L) == 3);
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int counted_remove(lua_State* L)
{
    pay_moves(L, "table.remove", lua_gettop(L) >= 2);
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// table.unpack and table.concat go through a range, which ends where the list does.
static int counted_range(lua_State* L, int first_argument)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Number first = (lua_Number)luaL_optinteger(L, first_argument, 1);
    lua_Number last = (lua_Number)luaL_optinteger(L, first_argument + 1, (lua_Integer)lua_rawlen(L, 1));
    if (last > first) sandbox_work(L, last - first < MAX_ENTRIES ? (lua_Integer)(last - first) : MAX_ENTRIES);
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

static int counted_unpack(lua_State* L) { return counted_range(L, 2); }
static int counted_concat(lua_State* L) { return counted_range(L, 3); }

// ---------------------------------------------------------------- random numbers

// math.random keeps its state in an upvalue of its own, so that it cannot run in our place as the others do; its errors
// then lack the line, which is put in front again.
static int call_original(lua_State* L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    int error = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    if (error == LUA_ERRMEM) return lua_error(L);
    if (error != LUA_OK) return luaL_error(L, "%s", lua_tostring(L, -1));
    return lua_gettop(L);
}

// The same numbers in every run. Not in a function of time: a resumed run would see the sequence from its start.
static int seeded_random(lua_State* L)
{
    if (!sandbox_runs_file(L)) {
        return luaL_error(L, "math.random cannot be used in a function of time: draw the numbers before, in the file");
    }
    return call_original(L);
}

static int fixed_randomseed(lua_State* L)
{
    luaL_checknumber(L, 1);  // without one Lua would take the time of day
    lua_settop(L, 1);
    return call_original(L);
}

// ---------------------------------------------------------------- pairs in a fixed order

// Numbers before strings, each in their order. Lua's own order changes from run to run with the seed of its hashes.
static int key_less(lua_State* L)
{
    pay_comparison(L);
    bool a = lua_type(L, 1) == LUA_TNUMBER, b = lua_type(L, 2) == LUA_TNUMBER;
    lua_pushboolean(L, a == b ? lua_compare(L, 1, 2, LUA_OPLT) : a);
    return 1;
}

static int pairs_next(lua_State* L)
{
    for (;;) {
        lua_Integer i = lua_tointeger(L, lua_upvalueindex(3)) + 1;
        lua_pushinteger(L, i);
        lua_replace(L, lua_upvalueindex(3));
        if (lua_rawgeti(L, lua_upvalueindex(2), i) == LUA_TNIL) return 1;
        lua_pushvalue(L, -1);
        if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 2;
        lua_pop(L, 2);  // was removed while we walked
    }
}

static int sorted_pairs(lua_State* L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_newtable(L);
    lua_Integer n = 0;
    for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
        int type = lua_type(L, -2);
        sandbox_work(L, 2);
        if (type == LUA_TLIGHTUSERDATA) continue;  // our own marks
        if (type != LUA_TNUMBER && type != LUA_TSTRING) {
            return luaL_error(L, "pairs: a key is a %s; scenes can walk over number and string keys only", luaL_typename(L, -2));
        }
        lua_pushvalue(L, -2);
        lua_rawseti(L, 2, ++n);
    }
    lua_pushvalue(L, lua_upvalueindex(1));  // table.sort
    lua_pushvalue(L, 2);
    lua_pushcfunction(L, key_less);
    lua_call(L, 2, 0);
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, pairs_next, 3);
    return 1;
}

// ---------------------------------------------------------------- names that do not exist

static int unknown_name(lua_State* L)
{
    const char* name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
    for (int i = 0; refused[i]; i++) {
        if (strcmp(name, refused[i]) == 0) return luaL_error(L, "'%s' is not available in scenes", name);
    }
    Nearest nearest = nearest_start(name);
    lua_pushglobaltable(L);
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        sandbox_work(L, 50);
        if (lua_type(L, -2) == LUA_TSTRING) nearest_try(&nearest, lua_tostring(L, -2));
    }
    if (nearest.word) return luaL_error(L, "unknown name '%s'; did you mean '%s'?", name, nearest.word);
    return luaL_error(L, "unknown name '%s'", name);
}

// ---------------------------------------------------------------- putting it together

// Leaves in the table on top of the stack only the listed fields.
static void keep_only(lua_State* L, const char* const* names)
{
    for (lua_pushnil(L); lua_next(L, -2);) {
        lua_pop(L, 1);
        bool keep = false;
        const char* name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
        for (int i = 0; names[i]; i++) keep |= strcmp(names[i], name) == 0;
        if (keep) continue;
        lua_pushvalue(L, -1);
        lua_pushnil(L);
        lua_rawset(L, -4);  // clearing a field while walking is allowed
    }
}

// Puts `f` in place of library.name, with the original as its upvalue. Where the original is a plain C function f ends by
// calling it in its own frame: its error messages then find the scene's line as usual.
static void wrap(lua_State* L, const char* library, const char* name, lua_CFunction f)
{
    lua_getglobal(L, library);
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, f, 1);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

void sandbox_library_open(lua_State* L)
{
    static const char* const base[] = {"assert", "error", "ipairs", "select", "tonumber", "type", NULL};
    // No find, match, gmatch, gsub: matching cannot be interrupted. No dump, pack, unpack: nobody needs them here.
    static const char* const string[] = {"byte", "char", "format", "len", "lower", "rep", "reverse", "sub", "upper", NULL};
    // No move: it loops over any range it is given, out of the reach of the instruction count.
    static const char* const table[] = {"concat", "insert", "pack", "remove", "sort", "unpack", NULL};

    luaL_requiref(L, "_G", luaopen_base, 0);
    keep_only(L, base);
    lua_pop(L, 1);
    luaL_requiref(L, "math", luaopen_math, 1);
    lua_pop(L, 1);
    luaL_requiref(L, "string", luaopen_string, 1);
    keep_only(L, string);
    lua_pop(L, 1);
    luaL_requiref(L, "table", luaopen_table, 1);
    keep_only(L, table);
    lua_pop(L, 1);

    lua_getglobal(L, "table");
    lua_getfield(L, -1, "sort");
    lua_pushcclosure(L, sorted_pairs, 1);
    lua_setglobal(L, "pairs");
    lua_pop(L, 1);
    lua_register(L, "pcall", guarded_pcall);
    lua_register(L, "tostring", plain_tostring);
    wrap(L, "string", "format", plain_format);
    wrap(L, "string", "rep", bounded_rep);
    wrap(L, "table", "sort", counted_sort);
    wrap(L, "table", "insert", counted_insert);
    wrap(L, "table", "remove", counted_remove);
    wrap(L, "table", "unpack", counted_unpack);
    wrap(L, "table", "concat", counted_concat);
    wrap(L, "math", "randomseed", fixed_randomseed);
    wrap(L, "math", "random", seeded_random);
    if (luaL_dostring(L, "math.randomseed(1)")) lua_error(L);

    lua_pushglobaltable(L);
    lua_newtable(L);
    lua_pushcfunction(L, unknown_name);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

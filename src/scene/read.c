#include "scene/read.h"

#include <lauxlib.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/budget.h"
#include "base/vec.h"
#include "scene/include.h"
#include "scene/source.h"
#include "scene/words.h"

// Addresses that serve as keys no scene can write.
static char kind_key, line_key;

const char* table_kind(lua_State* L, int index)
{
    if (lua_type(L, index) != LUA_TTABLE) return NULL;
    lua_rawgetp(L, index, &kind_key);
    const char* kind = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return kind;
}

int table_line(lua_State* L, int index)
{
    lua_rawgetp(L, index, &line_key);
    int line = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return line;
}

void table_mark(lua_State* L, int index, const char* kind, int line)
{
    index = lua_absindex(L, index);
    lua_pushlightuserdata(L, (void*)kind);
    lua_rawsetp(L, index, &kind_key);
    lua_pushinteger(L, line);
    lua_rawsetp(L, index, &line_key);
}

// ---------------------------------------------------------------- messages

// A path that does not fit is cut short: shapes may be nested deeper than anyone wants to read.
static void join_path(char* out, size_t size, const char* path, const char* key)
{
    const char* dot = key && key[0] != '[' && path[0] ? "." : "";
    int length = snprintf(out, size, "%s%s%s", path, dot, key ? key : "");
    if (length >= (int)size) out[size - 1] = 0;
}

static mn_status fail_with(mn_status status, const Node* n, const char* key, const char* format, va_list args)
{
    char text[1024], path[256];
    vsnprintf(text, sizeof text, format, args);
    join_path(path, sizeof path, n->path, key);
    const Scene* scene = n->reader->scene;
    int line = key ? source_key_line(scene_file_text(scene, n->line), n->block, key) : 0;
    return mn_fail(status, "%s:%d: %s%s%s", scene_file_name(scene, n->line), line ? line : source_line(n->line), path,
                   path[0] ? ": " : "", text);
}

mn_status node_fail(const Node* n, const char* key, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    fail_with(MN_BAD_SCENE, n, key, format, args);
    va_end(args);
    return MN_BAD_SCENE;
}

mn_status node_fail_as(mn_status status, const Node* n, const char* key, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    fail_with(status, n, key, format, args);
    va_end(args);
    return status;
}

const char* describe_value(char text[96], lua_State* L, int index)
{
    const char* kind = table_kind(L, index);
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        if (lua_isinteger(L, index)) snprintf(text, 96, "%lld", (long long)lua_tointeger(L, index));
        else snprintf(text, 96, "%.10g", lua_tonumber(L, index));
        break;
    case LUA_TSTRING:
        snprintf(text, 96, "the text \"%.60s\"", lua_tostring(L, index));
        break;
    case LUA_TBOOLEAN:
        snprintf(text, 96, "%s", lua_toboolean(L, index) ? "true" : "false");
        break;
    case LUA_TTABLE:
        snprintf(text, 96, "a%s %s", kind && strchr("aei", kind[0]) ? "n" : "", kind ? kind : "table");
        break;
    case LUA_TFUNCTION:
        snprintf(text, 96, "a function");
        break;
    default:
        snprintf(text, 96, "%s", luaL_typename(L, index));
        break;
    }
    return text;
}

static mn_status fail_expected(const Node* n, const char* key, const char* rule, const char* what)
{
    char got[96];
    describe_value(got, n->reader->L, -1);
    lua_pop(n->reader->L, 1);
    return node_fail(n, key, "expected %s%s, got %s", rule, what, got);
}

static mn_status fail_missing(const Node* n, const char* key, const char* rule, const char* what)
{
    lua_pop(n->reader->L, 1);
    return node_fail(n, key, "missing; expected %s%s", rule, what);
}

// Pushes n.key without metamethods.
static int push_field(const Node* n, const char* key)
{
    lua_pushstring(n->reader->L, key);
    return lua_rawget(n->reader->L, n->table);
}

// ---------------------------------------------------------------- tables

Node node_root(Reader* reader, int index)
{
    Node n = {.reader = reader, .table = lua_absindex(reader->L, index)};
    n.line = table_line(reader->L, n.table);
    n.block = source_block_at_line(scene_file_text(reader->scene, n.line), source_line(n.line), "scene");
    return n;
}

// The table on top of the stack as a child of n called `key`.
static Node enter(const Node* n, const char* key)
{
    lua_State* L = n->reader->L;
    const Scene* scene = n->reader->scene;
    Node child = {.reader = n->reader, .table = lua_gettop(L)};
    join_path(child.path, sizeof child.path, n->path, key);
    child.line = table_line(L, child.table);
    if (child.line) {
        const char* text = scene_file_text(scene, child.line);
        child.block = source_block_at_line(text, source_line(child.line), table_kind(L, child.table));
    } else {
        const char* text = scene_file_text(scene, n->line);
        child.block = source_block_of_key(text, n->block, key);
        int line = source_key_line(text, n->block, key);
        child.line = line ? source_place(source_file(n->line), line) : n->line;
    }
    return child;
}

mn_status node_open(Node* child, bool* present, const Node* n, const char* key, const char* expected)
{
    lua_State* L = n->reader->L;
    *present = false;
    TRY(budget_check(n->reader->scene->path));
    if (!lua_checkstack(L, 20)) return mn_fail(MN_NO_MEMORY, "no memory to read %s", n->reader->scene->path);
    int type = push_field(n, key);
    if (type == LUA_TNIL) {
        lua_pop(L, 1);
        return MN_OK;
    }
    if (type != LUA_TTABLE) return fail_expected(n, key, "", expected);
    *present = true;
    *child = enter(n, key);
    return MN_OK;
}

mn_status node_open_entry(Node* child, const Node* n, int i, const char* expected)
{
    lua_State* L = n->reader->L;
    char key[24];
    snprintf(key, sizeof key, "[%d]", i);
    TRY(budget_check(n->reader->scene->path));
    if (!lua_checkstack(L, 20)) return mn_fail(MN_NO_MEMORY, "no memory to read %s", n->reader->scene->path);
    if (lua_rawgeti(L, n->table, i) == LUA_TTABLE) {
        *child = enter(n, key);
        return MN_OK;
    }
    return fail_expected(n, key, "", expected);
}

void node_close(const Node* child) { lua_settop(child->reader->L, child->table - 1); }

mn_status node_count(int* count, const Node* n, int most)
{
    size_t length = lua_rawlen(n->reader->L, n->table);
    if (length > (size_t)most) return node_fail(n, NULL, "has %zu entries; at most %d are allowed", length, most);
    *count = (int)length;
    return MN_OK;
}

static bool is_known(const char* key, const char* const* words)
{
    for (int i = 0; words && words[i]; i++)
        if (strcmp(key, words[i]) == 0) return true;
    return false;
}

static mn_status fail_unknown(const Node* n, const char* key, const char* const* known, const char* const* more)
{
    Nearest nearest = nearest_start(key);
    char list[640] = "";
    for (int half = 0; half < 2; half++) {
        const char* const* words = half ? more : known;
        for (int i = 0; words && words[i]; i++) {
            nearest_try(&nearest, words[i]);
            size_t used = strlen(list);
            snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", words[i]);
        }
    }
    if (nearest.word) return node_fail(n, key, "unknown key; did you mean '%s'?", nearest.word);
    if (!list[0]) return node_fail(n, key, "unknown key; this is a list, written { a, b, ... }");
    return node_fail(n, key, "unknown key; known here: %s", list);
}

// Looks at all unknown keys and reports the first in the alphabet: Lua's own order differs between runs.
mn_status node_check_keys(const Node* n, const char* const* known, const char* const* more, bool list)
{
    lua_State* L = n->reader->L;
    size_t length = lua_rawlen(L, n->table), entries = 0;
    char unknown[64] = "";
    for (lua_pushnil(L); lua_next(L, n->table); lua_pop(L, 1)) {
        int type = lua_type(L, -2);
        if (type == LUA_TLIGHTUSERDATA) continue;
        if (type == LUA_TNUMBER && list) {
            entries++;
            continue;
        }
        char key[64];
        if (type == LUA_TSTRING) snprintf(key, sizeof key, "%s", lua_tostring(L, -2));
        else if (lua_isinteger(L, -2)) snprintf(key, sizeof key, "[%lld]", (long long)lua_tointeger(L, -2));
        else snprintf(key, sizeof key, "[%s]", luaL_typename(L, -2));
        if (type == LUA_TSTRING && (is_known(key, known) || is_known(key, more))) continue;
        if (!unknown[0] || strcmp(key, unknown) < 0) memcpy(unknown, key, sizeof key);
    }
    if (unknown[0] == '[') return node_fail(n, unknown, "a value without a key; write key = value");
    if (unknown[0]) return fail_unknown(n, unknown, known, more);
    if (list && entries != length) return node_fail(n, NULL, "the list has a hole (a nil, or numbers not from 1 on)");
    return MN_OK;
}

bool node_has(const Node* n, const char* key)
{
    bool has = push_field(n, key) != LUA_TNIL;
    lua_pop(n->reader->L, 1);
    return has;
}

static bool node_is(const Node* n, const char* key, int type)
{
    bool is = push_field(n, key) == type;
    lua_pop(n->reader->L, 1);
    return is;
}

bool node_is_function(const Node* n, const char* key) { return node_is(n, key, LUA_TFUNCTION); }
bool node_is_text(const Node* n, const char* key) { return node_is(n, key, LUA_TSTRING); }

// ---------------------------------------------------------------- values

static const char* article(const char* word) { return strchr("aeio", word[0]) ? "an " : "a "; }

static const char* rule_words(Rule rule, const char* what)
{
    return rule == POSITIVE ? "a positive " : rule == NOT_NEGATIVE ? "a non-negative " : article(what);
}

static bool fits(double x, Rule rule) { return isfinite(x) && (rule == ANY || x > 0 || (rule == NOT_NEGATIVE && x == 0)); }

mn_status node_number(double* out, const Node* n, const char* key, Rule rule, const char* what, Need need)
{
    lua_State* L = n->reader->L;
    int type = push_field(n, key);
    if (type == LUA_TNIL && need == REQUIRED) return fail_missing(n, key, rule_words(rule, what), what);
    if (type != LUA_TNIL) {
        if (type != LUA_TNUMBER || !fits(lua_tonumber(L, -1), rule)) return fail_expected(n, key, rule_words(rule, what), what);
        *out = lua_tonumber(L, -1);
    }
    lua_pop(L, 1);
    return MN_OK;
}

mn_status node_integer(int* out, const Node* n, const char* key, int low, int high, const char* what, Need need)
{
    lua_State* L = n->reader->L;
    char rule[96];
    if (high == INT_MAX) snprintf(rule, sizeof rule, "a whole number from %d on: ", low);
    else snprintf(rule, sizeof rule, "a whole number from %d to %d: ", low, high);
    int type = push_field(n, key), exact = 0;
    if (type == LUA_TNIL && need == REQUIRED) return fail_missing(n, key, rule, what);
    if (type != LUA_TNIL) {
        lua_Integer value = type == LUA_TNUMBER ? lua_tointegerx(L, -1, &exact) : 0;
        if (!exact || value < low || value > high) return fail_expected(n, key, rule, what);
        *out = (int)value;
    }
    lua_pop(L, 1);
    return MN_OK;
}

// Reads the numbers of the table on top of the stack; false unless it holds dim of them (2D: or a third that is 0).
static bool read_components(double out[3], lua_State* L, int dim)
{
    size_t length = lua_rawlen(L, -1), entries = 0;
    double v[3] = {0, 0, 0};
    if (table_kind(L, -1) || length < (size_t)dim || length > 3) return false;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) entries++;
    if (entries != length) return false;
    bool good = true;
    for (int d = 0; d < (int)length; d++) {
        good &= lua_rawgeti(L, -1, d + 1) == LUA_TNUMBER;
        v[d] = lua_tonumber(L, -1);
        good &= isfinite(v[d]);
        lua_pop(L, 1);
    }
    if (!good || (dim == 2 && v[2] != 0)) return false;
    memcpy(out, v, sizeof v);
    return true;
}

// A vector that is wrong, told with its numbers: "got { 1, nan }".
static mn_status fail_vector(const Node* n, const char* key, const char* what)
{
    lua_State* L = n->reader->L;
    char expected[128], got[200] = "{", one[96];
    snprintf(expected, sizeof expected, "%s numbers, %s%s", n->reader->scene->dim == 2 ? "two" : "three", article(what), what);
    if (lua_type(L, -1) == LUA_TNUMBER) {  // low = mm(1, 2) keeps the first number only, says Lua
        double first = lua_tonumber(L, -1);
        lua_pop(L, 1);
        return node_fail(n, key, "expected %s, got %g; a vector is a table: { mm(1, 2%s) }", expected, first,
                         n->reader->scene->dim == 2 ? "" : ", 3");
    }
    if (lua_type(L, -1) != LUA_TTABLE || table_kind(L, -1)) return fail_expected(n, key, "", expected);
    int length = (int)lua_rawlen(L, -1);
    for (int i = 1; i <= mini(length, 4); i++) {
        lua_rawgeti(L, -1, i);
        size_t used = strlen(got);
        snprintf(got + used, sizeof got - used, "%s %s", i > 1 ? "," : "", describe_value(one, L, -1));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return node_fail(n, key, "expected %s, got %s%s }", expected, got, length > 4 ? ", ..." : "");
}

mn_status node_vector(double out[3], const Node* n, const char* key, const char* what, Need need)
{
    lua_State* L = n->reader->L;
    int type = push_field(n, key);
    if (type == LUA_TNIL && need == REQUIRED) {
        char expected[128];
        snprintf(expected, sizeof expected, "%s numbers, %s%s", n->reader->scene->dim == 2 ? "two" : "three", article(what),
                 what);
        return fail_missing(n, key, "", expected);
    }
    if (type != LUA_TNIL && (type != LUA_TTABLE || !read_components(out, L, n->reader->scene->dim))) {
        return fail_vector(n, key, what);
    }
    lua_pop(L, 1);
    return MN_OK;
}

mn_status node_vector_entry(double out[3], const Node* n, int i, const char* what)
{
    lua_State* L = n->reader->L;
    char key[24];
    snprintf(key, sizeof key, "[%d]", i);
    int type = lua_rawgeti(L, n->table, i);
    if (type != LUA_TTABLE || !read_components(out, L, n->reader->scene->dim)) return fail_vector(n, key, what);
    lua_pop(L, 1);
    return MN_OK;
}

mn_status node_rotation(double out[3], const Node* n, const char* key, const char* what, Need need)
{
    if (n->reader->scene->dim == 3) return node_vector(out, n, key, what, need);
    return node_number(&out[2], n, key, ANY, what, need);
}

mn_status node_name(char out[64], const Node* n, const char* key)
{
    lua_State* L = n->reader->L;
    int type = push_field(n, key);
    if (type != LUA_TNIL) {
        size_t length = 0;
        const char* s = type == LUA_TSTRING ? lua_tolstring(L, -1, &length) : "";
        static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-.+";
        if (length < 1 || length > 63 || strspn(s, letters) != length) {
            return fail_expected(n, key, "", "a name of 1 to 63 letters, digits, spaces, _ - . +");
        }
        snprintf(out, 64, "%s", s);
    }
    lua_pop(L, 1);
    return MN_OK;
}

mn_status node_word(char* out, size_t room, const Node* n, const char* key, WordTest* is_one, const char* expected)
{
    lua_State* L = n->reader->L;
    int type = push_field(n, key);
    if (type != LUA_TNIL) {
        size_t length = 0;
        const char* s = type == LUA_TSTRING ? lua_tolstring(L, -1, &length) : "";
        if (length >= room || strlen(s) != length || !is_one(s)) return fail_expected(n, key, "", expected);
        snprintf(out, room, "%s", s);
    }
    lua_pop(L, 1);
    return MN_OK;
}

mn_status node_flag(bool* out, const Node* n, const char* key)
{
    lua_State* L = n->reader->L;
    int type = push_field(n, key);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN) return fail_expected(n, key, "", "true or false");
    if (type == LUA_TBOOLEAN) *out = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return MN_OK;
}

// The value on top of the stack, which it takes off.
static mn_status take_choice(int* out, const Node* n, const char* key, const char* const* words)
{
    lua_State* L = n->reader->L;
    const char* s = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
    char expected[200] = "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(s, words[i]) == 0) {
            *out = i;
            lua_pop(L, 1);
            return MN_OK;
        }
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s\"%s\"", i ? " or " : "", words[i]);
    }
    return fail_expected(n, key, "", expected);
}

mn_status node_choice(int* out, const Node* n, const char* key, const char* const* words)
{
    if (push_field(n, key) != LUA_TNIL) return take_choice(out, n, key, words);
    lua_pop(n->reader->L, 1);
    return MN_OK;
}

mn_status node_choice_entry(int* out, const Node* n, int i, const char* const* words)
{
    char key[24];
    snprintf(key, sizeof key, "[%d]", i);
    lua_rawgeti(n->reader->L, n->table, i);
    return take_choice(out, n, key, words);
}

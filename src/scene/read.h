// Reading checked values out of Lua tables. Every failure is one line: "file:line: path.key: expected ..., got ...".
#pragma once
#include <lua.h>
#include <stdbool.h>
#include "base/status.h"
#include "scene/scene.h"

#define MAX_LIST 100000  // entries of one list, and shapes in a scene
#define MAX_THINGS 4096  // liquids, solids, sources, probes: of each

// What one run of scene_load carries along.
typedef struct Reader {
    lua_State* L;
    Scene* scene;
    int shape_count;           // made so far, to bound what a few nested tables can ask for
    struct MeshCache* meshes;  // files read so far
} Reader;

// One table of the scene, and how messages call it.
typedef struct Node {
    Reader* reader;
    int table;       // index on the Lua stack
    int line;        // of the constructor call, or the best known; a place (source.h), as in all that is read
    size_t block;    // where its fields stand in the text of that file, 0 if unknown
    char path[160];  // "liquids[2]"; "" for the scene itself
} Node;

typedef enum Rule { ANY, POSITIVE, NOT_NEGATIVE } Rule;

// Optional values: the getter leaves *out alone when the key is absent, so put the default there first.
typedef enum Need { OPTIONAL, REQUIRED } Need;

// The kinds of things that constructors mark tables as; NULL for a plain table. The mark is `kind`'s address.
const char* table_kind(lua_State* L, int index);
int table_line(lua_State* L, int index);                               // 0 for a plain table
void table_mark(lua_State* L, int index, const char* kind, int line);  // kind: a string that lives for ever

// Fails with "file:line: path.key: " in front. key may be NULL (the table itself).
mn_status node_fail(const Node* n, const char* key, const char* format, ...) __attribute__((format(printf, 3, 4)));
mn_status node_fail_as(mn_status status, const Node* n, const char* key, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
// The value on top of the stack, for "got ...": -0.002, "abc", a sphere, a function.
const char* describe_value(char text[96], lua_State* L, int index);

// The table at stack index `index`, as the scene's root.
Node node_root(Reader* reader, int index);
// Pushes the sub-table n.key; *present false (and nothing pushed) when it is absent. Pop it with node_close.
mn_status node_open(Node* child, bool* present, const Node* n, const char* key, const char* expected);
// Pushes list entry i (from 1), which must be a table.
mn_status node_open_entry(Node* child, const Node* n, int i, const char* expected);
void node_close(const Node* child);

// Every key must be one of the words in the NULL-ended lists `known` and `more` (may be NULL), or, when `list` is true,
// one of 1..n without holes.
mn_status node_check_keys(const Node* n, const char* const* known, const char* const* more, bool list);
mn_status node_count(int* count, const Node* n, int most);  // entries of a list

bool node_has(const Node* n, const char* key);
bool node_is_function(const Node* n, const char* key);
bool node_is_text(const Node* n, const char* key);
mn_status node_number(double* out, const Node* n, const char* key, Rule rule, const char* what, Need need);
mn_status node_integer(int* out, const Node* n, const char* key, int low, int high, const char* what, Need need);
// dim numbers; the third is 0 in 2D, where a scene may also write it.
mn_status node_vector(double out[3], const Node* n, const char* key, const char* what, Need need);
mn_status node_vector_entry(double out[3], const Node* n, int i, const char* what);  // of list entry i, from 1
// A rotation: a vector in 3D, one number in 2D.
mn_status node_rotation(double out[3], const Node* n, const char* key, const char* what, Need need);
// A name fit for tables and file names: 1 to 63 letters, digits, spaces, _ - . +
mn_status node_name(char out[64], const Node* n, const char* key);
// A text that is_one says yes to, of less than `room` letters; *out stays as it is where the scene gives none.
typedef bool WordTest(const char* word);
mn_status node_word(char* out, size_t room, const Node* n, const char* key, WordTest* is_one, const char* expected);
mn_status node_flag(bool* out, const Node* n, const char* key);  // true or false
// Index of the string in the NULL-ended list.
mn_status node_choice(int* out, const Node* n, const char* key, const char* const* words);
mn_status node_choice_entry(int* out, const Node* n, int i, const char* const* words);  // of list entry i, from 1

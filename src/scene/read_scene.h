// The table that `scene { ... }` made, into a Scene.
#pragma once
#include "scene/read.h"
#include "scene/sandbox.h"

// Functions of time that a scene keeps, by handle - 1.
typedef struct TimeFunction {
    int reference;   // in Lua's registry
    int line;        // where it is defined
    char path[160];  // "solids[1].position"
} TimeFunction;

struct SceneLua {
    Sandbox* box;
    TimeFunction* functions;
    int function_count;
};

// Takes the function on top of the stack off and hands out its handle.
mn_status function_keep(int* handle, const Node* n, const char* key);
// The same of n.key, which is one (node_is_function).
mn_status function_read(int* handle, const Node* n, const char* key);

// n.key: a constant or a function of time; zero when absent. Trying a function comes later, when Lua's limits apply.
mn_status time_vector_read(TimeVector* v, const Node* n, const char* key, const char* what, bool turns);

// Reads the scene at stack index 1 into reader->scene; what was read so far is there on failure too, for scene_free.
mn_status scene_read(lua_State* L, void* reader);

// What can only be seen with the shapes at hand: liquids and sources outside the box, liquids that share volume.
mn_status scene_check_places(const Scene* scene);

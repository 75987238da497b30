// What a scene prints while it is read: lines for whoever watches. Functions of time print too, as long as the scene is read;
// during a run they are not heard.
#pragma once
#include "base/status.h"

struct lua_State;

enum { PRINTED_LINES = 100, PRINTED_LINE = 400 };

typedef struct ScenePrints {
    char line[PRINTED_LINES][PRINTED_LINE];  // without control characters
    int count;
    long missed;  // lines past PRINTED_LINES
    bool closed;
} ScenePrints;

// Adds the word `print` to the language; for sandbox_guard. The prints must outlive the Lua state.
mn_status print_open(struct lua_State* L, void* prints);

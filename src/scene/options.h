// Values of a scene that its user may choose without opening the file: option("tension", true) in the scene,
// `--set tension=false` on the command line.
#pragma once
#include <stdbool.h>
#include "base/status.h"

struct lua_State;

typedef struct SceneOption {
    char* name;
    char* value;  // as text, the scene's own or the user's
    bool given;   // by the user
    bool asked;   // by the scene
} SceneOption;

typedef struct SceneOptions {
    SceneOption* option;
    int count;
} SceneOptions;

// Takes over what the user set: "name=value" each, NULL-ended; NULL is none. MN_BAD_ARGUMENT for anything else.
mn_status options_set(SceneOptions* options, const char* const* settings);
// Gives the scene its function `option`; for sandbox_guard. The options must outlive the Lua state.
mn_status options_open(struct lua_State* L, void* options);
// After the file has run: MN_BAD_ARGUMENT if the user set something that the scene has not asked for.
mn_status options_check(const SceneOptions* options, const char* path);
void options_free(SceneOptions* options);

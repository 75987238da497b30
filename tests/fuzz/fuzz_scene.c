// Scenes. They are programs: a small part of the time that the sandbox grants is enough to look for what goes wrong.
#include "base/budget.h"
#include "fuzz.h"
#include "scene/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    char* text = fuzz_text(data, size);
    Scene scene;
    Budget before = budget_enter(0.3);
    if (scene_load_text(&scene, "/nowhere/fuzz.lua", text) == MN_OK) scene_free(&scene);
    budget_leave(before);
    free(text);
    return 0;
}

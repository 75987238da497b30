// `bodies = { mjcf = "robot.xml", ... }`, out of a Lua table.
#pragma once
#include "scene/read.h"

extern const char* const mjcf_keys[];  // NULL-ended

// Adds solids and bodies for all that the file holds, after those that are there.
mn_status mjcf_read_entry(Scene* scene, const Node* n);
// Joints and actuators that the scene names; once functions may be called.
mn_status mjcf_try_functions(const Scene* scene);
void scene_mjcf_free(SceneMjcf* m);

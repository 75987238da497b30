// Entries of `bodies`, out of Lua tables.
#pragma once
#include "scene/read.h"

// Body i of the scene: adds the solid that shows it to scene->solids. What takes the shapes to see comes later (body_build.h).
mn_status body_read(Scene* scene, const Node* n, int i);
// What bodies do not go together with.
mn_status bodies_check(const Scene* scene, const Node* root);

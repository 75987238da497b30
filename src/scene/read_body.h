// `bodies`, out of Lua tables.
#pragma once
#include "scene/read.h"

// All of them, and the solids that show them. What takes the shapes to see comes later (body_build.h).
mn_status bodies_read(Scene* scene, const Node* root);
// One more solid, body and its solid, at the end; zero but for what they are.
mn_status solid_add(Scene* scene);
mn_status body_add(Scene* scene);
// No other solid or body may have the name of this solid: rows of bodies.csv and files of frames go by them.
mn_status body_check_name(const Scene* scene, const Node* n, int solid);

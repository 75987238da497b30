// The files an MJCF file names. MuJoCo opens them itself, so they are looked at before.
#pragma once
#include "scene/scene.h"

// Adds the file, and those it includes, to the fingerprint of the scene. MN_BAD_SCENE: one of them names a file outside the
// folder, and the scene may not. MN_IO: there is no such file.
mn_status mjcf_check_names(Scene* scene, const char* path);
const char* path_base(const char* path);  // without its folder

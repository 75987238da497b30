// Functions of the place that a scene gives: phi(x, y, z), heights(x, z), velocity(x, y, z), sigma(x, y, z).
#pragma once
#include "scene/scene.h"

// What the function behind a handle (function_keep) returns for `given` arguments: `wanted` finite numbers, one by one or in one
// table. MN_BAD_SCENE with its line and "what it must return" otherwise. Limits and threads as scene_time_vector.
mn_status scene_function_at(double* out, int wanted, const Scene* scene, int function, const double* arguments, int given,
                            const char* what);

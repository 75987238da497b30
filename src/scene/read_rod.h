// Reading the rods and webs of a scene.
#pragma once
#include "scene/read.h"

mn_status rods_read(Scene* scene, const Node* n);
// No other thing of the scene gets in their way: solids, bodies, sheets.
mn_status rods_check_company(const Scene* s, const Node* n);
void scene_rods_free(Scene* s);

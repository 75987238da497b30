// Liquids whose surface is a mesh: the keys `surface` and `membrane` of a liquid.
#pragma once
#include "scene/read.h"

// From the open table of a liquid.
mn_status membrane_read(SceneMembrane* out, const Node* liquid);
// What such a liquid cannot be together with yet. Every key that is refused is named.
mn_status membranes_check_company(const Scene* scene, const Node* root);

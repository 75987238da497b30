// Liquids whose surface is a mesh: the keys `surface` and `membrane` of a liquid.
#pragma once
#include "scene/read.h"

// From the open table of a liquid.
mn_status membrane_read(SceneMembrane* out, const Node* liquid);
// What such a liquid cannot be together with yet. Every key that is refused is named.
mn_status membranes_check_company(const Scene* scene, const Node* root);
// Has one of its liquids a mesh for its surface? Then solids and bodies lie on that, and what holds for the level set does not.
bool scene_has_membrane(const Scene* scene);

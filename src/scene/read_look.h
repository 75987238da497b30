// The key `look` of liquids and sources: how pictures show them.
#pragma once
#include "scene/read.h"

// A word of scene_liquid_looks or a colour (base/colour_word.h); empty where the scene gives none.
mn_status liquid_look_read(char out[LOOK_ROOM], const Node* n);

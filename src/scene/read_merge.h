// Which liquids merge, and the air between those that do not.
#pragma once
#include "scene/read.h"

mn_status merge_read(Scene* scene, const Node* root);  // after liquids and sources, whose names it uses
mn_status film_read(Scene* scene, const Node* root);   // after merge_read

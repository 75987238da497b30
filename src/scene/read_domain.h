// The numbers of a scene: box and cells, frames, output, numerics.
#pragma once
#include "scene/read.h"

mn_status domain_read(Scene* scene, const Node* root);  // sets dim, so it comes first
mn_status frames_read(Scene* scene, const Node* root);
mn_status output_read(Scene* scene, const Node* root);
mn_status numerics_read(Scene* scene, const Node* root);  // also spray_cells

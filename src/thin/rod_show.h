// Rods as meshes for frames.
#pragma once
#include "base/layers.h"
#include "thin/rods.h"

// A layer "rod_NAME" for each: tubes of six sides, the same triangles in every frame.
mn_status rods_show(Layers* layers, const Rods* rods);

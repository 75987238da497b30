// Which way the faces and normals of a mesh look.
#pragma once
#include "base/layers.h"

// Makes the smooth normals of triangles agree with the faces: these turn outwards (positive volume), and points without a
// normal get the mean of their free faces weighted by area. Adds the attribute "normal" if there is none.
mn_status orient_layer(Layer* mesh);

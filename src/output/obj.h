// Meshes as Wavefront OBJ (docs/output.md).
#pragma once
#include "base/layers.h"

// Triangles or edges, in groups `free` and `wet` by their attribute "kind" (all free without it). MN_IO names the file.
mn_status obj_write(const char* path, const Layer* mesh);

// Wavefront OBJ files of a mesh: places, normals, triangles (2D: lines). Groups `free` and `wet` tell the kinds of faces apart.
#pragma once
#include "grid/marching.h"

mn_status obj_write(const char* path, const SurfaceMesh* mesh);  // to a temporary name and renamed; MN_IO names the file

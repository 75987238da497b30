// Binary little-endian PLY files of a frame: surfaces, spray, solids. Layout: docs/output.md.
#pragma once
#include "grid/marching.h"
#include "liquid/spray.h"

// Written to a temporary name and renamed: a file that is there is whole. MN_IO names the file.
mn_status ply_write_mesh(const char* path, const SurfaceMesh* mesh);
mn_status ply_write_spray(const char* path, const Spray* spray, int dim);
// A mesh that ply_write_mesh has written, back again. MN_IO names the file and leaves the mesh empty.
mn_status ply_read_mesh(SurfaceMesh* mesh, const char* path, int corners);

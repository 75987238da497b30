// OpenVDB files (.vdb) of a frame: the level set as grid `surface`, the velocity as grid `velocity`. No library writes them:
// the format is that of OpenVDB's file version 224, compressed with zlib (docs/output.md).
#pragma once
#include "output/volume.h"

// 3D only. Written to a temporary name and renamed. MN_IO names the file.
mn_status vdb_write(const char* path, const Volume* volume);

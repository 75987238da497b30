// Layers of a frame as binary little-endian PLY files. Layout: docs/output.md.
#pragma once
#include "base/layers.h"

// Written to a temporary name and renamed: a file that is there is whole. MN_IO names the file.
mn_status ply_write(const char* path, const Layer* layer);
// The same for readers that know points and faces and nothing else: edges are faces of two corners, elements have no numbers.
mn_status ply_write_plain(const char* path, const Layer* layer);
// What ply_write has written, or another program: triangles where the file has faces (polygons become fans), edges where it
// has edges, else points. MN_IO names the file and leaves the layer empty: a place is not finite, an element names a point
// that is not there. Other numbers that are not finite become 0, and what a layer cannot hold (names too long, attributes too
// many) is left out.
mn_status ply_read(Layer* layer, const char* name, const char* path);

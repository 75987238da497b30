// Shapes out of Lua tables.
#pragma once
#include "scene/include.h"
#include "scene/read.h"

// Reads the shape that n holds. `extra` are the keys a liquid, solid or source may have besides those of its shape.
// A failure leaves *out NULL.
mn_status shape_read(Shape** out, const Node* n, const char* const* extra);

void meshcache_free(Reader* reader);  // the cache only; shapes keep their meshes

// Two ends and a radius (m), as of a cylinder: keys from, to and radius.
mn_status segment_read(double from[3], double to[3], double* radius, const Node* n);

// The file that n.key names, relative to the scene file. *present false when the key is absent.
mn_status path_read(char path[SCENE_PATH_ROOM], bool* present, const Node* n, const char* key, const char* what);
// What a file has told to be wrong, at the key that names it.
mn_status file_failed(mn_status status, const Node* n, const char* key);
// A file is part of the scene that a checkpoint belongs to.
void fingerprint_add(unsigned long long* hash, const void* data, size_t size);

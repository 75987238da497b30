// Shapes out of Lua tables.
#pragma once
#include "scene/read.h"

// Reads the shape that n holds. `extra` are the keys a liquid, solid or source may have besides those of its shape.
// A failure leaves *out NULL.
mn_status shape_read(Shape** out, const Node* n, const char* const* extra);

void meshcache_free(Reader* reader);  // the cache only; shapes keep their meshes

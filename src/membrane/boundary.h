// Where a surface ends: on walls.
#pragma once
#include "base/arena.h"
#include "membrane/surface.h"

// 3D: the edges that belong to one triangle alone, in the direction of that triangle. 2D: all segments; what meets no other is
// an end, and others cancel.
typedef struct SurfaceBoundary {
    int (*edge)[2];
    int count;
} SurfaceBoundary;

mn_status boundary_find(SurfaceBoundary* b, const MembraneMesh* m, Arena* arena);

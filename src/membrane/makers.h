// Meshes to begin with.
#pragma once
#include "membrane/surface.h"

// Each adds its elements to a mesh with dim, low and high set, with edges of about `edge` (m), and raises target_volume by the
// liquid that came. MN_NO_MEMORY leaves what was added so far.

// A ball (2D: disc) within the tank: the icosahedron, its triangles divided evenly, on the sphere; a regular polygon.
mn_status membrane_add_ball(MembraneMesh* m, const double center[3], double radius, double edge);
// Liquid below height `level` on the last axis, from wall to wall. The mesh holds nothing else yet.
mn_status membrane_add_pool(MembraneMesh* m, double level, double edge);

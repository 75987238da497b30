// Keeping the surface's mesh fit: edges near their wanted lengths, triangles near to equilateral, with the liquid's volume, the
// surface's shape and its momentum kept.
#pragma once
#include "membrane/surface.h"

typedef struct RemeshCount {
    int splits, flips, collapses, moves;  // operations that were done
} RemeshCount;

// Splits, flips, collapses and moves vertices along the surface, in up to `passes` rounds, fewer when nothing is left to do.
// Vertices keep to their walls; vertices in contact stay where they are, and only edges between two of one body, or between
// two free ones, are flipped or collapsed. Velocities are interpolated such that the mean velocity, weighted by area, stays.
// Splits and flips of curved parts leave the volume
// a little off (membrane_restore_volume gives it back). Numbers of vertices
// change. `count` is raised; may be NULL. MN_NO_MEMORY, MN_BAD_MESH: the mesh is as it was.
mn_status membrane_remesh(MembraneMesh* m, int passes, RemeshCount* count);

// Moves each free vertex that is not beside a contact along its normal, all by the same distance, until the volume is
// `target_volume` to 1e-12 of it; by `limit` (m) at most. Gives the distance (m), with its sign.
double membrane_restore_volume(MembraneMesh* m, double limit);

// Wanted edge lengths from a function of the place, no more than `growth` times as long from a vertex to the next.
mn_status membrane_set_sizes(MembraneMesh* m, double (*size)(const void* user, const double x[3]), const void* user,
                             double growth);

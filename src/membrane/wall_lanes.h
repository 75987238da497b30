// The wet parts of the low sides of a window, where the rows of lanes.h begin: the same recursion one dimension lower, by the
// lines in which the surface meets the walls; and those begin on the edges of the tank, by the points in which these lines end.
#pragma once
#include "base/arena.h"
#include "grid/window.h"
#include "membrane/surface.h"

// Per axis d and face of the window's low side across d: its wet part. With o and p the other axes, o < p: start[d][i_o + n_o
// i_p].
typedef struct WallStarts {
    double* start[3];
} WallStarts;

mn_status wall_starts(WallStarts* s, const MembraneMesh* m, const Window* w, Arena* arena);

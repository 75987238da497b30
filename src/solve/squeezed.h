// Liquid that a moving solid drives through slits narrower than half a cell.
//
// The flow through such a slit is not resolved, and while it closes it is without bound: a pocket whose solid brings in the
// flux Q empties through a slit of width h at Q/h. A ball that entered the corner of a tank sent the last of the liquid out at
// 0.5 km/s, a box driven into a wall at 1 km/s. So a pocket takes up only as much of its solids' flux as leaves it at
// SQUEEZED_FASTEST times their speed. The rest of the liquid there gives way, and the volume comes back elsewhere on the
// surface (liquid_restore_volume).
#pragma once
#include "base/arena.h"

// Liquid within which every passage is at least SQUEEZED_NARROW wide.
typedef struct SqueezedRegion {
    double way;      // ways out: slits towards other regions, free surface, open sides; in face areas
    double flux;     // what solids push into it, m/s times face areas; < 0: what they draw out of it
    double fastest;  // m/s, of the solids in it
} SqueezedRegion;

// A passage narrower than that between two regions; counted in the way of both.
typedef struct Slit {
    int region[2];
    double area;
} Slit;

static const double SQUEEZED_NARROW = 0.5;   // face areas
static const double SQUEEZED_FASTEST = 8.0;  // times the speed of the solid

// The part of each region's flux that it takes up, 0 to 1. Regions become larger ones slit by slit, the widest first, and no
// region on the way, however far it has grown, may get more than its ways out bear. Without any way out nothing is asked: the
// liquid is sealed (components.h). Sorts the slits.
mn_status squeezed_keep(double* keep, const SqueezedRegion* region, int regions, Slit* slit, int slits, Arena* arena);
